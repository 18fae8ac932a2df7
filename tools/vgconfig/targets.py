"""menuconfig and its relations: kconfiglib's programs on the .config of a build directory, and randconfig."""

import os
import random
import runpy
import sys

import kconfiglib

from .common import ROOT, Mistake
from .symbols import heading, load_kconfig, set_environment

# These change a configuration or copy it; the others replace it, and with it what it is for.
KEEP_HEADING = ("menuconfig", "guiconfig", "oldconfig", "olddefconfig", "savedefconfig")


def run(target: str, directory: str) -> None:
    os.chdir(directory)
    set_environment()
    if target in KEEP_HEADING and os.path.exists(".config"):
        os.environ["KCONFIG_CONFIG_HEADER"] = heading(".config")
    if target == "randconfig":
        randconfig()
        return
    sys.argv = [target, os.path.join(ROOT, "Kconfig")]
    if target == "savedefconfig":
        sys.argv += ["--kconfig", sys.argv.pop(), "--out", "defconfig"]
    try:
        runpy.run_module(target, run_name="__main__")
    except ImportError as error:
        raise Mistake(f"{target}: this python has no {error.name}; menuconfig needs less") from None
    except SystemExit as end:
        if end.code:
            raise Mistake(f"{target}: {end.code}") from None
    except Exception as error:  # tkinter has its own kinds, and is not everywhere
        if type(error).__name__ == "TclError":
            raise Mistake(f"{target}: {error}; menuconfig needs a terminal only") from None
        raise


def randconfig() -> None:
    """Any configuration that Kconfig allows. KCONFIG_SEED gives the same one again."""
    text = os.environ.get("KCONFIG_SEED") or str(random.SystemRandom().randrange(1 << 32))
    try:
        seed = int(text, 0)
    except ValueError:
        raise Mistake(f"KCONFIG_SEED={text}: a number is wanted") from None
    print(f"KCONFIG_SEED={seed}")
    dice = random.Random(seed)
    kconf = load_kconfig()
    # Twice, since a symbol may open others that stand before it.
    for _ in range(2):
        for node in kconf.node_iter():
            if isinstance(node.item, (kconfiglib.Symbol, kconfiglib.Choice)) and node.item.visibility:
                throw(dice, node.item)
    kconf.write_config(".config")


def throw(dice: random.Random, item) -> None:
    if isinstance(item, kconfiglib.Choice):
        dice.choice([symbol for symbol in item.syms if symbol.visibility]).set_value(2)
    elif item.choice:
        return
    elif item.orig_type is kconfiglib.BOOL:
        item.set_value(dice.choice(item.assignable))
    elif item.name == "VG_TEXT_BUDGET":
        return  # a limit, no property of the code
    elif item.orig_type is kconfiglib.INT:
        low, high, _ = next(r for r in item.ranges if kconfiglib.expr_value(r[2]))
        item.set_value(str(dice.randint(int(low.str_value), int(high.str_value))))
    elif item.name == "VG_SYMBOL_PREFIX":
        item.set_value(dice.choice(("", "", "fw_")))
