"""The global names that code outside the archive can refer to, read off the headers: what a symbol prefix goes in front
of in vg/config.h. Inside the archive, build.ninja puts it before whatever is global.

All names that begin with vg_ are taken but those of macros. One rename too many does no harm: types and locals are
renamed wherever they are used."""

import glob
import os
import re

from .common import ROOT, read

HEADERS = ("include/vg/*.h", "src/*.h", "src/*/*.h")


def headers() -> list[str]:
    return sorted(path for pattern in HEADERS for path in glob.glob(os.path.join(ROOT, pattern)))


def global_names() -> list[str]:
    names, macros, variants, operations = set(), set(), set(), set()
    for path in headers():
        text = re.sub(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', " ", read(path), flags=re.S)
        macros.update(re.findall(r"^\s*#\s*define\s+(vg_\w+)", text, re.M))
        variants.update(re.findall(r"^VG_DECLARE_VARIANT\((\w+)\)", text, re.M))
        operations.update(re.findall(r"\b(vg_\w+_)##", text))
        names.update(re.findall(r"\b(vg_\w*[a-z0-9])\b", text))
    forms = [variant + form for variant in variants for form in ("", "_base", "_prepared")]
    names.update(operation + form for operation in operations for form in forms)
    return sorted(names - macros)
