"""Where two curves cross, and how sure that is."""

import math
import random
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence

# For each length, one ratio for each pass: the time of the way for long texts to that of the way for short ones.
Ratios = Mapping[int, Sequence[float]]

RESAMPLES = 500
CERTAIN = 0.8  # of all resamples lie between the two ends that are reported
WIDE = 2.0  # ends further apart than this factor: noise hides the crossover
SAME = 0.01  # ways that nowhere differ by more than this are one


@dataclass(frozen=True)
class Crossover:
    at: Optional[int]  # the shortest length for which the other way wins; None: it never does
    low: float  # where CERTAIN of all resamples put it; infinity stands for never
    high: float
    hidden: str  # why this is not to be relied on, or ""


def best_boundary(gains: Mapping[int, float]) -> Optional[int]:
    """The length from which on the other way is taken so that the least is lost over all lengths; a gain is the
    logarithm of a ratio, below 0 where the other way wins."""
    lengths = sorted(gains)
    best, best_loss = None, sum(max(-gains[n], 0) for n in lengths)
    for boundary in lengths:
        loss = sum(max(gains[n], 0) if n >= boundary else max(-gains[n], 0) for n in lengths)
        if loss < best_loss or (loss == best_loss and best is None and loss == 0 and gains[lengths[-1]] < 0):
            best, best_loss = boundary, loss
    return best


def middle(values: Sequence[float]) -> float:
    ranked = sorted(values)
    half = len(ranked) // 2
    return ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2


def gains_of(ratios: Ratios, passes: Sequence[int]) -> dict[int, float]:
    return {n: middle([math.log(values[p]) for p in passes]) for n, values in ratios.items()}


def find(ratios: Ratios) -> Crossover:
    """Resamples of the passes tell how far chance moves the crossover."""
    count = min(len(values) for values in ratios.values())
    gains = gains_of(ratios, range(count))
    at = best_boundary(gains)
    lot = random.Random(1)
    ends = []
    for _ in range(RESAMPLES):
        boundary = best_boundary(gains_of(ratios, lot.choices(range(count), k=count)))
        ends.append(math.inf if boundary is None else float(boundary))
    ends.sort()
    outside = (1 - CERTAIN) / 2
    low, high = ends[int(outside * RESAMPLES)], ends[int((1 - outside) * RESAMPLES) - 1]
    hidden = ""
    if all(abs(gain) < SAME for gain in gains.values()):
        hidden = f"the two ways differ by less than {SAME:.0%} everywhere"
    elif high > WIDE * low:
        hidden = "noise hides the crossover"
    return Crossover(at, low, high, hidden)
