"""The arithmetic: percentiles, cliffs, verdicts."""

import math
from dataclasses import dataclass
from typing import Hashable, Mapping, Optional, Sequence


def percentile(samples: Sequence[float], percent: float) -> float:
    """The least sample that at least so many percent of the samples do not exceed."""
    if not samples:
        raise ValueError("no samples")
    ranked = sorted(samples)
    return ranked[max(math.ceil(percent / 100 * len(ranked)), 1) - 1]


def summary(samples: Sequence[float]) -> dict[str, float]:
    return {"min": min(samples), "p25": percentile(samples, 25), "median": percentile(samples, 50)}


def group_time(times: Mapping[int, float], group: int) -> float:
    """What `group` more bytes cost: the median over all lengths for which both times are known."""
    rises = [times[n + group] - times[n] for n in times if n + group in times]
    if not rises:
        raise ValueError(f"no two lengths are {group} bytes apart")
    return percentile(rises, 50)


@dataclass(frozen=True)
class Cliff:
    len: int
    rise: float
    share: float  # of a group's time


def cliffs(times: Mapping[int, float], group: int, limit: float) -> list[Cliff]:
    """The lengths at which the time rises, from the length before, by more than `limit` of a group's time."""
    whole = group_time(times, group)
    out = []
    for before, after in zip(sorted(times), sorted(times)[1:]):
        rise = times[after] - times[before]
        if rise > limit * whole:
            out.append(Cliff(after, rise, rise / whole if whole > 0 else math.inf))
    return out


SAME, SLOWER, FASTER, ASIDE = "same", "slower", "faster", "set aside"


@dataclass(frozen=True)
class Verdict:
    row: Hashable
    candidate: str
    base: float
    head: float
    word: str
    control: Optional[str] = None  # the control that moved most, where that set the row aside
    control_ratio: float = 1.0

    @property
    def ratio(self) -> float:
        return self.head / self.base


Times = Mapping[tuple[Hashable, str], float]


def moved_control(
    row: Hashable, base: Times, head: Times, controls: set[str], limit: float
) -> Optional[tuple[str, float]]:
    """The control of this row that moved most, if it moved by more than the limit in either direction."""
    ratios = {c: head[row, c] / base[row, c] for c in controls if (row, c) in base and (row, c) in head}
    if not ratios:
        return None
    name = max(ratios, key=lambda c: abs(math.log(ratios[c])))
    return (name, ratios[name]) if abs(math.log(ratios[name])) > math.log(1 + limit) else None


def judge(base: Times, head: Times, controls: set[str], limit: float, control_limit: float) -> list[Verdict]:
    """A verdict for everything that both have and that is no control."""
    out = []
    for row, candidate in base:
        if candidate in controls or (row, candidate) not in head:
            continue
        before, after = base[row, candidate], head[row, candidate]
        moved = moved_control(row, base, head, controls, control_limit)
        if moved:
            out.append(Verdict(row, candidate, before, after, ASIDE, *moved))
            continue
        word = SLOWER if after > before * (1 + limit) else FASTER if before > after * (1 + limit) else SAME
        out.append(Verdict(row, candidate, before, after, word))
    return out
