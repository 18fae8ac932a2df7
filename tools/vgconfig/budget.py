"""Whether an archive keeps to VG_TEXT_BUDGET: python -m vgconfig.budget ARCHIVE BYTES. For ninja."""

import os
import re
import subprocess
import sys
from typing import NamedTuple

NAMED = 10  # functions that the complaint names


class Function(NamedTuple):
    member: str
    name: str
    size: int
    is_global: bool


def output(*command: str) -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def text_len(archive: str) -> int:
    """Bytes of all sections of instructions."""
    sections = re.findall(r"^(\.\S+) +(\d+) ", output("size", "-A", archive), re.M)
    return sum(int(size) for name, size in sections if name == ".text" or name.startswith(".text."))


def functions(archive: str) -> list[Function]:
    """All of them, the largest first."""
    listing = output("objdump", "-h", "-t", "-w", archive)
    found = []
    for part in re.split(r"^(?=\S+: +file format )", listing, flags=re.M)[1:]:
        found += functions_of_member(part.split(":")[0], part)
    return sorted(found, key=lambda function: (-function.size, function.name))


def functions_of_member(member: str, listing: str) -> list[Function]:
    """nasm gives no sizes: what it assembles reaches to the next function or to the end of its section. Its labels with
    a dot lie inside of functions."""
    ends = {name: int(size, 16) for name, size in re.findall(r"^ +\d+ (\.text\S*) +([0-9a-f]+) ", listing, re.M)}
    symbols = re.findall(r"^([0-9a-f]+) (.{7}) (\.text\S*)\t([0-9a-f]+) +(?:\.hidden )?(\S+)$", listing, re.M)
    places = [
        (section, int(value, 16), int(size, 16), name, flags[0] == "g")
        for value, flags, section, size, name in symbols
        if "d" not in flags and (int(size, 16) or "." not in name)
    ]
    found = []
    for section, begin, size, name, is_global in places:
        later = [value for other, value, *_ in places if other == section and value > begin]
        found.append(Function(member, name, size or min(later, default=ends[section]) - begin, is_global))
    return found


def complaint(archive: str, budget: int) -> str:
    """Nothing if the archive keeps to the budget."""
    text = text_len(archive)
    if text <= budget:
        return ""
    lines = [f"{archive}: {text:,} bytes of text, {text - budget:,} more than VG_TEXT_BUDGET={budget} allows"]
    lines += [f"{function.size:8,}  {function.name} in {function.member}" for function in functions(archive)[:NAMED]]
    return "\n".join(lines + ["These functions are the largest. Leave something out, or raise VG_TEXT_BUDGET."])


if __name__ == "__main__":
    sys.exit(complaint(sys.argv[1], int(sys.argv[2])) or 0)
