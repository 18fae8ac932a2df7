"""The global names of the library, read off its sources: what a symbol prefix goes in front of.

All names that begin with vg_ are taken but those of macros. One rename too many does no harm: types and locals are
renamed wherever they are used."""

import glob
import os
import re

from .common import ROOT, read

SOURCES = ("include/vg/*.h", "src/*.h", "src/*.c", "src/*/*.h", "src/*/*.c", "asm/*/*.inc", "asm/*/*.asm")


def sources() -> list[str]:
    return sorted(path for pattern in SOURCES for path in glob.glob(os.path.join(ROOT, pattern)))


def global_names() -> list[str]:
    names, macros, variants, operations = set(), set(), set(), set()
    for path in sources():
        text = re.sub(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', " ", read(path), flags=re.S)
        macros.update(re.findall(r"^\s*[#%]\s*i?x?define\s+(vg_\w+)", text, re.M))
        variants.update(re.findall(r"^VG_DECLARE_VARIANT\((\w+)\)", text, re.M))
        operations.update(re.findall(r"\b(vg_\w+_)##", text))
        names.update(re.findall(r"\b(vg_\w*[a-z0-9])\b", text))
    forms = [variant + form for variant in variants for form in ("", "_base", "_prepared")]
    names.update(operation + form for operation in operations for form in forms)
    return sorted(names - macros)
