"""config.h and config.inc: the configuration as C and nasm see it."""

import hashlib
from typing import Iterator

import kconfiglib

from .names import global_names
from .symbols import default_of


def values(kconf: kconfiglib.Kconfig) -> Iterator[tuple[kconfiglib.Symbol, str]]:
    """Every symbol with its value as a C token: 0 or 1, a number, a quoted string."""
    for symbol in kconf.unique_defined_syms:
        if symbol.orig_type is kconfiglib.BOOL:
            yield symbol, "1" if symbol.str_value == "y" else "0"
        elif symbol.orig_type is kconfiglib.INT:
            yield symbol, symbol.str_value or default_of(symbol)
        else:
            yield symbol, f'"{kconfiglib.escape(symbol.str_value)}"'


def config_symbol(kconf: kconfiglib.Kconfig) -> str:
    """The name by which code and archive recognise that they have the same configuration."""
    text = "".join(f"{symbol.name}={value}\n" for symbol, value in sorted(values(kconf), key=lambda pair: pair[0].name))
    prefix = kconf.syms["VG_SYMBOL_PREFIX"].str_value
    return f"{prefix}vg_config_h_must_be_that_of_libvg_a_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def config_string(kconf: kconfiglib.Kconfig) -> str:
    """What a user could type to get this configuration: all symbols that have a prompt now."""
    words = []
    for symbol in kconf.unique_defined_syms:
        if not symbol.visibility or (symbol.choice and symbol.choice.selection is not symbol):
            continue
        value = symbol.str_value
        if symbol.orig_type is kconfiglib.STRING:
            value = f'"{kconfiglib.escape(value)}"'
        words.append(f"{symbol.name}={value}")
    return " ".join(words)


def config_h(kconf: kconfiglib.Kconfig) -> str:
    defines = "\n".join(f"#define {symbol.name} {value}" for symbol, value in values(kconf))
    name = config_symbol(kconf)
    prefix = kconf.syms["VG_SYMBOL_PREFIX"].str_value
    renamed = "".join(f"#define {old} {prefix}{old}\n" for old in global_names()) if prefix else ""
    return f"""/* vg/config.h: the configuration of this build, written by tools/configure. */
#ifndef VG_CONFIG_H
#define VG_CONFIG_H

{defines}
#define VG_CONFIG_STRING "{kconfiglib.escape(config_string(kconf))}"
#define VG_CONFIG_SYMBOL {name}
{renamed}
/* Code that was compiled with another vg/config.h than the archive does not link: it asks for another name. */
#ifdef __cplusplus
extern "C" {{
#endif
extern const unsigned char {name} __attribute__((visibility("hidden")));
#ifndef VG_BUILDING
#ifdef __has_attribute
#if __has_attribute(retain)
__attribute__((retain))
#endif
#endif
__attribute__((used)) static const unsigned char *const vg_config_wanted = &{name};
#endif
#ifdef __cplusplus
}}
#endif
#endif
"""


def config_inc(kconf: kconfiglib.Kconfig) -> str:
    lines = ["; config.inc: the configuration of this build, written by tools/configure."]
    lines += [f"%define {symbol.name} {value}" for symbol, value in values(kconf)]
    return "\n".join(lines) + "\n"
