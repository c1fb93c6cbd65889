"""Figures as benches measure them: shares and spreads that a person can read and a program can compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean, median

import msgspec
import numpy as np

Told = Callable[[str, int, int], None]
"""Is told how far a measurement has come: what it does, how much of it is done, and of how much."""


class Share(msgspec.Struct, frozen=True):
    """`part` of `whole`; `share` is None where there is nothing to have a part of."""

    part: int
    whole: int
    share: float | None

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}" + ("" if self.share is None else f" ({self.share:.1%})")


class Spread(msgspec.Struct, frozen=True):
    """How some values lie, in `unit`; all None without values."""

    mean: float | None
    median: float | None
    p95: float | None
    most: float | None
    unit: str

    def __str__(self) -> str:
        if self.median is None:
            return "none"
        return f"mean {self.mean}, median {self.median}, 95th percentile {self.p95}, most {self.most} {self.unit}"


def share(part: int, whole: int) -> Share:
    """Return `part` of `whole`."""
    return Share(part, whole, round(part / whole, 4) if whole else None)


def spread(values: Sequence[float], unit: str) -> Spread:
    """Return how `values` lie, to two decimals."""
    if not values:
        return Spread(None, None, None, None, unit)
    p95 = float(np.percentile(values, 95))
    return Spread(round(mean(values), 2), round(median(values), 2), round(p95, 2), round(max(values), 2), unit)


def silent(what: str, done: int, of: int) -> None:
    """Tell nobody."""
