"""build.ninja from build.ninja.in.

Lines of the template that are not copied:
  @if EXPR@ ... @end@            the lines between, if the Kconfig expression holds
  @for PATTERN@ ... @end@        the lines between, once for every file: @STEM@ is its name without folder and ending
  @source PATTERN [if EXPR]@     compile or assemble these files into the archive; @OBJECTS@ names what comes of it
  @small PATTERN [if EXPR]@      the same of C files that are compiled for size
  @variant NAME PATTERN DEFINES [if EXPR]@   assemble these files with -D options; others may do so for another NAME
  @add NAME PATH@                add to the list that @NAME@ stands for, here or above
and @NAME@ anywhere is a value that tools/configure knows. PATTERN is relative to the source tree."""

import glob
import os
import re

import kconfiglib

from .common import ROOT, Mistake, read

TEMPLATE = os.path.join(ROOT, "build.ninja.in")


def ninja_path(path: str) -> str:
    return re.sub(r"([$ :])", r"$\1", path)


class Template:
    def __init__(self, kconf: kconfiglib.Kconfig, values: dict[str, str]):
        self.kconf = kconf
        self.values = dict(values)
        self.lists: dict[str, list[str]] = {"OBJECTS": []}
        self.assembles = False
        self.folders: set[str] = set()

    def expand(self) -> str:
        lines = list(enumerate(read(TEMPLATE).splitlines(), 1))
        for name in re.findall(r"^@add (\w+) ", "\n".join(line for _, line in lines), re.M):
            self.lists[name] = []
        out = self.block(lines, {})
        self.values.update((name, " ".join(paths)) for name, paths in self.lists.items())
        self.values["FOLDERS"] = " ".join("$root/" + ninja_path(folder) for folder in sorted(self.folders))
        return "\n".join(self.substitute(number, line) for number, line in out) + "\n"

    def block(self, lines: list[tuple[int, str]], local: dict[str, str]) -> list[tuple[int, str]]:
        out: list[tuple[int, str]] = []
        index = 0
        while index < len(lines):
            number, line = lines[index]
            index += 1
            for name, value in local.items():
                line = line.replace(f"@{name}@", value)
            directive = re.fullmatch(r"@(if|for|source|small|variant|add|end)\b ?(.*)@", line)
            if not directive:
                out.append((number, line))
                continue
            word, argument = directive.groups()
            if word in ("source", "small", "variant"):
                out += [(number, text) for text in self.source(number, argument, word)]
                continue
            if word == "add":
                name, _, path = argument.partition(" ")
                self.lists[name].append(path)
                continue
            if word == "end":
                raise self.mistake(number, "@end@ without a beginning")
            end = self.end_of(lines, index, number)
            body = lines[index:end]
            index = end + 1
            if word == "if":
                out += self.block(body, local) if self.holds(number, argument) else []
            else:
                for path in self.glob(argument):
                    stem = os.path.splitext(os.path.basename(path))[0]
                    out += self.block(body, {**local, "STEM": stem})
        return out

    def end_of(self, lines: list[tuple[int, str]], index: int, begin: int) -> int:
        depth = 1
        for position in range(index, len(lines)):
            text = lines[position][1]
            depth += bool(re.match(r"@(if|for) ", text)) - (text == "@end@")
            if depth == 0:
                return position
        raise self.mistake(begin, "no @end@")

    def source(self, number: int, argument: str, word: str) -> list[str]:
        argument, _, condition = argument.partition(" if ")
        if condition and not self.holds(number, condition):
            return []
        variant, pattern, defines = "", argument, ""
        is_variant = word == "variant"
        if is_variant:
            variant, pattern, defines = (argument + " ").split(" ", 2)
        out = []
        # A name without a wildcard need not exist yet: ninja then says that it is missing.
        for path in self.glob(pattern) if glob.has_magic(pattern) else [pattern]:
            stem, ending = os.path.splitext(path)
            rule = {".c": "cc", ".asm": "nasm"}[ending]
            self.assembles |= rule == "nasm"
            # The members of an archive have no folders and should have names of their own.
            name = f"{variant}-{os.path.basename(stem)}" if is_variant else stem.replace("/", "-")
            made = f"obj/{ninja_path(name)}.o"
            self.lists["OBJECTS"].append(made)
            out.append(f"build {made}: {rule} $root/{ninja_path(path)} || include/vg/config.h config.inc")
            if defines.strip():
                out.append(f"  defines = {defines.strip()}")
            if word == "small":
                out.append("  optimize = $small")
        return out

    def glob(self, pattern: str) -> list[str]:
        folder = os.path.dirname(pattern)
        while not os.path.isdir(os.path.join(ROOT, folder)):
            folder = os.path.dirname(folder)
        self.folders.add(folder)
        found = glob.glob(os.path.join(ROOT, pattern))
        return sorted(os.path.relpath(path, ROOT) for path in found)

    def holds(self, number: int, expression: str) -> bool:
        for name in re.findall(r"\bVG_\w+", expression):
            if name not in self.kconf.syms or not self.kconf.syms[name].nodes:
                raise self.mistake(number, f"there is no symbol {name}")
        try:
            return self.kconf.eval_string(expression) > 0
        except kconfiglib.KconfigError as error:
            raise self.mistake(number, str(error).strip()) from None

    def substitute(self, number: int, line: str) -> str:
        def value(match: re.Match) -> str:
            if match[1] not in self.values:
                raise self.mistake(number, f"@{match[1]}@ is not a value")
            return self.values[match[1]]

        return re.sub(r"@([A-Z_]+)@", value, line)

    @staticmethod
    def mistake(number: int, text: str) -> Mistake:
        return Mistake(f"build.ninja.in:{number}: {text}")
