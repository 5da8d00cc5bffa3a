"""How far the drawing of many instances is, and why it takes long."""

from __future__ import annotations

import sys
from time import monotonic

from .progress import duration

KNOWN = 5.0  # seconds after which it is known how long an instance takes
LONG = 60.0  # seconds that are left, from which on they are worth a sentence


class DrawProgress:
    """Learns how many instances of a level are drawn; says once per level that `new` is slow.

    drawn = DrawProgress()
    drawn("stone_race/easy", 10, 2_000)
    """

    def __init__(self) -> None:
        self.place, self.drawn, self.of, self.begun = "", 0, 0, 0.0
        self._warned = set[str]()

    def __call__(self, place: str, drawn: int, of: int) -> None:
        if place != self.place:
            self.begun = monotonic()
        self.place, self.drawn, self.of = place, drawn, of
        level = place.partition(",")[0]  # without its family
        if drawn and level not in self._warned and self._takes_long():
            self._warned.add(level)
            print(f"quandary: {self._reason()}", file=sys.stderr, flush=True)

    def words(self) -> str:
        """For a line of progress; "" while nothing is drawn."""
        if not 0 < self.drawn < self.of:
            return ""
        return f"{self.drawn:,} of {self.of:,} instances drawn, {self._seconds():.2f} s each"

    def _seconds(self) -> float:
        """Return what an instance takes."""
        return (monotonic() - self.begun) / self.drawn

    def _left(self) -> float:
        return self._seconds() * (self.of - self.drawn)

    def _takes_long(self) -> bool:
        return monotonic() - self.begun > KNOWN and self._left() > LONG

    def _reason(self) -> str:
        return (
            f"`new` of {self.place} takes {self._seconds():.2f} s per instance; {self.drawn:,} of "
            f"{self.of:,} instances are drawn, and the rest will take about "
            f"{duration(self._left())}. --instances N draws fewer, and the result says so."
        )
