"""The packages of tools/packaging: what each build system would run is run, and a program linked with what it leaves.

Of each build system, the part that a package sees stands in as a few lines; the packages themselves are taken as they
are. The C tools of Kconfig must understand src/Kconfig as kconfiglib does."""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import unittest

from tree_case import PROGRAM, PYTHON, Run, Tree

CONF = "kconfig-conf"
FIXED = ("VG_DISPATCH_FIXED", "VG_CONTEXT_BASE", "VG_OPEN")  # what the menus are told to be, beside the defaults
WITHOUT = ("VG_VARIANT_VAES_VPCLMUL_AVX512", "VG_VARIANT_VAES_VPCLMUL")  # programs run on any CPU with AVX
FLAGS = "-O3 -D_LARGEFILE_SOURCE"  # of which -O3 is not for the library


def have(test: unittest.TestCase, *programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            test.skipTest(f"{program} is not installed")


def program(name: str) -> str:
    return shutil.which(name) or name


class Package(Tree):
    def use_staging(self, staging: str, symbols: dict[str, str]) -> None:
        """A program that knows the staging folder alone finds header, archive and vg.pc, of the configuration asked
        for."""
        with open(os.path.join(staging, "usr/include/vg/config.h"), encoding="utf-8") as file:
            config = dict(re.findall(r"^#define (VG_\w+) (.*)$", file.read(), re.M))
        self.assertEqual({name: config[name] for name in symbols}, symbols)
        self.write("use/program.c", PROGRAM)
        place = {"PKG_CONFIG_SYSROOT_DIR": staging, "PKG_CONFIG_LIBDIR": staging + "/usr/lib/pkgconfig"}
        flags = self.run_in("pkg-config", "--static", "--cflags", "--libs", "vg", **place).out.split()
        self.assertIn(f"-L{staging}/usr/lib", flags)
        self.assertEqual(self.run_in("cc", "-static", "use/program.c", "-o", "use/program", *flags).text, "")
        self.assertRegex(self.run_in("use/program").out, r"^[a-z0-9_]+\n$")
        self.assertTrue(os.path.exists(os.path.join(staging, "usr/share/vg/libvg.spdx.json")))

    def setUp(self):
        super().setUp()
        self.host = self.path("toy/host/bin")
        os.makedirs(self.host)
        for name in ("nasm", "ninja"):
            os.symlink(program(name), f"{self.host}/{name}")
        for name in ("cc", "ar", "nm", "objcopy"):
            os.symlink(program(name), f"{self.host}/target-{name}")

    def check_build(self, build: str) -> None:
        """The programs and the flags of the build system came through."""
        text = self.read(f"{build}/build.ninja")
        for name in ("cc", "ar", "nm", "objcopy"):
            self.assertRegex(text, rf"(?m)^{name} = {re.escape(self.host)}/target-{name}( -m64)?$")
        self.assertRegex(text, r"(?m)^nasm = \S*nasm$")
        (flags,) = re.findall(r"^cflags = .*?-std=c11(?:.*\$\n)*.*$", text, re.M)
        self.assertIn(" -D_LARGEFILE_SOURCE -Wno-error", flags)
        self.assertNotIn("-O3", flags)

    def conf(self, folder: str, root: str, *wanted: str, **env: str) -> None:
        """folder/.config by the C tools: the wanted lines, defaults for the rest."""
        have(self, CONF)
        self.write(f"{folder}/.config", "".join(f"{line}\n" for line in wanted))
        run = Run(CONF, "--olddefconfig", root, cwd=self.path(folder), env={"KCONFIG_CONFIG": ".config", **env})
        self.assertEqual(run.status, 0, run.text)
        self.assertNotIn("warning", run.text)
        config = self.read(f"{folder}/.config")
        for line in wanted:
            self.assertIn(f"\n{line}\n", config)

    def make(self, folder: str, *words: str) -> Run:
        """Every variable that the package uses is there, but symbols that are n."""
        run = self.run_in("make", "-C", folder, "--warn-undefined-variables", *words)
        self.assertEqual(run.status, 0, run.text)
        undefined = re.findall(r"undefined variable '(.*)'", run.text)
        self.assertEqual([name for name in undefined if not name.startswith(("BR2_", "CONFIG_"))], [])
        return run


class Buildroot(Package):
    MAKEFILE = """
BR2_EXTERNAL_VG_PATH := @TREE@/tools/packaging/buildroot
BR2_CONFIG := @TREE@/toy/.config
HOST_DIR := @TREE@/toy/host
STAGING_DIR := @TREE@/toy/staging
TARGET_CC := @HOST@/target-cc
TARGET_CONFIGURE_OPTS = CC="$(TARGET_CC)" AR="@HOST@/target-ar" NM="@HOST@/target-nm" OBJCOPY="@HOST@/target-objcopy"
TARGET_CFLAGS := @FLAGS@
TARGET_MAKE_ENV := PATH="$(HOST_DIR)/bin:$(PATH)"
qstrip = $(strip $(subst ",,$(1)))
include $(BR2_CONFIG)

BUILD := @TREE@/toy/libvg
define generic-package
all: $(BUILD)/.stamp
$(BUILD)/.stamp:
	test "$$(LIBVG_SITE_METHOD) $$(LIBVG_INSTALL_STAGING) $$(LIBVG_INSTALL_TARGET)" = "local YES NO"
	test "$$(LIBVG_DEPENDENCIES)" = "host-nasm host-ninja"
	mkdir -p $$(@D)
	cd $$(LIBVG_SITE) && test -f $$(LIBVG_LICENSE_FILES) && \\
		cp -a Kconfig $$(LIBVG_LICENSE_FILES) build.ninja.in asm configs include src tools $$(@D)
	$$(LIBVG_CONFIGURE_CMDS)
	$$(LIBVG_BUILD_CMDS)
	$$(LIBVG_INSTALL_STAGING_CMDS)
endef
include $(BR2_EXTERNAL_VG_PATH)/external.mk
"""
    ROOT = """
config BR2_EXTERNAL_VG_PATH
	string
	option env="BR2_EXTERNAL_VG_PATH"
config BR2_x86_64
	bool
	default y
source "$BR2_EXTERNAL_VG_PATH/Config.in"
"""

    def package(self, *wanted: str, **symbols: str) -> None:
        self.write("toy/Config.in", self.ROOT)
        external = self.path("tools/packaging/buildroot")
        self.conf("toy", "Config.in", "BR2_PACKAGE_LIBVG=y", *wanted, CONFIG_="", BR2_EXTERNAL_VG_PATH=external)
        makefile = self.MAKEFILE.replace("@TREE@", self.tree).replace("@HOST@", self.host)
        self.write("toy/Makefile", makefile.replace("@FLAGS@", FLAGS))
        self.make("toy")
        self.use_staging(self.path("toy/staging"), symbols)
        self.check_build("toy/libvg/build-target")

    def test_external_tree(self):
        description = self.read("tools/packaging/buildroot/external.desc")
        self.assertRegex(description, r"\Aname: VG\ndesc: \S.*\n\Z")

    def test_defconfig(self):
        self.package('BR2_PACKAGE_LIBVG_DEFCONFIG="tiny"', VG_DISPATCH_FIXED="1", VG_CHAIN="0", VG_AES256="0")

    def test_menus(self):
        """The symbols of vg stand in Buildroot's .config, without a prefix."""
        lines = ("BR2_PACKAGE_LIBVG_BY_MENU=y", *(f"{name}=y" for name in FIXED), "# VG_CHAIN is not set")
        lines += tuple(f"# {name} is not set" for name in WITHOUT)
        self.package(*lines, VG_CHAIN="0", VG_STREAM="1", **dict.fromkeys(FIXED, "1"))


class OpenWrt(Package):
    RULES = """
include $(TOPDIR)/.config
INCLUDE_DIR := $(TOPDIR)/include
PKG_BUILD_DIR = $(TOPDIR)/build_dir/$(PKG_NAME)-$(PKG_VERSION)
STAGING_DIR := $(TOPDIR)/staging
STAGING_DIR_HOST := $(TOPDIR)/host
STAGING_DIR_HOSTPKG := $(TOPDIR)/host
TARGET_CC := @HOST@/target-cc
TARGET_CONFIGURE_OPTS = CC="$(TARGET_CC)" AR="@HOST@/target-ar" NM="@HOST@/target-nm" OBJCOPY="@HOST@/target-objcopy"
TARGET_CFLAGS := @FLAGS@
INSTALL_DIR := install -d -m0755
CP := cp -fpR
"""
    PACKAGE = """
define BuildPackage
.PHONY: config all
config: ; @:$$(file >$(TOPDIR)/Config-$(1).in,$$(Package/$(1)/config))
all:
	test "$$(PKG_BUILD_DEPENDS)" = nasm/host
	$$(call Build/Prepare)
	$$(call Build/Configure)
	$$(call Build/Compile)
	$$(call Build/InstallDev,$(STAGING_DIR))
	$$(call Package/$(1)/install,$(TOPDIR)/root)
	echo "depends: $$(PKG_CONFIG_DEPENDS)"
endef
"""
    ROOT = 'config TARGET_x86_64\n\tbool\n\tdefault y\nconfig PACKAGE_libvg\n\tbool "libvg"\nsource "Config-libvg.in"\n'

    def package(self, *wanted: str, **symbols: str) -> Run:
        self.write("toy/rules.mk", self.RULES.replace("@HOST@", self.host).replace("@FLAGS@", FLAGS))
        self.write("toy/include/package.mk", self.PACKAGE)
        self.write("toy/Config.in", self.ROOT)
        self.write("toy/.config", "")
        # A feed is a symbolic link to the folder that the packages of the feed lie in.
        os.makedirs(self.path("toy/feeds"))
        os.symlink(self.path("tools/packaging/openwrt"), self.path("toy/feeds/vg"))
        words = ("toy/feeds/vg/libvg", f"TOPDIR={self.path('toy')}")
        # As when metadata are collected, nothing is configured.
        self.make(*words, "config")
        self.conf("toy", "Config.in", "CONFIG_PACKAGE_libvg=y", *wanted)
        run = self.make(*words, "all")
        self.check_build("toy/build_dir/libvg-0/build-target")
        self.use_staging(self.path("toy/staging"), symbols)
        return run

    def test_defconfig(self):
        self.package('CONFIG_LIBVG_DEFCONFIG="tiny"', VG_DISPATCH_FIXED="1", VG_CHAIN="0", VG_AES256="0")

    def test_menus(self):
        lines = ("CONFIG_LIBVG_BY_MENU=y", *(f"CONFIG_{name}=y" for name in FIXED), "# CONFIG_VG_CHAIN is not set")
        lines += tuple(f"# CONFIG_{name} is not set" for name in WITHOUT)
        run = self.package(*lines, VG_CHAIN="0", VG_STREAM="1", **dict.fromkeys(FIXED, "1"))
        depends = re.search(r"^depends: (.*)$", run.out, re.M)[1].split()
        everything = re.findall(r"^config (VG_\w+)", self.read("src/Kconfig"), re.M)
        self.assertEqual(depends[2:], [f"CONFIG_{name}" for name in everything])


class Yocto(Package):
    LAYER = "tools/packaging/yocto"

    def parse(self, name: str) -> tuple[dict[str, str], dict[str, str], list[str]]:
        """Variables, functions and classes of a file in the part of BitBake's language that these files use."""
        variables, functions, classes, function = {}, {}, [], ""
        for line in self.read(f"{self.LAYER}/{name}").splitlines():
            begins = re.fullmatch(r"(\w+)\(\) \{", line)
            assigns = re.fullmatch(r'([\w:]+) (?:[?.+]?=) "([^"]*)"', line)
            if function:
                functions[function] += line + "\n" if line != "}" else ""
                function = function if line != "}" else ""
            elif begins:
                function = begins[1]
                functions[function] = ""
            elif assigns:
                variables[assigns[1]] = assigns[2]
            elif line.startswith("inherit "):
                classes += line.split()[1:]
            else:
                self.assertRegex(line, "^(#.*)?$")
        self.assertEqual(function, "")
        return variables, functions, classes

    def test_layer(self):
        variables, functions, _ = self.parse("conf/layer.conf")
        self.assertEqual((variables["BBFILE_COLLECTIONS"], functions), ("vg", {}))
        pattern = variables["BBFILES"].replace("${LAYERDIR}", self.LAYER)
        found = self.run_in("sh", "-c", f"ls {pattern}").out.split()
        self.assertEqual(found, [f"{self.LAYER}/recipes-crypto/vg/vg.bb"])

    def test_recipe(self):
        variables, functions, classes = self.parse("recipes-crypto/vg/vg.bb")
        self.assertEqual(classes, ["externalsrc", "python3native"])
        self.assertEqual(set(functions), {"do_configure", "do_compile", "do_install"})
        name, md5 = re.fullmatch(r"file://(\w+);md5=(\w+)", variables["LIC_FILES_CHKSUM"]).groups()
        self.assertEqual(hashlib.md5(self.read(name).encode()).hexdigest(), md5)

        where = re.fullmatch(r"\$\{@os\.path\.normpath\(os\.path\.join\(d\.getVar\('THISDIR'\), ('[./]+')\)\)\}",
                             variables["EXTERNALSRC"])
        source = os.path.normpath(self.path(f"{self.LAYER}/recipes-crypto/vg/{ast.literal_eval(where[1])}"))
        self.assertEqual(source, self.tree)
        values = {
            **variables, "S": source, "B": self.path("toy/build"), "D": self.path("toy/image"),
            "CC": f"{self.host}/target-cc -m64", "AR": f"{self.host}/target-ar", "NM": f"{self.host}/target-nm",
            "OBJCOPY": f"{self.host}/target-objcopy", "CFLAGS": FLAGS,
            "prefix": "/usr", "libdir": "/usr/lib", "includedir": "/usr/include", "datadir": "/usr/share",
            "VG_DEFCONFIG": "tiny", "VG_SET": "VG_SPLIT=y VG_WIPE=n VG_TEXT_BUDGET=0",
        }
        os.makedirs(values["B"])
        for function in ("do_configure", "do_compile", "do_install"):
            body = re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], functions[function])
            run = Run("sh", "-e", "-u", "-c", body, cwd=values["B"])
            self.assertEqual(run.status, 0, run.text)
        self.check_build("toy/build")
        self.use_staging(values["D"], {"VG_SPLIT": "1", "VG_WIPE": "0", "VG_CHAIN": "0"})


class Zephyr(Package):
    CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(toy C)
set(DOTCONFIG ${CMAKE_CURRENT_LIST_DIR}/.config)
file(STRINGS ${DOTCONFIG} lines REGEX "^CONFIG_[A-Z0-9_]+=y$")
foreach(line ${lines})
  string(REPLACE "=y" "" name ${line})
  set(${name} y)
endforeach()
add_library(zephyr INTERFACE)
function(zephyr_library_import name path)
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${path})
  target_link_libraries(zephyr INTERFACE ${name})
endfunction()
function(zephyr_include_directories)
  target_include_directories(zephyr INTERFACE ${ARGV})
endfunction()
add_subdirectory(${MODULE}/${MODULE_CMAKE} module)
add_executable(program program.c)
target_link_libraries(program zephyr)
"""
    MODULE = "tools/packaging"

    def read_module(self) -> dict:
        """module.yml by whatever python can read YAML."""
        for python in (sys.executable, PYTHON, "/usr/bin/python3"):
            code = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))"
            done = subprocess.run([python, "-c", code], input=self.read(f"{self.MODULE}/zephyr/module.yml"),
                                  capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return ast.literal_eval(done.stdout)
        self.skipTest("no python3 here has yaml")

    def configure_parent(self, *wanted: str) -> None:
        module = self.read_module()
        self.assertEqual(module["name"], "vg")
        self.write("toy/Kconfig", 'config X86_64\n\tbool\n\tdefault y\n\n'
                   f'source "$(ZEPHYR_VG_MODULE_DIR)/{module["build"]["kconfig"]}"\n')
        self.write("toy/.config", "".join(f"CONFIG_{line}\n" for line in ("VG=y", *wanted)))
        env = {"ZEPHYR_VG_MODULE_DIR": self.path(self.MODULE), "KCONFIG_WARN_UNDEF": "y"}
        run = Run(PYTHON, "-m", "olddefconfig", cwd=self.path("toy"), env=env)
        self.assertEqual(run.status, 0, run.text)
        self.assertNotIn("warning", run.text)
        self.write("toy/CMakeLists.txt", self.CMAKE)
        self.write("toy/program.c", PROGRAM)

    def cmake(self) -> Run:
        have(self, "cmake")
        where = (f"-DMODULE={self.path(self.MODULE)}", f"-DMODULE_CMAKE={self.read_module()['build']['cmake']}")
        return self.run_in("cmake", "-S", "toy", "-B", "toy/build", "-G", "Ninja", *where)

    def test_module(self):
        self.configure_parent("VG_FREESTANDING=y", "VG_DISPATCH_FIXED=y", "VG_AES256=n", *(f"{name}=n" for name in WITHOUT))
        run = self.cmake()
        self.assertEqual(run.status, 0, run.text)
        run = self.run_in("ninja", "-C", "toy/build", "-v")
        self.assertEqual(run.status, 0, run.text)
        self.assertRegex(self.run_in("toy/build/program").out, r"^[a-z0-9_]+\n$")
        self.assertEqual(self.symbols("Uw", "toy/build/module/vg/libvg.a") - self.symbols(
            "A-TV-Z", "toy/build/module/vg/libvg.a"), set())

    def test_hosted_is_refused(self):
        self.configure_parent()
        run = self.cmake()
        self.assertNotEqual(run.status, 0)
        self.assertIn("set CONFIG_VG_FREESTANDING=y", run.text)


class Kconfig(Package):
    """The C tools against kconfiglib: the same values for every defconfig and for configurations drawn at random."""

    def values(self, name: str, prefix: str = "") -> dict[str, str]:
        """All but n: whether that is written down where nothing can be chosen is a matter of taste."""
        return dict(re.findall(rf"^{prefix}(VG_\w+)=(.*)$", self.read(name), re.M))

    def by_c(self, name: str, *words: str, **env: str) -> None:
        run = Run(CONF, *words, "Kconfig", cwd=self.tree, env={"CONFIG_": "", "KCONFIG_CONFIG": name, **env})
        self.assertEqual(run.status, 0, run.text)
        self.assertNotRegex(run.text, "warning|error")

    def same(self, sources: dict[str, str]) -> None:
        """Each file has the values that kconfiglib makes of the other one."""
        code = ("import sys, kconfiglib\nfor name in sys.argv[1:]:\n k = kconfiglib.Kconfig('Kconfig')\n"
                " k.load_config(name)\n k.write_config('python/' + name)\n")
        os.makedirs(self.path("python/configs"))
        env = {"CONFIG_": "", "KCONFIG_WARN_UNDEF": "y"}
        run = Run(PYTHON, "-c", code, *sources.values(), cwd=self.tree, env=env)
        self.assertEqual((run.status, run.err), (0, ""))
        for name, source in sources.items():
            with self.subTest(source):
                self.assertGreater(len(self.values(name)), 5)
                self.assertEqual(self.values(name), self.values(f"python/{source}"))

    def test_defconfigs(self):
        have(self, CONF)
        sources = {f"c-{name}": f"configs/{name}" for name in sorted(os.listdir(self.path("configs")))}
        for name, source in sources.items():
            self.by_c(name, f"--defconfig={source}")
        self.same(sources)

    def test_random(self):
        have(self, CONF)
        names = [f"random-{seed}" for seed in range(1, 31)]
        for seed, name in enumerate(names, 1):
            self.by_c(name, "--randconfig", KCONFIG_SEED=str(seed))
        self.assertEqual(len({self.read(name) for name in names}), len(names))
        self.same(dict(zip(names, names)))

    def test_parent(self):
        """A tree with a prefix sources src/Kconfig, the C tools write its .config, and tools/configure takes it."""
        self.write("parent/Kconfig", 'mainmenu "Parent"\n\nconfig TTY\n\tbool "Terminals"\n\tdefault y\n\n'
                   'menu "vg"\nsource "../src/Kconfig"\nendmenu\n')
        self.conf("parent", "Kconfig", "CONFIG_VG_TARGET_ZEN2=y", "# CONFIG_VG_STREAM is not set")
        self.configure("--parent", "parent/.config")
        self.assertEqual(self.values("build/.config"), self.values("parent/.config", "CONFIG_"))
        self.assertEqual((self.config()["VG_TARGET_ZEN2"], self.config()["VG_STREAM"]), ("1", "0"))


if __name__ == "__main__":
    ran = unittest.main(exit=False, verbosity=1)
    for test, reason in ran.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(not ran.result.wasSuccessful())
