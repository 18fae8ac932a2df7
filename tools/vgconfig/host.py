"""The CPU class of this machine."""

from typing import Optional

# Family 6 of Intel, by model.
INTEL = {
    "westmere": (37, 44, 47),
    "silvermont": (55, 74, 76, 77, 90, 93),
    "goldmont": (92, 95, 122),
    "tremont": (134, 150, 156),
    "gracemont": (190,),
    "sandybridge": (42, 45),
    "ivybridge": (58, 62),
    "haswell": (60, 63, 69, 70),
    "broadwell": (61, 71, 79, 86),
    "skylake": (78, 94, 142, 158, 165, 166),
    "skylake_server": (85,),
    "icelake_server": (106, 108),
    "sapphirerapids": (143, 173, 174, 207),
    "sierraforest": (175,),
}
# AMD, by family and model.
AMD = (
    ("jaguar", 0x16, range(0, 256)),
    ("zen1", 0x17, range(0x00, 0x30)),
    ("zen2", 0x17, range(0x30, 0x100)),
    ("zen3", 0x19, (*range(0x00, 0x10), *range(0x20, 0x60))),
    ("zen4", 0x19, (*range(0x10, 0x20), *range(0x60, 0x100))),
    ("zen5", 0x1A, range(0, 256)),
)
# A machine to build on is no firmware image: all functions, however many bytes they have.
EVERY_FUNCTION = tuple(f"VG_{name}=y" for name in ("SPLIT", "CHAIN", "STREAM", "BURST", "BLOCKS", "SELF_TEST")) + ("VG_STREAM_SLICES=8", "VG_TEXT_BUDGET=0")
AES = {"aes", "pclmulqdq", "ssse3"}
AVX2 = AES | {"avx", "avx2"}
VAES = AVX2 | {"vaes", "vpclmulqdq"}
AVX512 = {"avx512f", "avx512bw", "avx512vl"}
# What a class promises. A hypervisor or a fused-off part may withhold it.
FLAGS = {
    "sandybridge": AES | {"avx"},
    "ivybridge": AES | {"avx"},
    "jaguar": AES | {"avx"},
    "haswell": AVX2,
    "broadwell": AVX2,
    "skylake": AVX2,
    "zen1": AVX2,
    "zen2": AVX2,
    "skylake_server": AVX2 | AVX512,
    "gracemont": VAES,
    "sierraforest": VAES,
    "zen3": VAES,
    "icelake_server": VAES | AVX512,
    "sapphirerapids": VAES | AVX512,
    "zen4": VAES | AVX512,
    "zen5": VAES | AVX512,
}


def class_of(vendor: str, family: int, model: int) -> Optional[str]:
    if vendor == "GenuineIntel" and family == 6:
        return next((name for name, models in INTEL.items() if model in models), None)
    if vendor == "AuthenticAMD":
        return next((name for name, f, models in AMD if family == f and model in models), None)
    return None


def detect(path: str = "/proc/cpuinfo") -> tuple[str, str]:
    """The defconfig for this machine, and a line that says why."""
    fields: dict[str, str] = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.strip():
                    break
                key, _, value = line.partition(":")
                fields[key.strip()] = value.strip()
    except OSError:
        pass
    model_name = fields.get("model name", "an unknown CPU")
    try:
        name = class_of(fields["vendor_id"], int(fields["cpu family"]), int(fields["model"]))
    except (KeyError, ValueError):
        name = None
    if name is None:
        return "generic_x86_64", f"{model_name} is of no class that is known here: generic defaults"
    withheld = FLAGS.get(name, AES) - set(fields.get("flags", "").split())
    if withheld:
        without = " ".join(sorted(withheld))
        return "generic_x86_64", f"{model_name} looks like {name} without {without}: generic defaults"
    return name, f"{model_name} is {name}"


