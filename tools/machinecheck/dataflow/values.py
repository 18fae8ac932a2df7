"""What a general register may hold: an integer from a range with a stride, or a pointer into a region at such an offset.

A number stands for all that are equal to it modulo 2^64; ranges lie within [-2^63, 2^64)."""

from math import gcd
from typing import NamedTuple

LEAST, MOST = -(1 << 63), (1 << 63) - 1
WORD = 1 << 64
# Bounds that widening goes to before it gives up.
STEPS = (LEAST + 1, -(1 << 31), -4096, -256, -16, 0, 16, 256, 4096, 1 << 31, (1 << 32) - 1, MOST)


class Region:
    """Memory that pointers lead into. size None: as long as lengths say, and then offsets are not followed."""

    def __init__(self, name: str, size: int | None = None, alignment: int = 1, rows: bool = False):
        """rows: an array of structures of that size, all alike; offsets are those within one."""
        self.name, self.size, self.alignment, self.rows = name, size, alignment, rows

    def __repr__(self) -> str:
        return self.name


class Difference(NamedTuple):
    """Between pointers into two regions."""

    to: Region
    of: Region


class Value(NamedTuple):
    base: object  # None for an integer, a Region for a pointer; others only the interpreter looks into
    lo: int
    hi: int
    step: int
    split: bool = False  # a path of its own is followed for this very value

    @property
    def constant(self) -> bool:
        return self.lo == self.hi

    def __str__(self) -> str:
        if self.lo == LEAST and self.hi == MOST:
            number = "?"
        elif self.constant:
            number = hex(self.lo)
        else:
            number = f"{self.lo:#x}..{self.hi:#x}"
        return number if self.base is None else f"{self.base}+{number}"


TOP = Value(None, LEAST, MOST, 1)


def number(n: int, split: bool = False) -> Value:
    n &= WORD - 1
    if n > MOST:
        n -= WORD
    return Value(None, n, n, 0, split)


ZERO = number(0)


def between(lo: int, hi: int, step: int = 1, base: object = None, split: bool = False) -> Value:
    """The range, or anything where it leaves the 64 bits."""
    if base is not None and follows_not(base):
        return Value(base, LEAST, MOST, 1)
    if isinstance(base, Region) and base.rows:
        if (hi - lo) % base.size or lo != hi and step % base.size:
            return Value(base, LEAST, MOST, 1)
        lo = hi = lo % base.size
    if lo == hi:
        n = lo & (WORD - 1)
        n -= WORD if n > MOST else 0
        return Value(base, n, n, 0, split)
    if hi > MOST and lo < 0 or lo < LEAST or hi >= WORD or hi - lo >= WORD - 1:
        return Value(base, LEAST, MOST, 1)
    return Value(base, lo, hi, step or 1)


def follows_not(base: object) -> bool:
    """Whether offsets from it mean nothing."""
    if isinstance(base, Difference):
        return base.to.size is None or base.of.size is None
    return isinstance(base, Region) and base.size is None


def anywhere(base: object) -> Value:
    return Value(base, LEAST, MOST, 1)


def bounded(v: Value) -> bool:
    return v.lo != LEAST or v.hi != MOST


def add(a: Value, b: Value) -> Value:
    if a.base is not None and b.base is not None:
        return together(a, b)
    base = a.base if a.base is not None else b.base
    if base is not None and not isinstance(base, (Region, Difference)):
        return TOP
    return sum_of(a, b, base)


def sum_of(a: Value, b: Value, base: object) -> Value:
    if not bounded(a) or not bounded(b):
        return anywhere(base)
    return between(a.lo + b.lo, a.hi + b.hi, gcd(a.step, b.step), base, a.split or b.split)


def together(a: Value, b: Value) -> Value:
    """A pointer and the difference from its region to another."""
    if isinstance(b.base, Difference):
        a, b = b, a
    if isinstance(a.base, Difference) and b.base is a.base.of:
        return sum_of(a, b, a.base.to)
    return TOP


def negated(a: Value) -> Value:
    return between(-a.hi, -a.lo, a.step) if bounded(a) else TOP


def negate(a: Value) -> Value:
    if a.base is not None or not bounded(a):
        return TOP
    return between(-a.hi, -a.lo, a.step, None, a.split)


def subtract(a: Value, b: Value) -> Value:
    if b.base is not None:
        if isinstance(a.base, Region) and isinstance(b.base, Region) and a.base is not b.base:
            return sum_of(a, negated(b), Difference(a.base, b.base))
        if isinstance(a.base, Region) and isinstance(b.base, Difference) and b.base.to is a.base:
            return sum_of(a, negated(b), b.base.of)
        if a.base is not b.base or not bounded(a) or not bounded(b):
            return TOP
        return between(a.lo - b.hi, a.hi - b.lo, gcd(a.step, b.step), None, a.split or b.split)
    return add(a, negate(b))


def multiply(a: Value, n: int) -> Value:
    if n == 1:
        return a
    if a.base is not None or not bounded(a):
        return TOP
    lo, hi = sorted((a.lo * n, a.hi * n))
    return number(lo, a.split) if a.constant else between(lo, hi, abs(a.step * n))


def unsigned(v: Value, size: int) -> Value:
    """v modulo 2^(8 * size), as a range of numbers without sign."""
    top = (1 << 8 * size) - 1
    if v.base is not None:
        return Value(None, 0, top, 1)
    if v.constant:
        return Value(None, v.lo & top, v.lo & top, 0, v.split)
    if v.lo >= 0 and v.hi <= top:
        return v
    if v.hi < 0 and v.lo >= -top - 1:
        return Value(None, v.lo + top + 1, v.hi + top + 1, v.step)
    return Value(None, 0, top, 1)


def signed(v: Value, size: int) -> Value:
    v = unsigned(v, size)
    half = 1 << 8 * size - 1
    if v.hi < half:
        return v
    if v.lo >= half:
        return Value(None, v.lo - 2 * half, v.hi - 2 * half, v.step, v.split)
    return Value(None, -half, half - 1, 1)


def truncate(v: Value, size: int) -> Value:
    """What a register holds after a write of size bytes with zeros above."""
    return v if size == 8 else unsigned(v, size)


def shift_right(v: Value, n: int, size: int) -> Value:
    u = unsigned(v, size)
    if v.base is not None:
        return between(0, (1 << 8 * size) - 1 >> n)
    return between(u.lo >> n, u.hi >> n, 1, None, u.split)


def bit_and(a: Value, b: Value, size: int) -> Value:
    a, b = unsigned(a, size), unsigned(b, size)
    if a.constant and b.constant:
        return number(a.lo & b.lo, a.split or b.split)
    if b.constant:
        a, b = b, a
    if a.constant:
        mask = a.lo
        low = mask & -mask
        if mask + low == 1 << 8 * size and b.hi < 1 << 63:
            return between(b.lo & mask, b.hi & mask, low)
        return between(0, min(mask, b.hi), low or 1)
    return between(0, min(a.hi, b.hi))


def join(a: Value, b: Value) -> Value:
    if a == b:
        return a
    if a.base is not b.base and a.base != b.base:
        return TOP
    if a.base is not None and not isinstance(a.base, (Region, Difference)):
        return TOP
    if not bounded(a) or not bounded(b):
        return anywhere(a.base)
    step = gcd(gcd(a.step, b.step), abs(a.lo - b.lo))
    return between(min(a.lo, b.lo), max(a.hi, b.hi), step, a.base)


def widen(old: Value, new: Value) -> Value:
    """new, a join that covers old, with the bounds that moved given up step by step."""
    if old == new or new.base is not None and not isinstance(new.base, (Region, Difference)):
        return new
    if old.base is not new.base and old.base != new.base:
        return anywhere(new.base) if new.base is not None else TOP
    lo, hi, step = new.lo, new.hi, new.step or 1
    if new.hi > old.hi:
        hi = min((s for s in STEPS if s >= new.hi), default=WORD)
        hi -= (hi - new.lo) % step
    if new.lo < old.lo:
        lo = max((s for s in STEPS if s <= new.lo), default=-WORD)
        lo += (hi - lo) % step
    return between(min(lo, new.lo), max(hi, new.hi), new.step, new.base)


def restrict(v: Value, lo: int | None = None, hi: int | None = None) -> Value | None:
    """The part of v that is at least lo and at most hi; None if there is none."""
    low, high, step = v.lo, v.hi, v.step or 1
    if lo is not None and lo > low:
        low += -(-(lo - low) // step) * step
    if hi is not None and hi < high:
        high -= -(-(high - hi) // step) * step
    if low > high:
        return None
    return Value(v.base, low, high, 0 if low == high else v.step, v.split)


def without(v: Value, n: int) -> Value | None:
    if v.lo == n:
        return restrict(v, lo=n + 1)
    if v.hi == n:
        return restrict(v, hi=n - 1)
    return v
