"""Variant isolation: a variant's code stays within the variant, all variants have the same operations with the same
contracts, and nothing is linked that nothing uses."""

import glob
import os
import re
from typing import Optional, Union

from .banners import ROOT, Banner, squeezed
from .calls import Calls
from .frame import Report, rule
from .machine import Build, Function, Object, Relocation, Symbol
from .operands import Memory, Target
from .shared import banners, flow

# C on the baseline: every CPU runs it.
SHARED = (None, "portable")
SAME = ("In", "Out", "Overlap", "Secret", "Public")

# A function, or (object, section) of data.
Node = Union[tuple[str, str, int], tuple[str, str]]


def referred(build: Build, one: Object, symbol: str) -> Optional[tuple[Object, Symbol]]:
    """Where a symbol that `one` uses is defined; None: outside of the archive."""
    here = one.symbol(symbol)
    if here is not None and here.section != "*UND*":
        return one, here
    return build.global_symbol(symbol)


@rule("isolation", "a variant's code and data lead only to the same variant, or to C that all share")
def isolation(build: Build, report: Report) -> None:
    for one in build.objects:
        if one.variant is None:
            continue
        report.sees(one)
        for relocation in one.relocations:
            there = referred(build, one, relocation.symbol)
            if there is None or there[0].variant in (one.variant, *SHARED):
                continue
            text = f"leads to {relocation.symbol} of {there[0].variant}"
            function = one.function_at(relocation.section, relocation.at)
            instruction = None
            if function:
                instruction = next(i for i in function if i.address <= relocation.at < i.next)
            report.finds(function or one, text, instruction)


@rule("operations", "every variant has every operation, with one contract")
def operations(build: Build, report: Report) -> None:
    calls = flow(build).calls
    if calls.tables:
        fields = sorted({offset for table in calls.tables.values() for offset in table.operations})
        for variant in build.variants:
            table = calls.tables.get(variant)
            if table is None:
                report.finds("archive", f"{variant} has no table vg_variant_{variant}")
                continue
            one = next(o for o in build.objects if o.name == f"src-variants-{variant}.o")
            report.sees(one)
            for offset in fields:
                if offset not in table.operations:
                    report.finds(one, f"the operation at {offset:#x} of the table is missing")
    contracts(build, report, calls)


def contracts(build: Build, report: Report, calls: Calls) -> None:
    """The banners of one operation agree in all variants of the build."""
    all_of = banners(build)
    first: dict[tuple[str, bool], tuple[Function, Banner]] = {}
    for function in build.functions():
        if not function.is_global or function.object.is_c or all_of.called_by_c(function) is None:
            continue
        banner = all_of.banner(function)
        if banner is None:
            continue
        report.sees(function)
        known, other = first.setdefault((all_of.split(function)[0], banner.in_forms), (function, banner))
        for key in SAME:
            if squeezed(banner.keys.get(key, "")) != squeezed(other.keys.get(key, "")):
                report.finds(function, f"{key} differs from that of {known.name} in {known.object.file}")
    if not report.rows:
        report.has_nothing("one variant, without a table and without kernels")


def public_names(build: Build) -> set[str]:
    """What the public headers declare, and what code compiled with vg/config.h asks for."""
    names = set()
    for path in glob.glob(os.path.join(ROOT, "include/vg/*.h")):
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r"\b(vg_\w+)\(", file.read()))
    return {build.prefix + name for name in names} | {build.config.get("VG_CONFIG_SYMBOL", "")}


class Reach:
    """What can be reached from these names."""

    def __init__(self, build: Build, names: set[str]):
        self.build = build
        self.found: set[Node] = set()
        self.data: dict[tuple[str, str], list[Relocation]] = {}
        for one in build.objects:
            for relocation in one.relocations:
                self.data.setdefault((one.name, relocation.section), []).append(relocation)
        self.objects = {one.name: one for one in build.objects}
        work = []
        for name in sorted(names):
            there = build.global_symbol(name)
            if there:
                work.append(self.node(there[0], there[1].section, there[1].value))
        while work:
            node = work.pop()
            if node is not None and node not in self.found:
                self.found.add(node)
                work += self.next(node)

    def node(self, one: Object, section: str, address: int) -> Optional[Node]:
        function = one.function_at(section, address)
        return (one.name, section, function.address) if function else (one.name, section)

    def of(self, one: Object, symbol: str, offset: int) -> Optional[Node]:
        there = referred(self.build, one, symbol)
        if there is None:
            return None
        return self.node(there[0], there[1].section, there[1].value + offset)

    def next(self, node: Node) -> list[Optional[Node]]:
        one = self.objects[node[0]]
        if len(node) == 2:
            return [self.of(one, r.symbol, r.addend) for r in self.data.get((node[0], node[1]), [])]
        function = one.function_at(node[1], node[2])
        assert function
        out: list[Optional[Node]] = []
        for instruction in function:
            for word in instruction.operands:
                if isinstance(word, Target) and word.address is not None:
                    out.append(self.node(one, node[1], word.address))
                elif isinstance(word, (Target, Memory)) and word.symbol is not None:
                    out.append(self.of(one, word.symbol, word.offset))
        last = function.instructions[-1]
        if last.mnemonic not in ("ret", "jmp", "ud2", "hlt", "nop"):
            out.append(self.node(one, node[1], function.end))
        return out


def is_inlined(one: Object, name: str) -> bool:
    """The file of a C function calls it too: the compiler may have no use left for the function itself."""
    if not (one.is_c and one.source):
        return False
    with open(os.path.join(ROOT, one.source), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return len(re.findall(rf"\b{name}\(", text)) > 1


@rule("unused", "every global function and constant is reached from the public entries")
def unused(build: Build, report: Report) -> None:
    reach = Reach(build, public_names(build))
    for one in build.objects:
        for symbol in one.symbols:
            if not symbol.is_global or symbol.section in ("*UND*", "*COM*"):
                continue
            function = one.function_at(symbol.section, symbol.value)
            subject: Union[Function, Object] = function or one
            report.sees(subject)
            if reach.node(one, symbol.section, symbol.value) in reach.found:
                continue
            if is_inlined(one, symbol.name.removeprefix(build.prefix)):
                report.notes_down(f"unused: {symbol.name} is inlined wherever {one.file} calls it")
            else:
                report.finds(subject, f"nothing that a user can call leads to {symbol.name}")
