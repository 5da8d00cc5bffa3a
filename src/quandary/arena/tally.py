"""Totals of the calls to one model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quandary.models.calls import total_tokens
from quandary.models.provider import Usage


@dataclass
class Tally:
    """Totals of the calls to one model, earlier sessions of the run included."""

    sent: int = 0
    got: int = 0
    failed: int = 0
    rejected: int = 0  # of those that failed: no retry would change it
    read: int = 0  # tokens
    cached: int = 0  # of those read
    written: int = 0
    uncounted: int = 0  # replies whose tokens the server did not report
    largest: Usage = Usage(0, 0)  # noqa: RUF009

    @property
    def lost(self) -> int:
        """Calls without a recorded end: the run was interrupted while they were in flight."""
        return self.sent - self.got - self.failed

    @property
    def usage(self) -> Usage:
        """Total tokens; unknown if the tokens of some reply are unknown."""
        return Usage() if self.uncounted else Usage(self.read, self.written, cached=self.cached)

    @property
    def charged(self) -> Usage:
        """Total tokens as budgets count them: a reply without a count as the largest one."""
        if self.uncounted == self.got > 0:
            return Usage()
        read, written = (n or 0 for n in self.largest[:2])
        return Usage(
            self.read + self.uncounted * read,
            self.written + self.uncounted * written,
            cached=self.cached,
        )

    def count(self, usage: Usage) -> None:
        self.got += 1
        if usage.read is None or usage.written is None:
            self.uncounted += 1
            return
        self.read += usage.read
        self.cached += usage.cached or 0
        self.written += usage.written
        if total_tokens(usage) > total_tokens(self.largest):
            self.largest = usage

    def add(self, other: Tally) -> None:
        """Add the calls of another run to the same model."""
        for name in ("sent", "got", "failed", "rejected", "read", "cached", "written", "uncounted"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.largest = max(self.largest, other.largest, key=total_tokens)


def summed(runs: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Return the totals of several runs, by model."""
    found = dict[str, Tally]()
    for run in runs:
        for model, tally in run.items():
            found.setdefault(model, Tally()).add(tally)
    return found
