"""tools/tune."""

import argparse
import os
import re
import sys
import time
from typing import Optional

from benchmark import Mistake, build
from benchmark.results import Results
from vgconfig import symbols

from . import crossover, curves

DIRECTORY = os.path.join(build.ROOT, "build-tune")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/tune",
        description="Measure where one way of sealing gives way to another on this machine, print each crossover and "
        "how sure it is, and write the thresholds as a fragment for tools/configure --merge.",
        epilog="Run it on the board itself, with nothing else running there. What noise hides keeps its default.",
    )
    parser.add_argument("-C", dest="directory", metavar="DIR", help="measure this build directory as it is configured")
    parser.add_argument("-o", dest="fragment", metavar="FRAGMENT", help="where to write (tune.fragment in the build)")
    parser.add_argument("--variants", metavar="LIST", help="names, commas between (all that this CPU runs)")
    parser.add_argument("--key-bits", default="128", help="128, 192 or 256 (128)")
    parser.add_argument("--passes", type=int, default=7, metavar="N", help="passes over all lengths (7)")
    parser.add_argument("--cpu", type=int, metavar="N", help="the CPU to run on (the last one)")
    parser.add_argument("--pictures", metavar="DIR", help="draw the curves there as SVG; needs matplotlib")
    return parser.parse_args()


def measure(program: str, options: argparse.Namespace, group: str, candidates: list[str], sizes: str) -> Results:
    arguments = ["--ways", "--group", group, "--candidates", ",".join(candidates), "--sizes", sizes]
    arguments += ["--key-bits", options.key_bits, "--passes", str(options.passes), "--settle", "3"]
    arguments += ["--cpu", str(options.cpu)] if options.cpu is not None else []
    return build.measure(program, arguments)


def answer(results: Results, variant: str, question: curves.Question, options: argparse.Namespace) -> Optional[int]:
    """The threshold, or None if its default stays."""
    ratios = curves.ratios_of(results, variant, question)
    if not ratios:
        return None
    found = crossover.find(ratios)
    print(f"\n{variant}: {question.symbol.lower()}")
    print("\n".join(curves.draw_text(results, variant, question)))
    if options.pictures:
        print(f"  picture: {curves.draw(results, variant, question, found.at, options.pictures)}")
    ends = " to ".join("never" if end == float("inf") else f"{end:,.0f}" for end in (found.low, found.high))
    where = "never" if found.at is None else f"{found.at:,}"
    print(f"  crossover: {where}; {crossover.CERTAIN:.0%} of resamples: {ends}")
    if found.hidden:
        print(f"  {found.hidden}: the default stays")
        return None
    return symbols.NEVER if found.at is None else found.at


def apart(values: dict[str, int], split: str, copy: str, defaults: dict[str, int]) -> list[str]:
    """A pair that configuration would refuse gives way: texts are streamed from a little later on."""
    split_from, copy_below = values.get(split, defaults[split]), values.get(copy, defaults[copy])
    if symbols.NEVER in (split_from, copy_below) or split_from + 16 <= copy_below:
        return []
    values[copy] = split_from + 16
    return [f"# {copy} was {copy_below}: at least 16 more than {split} is wanted."]


def fragment(values: dict[str, int], notes: list[str], machine: str, when: str) -> str:
    lines = [f"# Thresholds measured by tools/tune on {machine}", f"# {when}. Use: tools/configure --merge", *notes]
    return "\n".join(lines + [f"{name}={value}" for name, value in values.items()]) + "\n"


def tune_variant(
    program: str, variant: str, options: argparse.Namespace, defaults: dict[str, int]
) -> tuple[dict[str, int], list[str]]:
    prefix = f"VG_{variant.upper()}_"
    values: dict[str, int] = {}
    notes: list[str] = []
    for question in curves.QUESTIONS:
        name = prefix + question.symbol
        if name not in defaults:
            continue
        results = measure(
            program, options, question.group, [variant + question.short, variant + question.long], question.sizes
        )
        value = answer(results, variant, question, options)
        if value is None:
            notes.append(f"# {name} keeps its default: nothing certain was measured.")
        else:
            values[name] = value
    if prefix + "SPLIT_FROM" in defaults:
        notes += apart(values, prefix + "SPLIT_FROM", prefix + "COPY_BELOW", defaults)
    if prefix + "PREPARED_AFTER" in defaults:
        sizes = ",".join(map(str, curves.POWERS_SIZES))
        forms = [f"{variant}-base", f"{variant}-prepared"]
        results = measure(program, options, "seal", forms, sizes)
        results.lines += measure(program, options, "fresh-key", forms, "1024").lines
        found = curves.preparation(results, variant)
        print(f"\n{variant}: prepared_after and prepared_min_len")
        if isinstance(found, str):
            print(f"  {found}: the defaults stay")
            notes.append(f"# {prefix}PREPARED_AFTER and _MIN_LEN keep their defaults: {found}.")
        else:
            print(f"  powers are worth having after {found[0]} calls of {found[1]} bytes and more")
            values[prefix + "PREPARED_AFTER"], values[prefix + "PREPARED_MIN_LEN"] = found
    return values, notes


def thresholds_of(directory: str) -> dict[str, int]:
    """The symbols of thresholds that this build has, with their values."""
    kconf = symbols.load_kconfig()
    symbols.apply(kconf, symbols.parse_file(os.path.join(directory, ".config")), hidden_too=False)
    pattern = re.compile(r"VG_\w+_(SPLIT_FROM|COPY_BELOW|PREPARED_AFTER|PREPARED_MIN_LEN)")
    return {s.name: int(s.str_value) for s in kconf.unique_defined_syms if pattern.fullmatch(s.name) and s.visibility}


def main() -> None:
    options = parse_arguments()
    directory = os.path.abspath(options.directory or DIRECTORY)
    if not options.directory:
        build.say("Building the measuring program in build-tune")
        build.configure(build.ROOT, directory, ())
    program = build.make(directory)
    defaults = thresholds_of(directory)
    listed = build.call([program, "--list"])
    names = [found[1] for found in re.finditer(r"^  (\w+)-(?:prepared|base)\b(?!:)", listed, re.M)]
    runs = [name for name in dict.fromkeys(names) if any(d.startswith(f"VG_{name.upper()}_") for d in defaults)]
    wanted = options.variants.split(",") if options.variants else runs
    for name in wanted:
        if name not in runs:
            raise Mistake(f"{name}: no variant with thresholds in this build on this CPU; there are {' '.join(runs)}")
    values: dict[str, int] = {}
    notes: list[str] = []
    for variant in wanted:
        more, said = tune_variant(program, variant, options, defaults)
        values.update(more)
        notes += said
    path = options.fragment or os.path.join(directory, "tune.fragment")
    text = fragment(values, notes, build.cpu_name(), time.strftime("%Y-%m-%d"))
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Mistake(f"{path}: cannot write: {error.strerror}") from None
    print(f"\n{path}:\n{text}", end="")


if __name__ == "__main__":
    try:
        main()
    except (Mistake, symbols.Mistake) as mistake:
        sys.exit(f"tune: {mistake}")
    except KeyboardInterrupt:
        sys.exit(130)
