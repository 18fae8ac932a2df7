"""What a function is given, as the interpreter's first state: from its prototype, and what is declared secret."""

import re
from dataclasses import dataclass, field
from itertools import product

from ..banners import PARAMETERS_AT, Prototype
from . import values
from .control import RETURN
from .state import BELOW, NUMBER, RSP, STACK, State
from .structures import Structures
from .values import TOP, Value

@dataclass
class Contract:
    prototype: Prototype
    secret: frozenset[str]  # parameters whose memory is secret
    public: frozenset[str]  # parameters whose memory is public, and integers
    verdict: bool = False  # what it returns says whether two tags are equal, and that is public
    writable: frozenset[str] = frozenset()  # const pointers that may be written through all the same
    least: dict[str, int] = field(default_factory=dict)  # what a number is at least
    choices: dict[str, tuple[int, ...]] = field(default_factory=dict)  # all that a number may be


class Unclear(Exception):
    """A contract that does not say what is secret."""


def contract(prototype: Prototype, secret: str, public: str, given: str = "") -> Contract:
    """secret, public and given: what a banner says at Secret, Public and In."""
    lists = [
        {re.sub(r"\[.*", "", word.strip().lstrip("*")) for word in text.split(":")[0].split(",")}
        for text in (secret, public)
    ]
    made = Contract(prototype, frozenset(lists[0]), frozenset(lists[1]), "verdict" in lists[1])
    made.least = {name: int(n) for name, n in re.findall(r"=(\w+), at least (\d+)", given)}
    for parameter in prototype.parameters:
        lengths = "lengths" in lists[1] and parameter.name.endswith("len") and parameter.name not in lists[1]
        named = [parameter.name in words for words in lists]
        if named[0] == (named[1] or lengths):
            raise Unclear(f"{parameter.name} must be either secret or public")
        if named[0] and not parameter.is_pointer:
            raise Unclear(f"{parameter.name} is a number and may not be secret")
    return made


def is_const(prototype: Prototype, name: str) -> bool:
    words = [word for word in re.findall(r"[^(),]+", prototype.text) if re.search(rf"\b{name}\b", word)]
    return any(word.strip().startswith("const ") for word in words)


def first_states(made: Contract, structures: Structures) -> list[State]:
    """Where System V puts each parameter; one state for each choice of the numbers that have few."""
    given: list[list[Value]] = []
    for parameter in made.prototype.parameters:
        name = parameter.name
        if parameter.is_pointer:
            constant = is_const(made.prototype, name) and name not in made.writable
            structure = re.search(rf"struct (vg_\w+) \*{name}\b", made.prototype.text)
            secret = name in made.secret
            given.append(
                [structures.pointer(parameter, structure[1] if structure else "", secret, constant, made.verdict)]
            )
        elif name in made.choices:
            given.append([values.number(n, split=True) for n in made.choices[name]])
        else:
            given.append([values.between(made.least[name], values.MOST) if name in made.least else TOP])
    return [first_state(chosen) for chosen in product(*given)]


def first_state(arguments: tuple[Value, ...]) -> State:
    state = State()
    state.value[RSP] = Value(STACK, 0, 0, 0)
    state.stack_store(0, 8, 0, RETURN)
    for n, value in enumerate(arguments):
        if n < len(PARAMETERS_AT):
            state.set(NUMBER[PARAMETERS_AT[n]], 0, value)
        else:
            state.stack_store(8 * (n - len(PARAMETERS_AT) + 1), 8, 0, value)
    return state


def secret_stack(state: State) -> list[int]:
    """Offsets of the words of the stack that hold secrets."""
    bits, found = state.stack, []
    while bits:
        at = (bits & -bits).bit_length() - 1 & ~7
        found.append(at - BELOW)
        bits &= ~(255 << at)
    return found
