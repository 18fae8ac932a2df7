"""A copy of the source tree, so that a test may edit it, configure it and build it.

Needs no kconfiglib itself: whatever python runs this, tools/configure finds its own."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = ("Kconfig", "LICENSE", "build.ninja.in", "asm", "configs", "include", "src", "tools")
# So that setup does not have to look for it every time.
PYTHON = subprocess.check_output([os.path.join(HERE, "tools/setup"), "--python"], text=True).strip()
PATH = os.path.dirname(PYTHON) + ":" + os.environ["PATH"]
FAST = ("--cflags", "-O0")  # where it does not matter what the compiler makes of the sources
QUICK = (*FAST, "--set", "VG_TEXT_BUDGET=0")
PROGRAM = """
#include <stdio.h>
#include <vg/vg.h>
int main(void)
{
    struct vg_aes_gcm gcm;
    unsigned char key[16] = {0}, nonce[12] = {0}, text[5] = "word", tag[16];
    if (vg_aes_gcm_init(&gcm, key, 16) || vg_aes_gcm_seal(&gcm, nonce, 12, NULL, 0, text, 5, tag))
        return 1;
    puts(vg_variant_name(&gcm));
    return 0;
}
"""


class Run:
    """A finished command, none of which may ever show a traceback."""

    def __init__(self, *command: str, cwd: str, env: dict = {}, user=None):
        unset = ("CC", "NASM", "AR", "NM", "OBJCOPY", "PREFIX", "LIBDIR", "INCLUDEDIR", "DATADIR", "DESTDIR", "DISPLAY",
                 "NINJA_STATUS", "SOURCE_DATE_EPOCH")
        clean = {name: value for name, value in {**os.environ, "PATH": PATH}.items() if name not in unset}
        result = subprocess.run(
            command, cwd=cwd, env={**clean, **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True, user=user
        )
        self.status, self.out, self.err = result.returncode, result.stdout, result.stderr
        self.text = self.out + self.err
        if "Traceback" in self.text:
            raise AssertionError(f"{command}:\n{self.text}")

    def ran(self) -> list[str]:
        """What ninja did, by the descriptions of its steps."""
        return re.findall(r"^\[\d+/\d+\] (.*)$", self.out, re.M)


class Tree(unittest.TestCase):
    """Each test has its own copy of the sources."""

    user = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="vg-")
        self.addCleanup(holder.cleanup)
        self.top = holder.name
        self.tree = os.path.join(self.top, "tree")
        os.mkdir(self.tree)
        for part in filter(lambda part: os.path.exists(os.path.join(HERE, part)), PARTS):
            source, target = os.path.join(HERE, part), os.path.join(self.tree, part)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)

    def path(self, name: str) -> str:
        return os.path.join(self.tree, name)

    def read(self, name: str) -> str:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name: str, text: str) -> None:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def run_in(self, *command: str, **env: str) -> Run:
        return Run(*command, cwd=self.tree, env=env, user=self.user)

    def configure(self, *arguments: str, **env: str) -> Run:
        run = self.run_in("tools/configure", *arguments, **env)
        self.assertEqual(run.status, 0, run.text)
        return run

    def free_portable(self):
        """Give the portable variant a prompt of its own, so that the last variant can be switched off."""
        text = self.read("src/Kconfig")
        prompt = re.search(r"config VG_VARIANT_PORTABLE\n(\tbool .*\n)", text).group(1)
        self.edit("src/Kconfig", prompt, '\tbool "Portable"\n')

    def refused(self, *arguments: str, **env: str) -> str:
        """The one line that a mistake gets, or several if it has several."""
        run = self.run_in("tools/configure", *arguments, **env)
        self.assertEqual(run.status, 1, run.text)
        self.assertTrue(run.err.startswith("configure: "), run.err)
        return run.err

    def ninja(self, *arguments: str, directory: str = "build", fails: bool = False, **env: str) -> Run:
        run = self.run_in("ninja", "-C", directory, *arguments, **env)
        self.assertEqual(run.status != 0, fails, run.text)
        return run

    def build(self, *arguments: str, directory: str = "build", **env: str) -> Run:
        self.configure("-o", directory, *arguments, **env)
        return self.ninja("libvg.a", directory=directory)

    def config(self, directory: str = "build") -> dict[str, str]:
        return dict(re.findall(r"^#define (VG_\w+) (.*)$", self.read(f"{directory}/include/vg/config.h"), re.M))

    def symbols(self, kinds: str, archive: str = "build/libvg.a") -> set[str]:
        run = self.run_in("nm", archive)
        return {line.split()[-1] for line in run.out.splitlines() if re.search(rf"(^| )[{kinds}] ", line)}
