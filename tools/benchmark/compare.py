"""Did it get slower? From kept results, or by building another revision and running both in turn."""

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Callable, Iterable, Iterator, Sequence

from . import Mistake, build, tables
from .results import Results
from .stats import ASIDE, FASTER, SAME, SLOWER, Verdict, judge

Measure = Callable[[Sequence[str]], Results]


@dataclass(frozen=True)
class Limits:
    slower: float
    control: float


def verdicts(base: Results, head: Results, limits: Limits) -> list[Verdict]:
    controls = base.peers() & head.peers()
    return judge(base.times(), head.times(), controls, limits.slower, limits.control)


ONE_PASS = ["--passes", "1", "--settle", "0"]


def narrowed(group: str, lens: Iterable[int], bits: Iterable[int], names: Iterable[str] = ()) -> list[str]:
    """Arguments of the measuring program for one pass over a part of a group."""
    words = ["--group", group, "--sizes", tables.runs(sorted(lens)), "--key-bits", ",".join(map(str, sorted(bits)))]
    words += ["--candidates", ",".join(sorted(names))] if names else []
    return words + ONE_PASS


def again(suspects: Sequence[Verdict], controls: set[str]) -> list[list[str]]:
    """Arguments that measure the suspects and their controls once more, group by group."""
    out = []
    for group in dict.fromkeys(v.row.group for v in suspects):
        own = [v for v in suspects if v.row.group == group]
        names = {v.candidate for v in own} | controls
        out.append(narrowed(group, {v.row.len for v in own}, {v.row.key_bits for v in own}, names))
    return out


def confirm(
    base: Results, head: Results, measure_base: Measure, measure_head: Measure, limits: Limits, rounds: int
) -> list[Verdict]:
    """Measure suspects again, at most so many rounds, and judge each side by its fastest time. Results are added to."""
    judged = verdicts(base, head, limits)
    for round_number in range(rounds):
        suspects = [v for v in judged if v.word in (SLOWER, ASIDE)]
        if not suspects:
            break
        build.say(f"confirming round {round_number + 1}: {len(suspects)} suspects")
        for arguments in again(suspects, base.peers() & head.peers()):
            base.lines += measure_base(arguments).of_type("result")
            head.lines += measure_head(arguments).of_type("result")
        judged = verdicts(base, head, limits)
    return judged


def alternate(measure_base: Measure, measure_head: Measure, passes: int) -> tuple[Results, Results]:
    """Passes of both, A B B A, so that a drift meets both alike."""
    base, head = Results(), Results()
    for number in range(passes):
        sides = [(base, measure_base), (head, measure_head)]
        for results, measure in sides if number % 2 == 0 else reversed(sides):
            results.lines += measure(ONE_PASS).lines
    return base, head


@contextlib.contextmanager
def worktree(revision: str) -> Iterator[str]:
    """The tree of a revision in a folder of its own, but with this tree's measuring program: both are measured alike."""
    folder = tempfile.mkdtemp(prefix="vg-bench-")
    tree = os.path.join(folder, "tree")
    try:
        build.call(["git", "-C", build.ROOT, "worktree", "add", "--detach", tree, revision])
        theirs = os.path.join(tree, "tools/benchmark/measure")
        if not os.path.isdir(theirs):
            raise Mistake(f"{revision}: has no bench yet and cannot be compared")
        shutil.rmtree(theirs)
        shutil.copytree(os.path.join(build.ROOT, "tools/benchmark/measure"), theirs)
        yield tree
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        build.call(["git", "-C", build.ROOT, "worktree", "prune"])


def report(judged: Sequence[Verdict], base: Results, head: Results, limits: Limits, everything: bool) -> str:
    counts = {word: sum(v.word == word for v in judged) for word in (SAME, FASTER, SLOWER, ASIDE)}
    parts = [f"base: {origin(base)}\nhead: {origin(head)}"]
    shown = [v for v in judged if everything or v.word != SAME]
    if shown:
        parts.append(tables.verdict_table(shown))
    summary = ", ".join(f"{count} {word}" for word, count in counts.items())
    parts.append(
        f"{len(judged)} rows: {summary}. Limit {limits.slower:.0%}; "
        f"a row is set aside if a control moved by more than {limits.control:.0%}."
    )
    if not base.peers() & head.peers():
        parts.append(
            "Warning: no peer was measured in both, so there are no control rows: "
            "a slower machine looks like slower code."
        )
    machines = {results.first("run").get("machine") for results in (base, head)}
    if len(machines) > 1:
        parts.append("Warning: the two were measured on different machines.")
    for name, results in (("base", base), ("head", head)):
        parts += [f"Warning, {name}: {text}" for text in build.warnings(results)]
    return "\n\n".join(parts)


def origin(results: Results) -> str:
    run = results.first("run")
    return "commit " + ", ".join(run.get(word, f"unknown {word}") for word in ("commit", "time", "compiler"))


def status(judged: Sequence[Verdict]) -> int:
    """1: something got slower. 2: nothing could be judged."""
    if any(v.word == SLOWER for v in judged):
        return 1
    if not any(v.word in (SAME, FASTER) for v in judged):
        return 2
    return 0
