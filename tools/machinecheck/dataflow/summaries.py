"""What a call does whose callee is checked on its own: the operations of variants, copies of bytes, and the like."""

import re
from collections.abc import Callable
from typing import Optional, Union

from ..banners import PARAMETERS_AT, Banners, Prototype
from . import values
from .declared import EQUAL, OPERATIONS, SHARED, Lists, prototypes
from .general import block_secret, fill
from .interpreter import Interpreter, Stop, every
from .program import Step, Unknown
from .regions import Buffer
from .state import BELOW, NUMBER, RAX, RCX, RDI, RDX, RSI, RSP, STACK, Flags, State
from .structures import Structures
from .values import TOP, Value, number

Summary = Callable[[Interpreter, Step], None]
CALLER_SAVED = (RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11)


class Summaries:
    def __init__(self, banners: Banners, structures: Structures, variants: int):
        self.banners, self.layout, self.variants = banners, structures.layout, variants
        self.fields = structures.key_fields
        self.prefix = banners.build.prefix
        self.inside = prototypes(("src",))

    def __call__(self, target: Union[Step, str]) -> Optional[Summary]:
        """The summary of a callee; None if it is to be followed."""
        if isinstance(target, str):
            return {"memcpy": copy, "memset": set_bytes}.get(target)
        function = target.function
        if target.instruction.address != function.address:
            return None
        name = function.name.removeprefix(self.prefix)
        if function.is_global and function.variant and not name.startswith("vg_variant"):
            operation = self.banners.split(function)[0]
            shape = self.prototype(operation)
            if operation in OPERATIONS and shape:
                return lambda m, step: self.operation(m, step, operation, shape, OPERATIONS[operation])
        if name in SHARED:
            return lambda m, step: self.operation(m, step, name, self.inside[name], SHARED[name])
        if name == EQUAL:
            return equal
        if name == "vg_cpu_state":
            return lambda m, step: returns(m, TOP)
        if name == "vg_select":
            return lambda m, step: returns(m, values.between(0, self.variants - 1))
        return None

    def prototype(self, operation: str) -> Optional[Prototype]:
        declared = self.banners.declared
        return declared.get((operation, False)) or declared.get((operation, True))

    def operation(self, m: Interpreter, step: Step, name: str, shape: Prototype, lists: Lists) -> None:
        given = arguments(m, shape)
        for parameter in shape.parameters:
            value = given[parameter.name]
            if not parameter.is_pointer:
                continue
            if parameter.name == "gcm":
                self.key(m, name, value, writes=name in ("init", "powers"))
                continue
            secret, length = extent(lists, parameter.name, given)
            constant = re.search(rf"const [^,]*\b{parameter.name}\b", shape.text) is not None
            if constant and not secret and block_secret(m, value, length):
                m.finds(step, "argument", f"{parameter.name} of {name} is public, and a secret is passed")
                raise Stop
            if not constant:
                fill(m, value, length, int(secret))
        returns(m, values.between(0, 2) if shape.returns != "void" else None)

    def key(self, m: Interpreter, name: str, pointer: Value, writes: bool) -> None:
        if isinstance(pointer.base, Buffer) and pointer.base.fields:
            return
        if pointer.base is not STACK or not pointer.constant:
            raise Unknown(f"{name} of a key at {pointer}")
        if not writes:
            return
        at, size = pointer.lo, self.layout.sizes["vg_aes_gcm"]
        kept = {field.at: m.state.stack_load(at + field.at, field.size) for field in self.fields}
        m.state.stack_store(at, size, every(size), TOP)
        for field in self.fields:
            secret, value = kept[field.at]
            if name == "init" and field.at == self.layout.members["vg_aes_gcm"]["rounds"]:
                secret, value = 0, field.value
            m.state.stack_store(at + field.at, field.size, secret, value)


def arguments(m: Interpreter, shape: Prototype) -> dict[str, Value]:
    """Behind the return address, as after a call."""
    found = {}
    for n, parameter in enumerate(shape.parameters):
        if n < len(PARAMETERS_AT):
            register = NUMBER[PARAMETERS_AT[n]]
            secret, value = m.state.secret[register], m.state.value[register]
        else:
            secret, value = m.load(values.add(m.state.value[RSP], number(8 * (n - len(PARAMETERS_AT) + 1))), 8)
        if secret:
            m.finds(m.step, "argument", f"{parameter.name}, which is public, depends on a secret")
            raise Stop
        found[parameter.name] = value
    return found


def extent(lists: Lists, name: str, given: dict[str, Value]) -> tuple[bool, Value]:
    """Whether the memory of a parameter is secret, and its bytes."""
    for secret, text in ((True, lists.secret), (False, lists.public)):
        found = re.search(rf"\b{name}\[(?:(\d+)|(?:(\d+)\*)?(\w+))\]", text)
        if found:
            if found[1]:
                return secret, number(int(found[1]))
            return secret, values.multiply(given[found[3]], int(found[2] or "1"))
    raise Unknown(f"the bytes of {name} are not declared")


def returns(m: Interpreter, value: Optional[Value]) -> None:
    """Whatever the callee may change is unknown, and taken for secret."""
    state = m.state
    for register in CALLER_SAVED:
        state.set(register, every(8), TOP)
    state.vector = [every(64)] * 32
    state.mask = [every(8)] * 8
    state.about = {}
    state.flags = Flags(True, "unknown")
    top = state.value[RSP]
    if top.constant and top.base is STACK:
        below(state, top.lo)
    if value is not None:
        state.set(RAX, 0, value)


def below(state: State, top: int) -> None:
    """Nobody knows what a callee left below its return address."""
    kept = -1 << top + BELOW
    state.written &= kept
    state.stack &= kept
    for at in [at for at in state.slots if at < top]:
        del state.slots[at]


def three(m: Interpreter) -> list[Value]:
    for register in (RDI, RSI, RDX):
        if m.state.secret[register]:
            m.finds(m.step, "argument", "an argument, which is public, depends on a secret")
            raise Stop
    return [m.state.value[register] for register in (RDI, RSI, RDX)]


def copy(m: Interpreter, step: Step) -> None:
    to, source, length = three(m)
    if length.constant and to.base is STACK and source.base is STACK and to.constant and source.constant:
        secret = m.state.stack_load(source.lo, length.lo)[0]
        m.state.stack_store(to.lo, length.lo, secret, TOP)
    else:
        fill(m, to, length, block_secret(m, source, length))
    returns(m, to)


def set_bytes(m: Interpreter, step: Step) -> None:
    secret = m.state.secret[RSI] & 1
    m.state.set(RSI, 0, TOP)
    to, _, length = three(m)
    fill(m, to, length, secret)
    returns(m, to)


def equal(m: Interpreter, step: Step) -> None:
    """The comparison of two tags: what it returns is the verdict."""
    three(m)
    if not m.verdict:
        m.finds(step, "verdict", "two tags are compared, and nothing declares the verdict public")
        raise Stop
    m.verdicts.add(step)
    returns(m, values.between(0, 1))
