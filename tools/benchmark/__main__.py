"""tools/bench: measure, tabulate, draw, compare."""

import argparse
import os
import subprocess
import sys
import time
from typing import Callable, Sequence

from . import Mistake, build, compare, plots, sizes, tables
from .arguments import parse_arguments
from .results import Results, load, machine_line
from .stats import Cliff, cliffs


def measure_arguments(options: argparse.Namespace) -> list[str]:
    words = ["--quick"] * options.quick + ["--ways"] * options.ways
    for name in ("group", "sizes", "key_bits", "candidates", "samples", "settle", "batch_us", "cpu"):
        value = getattr(options, name)
        if value is not None:
            words += ["--" + name.replace("_", "-"), str(value)]
    for peer in options.peer:
        words += ["--peer", peer]
    return words + ["--passes", str(options.passes)]


def prepare(options: argparse.Namespace) -> str:
    """The build directory, configured."""
    if options.directory:
        if options.set:
            raise Mistake("--set is for the bench's own build; DIR has its own configuration")
        return options.directory
    build.configure(build.ROOT, build.DIRECTORY, options.set)
    return build.DIRECTORY


def result_path(options: argparse.Namespace, directory: str) -> str:
    if options.output:
        return options.output
    folder = os.path.join(directory, "results")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, time.strftime("%Y%m%d-%H%M%S") + ".json")


def measure(options: argparse.Namespace) -> tuple[Results, str]:
    """Build, measure and keep."""
    directory = prepare(options)
    program = build.make(directory)
    results = Results([build.describe(build.ROOT, directory)])
    results.lines += build.measure(program, measure_arguments(options)).lines
    results.lines += sizes.read_archive(directory)
    results.lines += build.measure(program, ["--stack"]).of_type("stack")
    path = result_path(options, directory)
    results.save(path)
    return results, path


def notes(results: Results) -> str:
    """What a reader of the tables has to know."""
    lines = [machine_line(results) or "Unknown machine"]
    config = results.first("library").get("config")
    lines += [f"Configuration: {config}"] if config else []
    lines += [f"Not there: {line['about']}: {line['text']}" for line in results.of_type("missing")]
    lines += wrong(results) + [f"Warning: {text}" for text in build.warnings(results)]
    return "\n".join(lines)


def wrong(results: Results) -> list[str]:
    """The candidates that did not do what they should, one sentence each."""
    bad = [c for c in results.of_type("candidate") if c["wrong"]]
    out = [f"WRONG, not timed: {c['name']}: {c['wrong']} (against {c['reference']})" for c in bad]
    failed = sorted({(line["about"], line["text"]) for line in results.of_type("wrong")})
    return out + [f"WRONG, left out: {name} failed calls of {group}" for name, group in failed]


def ratio_to(results: Results, wanted: str | None) -> str | None:
    if wanted == "none":
        return None
    if wanted and wanted not in results.candidates():
        raise Mistake(f"--ratio-to {wanted}: no such candidate; there are: {' '.join(results.candidates())}")
    return wanted or tables.default_peer(results)


def print_report(results: Results, options: argparse.Namespace) -> None:
    parts = [
        notes(results),
        tables.report(results, ratio_to(results, options.ratio_to), options.stat, options.cycles),
        sizes.size_report(results, functions=False),
    ]
    print("\n\n".join(part for part in parts if part))


def run(options: argparse.Namespace) -> int:
    results, path = measure(options)
    print_report(results, options)
    build.say(f"\nresults: {os.path.relpath(path)}")
    return 1 if wrong(results) else 0


def table(options: argparse.Namespace) -> int:
    print_report(load(options.file), options)
    return 0


def cliff_finder(options: argparse.Namespace) -> Callable[[dict[int, float]], list[Cliff]]:
    return lambda times: cliffs(times, options.cliff_group, options.cliff_limit)


def cliffs_of(results: Results, group: str, bits: int, options: argparse.Namespace) -> dict[str, list[Cliff]]:
    find = cliff_finder(options)
    return {name: find(curve) for name, curve in plots.curves(results, group, bits, "p25").items()}


def is_cliff_group(group: str) -> bool:
    return group.startswith("cliffs")


def draw(results: Results, options: argparse.Namespace, folder: str) -> list[str]:
    os.makedirs(folder, exist_ok=True)
    caption = getattr(options, "machine", None) or machine_line(results) or ""
    patterns, paths = options.candidates, []
    for group, bits in tables.sections(results):
        if is_cliff_group(group):
            paths += plots.plot_cliffs(results, group, bits, folder, patterns, cliff_finder(options), caption)
        elif group in plots.BY_LENGTH:
            paths += plots.plot_times(results, group, bits, folder, patterns, caption)
            unit = ratio_to(results, getattr(options, "ratio_to", None))
            if unit:
                paths += plots.plot_ratios(results, group, bits, folder, patterns, unit, caption)
    return paths


def plot(options: argparse.Namespace) -> int:
    results = load(options.file)
    paths = draw(results, options, options.to or os.path.splitext(options.file)[0])
    print("\n".join(paths))
    return 0


def find_cliffs(options: argparse.Namespace) -> int:
    options.group = options.group or "cliffs"
    results, path = measure(options)
    program = build.make(options.directory or build.DIRECTORY)
    for _ in range(options.confirm):
        for group, bits in tables.sections(results):
            lens = {
                n
                for of_one in cliffs_of(results, group, bits, options).values()
                for c in of_one
                for n in (c.len - 1, c.len)
            }
            if lens:
                again = compare.narrowed(group, lens, [bits])
                results.lines += build.measure(program, [*measure_arguments(options), *again]).of_type("result")
    results.save(path)
    print(notes(results))
    for group, bits in tables.sections(results):
        found = cliffs_of(results, group, bits, options)
        print(f"\n{group}, AES-{bits}. " + tables.cliff_table(found, options.cliff_limit, options.cliff_group))
    build.say(f"\nresults: {os.path.relpath(path)}")
    build.say("\n".join(draw(results, options, options.to or os.path.splitext(path)[0])))
    return 1 if wrong(results) else 0


def size(options: argparse.Namespace) -> int:
    directory = prepare(options)
    program = build.make(directory)
    results = build.measure(program, ["--stack"])
    results.lines += sizes.read_archive(directory)
    print(sizes.size_report(results, options.functions))
    return 0


def list_all(options: argparse.Namespace) -> int:
    return subprocess.run([build.make(prepare(options)), "--list"], check=False).returncode


def compare_files(options: argparse.Namespace) -> int:
    base, head = (load(path) for path in options.files)
    limits = compare.Limits(options.limit, options.control_limit)
    judged = compare.verdicts(base, head, limits)
    if not judged:
        raise Mistake("the two files have no row in common")
    print(compare.report(judged, base, head, limits, options.all))
    return compare.status(judged)


def measurer(program: str, options: argparse.Namespace) -> compare.Measure:
    """Later options win, so that a confirming round narrows what the user asked for."""
    return lambda more: build.measure(program, [*measure_arguments(options), *more])


def compare_build(options: argparse.Namespace) -> int:
    directory = prepare(options)
    limits = compare.Limits(options.limit, options.control_limit)
    head_program = build.make(directory)
    with compare.worktree(options.build) as tree:
        base_directory = os.path.join(tree, "build-bench")
        build.configure_like(tree, base_directory, directory, options.set if not options.directory else None)
        programs = build.make(base_directory), head_program
        measures = [measurer(program, options) for program in programs]
        base, head = compare.alternate(*measures, options.passes)
        base.lines.insert(0, build.describe(tree, base_directory))
        head.lines.insert(0, build.describe(build.ROOT, directory))
        judged = compare.confirm(base, head, *measures, limits, options.confirm)
    print(compare.report(judged, base, head, limits, options.all))
    problems = [f"{side}: {text}" for side, results in (("base", base), ("head", head)) for text in wrong(results)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else compare.status(judged)


def compare_any(options: argparse.Namespace) -> int:
    if options.build and not options.files:
        return compare_build(options)
    if len(options.files) != 2 or options.build:
        raise Mistake("compare: two files, or --build REV")
    return compare_files(options)


COMMANDS = {
    "run": run,
    "table": table,
    "plot": plot,
    "cliffs": find_cliffs,
    "size": size,
    "list": list_all,
    "compare": compare_any,
}


def main(arguments: Sequence[str]) -> int:
    options = parse_arguments(list(arguments))
    return COMMANDS[options.command](options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Mistake as mistake:
        sys.exit(f"bench: {mistake}")
    except BrokenPipeError:
        os._exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
