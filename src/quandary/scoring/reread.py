"""A run judged anew from its journal: every reply is read again and every match played again, without a call to any model."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from quandary.arena.journal import JOURNAL, completion_of, lines
from quandary.arena.run import match_name
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.core.contract import Seat
from quandary.core.mistake import Mistake
from quandary.core.player import Forfeit, Player, Reply, Turn
from quandary.core.record import Record, replay
from quandary.core.referee import play_match
from quandary.core.spec import Spec
from quandary.players.crew import Crew
from quandary.players.models.asking import Asking, is_model
from quandary.players.models.calls import Call, NoBook, Place
from quandary.players.models.door import Completion, Decoding, Request


class Again(NamedTuple):
    """A match as it was judged, and as it is judged now."""

    was: Record
    now: Record | None  # None: from some point on it would have gone another way, and nobody knows how

    @property
    def flipped(self) -> bool:
        return self.now is None or (self.was.scores, self.was.cause) != (self.now.scores, self.now.cause)


class OffRecord(BaseException):
    """Something is asked that was never asked in the run."""


class ClosedBook(NoBook):
    """The replies of a journal by their places; nothing else is answered."""

    def __init__(self, path: Path) -> None:
        places = dict[str, Place]()
        self.replies = dict[Place, Completion]()
        for _, line in lines(path):
            if "sent" in line:
                places[line["sent"]] = Place(line["match"], line["seat"], line["step"], line["position"])
            elif "got" in line:
                self.replies[places[line["got"]]] = completion_of(line)

    def find(self, call: Call) -> Completion | None:
        if call.place not in self.replies:
            raise OffRecord
        return self.replies[call.place]


def reread(folder: Path, tell: Callable[[int, int], None] = lambda done, of: None) -> Iterator[Again]:
    """Every match of a run, judged by the reader and the rules as they are now."""
    suite = (manifest_of(folder) or {}).get("suite")
    if suite is None:
        raise Mistake(f"{folder} holds a journal but no manifest, so it cannot be judged anew.")
    asking = Asking(shots=suite["shots"], shown=suite["shown"] or "text", language=suite["language"])
    crew = Crew(asking=asking, decoding=Decoding(**suite["decoding"]), open_door=lambda named: NoDoor())
    crew.book = ClosedBook(folder / JOURNAL)
    finished = [record for record in read(folder / RECORDS) if record.cause != "infrastructure"]
    for done, record in enumerate(finished):
        tell(done, len(finished))
        yield Again(record, asyncio.run(_again(record, crew, suite["attempts"])))
    tell(len(finished), len(finished))


class NoDoor:
    """Nobody is asked."""

    async def ask(self, request: Request) -> Completion:
        raise OffRecord

    async def close(self) -> None: ...


async def _again(record: Record, crew: Crew, attempts: int) -> Record | None:
    players = [_player(name, seat, record, crew) for seat, name in enumerate(record.players)]
    try:
        return await play_match(record.start, players, record.name, attempts=attempts, repeat=record.repeat)
    except OffRecord:
        return None


def _player(name: str, seat: Seat, record: Record, crew: Crew) -> Player:
    if is_model(name):
        return crew.find(name, record.start, Spec.parse(record.name), match_name(record.name, record.players, record.repeat))
    return Repeating(name, record)


class Repeating:
    """Somebody who plays as the log says; what they would have done in another position is not on record."""

    def __init__(self, name: str, record: Record) -> None:
        self.name, self.record = name, record

    def sit(self, seat: Seat, rng: Random) -> RepeatingSitting:
        return RepeatingSitting(seat, self.record)


class RepeatingSitting:
    instant = True

    def __init__(self, seat: Seat, record: Record) -> None:
        self.record = record
        before = replay(record)
        self.turns = deque((here.seen_by(seat), move) for here, (who, move) in zip(before, record.log, strict=False) if who == seat)

    async def act(self, turn: Turn) -> Reply:
        if not self.turns and self.record.offender == turn.seat:
            raise Forfeit(self.record.cause)  # it gave up here, or broke
        if not self.turns or self.turns[0][0] != turn.position:
            raise OffRecord
        return Reply(self.turns.popleft()[1])

    async def leave(self) -> None:
        pass
