"""Instruction gates: a variant's code has no instruction outside of its feature list, and C none above the baseline."""

from .features import needs
from .frame import Report, rule
from .machine import Build, Function

SSE = ("baseline", "ssse3")
AVX2 = (*SSE, "aes", "pclmulqdq", "avx", "avx2", "vaes", "vpclmulqdq")
ALLOWED = {
    "portable": ("baseline",),
    "aesni": (*SSE, "aes"),
    "pclmul": (*SSE, "pclmulqdq"),
    "aesni_pclmul": (*SSE, "aes", "pclmulqdq"),
    "aesni_pclmul_avx": (*SSE, "aes", "pclmulqdq", "avx"),
    "vaes_vpclmul": AVX2,
    "vaes_vpclmul_avx512": (*AVX2, "avx512f", "avx512bw", "avx512vl"),
}
# Run only where it was asked for: XGETBV behind CPUID's OSXSAVE.
PROBES = {"src-cpu.o": {"xsave"}}


def allowed(function: Function) -> frozenset[str]:
    if function.object.is_c:
        return frozenset({"baseline"} | PROBES.get(function.object.name, set()))
    return frozenset(ALLOWED.get(function.variant or "portable", ()))


@rule("instructions", "every instruction belongs to the feature list of its variant; C stays on the x86-64 baseline")
def instructions(build: Build, report: Report) -> None:
    for function in build.functions():
        report.sees(function)
        for instruction in function:
            wanted = needs(instruction)
            if not wanted:
                report.finds(function, "no feature is known for this instruction", instruction)
            missing = sorted(wanted - allowed(function))
            if missing:
                whose = "C" if function.object.is_c else function.variant or "code of no variant"
                report.finds(function, f"needs {' '.join(missing)}, which {whose} may not use", instruction)
