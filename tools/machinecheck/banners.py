"""The banner of a kernel and the prototype in src/variant.h. README.md has the grammar."""

import functools
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Optional

from . import Mistake
from .machine import Build, Function, Object

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
VARIANT_H = "src/variant.h"
FORMS = ("base", "prepared")
KEYS = ("In", "Out", "Overlap", "Secret", "Public", "Needs", "Clobber", "Stack")
OPTIONAL = {"Overlap"}
COLUMN = 11
INNER = "An inner function: a register contract of its own."
FIRST_LINE = re.compile(r"; vg_(\w+?)_<variant>(_<form>)?: \S")
PARAMETERS_AT = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
BINDING = re.compile(r"(\[rsp\+\d+\]|\w+)=(\w+)(?:\[([^]]+)\])?")


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@dataclass(frozen=True)
class Parameter:
    name: str
    is_pointer: bool
    size: str  # of an array, "" otherwise


@dataclass(frozen=True)
class Prototype:
    """`void f(const struct vg_aes_gcm *gcm, size_t n);`"""

    text: str
    returns: str
    parameters: tuple[Parameter, ...]


def prototype(text: str) -> Optional[Prototype]:
    found = re.fullmatch(r"(\w+) f\((.*)\);", squeezed(text))
    if not found:
        return None
    parameters = []
    for word in found[2].split(","):
        name = re.search(r"(\w+)(?:\[(?:static )?(\w+)\])?$", word.strip())
        if not name:
            return None
        parameters.append(Parameter(name[1], "*" in word or "[" in word, name[2] or ""))
    return Prototype(squeezed(text), found[1], tuple(parameters))


@functools.cache
def declared_operations() -> dict[tuple[str, bool], Prototype]:
    """What src/variant.h declares: operation and whether it comes in forms."""
    with open(os.path.join(ROOT, VARIANT_H), encoding="utf-8") as file:
        text = file.read().replace("\\\n", "\n")
    types = {
        name: prototype(f"{returns} f({arguments});")
        for returns, name, arguments in re.findall(r"^typedef (\w+) (vg_\w+_fn)\(([^;]*)\);", text, re.M)
    }
    found = {}
    for macro, is_form in (("VG_DECLARE_VARIANT", False), ("VG_DECLARE_FORM", True)):
        body = re.search(rf"#define {macro}\(v\)(.*?)(?=\n#|\nstruct|\Z)", text, re.S)
        for kind, operation in re.findall(r"\b(vg_\w+_fn)\s+vg_(\w+)_##v", body[1] if body else ""):
            shape = types.get(kind)
            if shape:
                found[operation, is_form] = shape
    return found


def operation_of(function: Function, prefix: str) -> tuple[str, str]:
    """Operation and form, "" without one, of a global function of a variant."""
    name = function.name.removeprefix(prefix).removeprefix("vg_")
    for form in FORMS:
        stem = name.removesuffix(f"_{function.variant}_{form}")
        if stem != name:
            return stem, form
    return name.removesuffix(f"_{function.variant}"), ""


@dataclass
class Banner:
    """Of one function, or of several that share a contract: operations."""

    operations: list[str]
    in_forms: bool
    line: int
    prototype: Optional[Prototype] = None
    is_inner: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    # Filled in by Banners, for one build: what Clobber and Stack say, with roles and names replaced.
    clobber: Optional[set[str]] = None
    may_clobber: set[str] = field(default_factory=set)
    stack: dict[str, int] = field(default_factory=dict)  # by form, "" without forms

    @property
    def bindings(self) -> list[tuple[str, str, str]]:
        """Place, name, bytes or ""; of In and Out."""
        return BINDING.findall(self.keys.get("In", "") + " ; " + self.keys.get("Out", ""))


def parse(block: list[str], line: int) -> Banner:
    """A block of comment lines that begins with one name or more."""
    names = [found for found in map(FIRST_LINE.match, block) if found]
    banner = Banner([found[1] for found in names], bool(names[0][2]), line)
    if len({found[2] for found in names}) > 1:
        banner.mistakes.append("names with and without a form share a banner")
    body = block[len(names) :]
    shape = " ".join(text[1:] for text in body if re.match(r";   \S", text) or re.match(r";    +\S.*\);$", text))
    if f";   {INNER}" in body:
        banner.is_inner = True
    else:
        banner.prototype = prototype(shape.split(");")[0] + ");") if ");" in shape else None
        if banner.prototype is None:
            banner.mistakes.append(f"neither a prototype of f nor '{INNER}'")
    key = ""
    for text in body:
        start = re.match(r"; ([A-Z][a-z]+) +(?=\S)", text)
        if start and start[1] in KEYS:
            key = start[1]
            if len(start[0]) != COLUMN:
                banner.mistakes.append(f"the text of {key} does not begin in column {COLUMN + 1}")
            if key in banner.keys:
                banner.mistakes.append(f"{key} is there twice")
            banner.keys[key] = text[len(start[0]) :]
        elif key and text.startswith(";" + " " * (COLUMN - 1)):
            banner.keys[key] += " " + text.strip("; ")
        else:
            key = ""
    missing = [name for name in KEYS if name not in banner.keys and name not in OPTIONAL]
    if missing:
        banner.mistakes.append(f"no {', '.join(missing)}")
    if list(banner.keys) != [name for name in KEYS if name in banner.keys]:
        banner.mistakes.append(f"keys are not in the order {' '.join(KEYS)}")
    return banner


def banners_of(source: str) -> list[Banner]:
    """Comment blocks, cut where a name follows something else than a name."""
    found: list[Banner] = []
    block: list[str] = []
    start = 0
    for number, line in enumerate([*source.splitlines(), ""], 1):
        is_name = bool(FIRST_LINE.match(line))
        if block and (not line.startswith(";") or (is_name and not FIRST_LINE.match(block[-1]))):
            found.append(parse(block, start))
            block = []
        if is_name and not block:
            start = number
        if is_name or (block and line.startswith(";")):
            block.append(line)
    return found


def split_optional(text: str) -> tuple[str, str]:
    """What stands outside of brackets, and inside."""
    return re.sub(r"\[[^]]*\]", " ", text), " ".join(re.findall(r"\[([^]]*)\]", text))


def registers(text: str) -> set[str]:
    """Whole registers of a list with ranges: "rax r8-r11 xmm0-xmm3 flags"."""
    found = set()
    for word in text.replace(",", " ").split():
        span = re.fullmatch(r"([a-z]+)(\d+)-([a-z]+)(\d+)", word)
        single = re.fullmatch(r"r[a-ds]?[a-z0-9]+|[xyz]mm\d+|k[0-7]|flags", word)
        if span and span[1] == span[3] and int(span[2]) <= int(span[4]):
            found |= {f"{span[1]}{n}" for n in range(int(span[2]), int(span[4]) + 1)}
        elif single:
            found.add(word)
        else:
            raise ValueError(word)
    return {re.sub(r"^[xy]mm", "zmm", name) for name in found}


def number(text: str) -> int:
    if not re.fullmatch(r"[0-9()+*/ -]+", text):
        raise ValueError(text)
    return int(eval(text.replace("/", "//")))  # digits and operators alone


class Banners:
    """The banners of a build, names in them replaced by what the assembler takes them for."""

    def __init__(self, build: Build):
        self.build = build
        self.declared = declared_operations()
        self.rules = self._rules()
        self.of_object: dict[str, list[Banner]] = {}
        for one in build.objects:
            if one.source.endswith(".asm"):
                self.of_object[one.name] = self._of(one)

    def _rules(self) -> dict[str, str]:
        """Object -> the defines it is assembled with."""
        with open(os.path.join(self.build.folder, "build.ninja"), encoding="utf-8") as file:
            text = file.read()
        nasm = re.search(r"^nasm = (.*)$", text, re.M)
        self.nasm = nasm[1] if nasm else "nasm"
        return dict(re.findall(r"^build obj/(\S+\.o): nasm .*\n  defines = (.*)$", text, re.M))

    def _of(self, one: Object) -> list[Banner]:
        with open(os.path.join(ROOT, one.source), encoding="utf-8") as file:
            source = file.read()
        found = banners_of(source)
        wanted = []
        for index, banner in enumerate(found):
            wanted.append(("clobber", index, "", banner.keys.get("Clobber", "").split(";")[0]))
            for form, expression in stack_expressions(banner).items():
                wanted.append(("stack", index, form, expression))
        expanded = self._expand(one, source, [text for _, _, _, text in wanted])
        for (what, index, form, text), value in zip(wanted, expanded):
            banner = found[index]
            try:
                if what == "clobber":
                    always, sometimes = split_optional(value)
                    banner.clobber, banner.may_clobber = registers(always), registers(sometimes)
                else:
                    banner.stack[form] = number(value)
            except (ValueError, SyntaxError, ZeroDivisionError):
                banner.mistakes.append(f"cannot read '{text.strip()}' of {what.capitalize()}: it stands for '{value}'")
        return found

    def _expand(self, one: Object, source: str, texts: list[str]) -> list[str]:
        """texts as nasm sees them at the end of the source."""
        marked = "".join(f"BANNER_TEXT {text}\n" for text in texts)
        with tempfile.NamedTemporaryFile("w", suffix=".asm", encoding="utf-8") as file:
            file.write(source + "\n" + marked)
            file.flush()
            defines = self.rules.get(one.name, "").split()
            command = [self.nasm, "-E", "-f", "elf64", *defines, f"-I{ROOT}/asm/include/", f"-I{self.build.folder}/"]
            done = subprocess.run([*command, file.name], capture_output=True, text=True, check=False)
        lines = re.findall(r"^BANNER_TEXT ?(.*)$", done.stdout, re.M)
        if done.returncode or len(lines) != len(texts):
            raise Mistake(f"{one.source}: {' '.join(command)} failed: {done.stderr.strip()}")
        return [line.strip() for line in lines]

    def numbers(self, one: Object, names: list[str]) -> list[int]:
        """What names of the includes stand for where the object's source ends."""
        with open(os.path.join(ROOT, one.source), encoding="utf-8") as file:
            return [number(text) for text in self._expand(one, file.read(), names)]

    def split(self, function: Function) -> tuple[str, str]:
        return operation_of(function, self.build.prefix)

    def banner(self, function: Function) -> Optional[Banner]:
        operation, form = self.split(function)
        found = [
            b
            for b in self.of_object.get(function.object.name, [])
            if operation in b.operations and b.in_forms == bool(form)
        ]
        return found[0] if len(found) == 1 else None

    def called_by_c(self, function: Function) -> Optional[Prototype]:
        operation, form = self.split(function)
        return self.declared.get((operation, bool(form)))


def stack_expressions(banner: Banner) -> dict[str, str]:
    """Form, or "", and what stands before "bytes"."""
    text = banner.keys.get("Stack", "").split(";")[0].strip()
    if not text:
        return {}
    found = {}
    for part in text.split(","):
        words = re.fullmatch(r"\s*(?:(base|prepared) )?(.+?) bytes\s*", part)
        if not words or bool(words[1]) != banner.in_forms:
            wanted = "base N bytes, prepared N bytes" if banner.in_forms else "N bytes"
            banner.mistakes.append(f"Stack is not '{wanted}'")
            return {}
        found[words[1] or ""] = words[2]
    if banner.in_forms and set(found) != set(FORMS):
        banner.mistakes.append("Stack lacks a form")
    return found


def needed(banner: Banner, vex: bool) -> Optional[tuple[set[str], set[str]]]:
    """The features of Needs, and those in brackets."""
    text, sometimes = split_optional(banner.keys.get("Needs", "").split(";")[0])
    found = re.fullmatch(r"([a-z0-9 ]+?)(?:, and ([a-z0-9]+) in VEX encoding)?\s*", text)
    if not found:
        return None
    words = set(found[1].split()) - {"none"}
    return words | ({found[2]} if found[2] and vex else set()), set(sometimes.split())
