"""Pictures, each as SVG and PNG. Colours are those of Okabe and Ito, which colour-blind readers can tell apart; marks
and dashes say the same again."""

import fnmatch
import os
from typing import Callable, Optional, Sequence

from . import Mistake
from .results import Results
from .stats import Cliff

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#F0E442")
MARKS = "osD^vPX*<>hp"
BY_LENGTH = (
    "seal",
    "open",
    "seal-to",
    "open-to",
    "fresh-key",
    "record",
    "record-fresh-key",
    "halves",
    "five-pieces",
    "chain",
    "stream-64",
    "stream-1460",
    "burst",
    "serialised",
)
# Curves that would flatten all others are left out of linear pictures, and that is said.
FAR = 4.0


def load_pyplot():
    try:
        import matplotlib as library
    except ImportError:
        raise Mistake("pictures need matplotlib: apt-get install python3-matplotlib") from None
    library.use("Agg")
    library.rcParams.update(
        {"svg.hashsalt": "vg", "font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "svg.fonttype": "none"}
    )
    from matplotlib import pyplot

    return pyplot


def style(name: str, results: Results) -> dict:
    """A colour for each variant, solid prepared and dotted base; peers are dashed."""
    peers = results.peers()
    everybody = list(dict.fromkeys(line["name"] for line in results.of_type("candidate")))
    alike = [n for n in everybody if (n in peers) == (name in peers)]
    variants = list(dict.fromkeys(n.removesuffix("-prepared").removesuffix("-base") for n in alike))
    colour = variants.index(name.removesuffix("-prepared").removesuffix("-base"))
    return {
        "color": COLOURS[colour % len(COLOURS)],
        "marker": MARKS[everybody.index(name) % len(MARKS)],
        "linestyle": "--" if name in peers else ":" if name.endswith("-base") else "-",
        "linewidth": 1.3 if name in peers else 2.0,
        "markersize": 5,
        "label": name,
    }


def curves(results: Results, group: str, key_bits: int, statistic: str) -> dict[str, dict[int, float]]:
    """For every candidate its times by length."""
    out: dict[str, dict[int, float]] = {}
    for (row, name), ns in results.times(statistic).items():
        if row.group == group and row.key_bits == key_bits:
            out.setdefault(name, {})[row.len] = ns
    return {name: dict(sorted(out[name].items())) for name in results.candidates() if name in out}


def chosen(curves_of: dict[str, dict[int, float]], patterns: Optional[str]) -> dict[str, dict[int, float]]:
    if not patterns:
        return curves_of
    return {n: c for n, c in curves_of.items() if any(fnmatch.fnmatch(n, p) for p in patterns.split(","))}


def size_name(n: float) -> str:
    n = int(n)
    return (
        f"{n >> 20}M"
        if n >= 1 << 20 and n % (1 << 20) == 0
        else f"{n >> 10}K"
        if n >= 4096 and n % 1024 == 0
        else str(n)
    )


def finish(plt, figure, axes, folder: str, name: str, title: str, caption: str) -> list[str]:
    axes.set_title(title, loc="left", fontsize=12)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0, frameon=False)
    figure.text(0.01, -0.03, caption, fontsize=7.5, color="#444444", va="top")
    paths = []
    for kind in ("svg", "png"):
        path = os.path.join(folder, f"{name}.{kind}")
        figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Date": None} if kind == "svg" else None)
        paths.append(path)
    plt.close(figure)
    return paths


def log_sizes(axes, lengths: Sequence[int]) -> None:
    """Ticks at lengths that were measured, where there is room for their labels."""
    ticks: list[int] = []
    for n in lengths:
        if not ticks or n >= 1.6 * ticks[-1]:
            ticks.append(n)
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks)
    axes.set_xticks([], minor=True)
    axes.set_xticklabels([size_name(n) for n in ticks])
    axes.set_xlabel("text, bytes")


def plot_times(
    results: Results, group: str, key_bits: int, folder: str, patterns: Optional[str], caption: str
) -> list[str]:
    plt = load_pyplot()
    found = chosen(curves(results, group, key_bits, "p25"), patterns)
    figure, axes = plt.subplots(figsize=(8, 5))
    for name, curve in found.items():
        axes.plot(list(curve), list(curve.values()), **style(name, results))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylabel("ns per message")
    log_sizes(axes, sorted({n for curve in found.values() for n in curve if n}))
    return finish(
        plt, figure, axes, folder, f"{group}-{key_bits}-ns", f"{group}, AES-{key_bits}: time by length", caption
    )


def plot_ratios(
    results: Results, group: str, key_bits: int, folder: str, patterns: Optional[str], ratio_to: str, caption: str
) -> list[str]:
    plt = load_pyplot()
    everything = curves(results, group, key_bits, "p25")
    if ratio_to not in everything:
        return []
    unit = everything[ratio_to]
    figure, axes = plt.subplots(figsize=(8, 5))
    left_out = []
    for name, curve in chosen(everything, patterns).items():
        ratios = {n: ns / unit[n] for n, ns in curve.items() if n in unit}
        if name == ratio_to or not ratios:
            continue
        if min(ratios.values()) > FAR:
            left_out.append(name)
            continue
        axes.plot(list(ratios), list(ratios.values()), **style(name, results))
    axes.axhline(1, color="#444444", linewidth=1)
    axes.set_ylim(0, FAR if axes.get_ylim()[1] > FAR else None)
    axes.set_ylabel(f"time as a ratio to {ratio_to}")
    log_sizes(axes, sorted(n for n in unit if n))
    if left_out:
        caption += f"\nAlways above {FAR:.0f} and left out: {', '.join(left_out)}."
    title = f"{group}, AES-{key_bits}: ratio to {ratio_to}, less is better"
    return finish(plt, figure, axes, folder, f"{group}-{key_bits}-ratio", title, caption)


def plot_cliffs(
    results: Results,
    group: str,
    key_bits: int,
    folder: str,
    patterns: Optional[str],
    find: Callable[[dict[int, float]], list[Cliff]],
    caption: str,
) -> list[str]:
    plt = load_pyplot()
    found = chosen(curves(results, group, key_bits, "p25"), patterns)
    if not found:
        return []
    last = max(n for curve in found.values() for n in curve)
    least = min(curve[last] for curve in found.values() if last in curve)
    near = {name: curve for name, curve in found.items() if curve.get(last, 0) <= FAR * least}
    figure, axes = plt.subplots(figsize=(11, 6))
    for name, curve in near.items():
        how = style(name, results)
        mark = how.pop("marker")
        how.update(linewidth=1.1, label=f"{name}, cliffs: {len(find(curve))}")
        axes.plot(list(curve), list(curve.values()), marker=mark, markevery=len(curve) // 12 or 1, **how)
        at = [cliff.len for cliff in find(curve)]
        axes.plot(
            at,
            [curve[n] for n in at],
            linestyle="",
            marker="o",
            markersize=6,
            markeredgewidth=0.8,
            markerfacecolor="none",
            color=how["color"],
        )
    axes.set_xlim(0, last)
    axes.set_ylim(0, None)
    axes.set_xticks(range(0, last + 1, 128 if last <= 2048 else last // 16))
    axes.tick_params(axis="x", rotation=45)
    axes.set_xlabel("text, bytes (a ring: the time jumps here)")
    axes.set_ylabel("ns per message")
    left_out = [name for name in found if name not in near]
    if left_out:
        caption += f"\nOver {FAR:.0f} times the fastest and left out: {', '.join(left_out)}."
    return finish(plt, figure, axes, folder, f"{group}-{key_bits}", f"{group}, AES-{key_bits}: every length", caption)
