"""What each defconfig should ship and what stands in for its CPUs: written down here, without a look at Kconfig."""

import functools
import re
from typing import NamedTuple

SSE = "ssse3 aes pclmulqdq"
AVX = SSE + " avx"
AVX2 = AVX + " avx2"
VAES = AVX2 + " vaes vpclmulqdq"
AVX512 = " avx512f avx512bw avx512vl"

# Best first.
NEEDS = {
    "vaes_vpclmul_avx512": VAES + AVX512,
    "vaes_vpclmul": VAES,
    "aesni_pclmul_avx": AVX,
    "aesni_pclmul": SSE,
    "pclmul": "ssse3 pclmulqdq",
    "aesni": "ssse3 aes",
    "portable": "",
}


class CpuClass(NamedTuple):
    variant: str  # the one that it ships
    features: str  # what its CPUs have
    vendor: str
    family: int
    models: tuple[int, ...]  # one CPU model or more
    stand_in: str | None  # qemu's model; None where it has none with these features


INTEL, AMD = "GenuineIntel", "AuthenticAMD"
CLASSES = {
    "westmere": CpuClass("aesni_pclmul", SSE, INTEL, 6, (44, 37), "Westmere"),
    "silvermont": CpuClass("aesni_pclmul", SSE, INTEL, 6, (77, 76), "Westmere"),
    "goldmont": CpuClass("aesni_pclmul", SSE, INTEL, 6, (95, 122), "Denverton"),
    "tremont": CpuClass("aesni_pclmul", SSE, INTEL, 6, (134, 150, 156), "Snowridge"),
    "gracemont": CpuClass("vaes_vpclmul", VAES, INTEL, 6, (190,), None),
    "sandybridge": CpuClass("aesni_pclmul_avx", AVX, INTEL, 6, (42, 45), "SandyBridge"),
    "ivybridge": CpuClass("aesni_pclmul_avx", AVX, INTEL, 6, (58, 62), "IvyBridge"),
    "haswell": CpuClass("aesni_pclmul_avx", AVX2, INTEL, 6, (60, 63), "Haswell"),
    "broadwell": CpuClass("aesni_pclmul_avx", AVX2, INTEL, 6, (86, 79), "Broadwell"),
    "skylake": CpuClass("aesni_pclmul_avx", AVX2, INTEL, 6, (94, 142, 158), "Skylake-Client"),
    "skylake_server": CpuClass("aesni_pclmul_avx", AVX2 + AVX512, INTEL, 6, (85,), "Skylake-Server"),
    "icelake_server": CpuClass("vaes_vpclmul_avx512", VAES + AVX512, INTEL, 6, (106, 108), None),
    "sapphirerapids": CpuClass("vaes_vpclmul_avx512", VAES + AVX512, INTEL, 6, (143, 207, 173), None),
    "sierraforest": CpuClass("vaes_vpclmul", VAES, INTEL, 6, (175,), None),
    "jaguar": CpuClass("aesni_pclmul_avx", AVX, AMD, 0x16, (48,), "Opteron_G4"),
    "zen1": CpuClass("aesni_pclmul_avx", AVX2, AMD, 0x17, (1,), "EPYC"),
    "zen2": CpuClass("aesni_pclmul_avx", AVX2, AMD, 0x17, (49, 96), "EPYC-Rome"),
    "zen3": CpuClass("vaes_vpclmul", VAES, AMD, 0x19, (1, 33), None),
    "zen4": CpuClass("vaes_vpclmul_avx512", VAES + AVX512, AMD, 0x19, (17, 97), None),
    "zen5": CpuClass("vaes_vpclmul_avx512", VAES + AVX512, AMD, 0x1A, (2, 17), None),
}
# Models on which a careful choice is not for zmm registers; family 6 of Intel.
AVOID_ZMM = (85, 106, 108, 125, 126, 140, 141)

BOARDS = {
    "pcengines_apu2": "jaguar",
    "netgate_6100": "goldmont",
    "netgate_4200": "gracemont",
    "netgate_1541": "broadwell",
    "netgate_8300": "icelake_server",
    "protectli_fw4b": "silvermont",
    "protectli_fw6": "skylake",
    "protectli_vp2410": "goldmont",
    "protectli_vp2420": "tremont",
    "protectli_v1410": "tremont",
    "generic_n100": "gracemont",
    "supermicro_a2sdi": "goldmont",
    "supermicro_x10sdv": "broadwell",
    "supermicro_x11sdv": "skylake_server",
    "supermicro_x12sdv": "icelake_server",
    "supermicro_m11sdv": "zen1",
}
# Boards whose CPU is a fact from a data sheet. The others say so in their defconfigs.
VERIFIED = ("pcengines_apu2", "netgate_6100", "protectli_fw4b", "protectli_fw6", "protectli_vp2420")

# The most bytes of text that an archive should have: with one variant, and others.
ONE_VARIANT = 16384
BUDGETS = {"generic_x86_64": 65536, "tiny": 6144}

# What the emulator's models have; max has VAES without VPCLMULQDQ, and the last four only a hypervisor makes.
MODELS = {
    "qemu64": "",
    "Nehalem": "ssse3",
    "Westmere": SSE,
    "Denverton": SSE,
    "Snowridge": SSE,
    "SandyBridge": AVX,
    "IvyBridge": AVX,
    "Opteron_G4": AVX,
    "Haswell": AVX2,
    "Broadwell": AVX2,
    "Skylake-Client": AVX2,
    "EPYC": AVX2,
    "EPYC-Rome": AVX2,
    "Skylake-Server": AVX2,
    "Icelake-Server": AVX2 + " vaes",
    "max": AVX2 + " vaes",
    "Haswell,-xsave": SSE,
    "max,-avx": SSE,
    "EPYC,-avx2": AVX,
}


def best(variants: list[str], features: str, avoid_zmm: bool = False) -> str | None:
    """The one of these variants that such a CPU should use; None if it can run none."""
    able = [v for v in NEEDS if v in variants and set(NEEDS[v].split()) <= set(features.split())]
    preferred = [v for v in able if not (avoid_zmm and v.endswith("avx512"))]
    return (preferred or able or [None])[0]


@functools.cache
def own_features() -> str:
    """What this CPU has, as the kernel tells it, and not our own detection."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(re.search(r"^flags\s*: (.*)$", file.read(), re.M)[1].split())
    return " ".join(name for name in NEEDS["vaes_vpclmul_avx512"].split() if name in flags)
