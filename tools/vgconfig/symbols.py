"""Symbols and their values: Kconfig is loaded, assignments are applied, and each is seen to hold."""

import difflib
import itertools
import os
import re
from typing import Iterable, NamedTuple

import kconfiglib

from .common import ROOT, Mistake, read, shown


class Assignment(NamedTuple):
    name: str
    value: str
    where: str


def set_environment() -> None:
    """What kconfiglib reads from the environment, set to what our builds are: names without a prefix, and nothing that
    a shell may have left there for another project."""
    for name in list(os.environ):
        if name.startswith("KCONFIG_") and name not in ("KCONFIG_SEED", "KCONFIG_ALLCONFIG"):
            del os.environ[name]
    os.environ.update(CONFIG_="", srctree=ROOT, KCONFIG_WARN_UNDEF="y", KCONFIG_CONFIG=".config")


def load_kconfig() -> kconfiglib.Kconfig:
    """Kconfig without values. Its warnings are errors."""
    set_environment()
    try:
        kconf = kconfiglib.Kconfig(os.path.join(ROOT, "Kconfig"), warn_to_stderr=False)
    except (kconfiglib.KconfigError, OSError) as error:
        raise Mistake(str(error).strip()) from None
    if kconf.warnings:
        raise Mistake("\n".join(kconf.warnings))
    return kconf


def parse_assignment(text: str, where: str) -> Assignment:
    match = re.fullmatch(r"\s*(\w+)=(.*?)\s*", text)
    if not match:
        raise Mistake(f"{where}: '{text}' is not of the form VG_X=value")
    return Assignment(match[1], match[2], where)


def heading(path: str) -> str:
    """The comment at the beginning of a defconfig or a .config, which says what it is for."""
    lines = itertools.takewhile(lambda line: re.match(r"#(?! \w+ is not set$)", line), read(path).splitlines())
    return "".join(line + "\n" for line in lines)


def parse_file(path: str, of_parent: bool = False) -> list[Assignment]:
    """The assignments of a defconfig, a fragment or a .config. '# VG_X is not set' is VG_X=n. Of the .config of a tree
    that sources src/Kconfig, only the lines count whose symbols begin with VG_ or CONFIG_VG_."""
    assignments: dict[str, Assignment] = {}
    for number, line in enumerate(read(path).splitlines(), 1):
        where = f"{shown(path)}:{number}"
        if of_parent:
            ours = re.match(r"(# )?(?:CONFIG_)?(VG_.*)", line)
            if not ours:
                continue
            line = (ours[1] or "") + ours[2]
        unset = re.fullmatch(r"# (\w+) is not set\s*", line)
        if unset:
            assignment = Assignment(unset[1], "n", where)
        elif not line.strip() or line.lstrip().startswith("#"):
            continue
        else:
            assignment = parse_assignment(line, where)
        earlier = assignments.get(assignment.name)
        if earlier and earlier.value != assignment.value:
            raise Mistake(f"{where}: {assignment.name}={assignment.value}, but {earlier.where} says {earlier.value}")
        assignments[assignment.name] = assignment
    return list(assignments.values())


def find(kconf: kconfiglib.Kconfig, assignment: Assignment) -> kconfiglib.Symbol:
    symbol = kconf.syms.get(assignment.name)
    if symbol and symbol.nodes:
        return symbol
    names = [symbol.name for symbol in kconf.unique_defined_syms]
    wanted = assignment.name if assignment.name.startswith("VG_") else "VG_" + assignment.name.removeprefix("CONFIG_")
    close = difflib.get_close_matches(wanted.upper(), names, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise Mistake(f"{assignment.where}: there is no symbol {assignment.name}{hint}")


def value_of(symbol: kconfiglib.Symbol, assignment: Assignment) -> str:
    """The value as kconfiglib holds it, or a Mistake if the symbol's type has no such value."""
    text = assignment.value
    where = f"{assignment.where}: {symbol.name}={text}"
    if symbol.orig_type is kconfiglib.BOOL:
        if text not in ("y", "n"):
            raise Mistake(f"{where}: y or n is wanted")
    elif symbol.orig_type is kconfiglib.INT:
        if not re.fullmatch(r"[0-9]+", text):
            raise Mistake(f"{where}: a decimal number is wanted")
        text = str(int(text))
    elif symbol.orig_type is kconfiglib.STRING:
        quoted = re.fullmatch(r'"((?:[^\\"]|\\.)*)"', text)
        if quoted:
            text = kconfiglib.unescape(quoted[1])
        elif '"' in text:
            raise Mistake(f"{where}: the quotes do not match")
    return text


def why_not(symbol: kconfiglib.Symbol, value: str) -> str:
    """Why symbol does not have this value, in the words of Kconfig."""
    if not any(node.prompt for node in symbol.nodes):
        return "it has no prompt: it follows from other symbols"
    if symbol.orig_type is kconfiglib.INT:
        for low, high, condition in symbol.ranges:
            if kconfiglib.expr_value(condition) and not int(low.str_value) <= int(value) <= int(high.str_value):
                return f"its range is {low.str_value} to {high.str_value}"
    if symbol.choice and symbol.choice.visibility:
        return f"{symbol.choice.selection.name} is chosen instead"
    item = symbol.choice or symbol
    conditions = [item.direct_dep] + [node.prompt[1] for node in item.nodes if node.prompt]
    unmet = [condition for condition in conditions if kconfiglib.expr_value(condition) == 0]
    if not unmet:
        return "another symbol decides it"
    verb = "it depends on" if unmet[0] is item.direct_dep else "it may be changed only if"
    return f"{verb} " + kconfiglib.expr_str(unmet[0], with_value)


def with_value(symbol) -> str:
    if symbol.is_constant or not getattr(symbol, "nodes", None):
        return kconfiglib.standard_sc_expr_str(symbol)
    return f"{symbol.name} (={symbol.str_value})"


def apply(kconf: kconfiglib.Kconfig, assignments: Iterable[Assignment], hidden_too: bool) -> None:
    """Set symbols, the last assignment to each counts, and see that all hold. Values for symbols without a prompt are
    accepted if hidden_too and ignored otherwise: a full .config has them."""
    last: dict[kconfiglib.Symbol, Assignment] = {}
    for assignment in assignments:
        symbol = find(kconf, assignment)
        if hidden_too or any(node.prompt for node in symbol.nodes):
            last[symbol] = assignment
    wanted = {symbol: value_of(symbol, assignment) for symbol, assignment in last.items()}
    for symbol, value in wanted.items():
        symbol.set_value(value)
    problems = []
    for symbol, value in wanted.items():
        # What is left of an option that was switched off may stay in a file: no, or a number that nobody chose.
        if symbol.str_value != value and not (symbol.str_value == "" and value in ("n", default_of(symbol))):
            got = symbol.str_value or "no value"
            problems.append(
                f"{last[symbol].where}: {symbol.name}={last[symbol].value} does not hold: it is {got}, "
                + why_not(symbol, value)
            )
    if problems:
        raise Mistake("\n".join(problems))


def default_of(symbol: kconfiglib.Symbol) -> str:
    """The default of a number, its dependencies met or not."""
    for value, condition in symbol.orig_defaults:
        if kconfiglib.expr_value(condition):
            return value.str_value
    return "0"


def verify(kconf: kconfiglib.Kconfig) -> None:
    """What Kconfig promises, seen to: no archive without a variant or a key size."""

    def on(prefix: str) -> list[str]:
        return [s.name for s in kconf.unique_defined_syms if s.name.startswith(prefix) and s.str_value == "y"]

    variants = on("VG_VARIANT_")
    if not variants:
        raise Mistake("no variant is left: turn on one of VG_VARIANT_*")
    if kconf.syms["VG_DISPATCH_FIXED"].str_value == "y" and len(variants) != 1:
        raise Mistake("fixed dispatch has exactly one variant, but these are on: " + ", ".join(variants))
    if not on("VG_AES"):
        raise Mistake("no key size is left: turn on one of VG_AES128, VG_AES192, VG_AES256")
    verify_thresholds(kconf)
    prefix = kconf.syms["VG_SYMBOL_PREFIX"].str_value
    if not re.fullmatch(r"([A-Za-z_]\w*)?", prefix, re.ASCII):
        raise Mistake(f'VG_SYMBOL_PREFIX="{prefix}" cannot begin a name in C')


NEVER = 1 << 30  # the top of a threshold's range


def verify_thresholds(kconf: kconfiglib.Kconfig) -> None:
    """A text is copied up to one length, or sealed from two places from another on: there is a block between them."""
    for symbol in kconf.unique_defined_syms:
        if not symbol.name.endswith("_SPLIT_FROM") or not symbol.visibility:
            continue
        other = kconf.syms[symbol.name.removesuffix("SPLIT_FROM") + "COPY_BELOW"]
        split_from, copy_below = int(symbol.str_value), int(other.str_value)
        if NEVER not in (split_from, copy_below) and split_from + 16 > copy_below:
            raise Mistake(
                f"{symbol.name}={split_from} and {other.name}={copy_below} exclude each other: "
                f"{other.name} is {NEVER}, which means never, or at least {split_from + 16}"
            )
