"""What scores need to know of a match, as plain numbers and texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import msgspec

from quandary.catalogue.splits import canonical_hash
from quandary.core.codec import encode, pack
from quandary.core.contract import Game, Seat
from quandary.core.mixins.objectives import reference, reference_is_bound
from quandary.core.worked import Worked
from quandary.core.wrapper import innermost
from quandary.matches.record import MOVED, NO_REPLY, NO_RESULT, RULED, LoggedReply, Record
from quandary.players.model_names import is_model
from quandary.tasks.question_game import asked_question
from quandary.tasks.state_task import StateTask


class Ended(Protocol):
    """A match that is over, as its record has it."""

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def cause(self) -> str: ...

    @property
    def offender(self) -> Seat | None: ...

    @property
    def said(self) -> Sequence[LoggedReply]: ...


class SeatReplies(NamedTuple):
    """How the replies of a model at one seat of a match were read."""

    statuses: tuple[tuple[str, int], ...] = ()  # how many have each, as they first occur
    no_reply: int = 0  # turns in which no reply came
    lenient_moves: int = 0  # replies that were played, and are not in the requested form
    lenient_unreadable: int = 0  # replies that were not played, and could be read leniently
    lacks_readings: bool = False  # as records of earlier versions do


class MatchFacts(NamedTuple):
    """One match."""

    name: str
    players: tuple[str, ...]
    repeat: int
    start: int  # equal for equal starts
    tries: int | None  # answers that are allowed; None for games
    moves: int  # equal for equal moves from the same start, field by field
    plies: int
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None
    reference: Reference | None  # of the values; None without any
    cause: str
    faults: int  # a bit for each seat, set if the match ended by its failure
    replies: tuple[SeatReplies | None, ...]  # of each seat; None if no model sits there

    def is_at_fault(self, seat: Seat) -> bool:
        """Return whether the match ended by a failure of this seat."""
        return bool(self.faults >> seat & 1)


class Reference(NamedTuple):
    """What raw values are compared with."""

    value: float | None  # None if there is none
    is_bound: bool = False  # whether it is only a bound


class StartFacts(NamedTuple):
    """What follows from the start of a match."""

    id: int  # equal for equal starts
    digest: int  # equal for starts that are the same field by field
    tries: int | None
    is_state_question: bool  # `check:` or `next:`
    has_worked_answer: bool


def start_facts(start: Game) -> StartFacts:
    asked = asked_question(start)
    return StartFacts(
        canonical_hash(start),
        start_digest(start),
        asked.tries if asked else None,
        bool(asked and isinstance(asked.question, StateTask)),
        bool(asked and isinstance(innermost(asked.question), Worked)),
    )


def reference_of(start: Game) -> Reference:
    value = reference(start)
    return Reference(value, value is not None and reference_is_bound(start))


def facts_of(records: Iterable[Record]) -> Iterator[MatchFacts]:
    """Yield the facts of some records; what takes long to find out is computed once for
    each name.
    """
    ids, digests = dict[str, int](), dict[str, int]()
    references = dict[str, Reference]()
    for record in records:
        name, start = record.name, record.start
        if name not in ids:
            ids[name], digests[name] = canonical_hash(start), start_digest(start)
        if record.values is not None and name not in references:
            references[name] = reference_of(start)
        asked = asked_question(start)
        yield MatchFacts(
            name,
            record.players,
            record.repeat,
            ids[name],
            asked.tries if asked else None,
            moves_digest(digests[name], record.log),
            len(record.log),
            record.scores,
            record.values,
            references[name] if record.values is not None else None,
            record.cause,
            faults_of(record),
            replies_of(record),
        )


def start_digest(start: Game) -> int:
    """Return a number of 64 bits, equal for starts that are the same field by field.

    Equivalent starts, such as mirrored ones, have the same canonical form, but look different.
    """
    return _digest(encode(pack(start)))


def moves_digest(start: int, log: Any) -> int:
    """Return a number of 64 bits, equal for equal logs from starts with the same digest."""
    return _digest(b"%d\n%b" % (start, msgspec.json.encode(log)))


def _digest(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def faults_of(match: Ended) -> int:
    """Return a bit for each seat by whose failure a match ended."""
    if match.cause in RULED or match.cause in NO_RESULT:
        return 0
    seats = range(len(match.players))
    if match.offender is not None:
        return 1 << match.offender if match.offender in seats else 0
    last = {reply.seat: reply.status for reply in match.said}
    return sum(1 << seat for seat in seats if last.get(seat, "answered") != "answered")


def replies_of(match: Ended) -> tuple[SeatReplies | None, ...]:
    """Return how the replies of the models in a match were read."""
    models = [is_model(player) for player in match.players]
    if not any(models):
        return (None,) * len(models)
    replies = match.said
    return tuple(
        _seat_replies([reply for reply in replies if reply.seat == seat]) if models[seat] else None
        for seat in range(len(models))
    )


def _seat_replies(replies: Sequence[LoggedReply]) -> SeatReplies:
    came = [reply for reply in replies if reply.status != "infrastructure"]
    lenient = [reply for reply in came if reply.readings and reply.readings.only_lenient]
    return SeatReplies(
        tuple(Counter(reply.status for reply in came).items()),
        len(replies) - len(came),
        sum(reply.status in MOVED for reply in lenient),
        sum(reply.status == "unreadable" for reply in lenient),
        any(not reply.readings and reply.status not in NO_REPLY for reply in came),
    )
