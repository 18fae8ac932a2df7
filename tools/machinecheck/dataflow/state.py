"""What the interpreter knows before an instruction: values, and for every byte whether it depends on a secret.

A set of bytes is an integer with one bit for each byte. The stack is addressed from the entry: the return address is at
0, what the function pushes below it, arguments above."""

from typing import NamedTuple, Optional

from ..machine import Instruction
from . import values
from .values import TOP, Region, Value

REGISTERS = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16)))
NUMBER = {name: n for n, name in enumerate(REGISTERS)}
RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = range(8)
BELOW, ABOVE = 1 << 13, 1 << 9  # bytes of stack that are followed on either side of the entry's rsp
STACK = Region("stack", BELOW + ABOVE)


class Flags(NamedTuple):
    """What the last instruction that set flags computed."""

    secret: bool
    kind: str  # compare: a - b; bits: a & b; result: a, and nothing else is known; carry: CF is a; unknown
    a: Value = TOP
    b: Value = TOP
    left: Optional[int] = None  # registers that still hold a, b and a - b
    right: Optional[int] = None
    result: Optional[int] = None
    size: int = 8
    verdict: str = ""  # the condition that is set if two tags are equal: "e" or "b"
    holds: str = ""  # a condition that is known to hold on this path


UNKNOWN = Flags(False, "unknown")


class State:
    __slots__ = ("value", "secret", "vector", "mask", "about", "flags", "stack", "written", "slots", "calls", "alignment",
                 "origin")  # fmt: skip

    def __init__(self) -> None:
        self.value = [TOP] * 16
        self.secret = [0] * 16  # bytes of the register
        self.vector = [0] * 32
        self.mask = [0] * 8
        self.about: dict[tuple[str, int], object] = {}  # what a vector or mask register holds, where that matters
        self.flags = UNKNOWN
        self.stack = 0
        self.written = 0
        self.slots: dict[int, tuple[int, Value]] = {}  # offset -> bytes and value
        self.calls: tuple = ()  # where calls under way return to
        self.alignment: Optional[int] = None  # of the entry's rsp modulo 64, once it matters
        self.origin: dict[tuple[str, int], Instruction] = {}  # what put a secret there

    def copy(self) -> "State":
        other = State.__new__(State)
        other.value, other.secret = self.value[:], self.secret[:]
        other.vector, other.mask = self.vector[:], self.mask[:]
        other.about = dict(self.about)
        other.flags, other.stack, other.written = self.flags, self.stack, self.written
        other.slots = dict(self.slots)
        other.calls, other.alignment = self.calls, self.alignment
        other.origin = dict(self.origin)
        return other

    def key(self, live: int, saved: bool) -> tuple:
        """States with one key are joined where their paths meet. live: registers that count; saved: numbers on the stack
        count as well, and not only pointers."""
        top = self.value[RSP]
        split = [(n, v.base, v.lo) for n, v in enumerate(self.value) if v.split and live >> n & 1]
        split += sorted([(at, v.lo) for at, (_, v) in self.slots.items() if v.split and (saved or v.base is not None) and at >= top.lo])
        return self.calls, self.alignment, top, self.flags.holds, tuple(split)

    def unite(self) -> None:
        """No longer keep this state apart from others."""
        self.value = [v._replace(split=False) if v.split else v for v in self.value]
        self.slots = {at: (size, v._replace(split=False)) for at, (size, v) in self.slots.items()}

    def set(self, register: int, secret: int, value: Value) -> None:
        self.secret[register] = secret
        self.value[register] = value
        f = self.flags
        if f.left == register or f.right == register or f.result == register:
            self.flags = f._replace(
                left=None if f.left == register else f.left,
                right=None if f.right == register else f.right,
                result=None if f.result == register else f.result,
            )

    def join(self, other: "State", widening: bool) -> bool:
        """Take in other, which has the same key; True if that changed anything."""
        changed = False
        for n, (old, new) in enumerate(zip(self.value, other.value)):
            if old is not new and old != new:
                both = values.join(old, new)
                if widening:
                    both = values.widen(old, both)
                if both != old:
                    self.value[n] = both
                    changed = True
        for kind, mine, theirs in (
            ("g", self.secret, other.secret), ("v", self.vector, other.vector), ("k", self.mask, other.mask)
        ):  # fmt: skip
            if mine == theirs:
                continue
            for n, bits in enumerate(theirs):
                if bits & ~mine[n]:
                    mine[n] |= bits
                    changed = True
                    if (kind, n) in other.origin:
                        self.origin[kind, n] = other.origin[kind, n]
        if self.about != other.about:
            for name in [name for name, what in self.about.items() if other.about.get(name) != what]:
                del self.about[name]
                changed = True
        if self.flags != other.flags:
            f, g = self.flags, other.flags
            flags = Flags(f.secret or g.secret, "unknown", verdict=f.verdict if f.verdict == g.verdict else "")
            changed |= flags != f
            self.flags = flags
        if other.stack & ~self.stack or self.written & ~other.written:
            self.stack |= other.stack
            self.written &= other.written
            changed = True
        for at, slot in list(self.slots.items()) if self.slots != other.slots else ():
            theirs = other.slots.get(at)
            if theirs == slot:
                continue
            if theirs is None or theirs[0] != slot[0]:
                del self.slots[at]
                changed = True
                continue
            both = values.join(slot[1], theirs[1])
            if widening:
                both = values.widen(slot[1], both)
            changed |= both != slot[1]
            self.slots[at] = slot[0], both
        return changed

    # The stack.

    def stack_load(self, at: int, size: int) -> tuple[int, Value]:
        bit = at + BELOW
        bits = (1 << size) - 1
        secret = (self.stack | ~self.written) >> bit & bits
        slot = self.slots.get(at)
        return secret, slot[1] if slot and slot[0] == size else TOP

    def stack_store(self, at: int, size: int, secret: int, value: Value) -> None:
        bit = at + BELOW
        bits = (1 << size) - 1 << bit
        self.stack = self.stack & ~bits | secret << bit
        self.written |= bits
        self.forget(at, size)
        if value is not TOP and size in (4, 8):
            self.slots[at] = size, value

    def forget(self, at: int, size: int) -> None:
        for other in [o for o in self.slots if at - 8 < o < at + size and o + self.slots[o][0] > at]:
            del self.slots[other]
