"""Which general registers may still be read, so that paths are not kept apart for what nobody asks about.

Only a hint: a register that is called dead by mistake costs precision, nothing else."""

import re
from collections import defaultdict

from ..operands import Memory, Register
from .program import Program, Step
from .state import NUMBER, RAX, RCX, RDI, RDX, RSI

# These write their first operand, if it is a register, without reading it.
WRITES = re.compile(
    r"mov(abs|zx|sx|sxd|be|d|q)?|lea|pop|v?(mov(d|q|mskp[sd])|p(extr[bwdq]|movmskb))|kmov[bwdq]|rorx|sh[lr]x|sarx|andn|"
    r"bextr|bzhi|bls\w+|pdep|pext|popcnt|[lt]zcnt|set\w+"
)
ARGUMENTS = sum(1 << NUMBER[name] for name in ("rdi", "rsi", "rdx", "rcx", "r8", "r9"))
IMPLIED = {
    "mul": 1 << RAX, "imul": 1 << RAX, "div": 1 << RAX | 1 << RDX, "idiv": 1 << RAX | 1 << RDX, "mulx": 1 << RDX,
    "cdq": 1 << RAX, "cdqe": 1 << RAX, "cqo": 1 << RAX, "cpuid": 1 << RAX | 1 << RCX, "xgetbv": 1 << RCX,
    "stos": 1 << RAX | 1 << RCX | 1 << RDI, "movs": 1 << RSI | 1 << RCX | 1 << RDI, "jrcxz": 1 << RCX,
}  # fmt: skip


def uses(step: Step) -> tuple[int, int]:
    """Registers read, and registers written without having been read."""
    read, written = IMPLIED.get(step.mnemonic, 0), 0
    words = step.instruction.operands
    clears = step.mnemonic in ("xor", "sub") and len(words) == 2 and words[0] == words[1]
    for n, word in enumerate(words):
        if isinstance(word, Memory):
            for part in (word.base, word.index):
                if part is not None and part.whole in NUMBER:
                    read |= 1 << NUMBER[part.whole]
        elif isinstance(word, Register) and word.whole in NUMBER:
            bit = 1 << NUMBER[word.whole]
            if n == 0 and word.size >= 4 and (clears or WRITES.fullmatch(step.mnemonic)):
                written |= bit
            elif not clears:
                read |= bit
    return read, written


def mark(program: Program) -> None:
    """Set `live` of every step."""
    steps = [step for section in program.sections.values() for step in section.values()]
    after: dict[Step, list[Step]] = {}
    sites: dict[Step, list[Step]] = defaultdict(list)
    for step in steps:
        instruction, following = step.instruction, []
        if step.next is not None and not instruction.is_return and step.mnemonic != "jmp":
            following.append(step.next)
        if isinstance(step.target, Step):
            if instruction.is_call and step.next is not None:
                sites[step.target].append(step.next)
            following.append(step.target)
        after[step] = following
    for entry, returns in sites.items():
        for step in body(entry):
            if step.instruction.is_return:
                after[step] = [*after[step], *returns]
    before = defaultdict(list)
    for step, following in after.items():
        for other in following:
            before[other].append(step)
    known = {step: uses(step) for step in steps}
    work = sorted(steps, key=lambda step: step.number)
    waiting = set(work)
    while work:
        step = work.pop()
        waiting.discard(step)
        read, written = known[step]
        out = 0
        for other in after[step]:
            out |= other.live
        if step.instruction.is_call and not isinstance(step.target, Step) or step.mnemonic == "jmp" and not after[step]:
            read |= ARGUMENTS
        live = read | out & ~written
        if live != step.live:
            step.live = live
            for other in before[step]:
                if other not in waiting:
                    waiting.add(other)
                    work.append(other)


def body(entry: Step) -> set[Step]:
    """What runs from an entry to its returns, without what it calls."""
    found, work = {entry}, [entry]
    while work:
        step = work.pop()
        following = []
        if step.next is not None and not step.instruction.is_return and step.mnemonic != "jmp":
            following.append(step.next)
        if isinstance(step.target, Step) and not step.instruction.is_call:
            following.append(step.target)
        for other in following:
            if other not in found:
                found.add(other)
                work.append(other)
    return found
