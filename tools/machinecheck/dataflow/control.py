"""Where paths part and meet: branches, calls, returns, and moves under a condition."""

from . import conditions, values
from .conditions import condition
from .general import on
from .interpreter import EQUAL, FEW, MANY, Code, Interpreter, Stop, Tags, every
from .program import Data, Step, Unknown
from .state import RCX, RSP, STACK, Flags, State
from .values import TOP, Region, Value, number

CONDITIONS = (
    "e z ne nz b c nae ae nc nb be na a nbe l nge ge nl le ng g nle s ns o no p np pe po".split()
)  # fmt: skip
RETURN = Value("return", 0, 0, 0)  # the return address of the function itself


def allowed(m: Interpreter, name: str) -> bool:
    """Whether flags that depend on a secret may be looked at: they are the verdict of a comparison of tags."""
    f = m.state.flags
    return m.verdict and f.verdict != "" and name in (f.verdict, conditions.OPPOSITE[f.verdict])


def looks(m: Interpreter, name: str) -> None:
    """A branch on a condition."""
    if not m.state.flags.secret:
        return
    if not allowed(m, name):
        m.finds(m.step, "branch", "the branch depends on a secret")
        raise Stop
    m.verdicts.add(m.step)


@on(*(f"j{name}" for name in CONDITIONS))
def branch(m: Interpreter, step: Step) -> bool:
    name = condition(step.mnemonic[1:])
    looks(m, name)
    decided = conditions.holds(name, m.state.flags)
    if m.state.flags.secret:  # no longer: the verdict is public
        m.state.flags = m.state.flags._replace(secret=False)
        decided = None
    return both(m, step, name, decided)


def both(m: Interpreter, step: Step, name: str, decided: object) -> bool:
    if not isinstance(step.target, Step) or step.next is None:
        raise Unknown(f"a branch to {step.target}")
    f = m.state.flags
    for taken, to in ((True, step.target), (False, step.next)):
        if decided is not None and decided != taken:
            continue
        state = m.state.copy() if taken and decided is None else m.state
        one = name if taken else conditions.OPPOSITE[name]
        if decided is None:
            if not conditions.learn(one, state):
                continue
            if f.verdict and one == "e" and f.left is not None:
                settle(state, f.left)
        for each in parted(state, f, decided is not None):
            m.meet(to, each)
    return True


def settle(state: State, register: int) -> None:
    """Where the tags are equal, what was looked at is known."""
    v = state.value[register]
    if isinstance(v.base, Tags):
        state.secret[register] = 0
        state.value[register] = number(v.hi) if v.base is EQUAL else values.ZERO


def parted(state: State, f: Flags, decided: bool) -> list[State]:
    """A register that was looked at and may have few values gets a path for each; one with many is not followed."""
    states = [state]
    looked_at = {f.left, f.right, f.result} - {None}
    if decided and isinstance(f.a.base, Region) and f.kind == "compare":
        walks_along(state, f.a.base)
    # Of two registers, one is as a rule an index that is still on its way to the other.
    few = not decided and f.right is None
    for register in looked_at:
        v = state.value[register]
        if v.base is not None and not isinstance(v.base, Region):
            continue
        if v.constant:
            split = decided or v.split
            for one in states:
                if split and v.base is None:
                    walks_along(one, STACK)
                one.value[register] = v._replace(split=split)
        elif few and values.bounded(v) and (v.hi - v.lo) // v.step < (MANY if register == f.result else FEW):
            for one in states:
                walks_along(one, STACK)
            states = [
                with_value(one, register, v._replace(lo=n, hi=n, step=0, split=True))
                for one in states
                for n in range(v.lo, v.hi + 1, v.step)
            ]
        elif v.split:
            for one in states:
                one.value[register] = v._replace(split=False)
    return states


def walks_along(state: State, base: Region) -> None:
    """Pointers that go with a register whose values have paths of their own."""
    for n, v in enumerate(state.value):
        if v.base is base and v.constant and n != RSP:
            state.value[n] = v._replace(split=True)
    for at, (size, v) in state.slots.items():
        if v.base is base and v.constant:
            state.slots[at] = size, v._replace(split=True)


def with_value(state: State, register: int, value: Value) -> State:
    one = state.copy()
    one.value[register] = value
    return one


@on("jrcxz", "jecxz", "loop", "loope", "loopne")
def branch_on_count(m: Interpreter, step: Step) -> bool:
    if m.state.secret[RCX] or step.mnemonic in ("loope", "loopne") and m.state.flags.secret:
        m.finds(step, "branch", "the branch depends on a secret")
        raise Stop
    if step.mnemonic.startswith("loop"):
        m.state.set(RCX, 0, values.add(m.state.value[RCX], number(-1)))
    if not isinstance(step.target, Step) or step.next is None:
        raise Unknown(f"a branch to {step.target}")
    for to in (step.target, step.next):
        m.meet(to, m.state.copy())
    return True


@on(*(f"set{name}" for name in CONDITIONS))
def set_on(m: Interpreter, step: Step) -> None:
    name = condition(step.mnemonic[3:])
    (a,) = step.operands
    f = m.state.flags
    secret = f.secret
    if secret and allowed(m, name):
        m.verdicts.add(step)
        secret = False
    decided = conditions.holds(name, f)
    m.write(a, int(secret), values.between(0, 1) if decided is None else number(int(decided)))


@on(*(f"cmov{name}" for name in CONDITIONS))
def move_on(m: Interpreter, step: Step) -> None:
    name = condition(step.mnemonic[4:])
    to, source = step.operands
    (s, x), (t, y) = m.read(to), m.read(source)
    f = m.state.flags
    if f.secret:
        public = allowed(m, name)
        if public:
            m.verdicts.add(step)
        m.write(to, s | t if public else every(to.size), values.join(x, y))
        return
    decided = conditions.holds(name, f)
    if decided is not None:
        m.write(to, *((t, y) if decided else (s, x)))
        return
    # A path for each outcome, so that a second move on the same flags agrees with this one.
    before = m.state
    for one, moved in ((name, True), (conditions.OPPOSITE[name], False)):
        m.state = before.copy()
        if not conditions.learn(one, m.state):
            continue
        m.state.flags = m.state.flags._replace(holds=one)
        t, y = m.read(source) if moved else m.read(to)
        m.write(to, t, y)
        m.forks.append(m.state)


# Calls.


@on("jmp")
def jump(m: Interpreter, step: Step) -> bool:
    if step.instruction.target is not None:
        targets = [step.target]
    else:
        targets = indirect(m, step)
    summaries = [(target, m.summaries(target)) if m.summaries else (target, None) for target in targets]
    before = m.state
    for target, summary in summaries:
        m.state = before.copy()
        if summary is not None:
            summary(m, step)
            go_back(m, step)
        elif isinstance(target, Step):
            m.meet(target, m.state)
        else:
            raise Unknown(f"a jump to {target}")
    return True


@on("call")
def call(m: Interpreter, step: Step) -> bool:
    targets = [step.target] if step.instruction.target is not None else indirect(m, step)
    if step.next is None:
        raise Unknown("a call at the end of the code")
    before = m.state
    for target in targets:
        m.state = before.copy()
        summary = m.summaries(target) if m.summaries else None
        if summary is not None:
            push_return(m, step)
            summary(m, step)
            go_back(m, step)
        elif isinstance(target, Step):
            push_return(m, step)
            if len(m.state.calls) > 20:
                raise Unknown("calls more than 20 deep")
            m.meet(target, m.state)
        else:
            raise Unknown(f"a call of {target}")
    return True


def push_return(m: Interpreter, step: Step) -> None:
    m.state.set(RSP, 0, values.add(m.state.value[RSP], number(-8)))
    m.store(m.state.value[RSP], 8, 0, Value(Code(frozenset({step.next})), 0, 0, 0))
    m.state.calls += (step.next,)


def indirect(m: Interpreter, step: Step) -> list:
    secret, value = m.read(step.operands[0])
    if secret:
        m.finds(step, "branch", "the target depends on a secret")
        raise Stop
    if isinstance(value.base, Data):
        return picked(m, value, value.base)
    if not isinstance(value.base, Code) or value.base.relative is not None:
        raise Unknown("an indirect jump without a known table")
    return sorted(value.base.targets, key=lambda target: getattr(target, "number", 0))


def picked(m: Interpreter, value: Value, code: Data) -> list:
    """One of two functions of a section, as a build without tables picks between the forms of an operation."""
    if code.object is None or value.lo + (value.step or 1) < value.hi:
        raise Unknown("an indirect jump without a known table")
    section = code.name.removeprefix(f"{code.object.name}(").removesuffix(")")
    steps = [m.program.at(code.object, section, address) for address in sorted({value.lo, value.hi})]
    if None in steps:
        raise Unknown("an indirect jump to where no instruction begins")
    return steps


@on("ret")
def leave_function(m: Interpreter, step: Step) -> bool:
    if step.operands:
        raise Unknown("a return that takes arguments away")
    return go_back(m, step)


def go_back(m: Interpreter, step: Step) -> bool:
    state = m.state
    secret, value = m.load(state.value[RSP], 8)
    state.set(RSP, 0, values.add(state.value[RSP], number(8)))
    if not state.calls:
        if value is not RETURN and value != RETURN:
            raise Unknown("returns, but not to where its caller wants")
        m.leaves(step, state)
        return True
    to = state.calls[-1]
    if secret or not isinstance(value.base, Code) or value.base.targets != frozenset({to}):
        raise Unknown("returns, but not to where its caller wants")
    state.calls = state.calls[:-1]
    m.meet(to, state)
    return True
