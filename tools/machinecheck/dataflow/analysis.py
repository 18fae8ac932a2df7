"""Runs the interpreter over the functions of a build, once for all rules that ask."""

import weakref
from dataclasses import dataclass, field
from typing import Optional

from ..banners import Prototype
from ..contracts import c_callable
from ..machine import Build, Function, Instruction
from ..shared import banners
from . import layout as layouts
from .contract import Contract, Unclear, contract, first_states, secret_stack
from .declared import EQUAL, NOT_FOLLOWED, OPERATIONS, WITHOUT_SECRETS, Lists, lists_of, prototypes
from .interpreter import Interpreter
from .liveness import mark
from .program import Program, Step, Unknown
from .semantics import handler
from .state import REGISTERS, State
from .structures import Structures
from .summaries import Summaries


# States that are kept apart at one place. The loops of C have counters that only their own paths tell apart.
PATHS, PATHS_OF_C = 300, 1500


@dataclass(frozen=True)
class Found:
    function: Function
    instruction: Optional[Instruction]
    text: str


@dataclass
class Result:
    """Of one entry."""

    function: Function
    found: dict[tuple, Found] = field(default_factory=dict)  # against constant time
    left: dict[tuple, Found] = field(default_factory=dict)  # secrets at exits
    verdicts: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seen: list[Function] = field(default_factory=list)

    def finds(self, step: Step, kind: str, text: str) -> None:
        self.found[id(step), kind] = Found(step.function, step.instruction, text)

    def leaves(self, machine: Interpreter, step: Step, state: State) -> None:
        def note(where: str, writer: Optional[Instruction]) -> None:
            by = f", from {writer}" if writer else ""
            self.left[id(step), where] = Found(step.function, step.instruction, f"a secret is left in {where}{by}")

        for n, secret in enumerate(state.secret):
            if secret:
                note(REGISTERS[n], state.origin.get(("g", n)))
        for n, secret in enumerate(state.vector):
            if secret:
                note(f"{'zyx'[(secret < 1 << 32) + (secret < 1 << 16)]}mm{n}", state.origin.get(("v", n)))
        for n, secret in enumerate(state.mask):
            if secret:
                note(f"k{n}", state.origin.get(("k", n)))
        for at in secret_stack(state):
            note(f"the stack at rsp{at:+d}", machine.writers.get(at))


def analyse(program: Program, function: Function, made: Contract, structures: Structures, summaries: object = None) -> Result:
    """Follow one function from its entry."""
    result = Result(function)
    entry = program.at(function.object, function.section, function.address)
    machine = Interpreter(
        program, handler, result.finds, lambda step, state: result.leaves(machine, step, state), summaries, made.verdict,
        PATHS_OF_C if function.object.is_c else PATHS, function.object.is_c,
    )  # fmt: skip
    try:
        machine.run(entry, first_states(made, structures))
    except Unknown as unknown:
        result.finds(machine.step, "unknown", str(unknown))
    result.verdicts = sorted(machine.verdicts, key=lambda step: step.number)
    result.seen = list(machine.seen.values())
    return result


class Analysis:
    """Of a build."""

    def __init__(self, build: Build):
        self.build = build
        self.banners = banners(build)
        self.layout = layouts.of_headers(build)
        self.differences = layouts.differences(build, self.banners, self.layout)
        variants = len(build.variants)
        self.key_lengths = tuple(n for n in (16, 24, 32) if build.on(f"VG_AES{8 * n}"))
        self.structures = Structures(self.layout, variants, self.key_lengths)
        self.summaries = Summaries(self.banners, self.structures, variants)
        self.program = Program(build.objects)
        mark(self.program)
        self.kernels = [self.kernel(f) for f in build.functions() if not f.object.is_c and c_callable(build, f)]
        entries = [f for f in build.functions() if f.object.is_c and f.is_global and f.object.name not in WITHOUT_SECRETS]
        self.not_followed = [f for f in entries if self.name(f) in NOT_FOLLOWED]
        entries = [f for f in entries if self.name(f) not in NOT_FOLLOWED]
        public, inside = prototypes(("include/vg",)), prototypes(("src",))
        self.c = [self.operation(f) for f in entries if self.operation_of(f)]
        # What other compilers make of pointers is more than the interpreter can tell apart.
        self.is_gcc = layouts.is_gcc(build)
        if not self.is_gcc:
            return
        self.c += [self.c_function(f, public[self.name(f)]) for f in entries if self.name(f) in public]
        self.c += [self.c_function(f, inside[self.name(f)]) for f in entries if self.name(f) == EQUAL]
        # What was not inlined where it is called, or is called by the self-test alone.
        seen = {id(function) for result in self.c for function in result.seen}
        rest = [f for f in entries if id(f) not in seen and self.name(f) in inside]
        self.c += [self.c_function(f, inside[self.name(f)]) for f in rest]

    def kernel(self, function: Function) -> Result:
        banner, prototype = self.banners.banner(function), self.banners.called_by_c(function)
        if banner is None or prototype is None:
            return unchecked(function, "no banner says what is secret")
        keys = banner.keys
        try:
            made = contract(prototype, keys.get("Secret", ""), keys.get("Public", ""), keys.get("In", ""))
        except Unclear as unclear:
            return unchecked(function, str(unclear))
        operation = self.banners.split(function)[0]
        callers = contract(prototype, *OPERATIONS[operation]).secret if operation in OPERATIONS else set()
        if callers - made.secret:
            names = ", ".join(sorted(callers - made.secret))
            return unchecked(function, f"its banner calls {names} public, and C passes secrets there")
        made.choices = {"key_len": self.key_lengths}
        return analyse(self.program, function, made, self.structures)

    def name(self, function: Function) -> str:
        return function.name.removeprefix(self.build.prefix)

    def operation_of(self, function: Function) -> str:
        """Of the portable variant; "" of other functions."""
        operation = self.banners.split(function)[0] if function.variant else ""
        return operation if operation in OPERATIONS else ""

    def operation(self, function: Function) -> Result:
        name = self.operation_of(function)
        shape = self.summaries.prototype(name)
        if shape is None:
            return unchecked(function, "src/variant.h does not declare it")
        return self.followed(function, shape, OPERATIONS[name], {"key_len": self.key_lengths})

    def c_function(self, function: Function, shape: Prototype) -> Result:
        choices = {"v": tuple(range(len(self.build.variants)))}
        return self.followed(function, shape, lists_of(self.name(function), shape), choices)

    def followed(self, function: Function, shape: Prototype, lists: Lists, choices: dict[str, tuple[int, ...]]) -> Result:
        try:
            made = contract(shape, lists.secret, lists.public)
        except Unclear as unclear:
            return unchecked(function, str(unclear))
        # An adaptive key changes underneath its users; where src is dst, compilers take one for the other.
        made.choices, made.writable = choices, frozenset({"gcm", "src"})
        return analyse(self.program, function, made, self.structures, self.summaries)


def unchecked(function: Function, why: str) -> Result:
    result = Result(function)
    result.found["contract", ""] = Found(function, None, why)
    return result


_known: "weakref.WeakKeyDictionary[Build, Analysis]" = weakref.WeakKeyDictionary()


def analysis(build: Build) -> Analysis:
    if build not in _known:
        _known[build] = Analysis(build)
    return _known[build]
