"""What the scores of a run need of its matches, in columns that take little memory.

They are collected while the run is played, or from its records, each of which is decoded once.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import isnan, nan
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from quandary.arena.headers import Header, RecordKey
from quandary.arena.job import Job
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.codec import decode
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.matches.record import NO_RESULT, RULED, LoggedReply
from quandary.matches.versions import innermost_version
from quandary.players.model_names import is_model

from .match_facts import (
    MatchFacts,
    Reference,
    SeatReplies,
    StartFacts,
    faults_of,
    moves_digest,
    reference_of,
    replies_of,
    start_facts,
)
from .starts import listed_starts

STARTS = 1_024  # that are kept decoded: matches that begin alike stand close together
UNKNOWN, NONE, VALUE, BOUND = range(4)  # what is known of the reference of an instance

Value = TypeVar("Value")


class InstanceKind(NamedTuple):
    """What many instances have in common."""

    task: str
    puzzle: str
    level: str  # with its changes
    split: str
    listed_starts: int | None  # how many starts the level has, if they are a short list
    version: int | None
    tries: int | None  # answers that are allowed; None for games
    is_state_question: bool
    has_worked_answer: bool


class Numbered(Generic[Value]):
    """Values that repeat, each by a number."""

    def __init__(self) -> None:
        self.values, self.numbers = list[Value](), dict[Value, int]()

    def of(self, value: Value) -> int:
        number = self.numbers.get(value)
        if number is None:
            number = self.numbers[value] = len(self.values)
            self.values.append(value)
        return number


class RunColumns:
    """The matches of a run in the order of its file; a `Collector` of its records."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        # Of instances.
        self.names, self.kinds, self.references = list[str](), array("I"), array("d")
        self.starts, self.digests = array("Q"), array("Q")
        self.reference_kinds = bytearray()
        self.kind = Numbered[InstanceKind]()
        # Of matches.
        self.offsets, self.instances, self.seatings = array("Q"), array("I"), array("I")
        self.repeats, self.causes, self.faults = array("i"), array("H"), array("Q")
        self.moves, self.plies, self.replies = array("Q"), array("I"), array("I")
        self.first_seats = array("I")
        self.seating, self.cause = Numbered[tuple[str, ...]](), Numbered[str]()
        self.reply = Numbered[tuple[SeatReplies | None, ...]]()
        # Of seats; nan where there is none.  Values are empty if no match has one.
        self.scores, self.values = array("d"), array("d")
        # Matches without a result that were played again later.
        self.superseded = set[int]()
        # By the offsets of matches without scores: why they were cut off, or "" without a key.
        self.without_scores = dict[int, str]()
        self.error: UserError | None = None  # why a record cannot be scored
        self._without_result = dict[RecordKey, int]()
        self._known = defaultdict[int | None, dict[str, int]](dict)  # instances by version and name
        self._places = dict[str, tuple[str, str, str, str, int | None]]()
        self._start = lru_cache(maxsize=STARTS)(_decoded_start)
        self._with_models = list[bool]()  # by the number of the seating

    def __len__(self) -> int:
        return len(self.offsets)

    def add(self, offset: int, header: Header) -> None:
        """Note a record."""
        if self.error:
            return
        seats = len(header.players)
        try:
            instance = self._instance(header)
            if header.values is not None and self.reference_kinds[instance] == UNKNOWN:
                self._add_reference(instance, header)
            log = msgspec.json.decode(header.log)
            faults = 0 if header.cause in RULED else faults_of(_Ended(header))
            seating = self.seating.of(header.players)
            replies = replies_of(_Ended(header)) if self._has_model(seating) else ()
            if header.scores is None:
                self.without_scores[offset] = _why_cut_off(_Ended(header))
        except (UserError, msgspec.DecodeError, UnicodeError, RecursionError) as reason:
            self.error = UserError(f"record {len(self) + 1}: {reason}")
            return
        if header.cause in NO_RESULT or self._without_result:
            self._note_without_result(header)
        nothing = (nan,) * seats
        self.offsets.append(offset)
        self.instances.append(instance)
        self.seatings.append(seating)
        self.repeats.append(header.repeat)
        self.causes.append(self.cause.of(header.cause))
        self.faults.append(faults)
        self.moves.append(moves_digest(self.digests[instance], log))
        self.plies.append(len(log))
        self.replies.append(self.reply.of(replies))
        self.first_seats.append(len(self.scores))
        self.scores.extend(nothing if header.scores is None else header.scores)
        if header.values is not None or self.values:
            missing = len(self.scores) - len(self.values) - seats  # most games have no values
            self.values.extend(array("d", [nan]) * missing)
            self.values.extend(nothing if header.values is None else header.values)

    def _has_model(self, seating: int) -> bool:
        if seating == len(self._with_models):
            self._with_models.append(any(map(is_model, self.seating.values[seating])))
        return self._with_models[seating]

    def _note_without_result(self, header: Header) -> None:
        earlier = self._without_result.pop(header.key, None)
        if earlier is not None:
            self.superseded.add(earlier)
        if header.cause in NO_RESULT:
            self._without_result[header.key] = len(self)

    def _instance(self, header: Header) -> int:
        """Return the number of the instance of a record."""
        known = self._known[header.version]
        number = known.get(header.name)
        if number is None:
            _, facts = self._start(bytes(header.start))
            version = header.version
            if version is None:  # old records have it in their starts alone
                version = innermost_version(decode(header.start))
            kind = InstanceKind(*self._place(header.name), version, *facts[2:])
            number = known[header.name] = len(self.names)
            self.names.append(header.name)
            self.kinds.append(self.kind.of(kind))
            self.starts.append(facts.id)
            self.digests.append(facts.digest)
            self.references.append(nan)
            self.reference_kinds.append(UNKNOWN)
        return number

    def _place(self, name: str) -> tuple[str, str, str, str, int | None]:
        """Return what a name says besides its seed; a problem of an import has none."""
        place, _, _ = name.rpartition("#")
        found = self._places.get(place) if place else None
        if found is None:
            spec = Spec.parse(name)
            level = drawing.level_name(spec)
            found = spec.task, spec.name, level, spec.split, listed_starts(spec)
            if place:
                self._places[place] = found
        return found

    def _add_reference(self, instance: int, header: Header) -> None:
        start, _ = self._start(bytes(header.start))
        value, is_bound = reference_of(start)
        if value is not None:
            self.references[instance] = value
        self.reference_kinds[instance] = NONE if value is None else BOUND if is_bound else VALUE

    def check(self) -> None:
        """UserError if a record cannot be scored."""
        if self.error:
            raise self.error

    @property
    def asks_repeatedly(self) -> bool:
        """Whether questions could be answered more than once."""
        return any(kind.tries is not None and kind.tries > 1 for kind in self.kind.values)

    @property
    def question_columns(self) -> set[str]:
        """The columns of the table of seats that only some questions have, if it has them."""
        kinds = self.kind.values
        has = {
            "label": any(kind.is_state_question for kind in kinds),
            "domain": any(kind.has_worked_answer for kind in kinds),
        }
        return {name for name in has if has[name]}

    @property
    def lacks_readings(self) -> bool:
        """Whether some replies of models are without readings, as earlier versions stored them."""
        return any(seat and seat.lacks_readings for seats in self.reply.values for seat in seats)

    def keys(self) -> Iterator[RecordKey]:
        """Yield which matches have a record."""
        for at, instance in enumerate(self.instances):
            players = self.seating.values[self.seatings[at]]
            yield RecordKey(self.names[instance], players, self.repeats[at])

    @property
    def counted(self) -> int:
        """How many matches count."""
        return len(self) - len(self.superseded)

    def __iter__(self) -> Iterator[MatchFacts]:
        """Every match that counts, in the order of the file."""
        return (self.match(at) for at in range(len(self)) if at not in self.superseded)

    def at_offsets(self, offsets: Iterable[int]) -> Iterator[MatchFacts]:
        """Return the matches whose records begin there."""
        return (self.match(bisect_left(self.offsets, offset)) for offset in offsets)

    def match(self, at: int) -> MatchFacts:
        """Return a match by its number in the file, counted from 0."""
        instance, players = self.instances[at], self.seating.values[self.seatings[at]]
        own = slice(self.first_seats[at], self.first_seats[at] + len(players))
        kind = self.kind.values[self.kinds[instance]]
        values = _given(self.values[own]) if self.values else None
        return MatchFacts(
            self.names[instance],
            players,
            self.repeats[at],
            self.starts[instance],
            kind.tries,
            self.moves[at],
            self.plies[at],
            _given(self.scores[own]),
            values,
            self._reference(instance) if values else None,
            self.cause.values[self.causes[at]],
            self.faults[at],
            self.reply.values[self.replies[at]] or (None,) * len(players),
        )

    def _reference(self, instance: int) -> Reference:
        kind = self.reference_kinds[instance]
        return Reference(None if kind == NONE else self.references[instance], kind == BOUND)


class PlayedRun(NamedTuple):
    """A run, as the command that plays it knows it in the end."""

    folder: Path
    columns: RunColumns
    left: Sequence[Job]  # matches that are not played yet


class _Ended:
    """A match as its record has it, whose replies are decoded when they are asked for."""

    def __init__(self, header: Header) -> None:
        self.players, self.cause, self.offender = header.players, header.cause, header.offender
        self._raw_replies = header.said

    @property
    def said(self) -> tuple[LoggedReply, ...]:
        return _replies.decode(self._raw_replies)


_replies = msgspec.json.Decoder(tuple[LoggedReply, ...])


def _decoded_start(start: bytes) -> tuple[Game, StartFacts]:
    made = registry.from_json(start)
    if not isinstance(made, Game):
        raise UserError("it does not begin with a position of a game.")
    return made, start_facts(made)


def _why_cut_off(match: _Ended) -> str:
    """Return why a match has no scores; "" if only its key is missing."""
    if match.cause not in NO_RESULT:
        return ""
    words = (reply.words for reply in reversed(match.said) if reply.status == "infrastructure")
    return next(words, "the infrastructure failed")


def _given(numbers: array[float]) -> tuple[float, ...] | None:
    return None if isnan(numbers[0]) else tuple(numbers)
