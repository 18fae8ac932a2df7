"""The report as tables: a heading, column names, rows, and what a reader has to know. Markdown and HTML are made of them."""

from dataclasses import dataclass, field

from benchmark.tables import markdown

from .facts import Facts

NONE = "–"


@dataclass
class Table:
    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""
    texts: tuple[int, ...] = field(default=(0,))  # columns of words; the others are numbers

    def markdown(self) -> str:
        parts = [f"## {self.title}", markdown(self.columns, self.rows, texts=self.texts)]
        return "\n\n".join([*parts, self.note] if self.note else parts)


def number(value: int | None) -> str:
    return NONE if value is None else f"{value:,}"


def totals(facts: Facts) -> Table:
    text, constants = sum(facts.text.values()), sum(facts.constants.values())
    limit = f" of {facts.budget:,} that VG_TEXT_BUDGET allows" if facts.budget else ""
    rows = [
        ["text in the archive" + limit, number(text)],
        ["constants in the archive", number(constants)],
        ["what a small program gains, sealing and opening", number(facts.program_added)],
        ["that program, static and stripped, with its C library", number(facts.program)],
        ["key context", number(facts.key_context)],
    ]
    if facts.stream_context:
        rows.append(["stream context", number(facts.stream_context)])
    deepest = facts.deepest
    if deepest:
        rows.append([f"deepest stack, that of {deepest.name}", number(deepest.stack)])
    return Table("Totals", ["what", "bytes"], rows)


def by_owner(facts: Facts) -> Table:
    rows = [[name, number(text), number(facts.constants[name])] for name, text in facts.text.items()]
    return Table("Text by variant", ["part", "text", "constants"], rows, "Bytes. Shared: what every variant uses.")


def calls(facts: Facts) -> Table:
    public = sorted((f for f in facts.functions if f.public), key=lambda f: f.name)
    rows = [[f.name, number(f.text), number(f.stack)] for f in public]
    note = "Bytes; the stack below the caller's frame, all that is called included."
    return Table("Calls of the public headers", ["call", "own text", "deepest stack"], rows, note)


def functions(facts: Facts) -> Table:
    rows = [[f.name, f.owner, number(f.text), number(f.stack)] for f in facts.functions]
    note = "Bytes, largest first."
    return Table("All functions", ["function", "part", "text", "deepest stack"], rows, note, texts=(0, 1))


def thresholds(facts: Facts) -> Table:
    names = list(dict.fromkeys(name for of_one in facts.thresholds.values() for name in of_one))
    rows = [[v, *(number(of_one.get(name)) for name in names)] for v, of_one in facts.thresholds.items()]
    note = "Lengths in bytes; prepared_after counts calls. vg/info.h says what each decides."
    return Table("Thresholds", ["variant, best first", *names], rows, note)


def cpus(facts: Facts) -> Table:
    rows = []
    for cpu in facts.cpus:
        chosen = cpu.variant or "refused: VG_ERR_CPU"
        wide = {"vaes", "vpclmulqdq", "avx512f"} <= set(cpu.features.split()) and "vaes_vpclmul_avx512" in facts.variants
        if cpu.variant and cpu.avoid_zmm and wide:
            chosen += ", though" if "avx512" in cpu.variant else ", since"
            chosen += " zmm registers lower its clock"
        rows.append([cpu.cpu_class, cpu.found_in, f"{cpu.family}: {cpu.models}", cpu.features, chosen])
    note = "Asked of the archive's own selector. An OS or a hypervisor that withholds features makes the choice another one."
    columns = ["class", "found in", "family: models", "features", "variant chosen"]
    return Table("Which CPUs get what", columns, rows, note, texts=(0, 1, 2, 3, 4))


def all_tables(facts: Facts) -> list[Table]:
    return [totals(facts), by_owner(facts), calls(facts), thresholds(facts), cpus(facts), functions(facts)]
