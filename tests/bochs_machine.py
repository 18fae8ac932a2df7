"""Images and static Linux programs under Bochs, which has models of CPUs with VAES and AVX-512.

No BIOS and no kernel boots: the ROM of tests/bochs/reset.asm enters an image that lies in memory already, as PVH says.
Programs run under tests/bochs/supervisor.c, which is such an image."""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))

from vgconfig.toolchain import Compiler  # noqa: E402

BARE, HERE = (os.path.join(ROOT, "tests", name) for name in ("baremetal", "bochs"))
LINK = f"-Wl,-T,{BARE}/link.ld,--fatal-warnings,--gc-sections,--build-id=none,-z,noexecstack"
INSTALLED = shutil.which("bochs") is not None
TIME_LIMIT = 600
MEMORY, HANDOVER, MEMORY_END = 1 << 20, 96 << 20, 128 << 20  # as in tests/bochs/reset.asm
INFO, MODULES, LINE, FILES = HANDOVER + 8, HANDOVER + 64, HANDOVER + 256, HANDOVER + 4096
PVH_MAGIC, PVH_VERSION = 0x336EC578, 1
LOADED = 1  # a segment's type
# Time is counted in instructions. The display is a terminal that nobody looks at; others want a screen or a port.
CONFIGURATION = """\
plugin_ctrl: unmapped=1, biosdev=0, extfpuirq=0, gameport=0, iodebug=0, parallel=0, speaker=0
config_interface: textconfig
display_library: term
cpu: model={model}, count=1, ips=20000000, reset_on_triple_fault=0
clock: sync=none
memory: guest=128, host=128
romimage: file=rom
optramimage1: file=memory, address={memory:#x}
com1: enabled=1, mode=file, dev=output
com2: enabled=1, mode=file, dev=messages
pci: enabled=0
log: log
panic: action=fatal
error: action=ignore
info: action=ignore
"""
COMMANDS = "continue\nquit\n"  # of the debugger, which Debian's Bochs has


def call(*command: str) -> None:
    """A command that has nothing to say."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode or done.stdout:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}exit status {done.returncode}")


def read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def laid_out(image: bytes, line: str, files: Iterable[bytes]) -> list[tuple[int, bytes]]:
    """What lies where in memory when the image starts: its segments, and what PVH hands over."""
    entry, headers = struct.unpack_from("<QQ", image, 24)
    size, count = struct.unpack_from("<HH", image, 54)
    parts = []
    for header in range(headers, headers + size * count, size):
        kind, _, offset, _, address, length = struct.unpack_from("<IIQQQQ", image, header)
        if kind == LOADED:
            parts.append((address, image[offset : offset + length]))
    place, modules = FILES, b""
    for file in files:
        modules += struct.pack("<QQQQ", place, len(file), 0, 0)
        parts.append((place, file))
        place += (len(file) + 4095) & -4096
    info = struct.pack("<IIIIQQ", PVH_MAGIC, PVH_VERSION, 0, len(modules) // 32, MODULES, LINE)
    parts += [(HANDOVER, struct.pack("<Q", entry)), (INFO, info), (MODULES, modules), (LINE, line.encode() + b"\0")]
    assert place <= MEMORY_END and LINE + len(line) < FILES
    return parts


class Done:
    """What a machine printed, and how it ended."""

    def __init__(self, folder: str, problem: str):
        self.problem = problem
        self.text, self.messages = (
            read(os.path.join(folder, name)).decode(errors="replace").replace("\r", "") for name in ("output", "messages")
        )
        status = re.search(r"^exit status (\d+)$", self.messages, re.M)
        self.status = int(status[1]) if status else None  # of a program; None of an image, and where it did not end
        self.told = "\n".join(part for part in (self.text, self.messages, problem) if part)


class Bochs:
    """The ROM and the supervisor, built in a folder."""

    def __init__(self, folder: str):
        self.rom, self.supervisor = os.path.join(folder, "rom"), os.path.join(folder, "supervisor")
        compiler = Compiler(os.environ.get("CC", "cc"))
        flags = "-std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -mgeneral-regs-only -fno-pie -mno-red-zone".split()
        start, system_call, supervisor = (os.path.join(folder, f"{n}.o") for n in ("start", "system_call", "supervisor"))
        call("nasm", "-f", "bin", "-Werror", f"{HERE}/reset.asm", "-o", self.rom)
        call("nasm", "-f", "elf64", "-Werror", f"{BARE}/start.asm", "-o", start)
        call("nasm", "-f", "elf64", "-Werror", f"{HERE}/system_call.asm", "-o", system_call)
        source = f"{HERE}/supervisor.c"
        call(*compiler.words, *flags, *compiler.freestanding_flags().split(), "-c", source, "-o", supervisor)
        call(*compiler.words, "-nostdlib", "-static", LINK, start, system_call, supervisor, "-o", self.supervisor)

    def boot(self, model: str, image: str, line: str = "", files: Iterable[bytes] = (), limit: float = TIME_LIMIT) -> Done:
        """An image on a CPU of this model; `bochs --help cpu` lists them."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(self.rom, os.path.join(folder, "rom"))
            with open(os.path.join(folder, "memory"), "wb") as file:
                for place, data in laid_out(read(image), line, files):
                    file.seek(place - MEMORY)
                    file.write(data)
            for name, text in (("bochsrc", CONFIGURATION.format(model=model, memory=MEMORY)), ("commands", COMMANDS)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            command = ["bochs", "-q", "-f", "bochsrc", "-rc", "commands"]
            terminal = {**os.environ, "TERM": "vt100"}
            try:
                done = subprocess.run(
                    command, cwd=folder, env=terminal, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, check=False
                )
            except subprocess.TimeoutExpired:
                return Done(folder, f"no end after {limit:.0f} s")
            said = (done.stdout + done.stderr).decode(errors="replace")
            last = re.search(r"exiting with the following message:\s+(.*)", said)
            said = last[1] if last else said
            return Done(folder, "" if "shutdown requested" in said else said)

    def run(
        self,
        model: str,
        program: str,
        *arguments: str,
        xcr0: str | None = None,
        environment: Iterable[str] = (),
        limit: float = TIME_LIMIT,
    ) -> Done:
        """A static Linux program. Without xcr0, all the vector state that the CPU has is switched on."""
        strings = ["".join(f"{word}\0" for word in words).encode() for words in ((program, *arguments), environment)]
        line = "" if xcr0 is None else f"xcr0={xcr0}"
        return self.boot(model, self.supervisor, line, [read(program), *strings], limit)
