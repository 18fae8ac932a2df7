"""Results: JSON lines on disk, one time per row and candidate in memory."""

import json
from dataclasses import dataclass, field
from typing import Iterable, Optional

from . import Mistake
from .stats import summary

STATISTICS = ("min", "p25", "median")


@dataclass(frozen=True, order=True)
class Row:
    """What was done: everything but who did it."""

    group: str
    key_bits: int
    keys: int
    aad_len: int
    len: int

    @staticmethod
    def of(line: dict) -> "Row":
        return Row(*(line[name] for name in ("group", "key_bits", "keys", "aad_len", "len")))


@dataclass
class Results:
    lines: list[dict] = field(default_factory=list)

    def of_type(self, kind: str) -> list[dict]:
        return [line for line in self.lines if line["type"] == kind]

    def first(self, kind: str) -> dict:
        return next(iter(self.of_type(kind)), {})

    def peers(self) -> set[str]:
        return {line["name"] for line in self.of_type("candidate") if line["peer"]}

    def candidates(self) -> list[str]:
        """Those that have times: ours first, in the order in which they were measured."""
        timed = {line["candidate"] for line in self.of_type("result")}
        known = list(dict.fromkeys(line["name"] for line in self.of_type("candidate")))
        return [name for name in known if name in timed]

    def times(self, statistic: str = "p25") -> dict[tuple[Row, str], float]:
        """Nanoseconds of one call: the fastest of the passes, since disturbances only ever add time. Passes during which
        the core was shared count only where there is no other."""
        out: dict[tuple[Row, str], tuple[bool, float]] = {}
        for line in self.of_type("result"):
            key = Row.of(line), line["candidate"]
            time = not line["quiet"], line[statistic]
            out[key] = min(out.get(key, time), time)
        return {key: ns for key, (_, ns) in out.items()}

    def never_quiet(self) -> int:
        """How many rows have no time from a core of their own."""
        rows = {Row.of(line) for line in self.of_type("result")}
        return len(rows - {Row.of(line) for line in self.of_type("result") if line["quiet"]})

    def save(self, path: str) -> None:
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in self.lines)
        except OSError as error:
            raise Mistake(f"{path}: cannot write: {error.strerror}") from None


def parse(texts: Iterable[str], source: str) -> Results:
    """Lines of results. Samples, which the measuring program prints, become statistics."""
    results = Results()
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text)
            if line["type"] == "result":
                Row.of(line)
                if "ns" in line:
                    line.update(summary(line.pop("ns")))
        except (ValueError, KeyError, TypeError):
            raise Mistake(f"{source}:{number}: not a line of bench results") from None
        results.lines.append(line)
    return results


def load(path: str) -> Results:
    try:
        with open(path, encoding="utf-8") as file:
            results = parse(file, path)
    except OSError as error:
        raise Mistake(f"{path}: cannot read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Mistake(f"{path}: not bench results") from None
    if not results.of_type("result"):
        raise Mistake(f"{path}: holds no results")
    return results


def machine_line(results: Results) -> Optional[str]:
    run = results.first("run")
    if not run:
        return None
    clock = results.first("clock")
    speed = f", core {clock['core_ghz']:.2f} GHz, TSC {clock['tsc_ghz']:.2f} GHz" if clock else ""
    return f"{run['machine']}{speed}; {run['compiler']}; commit {run['commit']}"
