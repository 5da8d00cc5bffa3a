"""What the calls behind each reply of a model used and cost, from the journal of a run.

The journal is read only as far as the records so far need, and calls are dropped once they are
used, so memory grows only with the matches in progress.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from quandary.arena.journal import result_in
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.models import prices
from quandary.models.prices import Prices
from quandary.models.provider import Generation, Usage

from .run_folders import TABLES

PRICES = "prices.json"  # beside the tables of a run


class CallTotals(NamedTuple):
    """The calls behind one reply; several in a tree of thoughts.  None where it is unknown."""

    read: int | None = None
    cached: int | None = None
    written: int | None = None
    cost: float | None = None
    finish: str | None = None  # None if there were several calls
    offsets: tuple[int, ...] = ()  # of the lines of the journal that have what came back


class Answered(NamedTuple):
    """A reply in a record, whose calls are looked for."""

    seat: Seat
    number: int  # of the reply among those of its seat, counted from 1
    tokens: int  # written, as the record counts them
    cut_off: bool  # no reply came


class _Choice(msgspec.Struct):
    finish: str = "stop"


class _Tokens(msgspec.Struct, frozen=True):
    read: int | None = None
    written: int | None = None
    cached: int | None = None


class _Line(msgspec.Struct):
    """What is needed of a line of the journal."""

    sent: str = ""
    got: str = ""
    failed: str = ""
    model: str = ""
    match: str = ""
    seat: int = 0
    step: str = ""
    usage: _Tokens = _Tokens()
    choices: list[_Choice] = []


_Found = dict[tuple[Seat, int], CallTotals]


class Calls:
    """The calls of a run, match by match."""

    def __init__(self, journal: Path, prices: Prices) -> None:
        self.journal, self.prices = journal, prices
        self.lines = _lines(journal)
        self.sent = dict[str, tuple[str, Seat, int]]()  # call -> match, seat, number of the reply
        self.found = dict[str, _Found]()  # by match

    def of(self, match: str, replies: Sequence[Answered], *, final: bool) -> _Found:
        """Return the calls behind some replies of a match; `final` if it will not be played
        again.
        """
        waiting = [reply for reply in replies if not reply.cut_off]
        while not self._has_all(match, waiting):
            line = next(self.lines, None)
            if line is None:
                break
            self._take(*line)
        return self.found.pop(match, {}) if final else self.found.get(match, {})

    def generations(self, totals: CallTotals) -> Iterator[Generation]:
        """Yield what the model generated in some calls; nothing of those whose lines are
        damaged.
        """
        for offset in totals.offsets:
            with self.journal.open("rb") as file, suppress(UserError):
                file.seek(offset)
                line = msgspec.json.decode(file.readline())
                yield from result_in(line).completion.generations

    def _has_all(self, match: str, replies: Sequence[Answered]) -> bool:
        """Return whether every reply has calls, which wrote as many tokens as its record says."""
        found = self.found.get(match, {})
        return all(
            (totals := found.get((reply.seat, reply.number))) is not None
            and (totals.written is None or totals.written == reply.tokens)
            for reply in replies
        )

    def _take(self, offset: int, line: _Line) -> None:
        if line.sent:
            step = line.step.partition(".")[0]
            if step.isdecimal():
                self.sent[line.sent] = line.match, line.seat, int(step)
        elif line.failed:
            self.sent.pop(line.failed, None)
        elif line.got and (call := self.sent.pop(line.got, None)):
            match, seat, number = call
            found = self.found.setdefault(match, {})
            found[seat, number] = self._sum(found.get((seat, number)), line, offset)

    def _sum(self, before: CallTotals | None, line: _Line, offset: int) -> CallTotals:
        read, written, cached = line.usage.read, line.usage.written, line.usage.cached
        known = read is not None and written is not None
        usage = Usage(read, written, cached=cached) if known else Usage()
        cost = self.prices.cost(line.model, usage)
        if before is None:
            finish = line.choices[0].finish if len(line.choices) == 1 else None
            return CallTotals(usage.read, usage.cached, usage.written, cost, finish, (offset,))
        return CallTotals(
            added(before.read, usage.read),
            added(before.cached, usage.cached),
            added(before.written, usage.written),
            added(before.cost, cost),
            offsets=(*before.offsets, offset),
        )


Number = TypeVar("Number", int, float)


def added(one: Number | None, other: Number | None) -> Number | None:
    """Return the sum of two numbers; unknown if one of them is."""
    return None if one is None or other is None else one + other


def _lines(journal: Path) -> Iterator[tuple[int, _Line]]:
    """Yield the lines of a journal that can be read, and their offsets; none if there is no
    journal.
    """
    decoder, offset = msgspec.json.Decoder(_Line), 0
    if not journal.exists():
        return
    with journal.open("rb") as file:
        for text in file:
            # damaged: what it used is unknown
            with suppress(msgspec.DecodeError, UnicodeError):
                yield offset, decoder.decode(text)
            offset += len(text)


def run_prices(folder: Path, given: Prices | None = None) -> Prices:
    """Return the prices by which the tables of a run count costs.

    They are the given ones, which are saved; otherwise the saved ones, or else the default ones.
    """
    path = folder / TABLES / PRICES
    if given is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(msgspec.json.encode(given, order="deterministic"))
        return given
    try:
        return msgspec.json.decode(path.read_bytes(), type=Prices)
    except (FileNotFoundError, NotADirectoryError):
        return prices.load()
    except (OSError, msgspec.DecodeError, UnicodeError):
        raise UserError(f"{path} cannot be read as a price table; delete it.") from None
