"""Limits of what is measured: declared beside each row, shown on the page, checked by
`make bench-strict`.

A section with limits has a function `measured(rounds)`, which takes every figure so often, and
shows `limit_table(measured(ROUNDS))` on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SLACK = 1.15  # machines are noisy: only a limit that every round exceeds by this is broken
STRICT_ROUNDS = 5
WHOLE = ("MB", "refusals")  # units that are shown without a fraction


class Limit(NamedTuple):
    """The most that a figure may be, and what is aimed at."""

    work: str
    most: float
    unit: str = "x"  # "x": a ratio of processor time
    aim: float | None = None

    def shown(self, value: float) -> str:
        return f"{value:.0f} {self.unit}" if self.unit in WHOLE else f"{value:.2f} {self.unit}"


class Measured(NamedTuple):
    """A figure with a limit, taken in several rounds."""

    limit: Limit
    figures: Sequence[float]  # one of each round
    detail: str = ""  # what a ratio is made of: "2.5 s, then 2.7 s"

    @property
    def best(self) -> float:
        return min(self.figures)

    @property
    def is_met(self) -> bool:
        return self.best <= self.limit.most

    @property
    def is_broken(self) -> bool:
        """Whether every round exceeds the limit clearly."""
        return all(figure > SLACK * self.limit.most for figure in self.figures)


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """The ratio of each round, in which both took turns."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def limit_table(rows: Iterable[Measured]) -> list[str]:
    """The rows as a table of Markdown; the best round counts, and what fails is marked."""
    lines = ["| work | measured | at most | aim | | |", "|---|---|---|---|---|---|"]
    for row in rows:
        limit = row.limit
        aim = "" if limit.aim is None else limit.shown(limit.aim)
        mark = "" if row.is_met else "**fails**"
        shown = limit.shown(row.best), limit.shown(limit.most)
        lines.append(f"| {limit.work} | {shown[0]} | {shown[1]} | {aim} | {mark} | {row.detail} |")
    return lines
