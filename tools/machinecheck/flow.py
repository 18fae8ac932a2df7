"""What a function does to the stack and to registers, on every path, its callees included.

Starts from an entry with symbolic registers and follows each path. Values: Entry(r), what register r held at the entry;
Stack(base, offset), an address in the frame, base 0 being rsp at the entry and other bases rsp after an alignment;
anything else is unknown. A call has the effect of its callee's own summary. Stores through other addresses than those
of the frame are taken not to hit saved registers."""

from dataclasses import dataclass, field
from typing import Optional, Union

from .banners import declared_operations, operation_of
from .calls import Calls, Goal, Point
from .effects import CALLEE_SAVED, CALLER_SAVED, GENERAL, read_or_written_memory, widest_written, writes_flags
from .effects import written_memory, written_registers
from .machine import Function, Instruction
from .operands import Immediate, Memory, Register


@dataclass(frozen=True)
class Entry:
    register: str


@dataclass(frozen=True)
class Stack:
    base: int
    offset: int


Value = Optional[Union[Entry, Stack]]
IN, CLEAN, DIRTY = "as at the entry", "clean", "dirty"  # the upper halves of vector registers


@dataclass
class State:
    registers: dict[str, Value]
    slots: dict[Stack, Value]
    upper: frozenset[str]

    def copy(self) -> "State":
        return State(dict(self.registers), dict(self.slots), self.upper)

    def join(self, other: "State") -> bool:
        """Keep what both agree on. True if that changed something."""
        changed = False
        for name, value in list(self.registers.items()):
            if value is not None and other.registers.get(name) != value:
                self.registers[name] = None
                changed = True
        for slot, value in list(self.slots.items()):
            if other.slots.get(slot) != value:
                del self.slots[slot]
                changed = True
        if not other.upper <= self.upper:
            self.upper |= other.upper
            changed = True
        return changed


@dataclass
class Problem:
    kind: str  # the rule that it breaks
    text: str
    point: Point


@dataclass
class Summary:
    """Of an entry, callees included."""

    clobbers: set[str] = field(default_factory=set)  # zmm and k registers as well
    flags: bool = False
    direction: bool = False  # writes DF
    depth: int = 0  # bytes below rsp at the entry
    deepest: list[str] = field(default_factory=list)  # who calls whom there
    upper: frozenset[str] = frozenset()  # at the exits
    touches_upper: bool = False
    raises: set[int] = field(default_factory=set)  # offsets of 8-byte slots of the caller that are written
    outside: set[str] = field(default_factory=set)  # names outside of the archive that are called
    problems: list[Problem] = field(default_factory=list)
    mxcsr: bool = False
    points: set[Point] = field(default_factory=set)  # all code of it, without its callees
    callees: set[Point] = field(default_factory=set)


OUTSIDE = Summary(clobbers=set(CALLER_SAVED) | {f"zmm{n}" for n in range(32)}, flags=True, upper=frozenset({IN}))


class Flow:
    def __init__(self, calls: Calls):
        self.calls = calls
        self.known: dict[Point, Summary] = {}
        self.open: list[Point] = []

    def of(self, function: Function) -> Summary:
        return self.summary(self.calls.entry(function))

    def reaches(self, function: Function) -> set[Point]:
        """All code of a function and of what it calls."""
        found: set[Point] = set()
        done: set[Point] = set()
        work = [self.calls.entry(function)]
        while work:
            entry = work.pop()
            if entry not in done:
                done.add(entry)
                summary = self.summary(entry)
                found |= summary.points
                work += summary.callees
        return found

    def summary(self, entry: Point) -> Summary:
        if entry not in self.known:
            if entry in self.open:
                recursive = Summary(clobbers=set(GENERAL), upper=frozenset({IN}))
                recursive.problems.append(Problem("stack", "calls itself, so that its stack has no bound", entry))
                return recursive
            self.open.append(entry)
            self.known[entry] = Walk(self, entry).run()
            self.open.pop()
        return self.known[entry]


class Walk:
    """Of one entry."""

    def __init__(self, flow: Flow, entry: Point):
        self.flow, self.entry = flow, entry
        self.code = flow.calls.code
        self.out = Summary()
        self.depths = {0: 0}  # of each base, below rsp at the entry, at most
        self.bases: dict[Point, int] = {}
        self.states: dict[Point, State] = {}
        self.seen: set[tuple[str, Point]] = set()
        owner = flow.calls.owner.get(entry)
        self.name = owner.name if owner and owner.address == entry[2] else f"code at {entry[2]:#x}"
        self.from_c = owner is not None and (owner.object.is_c or self.is_operation(owner))

    def is_operation(self, function: Function) -> bool:
        operation, form = operation_of(function, self.flow.calls.build.prefix)
        return (operation, bool(form)) in declared_operations()

    def problem(self, kind: str, text: str, point: Point) -> None:
        if (kind + text, point) not in self.seen:
            self.seen.add((kind + text, point))
            self.out.problems.append(Problem(kind, text, point))

    def run(self) -> Summary:
        registers: dict[str, Value] = {name: Entry(name) for name in GENERAL}
        registers["rsp"] = Stack(0, 0)
        work = [(self.entry, State(registers, {}, frozenset({IN})))]
        while work:
            point, state = work.pop()
            known = self.states.get(point)
            if known is None:
                self.states[point] = state.copy()
            else:
                if state.registers["rsp"] != known.registers["rsp"]:
                    self.problem("stack", "the stack pointer differs between the paths that meet here", point)
                    continue
                if not known.join(state):
                    continue
                state = known.copy()
            if point not in self.code:
                self.problem("stack", "control leaves the code here", point)
                continue
            work += self.step(point, state)
        self.out.deepest = [self.name, *self.out.deepest]
        self.out.points = {point for point in self.states if point in self.code}
        return self.out

    def step(self, point: Point, state: State) -> list[tuple[Point, State]]:
        """What follows, with the state there."""
        instruction = self.code[point]
        after = (point[0], point[1], instruction.next)
        self.frame(point, instruction, state)
        if instruction.mnemonic in ("std", "cld"):
            self.out.direction = True
        if instruction.mnemonic in ("ldmxcsr", "vldmxcsr"):
            self.out.mxcsr = True
        self.out.flags |= writes_flags(instruction)
        if instruction.mnemonic in ("ud2", "hlt"):
            return []
        if instruction.is_return:
            self.leaves(point, state)
            return []
        if instruction.is_jump:
            return self.jump(point, instruction, state, after)
        if instruction.is_call:
            self.call(point, state)
            return [(after, state)]
        self.move(point, instruction, state)
        return [(after, state)]

    def jump(self, point: Point, instruction: Instruction, state: State, after: Point) -> list[tuple[Point, State]]:
        state.registers.update((name, None) for name in written_registers(instruction))  # rcx of loop
        out = [(after, state.copy())] if instruction.is_conditional else []
        goals = self.flow.calls.goals(point)
        if not goals:
            self.problem("stack", "it cannot be told where this jump goes", point)
        for goal in goals:
            # Out of the archive, or to one of several: a call from the same place, and a return.
            if goal.point is None or len(goals) > 1 or not instruction.target:
                last = state.copy()
                self.enter(goal, point, last, 0)
                self.leaves(point, last)
            else:
                out.append((goal.point, state.copy()))
        return out

    def call(self, point: Point, state: State) -> None:
        goals = self.flow.calls.goals(point)
        if not goals:
            self.problem("stack", "it cannot be told what this calls", point)
        before = state.copy()
        for number, goal in enumerate(goals):
            after = before.copy()
            self.enter(goal, point, after, 8)
            if number:
                state.join(after)
            else:
                state.registers, state.slots, state.upper = after.registers, after.slots, after.upper

    def enter(self, goal: Goal, point: Point, state: State, pushed: int) -> None:
        """The effect of a callee; pushed is the size of the return address."""
        summary = self.flow.summary(goal.point) if goal.point else OUTSIDE
        if goal.point is None:
            self.out.outside.add(goal.name)
        else:
            self.out.outside |= summary.outside
            self.out.callees.add(goal.point)
        for problem in summary.problems:
            if problem.text.startswith("calls itself"):
                self.problem("stack", problem.text, point)
        self.out.clobbers |= {name for name in summary.clobbers if name not in GENERAL}
        self.out.flags |= summary.flags
        self.out.direction |= summary.direction
        self.out.mxcsr |= summary.mxcsr
        self.out.touches_upper |= summary.touches_upper
        for name in summary.clobbers:
            if name in state.registers:
                state.registers[name] = None
        top = state.registers["rsp"]
        if isinstance(top, Stack):
            self.deepen(self.depths[top.base] - top.offset + pushed + summary.depth, summary.deepest or [goal.name])
            for offset in summary.raises:
                state.slots.pop(Stack(top.base, top.offset - pushed + offset), None)
                if top.base == 0 and top.offset - pushed + offset >= 0:
                    self.out.raises.add(top.offset - pushed + offset)
        if IN in summary.upper:
            state.upper = (summary.upper - {IN}) | state.upper
        else:
            state.upper = summary.upper or state.upper

    def deepen(self, depth: int, callees: list[str]) -> None:
        if depth > self.out.depth:
            self.out.depth, self.out.deepest = depth, list(callees)

    def frame(self, point: Point, instruction: Instruction, state: State) -> None:
        """Depth, and accesses below rsp."""
        top = state.registers["rsp"]
        if not isinstance(top, Stack):
            self.problem("stack", "the stack pointer is not known here", point)
            return
        self.deepen(self.depths[top.base] - top.offset, [])
        for place in read_or_written_memory(instruction):
            address = self.address(place, state)
            if address and address.base == top.base and address.offset < top.offset:
                self.problem("red-zone", f"touches memory {top.offset - address.offset} bytes below rsp", point)

    @staticmethod
    def address(place: Memory, state: State) -> Optional[Stack]:
        """Of a place in the frame, if it has no index."""
        base = state.registers.get(place.base.whole) if place.base and place.base.size == 8 else None
        if isinstance(base, Stack) and place.index is None and not place.segment:
            return Stack(base.base, base.offset + place.disp)
        return None

    def value(self, word: object, state: State) -> Value:
        if isinstance(word, Register) and word.size == 8:
            return state.registers.get(word.whole)
        if isinstance(word, Memory) and word.size == 8:
            address = self.address(word, state)
            return state.slots.get(address) if address else None
        return None

    def store(self, place: Stack, value: Value, size: int, state: State) -> None:
        for slot in list(state.slots):
            if slot.base == place.base and slot.offset < place.offset + size and place.offset < slot.offset + 8:
                del state.slots[slot]
        if value is not None and size == 8:
            state.slots[place] = value
        if place.base == 0 and place.offset >= 8:
            self.out.raises.update(offset & ~7 for offset in range(place.offset, place.offset + size))

    def move(self, point: Point, instruction: Instruction, state: State) -> None:
        mnemonic, words, registers = instruction.mnemonic, instruction.operands, state.registers
        top = registers["rsp"]
        if widest_written(instruction) > 16:
            self.out.touches_upper = True
            state.upper = frozenset({DIRTY})
        if mnemonic in ("vzeroupper", "vzeroall"):
            state.upper = frozenset({CLEAN})
        self.out.clobbers |= {n for n in written_registers(instruction) if n not in registers and n[0] in "zk"}
        first = words[0] if words else None
        value: Value = None
        if mnemonic == "push" and isinstance(top, Stack):
            registers["rsp"] = Stack(top.base, top.offset - 8)
            self.deepen(self.depths[top.base] - top.offset + 8, [])
            self.store(Stack(top.base, top.offset - 8), self.value(first, state), 8, state)
            return
        if mnemonic == "pop" and isinstance(top, Stack) and isinstance(first, Register):
            registers["rsp"] = Stack(top.base, top.offset + 8)
            registers[first.whole] = state.slots.get(top)
            return
        if mnemonic == "leave":
            frame = registers["rbp"]
            registers["rsp"] = Stack(frame.base, frame.offset + 8) if isinstance(frame, Stack) else None
            registers["rbp"] = state.slots.get(frame) if isinstance(frame, Stack) else None
            return
        if mnemonic in ("mov", "lea", "add", "sub", "and", "xchg", "inc", "dec"):
            value = self.computed(point, mnemonic, words, state)
            if mnemonic == "xchg" and len(words) == 2 and isinstance(words[1], Register):
                registers[words[1].whole] = self.value(first, state)
        for place in written_memory(instruction):
            address = self.address(place, state)
            if address:
                self.store(address, value if mnemonic == "mov" else None, place.size or 8, state)
        for name in written_registers(instruction):
            if name in registers:
                is_first = isinstance(first, Register) and first.whole == name
                if is_first and mnemonic == "xchg" and len(words) == 2 and words[1] == first:
                    continue
                if is_first or mnemonic != "xchg":
                    registers[name] = value if is_first else None

    def computed(self, point: Point, mnemonic: str, words: tuple, state: State) -> Value:
        """What the first operand becomes."""
        first, last = words[0], words[-1]
        if mnemonic in ("mov", "xchg"):
            return self.value(last, state)
        if mnemonic == "lea":
            return self.address(last, state) if isinstance(last, Memory) and first.size == 8 else None
        old = self.value(first, state)
        if not isinstance(old, Stack) or not isinstance(first, Register):
            return None
        if mnemonic in ("inc", "dec"):
            return Stack(old.base, old.offset + (1 if mnemonic == "inc" else -1))
        if not isinstance(last, Immediate):
            return None
        if mnemonic in ("add", "sub"):
            return Stack(old.base, old.offset + (last.value if mnemonic == "add" else -last.value))
        return self.aligned(point, old, -last.value)

    def aligned(self, point: Point, old: Stack, to: int) -> Value:
        """rsp after `and rsp, -to`. Where C calls, rsp + 8 is a multiple of 16 at the entry, elsewhere of 8."""
        if to <= 0 or to & (to - 1):
            return None
        if old.base == 0 and to <= 16 and self.from_c:
            return Stack(0, old.offset - (old.offset - 8) % to)
        spare = to - 16 + (old.offset - 8) % 16 if old.base == 0 and self.from_c else to - 8
        base = self.bases.setdefault(point, len(self.depths))
        self.depths[base] = self.depths[old.base] - old.offset + spare
        return Stack(base, 0)

    def leaves(self, point: Point, state: State) -> None:
        if state.registers["rsp"] != Stack(0, 0):
            self.problem("stack", "returns with another stack pointer than it was entered with", point)
        for name in GENERAL:
            if state.registers[name] != Entry(name):
                self.out.clobbers.add(name)
                if name in CALLEE_SAVED:
                    self.problem("saved", f"{name} is not restored on a path to this return", point)
        if DIRTY in state.upper:
            self.problem("upper", "returns without vzeroupper after writing ymm or zmm registers", point)
        self.out.upper |= state.upper
