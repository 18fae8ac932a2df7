"""The machine code of an archive, as Debian's objdump disassembles it.

    build = Build("DIR")                      # a build folder: libvg.a, include/vg/config.h, build.ninja
    for function in build.functions():        # or build.objects, each with its functions
        for instruction in function: ...
    read_objects("x.o")                       # one object, or an archive, without a build folder

An Instruction has its address within its section, its bytes, its mnemonic without prefixes, and its operands in Intel's
order. Where a relocation applies, the operand has the symbol: Memory(symbol, offset) for data, Target(symbol) for jumps
and calls; a jump within the section has Target(address). objdump's pclmullqlqdq and its like become pclmulqdq with
their immediate.

A Function is a stretch of code that begins at a function symbol (C, FUNCTION, INNER), or at a local label of nasm
without a dot in it; labels with a dot lie inside. Code that is called inside of its own function has no symbol."""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Optional

from . import Mistake
from .operands import Immediate, Memory, Operand, Target, Unreadable, operands

PREFIXES = {
    "rep", "repz", "repnz", "lock", "notrack", "bnd", "data16", "addr32", "cs", "ds", "es", "ss", "fs", "gs",
    "xacquire", "xrelease", "{vex}", "{evex}",
}  # fmt: skip
CARRYLESS = re.compile(r"(v?)pclmul([lh])q([lh])qdq")
ALL_VARIANTS = (
    "vaes_vpclmul_avx512", "vaes_vpclmul", "aesni_pclmul_avx", "aesni_pclmul", "pclmul", "aesni", "portable",
)  # fmt: skip


@dataclass(frozen=True)
class Relocation:
    """At offset `at` of `section`: symbol + addend. symbol may be the name of a section."""

    section: str
    at: int
    kind: str
    symbol: str
    addend: int


@dataclass(frozen=True)
class Symbol:
    name: str
    section: str  # "*UND*" if it is not defined here
    value: int
    size: int
    is_global: bool
    is_function: bool
    is_weak: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Section:
    name: str
    size: int
    flags: frozenset[str]  # objdump -h: CONTENTS ALLOC LOAD RELOC READONLY DATA CODE


@dataclass(frozen=True)
class Instruction:
    address: int
    bytes: bytes
    mnemonic: str
    operands: tuple[Operand, ...]
    prefixes: tuple[str, ...] = ()
    relocations: tuple[Relocation, ...] = ()
    text: str = ""  # as objdump prints it

    @property
    def next(self) -> int:
        return self.address + len(self.bytes)

    @property
    def encoding(self) -> str:
        """evex, vex or legacy, by the first byte behind the prefixes."""
        body = self.bytes.lstrip(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3")
        return {0x62: "evex", 0xC4: "vex", 0xC5: "vex"}.get(body[0] if body else 0, "legacy")

    @property
    def is_call(self) -> bool:
        return self.mnemonic == "call"

    @property
    def is_return(self) -> bool:
        return self.mnemonic == "ret"

    @property
    def is_jump(self) -> bool:
        """Conditional or not."""
        return self.mnemonic == "jmp" or self.is_conditional

    @property
    def is_conditional(self) -> bool:
        return self.mnemonic in ("jrcxz", "jecxz", "loop", "loope", "loopne") or (
            self.mnemonic[0] == "j" and self.mnemonic != "jmp"
        )

    @property
    def target(self) -> Optional[Target]:
        """Of a direct jump or call."""
        if (self.is_call or self.is_jump) and self.operands and isinstance(self.operands[0], Target):
            return self.operands[0]
        return None

    def __str__(self) -> str:
        return f"{self.address:x}: {self.text}"


@dataclass
class Function:
    name: str
    section: str
    address: int
    instructions: list[Instruction]
    is_global: bool
    object: "Object" = field(repr=False)

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.instructions)

    @property
    def end(self) -> int:
        return self.instructions[-1].next

    @property
    def variant(self) -> Optional[str]:
        return self.object.variant

    def holds(self, address: int) -> bool:
        return self.address <= address < self.end


@dataclass
class Object:
    name: str  # of the archive's member
    variant: Optional[str]
    functions: list[Function] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    relocations: list[Relocation] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    source: str = ""  # path in the source tree; "" without a build folder

    @property
    def is_c(self) -> bool:
        return self.name.startswith("src-")

    @property
    def file(self) -> str:
        """What a finding calls it."""
        return self.source or self.name

    def symbol(self, name: str) -> Optional[Symbol]:
        return next((symbol for symbol in self.symbols if symbol.name == name), None)

    def function_at(self, section: str, address: int) -> Optional[Function]:
        return next((f for f in self.functions if f.section == section and f.holds(address)), None)


def variant_of(member: str) -> Optional[str]:
    """aesni_pclmul-seal.o and src-variants-aesni_pclmul.o belong to aesni_pclmul, src-portable-key.o to portable."""
    found = re.match(r"(?:src-)?(?:variants-)?(\w+)[-.]", member)
    return found[1] if found and found[1] in ALL_VARIANTS else None


def output(*command: str) -> str:
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"}
        )
    except FileNotFoundError:
        raise Mistake(f"{command[0]}: not installed (Debian: binutils)") from None
    except subprocess.CalledProcessError as failed:
        raise Mistake(f"{' '.join(command)}: {failed.stderr.strip()}") from None
    return done.stdout


def _relocation(section: str, at: str, kind: str, value: str) -> Relocation:
    symbol, addend = value, 0
    found = re.fullmatch(r"(.+?)([+-]0x[0-9a-f]+)", value)
    if found:
        symbol, addend = found[1], int(found[2], 16)
    return Relocation(section, int(at, 16), kind, symbol, addend)


def _instruction(section: str, address: int, raw: bytes, text: str, relocations: list[Relocation]) -> Instruction:
    words = text.split()
    prefixes = []
    while len(words) > 1 and (words[0] in PREFIXES or words[0].startswith("rex")):
        prefixes.append(words.pop(0))
    mnemonic = words[0] if words else "(bad)"
    rest = text.split(mnemonic, 1)[1] if words else ""
    parsed = operands(rest) if "(bad)" not in text else ()
    carryless = CARRYLESS.fullmatch(mnemonic)
    if carryless:
        mnemonic = f"{carryless[1]}pclmulqdq"
        parsed += (Immediate((carryless[2] == "h") | (carryless[3] == "h") << 4),)
    end = address + len(raw)
    for relocation in relocations:
        # A distance is counted from the end of the instruction, the addend from the field.
        offset = relocation.addend + (end - relocation.at)
        if parsed and isinstance(parsed[0], Target):
            parsed = (Target(None, relocation.symbol, offset),)
            continue
        parsed = tuple(
            replace(word, symbol=relocation.symbol, offset=offset)
            if isinstance(word, Memory) and word.base and word.base.name == "rip"
            else word
            for word in parsed
        )
    return Instruction(address, raw, mnemonic, parsed, tuple(prefixes), tuple(relocations), re.sub(r"\s+", " ", text))


MEMBER = re.compile(r"(?:.*/)?([^/]+):\s+file format elf64-x86-64")
LINE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(?:\t(.*))?$")
RELOCATION = re.compile(r"([0-9a-f]+): (R_X86_64_\w+)\t(\S+)")
SECTION = re.compile(r"\s*\d+ (\S+)\s+([0-9a-f]{8})(?:\s+[0-9a-f]{8,16}){3}\s+2\*\*\d+\s+(.*)")
SYMBOL = re.compile(r"([0-9a-f]{16}) (.{7}) (\S+)\t([0-9a-f]{16}) (?:(\.hidden|\.internal|\.protected) )?(\S+)$")


def _tables(path: str) -> dict[str, Object]:
    """Objects with sections, symbols and relocations, still without code."""
    found: dict[str, Object] = {}
    section = ""
    lines = output("objdump", "-h", "-t", "-r", "-w", path).splitlines()
    for line in lines:
        member = MEMBER.fullmatch(line)
        if member:
            current = found.setdefault(member[1], Object(member[1], variant_of(member[1])))
            continue
        symbol = SYMBOL.match(line)
        if symbol:
            value, flags, where, size, visibility, name = symbol.groups()
            current.symbols.append(
                Symbol(
                    name, where, int(value, 16), int(size, 16),
                    flags[0] in "gu!" or flags[1] == "w" or where == "*UND*",
                    "F" in flags, "w" in flags, visibility == ".hidden",
                )  # fmt: skip
            )
            continue
        header = SECTION.match(line)
        if header:
            flags_of = frozenset(header[3].replace(",", " ").split())
            current.sections.append(Section(header[1], int(header[2], 16), flags_of))
            continue
        start = re.match(r"RELOCATION RECORDS FOR \[(.*)\]:", line)
        if start:
            section = start[1]
            continue
        entry = re.match(r"([0-9a-f]{16}) (R_X86_64_\w+)\s+(\S+)$", line)
        if entry:
            current.relocations.append(_relocation(section, *entry.groups()))
    return found


def _starts(one: Object) -> dict[tuple[str, int], Symbol]:
    """Where functions begin: section and address."""
    code = {section.name for section in one.sections if "CODE" in section.flags}
    found: dict[tuple[str, int], Symbol] = {}
    for symbol in one.symbols:
        if symbol.section in code and symbol.name not in code and (symbol.is_function or "." not in symbol.name):
            known = found.get((symbol.section, symbol.value))
            if known is None or symbol.is_global > known.is_global:
                found[symbol.section, symbol.value] = symbol
    return found


def read_objects(path: str) -> list[Object]:
    """All objects of an archive, or the one object, in their order."""
    found = _tables(path)
    one: Optional[Object] = None
    starts: dict[tuple[str, int], Symbol] = {}
    section = ""
    for line in output("objdump", "-d", "-r", "-w", "-M", "intel", path).splitlines():
        if not line:
            continue
        member = MEMBER.fullmatch(line)
        if member:
            one = found[member[1]]
            starts = _starts(one)
            continue
        begin = re.match(r"Disassembly of section (.*):$", line)
        if begin:
            section = begin[1]
            continue
        code, *after = re.split(r"\t(?=[0-9a-f]+: R_X86_64_)", line)
        match = LINE.match(code)
        if not match or one is None:
            continue
        address = int(match[1], 16)
        relocations = [_relocation(section, *RELOCATION.match(text).groups()) for text in after]  # type: ignore
        try:
            instruction = _instruction(section, address, bytes.fromhex(match[2]), match[3] or "(bad)", relocations)
        except Unreadable as unknown:
            raise Mistake(f"{one.name}: {line.strip()}: cannot read the operand {unknown}") from None
        symbol = starts.get((section, address))
        if symbol is None and (not one.functions or one.functions[-1].section != section):
            symbol = Symbol(section, section, address, 0, False, False)
        if symbol:
            one.functions.append(Function(symbol.name, section, address, [], symbol.is_global, one))
        one.functions[-1].instructions.append(instruction)
    return list(found.values())


class Build:
    """A build folder. config has the values of vg/config.h as they stand there."""

    def __init__(self, folder: str):
        self.folder = os.path.abspath(folder)
        self.archive = os.path.join(self.folder, "libvg.a")
        try:
            with open(os.path.join(self.folder, "include/vg/config.h"), encoding="utf-8") as file:
                self.config = dict(re.findall(r"^#define (VG_\w+) (.*)$", file.read(), re.M))
        except OSError as error:
            raise Mistake(f"{folder}: not a build folder: {error.strerror}: include/vg/config.h") from None
        if not os.path.exists(self.archive):
            raise Mistake(f"{folder}: no libvg.a: build it first")
        self.prefix = self.config.get("VG_SYMBOL_PREFIX", '""').strip('"')
        self.variants = [name for name in ALL_VARIANTS if self.on(f"VG_VARIANT_{name.upper()}")]
        self.objects = read_objects(self.archive)
        sources = self._sources()
        for one in self.objects:
            one.source = sources.get(one.name, "")

    def on(self, symbol: str) -> bool:
        return self.config.get(symbol) == "1"

    def functions(self) -> Iterator[Function]:
        for one in self.objects:
            yield from one.functions

    def _sources(self) -> dict[str, str]:
        try:
            with open(os.path.join(self.folder, "build.ninja"), encoding="utf-8") as file:
                text = file.read()
        except OSError:
            return {}
        return dict(re.findall(r"^build obj/(\S+\.o): (?:cc|nasm) \$root/(\S+)", text, re.M))

    def global_symbol(self, name: str) -> Optional[tuple[Object, Symbol]]:
        """Where a name that another object may use is defined."""
        if not hasattr(self, "_globals"):
            self._globals = {
                symbol.name: (one, symbol)
                for one in self.objects
                for symbol in one.symbols
                if symbol.is_global and symbol.section != "*UND*"
            }
        return self._globals.get(name)

    def contents(self, one: Object, section: str) -> bytes:
        """The bytes of a section, before relocation."""
        found, member = bytearray(), ""
        for line in output("objdump", "-s", "-j", section, self.archive).splitlines():
            start = MEMBER.fullmatch(line)
            member = start[1] if start else member
            row = re.match(r" [0-9a-f]{4,} ((?:[0-9a-f]{2,8} ){1,4}) ", line)
            if row and member == one.name:
                found += bytes.fromhex(row[1])
        return bytes(found)
