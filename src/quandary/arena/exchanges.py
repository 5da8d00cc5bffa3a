"""The calls to models with their replies, match by match, from the journal of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

import msgspec

from quandary.core.contract import Seat
from quandary.models.provider import Generation

from .journal import lines, result_in


class SentMessage(NamedTuple):
    """A message of a call; a picture is named by its file."""

    role: str
    text: str


class Exchange(NamedTuple):
    """One call and the replies to it."""

    step: str  # which call of this seat in this match: "2", or "2.vote1" of a tree of thoughts
    sent: tuple[SentMessage, ...]
    generations: tuple[Generation, ...] = ()  # none if no reply came


Exchanges: TypeAlias = dict[tuple[str, Seat], list[Exchange]]  # by match and seat, in order


class JournalIndex:
    """An index of the lines of a journal, so that the calls of a few matches at a time can be read
    without reading all of it again.
    """

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self._messages, self._got = dict[str, int](), dict[str, int]()
        self._calls = defaultdict[str, dict[str, int]](dict)  # by match
        for offset, line in lines(journal):
            match line:
                case {"message": str(name)}:
                    self._messages[name] = offset
                case {"sent": str(call), "match": str(name)}:
                    self._calls[name][call] = offset
                    self._got.pop(call, None)
                case {"got": str(call)}:
                    self._got[call] = offset

    def exchanges(self, matches: Collection[str]) -> Exchanges:
        """Return the calls of some matches, given by their names: see `arena.job.match_name`."""
        found = defaultdict[tuple[str, Seat], list[Exchange]](list)
        with self.journal.open("rb") as file:
            message = cache(partial(self._message, file))
            for name in dict.fromkeys(matches):
                for call, offset in self._calls.get(name, {}).items():
                    sent = _line_at(file, offset)
                    texts = (each for each in sent["messages"] if each in self._messages)
                    exchange = Exchange(sent["step"], tuple(map(message, texts)))
                    if call in self._got:
                        result = result_in(_line_at(file, self._got[call]))
                        exchange = exchange._replace(generations=result.completion.generations)
                    found[name, sent["seat"]].append(exchange)
        return dict(found)

    def _message(self, file: BinaryIO, name: str) -> SentMessage:
        line = _line_at(file, self._messages[name])
        return SentMessage(line["role"], "\n\n".join(map(_text, line["parts"])))


def exchanges(journal: Path, matches: Collection[str]) -> Exchanges:
    """Return the calls of some matches."""
    return JournalIndex(journal).exchanges(matches)


def calls_behind(number: int, calls: Sequence[Exchange]) -> list[Exchange]:
    """Return the calls behind a reply, by its number among those of its seat, counted from 1."""
    return [call for call in calls if call.step.partition(".")[0] == str(number)]


def _line_at(file: BinaryIO, offset: int) -> dict[str, Any]:
    file.seek(offset)
    return msgspec.json.decode(file.readline(), type=dict[str, Any])


def _text(part: dict[str, str]) -> str:
    return part["text"] if "text" in part else f"[picture {part.get('picture')}]"
