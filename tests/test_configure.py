"""The configuration system, from a mistyped symbol to an archive."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

from tree_case import FAST, HERE, PYTHON, QUICK, Run, Tree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "tools"))

from vgconfig import host  # noqa: E402

with open(os.path.join(HERE, "src/Kconfig"), encoding="utf-8") as file:
    VARIANTS = re.findall(r"^config VG_VARIANT_(\w+)$", file.read(), re.M)
NO_VARIANTS = [word for name in VARIANTS for word in ("--set", f"VG_VARIANT_{name}=n")]
BYTES_OF_C = {"memcpy", "memset", "memmove", "memcmp"}


class Mistakes(Tree):
    def test_names(self):
        self.assertRegex(self.refused("goldmond"), r"goldmond: no such defconfig.*did you mean goldmont\?\n.*zen5")
        self.assertRegex(self.refused("nowhere/at/all"), r"no such defconfig or file\nconfigs/ has: .*westmere")
        self.assertRegex(self.refused("src"), "src: a directory")
        self.assertRegex(self.refused("--merge", "absent"), "absent: cannot read: No such file")
        self.assertRegex(self.refused("--host", "zen3"), "exclude each other")
        self.assertRegex(self.refused("--hots"), "unrecognized arguments: --hots; see tools/configure --help")
        self.write("binary", "\0")
        with open(self.path("binary"), "wb") as file:
            file.write(b"\xff\xfe")
        self.assertRegex(self.refused("binary"), "binary: not a text file")

    def test_directories(self):
        self.write("file", "")
        self.assertRegex(self.refused("-o", "file"), "file: not a directory")
        self.assertRegex(self.refused("-o", "file/below"), "cannot make this directory: Not a directory")
        self.assertRegex(self.refused("-o", "/proc/vg"), "/proc/vg: cannot make this directory")
        self.assertRegex(self.refused("-o", "."), "this is the source tree")
        self.write("build/build.ninja/in-the-way", "")
        self.assertRegex(self.refused(), "build.ninja: cannot write: Is a directory")

    def test_unwritable(self):
        """As somebody else than root, who may write everywhere."""
        os.mkdir(self.path("locked"), 0o555)
        os.chmod(self.top, 0o755)
        self.user = 65534 if os.geteuid() == 0 else None
        self.assertRegex(self.refused("-o", "locked"), "locked: cannot write there")
        self.assertRegex(self.refused("-o", "locked/below"), "locked/below: cannot make this directory: Permission")

    def test_symbols(self):
        self.assertRegex(self.refused("--set", "VG_AES129=y"), r"no symbol VG_AES129; did you mean VG_AES")
        self.assertRegex(self.refused("--set", "CONFIG_VG_OPEN=y"), "did you mean VG_OPEN")
        self.assertRegex(self.refused("--set", "VG_OPEN"), "'VG_OPEN' is not of the form")
        self.assertRegex(self.refused("--set", "VG_OPEN=maybe"), "VG_OPEN=maybe: y or n is wanted")
        self.assertRegex(self.refused("--set", 'VG_SYMBOL_PREFIX="a'), "the quotes do not match")
        self.assertRegex(self.refused("--set", "VG_SYMBOL_PREFIX=1a-"), '"1a-" cannot begin a name')
        adaptive = ("--set", "VG_CONTEXT_ADAPTIVE=y", "--set")
        self.assertRegex(self.refused(*adaptive, "VG_AESNI_PCLMUL_PREPARED_AFTER=0"), "is 1?[0-9]*, its range is 1 to 65535")
        self.assertRegex(self.refused(*adaptive, "VG_AESNI_PCLMUL_PREPARED_AFTER=x"), "a decimal number is wanted")
        self.assertFalse(os.path.exists(self.path("build")))

    def test_dependencies(self):
        err = self.refused("--set", "VG_OPEN=n", "--set", "VG_TRUNCATED_TAGS=y")
        self.assertRegex(err, r"VG_TRUNCATED_TAGS=y does not hold: it is n, it depends on VG_OPEN \(=n\)")
        err = self.refused("--set", "VG_CONTEXT_BASE=y", "--set", "VG_POWERS_8=y")
        self.assertRegex(err, r"VG_POWERS_8=y does not hold: .*!VG_CONTEXT_BASE \(=y\)")
        self.assertRegex(self.refused("--set", "VG_POWERS=8"), "has no prompt")
        err = self.refused("tiny", "--set", "VG_AES128=n")
        self.assertRegex(err, r"changed only if VG_AES192 \(=n\) \|\| VG_AES256 \(=n\)")
        err = self.refused("--set", "VG_CONTEXT_BASE=y", "--set", "VG_CONTEXT_ADAPTIVE=y")
        self.assertRegex(err, "VG_CONTEXT_BASE=y does not hold: .*VG_CONTEXT_ADAPTIVE is chosen instead")
        err = self.refused("--set", "VG_FREESTANDING=y", "--set", "VG_CPU_FEATURES=y")
        self.assertRegex(err, r"VG_HOSTED \(=n\) && VG_DISPATCH_RUNTIME \(=y\)")
        err = self.refused("tiny", "--set", "VG_AES128=n", "--set", "VG_AESNI_PCLMUL_PREPARED_AFTER=9")
        self.assertEqual(err.count("does not hold"), 2)

    def test_thresholds(self):
        """Copying below one length and sealing from two places from another on leave room between them."""
        pair = "VG_AESNI_PCLMUL_SPLIT_FROM=%d", "VG_AESNI_PCLMUL_COPY_BELOW=%d"

        def sets(split_from: int, copy_below: int) -> list[str]:
            return ["--set", pair[0] % split_from, "--set", pair[1] % copy_below]

        said = self.refused(*sets(752, 767))
        self.assertIn("VG_AESNI_PCLMUL_SPLIT_FROM=752 and VG_AESNI_PCLMUL_COPY_BELOW=767 exclude each other", said)
        self.assertIn("at least 768", said)
        never = 1 << 30
        for good in ((752, 768), (16, 32), (752, never), (never, never)):
            self.configure(*sets(*good))
        self.assertRegex(self.refused(*sets(15, 768)), "its range is 16 to 1073741824")
        self.assertRegex(self.refused(*sets(752, 751)), "its range is 752 to 1073741824")
        self.assertRegex(self.refused(*sets(752, 767), "--set", "VG_GATHER=n", "--set", "VG_SPLIT=n"), "depends on")

    def test_files(self):
        self.write("one", "VG_WIPE=n\n\n# a = comment\nVG_OPEM=n\n")
        self.assertRegex(self.refused("one"), "one:4: there is no symbol VG_OPEM; did you mean VG_OPEN")
        self.write("two", "VG_WIPE=n\n# VG_OPEN is not set\nVG_OPEN=y\n")
        self.assertRegex(self.refused("--merge", "two"), "two:3: VG_OPEN=y, but two:2 says n")
        self.write("three", "# VG_OPEN is not set\nVG_TRUNCATED_TAGS=y\n")
        self.assertRegex(self.refused("--merge", "three"), "three:2: VG_TRUNCATED_TAGS=y does not hold")
        self.write("four", "good morning\n")
        self.assertRegex(self.refused("four"), "four:1: 'good morning' is not of the form")

    def test_kconfig(self):
        self.edit("src/Kconfig", "depends on VG_OPEN\n", "depends on VG_OPENN\n")
        self.assertRegex(self.refused(), r"src/Kconfig:\d+(.|\n)*VG_OPENN|VG_OPENN(.|\n)*src/Kconfig:\d+")
        self.edit("src/Kconfig", "depends on VG_OPENN\n", "depents on VG_OPEN\n")
        self.assertRegex(self.refused(), r"src/Kconfig:\d+")

    def test_template(self):
        self.edit("build.ninja.in", "if VG_OPEN@", "if VG_OPENN@")
        self.assertRegex(self.refused(), r"build.ninja.in:\d+: there is no symbol VG_OPENN")
        self.edit("build.ninja.in", "if VG_OPENN@", "if VG_OPEN &&@")
        self.assertRegex(self.refused(), r"build.ninja.in:\d+: ")
        self.edit("build.ninja.in", "if VG_OPEN &&@", "if VG_OPEN@")
        self.edit("build.ninja.in", "cc = @CC@", "cc = @DD@")
        self.assertRegex(self.refused(), r"build.ninja.in:\d+: @DD@ is not a value")

    def test_tools(self):
        self.assertRegex(self.refused(CC="no-such-cc"), "CC=no-such-cc: there is no such compiler")
        self.write("bin/armcc", "#!/bin/sh\necho aarch64-linux-gnu\n")
        os.chmod(self.path("bin/armcc"), 0o755)
        self.assertRegex(self.refused(CC=self.path("bin/armcc")), "compiles for aarch64-linux-gnu")
        self.assertRegex(self.refused("--sanitize", "nonsense"), "does not know -fsanitize=nonsense")
        self.write("asm/some/some.asm", "ret\n")
        self.edit("build.ninja.in", "@small src/info.c@", "@source asm/some/*.asm@\n@small src/info.c@")
        self.assertRegex(self.refused(NASM="no-such-nasm"), "NASM=no-such-nasm: there is no such assembler")
        self.assertRegex(self.refused(NASM="echo"), "NASM=echo: nasm 2.14 or later is wanted")

    def test_last_resort(self):
        """What Kconfig cannot reach is refused all the same."""
        self.free_portable()
        self.assertRegex(self.refused(*NO_VARIANTS), "no variant is left")
        self.write("src/Kconfig", self.read("src/Kconfig") + "\nconfig VG_VARIANT_OTHER\n\tbool\n\tdefault y\n")
        self.assertRegex(self.refused("--set", "VG_DISPATCH_FIXED=y"), "exactly one variant, but .*OTHER")
        self.edit("src/Kconfig", '"128-bit keys" if VG_AES192 || VG_AES256', '"128-bit keys"')
        sizes = [word for size in ("128", "192", "256") for word in ("--set", f"VG_AES{size}=n")]
        self.assertRegex(self.refused(*sizes), "no key size is left")


class Outputs(Tree):
    def test_headers(self):
        kconfig = self.read("src/Kconfig")
        bools = set(re.findall(r"^config (VG_\w+)\n\tbool", kconfig, re.M))
        others = set(re.findall(r"^config (VG_\w+)\n\t(?:int|string)", kconfig, re.M))
        self.configure("tiny", "--set", 'VG_SYMBOL_PREFIX="fw_"')
        config = self.config()
        self.assertEqual(set(config), bools | others | {"VG_CONFIG_STRING", "VG_CONFIG_SYMBOL"})
        self.assertEqual({config[name] for name in bools}, {"0", "1"})
        self.assertEqual((config["VG_POWERS"], config["VG_OPEN"], config["VG_CHAIN"]), ("1", "1", "0"))
        self.assertRegex(config["VG_AESNI_PCLMUL_PREPARED_AFTER"], r"^[1-9]\d*$")
        self.assertEqual(config["VG_SYMBOL_PREFIX"], '"fw_"')
        include = dict(re.findall(r"^%define (VG_\w+) (.*)$", self.read("build/config.inc"), re.M))
        self.assertEqual(include, {name: config[name] for name in bools | others})
        self.write("see.asm", '%include "build/config.inc"\n%if VG_OPEN && !VG_CHAIN && VG_POWERS == 1\ndb 1\n%endif\n')
        self.assertEqual(self.run_in("nasm", "-f", "bin", "-o", "see", "see.asm").text, "")
        self.assertEqual(self.read("see"), "\1")

    def test_agreement_name(self):
        self.configure("-o", "a")
        self.configure("-o", "b")
        self.configure("-o", "c", "--set", "VG_WIPE=n")
        names = [self.config(directory)["VG_CONFIG_SYMBOL"] for directory in "abc"]
        self.assertRegex(names[0], "^vg_config_h_must_be_that_of_libvg_a_[0-9a-f]{12}$")
        self.assertEqual(names[0], names[1])
        self.assertNotEqual(names[0], names[2])

    def test_config_string(self):
        """The string is enough to get the configuration back."""
        self.configure("--set", "VG_OPEN=n", "--set", "VG_CONTEXT_ADAPTIVE=y", "--set", "VG_AESNI_PCLMUL_PREPARED_AFTER=77")
        string = self.config()["VG_CONFIG_STRING"][1:-1].replace('\\"', '"')
        self.configure("-o", "again", *[word for part in string.split() for word in ("--set", part)])
        self.assertEqual(self.config("again"), self.config())

    def test_defconfigs(self):
        names = self.configure("--list").out.split()
        self.assertIn("generic_x86_64", names)
        classes = re.findall(r"^config VG_TARGET_(\w+)", self.read("src/Kconfig"), re.M)
        for name in {c.lower() for c in classes if c != "GENERIC"}:
            self.assertIn(name, names)
        for name in names:
            with self.subTest(name):
                self.configure(name + "_defconfig", "-o", name)
                self.ninja("savedefconfig", directory=name)
                self.assertEqual(self.read(f"{name}/defconfig"), self.read(f"configs/{name}_defconfig"))

    def test_parent(self):
        """A larger tree sources src/Kconfig, with a prefix of its own, and hands its .config over."""
        self.write("parent/Kconfig", 'config TTY\n\tbool "Terminals"\n\nmenu "vg"\nsource "../src/Kconfig"\nendmenu\n')
        self.write("parent/.config", "# CONFIG_VG_GATHER is not set\nCONFIG_VG_TARGET_ZEN2=y\n")
        for program in ("olddefconfig", "savedefconfig"):
            run = Run(PYTHON, "-m", program, cwd=self.path("parent"), env={"KCONFIG_WARN_UNDEF": "y"})
            self.assertEqual(run.status, 0, run.text)
            self.assertNotIn("warning", run.text)
        self.assertEqual(self.read("parent/defconfig"), "CONFIG_VG_TARGET_ZEN2=y\n# CONFIG_VG_GATHER is not set\n")
        self.configure("--parent", "parent/.config")
        config = self.config()
        self.assertEqual((config["VG_TARGET_ZEN2"], config["VG_GATHER"], config["VG_OPEN"]), ("1", "0", "1"))

    def test_kconfig_rules(self):
        """What every symbol of src/Kconfig has, and the language that all Kconfig tools parse."""
        text = self.read("Kconfig") + self.read("src/Kconfig")
        self.assertIsNone(re.search(r"^\s*(rsource|osource|orsource|select|imply)\b|\bdefault n\b|\$\(", text, re.M))
        for entry in re.split(r"\n(?=config |choice|menu )", text)[1:]:
            name = entry.split("\n")[0]
            with self.subTest(name):
                if re.search(r'^\t(bool|int|string|prompt) "', entry, re.M):
                    self.assertRegex(entry, r"\n\thelp\n(\t  \S.*[.]\n){3}(\n|$)")
                if "\tint" in entry:
                    self.assertRegex(entry, r"\n\trange (\d+|VG_\w+) \d+\n\tdefault \d+")

    def test_order(self):
        """A fragment overrides the defconfig, --set overrides both, and a directory is taken up where it was."""
        self.write("fragment", "VG_CHAIN=y\nVG_WIPE=n\n")
        self.configure("tiny", "--merge", "fragment", "--set", "VG_WIPE=y")
        config = self.config()
        self.assertEqual((config["VG_CHAIN"], config["VG_WIPE"], config["VG_SPLIT"]), ("1", "1", "0"))
        self.configure("--set", "VG_CONTEXT_PREPARED=y")
        config = self.config()
        self.assertEqual((config["VG_CHAIN"], config["VG_SPLIT"], config["VG_POWERS"]), ("1", "0", "48"))
        self.assertIn("VG_CONTEXT_BASE=y", self.read("build/.config.old"))

    def test_host(self):
        def cpu(vendor, family, model, flags=""):
            self.write("cpuinfo", f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n"
                       f"model name\t: Some CPU\nflags\t\t: {flags}\n\nvendor_id\t: other\n")
            return host.detect(self.path("cpuinfo"))

        every = "ssse3 aes pclmulqdq avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl"
        for vendor, family, model, name in (
            ("GenuineIntel", 6, 95, "goldmont"), ("GenuineIntel", 6, 106, "icelake_server"),
            ("GenuineIntel", 6, 190, "gracemont"), ("GenuineIntel", 6, 86, "broadwell"),
            ("AuthenticAMD", 22, 48, "jaguar"), ("AuthenticAMD", 23, 1, "zen1"), ("AuthenticAMD", 23, 49, "zen2"),
            ("AuthenticAMD", 25, 1, "zen3"), ("AuthenticAMD", 25, 17, "zen4"), ("AuthenticAMD", 26, 2, "zen5"),
        ):
            self.assertEqual(cpu(vendor, family, model, every), (name, f"Some CPU is {name}"))
        self.assertRegex(" ".join(cpu("GenuineIntel", 6, 106, "ssse3 aes pclmulqdq avx avx2")),
                         "generic_x86_64 .*icelake_server without avx512bw avx512f")
        self.assertRegex(" ".join(cpu("GenuineIntel", 6, 1, every)), "generic_x86_64 .*no class")
        self.assertEqual(host.detect(self.path("absent"))[0], "generic_x86_64")
        self.assertEqual(set(host.FLAGS) - set(host.INTEL) - {name for name, *_ in host.AMD}, set())
        self.assertRegex(self.configure("--host", "--set", "VG_BURST=n").out, "configured from configs/")
        config = self.config()
        self.assertEqual([config[f"VG_{name}"] for name in ("CHAIN", "STREAM", "BURST", "SELF_TEST")], ["1", "1", "0", "1"])


class Builds(Tree):
    def compiled(self, run: Run) -> list[str]:
        return [step for step in run.ran() if step.startswith(("cc ", "nasm "))]

    def later(self, name: str) -> None:
        """Give a file a time after everything that was built: the clock of files moves in steps."""
        time.sleep(0.02)
        os.utime(self.path(name))

    def test_regeneration(self):
        self.build(*QUICK)
        self.assertIn("no work to do", self.ninja("libvg.a").out)
        for name in ("build/.config", "src/Kconfig", "build.ninja.in", "tools/vgconfig/outputs.py"):
            self.later(name)
            run = self.ninja("libvg.a")
            self.assertTrue(run.ran(), name)
            self.assertEqual([step for step in run.ran() if not step.startswith("configure ")], [], name)
            self.assertIn("no work to do", self.ninja("libvg.a").out, name)

        self.edit("build/.config", "VG_SPLIT=y", "# VG_SPLIT is not set")
        self.later("build/.config")
        run = self.ninja("libvg.a")
        self.assertIn("cc obj/src-seal.o", run.ran())
        self.assertNotIn("cc obj/src-split.o", run.ran())
        self.assertNotIn("vg_aes_gcm_seal_split", self.symbols("T"))
        self.assertIn("no work to do", self.ninja("libvg.a").out)

        self.edit("build.ninja.in", "-std=c11", "-std=gnu11")
        self.assertGreater(len(self.compiled(self.ninja("libvg.a"))), 10)
        self.edit("src/Kconfig", "config VG_WIPE\n", 'config VG_MORE\n\tbool "More"\n\tdefault y\n\nconfig VG_WIPE\n')
        self.ninja("libvg.a")
        self.assertEqual(self.config()["VG_MORE"], "1")

    def test_dependencies(self):
        self.write("asm/include/deep.inc", "%define DEEP 1\n")
        self.write("asm/some/some.asm", '%include "deep.inc"\n%include "config.inc"\ndb DEEP + VG_OPEN\n')
        self.edit("build.ninja.in", "@small src/info.c@", "@source asm/some/*.asm@\n@small src/info.c@")
        self.assertIn("nasm obj/asm-some-some.o", self.build(*QUICK).ran())
        self.later("asm/include/deep.inc")
        self.assertEqual(self.compiled(self.ninja("libvg.a")), ["nasm obj/asm-some-some.o"])
        self.later("src/check.h")
        steps = self.compiled(self.ninja("libvg.a"))
        self.assertIn("cc obj/src-seal.o", steps)
        self.assertNotIn("cc obj/src-status.o", steps)
        self.write("asm/some/other.asm", "global vg_other\nvg_other: ret\n")
        self.assertEqual(self.compiled(self.ninja("libvg.a")), ["nasm obj/asm-some-other.o"])
        self.assertIn("vg_other", self.symbols("T"))

    def test_variants(self):
        """One source, assembled twice under two names."""
        self.write("asm/some/some.asm", "%define NAME(op) vg_ %+ op %+ _ %+ VARIANT\nglobal NAME(x)\nNAME(x): db VEX\n")
        lines = [f"@variant v{n} asm/some/*.asm -DVARIANT=v{n} -DVEX={n} if VG_OPEN@" for n in (0, 1)]
        lines.append("@variant v2 asm/some/*.asm -DVARIANT=v2 -DVEX=2 if !VG_OPEN@")
        self.edit("build.ninja.in", "@small src/info.c@", "\n".join([*lines, "@small src/info.c@"]))
        steps = self.build("tiny", *QUICK).ran()
        self.assertIn("nasm obj/v0-some.o", steps)
        self.assertIn("nasm obj/v1-some.o", steps)
        self.assertEqual(self.symbols("TDR") & {"vg_x_v0", "vg_x_v1", "vg_x_v2"}, {"vg_x_v0", "vg_x_v1"})

    def test_broken_config(self):
        """A .config edited into a contradiction stops the build, says why, and can be mended by ninja."""
        self.build(*QUICK)
        self.edit("build/.config", "VG_OPEN=y", "# VG_OPEN is not set")
        self.later("build/.config")
        self.assertRegex(self.ninja("libvg.a", fails=True).text, r"\.config:\d+: VG_TRUNCATED_TAGS=y does not hold")
        self.ninja("olddefconfig")
        self.ninja("libvg.a")
        self.assertNotIn("vg_aes_gcm_open", self.symbols("T"))

    def test_directories(self):
        """Several directories, one outside the tree with an awkward name; equal configurations give equal bytes."""
        self.build("tiny", "--cflags", "-g", directory="a")
        self.build(directory="b")
        awkward = os.path.join(self.top, "some $where: else")
        self.build("tiny", "--cflags", "-g", directory=awkward)
        self.assertIn("vg_aes_gcm_open_chain", self.symbols("T", "b/libvg.a"))
        self.assertNotIn("vg_aes_gcm_open_chain", self.symbols("T", "a/libvg.a"))
        archives = []
        for archive in (self.path("a/libvg.a"), os.path.join(awkward, "libvg.a")):
            with open(archive, "rb") as file:
                archives.append(file.read())
        self.assertEqual(archives[0], archives[1])
        self.assertIn("no work to do", self.ninja("libvg.a", directory=awkward).out)
        members = self.run_in("ar", "t", "b/libvg.a").out.split()
        self.assertEqual(len(members), len(set(members)))

    def test_symbols(self):
        self.build()
        self.assertEqual({name for name in self.symbols("A-TVX-Z") if not name.startswith("vg_")}, set())
        self.assertLessEqual(self.symbols("U") - self.symbols("A-TV-Z"), BYTES_OF_C)
        self.build("--set", "VG_FREESTANDING=y", directory="bare")
        self.assertEqual(self.symbols("Uwv", "bare/libvg.a") - self.symbols("A-TV-Z", "bare/libvg.a"), set())

    def test_options(self):
        """The compiler and the flags are remembered when ninja configures anew."""
        compiler = "clang" if shutil.which("clang") else "gcc"
        self.configure("--cflags", "-g", "-o", "short")
        self.assertIn(" -g", self.read("short/build.ninja"))
        self.configure("--cflags", "-DSOME='a b'", CC=compiler)
        self.edit("build.ninja.in", "# Tests.", "# The tests.")
        self.ninja("build.ninja")
        text = self.read("build/build.ninja")
        self.assertIn("# The tests.", text)
        self.assertIn(f"cc = {compiler}\n", text)
        self.assertIn("-DSOME='a b'", text)
        self.ninja("libvg.a")


class Targets(Tree):
    def setUp(self):
        super().setUp()
        self.configure("tiny", *FAST)

    def test_all(self):
        for target in ("oldconfig", "olddefconfig"):
            before = self.read("build/.config")
            self.ninja(target)
            self.assertEqual(self.read("build/.config"), before)
        self.ninja("savedefconfig")
        self.assertEqual(self.read("build/defconfig"), self.read("configs/tiny_defconfig"))
        self.edit("build/.config", "VG_WIPE=y\n", "")
        self.assertIn("VG_WIPE", self.ninja("listnewconfig").out)
        for target, wipe, sizes in (("allnoconfig", "n", 1), ("allyesconfig", "y", 3), ("alldefconfig", "y", 3)):
            self.ninja(target)
            self.ninja("libvg.a")
            config = self.read("build/.config")
            self.assertIn("VG_WIPE=y" if wipe == "y" else "# VG_WIPE is not set", config)
            self.assertEqual(len(re.findall(r"^VG_AES\d+=y", config, re.M)), sizes)

    def test_unusable(self):
        """allnoconfig of a Kconfig that would leave no variant is refused."""
        self.free_portable()
        self.assertRegex(self.ninja("allnoconfig", fails=True).text, "no variant is left")
        self.assertRegex(self.ninja("libvg.a", fails=True).text, "no variant is left")
        self.ninja("alldefconfig")
        self.ninja("build.ninja", "include/vg/config.h")

    def test_random(self):
        seen = set()
        for seed in range(1, 13):
            run = self.ninja("randconfig", KCONFIG_SEED=str(seed))
            self.assertIn(f"KCONFIG_SEED={seed}\n", run.out)
            config = self.read("build/.config")
            seen.add(config)
            if seed % 4 == 0:
                self.ninja("randconfig", KCONFIG_SEED=str(seed))
                self.assertEqual(self.read("build/.config"), config)
                self.ninja("libvg.a")
        self.assertEqual(len(seen), 12)
        self.assertRegex(self.ninja("randconfig").out, r"KCONFIG_SEED=\d+\n")
        self.assertRegex(self.ninja("randconfig", fails=True, KCONFIG_SEED="x").text, "a number is wanted")

    def test_menuconfig(self):
        """On a terminal of its own: the menu is drawn, a choice is made, and leaving it saves."""
        master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        child = subprocess.Popen(["ninja", "-C", "build", "menuconfig"], cwd=self.tree, env=env,
                                 stdin=slave, stdout=slave, stderr=slave, close_fds=True)
        os.close(slave)
        seen = self.until(master, "Environment")
        self.assertIn("Key sizes", seen)
        os.write(master, b"jj\n")
        self.until(master, "256-bit")
        os.write(master, b" ")
        self.until(master, "*")
        os.write(master, b"q")
        self.until(master, "Save")
        os.write(master, b"y")
        self.until(master, "saved")
        self.assertEqual(child.wait(20), 0)
        os.close(master)
        self.assertIn("VG_AES192=y", self.read("build/.config"))

    def until(self, master: int, text: str) -> str:
        seen = ""
        end = time.time() + 20
        while text not in seen:
            self.assertGreater(end, time.time(), seen)
            if select.select([master], [], [], 1)[0]:
                seen += os.read(master, 65536).decode(errors="replace")
        return seen

    def test_guiconfig(self):
        """Without a display, or without tkinter, one line says so."""
        self.assertRegex(self.ninja("guiconfig", fails=True).text, r"configure: guiconfig: .*menuconfig needs")


class SetUp(Tree):
    def fake(self, name: str, body: str) -> None:
        self.write(f"bin/{name}", f"#!/bin/sh\n{body}\n")
        os.chmod(self.path(f"bin/{name}"), 0o755)

    def test_python(self):
        self.fake("python3", "exit 1")
        path = self.path("bin") + ":" + os.environ["PATH"]
        found = self.run_in("tools/setup", "--python", PATH=path)
        self.assertEqual(found.status, 0, found.text)
        self.assertNotEqual(os.path.dirname(found.out.strip()), self.path("bin"))
        self.assertEqual(self.run_in(found.out.strip(), "-c", "import kconfiglib").status, 0)
        self.configure(PATH=path)

    def test_missing(self):
        """Without root and sudo: one command to run, status 1. With either, and with nothing missing, no word of it."""
        path = self.path("bin") + ":" + os.environ["PATH"]
        self.fake("dpkg-query", 'case "$*" in *ninja-build*) exit 1 ;; esac; echo installed')
        self.fake("apt-get", 'echo "$@" >>' + self.path("asked"))
        self.fake("id", "echo 1000")
        self.fake("sudo", "exit 1")
        run = self.run_in("tools/setup", PATH=path)
        self.assertEqual(run.status, 1)
        self.assertRegex(run.err, r"Missing: ninja-build\..*\n  sudo apt-get install -y \S+ ninja-build\n")
        self.assertFalse(os.path.exists(self.path("asked")))
        self.fake("sudo", 'shift; "$@"')
        self.assertEqual(self.run_in("tools/setup", PATH=path).status, 0)
        self.assertRegex(self.read("asked"), r"update(.|\n)*install .*ninja-build")
        self.fake("dpkg-query", "echo installed")
        self.write("cache/vg/vmlinuz", "a kernel\n")
        quiet = self.run_in("tools/setup", "--tests", PATH=path, XDG_CACHE_HOME=self.path("cache"))
        self.assertEqual((quiet.status, quiet.text), (0, ""))
        self.assertEqual(self.run_in("tools/setup", "--nonsense").status, 1)


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(not program.result.wasSuccessful())
