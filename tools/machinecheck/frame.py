"""How a check is registered, what it reports, and how the table is printed.

A check is a file of this package with a function for each of its rules:

    @rule("red-zone", "nothing is written below the stack pointer")
    def red_zone(build: Build, report: Report) -> None:
        for function in build.functions():
            report.sees(function)
            ...
            report.finds(function, "writes below rsp", instruction)

and is imported by checks.py. sees() makes a cell of the table, "ok" if nothing was found there. What is not about a
function takes the name of an object, or "archive"."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional, Union

from .machine import Build, Function, Instruction, Object

Subject = Union[Function, Object, str]


@dataclass(frozen=True)
class Finding:
    rule: str
    file: str
    function: str  # "" where it is about a whole file
    instruction: str  # "" where it is about a whole function
    text: str

    def __str__(self) -> str:
        words = [self.file, self.function, self.instruction, f"{self.text} [{self.rule}]"]
        return ": ".join(word for word in words if word)


@dataclass(frozen=True)
class Rule:
    name: str
    holds: str
    run: Callable[[Build, "Report"], None]


RULES: dict[str, Rule] = {}


def rule(name: str, holds: str) -> Callable[[Callable[[Build, "Report"], None]], Callable[[Build, "Report"], None]]:
    def register(run: Callable[[Build, "Report"], None]) -> Callable[[Build, "Report"], None]:
        assert name not in RULES, name
        RULES[name] = Rule(name, holds, run)
        return run

    return register


def place(subject: Subject) -> tuple[str, str]:
    """File and function of a finding, and the name of a row."""
    if isinstance(subject, Function):
        return subject.object.name, subject.name
    return (subject.name, "") if isinstance(subject, Object) else (subject, "")


class Report:
    """What one rule saw and found."""

    def __init__(self, of: Rule):
        self.rule = of
        self.rows: dict[tuple[str, str], int] = {}  # findings
        self.findings: list[Finding] = []
        self.notes: list[str] = []
        self.may_be_empty = False

    def sees(self, subject: Subject) -> None:
        self.rows.setdefault(place(subject), 0)

    def finds(self, subject: Subject, text: str, instruction: Optional[Instruction] = None) -> None:
        row = place(subject)
        self.rows[row] = self.rows.get(row, 0) + 1
        one = subject.object if isinstance(subject, Function) else subject
        file = row[0]
        if isinstance(one, Object) and one.source:
            file = f"{one.source} ({one.name})"
        self.findings.append(Finding(self.rule.name, file, row[1], str(instruction or ""), text))

    def has_nothing(self, reason: str) -> None:
        """This build has nothing that the rule is about."""
        self.may_be_empty = True
        self.notes.append(f"{self.rule.name}: nothing to look at: {reason}")

    def notes_down(self, text: str) -> None:
        """A line below the table: a figure that is worth knowing, or what could not be looked at."""
        self.notes.append(text)


def check(build: Build, names: Optional[list[str]] = None) -> list[Report]:
    """The reports of these rules, or of all."""
    reports = []
    for name in names or RULES:
        report = Report(RULES[name])
        RULES[name].run(build, report)
        if not report.rows and not report.may_be_empty:
            report.finds("archive", "nothing was looked at")
        reports.append(report)
    return reports


def cells(rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def table(reports: list[Report]) -> str:
    """Functions by rules. A cell is ok, the number of findings, or empty where the rule has nothing to say."""
    rows = list(dict.fromkeys(row for report in reports for row in report.rows))
    rows.sort(key=lambda row: (row[1] == "", row[0]))
    body = [["file", "function", *(report.rule.name for report in reports)]]
    for row in rows:
        found = [report.rows.get(row) for report in reports]
        body.append([row[0], row[1], *("" if n is None else str(n) if n else "ok" for n in found)])
    total = ["", "all", *(str(len(report.findings)) if report.findings else "ok" for report in reports)]
    return cells([*body, total])
