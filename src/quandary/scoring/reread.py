"""A run judged anew from its journal: every reply is read again and every match played again, without a call to any model."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from quandary.arena.journal import FOREIGN, JOURNAL, heard_in, lines
from quandary.arena.run import match_name
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.core.errors import Mistake
from quandary.matches.drivers import play_match
from quandary.matches.player import Forfeit, Player, Reply, Turn
from quandary.matches.record import Record, Unfaithful, replay
from quandary.models.client import Call, Heard, NoBook, Place
from quandary.models.provider import Completion, Decoding, Request
from quandary.players.asking import Asking, is_model
from quandary.players.registry import Crew


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
        self.replies = dict[Place, Heard]()
        for _, line in lines(path):
            match line:
                case {"sent": str(key), "match": str(match), "seat": int(seat), "step": str(step), "position": str(position)}:
                    places[key] = Place(match, seat, step, position)
                case {"got": str(key)} if key in places:
                    self.replies[places[key]] = heard_in(line)
                case {"message": _} | {"failed": _}:
                    pass
                case _:
                    raise Mistake(FOREIGN.format(path))

    def find(self, call: Call) -> Heard | None:
        if call.place not in self.replies:
            raise OffRecord
        return self.replies[call.place]


def reread(folder: Path, tell: Callable[[int, int], None] = lambda done, of: None) -> Iterator[Again]:
    """Every match of a run, judged by the reader and the rules as they are now."""
    try:
        suite = (manifest_of(folder) or {})["suite"]
        asking = Asking(shots=suite["shots"], shown=suite["shown"] or "text", language=suite["language"])
        decoding, attempts = Decoding(**suite["decoding"]), suite["attempts"]
    except (KeyError, TypeError):
        raise Mistake(f"the manifest of {folder} does not say how its models were asked, so it cannot be judged anew.") from None
    book = ClosedBook(folder / JOURNAL)
    crew = Crew(asking=asking, decoding=decoding, open_door=lambda named: NoDoor(), book=book, attempts=attempts)
    finished = [record for record in read(folder / RECORDS) if record.cause != "infrastructure"]
    if finished and not book.replies:
        raise Mistake(f"the journal of {folder} holds no replies, so nothing can be read again.")
    for done, record in enumerate(finished):
        tell(done, len(finished))
        yield Again(record, asyncio.run(_again(record, crew, attempts)))
    tell(len(finished), len(finished))


class NoDoor:
    """Nobody is asked."""

    async def ask(self, request: Request) -> Completion:
        raise OffRecord

    async def close(self) -> None: ...


async def _again(record: Record, crew: Crew, attempts: int) -> Record | None:
    try:
        replay(record)
    except Unfaithful:  # the rules have changed since, or the record has: what the others would do now is not known
        return None
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
    def __init__(self, seat: Seat, record: Record) -> None:
        self.record = record
        before = replay(record)
        played = [here.seen_by(seat) for here, (who, _) in zip(before, record.log, strict=False) if who == seat]
        moves = [said.move for said in record.said if said.seat == seat and said.status in ("answered", "illegal")]
        if len(moves) > len(played):  # said at once with somebody who failed, so it was never played
            played.append(before[-1].seen_by(seat))
        self.turns = deque(zip(played, moves, strict=False))

    def answer(self, turn: Turn) -> Reply:
        if not self.turns and self.record.offender == turn.seat:
            raise Forfeit(self.record.cause)  # it gave up here, or broke
        if not self.turns or self.turns[0][0] != turn.position:
            raise OffRecord
        return Reply(self.turns.popleft()[1])
