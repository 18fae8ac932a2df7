"""tools/check --banners: what Needs, Clobber and Stack would have to say of each kernel."""

import re

from .banners import Banners
from .features import needs
from .machine import Build, Function
from .shared import banners, flow

ORDER = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", *(f"r{n}" for n in range(8, 16))]


def ranges(prefix: str, numbers: list[int]) -> list[str]:
    """xmm0-xmm3 xmm7."""
    found: list[str] = []
    for number in numbers:
        if found and number - 1 in numbers:
            found[-1] = re.sub(r"-.*|$", f"-{prefix}{number}", found[-1], count=1)
        else:
            found.append(f"{prefix}{number}")
    return found


def clobbered(function: Function, build: Build) -> str:
    summary = flow(build).of(function)
    vector = "zmm" if "avx512" in (function.variant or "") else "ymm" if "vaes" in (function.variant or "") else "xmm"
    words = [name for name in ORDER[:7] if name in summary.clobbers]
    for prefix, name in (("r", "r"), ("zmm", vector), ("k", "k")):
        numbers = sorted(int(c[len(prefix) :]) for c in summary.clobbers if re.fullmatch(rf"{prefix}\d+", c))
        words += ranges(name, numbers)
    return " ".join(words + ["flags"] * summary.flags)


def suggestion(function: Function, build: Build, all_of: Banners) -> str:
    used: set[str] = set()
    for point in flow(build).reaches(function):
        used |= needs(flow(build).calls.code[point])
    form = all_of.split(function)[1]
    depth = flow(build).of(function).depth
    return (
        f"{function.object.file}: {function.name}\n"
        f"; Needs    {' '.join(sorted(used - {'baseline'})) or 'none'}\n"
        f"; Clobber  {clobbered(function, build)}\n"
        f"; Stack    {form + ' ' if form else ''}{depth} bytes\n"
    )


def suggestions(build: Build) -> str:
    all_of = banners(build)
    kernels = [f for f in build.functions() if f.is_global and not f.object.is_c]
    return "\n".join(suggestion(function, build, all_of) for function in kernels)
