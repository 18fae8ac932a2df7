"""Instruction gates: a variant's code has no instruction outside of its feature list, and C none above the baseline."""

import os
import re

from .banners import ROOT
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


def feature_bits() -> dict[str, int]:
    """enum vg_cpu_feature."""
    with open(os.path.join(ROOT, "include/vg/info.h"), encoding="utf-8") as file:
        found = re.findall(r"^    VG_CPU_(\w+) = 1u << (\d+),", file.read(), re.M)
    return {name.lower(): 1 << int(bit) for name, bit in found}


NEEDS_AT = 8  # in struct vg_variant


@rule("asks", "each variant asks the CPU for the features that its code may have, before anything runs")
def asks(build: Build, report: Report) -> None:
    bits = feature_bits()
    for variant in build.variants:
        there = build.global_symbol(f"{build.prefix}vg_variant_{variant}")
        if there is None:
            report.finds("archive", f"there is no vg_variant_{variant}")
            continue
        one, symbol = there
        report.sees(one)
        at = symbol.value + NEEDS_AT
        value = int.from_bytes(build.contents(one, symbol.section)[at : at + 4], "little")
        asked = {name for name, bit in bits.items() if value & bit}
        wanted = set(ALLOWED[variant]) - {"baseline"}
        if asked != wanted:
            asks_for, may_use = " ".join(sorted(asked)) or "nothing", " ".join(sorted(wanted)) or "none"
            report.finds(one, f"it asks for {asks_for}, and may use {may_use}")
