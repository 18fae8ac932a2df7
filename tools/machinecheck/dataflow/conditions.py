"""Conditions on flags: whether one holds, and what a branch on it teaches about the registers that were compared."""

from typing import Optional

from . import values
from .state import STACK, Flags, State
from .values import Region, Value

# Both names of a condition to one, and the opposite of each.
NAMES = {
    "z": "e", "nz": "ne", "c": "b", "nae": "b", "nc": "ae", "nb": "ae", "na": "be", "nbe": "a", "nge": "l", "nl": "ge",
    "ng": "le", "nle": "g", "pe": "p", "po": "np",
}  # fmt: skip
OPPOSITE = {"e": "ne", "b": "ae", "be": "a", "l": "ge", "le": "g", "s": "ns", "o": "no", "p": "np"}
OPPOSITE.update({b: a for a, b in OPPOSITE.items()})
SWAPPED = {"b": "a", "a": "b", "be": "ae", "ae": "be", "l": "g", "g": "l", "le": "ge", "ge": "le", "e": "e", "ne": "ne"}


def condition(suffix: str) -> str:
    return NAMES.get(suffix, suffix)


def ordered(name: str, a: Value, b: Value) -> Optional[bool]:
    """e, b or l of two ranges; None if both may be."""
    if name == "e":
        if a.constant and b.constant:
            return a.lo == b.lo
        if a.lo > b.hi or b.lo > a.hi:
            return False
        if a.constant and a.step == 0 and b.step and (a.lo - b.lo) % b.step:
            return False
        if b.constant and b.step == 0 and a.step and (b.lo - a.lo) % a.step:
            return False
        return None
    if a.hi < b.lo:
        return True
    return False if a.lo >= b.hi else None


def holds(name: str, f: Flags) -> Optional[bool]:
    """Whether the condition holds; None if it may and may not."""
    if f.holds in (name, OPPOSITE[name]):
        return f.holds == name
    if name in ("ne", "ae", "a", "ge", "g", "ns", "no", "np"):
        opposite = holds(OPPOSITE[name], f)
        return None if opposite is None else not opposite
    if f.kind == "carry":
        return bool(f.a.lo) if name == "b" else None
    if f.kind == "result":
        if name == "e" and f.a.base is None:
            return ordered("e", values.unsigned(f.a, f.size), values.ZERO)
        if name == "s" and f.a.base is None:
            return ordered("l", values.signed(f.a, f.size), values.ZERO)
        return None
    if f.kind == "bits":
        kept = values.bit_and(f.a, f.b, f.size)
        return ordered("e", kept, values.ZERO) if name == "e" else False if name == "b" else None
    if f.kind != "compare":
        return None
    a, b = f.a, f.b
    if a.base is not None or b.base is not None:
        return pointers(name, f)
    if name == "e":
        return ordered("e", values.unsigned(a, f.size), values.unsigned(b, f.size))
    if name == "b":
        return ordered("b", values.unsigned(a, f.size), values.unsigned(b, f.size))
    if name == "be":
        above = ordered("b", values.unsigned(b, f.size), values.unsigned(a, f.size))
        return None if above is None else not above
    if name == "l":
        return ordered("l", values.signed(a, f.size), values.signed(b, f.size))
    if name == "le":
        greater = ordered("l", values.signed(b, f.size), values.signed(a, f.size))
        return None if greater is None else not greater
    if name == "s" and b == values.ZERO:
        return ordered("l", values.signed(a, f.size), values.ZERO)
    return None


def pointers(name: str, f: Flags) -> Optional[bool]:
    a, b = f.a, f.b
    if a.base is b.base and isinstance(a.base, Region) and f.size == 8 and values.bounded(a) and values.bounded(b):
        if name in ("e", "b"):
            return ordered(name, a, b)
        if name == "be":
            above = ordered("b", b, a)
            return None if above is None else not above
    # The stack is nowhere else, and not at 0.
    if name == "e" and (a.base is STACK) != (b.base is STACK) and f.size == 8:
        return False
    return None


def learn(name: str, state: State) -> bool:
    """Restrict registers to what lets the condition hold; False if nothing does."""
    f = state.flags
    if f.kind == "compare" and f.a.base is f.b.base:
        for register, mine, other, how in ((f.left, f.a, f.b, name), (f.right, f.b, f.a, SWAPPED.get(name))):
            if register is None or how is None or state.value[register].base is not mine.base:
                continue
            if not restrict(state, register, how, other, f.size):
                return False
    if f.kind == "bits" and f.left is not None:
        return parity(state, f, name)
    if f.result is not None and state.value[f.result].base is None:
        if f.kind == "compare" and f.a.base is None and f.b.base is None:
            return difference(state, f, name)
        if name in ("e", "ne"):
            return restrict(state, f.result, name, values.ZERO, f.size)
    return True


def parity(state: State, f: Flags, name: str) -> bool:
    """One bit of a number is known: where it is the lowest that changes, the stride doubles."""
    bit, v = f.b.lo, state.value[f.left]
    if name not in ("e", "ne") or v.base is not None or v.step != bit or bit & bit - 1 or not values.bounded(v):
        return True
    wrong = bool(v.lo & bit) == (name == "e")
    lo = v.lo + bit * wrong
    if lo > v.hi:
        return False
    hi = v.hi - (v.hi - lo) % (2 * bit)
    state.value[f.left] = values.between(lo, hi, 2 * bit, None, v.split)
    return True


def difference(state: State, f: Flags, name: str) -> bool:
    """What is left of a subtraction, where neither it nor its operands came near the end of their range."""
    a, b = values.signed(f.a, f.size), values.signed(f.b, f.size)
    if name in ("b", "be", "a", "ae") and (a.lo < 0 or b.lo < 0):
        return True
    half = 1 << 8 * f.size - 2
    if not all(-half < n < half for v in (a, b) for n in (v.lo, v.hi)):
        return restrict(state, f.result, name, values.ZERO, f.size) if name in ("e", "ne") else True
    rest: Optional[Value] = values.subtract(a, b)
    bounds = {"l": (None, -1), "b": (None, -1), "le": (None, 0), "be": (None, 0), "g": (1, None), "a": (1, None),
              "ge": (0, None), "ae": (0, None), "e": (0, 0)}  # fmt: skip
    if name in bounds:
        rest = values.restrict(rest, *bounds[name])
    elif name == "ne":
        rest = values.without(rest, 0)
    else:
        return True
    if rest is None:
        return False
    rest = rest._replace(split=state.value[f.result].split)
    if rest.lo >= 0 or f.size == 8:
        state.value[f.result] = rest
    elif rest.hi < 0:
        state.value[f.result] = values.unsigned(rest, f.size)
    return True


def restrict(state: State, register: int, name: str, other: Value, size: int) -> bool:
    whole = state.value[register]
    sign = name in ("l", "le", "g", "ge")
    if whole.base is None and size < 8:
        if whole.lo < 0 or whole.hi >= 1 << 8 * size:
            return True
        # In sign, only what is the same without it is followed.
        if sign and (whole.hi >= 1 << 8 * size - 1 or values.signed(other, size).lo < 0):
            return True
    if whole.base is None and sign and (whole.hi > values.MOST or other.hi > values.MOST):
        return True
    v = whole
    if whole.base is None:
        if name in ("b", "be", "a", "ae", "e") and (other.lo < 0 and not other.constant):
            return True
        if name in ("b", "be", "a", "ae"):
            v = values.unsigned(whole, 8)
            other = values.unsigned(other, size)
        elif size < 8:
            other = values.unsigned(other, size)
    lo = hi = None
    if name == "e":
        lo, hi = other.lo, other.hi
        if other.constant and v.lo <= other.lo <= v.hi:
            state.value[register] = other._replace(split=v.split)
            return True
        if other.base is None and whole.base is None and other.lo < 0:
            return True
    elif name == "ne":
        if not other.constant:
            return True
        rest = values.without(v, other.lo)
        if rest is None:
            return False
        state.value[register] = rest
        return True
    elif name in ("b", "l"):
        hi = other.hi - 1
    elif name in ("be", "le"):
        hi = other.hi
    elif name in ("a", "g"):
        lo = other.lo + 1
    elif name in ("ae", "ge"):
        lo = other.lo
    else:
        return True
    found = values.restrict(v, lo, hi)
    if found is None:
        return False
    state.value[register] = values.between(found.lo, found.hi, found.step, found.base, found.split)
    return True
