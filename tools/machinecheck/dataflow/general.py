"""What general-purpose instructions do to values, secrets and flags, and which of their operands take time."""

from collections.abc import Callable
from typing import Optional

from . import conditions, values
from .interpreter import DIFFERENT, EQUAL, RECEIVED, Code, Handler, Interpreter, Stop, Tags, every
from .program import Constant, General, Place, Step, Unknown
from .state import RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, STACK, UNKNOWN, Flags
from .values import TOP, Region, Value, number

HANDLERS: dict[str, Handler] = {}


def on(*mnemonics: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for name in mnemonics:
            assert name not in HANDLERS, name
            HANDLERS[name] = handler
        return handler

    return register


def smear(secret: int, size: int) -> int:
    """Every byte of the result depends on every byte."""
    return every(size) if secret else 0


def carried(secret: int, size: int) -> int:
    """Sums and products: a byte depends on those below it."""
    return every(size) & -(secret & -secret)


# Moves.


@on("mov", "movabs", "movnti")
def move(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    m.write(to, *m.read(source))


@on("movzx")
def extend(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    m.write(to, *m.read(source))


@on("movsx", "movsxd", "cbw", "cwde", "cdqe")
def extend_sign(m: Interpreter, step: Step) -> None:
    size = {"cbw": 1, "cwde": 2, "cdqe": 4}.get(step.mnemonic)
    to, source = (General(RAX, 2 * size, 0), General(RAX, size, 0)) if size else step.operands
    secret, value = m.read(source)
    if source.size < to.size and secret >> source.size - 1:
        secret |= every(to.size) & ~every(source.size)
    if not isinstance(value.base, (Tags, Code)):
        value = values.signed(value, source.size)
    m.write(to, secret, value)


@on("cwd", "cdq", "cqo")
def spread_sign(m: Interpreter, step: Step) -> None:
    size = {"cwd": 2, "cdq": 4, "cqo": 8}[step.mnemonic]
    secret, value = m.read(General(RAX, size, 0))
    value = values.signed(value, size)
    m.write(General(RDX, size, 0), smear(secret, size), number(-1 if value.hi < 0 else 0) if value.hi < 0 or value.lo >= 0 else TOP)


@on("lea")
def lea(m: Interpreter, step: Step) -> None:
    to, place = step.operands
    value = m.address(place, leaks=False)
    secret = 0
    for register in (place.base, place.index):
        if register is not None:
            secret |= m.state.secret[register]
    m.write(to, smear(secret, to.size), value)


@on("xchg")
def exchange(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    if a == b and a.size != 4:
        return  # a nop
    first, second = m.read(a), m.read(b)
    m.write(a, *second)
    m.write(b, *first)


@on("xadd")
def exchange_add(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    (s, x), (t, _) = m.read(a), m.read(b)
    m.write(b, s, x)
    m.write(a, smear(s | t, a.size))
    set_flags(m, s | t, "unknown")


@on("bswap")
def swap_bytes(m: Interpreter, step: Step) -> None:
    (a,) = step.operands
    secret, value = m.read(a)
    mirrored = sum(1 << a.size - 1 - n for n in range(a.size) if secret >> n & 1)
    if value.base is None and value.constant:
        bits = value.lo & every(8 * a.size)
        m.write(a, mirrored, number(int.from_bytes(bits.to_bytes(a.size, "little"), "big"), value.split))
    else:
        m.write(a, mirrored)


@on("movbe")
def move_swapped(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    secret, _ = m.read(source)
    m.write(to, sum(1 << to.size - 1 - n for n in range(to.size) if secret >> n & 1))


# Arithmetic.


def set_flags(m: Interpreter, secret: int, kind: str, a: Value = TOP, b: Value = TOP, size: int = 8,
              left: object = None, right: object = None, result: object = None, verdict: str = "") -> None:  # fmt: skip
    def held(word: object, at_least: int) -> Optional[int]:
        return word.register if type(word) is General and not word.low and word.size >= at_least else None

    m.state.flags = Flags(bool(secret), kind, a, b, held(left, 1), held(right, 1), held(result, 4), size, verdict)


@on("add", "sub", "cmp")
def add(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    (s, x), (t, y) = m.read(a), m.read(b)
    size = a.size
    if step.mnemonic == "add":
        value = table_entry(m, x, y) or (values.multiply(x, 2) if a == b else values.add(x, y))
        m.write(a, carried(s | t, size), value)
        set_flags(m, s | t, "result", values.truncate(value, size), TOP, size, result=a)
        return
    verdict = ""
    if isinstance(x.base, Tags) or isinstance(y.base, Tags):
        verdict = compared_tags(x, y, size)
    if step.mnemonic == "cmp":
        set_flags(m, s | t, "compare", x, y, size, left=a, right=b, verdict=verdict)
        return
    if a == b and type(a) is General:
        m.write(a, 0, values.ZERO)
        set_flags(m, 0, "compare", values.ZERO, values.ZERO, size)
        return
    m.write(a, carried(s | t, size), values.subtract(x, y))
    set_flags(m, s | t, "compare", x, y, size, right=b if b != a else None, result=a, verdict=verdict)


def table_entry(m: Interpreter, x: Value, y: Value) -> Optional[Value]:
    """The address of code that a jump table's entry and the table's own address make."""
    if isinstance(y.base, Code):
        x, y = y, x
    if not isinstance(x.base, Code) or x.base.relative is None or y.base is not x.base.relative or not y.constant:
        return None
    table = x.base.relative
    where = [m.program.symbol(table.object, symbol, addend - at + y.lo) for symbol, addend, at in x.base.targets]
    steps = {found and m.program.at(*found) for found in where}
    if None in steps:
        raise Unknown("a jump table that leads out of the code")
    return Value(Code(frozenset(steps)), 0, 0, 0)


def compared_tags(x: Value, y: Value, size: int) -> str:
    """The condition that says that two tags are equal."""
    if isinstance(y.base, Tags):
        x, y = y, x
    if x.base is EQUAL and y.constant and y.base is None and (y.lo & every(8 * size)) == x.hi & every(8 * size):
        return "e"
    return "e" if x.base is DIFFERENT and y == values.ZERO or x.base is RECEIVED else ""


@on("adc", "sbb", "adcx", "adox")
def add_carry(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    (s, x), (t, y) = m.read(a), m.read(b)
    f = m.state.flags
    secret = s | t | f.secret
    if step.mnemonic == "sbb" and a == b and type(a) is General:
        secret, x, y = int(f.secret), values.ZERO, values.ZERO
    known = conditions.holds("b", f) if step.mnemonic in ("adc", "sbb") else None
    value = TOP
    if known is not None:
        carry_in = number(int(known))
        if step.mnemonic == "adc":
            value = values.add(values.add(x, y), carry_in)
        else:
            value = values.subtract(values.subtract(x, y), carry_in)
    m.write(a, smear(secret, a.size), value)
    set_flags(m, secret, "unknown")


@on("inc", "dec", "neg", "not")
def unary(m: Interpreter, step: Step) -> None:
    (a,) = step.operands
    s, x = m.read(a)
    if step.mnemonic == "not":
        if x.base is EQUAL:
            m.write(a, s, Value(DIFFERENT, 0, x.hi, 1) if x.hi == every(8 * a.size) else TOP)
        else:
            m.write(a, s, values.subtract(number(-1), x) if x.base is None else TOP)
        return
    value = values.negate(x) if step.mnemonic == "neg" else values.add(x, number(1 if step.mnemonic == "inc" else -1))
    value = values.truncate(value, a.size)
    m.write(a, carried(s, a.size), value)
    secret = s | m.state.flags.secret if step.mnemonic != "neg" else s  # inc and dec leave the carry
    set_flags(m, secret, "result", value, TOP, a.size, result=a)


@on("and", "or", "xor", "test")
def logic(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    name, size = step.mnemonic, a.size
    if name == "xor" and a == b:
        m.write(a, 0, values.ZERO)
        set_flags(m, 0, "compare", values.ZERO, values.ZERO, size)
        return
    (s, x), (t, y) = m.read(a), m.read(b)
    secret = s | t
    value = logic_value(name, x, y, size, a == b)
    if name in ("and", "test") and y.base is None and y.constant:
        kept = sum(1 << n for n in range(size) if y.lo >> 8 * n & 255)
        secret &= kept
    if name == "or" and y == number(-1):
        secret = 0
    verdict = "e" if value.base is DIFFERENT else ""
    if name == "test":
        same = a if a == b else None
        if same is None and x.base is None and y.base is None and y.constant and y.lo > 0:
            return set_flags(m, secret, "bits", x, y, size, left=a)
        set_flags(m, secret, "compare", value if same is None else x, values.ZERO, size, left=same, verdict=verdict)
        return
    if name == "and" and isinstance(x.base, Region) and x.constant and y.constant and y.base is None and size == 8:
        return align(m, a, x, y)
    m.write(a, secret, value)
    set_flags(m, secret, "compare", values.truncate(value, size), values.ZERO, size, left=a, verdict=verdict)


def logic_value(name: str, x: Value, y: Value, size: int, same: bool) -> Value:
    if isinstance(x.base, Tags) or isinstance(y.base, Tags):
        if same:
            return x
        return tags_value(name, x, y, size)
    if name in ("and", "test"):
        return x if same else values.bit_and(x, y, size)
    if x.base is None and y.base is None and x.constant and y.constant:
        n = x.lo ^ y.lo if name == "xor" else x.lo | y.lo
        return number(n & every(8 * size), x.split or y.split)
    if same:
        return x
    if x.base is None and y.base is None:
        x, y = values.unsigned(x, size), values.unsigned(y, size)
        return values.between(0, (1 << max(x.hi, y.hi).bit_length()) - 1)
    return TOP


def tags_value(name: str, x: Value, y: Value, size: int) -> Value:
    """What becomes of the comparison of two tags: all ones xor all ones is 0, differences add up."""
    if isinstance(y.base, Tags) and not isinstance(x.base, Tags):
        x, y = y, x
    if name == "xor":
        if x.base is EQUAL and y.base is None and y.constant and y.lo & every(8 * size) == x.hi:
            return Value(DIFFERENT, 0, x.hi, 1)
        if x.base in (RECEIVED, DIFFERENT):
            return Value(DIFFERENT, 0, every(8 * size), 1)
    if name == "or" and x.base is DIFFERENT and y.base is DIFFERENT:
        return x
    return TOP


def align(m: Interpreter, a: General, x: Value, y: Value) -> None:
    """rsp is 8 modulo 16 at the entry; what it is modulo more, each on a path of its own."""
    unit = -y.lo
    if unit <= 0 or unit & unit - 1 or unit > (64 if x.base is STACK else x.base.alignment):
        m.write(a, 0)
        m.state.flags = UNKNOWN
        return
    if x.base is not STACK:
        m.write(a, 0, x._replace(lo=x.lo & y.lo, hi=x.lo & y.lo))
        m.state.flags = UNKNOWN
        return
    known = m.state.alignment
    alignments = [known] if known is not None else [8] if unit <= 16 else [8, 24, 40, 56]
    for alignment in alignments:
        state = m.state.copy()
        if unit > 16:
            state.alignment = alignment
        at = x.lo - (alignment + x.lo) % unit
        state.set(a.register, 0, Value(STACK, at, at, 0))
        state.flags = UNKNOWN
        m.forks.append(state)


# Shifts. A count in cl takes time on some processors.


def count(m: Interpreter, word: object) -> Optional[int]:
    secret, value = m.read(word)
    if secret:
        m.finds(m.step, "operand", "a shift count depends on a secret")
        raise Stop
    return value.lo if value.base is None and value.constant else None


@on("shl", "sal", "shr", "sar", "rol", "ror", "rcl", "rcr")
def shift(m: Interpreter, step: Step) -> None:
    a = step.operands[0]
    name, size = step.mnemonic, a.size
    n = count(m, step.operands[1]) if len(step.operands) > 1 else 1
    secret, x = m.read(a)
    flags = m.state.flags
    value = TOP
    if n is not None:
        n &= 63 if size == 8 else 31
        if n == 0:
            return
        secret = moved(name, secret, n, size)
        if name in ("shl", "sal"):
            value = values.truncate(values.multiply(x, 1 << n), size)
        elif name == "shr":
            value = values.shift_right(x, n, size)
        elif name == "sar":
            s = values.signed(x, size)
            value = values.truncate(values.between(s.lo >> n, s.hi >> n, 1, None, s.split), size)
    else:
        secret = smear(secret, size)
        if name == "shr":
            value = values.between(0, values.unsigned(x, size).hi) if x.base is None else TOP
    if name in ("rcl", "rcr"):
        secret = smear(secret | flags.secret, size)
    m.write(a, secret, value)
    sets = n is not None and name[0] == "s"
    set_flags(m, secret or flags.secret and not sets, "result" if sets else "unknown", value, TOP, size, result=a)


def moved(name: str, secret: int, n: int, size: int) -> int:
    """Which bytes are secret after a shift by n bits."""
    low, high = n // 8, -(-n // 8)
    if name in ("shl", "sal"):
        return (secret << low | secret << high) & every(size)
    if name == "shr":
        return secret >> low | secret >> high
    if name == "sar":
        return secret >> low | secret >> high | (every(size) & -(1 << size - high) if secret >> size - 1 and high <= size else 0)
    return smear(secret, size)


@on("shld", "shrd")
def shift_double(m: Interpreter, step: Step) -> None:
    a, b, by = step.operands
    count(m, by)
    secret = m.read(a)[0] | m.read(b)[0]
    m.write(a, smear(secret, a.size))
    set_flags(m, secret, "unknown")


@on("shlx", "shrx", "sarx", "rorx")
def shift_into(m: Interpreter, step: Step) -> None:
    to, a, by = step.operands
    n = count(m, by)
    secret, x = m.read(a)
    value = TOP
    if n is not None:
        n &= 63 if to.size == 8 else 31
        if step.mnemonic == "shlx":
            value = values.truncate(values.multiply(x, 1 << n), to.size)
        elif step.mnemonic == "shrx":
            value = values.shift_right(x, n, to.size)
    m.write(to, smear(secret, to.size), value)


@on("bt", "bts", "btr", "btc")
def bit_test(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    if type(a) is Place and type(b) is not Constant:
        raise Unknown("a bit of memory at a distance")
    secret = m.read(a)[0] | m.read(b)[0]
    if step.mnemonic != "bt":
        m.write(a, smear(secret, a.size))
    set_flags(m, secret, "unknown")


# Multiplication, division, counting bits.


@on("mul", "imul")
def multiply(m: Interpreter, step: Step) -> None:
    words = step.operands
    if len(words) == 1:
        (a,) = words
        secret = m.read(a)[0] | m.read(General(RAX, a.size, 0))[0]
        if a.size == 1:
            m.write(General(RAX, 2, 0), smear(secret, 2))
        else:
            m.write(General(RAX, a.size, 0), carried(secret, a.size))
            m.write(General(RDX, a.size, 0), smear(secret, a.size))
    else:
        to, a, b = words if len(words) == 3 else (words[0], *words)
        (s, x), (t, y) = m.read(a), m.read(b)
        secret = s | t
        value = values.multiply(x, y.lo) if y.constant and y.base is None else TOP
        m.write(to, carried(secret, to.size), value)
    set_flags(m, secret, "unknown")


@on("mulx")
def multiply_into(m: Interpreter, step: Step) -> None:
    high, low, a = step.operands
    secret = m.read(a)[0] | m.read(General(RDX, a.size, 0))[0]
    m.write(low, smear(secret, low.size))
    m.write(high, smear(secret, high.size))


@on("div", "idiv")
def divide(m: Interpreter, step: Step) -> None:
    (a,) = step.operands
    size = a.size
    secret = m.read(a)[0] | m.read(General(RAX, size, 0))[0] | (m.read(General(RDX, size, 0))[0] if size > 1 else 0)
    if secret:
        m.finds(step, "operand", "a division of secrets takes time that depends on them")
        raise Stop
    quotient = remainder = TOP
    parts = [m.read(word)[1] for word in (a, General(RAX, size, 0))]
    if step.mnemonic == "div" and size > 1 and m.read(General(RDX, size, 0))[1] == values.ZERO:
        by, number_of = (values.unsigned(part, size) for part in parts)
        if by.constant and number_of.constant and by.lo and all(part.base is None for part in parts):
            split = by.split or number_of.split
            quotient, remainder = (number(n, split) for n in divmod(number_of.lo, by.lo))
    m.write(General(RAX, max(size, 2), 0), 0, quotient)
    if size > 1:
        m.write(General(RDX, size, 0), 0, remainder)
    m.state.flags = UNKNOWN


@on("andn", "bextr", "bzhi", "blsi", "blsr", "blsmsk", "popcnt", "lzcnt", "tzcnt")
def bits(m: Interpreter, step: Step) -> None:
    to, *sources = step.operands
    secret = 0
    for source in sources:
        secret |= m.read(source)[0]
    m.write(to, smear(secret, to.size))
    set_flags(m, secret, "unknown")


@on("pdep", "pext", "bsf", "bsr")
def slow_bits(m: Interpreter, step: Step) -> None:
    """Microcode with a loop, on some processors."""
    to, *sources = step.operands
    if any(m.read(source)[0] for source in sources):
        m.finds(step, "operand", f"{step.mnemonic} takes time that depends on a secret")
        raise Stop
    kept = m.read(to)[0] if step.mnemonic in ("bsf", "bsr") else 0  # where the source is 0
    m.write(to, smear(kept, to.size))
    m.state.flags = UNKNOWN


# The stack.


@on("push")
def push(m: Interpreter, step: Step) -> None:
    (a,) = step.operands
    secret, value = m.read(a)
    m.state.set(RSP, 0, values.add(m.state.value[RSP], number(-8)))
    m.store(m.state.value[RSP], 8, secret, value)


@on("pop")
def pop(m: Interpreter, step: Step) -> None:
    (a,) = step.operands
    secret, value = m.load(m.state.value[RSP], 8)
    m.state.set(RSP, 0, values.add(m.state.value[RSP], number(8)))
    m.write(a, secret, value)


@on("leave")
def leave(m: Interpreter, step: Step) -> None:
    m.state.set(RSP, m.state.secret[RBP], m.state.value[RBP])
    secret, value = m.load(m.state.value[RSP], 8)
    m.state.set(RSP, 0, values.add(m.state.value[RSP], number(8)))
    m.state.set(RBP, secret, value)


# The rest.


@on("nop", "endbr64", "pause", "lfence", "mfence", "sfence", "cld", "emms",
    "prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw")  # fmt: skip
def nothing(m: Interpreter, step: Step) -> None:
    if step.mnemonic.startswith("prefetch"):
        m.address(step.operands[0])


@on("stc", "clc")
def carry(m: Interpreter, step: Step) -> None:
    m.state.flags = Flags(m.state.flags.secret, "carry", number(step.mnemonic == "stc"))


@on("ud2", "int3", "hlt")
def trap(m: Interpreter, step: Step) -> None:
    raise Stop


@on("cpuid", "xgetbv", "rdtsc")
def processor(m: Interpreter, step: Step) -> None:
    if step.mnemonic != "rdtsc" and (m.state.secret[RAX] | m.state.secret[RCX]):
        m.finds(step, "operand", f"{step.mnemonic} of a secret")
        raise Stop
    for register in (RAX, RDX) if step.mnemonic != "cpuid" else (RAX, RBX, RCX, RDX):
        m.write(General(register, 8, 0), 0, values.between(0, every(32)))


@on("stos", "movs")
def string(m: Interpreter, step: Step) -> None:
    state, size = m.state, step.operands[0].size
    repeated = bool(step.instruction.prefixes)
    if any(prefix != "rep" for prefix in step.instruction.prefixes):
        raise Unknown(f"{' '.join(step.instruction.prefixes)} {step.mnemonic}")
    times = state.value[RCX] if repeated else number(1)
    if repeated and state.secret[RCX]:
        m.finds(step, "count", "the count of a repeated instruction depends on a secret")
        raise Stop
    if state.secret[RDI] or step.mnemonic == "movs" and state.secret[RSI]:
        m.finds(step, "address", "the address depends on a secret")
        raise Stop
    length = values.multiply(values.unsigned(times, 8), size)
    if step.mnemonic == "stos":
        secret = smear(state.secret[RAX] & every(size), 1)
    else:
        secret = block_secret(m, state.value[RSI], length)
        state.set(RSI, 0, values.add(state.value[RSI], length))
    fill(m, state.value[RDI], length, secret)
    state.set(RDI, 0, values.add(state.value[RDI], length))
    if repeated:
        state.set(RCX, 0, values.ZERO)


def block_secret(m: Interpreter, pointer: Value, length: Value) -> int:
    """Whether length bytes there have a secret among them."""
    if length == values.ZERO:
        return 0
    if isinstance(pointer.base, Region) and pointer.base.size is None:
        return int(bool(m.load(pointer, 1)[0]))
    if not values.bounded(length) or length.hi > 1 << 16:
        return 1
    if pointer.base is not STACK:
        return int(bool(m.load(pointer, max(length.hi, 1))[0]))
    return int(any(m.load(values.add(pointer, number(n)), 1)[0] for n in range(length.hi)))


def fill(m: Interpreter, pointer: Value, length: Value, secret: int) -> None:
    """Write length bytes, all secret or none."""
    if length == values.ZERO:
        return
    if isinstance(pointer.base, Region) and pointer.base.size is None:
        m.store(pointer, 1, secret)
        return
    if not values.bounded(length) or length.hi > 1 << 16 or length.lo < 0:
        raise Unknown(f"{length} bytes written at {pointer}")
    if pointer.base is not STACK:
        m.store(pointer, max(length.hi, 1), secret)
        return
    if length.lo:
        m.store(pointer, length.lo, every(length.lo) if secret else 0)
    for n in range(length.lo, length.hi):
        m.store(values.add(pointer, number(n)), 1, secret, TOP, maybe=True)
