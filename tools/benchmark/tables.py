"""Markdown tables."""

from typing import Iterable, Optional, Sequence

from .results import Results, Row
from .stats import Cliff, Verdict


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], texts: Sequence[int] = (0,)) -> str:
    """Columns are padded, so that the table can be read as it stands. Those in `texts` are text, others numbers."""
    table = [list(header), *(list(row) for row in rows)]
    widths = [max(3, *(len(row[i]) for row in table)) for i in range(len(header))]
    lines = [
        "| "
        + " | ".join(cell.ljust(w) if i in texts else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
        + " |"
        for row in table
    ]
    rule = "| " + " | ".join("-" * w if i in texts else "-" * (w - 1) + ":" for i, w in enumerate(widths)) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])


def short(value: float) -> str:
    """Three digits that mean something, and no exponent."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def text_label(row: Row) -> str:
    if row.group == "imix":
        return "mix"
    return f"{row.len:,} + 1 B" if row.group.startswith("record") else f"{row.len:,} B"


def row_label(row: Row, rows: Iterable[Row]) -> str:
    """What sets row apart from the other rows of its table."""
    rows = list(rows)
    parts = [text_label(row)]
    if len({r.keys for r in rows}) > 1:
        parts.insert(0, f"{row.keys:,} key{'s' if row.keys != 1 else ''},")
    if len({r.aad_len for r in rows}) > 1:
        parts.append(f"+ {row.aad_len} B AAD")
    return " ".join(parts)


def sections(results: Results) -> list[tuple[str, int]]:
    """The tables, as group and key size, in the order of measuring."""
    return list(dict.fromkeys((line["group"], line["key_bits"]) for line in results.of_type("result")))


def default_peer(results: Results) -> Optional[str]:
    """The peer of the widest class that has results."""
    order = ("ipsec-mb-avx512", "ipsec-mb-avx2", "ipsec-mb-avx", "ipsec-mb-sse", "libcrypto", "libgcrypt")
    names = results.candidates()
    return next((name for name in order if name in names), None)


def timing_table(
    results: Results, group: str, key_bits: int, ratio_to: Optional[str], statistic: str, per_byte: bool
) -> str:
    times = {
        key: ns for key, ns in results.times(statistic).items() if key[0].group == group and key[0].key_bits == key_bits
    }
    rows = list(dict.fromkeys(row for row, _ in times))
    names = [name for name in results.candidates() if any((row, name) in times for row in rows)]
    ghz = results.first("clock").get("tsc_ghz", 0)
    body = []
    for row in rows:
        best = min(times[row, name] for name in names if (row, name) in times)
        cells = [row_label(row, rows)]
        for name in names:
            ns = times.get((row, name))
            if ns is None:
                cells.append("")
                continue
            text = f"{ns * ghz / row.len:.3f}" if per_byte and row.len else short(ns)
            if ns == best:
                text = f"**{text}**"
            if ratio_to and (row, ratio_to) in times and name != ratio_to:
                text += f" ({ns / times[row, ratio_to]:.2f})"
            cells.append(text)
        body.append(cells)
    return markdown([f"{group}, AES-{key_bits}", *names], body)


def report(results: Results, ratio_to: Optional[str], statistic: str, per_byte: bool) -> str:
    unit = "TSC cycles per byte" if per_byte else "ns per message"
    head = f"{unit}, {statistic} of the samples of the fastest pass, best in bold"
    if ratio_to:
        head += f", in brackets the ratio to {ratio_to} (less is better)"
    groups = [(group, bits) for group, bits in sections(results) if not group.startswith("cliffs")]
    tables = [timing_table(results, group, bits, ratio_to, statistic, per_byte) for group, bits in groups]
    return "\n\n".join([head + ".", *tables]) if tables else ""


def runs(lens: Sequence[int]) -> str:
    """Ascending lengths as --sizes takes them: three and more at equal distances as FIRST-LAST:STEP."""
    parts, at = [], 0
    while at < len(lens):
        end = at + 1
        while end < len(lens) and lens[end] - lens[end - 1] == lens[at + 1] - lens[at]:
            end += 1
        if end - at >= 3:
            step = lens[at + 1] - lens[at]
            parts.append(f"{lens[at]}-{lens[end - 1]}" + (f":{step}" if step > 1 else ""))
            at = end
        else:
            parts.append(str(lens[at]))
            at += 1
    return ",".join(parts)


def cliff_table(found: dict[str, list[Cliff]], limit: float, group: int) -> str:
    head = f"The time rises by more than {limit:.0%} of the time of {group} more bytes at:"
    body = []
    for name, list_of in found.items():
        worst = max(list_of, key=lambda cliff: cliff.rise, default=None)
        most = f"{short(worst.rise)} ns ({worst.share:.0%}) at {worst.len}" if worst else ""
        body.append([name, str(len(list_of)), most, runs([cliff.len for cliff in list_of])])
    return head + "\n\n" + markdown(["candidate", "cliffs", "highest", "lengths"], body, texts=(0, 3))


def full_label(row: Row) -> str:
    """All that is out of the ordinary in a row."""
    label = f"{row.group}, AES-{row.key_bits}"
    label += f", {row.keys:,} keys" if row.keys != 1 else ""
    label += f", {row.aad_len} B AAD" if row.aad_len != 13 else ""
    return f"{label}, {text_label(row)}"


def verdict_table(verdicts: Sequence[Verdict]) -> str:
    body = []
    for v in verdicts:
        aside = f"set aside: {v.control} {v.control_ratio:.2f}" if v.control else v.word
        body.append([full_label(v.row) + f", {v.candidate}", short(v.base), short(v.head), f"{v.ratio:.2f}", aside])
    return markdown(["row", "base, ns", "head, ns", "ratio", "verdict"], body, texts=(0, 4))
