"""Where the members of the library's structures lie, as the headers and asm/include/layout.inc have it in one build."""

import os
import re
import subprocess
import tempfile

from .. import Mistake
from ..banners import ROOT, Banners
from ..machine import Build

MEMBERS = {
    "vg_aes_gcm": ("power", "rounds", "variant", "prepared", "calls", "round_key"),
    "vg_aes_gcm_stream": ("run", "mask", "aad_len", "len", "gcm", "state"),
    "vg_run": ("counter", "y", "block", "keystream"),
    "vg_slice": ("data", "len"),
    "vg_segment": ("src", "dst", "len"),
    "vg_packet": ("gcm", "nonce", "aad", "aad_len", "src", "dst", "len", "tag", "status"),
}
# What layout.inc calls the same.
OF_KERNELS = {"GCM_ROUNDS": "rounds", "GCM_ROUND_KEY": "round_key"}


class Layout:
    """Bytes of each structure, and the offsets of its members."""

    def __init__(self, sizes: dict[str, int], members: dict[str, dict[str, int]]):
        self.sizes, self.members = sizes, members


def compiler(build: Build) -> str:
    with open(os.path.join(build.folder, "build.ninja"), encoding="utf-8") as file:
        found = re.search(r"^cc = (.*)$", file.read(), re.M)
    return found[1] if found else "cc"


def is_gcc(build: Build) -> bool:
    done = subprocess.run(f"{compiler(build)} --version", shell=True, capture_output=True, text=True, check=False)
    return "Free Software Foundation" in done.stdout


def of_headers(build: Build) -> Layout:
    """The compiler of the build is asked."""
    words = [f"sizeof(struct {name})" for name in MEMBERS]
    words += [f"offsetof(struct {name}, {member})" for name, members in MEMBERS.items() for member in members]
    # Every number is there one greater: a zero would not be printed as a number.
    source = "#include <stddef.h>\n#include <vg/vg.h>\nconst unsigned long long layout[] = {"
    source += ", ".join(f"{word} + 1" for word in words) + "};\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layout.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        command = f'{compiler(build)} -S -o - -I"{build.folder}/include" -I"{ROOT}/include" "{path}"'
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    numbers = [int(n) - 1 for n in re.findall(r"\.quad\s+(\d+)", done.stdout)]
    if done.returncode or len(numbers) != len(words):
        raise Mistake(f"{command}: {done.stderr.strip()}")
    sizes = dict(zip(MEMBERS, numbers))
    rest = iter(numbers[len(MEMBERS) :])
    return Layout(sizes, {name: {member: next(rest) for member in members} for name, members in MEMBERS.items()})


def differences(build: Build, all_of: Banners, layout: Layout) -> list[str]:
    """Where layout.inc and the header disagree."""
    kernels = [one for one in build.objects if one.source.endswith("/init.asm")]
    if not kernels:
        return []
    found = []
    for name, value in zip(OF_KERNELS, all_of.numbers(kernels[0], list(OF_KERNELS))):
        member = OF_KERNELS[name]
        if value != layout.members["vg_aes_gcm"][member]:
            found.append(f"layout.inc has {member} at {value}, aes_gcm.h at {layout.members['vg_aes_gcm'][member]}")
    return found
