"""A run judged again: its matches are played with the replies that were given, without calls.

Replies count as they were read when they were given, or as the current reader reads them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.arena.earlier_readings import all_with_readings
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL, lines, result_in
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat
from quandary.core.errors import UserError
from quandary.matches.drivers import play_match
from quandary.matches.player import Forfeit, Player, Reply, Turn
from quandary.matches.record import MOVED, Record, ReplayMismatch, replay
from quandary.models.calls import Call, CallKey, CallResult
from quandary.models.journal import NoJournal
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Decoding, Request
from quandary.players.model_names import is_model, prompt_choices
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry


class Again(NamedTuple):
    """A match as it was judged then and now."""

    was: Record
    now: Record | None  # None: it would have continued in a way that is not recorded
    lacks_reply: bool = False  # a reply that it had is missing from the journal, so `now` is None

    @property
    def changed(self) -> bool:
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


class Settings(NamedTuple):
    """How a run was played."""

    prompt: PromptSettings
    decoding: Decoding
    attempts: int
    count_unreadable: bool
    files: dict[str, str]  # texts of the files that players' settings name


def reread(
    folder: Path,
    tell: Callable[[int, int], None] = lambda done, of: None,
    *,
    read_again: bool = False,
) -> Iterator[Again]:
    """Yield every match of a run, judged by the current rules.

    Replies count as they were read when they were given.  With `read_again` they are read from the
    journal by the current reader, also the proposals and votes of trees of thoughts.
    """
    settings, journal = _settings_of(folder), folder / JOURNAL
    finished = [record for record in read(folder / RECORDS) if record.cause != "infrastructure"]
    model = _reading_again(journal, settings) if read_again and finished else None
    if not read_again:
        finished = list(all_with_readings(finished, journal))
    for done, record in enumerate(finished):
        tell(done, len(finished))
        players = [
            model(name, record) if model and is_model(name) else Repeating(name, record, settings)
            for name in record.players
        ]
        yield asyncio.run(_again(record, players, settings))
    tell(len(finished), len(finished))


def _settings_of(folder: Path) -> Settings:
    try:
        manifest = manifest_of(folder) or {}
        suite = manifest["suite"]
        prompt = PromptSettings(
            shots=suite["shots"],
            prompting=suite.get("prompting", "steps"),  # not in the manifests of earlier versions
            modality=suite["modality"] or "text",
            system=suite.get("system"),
            language=suite["language"],
        )
        return Settings(
            prompt,
            msgspec.convert(suite["decoding"], Decoding),
            suite["attempts"],
            suite.get("count_unreadable", False),  # nor is this
            manifest.get("files", {}),
        )
    except (KeyError, TypeError, msgspec.ValidationError):
        raise UserError(
            f"the manifest of {folder} does not say how its models were prompted, so the run "
            f"cannot be judged again."
        ) from None


def _reading_again(path: Path, settings: Settings) -> Callable[[str, Record], Player]:
    """Return what finds the models of a match, which give the replies of the journal."""
    journal = ReplayJournal(path)
    if not journal.replies:
        raise UserError(f"{path} has no replies, so nothing can be read again.")
    prompt, decoding, attempts, _, files = settings
    clients = ClientPool(open_provider=lambda provider, model: NoProvider(), journal=journal)
    player_registry = PlayerRegistry(
        prompt, decoding, attempts, clients, read_file=lambda path: files.get(path, "")
    )
    return lambda name, record: player_registry.find(
        name,
        record.start,
        Spec.parse(record.name),
        match_name(record.name, record.players, record.repeat),
    )


class NoProvider:
    """Answers no call."""

    async def ask(self, request: Request) -> Completion:
        raise NotRecorded

    async def close(self) -> None: ...


async def _again(record: Record, players: Sequence[Player], settings: Settings) -> Again:
    try:
        replay(record)
    except ReplayMismatch:  # the rules or the record changed: what the others would do is unknown
        return Again(record, None)
    try:
        now = await play_match(
            record.start,
            players,
            record.name,
            attempts=settings.attempts,
            count_unreadable=settings.count_unreadable,
            repeat=record.repeat,
        )
    except NotRecorded as reason:
        return Again(record, None, isinstance(reason, ReplyMissing))
    return Again(record, now)


class Repeating:
    """A player that repeats what was said; NotRecorded in any other position."""

    def __init__(self, name: str, record: Record, settings: Settings) -> None:
        self.name, self.record = name, record
        self.reading = prompt_choices(name, settings.prompt).parsing if is_model(name) else ""

    def take_seat(self, seat: Seat, luck: str) -> SeatedRepeater:
        return SeatedRepeater(self.record, deque(self._replies(seat)))

    def _replies(self, seat: Seat) -> Iterator[tuple[Game, Reply]]:
        """Yield what the seat saw and said: all replies of a model, of others those with a move."""
        record, moves = self.record, 0
        before = replay(record)
        log = zip(before, record.log, strict=False)
        views = [here.seen_by(seat) for here, (who, _) in log if who == seat]
        views.append(before[-1].seen_by(seat))  # for replies that led to no move
        for logged in record.said:
            if logged.seat != seat:
                continue
            if logged.readings:
                status, answer = logged.readings.played(self.reading)
                reply = Reply(
                    answer, logged.words, status, logged.seconds, logged.tokens, logged.readings
                )
                yield views[moves], reply
            elif logged.status in MOVED:
                yield views[moves], Reply(logged.move)
            moves = min(moves + (logged.status in MOVED or logged.move != ""), len(views) - 1)


class SeatedRepeater:
    def __init__(self, record: Record, turns: deque[tuple[Game, Reply]]) -> None:
        self.record, self.turns = record, turns

    def answer(self, turn: Turn) -> Reply:
        if not self.turns and self.record.offender == turn.seat:
            raise Forfeit(self.record.cause)  # it gave up or failed here
        if not self.turns or self.turns[0][0] != turn.position:
            raise NotRecorded
        return self.turns.popleft()[1]
