"""What the library costs: bytes of text and constants per variant and function, context bytes, stack."""

import os
import re
from typing import Iterable

from vgconfig.budget import functions

from . import Mistake
from .build import call
from .results import Results
from .tables import markdown

SHARED = "shared"  # what every variant uses


def variants_of(config_h: str) -> list[str]:
    """The variants of a build, from its vg/config.h."""
    return [name.lower() for name in re.findall(r"^#define VG_VARIANT_(\w+) 1$", config_h, re.M)]


def owner_of(member: str, variants: Iterable[str]) -> str:
    """The variant that a member of the archive belongs to by its name, the longest that fits, or "shared"."""
    fitting = [v for v in variants if re.search(rf"(^|[-/]){v}([-/.]|$)", member)]
    return max(fitting, key=len, default=SHARED)


def parse_size(text: str) -> dict[str, tuple[int, int]]:
    """size -A of an archive: for every member the bytes of text and of read-only data."""
    out: dict[str, tuple[int, int]] = {}
    member = ""
    for line in text.splitlines():
        start = re.match(r"(\S+)\s+\(ex .*\):$", line)
        if start:
            member = start.group(1)
            out[member] = (0, 0)
            continue
        section = re.match(r"(\.\S+)\s+(\d+)\s+\d+$", line)
        if section and member:
            name, size = section.group(1), int(section.group(2))
            text_bytes, constants = out[member]
            if name.startswith(".text"):
                out[member] = (text_bytes + size, constants)
            elif name.startswith((".rodata", ".data.rel.ro")):
                out[member] = (text_bytes, constants + size)
    return out


def read_archive(directory: str) -> list[dict]:
    """Lines of results: one for each variant and for what all share, and one for each function."""
    archive = os.path.join(directory, "libvg.a")
    try:
        with open(os.path.join(directory, "include/vg/config.h"), encoding="utf-8") as file:
            variants = variants_of(file.read())
    except OSError as error:
        raise Mistake(f"{directory}: not a build directory: {error.strerror}") from None
    totals: dict[str, list[int]] = {name: [0, 0] for name in (*variants, SHARED)}
    for member, (text_bytes, constants) in parse_size(call(["size", "-A", archive])).items():
        name = owner_of(member, variants)
        totals[name][0] += text_bytes
        totals[name][1] += constants
    lines = [{"type": "size", "variant": name, "text": t, "constants": c} for name, (t, c) in totals.items()]
    for function in functions(archive):
        owner = owner_of(function.member, variants)
        lines.append({"type": "function", "variant": owner, "name": function.name, "text": function.size})
    return lines


def size_report(results: Results, functions: bool) -> str:
    parts = []
    library = results.first("library")
    sizes = results.of_type("size")
    if sizes:
        body = [[line["variant"], f"{line['text']:,}", f"{line['constants']:,}"] for line in sizes]
        body.append(["all", f"{sum(s['text'] for s in sizes):,}", f"{sum(s['constants'] for s in sizes):,}"])
        parts.append(markdown(["bytes in the archive", "text", "constants"], body))
    if library:
        body = [["key context", f"{library['context_len']:,}"], ["stream context", f"{library['stream_len']:,}"]]
        parts.append(markdown(["memory", "bytes"], body))
    stack = results.of_type("stack")
    if stack:
        names = list(dict.fromkeys(line["candidate"] for line in stack))
        entries = list(dict.fromkeys(line["entry"] for line in stack))
        bytes_of = {(line["entry"], line["candidate"]): line["bytes"] for line in stack}
        body = [[e, *(f"{bytes_of[e, n]:,}" if (e, n) in bytes_of else "" for n in names)] for e in entries]
        parts.append(
            "Stack: bytes written below the caller's frame, the most over lengths to 20,000 and nonces of 12 and 16 "
            "bytes. Not seen: memory that is reserved deeper than anything is written.\n\n"
            + markdown(["deepest stack", *names], body)
        )
    if functions:
        body = [[f"{line['variant']}: {line['name']}", f"{line['text']:,}"] for line in results.of_type("function")]
        parts.append(markdown(["function", "text, bytes"], sorted(body, key=lambda cells: cells[0])))
    return "\n\n".join(parts)
