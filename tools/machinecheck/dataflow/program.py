"""The code of an archive as steps that lead to one another, and its constants."""

from typing import NamedTuple, Optional, Union

from ..machine import Function, Instruction, Object
from ..operands import Immediate, Memory, Operand, Register, Target
from .state import NUMBER
from .values import Region


class Unknown(Exception):
    """Something that the interpreter has no rule for."""


class General(NamedTuple):
    register: int
    size: int
    low: int  # the lowest byte of the register that it is


class Vector(NamedTuple):
    register: int
    size: int
    mask: Optional[int]
    zeroing: bool


class Mask(NamedTuple):
    register: int
    mask: Optional[int]


class Place(NamedTuple):
    """Memory: base + index * scale + offset, or offset from static data."""

    base: Optional[int]
    index: Optional[int]
    scale: int
    offset: int
    size: int
    static: Optional[Region]
    broadcast: bool
    mask: Optional[int]
    narrow: bool = False  # an address of 32 bits, as lea may have


class Address(NamedTuple):
    """What the linker's table of addresses holds: the address of static data."""

    static: Region
    offset: int
    size: int


class Constant(NamedTuple):
    value: int


Decoded = Union[General, Vector, Mask, Place, Address, Constant]


class Data(Region):
    """Static data: public. A section, or a symbol that the archive does not have."""

    def __init__(self, name: str, size: int, one: Optional[Object], writable: bool):
        super().__init__(name, size)
        self.object, self.writable = one, writable
        self.pointers: dict[int, tuple[str, str, int]] = {}  # offset -> kind of relocation, symbol, addend


class Step:
    __slots__ = ("instruction", "function", "section", "operands", "next", "target", "leads", "run", "number", "live", "plan")

    def __init__(self, instruction: Instruction, function: Function, number: int):
        self.instruction, self.function, self.number = instruction, function, number
        self.section = function.section
        self.operands: tuple[Decoded, ...] = ()
        self.next: Optional["Step"] = None
        self.target: Union["Step", str, None] = None  # a step, or a symbol from outside
        self.leads = False  # a jump comes here
        self.live = 0  # general registers that may be read from here on
        self.run = None
        self.plan: object = None  # what its handler worked out for it

    @property
    def mnemonic(self) -> str:
        return self.instruction.mnemonic

    def __repr__(self) -> str:
        return f"{self.function.name}:{self.instruction}"


class Program:
    def __init__(self, objects: list[Object]):
        self.objects = objects
        self.regions: dict[tuple[str, str], Data] = {}
        self.sections: dict[tuple[int, str], dict[int, Step]] = {}
        self.globals: dict[str, tuple[Object, str, int]] = {}
        number = 0
        for one in objects:
            for symbol in one.symbols:
                if symbol.is_global and symbol.section != "*UND*":
                    self.globals[symbol.name] = one, symbol.section, symbol.value
            for function in one.functions:
                place = self.sections.setdefault((id(one), function.section), {})
                for instruction in function:
                    place[instruction.address] = Step(instruction, function, number)
                    number += 1
        for steps in self.sections.values():
            for step in steps.values():
                step.next = steps.get(step.instruction.next)
                target = step.instruction.target
                if target is not None:
                    step.target = self.code(step.function.object, step.section, target)
                    if isinstance(step.target, Step):
                        step.target.leads = True

    def code(self, one: Object, section: str, target: Target) -> Union[Step, str]:
        if target.address is not None:
            return self.sections[id(one), section].get(target.address) or f"{section}+{target.address:#x}"
        assert target.symbol is not None
        found = self.symbol(one, target.symbol, target.offset)
        if found is None:
            return target.symbol
        return self.at(*found) or target.symbol

    def at(self, one: Object, section: str, address: int) -> Optional[Step]:
        return self.sections.get((id(one), section), {}).get(address)

    def symbol(self, one: Object, name: str, offset: int) -> Optional[tuple[Object, str, int]]:
        """Object, section and address of a symbol as one object sees it."""
        here = one.symbol(name)
        if here is not None and here.section != "*UND*":
            return one, here.section, here.value + offset
        if any(section.name == name for section in one.sections):
            return one, name, offset
        if name in self.globals:
            there, section, value = self.globals[name]
            return there, section, value + offset
        return None

    def data(self, one: Object, name: str, offset: int) -> tuple[Data, int]:
        """The region of static data that a symbol lies in, and where."""
        found = self.symbol(one, name, offset)
        if found is None:
            key = ("", name)
            if key not in self.regions:
                self.regions[key] = Data(name, 8, None, True)
            return self.regions[key], offset
        there, section, at = found
        key = (there.name, section)
        if key not in self.regions:
            header = next(s for s in there.sections if s.name == section)
            writable = "READONLY" not in header.flags and not section.startswith(".data.rel.ro")
            region = self.regions[key] = Data(f"{there.name}({section})", header.size, there, writable)
            for r in there.relocations:
                if r.section == section:
                    region.pointers[r.at] = r.kind, r.symbol, r.addend
        return self.regions[key], at

    def decode(self, step: Step) -> None:
        one, instruction = step.function.object, step.instruction
        words = [self.operand(one, word) for word in instruction.operands if not isinstance(word, Target)]
        if any("GOT" in relocation.kind for relocation in instruction.relocations):
            words = [Address(w.static, w.offset, w.size) if isinstance(w, Place) and w.static else w for w in words]
        step.operands = tuple(words)

    def operand(self, one: Object, word: Operand) -> Decoded:
        if isinstance(word, Immediate):
            return Constant(word.value)
        if isinstance(word, Register):
            if word.is_vector:
                return Vector(int(word.whole[3:]), word.size, int(word.mask[1]) if word.mask else None, word.zeroing)
            if word.whole in NUMBER:
                return General(NUMBER[word.whole], word.size, word.low)
            if word.is_mask:
                return Mask(int(word.whole[1]), int(word.mask[1]) if word.mask else None)
            raise Unknown(f"register {word}")
        assert isinstance(word, Memory)
        return self.memory(one, word)

    def memory(self, one: Object, word: Memory) -> Place:
        mask = int(word.mask[1]) if word.mask else None
        if word.symbol is not None:
            if word.index:
                raise Unknown(f"address {word}")
            region, at = self.data(one, word.symbol, word.offset)
            return Place(None, None, 1, at, word.size, region, word.broadcast, mask)
        if word.segment not in ("", "ds", "es", "ss"):
            raise Unknown(f"address {word} in segment {word.segment}")
        parts = [register for register in (word.base, word.index) if register is not None]
        if any(register.whole not in NUMBER or register.size < 4 for register in parts):
            raise Unknown(f"address {word}")
        base, index = (None if register is None else NUMBER[register.whole] for register in (word.base, word.index))
        narrow = any(register.size == 4 for register in parts)
        return Place(base, index, word.scale, word.disp, word.size, None, word.broadcast, mask, narrow)
