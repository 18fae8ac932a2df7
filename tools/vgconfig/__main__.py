"""tools/configure, and the parts of a build that come back to it."""

import argparse
import difflib
import glob
import os
import shlex
import sys
from typing import NoReturn

from kconfiglib import Kconfig

from . import host, install, names, outputs, sbom, symbols, targets
from .common import ROOT, Mistake, shown, write_if_changed
from .template import Template, ninja_path
from .toolchain import Compiler, check_nasm

PROGRAMS = ("cc", "nasm", "ar", "nm", "objcopy")
CONFIGS = os.path.join(ROOT, "configs")

EPILOG = """\
environment:
  CC, NASM, AR, NM, OBJCOPY   the compiler and its kin, remembered in DIR; cc, nasm, ar, nm and objcopy if not set

examples:
  tools/configure --host && ninja -C build
  tools/configure goldmont -o build-c3000 --set VG_DISPATCH_FIXED=y --set VG_AES192=n
  tools/configure tiny --merge board.fragment -o build-board
  CC=clang tools/configure -o build-asan --sanitize address,undefined

Later changes: ninja -C DIR menuconfig, or edit DIR/.config. ninja sees both by itself."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Mistake(f"{message}; see tools/configure --help")


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="tools/configure",
        description="Write a build directory: .config, include/vg/config.h, config.inc and build.ninja.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "base",
        nargs="?",
        metavar="NAME_defconfig | FILE",
        help="where to begin: a name from configs/, with or without _defconfig, or a file. Without it: DIR/.config "
        "if there is one, else generic_x86_64_defconfig",
    )
    parser.add_argument("--host", action="store_true", help="begin with the CPU class of this machine, and all functions")
    parser.add_argument(
        "--parent",
        metavar="FILE",
        help="begin with the VG_ and CONFIG_VG_ lines of the .config of a tree whose Kconfig sources src/Kconfig",
    )
    parser.add_argument("-o", dest="directory", metavar="DIR", default="build", help="the build directory (build)")
    parser.add_argument("--set", action="append", default=[], metavar="VG_X=y", help="set a symbol; may be repeated")
    parser.add_argument("--merge", action="append", default=[], metavar="FRAGMENT", help="set what is in this file")
    parser.add_argument("--cflags", default="", metavar="FLAGS", help="add these flags to every compilation")
    parser.add_argument("--sanitize", default="", metavar="LIST", help="address,undefined or thread or memory")
    parser.add_argument("--list", action="store_true", help="list the defconfigs and exit")
    for inner in (*(f"--{name}" for name in PROGRAMS), "--refresh", "--target"):
        parser.add_argument(inner, help=argparse.SUPPRESS)
    parser.add_argument("--install", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--sbom", action="store_true", help=argparse.SUPPRESS)
    # argparse would take the value of "--cflags -g" for another option.
    for index in reversed([i for i, word in enumerate(arguments[:-1]) if word == "--cflags"]):
        arguments = [*arguments[:index], f"--cflags={arguments[index + 1]}", *arguments[index + 2 :]]
    options = parser.parse_args(arguments)
    for name in PROGRAMS:
        setattr(options, name, getattr(options, name) or os.environ.get(name.upper()) or name)
    return options


def defconfigs() -> list[str]:
    return sorted(name.removesuffix("_defconfig") for name in os.listdir(CONFIGS) if name.endswith("_defconfig"))


def find_base(name: str) -> str:
    known = defconfigs()
    stem = name.removesuffix("_defconfig")
    if stem in known:
        return os.path.join(CONFIGS, stem + "_defconfig")
    if os.path.isfile(name):
        return name
    if os.path.isdir(name):
        raise Mistake(f"{name}: a directory; a defconfig or a file is wanted, and -o names the build directory")
    close = difflib.get_close_matches(stem, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise Mistake(f"{name}: no such defconfig or file{hint}\nconfigs/ has: {' '.join(known)}")


def choose_base(options: argparse.Namespace) -> str:
    if sum(map(bool, (options.base, options.host, options.parent))) > 1:
        raise Mistake("a defconfig, --host and --parent exclude each other")
    if options.parent:
        return options.parent
    if options.host:
        name, why = host.detect()
        print(why)
        return find_base(name)
    if options.base:
        return find_base(options.base)
    existing = os.path.join(options.directory, ".config")
    return existing if os.path.exists(existing) else find_base("generic_x86_64")


def prepare_directory(directory: str) -> None:
    if os.path.realpath(directory) == ROOT:
        raise Mistake(f"{shown(directory)}: this is the source tree; choose another directory to build in")
    try:
        os.makedirs(directory, exist_ok=True)
    except FileExistsError:
        raise Mistake(f"{shown(directory)}: not a directory") from None
    except OSError as error:
        raise Mistake(f"{shown(directory)}: cannot make this directory: {error.strerror}") from None
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Mistake(f"{shown(directory)}: cannot write there")


def write_header(kconf: Kconfig, directory: str) -> None:
    write_if_changed(os.path.join(directory, "include/vg/config.h"), outputs.config_h(kconf))
    write_if_changed(os.path.join(directory, "config.inc"), outputs.config_inc(kconf))


def write_ninja(kconf: Kconfig, options: argparse.Namespace) -> None:
    compiler = Compiler(options.cc)

    def on(name: str) -> bool:
        return kconf.syms[name].str_value == "y"

    remembered = " ".join(f"--{name} {shlex.quote(getattr(options, name))}" for name in PROGRAMS)
    for name, value in (("cflags", options.cflags), ("sanitize", options.sanitize)):
        if value:
            remembered += f" --{name}={shlex.quote(value)}"
    inputs = [os.path.join(ROOT, path) for path in kconf.kconfig_filenames]
    inputs += sorted(glob.glob(os.path.join(ROOT, "tools/vgconfig/*.py")))
    prefix = kconf.syms["VG_SYMBOL_PREFIX"].str_value
    inputs_of_header = inputs + (names.headers() if prefix else [])
    template = Template(
        kconf,
        {
            "ROOT": ninja_path(ROOT),
            "PYTHON": shlex.quote(sys.executable).replace("$", "$$"),
            "OPTIONS": remembered.replace("$", "$$"),
            **{name.upper(): getattr(options, name).replace("$", "$$") for name in PROGRAMS},
            "CFLAGS": options.cflags.replace("$", "$$"),
            "CFLAGS_CET": compiler.cet_flags(on("VG_CET")),
            "OPTIMIZE": "$small" if on("VG_OPTIMIZE_SIZE") else "-O2",
            "CFLAGS_SMALL": compiler.size_flags(),
            "CFLAGS_ENVIRONMENT": compiler.freestanding_flags() if on("VG_FREESTANDING") else "",
            "CFLAGS_SANITIZE": compiler.sanitize_flags(options.sanitize),
            "STATIC": "" if options.sanitize else "-static",
            "INPUTS": " ".join(ninja_path(path) for path in inputs),
            "INPUTS_OF_HEADER": " ".join(ninja_path(path) for path in inputs_of_header),
            "PREFIX": prefix,
            "TEXT_BUDGET": kconf.syms["VG_TEXT_BUDGET"].str_value,
        },
    )
    text = template.expand()
    if template.assembles:
        check_nasm(options.nasm)
    write_if_changed(os.path.join(options.directory, "build.ninja"), text)


def configure(options: argparse.Namespace) -> None:
    base = choose_base(options)
    kconf = symbols.load_kconfig()
    symbols.apply(kconf, symbols.parse_file(base, of_parent=bool(options.parent)), hidden_too=False)
    extra = [assignment for path in options.merge for assignment in symbols.parse_file(path)]
    extra += [symbols.parse_assignment(text, "--host") for text in host.EVERY_FUNCTION if options.host]
    extra += [symbols.parse_assignment(text, "--set") for text in options.set]
    symbols.apply(kconf, extra, hidden_too=True)
    symbols.verify(kconf)
    prepare_directory(options.directory)
    write_config(kconf, options.directory, "" if options.parent else symbols.heading(base))
    write_header(kconf, options.directory)
    write_ninja(kconf, options)
    print(f"{shown(options.directory)}: configured from {shown(base)}; next: ninja -C {shown(options.directory)}")


def write_config(kconf: Kconfig, directory: str, heading: str) -> None:
    try:
        kconf.write_config(os.path.join(directory, ".config"), header=heading)
    except OSError as error:
        raise Mistake(f"{shown(directory)}/.config: cannot write: {error.strerror}") from None


def load_directory(directory: str) -> Kconfig:
    kconf = symbols.load_kconfig()
    symbols.apply(kconf, symbols.parse_file(os.path.join(directory, ".config")), hidden_too=False)
    symbols.verify(kconf)
    return kconf


def refresh(options: argparse.Namespace) -> None:
    """For ninja. A build.ninja that cannot be made anew stays: the one that is there still has menuconfig, and its
    rule for config.h tells the user what is wrong."""
    if options.refresh == "config":
        write_header(load_directory(options.directory), options.directory)
        return
    try:
        kconf = load_directory(options.directory)
    except Mistake:
        return
    write_ninja(kconf, options)


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    if options.list:
        print("\n".join(defconfigs()))
    elif options.refresh:
        refresh(options)
    elif options.target:
        targets.run(options.target, options.directory)
        if options.target not in ("savedefconfig", "listnewconfig"):
            load_directory(options.directory)
    elif options.install:
        install.install(options.directory)
    elif options.sbom:
        sbom.sbom(options.directory, outputs.config_string(load_directory(options.directory)))
    else:
        configure(options)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Mistake as mistake:
        sys.exit(f"configure: {mistake}")
    except KeyboardInterrupt:
        sys.exit(130)
