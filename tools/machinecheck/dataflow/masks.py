"""Mask registers: comparisons into them, what is computed with them, and flags from them. A mask is secret as a whole."""

import re

from .general import on, set_flags, smear
from .interpreter import DIFFERENT, EQUAL, RECEIVED, Interpreter, every
from .program import General, Mask, Step
from .values import TOP, Value
from .vector import about, read, received, same, write

SIZES = {"b": 1, "w": 2, "d": 4, "q": 8}
THREE = ("kand", "kandn", "kor", "kxor", "kxnor", "kadd")
COMPARISON = re.compile(r"vpcmp(eq|lt|le|neq|nlt|nle|gt|false|true|)u?([bwdq])$")
TEST = re.compile(r"vptest(n?)m([bwdq])$")


def compare(m: Interpreter, step: Step) -> None:
    to, a, b = step.operands[:3]
    secret = read(m, a, a.size) | read(m, b, a.size)
    how, letter = COMPARISON.match(step.mnemonic).groups()
    value = TOP
    if RECEIVED in (received(m, a), received(m, b)):
        if how == "eq" and to.mask is None:
            value = Value(EQUAL, 0, every(a.size // SIZES[letter]), 1)
        elif how == "neq":
            value = Value(DIFFERENT, 0, every(a.size // SIZES[letter]), 1)
    if to.mask is not None:
        secret |= m.state.mask[to.mask]
    m.write(Mask(to.register, None), smear(secret, 8), value)


def test(m: Interpreter, step: Step) -> None:
    to, a, b = step.operands
    secret = read(m, a, a.size) | read(m, b, a.size) | (m.state.mask[to.mask] if to.mask is not None else 0)
    negated, letter = TEST.match(step.mnemonic).groups()
    value = TOP
    if same(a, b) and about(m, a) is DIFFERENT:
        bits = every(a.size // SIZES[letter])
        if not negated:
            value = Value(DIFFERENT, 0, bits, 1)
        elif to.mask is None:
            value = Value(EQUAL, 0, bits, 1)
    m.write(Mask(to.register, None), smear(secret, 8), value)


@on("vpshufbitqmb")
def shuffle_bits(m: Interpreter, step: Step) -> None:
    to, a, b = step.operands
    m.write(Mask(to.register, None), smear(read(m, a, a.size) | read(m, b, a.size), 8))


@on(*(f"kmov{size}" for size in SIZES))
def move(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    secret, value = m.read(source)
    if type(to) is General:
        m.write(to, smear(secret, to.size), value)
    elif type(to) is Mask:
        m.write(to, smear(secret, 8), value if value.base in (EQUAL, DIFFERENT) else TOP)
    else:
        m.write(to, smear(secret, to.size))


@on(*(name + size for name in THREE for size in SIZES), "kunpckbw", "kunpckwd", "kunpckdq")
def logic(m: Interpreter, step: Step) -> None:
    to, a, b = step.operands
    if re.match("kxn?or", step.mnemonic) and a == b:
        m.write(to, 0)
        return
    m.write(to, smear(m.read(a)[0] | m.read(b)[0], 8))


@on(*(name + size for name in ("knot", "kshiftl", "kshiftr") for size in SIZES))
def change(m: Interpreter, step: Step) -> None:
    m.write(step.operands[0], smear(m.read(step.operands[1])[0], 8))


@on(*(name + size for name in ("kortest", "ktest") for size in SIZES))
def flags(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    (s, x), (t, _) = m.read(a), m.read(b)
    verdict = ""
    if a == b and x.base is DIFFERENT:
        verdict = "e"
    elif a == b and x.base is EQUAL and step.mnemonic.startswith("kortest"):
        # The carry says that all bits are set; the zero flag that none is.
        verdict = "b" if x.hi == every(8 * SIZES[step.mnemonic[-1]]) else ""
    set_flags(m, s | t, "unknown", verdict=verdict)


@on(*(f"vpmov{size}2m" for size in SIZES))
def from_vector(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    m.write(to, smear(read(m, source, source.size), 8))


@on(*(f"vpmovm2{size}" for size in SIZES))
def to_vector(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    write(m, to, smear(m.read(source)[0], to.size), to.size, False)
