"""What is measured for a threshold, and the curves as a picture."""

import math
import os
from dataclasses import dataclass

from benchmark import plots
from benchmark.results import Results

from .crossover import Ratios


@dataclass(frozen=True)
class Question:
    """One threshold: below it `short` should be the faster way, from it on `long`."""

    symbol: str  # without VG_<VARIANT>_
    group: str
    short: str  # endings of candidates' names
    long: str
    sizes: str
    more: int = 0  # bytes of text beyond a row's length


QUESTIONS = (
    Question("SPLIT_FROM", "record", "-prepared:copy", "-prepared:split",
             "64,80,96,112,128,144,160,192,224,256,320,384,448,512,640,768,896,1024,1280,1536,2048,3072,4096,8192", 1),
    Question("COPY_BELOW", "halves", "-prepared:copy", "-prepared:stream",
             "512,1024,1536,2048,3072,4096,5120,6144,7168,8192,10240,12288,14336,16384,20480,24576,32768,49152,65536"),
)  # fmt: skip
POWERS_SIZES = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)


def passes_of(results: Results, group: str, candidate: str) -> dict[int, list[float]]:
    """For each length, the time of each pass."""
    out: dict[int, list[float]] = {}
    for line in results.of_type("result"):
        if line["group"] == group and line["candidate"] == candidate:
            out.setdefault(line["len"], []).append(line["p25"])
    return out


def ratios_of(results: Results, variant: str, question: Question) -> Ratios:
    short = passes_of(results, question.group, variant + question.short)
    long = passes_of(results, question.group, variant + question.long)
    return {
        n + question.more: [b / a for a, b in zip(short[n], long[n])] for n in sorted(short) if n in long and short[n]
    }


def draw_text(results: Results, variant: str, question: Question) -> list[str]:
    """Both curves: a line for each length, with the times in ns and how much the way for long texts gains, to the
    right, or loses; a # for each percent."""
    short, long = (passes_of(results, question.group, variant + way) for way in (question.short, question.long))
    lines = [f"  {'bytes':>6} {question.short.split(':')[-1]:>10} {question.long.split(':')[-1]:>10}"]
    for n in sorted(short):
        if n not in long:
            continue
        percent = 100 * (min(long[n]) / min(short[n]) - 1)
        marks = "#" * min(round(abs(percent)), 25)
        bar = f"{marks if percent > 0 else '':>25}|{marks if percent <= 0 else '':<25}"
        lines.append(f"  {n + question.more:>6} {min(short[n]):10.1f} {min(long[n]):10.1f}  {bar} {percent:+6.1f}%")
    return lines


def draw(results: Results, variant: str, question: Question, at: int | None, folder: str) -> str:
    """The two curves, in nanoseconds for a byte, as SVG. Returns its path."""
    pyplot = plots.load_pyplot()
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for ending, colour in ((question.short, plots.COLOURS[0]), (question.long, plots.COLOURS[1])):
        times = passes_of(results, question.group, variant + ending)
        lengths = sorted(times)
        axes.plot(
            [n + question.more for n in lengths],
            [min(times[n]) / (n + question.more) for n in lengths],
            "o-",
            color=colour,
            label=ending.split(":")[-1],
        )
    if at is not None:
        axes.axvline(at, color="black", linestyle=":", label=f"{question.symbol} {at:,}")
    axes.set_xscale("log", base=2)
    axes.set_xlabel("bytes of text")
    axes.set_ylabel("ns per byte")
    axes.set_title(f"{variant}: {question.symbol.lower()}")
    axes.legend()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"tune-{variant}-{question.symbol.lower().replace('_', '-')}.svg")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def preparation(results: Results, variant: str) -> tuple[int, int] | str:
    """(PREPARED_AFTER, PREPARED_MIN_LEN), or why there is no telling. Powers are worth having after as many calls as
    they cost in lost time; a call counts from the length on at which it gains half of what a long one does."""
    base, prepared = (passes_of(results, "seal", variant + form) for form in ("-base", "-prepared"))
    fresh = [passes_of(results, "fresh-key", variant + form) for form in ("-base", "-prepared")]
    gains = {n: min(base[n]) - min(prepared[n]) for n in POWERS_SIZES if n in base and n in prepared}
    if not gains or not all(fresh):
        return "this build has no adaptive contexts"
    longest = max(gains)
    most = sorted(gains[n] for n in gains if n >= longest // 4)[0]
    if most <= 0.02 * min(prepared[longest]):
        return "powers gain less than 2% of a long call"
    length = next(iter(fresh[0]))
    cost = (min(fresh[1][length]) - min(prepared[length])) - (min(fresh[0][length]) - min(base[length]))
    least = min(n for n in gains if all(gains[m] >= most / 2 for m in gains if m >= n))
    return max(math.ceil(cost / most), 1), least
