"""What a program or a firmware build gets from a build directory."""

import os
import sys
import unittest

from tree_case import PROGRAM, Tree


class Programs(Tree):
    def test_prefix(self):
        """Two archives of different configurations share a program."""
        self.write("asm/some/some.asm", "global vg_some:function hidden\nvg_some: ret\n")
        self.edit("build.ninja.in", "@source src/info.c@", "@source asm/some/*.asm@\n@source src/info.c@")
        for prefix, name in (("vg_", "tiny"), ("two_", "generic_x86_64")):
            self.build(name, "--set", f"VG_SYMBOL_PREFIX={prefix}", directory=prefix)
            globals_ = self.symbols("A-TVX-Z", f"{prefix}/libvg.a")
            self.assertEqual({symbol for symbol in globals_ if not symbol.startswith(prefix + "vg_")}, set())
            main = f"int {prefix}main(void)"
            self.write(f"{prefix}.c", PROGRAM.replace("int main(void)", f"{main};\n{main}"))
        self.write("main.c", "int vg_main(void), two_main(void);\nint main(void) { return vg_main() + two_main(); }")
        with open(self.path("vg_.c"), "a", encoding="utf-8") as file:
            file.write('#include "variant.h"\nvg_ctr32_fn *inner = vg_ctr32_to_portable;\n')
        for prefix in ("vg_", "two_"):
            folders = (f"-I{prefix}/include", "-Iinclude", "-Isrc")
            run = self.run_in("cc", *folders, "-c", f"{prefix}.c", "-o", f"{prefix}.o")
            self.assertEqual(run.text, "")
        parts = ("main.c", "vg_.o", "two_.o", "vg_/libvg.a", "two_/libvg.a")
        self.assertEqual(self.run_in("cc", *parts, "-o", "two").text, "")
        self.assertEqual(self.run_in("./two", VG_CPU_FEATURES="none").out, "portable\nportable\n")

    def test_agreement(self):
        """Code and archive of different configurations do not link, whatever the linker throws away."""
        self.build(directory="a")
        self.build("--set", "VG_POWERS_8=y", directory="b")
        self.write("program.c", PROGRAM)
        for flags in ([], ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]):
            for header, works in (("a", True), ("b", False)):
                words = [*flags, f"-I{header}/include", "-Iinclude", "program.c", "a/libvg.a", "-o", "program"]
                run = self.run_in("cc", *words)
                self.assertEqual(run.status == 0, works, run.text)
                if not works:
                    self.assertRegex(run.err, "undefined reference to `vg_config_is_")


class Installed(Tree):
    def test_install(self):
        self.build()
        root, prefix = os.path.join(self.top, "image"), os.path.join(self.top, "opt")
        self.ninja("install", DESTDIR=root, PREFIX="/usr", LIBDIR="/usr/lib/x", INCLUDEDIR="/usr/include/x")
        walk = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
        found = {os.path.relpath(path, root) for path in walk}
        headers = set(os.listdir(self.path("include/vg"))) | {"config.h"}
        wanted = {"usr/lib/x/libvg.a", "usr/lib/x/pkgconfig/vg.pc"} | {f"usr/include/x/vg/{name}" for name in headers}
        self.assertEqual(found, wanted)
        self.assertIn("installed", self.ninja("install", PREFIX=prefix).out)
        folder = prefix + "/lib/pkgconfig"
        flags = self.run_in("pkg-config", "--cflags", "--libs", "vg", PKG_CONFIG_PATH=folder).out.split()
        self.write("program.c", PROGRAM)
        self.assertEqual(self.run_in("cc", "program.c", "-o", "program", *flags).text, "")
        self.assertEqual(self.run_in("./program", VG_CPU_FEATURES="none").out, "portable\n")
        self.assertRegex(self.ninja("install", fails=True, PREFIX="here").text, "PREFIX=here: an absolute path")
        self.assertRegex(self.ninja("install", fails=True, PREFIX="/proc/vg").text, "/proc/vg.*: cannot write")


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(not program.result.wasSuccessful())
