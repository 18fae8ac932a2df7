"""What the tests of tools/check stand on: small archives that break one rule each.

An archive is made of asm and C sources in a folder of its own, with the config.h and config.inc of a real configuration
and a build.ninja that says where its members come from."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))

from machinecheck import checks  # noqa: E402,F401
from machinecheck.frame import check  # noqa: E402
from machinecheck.machine import Build  # noqa: E402

VARIANT = "aesni_pclmul"
CFLAGS = ["-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections", "-DVG_BUILDING"]
CFLAGS += ["-fcf-protection=full", "-fno-jump-tables", "-mno-red-zone"]

# A kernel that breaks no rule.
KERNEL = """; vg_powers_<variant>: nothing at all
;
;   void f(struct vg_aes_gcm *gcm);
;
; In       rdi=gcm
; Out      *gcm
; Secret   *gcm: never in an address or a branch
; Public   pointers
; Needs    ssse3
; Clobber  rax xmm0 flags; the rest stays
; Stack    8 bytes

%include "abi.inc"

FUNCTION NAME(powers)
        push rbx
        xor eax, eax
        pshufb xmm0, xmm0
        pop rbx
        ret
"""


class Case(unittest.TestCase):
    configuration = ("VG_CONTEXT_PREPARED=y",)
    kernel_holds: set[str] = set()

    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory(prefix="vg-check-")
        cls.addClassCleanup(holder.cleanup)
        cls.configured = holder.name
        options = [word for symbol in cls.configuration for word in ("--set", symbol)]
        command = [os.path.join(ROOT, "tools/configure"), "generic_x86_64", "-o", cls.configured, *options]
        subprocess.run(command, check=True, capture_output=True)

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="vg-check-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        shutil.copytree(os.path.join(self.configured, "include"), os.path.join(self.folder, "include"))
        shutil.copy(os.path.join(self.configured, "config.inc"), self.folder)
        self.again()

    def again(self) -> None:
        """Begin an archive."""
        self.rules = ["cc = cc", "nasm = nasm"]
        self.members: list[str] = []
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, "libvg.a"))

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_tool(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def asm(self, text: str, name: str = "powers", variant: str = VARIANT, vex: int = 0) -> None:
        """A member of a variant, from asm."""
        source = self.write(f"{variant}-{name}.asm", text)
        made = os.path.join(self.folder, f"{variant}-{name}.o")
        defines = [f"-DVARIANT={variant}", f"-DVEX={vex}"]
        includes = [f"-I{ROOT}/asm/include/", f"-I{self.folder}/"]
        self.run_tool("nasm", "-f", "elf64", *defines, *includes, source, "-o", made)
        self.rules += [f"build obj/{variant}-{name}.o: nasm $root/{source} ||", f"  defines = {' '.join(defines)}"]
        self.members.append(made)

    def c(self, text: str, name: str = "src-test", *flags: str) -> None:
        """A member from C."""
        source = self.write(f"{name}.c", text)
        made = os.path.join(self.folder, f"{name}.o")
        includes = [f"-I{self.folder}/include", f"-I{ROOT}/include", f"-I{ROOT}/src"]
        self.run_tool("cc", *CFLAGS, *flags, *includes, "-c", source, "-o", made)
        self.rules.append(f"build obj/{name}.o: cc $root/{source} ||")
        self.members.append(made)

    def build(self) -> Build:
        archive = os.path.join(self.folder, "libvg.a")
        self.run_tool("ar", "rcD", archive, *self.members)
        self.write("build.ninja", "\n".join(self.rules) + "\n")
        return Build(self.folder)

    def findings(self, rule: str, *variants: str) -> list[str]:
        """Where variants are named, these are the ones of the build."""
        build = self.build()
        build.variants = list(variants) or build.variants
        return [str(finding) for report in check(build, [rule]) for finding in report.findings]

    def assert_holds(self, rule: str, *variants: str) -> None:
        self.assertEqual(self.findings(rule, *variants), [])

    def assert_finds(self, rule: str, *parts: str, variants: tuple[str, ...] = ()) -> None:
        """Exactly one finding: these parts stand in it in this order, and the rule at its end."""
        found = self.findings(rule, *variants)
        self.assertEqual(len(found), 1, found)
        at = 0
        for part in (*parts, f"[{rule}]"):
            self.assertIn(part, found[0][at:])
            at = found[0].index(part, at) + len(part)

    def assert_kernel(self, rule: str, old: str, new: str, *parts: str) -> None:
        """KERNEL holds the rule; with one piece replaced it does not."""
        self.assertIn(old, KERNEL)
        if rule not in self.kernel_holds:
            self.asm(KERNEL)
            self.assert_holds(rule)
            self.again()
            self.kernel_holds.add(rule)
        self.asm(KERNEL.replace(old, new))
        self.assert_finds(rule, "powers.asm", "vg_powers_aesni_pclmul", *parts)
