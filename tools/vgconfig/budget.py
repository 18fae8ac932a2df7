"""Whether an archive keeps to VG_TEXT_BUDGET: python -m vgconfig.budget ARCHIVE BYTES. For ninja."""

import os
import re
import subprocess
import sys

NAMED = 10  # functions that the complaint names


def output(*command: str) -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def text_len(archive: str) -> int:
    """Bytes of all sections of instructions."""
    sections = re.findall(r"^(\.\S+) +(\d+) ", output("size", "-A", archive), re.M)
    return sum(int(size) for name, size in sections if name == ".text" or name.startswith(".text."))


def largest_functions(archive: str) -> list[tuple[int, str]]:
    found = re.findall(r"^[0-9a-f]+ ([0-9a-f]+) [tT] (\S+)$", output("nm", "-S", archive), re.M)
    return sorted(((int(size, 16), name) for size, name in found), reverse=True)[:NAMED]


def complaint(archive: str, budget: int) -> str:
    """Nothing if the archive keeps to the budget."""
    text = text_len(archive)
    if text <= budget:
        return ""
    lines = [f"{archive}: {text:,} bytes of text, {text - budget:,} more than VG_TEXT_BUDGET={budget} allows"]
    lines += [f"{size:8,}  {name}" for size, name in largest_functions(archive)]
    return "\n".join(lines + ["These functions are the largest. Leave something out, or raise VG_TEXT_BUDGET."])


if __name__ == "__main__":
    sys.exit(complaint(sys.argv[1], int(sys.argv[2])) or 0)
