"""A run judged again from its journal: replies are read and matches played again, without calls."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL, lines, result_in
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.matches.drivers import play_match
from quandary.matches.player import Forfeit, Player, Reply, Turn
from quandary.matches.record import Record, Unfaithful, replay
from quandary.models.calls import Call, CallKey, CallResult
from quandary.models.journal import NoJournal
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Decoding, Request
from quandary.players.model_names import is_model
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry


class Again(NamedTuple):
    """A match as it was judged then and now."""

    was: Record
    now: Record | None  # None: it would have continued in a way that is not recorded
    lacks_reply: bool = False  # a reply that it had is missing from the journal, so `now` is None

    @property
    def flipped(self) -> bool:
        if self.now is None:
            return not self.lacks_reply
        return (self.was.scores, self.was.cause) != (self.now.scores, self.now.cause)


class NotRecorded(BaseException):
    """A call or a move that was never made in the run."""


class ReplyMissing(NotRecorded):
    """A call that was made, whose reply is no longer in the journal."""


class ReplayJournal(NoJournal):
    """The replies of a journal by call key; NotRecorded for any other call."""

    def __init__(self, path: Path) -> None:
        keys = dict[str, CallKey]()
        self.replies, self.made = dict[CallKey, CallResult](), set[CallKey]()
        for _, line in lines(path):
            if call := line.get("sent"):
                key = (line[name] for name in CallKey._fields)
                keys[call] = CallKey(*key)
                self.made.add(keys[call])
            elif (call := line.get("got")) in keys:
                self.replies[keys[call]] = result_in(line)

    def find(self, call: Call) -> CallResult | None:
        if call.key not in self.replies:
            raise ReplyMissing if call.key in self.made else NotRecorded
        return self.replies[call.key]


def reread(
    folder: Path, tell: Callable[[int, int], None] = lambda done, of: None
) -> Iterator[Again]:
    """Every match of a run, judged by the current reading of replies and the current rules."""
    try:
        manifest = manifest_of(folder) or {}
        suite, files = manifest["suite"], manifest.get("files", {})
        settings = PromptSettings(
            shots=suite["shots"],
            thoughts=suite.get("thoughts", "steps"),  # not in the manifests of earlier versions
            shown=suite["shown"] or "text",
            system=suite.get("system"),
            language=suite["language"],
        )
        decoding, attempts = msgspec.convert(suite["decoding"], Decoding), suite["attempts"]
        count_unreadable = suite.get("count_unreadable", False)  # nor is this
    except (KeyError, TypeError, msgspec.ValidationError):
        raise UserError(
            f"the manifest of {folder} does not say how its models were prompted, so the run "
            f"cannot be judged again."
        ) from None
    journal = ReplayJournal(folder / JOURNAL)
    clients = ClientPool(open_provider=lambda provider, model: NoProvider(), journal=journal)
    player_registry = PlayerRegistry(
        settings, decoding, attempts, clients, read_file=lambda path: files.get(path, "")
    )
    finished = [record for record in read(folder / RECORDS) if record.cause != "infrastructure"]
    if finished and not journal.replies:
        raise UserError(f"the journal of {folder} has no replies, so nothing can be read again.")
    for done, record in enumerate(finished):
        tell(done, len(finished))
        yield asyncio.run(_again(record, player_registry, count_unreadable))
    tell(len(finished), len(finished))


class NoProvider:
    """Answers no call."""

    async def ask(self, request: Request) -> Completion:
        raise NotRecorded

    async def close(self) -> None: ...


async def _again(record: Record, player_registry: PlayerRegistry, count_unreadable: bool) -> Again:
    try:
        replay(record)
    except Unfaithful:  # the rules or the record changed: what the others would do is unknown
        return Again(record, None)
    players = [
        _player(name, seat, record, player_registry) for seat, name in enumerate(record.players)
    ]
    try:
        now = await play_match(
            record.start,
            players,
            record.name,
            attempts=player_registry.attempts,
            count_unreadable=count_unreadable,
            repeat=record.repeat,
        )
    except NotRecorded as reason:
        return Again(record, None, isinstance(reason, ReplyMissing))
    return Again(record, now)


def _player(name: str, seat: Seat, record: Record, player_registry: PlayerRegistry) -> Player:
    if is_model(name):
        return player_registry.find(
            name,
            record.start,
            Spec.parse(record.name),
            match_name(record.name, record.players, record.repeat),
        )
    return Repeating(name, record)


class Repeating:
    """A player that repeats the moves of the log; NotRecorded in any other position."""

    def __init__(self, name: str, record: Record) -> None:
        self.name, self.record = name, record

    def sit(self, seat: Seat, luck: str) -> RepeatingSitting:
        return RepeatingSitting(seat, self.record)


class RepeatingSitting:
    def __init__(self, seat: Seat, record: Record) -> None:
        self.record = record
        before = replay(record)
        played = [
            here.seen_by(seat)
            for here, (who, _) in zip(before, record.log, strict=False)
            if who == seat
        ]
        moves = [
            said.move
            for said in record.said
            if said.seat == seat and said.status in ("answered", "illegal")
        ]
        if len(moves) > len(played):  # simultaneous with a failure, so it was never played
            played.append(before[-1].seen_by(seat))
        self.turns = deque(zip(played, moves, strict=False))

    def answer(self, turn: Turn) -> Reply:
        if not self.turns and self.record.offender == turn.seat:
            raise Forfeit(self.record.cause)  # it gave up or failed here
        if not self.turns or self.turns[0][0] != turn.position:
            raise NotRecorded
        return Reply(self.turns.popleft()[1])
