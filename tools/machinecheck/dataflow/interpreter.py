"""Runs a function on what is known of its arguments, along all paths, until nothing new is learnt."""

import heapq
from collections.abc import Callable
from typing import Optional, Union

from ..machine import Function, Instruction
from . import values
from .program import Address, Constant, Data, Decoded, General, Mask, Place, Program, Step, Unknown, Vector
from .regions import Buffer, Problem
from .state import ABOVE, BELOW, RSP, STACK, State
from .values import TOP, Region, Value, number

JOINS = 3  # before bounds are given up
FEW = 16  # values of a register that a branch looked at, each followed on its own
MANY = 48  # the same of what a subtraction left: counts of powers
LONGEST = 400_000  # instructions, before the interpreter gives up


Handler = Callable[["Interpreter", Step], Optional[bool]]  # true: it has sent its state on


class Tags:
    """What a comparison of two tags gave: "equal" has all its bits set if they are equal, "different" is 0 then."""

    def __init__(self, what: str):
        self.what = what

    def __repr__(self) -> str:
        return self.what


EQUAL, DIFFERENT, RECEIVED = Tags("equal"), Tags("different"), Tags("received")


class Stop(Exception):
    """The path ends here."""


def every(size: int) -> int:
    return (1 << size) - 1


class Interpreter:
    """One function under one contract. Findings go to `finds`, exits to `leaves`, both called with a step."""

    def __init__(
        self, program: Program, handlers: Callable[[Step], Handler], finds: Callable[[Step, str, str], None],
        leaves: Callable[[Step, State], None], summaries: Optional[Callable] = None, verdict: bool = False,
        paths: int = 200, saved: bool = False,
    ):  # fmt: skip
        self.program, self.handlers, self.finds, self.leaves = program, handlers, finds, leaves
        self.summaries = summaries
        self.saved = saved  # paths are told apart by what they have on the stack, too
        self.most = paths  # states that are kept apart at one place, before they are joined
        self.verdict = verdict  # whether a branch on the comparison of two tags is allowed
        self.verdicts: set[Step] = set()
        self.states: dict[tuple, State] = {}
        self.joined: dict[tuple, int] = {}
        self.paths: dict[tuple, int] = {}
        self.heap: list = []
        self.waiting: set = set()
        self.seen: dict[int, Function] = {}  # whatever ran, by identity
        self.writers: dict[int, Instruction] = {}  # what put a secret into a word of the stack
        self.forks: list[State] = []
        self.count = 0
        self.state = State()
        self.step: Step = None  # type: ignore

    # Paths.

    def run(self, entry: Step, states: list[State]) -> None:
        for state in states:
            self.meet(entry, state)
        while self.heap:
            _, _, key = heapq.heappop(self.heap)
            self.waiting.discard(key)
            self.state = self.states[key].copy()
            self.follow(key[0])

    def meet(self, step: Step, state: State) -> None:
        """state arrives at step, and is the interpreter's from now on."""
        place = step, state.calls, state.value[RSP], state.alignment
        key = (step, *state.key(step.live, self.saved))
        known = self.states.get(key)
        if known is None and self.paths.get(place, 0) >= self.most:
            state.unite()
            key = (step, *state.key(step.live, self.saved))
            known = self.states.get(key)
        if known is None:
            self.paths[place] = self.paths.get(place, 0) + 1
            self.states[key] = state
        else:
            self.joined[key] = self.joined.get(key, 0) + 1
            if not known.join(state, self.joined[key] > JOINS):
                return
        if key not in self.waiting:
            self.waiting.add(key)
            # What lies behind a call waits until all paths through the call are done.
            order = (*[to.number - 0.5 for to in state.calls], step.number)
            heapq.heappush(self.heap, (order, self.count, key))

    def follow(self, step: Optional[Step]) -> None:
        first = True
        while step is not None:
            if step.leads and not first:
                self.meet(step, self.state)
                return
            first = False
            self.count += 1
            if self.count > LONGEST:
                raise Unknown(f"more than {LONGEST} instructions to follow")
            self.step = step
            self.seen[id(step.function)] = step.function
            try:
                if step.run is None:
                    self.program.decode(step)
                    step.run = self.handlers(step)
                if step.run(self, step):
                    return
            except Unknown as unknown:
                self.finds(step, "unknown", str(unknown))
                return
            except Problem as problem:
                self.finds(step, "memory", str(problem))
                return
            except Stop:
                return
            if self.forks:
                states, self.forks = self.forks, []
                for state in states:
                    if step.next is not None:
                        self.meet(step.next, state)
                return
            previous, step = step, step.next
            if step is None:
                self.finds(previous, "unknown", "runs on behind the end of the code")

    # Operands.

    def read(self, word: Decoded) -> tuple[int, Value]:
        if type(word) is General:
            secret = self.state.secret[word.register] >> word.low & every(word.size)
            value = self.state.value[word.register]
            if word.size == 8 or isinstance(value.base, Tags):
                return secret, value
            return secret, values.unsigned(value, word.size) if not word.low else values.between(0, 255)
        if type(word) is Constant:
            return 0, number(word.value)
        if type(word) is Place:
            return self.load(self.address(word), word.size)
        if type(word) is Address:
            return 0, Value(word.static, word.offset, word.offset, 0)
        if type(word) is Mask:
            return self.state.mask[word.register], self.state.about.get(("k", word.register), TOP)
        raise Unknown(f"operand {word}")

    def write(self, word: Decoded, secret: int, value: Value = TOP) -> None:
        if type(word) is General:
            n = word.register
            if word.size >= 4:
                self.note(("g", n), secret)
                kept = value if isinstance(value.base, Tags) else values.truncate(value, word.size)
                self.state.set(n, secret, kept)
                return
            old = self.state.value[n]
            bits = every(word.size) << word.low
            joined = self.state.secret[n] & ~bits | secret << word.low
            keeps = not word.low and old.base is None and old.constant and not old.lo & every(8 * word.size)
            new = values.add(values.unsigned(value, word.size), old) if keeps else TOP
            self.note(("g", n), secret)
            self.state.set(n, joined, new)
        elif type(word) is Place:
            self.store(self.address(word), word.size, secret, value)
        elif type(word) is Mask:
            self.note(("k", word.register), secret)
            self.state.mask[word.register] = secret
            self.state.about.pop(("k", word.register), None)
            if value is not TOP:
                self.state.about["k", word.register] = value
        else:
            raise Unknown(f"operand {word}")

    def note(self, where: tuple[str, int], secret: int) -> None:
        if secret:
            self.state.origin[where] = self.step.instruction

    # Memory.

    def address(self, place: Place, leaks: bool = True) -> Value:
        """Where place is; leaks: memory is touched there."""
        if place.static is not None:
            return values.between(place.offset, place.offset, 0, place.static)
        state, result, secret = self.state, number(place.offset), 0
        scale = place.scale
        if place.base is not None:
            secret |= state.secret[place.base]
            if place.base == place.index:
                scale += 1
            else:
                result = values.add(state.value[place.base], result)
        if place.index is not None:
            result = values.add(result, values.multiply(state.value[place.index], scale))
            secret |= state.secret[place.index]
        if leaks:
            if place.narrow:
                raise Unknown("an address of 32 bits")
            if secret:
                self.finds(self.step, "address", "the address depends on a secret")
                raise Stop
        return result

    def load(self, pointer: Value, size: int) -> tuple[int, Value]:
        if not size:
            raise Unknown("memory of unknown size")
        base = pointer.base
        if base is STACK:
            return self.load_stack(pointer, size)
        if isinstance(base, Buffer):
            return base.load(pointer, size)
        if isinstance(base, Data):
            if not pointer.constant and (pointer.lo < 0 or pointer.hi + size > base.size):
                return every(size), TOP
            return 0, self.constant(base, pointer, size)
        if isinstance(base, Loaded):
            return 0, base.load(self, pointer, size)
        raise Problem(f"reads at {pointer}, which is no memory that this function was given")

    def load_stack(self, pointer: Value, size: int) -> tuple[int, Value]:
        if pointer.lo < -BELOW or pointer.hi + size > ABOVE:
            return every(size), TOP
        if pointer.constant:
            return self.state.stack_load(pointer.lo, size)
        secret = 0
        for at in range(pointer.lo, pointer.hi + 1, pointer.step):
            secret |= self.state.stack_load(at, size)[0]
        return secret, TOP

    def store(self, pointer: Value, size: int, secret: int, value: Value = TOP, maybe: bool = False) -> None:
        """maybe: some of the bytes may stay what they were."""
        if not size:
            raise Unknown("memory of unknown size")
        base = pointer.base
        if base is STACK:
            self.store_stack(pointer, size, secret, value, maybe)
        elif isinstance(base, Buffer):
            base.store(pointer, size, bool(secret))
        elif isinstance(base, Data) and base.writable and not secret:
            return
        else:
            raise Problem(f"writes at {pointer}, which is no memory that this function was given to write")

    def store_stack(self, pointer: Value, size: int, secret: int, value: Value, maybe: bool) -> None:
        state = self.state
        if not values.bounded(pointer) or pointer.lo < -BELOW or pointer.hi + size > ABOVE:
            raise Problem(f"writes at {pointer}: the stack, but where is not known")
        if pointer.lo < 8 and pointer.hi + size > 0:
            raise Problem(f"writes at {pointer}: over the return address")
        if pointer.constant and not maybe:
            state.stack_store(pointer.lo, size, secret, value)
        else:
            bits = 0
            for at in range(pointer.lo, pointer.hi + 1, pointer.step or 1):
                bits |= secret << at + BELOW
            state.stack |= bits
            state.forget(pointer.lo, pointer.hi - pointer.lo + size)
        if secret:
            for at in range(pointer.lo & -8, pointer.hi + size, 8):
                self.writers[at] = self.step.instruction

    def constant(self, base: Data, pointer: Value, size: int) -> Value:
        """Static data holds public numbers, and addresses where the linker puts them."""
        if not values.bounded(pointer):
            return TOP
        if base.object is not None and (pointer.lo < 0 or pointer.hi + size > base.size):
            raise Problem(f"reads at {pointer}, outside of static data")
        if not base.pointers:
            return TOP
        found = [base.pointers.get(at) for at in range(pointer.lo, pointer.hi + 1, pointer.step or 1)]
        if not any(found):
            return TOP
        if base.object is None or any(entry is None for entry in found):
            raise Problem(f"reads at {pointer} what is an address in one place and a number in another")
        where = [pointer.lo + n * (pointer.step or 1) for n in range(len(found))]
        return pointers(self.program, base, list(zip(where, found)), size)


class Code:
    """Addresses of code, one of which a value is. relative: the table whose own address must be added to make it one."""

    def __init__(self, targets: frozenset, relative: Optional[Data] = None):
        self.targets, self.relative = targets, relative

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and self.targets == other.targets and self.relative is other.relative

    def __hash__(self) -> int:
        return hash(self.targets)

    def __repr__(self) -> str:
        return "code"


class Loaded(Region):
    """One of several pieces of static data of the same shape."""

    known: dict[frozenset, "Loaded"] = {}

    def __init__(self, places: frozenset[tuple[Data, int]]):
        super().__init__("static data", 1 << 16)
        self.places = places

    @classmethod
    def of(cls, places: frozenset[tuple[Data, int]]) -> "Loaded":
        return cls.known.setdefault(places, cls(places))

    def load(self, machine: Interpreter, pointer: Value, size: int) -> Value:
        found = {machine.constant(base, values.add(Value(base, at, at, 0), pointer._replace(base=None)), size)
                 for base, at in self.places}  # fmt: skip
        if len(found) == 1:
            return found.pop()
        if all(isinstance(v.base, Code) and v.base.relative is None for v in found):
            return Value(Code(frozenset().union(*(v.base.targets for v in found))), 0, 0, 0)
        return TOP


def pointers(program: Program, base: Data, found: list, size: int) -> Value:
    """What is read where the linker writes addresses: code, or static data."""
    targets: set[Union[Step, str]] = set()
    places: set[tuple[Data, int]] = set()
    relative: set[tuple[str, int, int]] = set()  # symbol, addend and place: symbol + addend - place is there
    for at, (kind, symbol, addend) in found:
        target = program.symbol(base.object, symbol, addend)
        if target is None or kind not in ("R_X86_64_64", "R_X86_64_PC32"):
            raise Unknown(f"static data refers to {symbol} by {kind}")
        one, section, offset = target
        if kind == "R_X86_64_PC32":
            relative.add((symbol, addend, at))
        elif program.sections.get((id(one), section)):
            targets.add(program.at(one, section, offset) or symbol)
        else:
            places.add(program.data(one, symbol, addend))
    if sum(map(bool, (targets, places, relative))) != 1:
        raise Unknown("static data of several kinds")
    if places:
        return Value(Loaded.of(frozenset(places)), 0, 0, 0)
    if relative:
        return Value(Code(frozenset(relative), base), 0, 0, 0)
    return Value(Code(frozenset(targets)), 0, 0, 0)
