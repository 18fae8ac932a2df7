"""What a program or a firmware build gets from a build directory."""

import os
import shutil
import sys
import unittest

from tree_case import PROGRAM, QUICK, Tree

# One of two copies in a program: PART is in front of its functions, and vg/config.h may rename all that vg has.
PART = """
#include <vg/vg.h>

static struct vg_aes_gcm gcm;
static const uint8_t nonce[12] = "once a nonce", aad[3] = "aad";

size_t PARTsize(void) { return sizeof gcm; }
const char *PARTvariant(void) { return vg_variant_name(&gcm); }
int PARTinit(const uint8_t *key) { return vg_aes_gcm_init(&gcm, key, 16); }
int PARTseal(uint8_t *text, size_t len, uint8_t *tag)
{
    return vg_aes_gcm_seal(&gcm, nonce, 12, aad, 3, text, len, tag);
}
int PARTopen(uint8_t *text, size_t len, const uint8_t *tag)
{
    return vg_aes_gcm_open(&gcm, nonce, 12, aad, 3, text, len, tag, 16);
}
"""
# What one copy seals, each opens; and what was tampered with, neither. The second one is called often enough to adapt.
BOTH = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define DECLARE(part)                                                                                                  \
    size_t part##size(void);                                                                                           \
    const char *part##variant(void);                                                                                   \
    int part##init(const uint8_t *);                                                                                   \
    int part##seal(uint8_t *, size_t, uint8_t *);                                                                      \
    int part##open(uint8_t *, size_t, const uint8_t *);
#define PART(part) {part##size, part##variant, part##init, part##seal, part##open}
DECLARE(one_)
DECLARE(other_)
static const struct {
    size_t (*size)(void);
    const char *(*variant)(void);
    int (*init)(const uint8_t *);
    int (*seal)(uint8_t *, size_t, uint8_t *);
    int (*open)(uint8_t *, size_t, const uint8_t *);
} parts[] = {PART(one_), PART(other_)};

int main(void)
{
    static uint8_t plain[1500], text[1500], tag[16], first[16];
    int wrong = parts[0].init(plain) | parts[1].init(plain);
    for (int times = 0; times < 100; times++)
        for (size_t i = 0; i < 4; i++) {
            memcpy(text, plain, sizeof text);
            wrong |= parts[i / 2].seal(text, sizeof text, tag) != 0 || !memcmp(text, plain, sizeof text);
            if (!times && !i)
                memcpy(first, tag, 16);
            wrong |= memcmp(first, tag, 16) != 0;
            tag[3] ^= 1;
            wrong |= parts[i % 2].open(text, sizeof text, tag) == 0;
            tag[3] ^= 1;
            wrong |= parts[i % 2].open(text, sizeof text, tag) != 0 || memcmp(text, plain, sizeof text) != 0;
        }
    printf("%s %zu, %s %zu, %s\\n", parts[0].variant(), parts[0].size(), parts[1].variant(), parts[1].size(),
           wrong ? "wrong" : "right");
    return 0;
}
"""


class Programs(Tree):
    def test_prefix(self):
        """Two archives of different configurations in one program, each at work."""
        self.write("asm/some/some.asm", "global vg_some:function hidden\nvg_some: ret\n")
        self.edit("build.ninja.in", "@small src/info.c@", "@source asm/some/*.asm@\n@small src/info.c@")
        self.write("main.c", BOTH)
        for prefix, part, name, *symbols in (
            ("vg_", "one_", "tiny"),
            ("two_", "other_", "generic_x86_64", "--set", "VG_CONTEXT_ADAPTIVE=y"),
        ):
            self.build(name, *symbols, "--set", f"VG_SYMBOL_PREFIX={prefix}", *QUICK, directory=prefix)
            globals_ = self.symbols("A-TVX-Z", f"{prefix}/libvg.a")
            self.assertEqual({symbol for symbol in globals_ if not symbol.startswith(prefix + "vg_")}, set())
            self.write(f"{prefix}.c", PART.replace("PART", part))
        with open(self.path("vg_.c"), "a", encoding="utf-8") as file:
            file.write('#include "variant.h"\nvg_ctr32_fn *inner = vg_ctr32_to_portable;\n')
        for prefix in ("vg_", "two_"):
            folders = (f"-I{prefix}/include", "-Iinclude", "-Isrc")
            run = self.run_in("cc", "-Wall", "-Wextra", *folders, "-c", f"{prefix}.c", "-o", f"{prefix}.o")
            self.assertEqual(run.text, "")
        parts = ("main.c", "vg_.o", "two_.o", "vg_/libvg.a", "two_/libvg.a")
        self.assertEqual(self.run_in("cc", "-Wall", "-Wextra", *parts, "-o", "two").text, "")
        for features, second in (("none", "portable"), ("", r"\w+")):
            said = self.run_in("./two", VG_CPU_FEATURES=features).out
            self.assertRegex(said, rf"^portable \d+, {second} \d+, right\n$")
            sizes = [word.rstrip(",") for word in said.split()[1:4:2]]
            self.assertNotEqual(*sizes)

    def test_agreement(self):
        """Code and archive of different configurations do not link, whatever the linker throws away; it says why."""
        self.build("tiny", *QUICK, directory="a")
        self.build("tiny", "--set", "VG_WIPE=n", *QUICK, directory="b")
        self.write("program.c", PROGRAM)
        for flags in ([], ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]):
            for header, works in (("a", True), ("b", False)):
                words = [*flags, f"-I{header}/include", "-Iinclude", "program.c", "a/libvg.a", "-o", "program"]
                run = self.run_in("cc", *words)
                self.assertEqual(run.status == 0, works, run.text)
                if not works:
                    name = "vg_config_h_must_be_that_of_libvg_a_[0-9a-f]{12}"
                    self.assertRegex(run.err, f"undefined reference to `{name}'")

    def test_same_bytes(self):
        """Two copies of the sources, built in different places: one archive, without a word of where it was built."""
        archives, documents = [], []
        for tree in ("tree", "another place/tree"):
            if tree != "tree":
                shutil.copytree(os.path.join(self.top, "tree"), os.path.join(self.top, tree))
            self.tree = os.path.join(self.top, tree)
            here = f"build{len(tree)}"
            self.configure("-o", here, "--set", "VG_CONTEXT_ADAPTIVE=y", "--cflags", "-O0 -g")
            self.ninja("sbom", directory=here, SOURCE_DATE_EPOCH="1700000000")
            with open(self.path(f"{here}/libvg.a"), "rb") as file:
                archives.append(file.read())
            documents.append(self.read(f"{here}/libvg.spdx.json"))
            shutil.rmtree(self.path(here))
        self.assertEqual(archives[0].count(os.fsencode(self.top)), 0)
        self.assertTrue(archives[0] == archives[1])
        self.assertIn('"2023-11-14T22:13:20Z"', documents[0])
        self.assertEqual(documents[0], documents[1])


class Installed(Tree):
    def test_install(self):
        self.build(*QUICK)
        root, prefix = os.path.join(self.top, "image"), os.path.join(self.top, "opt")
        self.ninja("install", DESTDIR=root, PREFIX="/usr", LIBDIR="/usr/lib/x", INCLUDEDIR="/usr/include/x")
        walk = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
        found = {os.path.relpath(path, root) for path in walk}
        headers = set(os.listdir(self.path("include/vg"))) | {"config.h"}
        wanted = {"usr/lib/x/libvg.a", "usr/lib/x/pkgconfig/vg.pc", "usr/share/vg/libvg.spdx.json"}
        self.assertEqual(found, wanted | {f"usr/include/x/vg/{name}" for name in headers})
        self.assertIn("installed", self.ninja("install", PREFIX=prefix).out)
        self.use_installed(prefix + "/lib/pkgconfig")
        self.assertRegex(self.ninja("install", fails=True, PREFIX="here").text, "PREFIX=here: an absolute path")
        self.assertRegex(self.ninja("install", fails=True, PREFIX="/proc/vg").text, "/proc/vg.*: cannot write")

    def use_installed(self, folder: str) -> None:
        """C and C++ programs, with what vg.pc says and nothing else."""
        self.write("program.c", PROGRAM)
        self.write("program.cc", PROGRAM)
        for compiler, source, options in (("cc", "program.c", ()), ("cc", "program.c", ("--static",)),
                                          ("g++", "program.cc", ()), ("g++", "program.cc", ("--static",))):
            if not shutil.which(compiler):
                self.skipTest(f"{compiler} is not installed: no C++ program with the installed headers")
            query = ("pkg-config", *options, "--cflags", "--libs", "vg")
            flags = self.run_in(*query, PKG_CONFIG_PATH=folder).out.split()
            static = ["-static"] if options else []
            self.assertEqual(self.run_in(compiler, *static, source, "-o", "program", *flags).text, "")
            self.assertEqual(self.run_in("./program", VG_CPU_FEATURES="none").out, "portable\n")
        self.assertEqual(self.run_in("pkg-config", "--modversion", "vg", PKG_CONFIG_PATH=folder).status, 0)


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(not program.result.wasSuccessful())
