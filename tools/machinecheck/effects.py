"""What an instruction writes: whole registers, flags, memory. Every mnemonic that features.py knows is covered, by the
rule that the first operand is the destination, and the exceptions to it below."""

from .features import names
from .machine import Instruction
from .operands import Memory, Register

CALLEE_SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
CALLER_SAVED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
GENERAL = (*CALLER_SAVED, *CALLEE_SAVED)

READS_ONLY = set(
    names(
        """
        cmp test bt push j{cc} jmp jrcxz jecxz call ret nop endbr64 ptest vptest ud2 hlt int3 pause prefetcht{0,1,2}
        prefetchnta prefetchw clflush ldmxcsr vtestps vtestpd cmc clc stc cld std sahf lfence mfence sfence
        kortest{b,w,d,q} ktest{b,w,d,q} vzeroupper vzeroall rdtsc cpuid xgetbv
        """
    )
)
BOTH = {"xchg", "xadd", "mulx"}
IMPLIED = {
    "cpuid": ("rax", "rbx", "rcx", "rdx"), "xgetbv": ("rax", "rdx"), "rdtsc": ("rax", "rdx"),
    "div": ("rax", "rdx"), "idiv": ("rax", "rdx"), "mul": ("rax", "rdx"),
    "cdqe": ("rax",), "cwde": ("rax",), "cbw": ("rax",), "cdq": ("rdx",), "cqo": ("rdx",), "cwd": ("rdx",),
    "cmpxchg": ("rax",), "cmpxchg8b": ("rax", "rdx"), "cmpxchg16b": ("rax", "rdx"), "lahf": ("rax",),
    "push": ("rsp",), "pop": ("rsp",), "call": ("rsp",), "ret": ("rsp",),
    "leave": ("rsp", "rbp"), "enter": ("rsp", "rbp"),
    "loop": ("rcx",), "loope": ("rcx",), "loopne": ("rcx",), "xlat": ("rax",),
}  # fmt: skip
STRINGS = {
    "movs": ("rsi", "rdi"), "stos": ("rdi",), "lods": ("rsi", "rax"), "scas": ("rdi",), "cmps": ("rsi", "rdi"),
}  # fmt: skip
ONE_OPERAND = {"mul", "div", "idiv"}

KEEPS_FLAGS = set(
    names(
        """
        mov movabs mov{zx,sx,sxd} lea push pop xchg bswap cdq cdqe cqo cwde cbw cwd not jmp j{cc} call ret leave nop
        endbr64
        set{cc} cmov{cc} rorx shlx shrx sarx mulx pdep pext movbe lahf jrcxz jecxz cpuid xgetbv rdtsc pause
        lfence mfence sfence loop loope loopne enter xlat
        """
    )
)
NO_FLAGS = set(
    names("prefetcht{0,1,2} prefetchnta prefetchw clflush ldmxcsr stmxcsr vzeroupper vzeroall ud2 hlt int3 movnti")
)
VECTOR_FLAGS = set(names("ptest vptest vtest{ps,pd} kortest{b,w,d,q} ktest{b,w,d,q} pcmpestri pcmpistri"))


def is_string(instruction: Instruction) -> bool:
    """Not the movsd of doubles."""
    return instruction.mnemonic in STRINGS and not any(
        isinstance(word, Register) and word.is_vector for word in instruction.operands
    )


def written_registers(instruction: Instruction) -> set[str]:
    """Whole registers: rax, zmm3, k1."""
    mnemonic = instruction.mnemonic
    found = set(IMPLIED.get(mnemonic, ()))
    if is_string(instruction):
        found |= set(STRINGS[mnemonic])
        return found | ({"rcx"} if any(p.startswith("rep") for p in instruction.prefixes) else set())
    if mnemonic in ("vzeroall",):
        return {f"zmm{n}" for n in range(16)}
    if mnemonic in READS_ONLY or (mnemonic in ONE_OPERAND):
        return found
    if mnemonic == "imul" and len(instruction.operands) == 1:
        return {"rax", "rdx"}
    written = instruction.operands[: 2 if mnemonic in BOTH else 1]
    return found | {word.whole for word in written if isinstance(word, Register)}


def widest_written(instruction: Instruction) -> int:
    """Bytes of the widest vector register written, 0 if none."""
    if instruction.mnemonic in READS_ONLY:
        return 0
    first = instruction.operands[:1]
    return max((word.size for word in first if isinstance(word, Register) and word.is_vector), default=0)


def written_memory(instruction: Instruction) -> list[Memory]:
    if instruction.mnemonic in READS_ONLY or instruction.mnemonic in ONE_OPERAND or instruction.mnemonic == "lea":
        return []
    written = instruction.operands[: 2 if instruction.mnemonic in BOTH else 1]
    return [word for word in written if isinstance(word, Memory)]


def read_or_written_memory(instruction: Instruction) -> list[Memory]:
    """lea and nop touch none."""
    if instruction.mnemonic in ("lea", "nop"):
        return []
    return [word for word in instruction.operands if isinstance(word, Memory)]


def writes_flags(instruction: Instruction) -> bool:
    mnemonic = instruction.mnemonic
    if mnemonic in VECTOR_FLAGS:
        return True
    if mnemonic in KEEPS_FLAGS or (is_string(instruction) and mnemonic not in ("scas", "cmps")):
        return False
    if mnemonic in NO_FLAGS:
        return False
    return not any(isinstance(word, Register) and (word.is_vector or word.is_mask) for word in instruction.operands)
