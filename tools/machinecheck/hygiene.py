"""Object hygiene: names, sections, notes and relocations of each object."""

import re
from dataclasses import dataclass, field

from .frame import Report, rule
from .machine import Build, output

FROM_THE_C_LIBRARY = {"memcpy", "memset", "memmove", "memcmp"}
SLOT = "vg_cpu_slot"
SLOT_BYTES = 4
RUN_BEFORE_MAIN = re.compile(r"\.(init|fini|preinit|ctors|dtors|tm_clone)|\.t(bss|data)")
POSITION_INDEPENDENT = {
    "R_X86_64_PC32", "R_X86_64_PC64", "R_X86_64_PLT32", "R_X86_64_GOTPCREL", "R_X86_64_GOTPCRELX",
    "R_X86_64_REX_GOTPCRELX",
}  # fmt: skip


@dataclass
class Elf:
    """What readelf says of an object."""

    sections: list[tuple[str, int, str]] = field(default_factory=list)  # name, bytes, flags
    ibt_and_shstk: bool = False


def read_elf(build: Build) -> dict[str, Elf]:
    found: dict[str, Elf] = {one.name: Elf() for one in build.objects}
    current = Elf()
    for line in output("readelf", "-SnW", build.archive).splitlines():
        member = re.match(r"File: .*\((\S+)\)$", line)
        if member:
            current = found[member[1]]
        match = re.match(r"\s*\[ *\d+\] (\S+) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +([A-Za-z]*) ", line)
        if match:
            current.sections.append((match[1], int(match[2], 16), match[3]))
        current.ibt_and_shstk |= "IBT" in line and "SHSTK" in line
    return found


@rule("symbols", "globals have the prefix; undefined are memcpy and its like, or nothing when freestanding")
def symbols(build: Build, report: Report) -> None:
    allowed = set() if build.on("VG_FREESTANDING") else FROM_THE_C_LIBRARY
    weak = {"environ"} if build.on("VG_CPU_FEATURES") else set()
    for one in build.objects:
        report.sees(one)
        for symbol in one.symbols:
            if not symbol.is_global:
                continue
            if symbol.is_weak:
                if symbol.name not in weak:
                    report.finds(one, f"{symbol.name} is weak")
            elif symbol.section == "*UND*":
                if symbol.name not in allowed and not build.global_symbol(symbol.name):
                    report.finds(one, f"{symbol.name} is not defined in the archive")
            elif not symbol.name.startswith(build.prefix + "vg_"):
                report.finds(one, f"{symbol.name} does not begin with {build.prefix}vg_")
            elif not symbol.hidden:
                report.finds(one, f"{symbol.name} is not hidden: a shared object would export it")


@rule("sections", "no constructors, no writable data but the slot, no executable stack; notes for the stack and CET")
def sections(build: Build, report: Report) -> None:
    written = 0
    elves = read_elf(build)
    for one in build.objects:
        elf = elves[one.name]
        report.sees(one)
        for name, size, flags in elf.sections:
            if RUN_BEFORE_MAIN.match(name.removeprefix(".rela")):
                report.finds(one, f"section {name}: runs before main, or is per thread")
            if "W" in flags and "X" in flags:
                report.finds(one, f"section {name} is writable and executable")
            if "W" in flags and size and not name.startswith(".data.rel.ro"):
                written += size
                if not (name.startswith(".bss.") and SLOT in name):
                    report.finds(one, f"section {name}: {size} bytes of writable data")
        stack = [flags for name, _, flags in elf.sections if name == ".note.GNU-stack"]
        if stack != [""]:
            report.finds(one, "no .note.GNU-stack" if not stack else "its .note.GNU-stack asks for an executable stack")
        if build.on("VG_CET") and not elf.ibt_and_shstk:
            report.finds(one, "no note that says IBT and SHSTK")
    if written != SLOT_BYTES:
        report.finds("archive", f"{written} bytes of writable data, and {SLOT_BYTES} are declared")


@rule("relocations", "code and constants are position independent: nothing that a loader would have to write into them")
def relocations(build: Build, report: Report) -> None:
    for one in build.objects:
        report.sees(one)
        loaded = {section.name for section in one.sections if "ALLOC" in section.flags and "READONLY" in section.flags}
        for relocation in one.relocations:
            if relocation.section not in loaded or relocation.kind in POSITION_INDEPENDENT:
                continue
            if relocation.section == ".eh_frame":
                continue
            instruction = None
            function = one.function_at(relocation.section, relocation.at)
            if function:
                instruction = next(i for i in function if i.address <= relocation.at < i.next)
            report.finds(function or one, f"{relocation.kind} {relocation.symbol} in {relocation.section}", instruction)

