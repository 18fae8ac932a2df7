"""The defconfigs as files, their headings, and the budget of text. What they build is for tests/check_boards."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(ROOT, "tools")]

from board_table import AVX, BOARDS, CLASSES, NEEDS, VAES, VERIFIED, best  # noqa: E402
from vgconfig import budget  # noqa: E402


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def defconfig(name: str) -> str:
    return read(f"configs/{name}_defconfig")


class Files(unittest.TestCase):
    def test_there_is_one_for_each(self):
        names = {name.removesuffix("_defconfig") for name in os.listdir(os.path.join(ROOT, "configs"))}
        self.assertEqual(names, {*CLASSES, *BOARDS, "generic_x86_64", "tiny", "minimal"})

    def test_a_board_is_its_class_and_a_comment(self):
        for board, of_class in BOARDS.items():
            comment = "".join(re.findall(r"^#(?! VG_).*\n", defconfig(board), re.M))
            self.assertTrue(comment, board)
            self.assertEqual(defconfig(board), comment + defconfig(of_class), board)
            self.assertEqual("# unverified: " in comment, board not in VERIFIED, board)

    def test_a_class_is_its_target(self):
        for name in CLASSES:
            lines = [line for line in defconfig(name).splitlines() if not line.startswith("VG_TEXT_BUDGET=")]
            self.assertEqual(lines, [f"VG_TARGET_{name.upper()}=y"])

    def test_the_readme_has_every_board(self):
        rows = dict(re.findall(r"^\| [^|]+ \| [^|]+ \| `(\w+)` \| `(\w+)`[^|]* \|$", read("README.md"), re.M))
        self.assertEqual(rows, {board: CLASSES[of_class].variant for board, of_class in BOARDS.items()})

    def test_the_table_of_this_test(self):
        """best() picks as the rules say, so that what is compared with it means something."""
        every = list(NEEDS)
        self.assertEqual(best(every, CLASSES["zen5"].features), "vaes_vpclmul_avx512")
        self.assertEqual(best(every, CLASSES["icelake_server"].features, avoid_zmm=True), "vaes_vpclmul")
        self.assertEqual(best(every, "ssse3 aes avx avx2 vaes"), "aesni")
        self.assertEqual(best(every, VAES.replace(" avx2", "")), "aesni_pclmul_avx")
        self.assertEqual(best(["vaes_vpclmul_avx512"], CLASSES["zen4"].features, avoid_zmm=True), "vaes_vpclmul_avx512")
        self.assertEqual(best(every, AVX.replace("ssse3 ", "")), "portable")
        self.assertIsNone(best(["aesni_pclmul_avx"], CLASSES["goldmont"].features))
        for name, cpu in CLASSES.items():
            if name != "skylake_server":
                self.assertEqual(best(every, cpu.features), cpu.variant, name)


class Builds(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="vg-")
        self.addCleanup(holder.cleanup)
        self.folder = os.path.join(holder.name, "build")

    def run_in(self, *command: str) -> subprocess.CompletedProcess:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    def configure(self, *arguments: str) -> None:
        done = self.run_in("tools/configure", "-o", self.folder, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def ninja(self, *targets: str, status: int = 0) -> str:
        done = self.run_in("ninja", "-C", self.folder, *targets)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def config(self, name: str = ".config") -> str:
        return read(os.path.join(self.folder, name))

    def test_a_heading_stays_with_its_configuration(self):
        self.configure("netgate_4200")
        heading = "".join(line for line in defconfig("netgate_4200").splitlines(True) if line.startswith("#"))
        self.assertTrue(self.config().startswith(heading))
        self.configure("--set", "VG_WIPE=n")
        self.ninja("olddefconfig", "savedefconfig")
        self.assertTrue(self.config().startswith(heading))
        self.assertEqual(self.config("defconfig"), defconfig("netgate_4200") + "# VG_WIPE is not set\n")
        self.ninja("alldefconfig")
        self.assertNotIn("Netgate", self.config())

    def test_minimal_is_allnoconfig(self):
        self.configure("minimal")
        config = self.config()
        self.ninja("allnoconfig")
        self.assertEqual(self.config(), config)

    def test_budget(self):
        """One byte too few: no archive, and the largest functions by name and size. As many as there are: an archive."""
        archive = os.path.join(self.folder, "libvg.a")
        self.configure("tiny", "--set", "VG_TEXT_BUDGET=0")
        self.ninja("libvg.a")
        text = budget.text_len(archive)
        self.assertEqual(text, self.text_of_objects())
        largest = budget.functions(archive)[0]
        self.assertGreater(largest.size, 500)
        self.assertEqual(sum(function.size for function in budget.functions(archive)), text)
        for prefix in ("", "fw_"):
            self.configure("tiny", "--set", f"VG_TEXT_BUDGET={text - 1}", "--set", f'VG_SYMBOL_PREFIX="{prefix}"')
            said = self.ninja("libvg.a", status=1)
            self.assertIn(f"{text:,} bytes of text, 1 more than VG_TEXT_BUDGET={text - 1} allows", said)
            self.assertRegex(said, rf"\n +{largest.size}  ({prefix})?{largest.name} in {largest.member}\n")
            self.assertFalse(os.path.exists(archive))
            self.configure("--set", f"VG_TEXT_BUDGET={text}")
            self.ninja("libvg.a")
            self.assertTrue(os.path.exists(archive))

    def text_of_objects(self) -> int:
        """By another tool: the allocated, executable sections that readelf lists."""
        listing = self.run_in("readelf", "-SW", os.path.join(self.folder, "libvg.a")).stdout
        return sum(int(size, 16) for size in re.findall(r"PROGBITS +\w+ \w+ (\w+) \w+ +AX ", listing))

    def test_unlimited_where_nobody_asks(self):
        self.configure("generic_x86_64", "--set", "VG_TEXT_BUDGET=0")
        self.assertNotIn("vgconfig.budget", self.config("build.ninja"))


if __name__ == "__main__":
    unittest.main()
