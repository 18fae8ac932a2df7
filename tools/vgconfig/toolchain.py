"""The compiler: that it is there, that it is for x86-64, and which flags it knows. The assembler: that it is nasm."""

import re
import shlex
import shutil
import subprocess

from .common import Mistake


class Compiler:
    def __init__(self, command: str):
        self.command = command
        self.words = shlex.split(command)
        if not self.words or not shutil.which(self.words[0]):
            raise Mistake(f"CC={command}: there is no such compiler")
        answer = self.run("-dumpmachine")
        machine = answer.stdout.strip()
        if answer.returncode or not machine.startswith(("x86_64", "amd64")):
            raise Mistake(f"CC={command}: it compiles for {machine or 'nothing known'}, and vg is for x86-64")

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [*self.words, *arguments]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    def knows(self, *flags: str) -> bool:
        return self.run("-Werror", *flags, "-x", "c", "-c", "/dev/null", "-o", "/dev/null").returncode == 0

    def cet_flags(self, wanted: bool) -> str:
        flag = "-fcf-protection=" + ("full" if wanted else "none")
        if self.knows(flag):
            return flag
        if wanted:
            raise Mistake(f"CC={self.command}: it does not know {flag}, which VG_CET needs")
        return ""

    def size_flags(self) -> str:
        return next((flag for flag in ("-Oz", "-Os") if self.knows(flag)), "")

    def freestanding_flags(self) -> str:
        flags = ["-ffreestanding", "-fno-builtin", "-fno-stack-protector"]
        loops = "-fno-tree-loop-distribute-patterns"  # these would become calls of memcpy and memset
        return " ".join(flags + [loops] * self.knows(loops))

    def without_headers(self) -> list[str]:
        """Flags for a compilation that sees the compiler's own headers and no others."""
        folder = self.run("-print-file-name=include").stdout.strip()
        if not folder.startswith("/"):
            folder = self.run("-print-resource-dir").stdout.strip() + "/include"
        return ["-nostdinc", "-isystem", folder]

    def sanitize_flags(self, sanitizers: str) -> str:
        if not sanitizers:
            return ""
        flags = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g"]
        if not self.knows(*flags):
            raise Mistake(f"CC={self.command}: it does not know -fsanitize={sanitizers}")
        return " ".join(flags)


def check_nasm(command: str) -> None:
    """2.14 is the first that knows the VAES and VPCLMULQDQ instructions in all widths."""
    try:
        answer = subprocess.run([command, "-v"], capture_output=True, text=True, check=False).stdout
    except OSError:
        raise Mistake(f"NASM={command}: there is no such assembler") from None
    version = re.match(r"NASM version (\d+)\.(\d+)", answer)
    if not version or (int(version[1]), int(version[2])) < (2, 14):
        raise Mistake(f"NASM={command}: nasm 2.14 or later is wanted, this is {answer.strip() or 'something else'}")
