"""The report's pictures, as SVG to stand in a page."""

import io
import re

from benchmark.plots import COLOURS, load_pyplot
from benchmark.sizes import SHARED

from .facts import Facts

MOST = 24  # functions in the picture


def colour(facts: Facts, owner: str) -> str:
    return "#999999" if owner == SHARED else COLOURS[facts.variants.index(owner) % len(COLOURS)]


def svg(plt, figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", bbox_inches="tight", transparent=True, metadata={"Date": None})
    plt.close(figure)
    return re.sub(r"^.*?(?=<svg)", "", file.getvalue(), flags=re.S)


def legend(plt, axes, facts: Facts) -> None:
    owners = [owner for owner in facts.text if facts.text[owner]]
    marks = [plt.Rectangle((0, 0), 1, 1, color=colour(facts, owner)) for owner in owners]
    axes.legend(marks, owners, loc="lower right", frameon=False)


def text_by_owner(facts: Facts) -> str:
    plt = load_pyplot()
    owners = [owner for owner in facts.text if facts.text[owner]]
    figure, axes = plt.subplots(figsize=(9, 0.9 + 0.34 * len(owners)))
    for row, owner in enumerate(reversed(owners)):
        axes.barh(row, facts.text[owner], color=colour(facts, owner), height=0.7)
        axes.barh(row, facts.constants[owner], left=facts.text[owner], color=colour(facts, owner), alpha=0.35, height=0.7)
        end = facts.text[owner] + facts.constants[owner]
        axes.annotate(f"{facts.text[owner]:,} + {facts.constants[owner]:,}", (end, row), (5, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(owners)), reversed(owners))
    axes.set_xlim(0, 1.3 * max(facts.text[o] + facts.constants[o] for o in owners))
    axes.set_xlabel("bytes of text, and (paler) of constants")
    axes.grid(axis="y", visible=False)
    return svg(plt, figure)


def largest_functions(facts: Facts) -> str:
    plt = load_pyplot()
    largest = list(reversed(facts.functions[:MOST]))
    figure, axes = plt.subplots(figsize=(9, 0.9 + 0.27 * len(largest)))
    for row, function in enumerate(largest):
        axes.barh(row, function.text, color=colour(facts, function.owner), height=0.7)
        axes.annotate(f"{function.text:,}", (function.text, row), (4, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(largest)), [function.name for function in largest], fontsize=8)
    axes.set_xlim(0, 1.1 * largest[-1].text)
    axes.set_xlabel("bytes of text")
    axes.grid(axis="y", visible=False)
    legend(plt, axes, facts)
    return svg(plt, figure)
