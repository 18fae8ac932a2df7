"""Links: the archive goes into position-independent programs of every kind, which run; --gc-sections keeps only what a
program uses."""

import os
import re
import shlex
import subprocess
import tempfile

from .banners import ROOT
from .frame import Report, rule
from .isolation import Reach
from .machine import Build, output

PROGRAM = "tests/compile/small.c"
USES = ("vg_aes_gcm_init", "vg_aes_gcm_seal")
ENTRY_BYTES = 64
CANNOT_RUN = 77  # what the program says of a CPU without the variant's features
STRICT = ["-Wl,-z,text,-z,noexecstack,--fatal-warnings"]
KINDS = {
    "PIE": ["-fPIE", "-pie", *STRICT],
    "static PIE": ["-fPIE", "-static-pie", *STRICT],
}


class Linker:
    def __init__(self, build: Build, folder: str):
        self.build, self.folder = build, folder
        with open(os.path.join(build.folder, "build.ninja"), encoding="utf-8") as file:
            found = re.search(r"^cc = (.*)$", file.read(), re.M)
        self.cc = shlex.split(found[1] if found else "cc")

    def link(self, name: str, *flags: str, with_: str = "") -> tuple[str, str]:
        """The program, linked with the archive or with something else, and what the compiler had to say."""
        path = os.path.join(self.folder, name)
        includes = [f"-I{self.build.folder}/include", f"-I{ROOT}/include"]
        command = [*self.cc, "-std=c11", "-O1", "-ffunction-sections", *includes, *flags, os.path.join(ROOT, PROGRAM)]
        command += ["-o", path, *shlex.split(with_ or shlex.quote(self.build.archive))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return path, "" if not done.returncode else done.stderr.strip() or f"exit status {done.returncode}"


def runs(report: Report, kind: str, path: str) -> None:
    status = subprocess.run([path], check=False).returncode
    if status == CANNOT_RUN:
        report.notes_down(f"SKIPPED: {kind} was linked and not run: this CPU cannot run the variant of this build")
    elif status:
        report.finds("archive", f"linked as {kind}, the program ends with status {status}")


@rule("links", "PIE, static PIE and shared object link without text relocations, and run")
def links(build: Build, report: Report) -> None:
    report.sees("archive")
    with tempfile.TemporaryDirectory() as folder:
        linker = Linker(build, folder)
        for kind, flags in KINDS.items():
            path, wrong = linker.link(kind.replace(" ", "-"), *flags)
            if wrong:
                report.finds("archive", f"does not link as {kind}: {wrong}")
                continue
            stack_and_text(report, kind, path)
            runs(report, kind, path)
        shared_object(build, report, linker)


def shared_object(build: Build, report: Report, linker: Linker) -> None:
    whole = f"-Wl,--whole-archive {shlex.quote(build.archive)} -Wl,--no-whole-archive"
    flags = ["-shared", "-fPIC", "-DONLY_SMALL", "-Wl,-z,defs", *STRICT]
    library, wrong = linker.link("libsmall.so", *flags, with_=whole)
    if wrong:
        report.finds("archive", f"does not link as a shared object: {wrong}")
        return
    stack_and_text(report, "shared object", library)
    exported = re.findall(r" [A-Z] (\S*vg_\S+)$", output("nm", "-D", "--defined-only", library), re.M)
    for name in exported:
        report.finds("archive", f"a shared object that has it exports {name}")
    path, wrong = linker.link("with-library", "-DONLY_MAIN", f"-Wl,-rpath,{linker.folder}", with_=library)
    if wrong:
        report.finds("archive", f"no program links with a shared object that has it: {wrong}")
    else:
        runs(report, "shared object", path)


def stack_and_text(report: Report, kind: str, path: str) -> None:
    if "TEXTREL" in output("readelf", "-dW", path):
        report.finds("archive", f"linked as {kind}, it has text relocations")
    if not re.search(r"GNU_STACK .* RW ", output("readelf", "-lW", path)):
        report.finds("archive", f"linked as {kind}, its stack is executable")


@rule("gc-sections", "a small program that is linked with --gc-sections has nothing but what it uses")
def gc_sections(build: Build, report: Report) -> None:
    report.sees("archive")
    wanted = {build.prefix + name for name in USES} | {build.config.get("VG_CONFIG_SYMBOL", "")}
    reach = Reach(build, wanted)
    with tempfile.TemporaryDirectory() as folder:
        path, wrong = Linker(build, folder).link("small", "-Wl,--gc-sections")
        if wrong:
            report.finds("archive", f"does not link with --gc-sections: {wrong}")
            return
        names = set(re.findall(r"^[0-9a-f]+ \S (\S+)$", output("nm", "--defined-only", path), re.M))
    kept = 0
    for name in sorted(names):
        there = build.global_symbol(name)
        if there is None:
            continue
        kept += 1
        one, symbol = there
        function = one.function_at(symbol.section, symbol.value)
        # A second entry to a body that is used costs next to nothing.
        is_entry = function is not None and not one.is_c and function.end - function.address <= ENTRY_BYTES
        if reach.node(one, symbol.section, symbol.value) not in reach.found and not is_entry:
            report.finds(function or one, f"{name} is kept, and nothing in the program uses it")
    if not wanted & names:
        report.finds("archive", "the small program has none of what it calls")
    total = sum(symbol.is_global and symbol.section != "*UND*" for one in build.objects for symbol in one.symbols)
    report.notes_down(f"gc-sections: init and seal keep {kept} of {total} global names")
