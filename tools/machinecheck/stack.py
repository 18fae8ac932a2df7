"""The deepest stack of each public call, against the table in include/vg/info.h."""

import os
import re

from .banners import ROOT
from .frame import Report, rule
from .isolation import public_names
from .machine import Build
from .shared import flow

TABLE = "include/vg/info.h"
RETURN_ADDRESS = 8


def declared() -> dict[str, int]:
    """Call -> bytes."""
    with open(os.path.join(ROOT, TABLE), encoding="utf-8") as file:
        text = file.read()
    comment = re.search(r"/\* Stack: (.*?)\*/", text, re.S)
    found = {}
    size = 0
    for line in comment[1].splitlines() if comment else []:
        row = re.match(r" \* +(?:([\d,]+)  )? *((?:vg_\w+(?:, ?|,?$|$| ))+)", line)
        if row:
            size = int(row[1].replace(",", "")) if row[1] else size
            found.update({name: size for name in re.findall(r"vg_\w+", row[2])})
    return found


@rule("call-depth", "no public call uses more stack than vg/info.h says")
def call_depth(build: Build, report: Report) -> None:
    limits = declared()
    depths = {}
    for name in sorted(public_names(build)):
        there = build.global_symbol(name)
        function = there[0].function_at(there[1].section, there[1].value) if there else None
        if function is None:
            continue
        report.sees(function)
        summary = flow(build).of(function)
        depth = depths[name] = summary.depth + RETURN_ADDRESS
        limit = limits.get(name.removeprefix(build.prefix))
        if limit is None:
            report.finds(function, f"{TABLE} has no number for its stack")
        elif depth > limit:
            chain = " > ".join(summary.deepest)
            report.finds(function, f"uses {depth:,} bytes of stack ({chain}), and {TABLE} says {limit:,} at most")
    deepest = sorted(depths, key=lambda name: -depths[name])
    report.notes_down("stack, bytes: " + ", ".join(f"{name} {depths[name]:,}" for name in deepest))
