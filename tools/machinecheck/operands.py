"""Operands as objdump -M intel prints them: registers, immediates, memory, and the targets of jumps and calls."""

import functools
import re
from dataclasses import dataclass
from typing import Optional

SIZES = {
    "BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "FWORD": 6, "TBYTE": 10,
    "OWORD": 16, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64,
}  # fmt: skip

LETTERED = {"a": "rax", "b": "rbx", "c": "rcx", "d": "rdx"}
POINTERS = {"si": "rsi", "di": "rdi", "bp": "rbp", "sp": "rsp"}


def _general() -> dict[str, tuple[str, int, int]]:
    """Name of a general-purpose register -> whole register, bytes, lowest byte in it."""
    found = {}
    for letter, whole in LETTERED.items():
        found.update({whole: (whole, 8, 0), f"e{letter}x": (whole, 4, 0), f"{letter}x": (whole, 2, 0)})
        found.update({f"{letter}l": (whole, 1, 0), f"{letter}h": (whole, 1, 1)})
    for short, whole in POINTERS.items():
        found.update({whole: (whole, 8, 0), f"e{short}": (whole, 4, 0)})
        found.update({short: (whole, 2, 0), f"{short}l": (whole, 1, 0)})
    for number in range(8, 16):
        whole = f"r{number}"
        for ending, size in (("", 8), ("d", 4), ("w", 2), ("b", 1)):
            found[whole + ending] = (whole, size, 0)
    found["rip"] = ("rip", 8, 0)
    found["eip"] = ("rip", 4, 0)
    return found


GENERAL = _general()
VECTOR = {"x": 16, "y": 32, "z": 64}


@dataclass(frozen=True)
class Register:
    """whole is what it is a part of: rax for al, zmm3 for xmm3 and ymm3."""

    name: str
    whole: str
    size: int  # bytes
    low: int = 0  # 1 for ah, bh, ch, dh
    mask: str = ""  # {k1} as "k1"
    zeroing: bool = False  # {z}

    @property
    def is_vector(self) -> bool:
        return self.whole.startswith("zmm")

    @property
    def is_mask(self) -> bool:
        return self.whole[0] == "k"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Immediate:
    value: int

    def __str__(self) -> str:
        return hex(self.value)


@dataclass(frozen=True)
class Memory:
    """[base + index*scale + disp], or symbol + offset where a relocation or a distance from rip says so (base is rip
    then). size is 0 where objdump prints none (lea). With broadcast, size is that of the element."""

    base: Optional[Register]
    index: Optional[Register]
    scale: int
    disp: int
    size: int
    symbol: Optional[str] = None
    offset: int = 0
    segment: str = ""
    broadcast: bool = False
    mask: str = ""
    zeroing: bool = False

    def __str__(self) -> str:
        if self.symbol is not None:
            return f"[{self.symbol}{self.offset:+#x}]"
        words = [str(r) for r in (self.base,) if r] + [f"{self.index}*{self.scale}"] * (self.index is not None)
        return f"{self.segment + ':' if self.segment else ''}[{'+'.join(words)}{self.disp:+#x}]"


@dataclass(frozen=True)
class Target:
    """Where a direct jump or call goes: an address in the same section, or symbol + offset somewhere else."""

    address: Optional[int]
    symbol: Optional[str] = None
    offset: int = 0

    def __str__(self) -> str:
        return self.symbol if self.symbol is not None else f"{self.address:#x}"


Operand = Register | Immediate | Memory | Target


class Unreadable(Exception):
    """objdump printed something that this reader does not know."""


def register(name: str, mask: str = "", zeroing: bool = False) -> Optional[Register]:
    if name in GENERAL:
        whole, size, low = GENERAL[name]
        return Register(name, whole, size, low)
    vector = re.fullmatch(r"([xyz])mm(\d+)", name)
    if vector:
        return Register(name, f"zmm{vector[2]}", VECTOR[vector[1]], 0, mask, zeroing)
    if re.fullmatch(r"k[0-7]", name):
        return Register(name, name, 8, 0, mask, zeroing)
    if re.fullmatch(r"[c-gs]s|cr\d+|dr\d+|mm\d|st(\(\d\))?", name):
        return Register(name, name, 8)
    return None


def signed(text: str) -> int:
    value = int(text, 16)
    return value - (1 << 64) if value >= 1 << 63 else value


ADDRESS = re.compile(
    r"(?:(?P<size>[A-Z]+) (?P<kind>PTR|BCST) )?(?:(?P<segment>[c-gs]s):)?"
    r"(?:\[(?P<inside>[^]]*)\]|(?P<absolute>-?0x[0-9a-f]+))(?:\{1to\d+\})?$"
)


def memory(text: str, mask: str, zeroing: bool) -> Optional[Memory]:
    found = ADDRESS.match(text)
    if not found or (found["absolute"] and not (found["size"] or found["segment"])):
        return None
    base = index = None
    scale, disp = 1, signed(found["absolute"]) if found["absolute"] else 0
    for sign, term in re.findall(r"([+-]?)([^+-]+)", found["inside"] or ""):
        number = re.fullmatch(r"0x[0-9a-f]+", term)
        if number:
            disp += -signed(term) if sign == "-" else signed(term)
        elif "*" in term:
            name, _, factor = term.partition("*")
            index, scale = register(name), int(factor)
        elif base is None:
            base = register(term)
        else:
            index = register(term)
    if found["size"] and found["size"] not in SIZES:
        raise Unreadable(text)
    size = SIZES[found["size"]] if found["size"] else 0
    return Memory(
        base, index, scale, disp, size, segment=found["segment"] or "", broadcast=found["kind"] == "BCST",
        mask=mask, zeroing=zeroing,
    )  # fmt: skip


@functools.cache
def operand(text: str) -> Operand:
    """One operand. The target of a jump is "f8 <name+0xf8>"."""
    target = re.fullmatch(r"([0-9a-f]+) <.*>", text)
    if target:
        return Target(int(target[1], 16))
    bare = re.fullmatch(r"(.*?)(?:\{(k[0-7])\})?(\{z\})?", text)
    assert bare
    found = register(bare[1], bare[2] or "", bool(bare[3]))
    if found:
        return found
    if re.fullmatch(r"-?0x[0-9a-f]+", text):
        return Immediate(signed(text))
    if re.fullmatch(r"\d+", text):
        return Immediate(int(text))
    place = memory(bare[1], bare[2] or "", bool(bare[3]))
    if place is None:
        raise Unreadable(text)
    return place


def operands(text: str) -> tuple[Operand, ...]:
    """All operands of an instruction, without objdump's comment."""
    text = re.sub(r"\s+# .*$", "", text).strip()
    if not text:
        return ()
    if re.fullmatch(r"[0-9a-f]+ <[^>]*>", text):
        return (operand(text),)
    return tuple(operand(part.strip()) for part in text.split(","))
