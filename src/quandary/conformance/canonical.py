"""Checks of `canonical` and `equivalent`: equal for equivalent tasks, and plain data."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from random import Random

import msgspec

from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.contract import Game, Puzzle
from quandary.core.mixins.objectives import reference

from .case import NEIGHBOURS, Case

TURNED = 3  # times that each position is turned, mirrored or renamed
PER_MATCH = 6  # positions that are, spread over a match
FOLLOWED = 60  # options; where there are more, the positions after them are not compared


def canonical_is_sound(case: Case) -> Iterator[str]:
    for seed, start in zip(case.seeds, case.starts, strict=True):
        again = case.make(seed)
        one, other = start.canonical(), again.canonical()
        # Where they are not equal, `same_seed_same_instance` says so.
        if start == again and (one != other or hash(one) != hash(other)):
            yield "`canonical` differs for equal instances"
    texts = {position.seen_by(0).text(0) for position in case.neighbours}
    if len(texts) > 1 and len({position.canonical() for position in case.neighbours}) == 1:
        yield (
            f"`canonical` is the same for all of {NEIGHBOURS} instances, though their texts differ"
        )


def canonical_is_plain(case: Case) -> Iterator[str]:
    """Splits are drawn by its JSON, which must be equal in every process."""
    for position in _positions(case):
        form = position.canonical()
        if foreign := _foreign(form):
            yield (
                f"`canonical` contains {foreign}; it may contain text, whole numbers, truth "
                f"values, None and tuples, or be a position"
            )
            continue
        restored = registry.from_json(codec.to_json(position)).canonical()
        if restored != form or _encoded(restored) != _encoded(form):
            yield "`canonical` of a position differs after JSON"


def equivalent_is_the_same_task(case: Case) -> Iterator[str]:
    for position in _positions(case):
        for seed in range(TURNED):
            other = position.equivalent(Random(seed))
            if type(other) is not type(position):
                yield f"`equivalent` of a {type(position).__name__} is a {type(other).__name__}"
            elif other != position.equivalent(Random(seed)):
                yield "`equivalent` differs for equal luck: its luck must come from `rng` alone"
            elif registry.from_json(codec.to_json(other)) != other:
                yield "a position from `equivalent` is not equal to itself after JSON"
            elif other.canonical() != position.canonical():
                yield "`canonical` differs between a position and one from `equivalent`"
            elif difference := _difference(position, other):
                yield f"`equivalent` changes the task: its {difference} differ"


def equivalent_keeps_the_reference(case: Case) -> Iterator[str]:
    """Of one instance, because a reference may take long."""
    start = case.starts[0]
    other = start.equivalent(Random(0))
    if start == other:
        return
    best = case.reference(start)
    if best != (found := reference(other)):
        yield f"`equivalent` changes `reference` from {best} to {found}"


def _positions(case: Case) -> Iterator[Puzzle]:
    """Starts, and some other positions of each match."""
    yield from case.starts
    for match in case.matches:
        if isinstance(match[0], case.puzzle):
            yield from match[1 :: 1 + len(match) // PER_MATCH]


def _difference(one: Puzzle, other: Puzzle) -> str:
    """Return how the tasks that two positions leave differ, now or after one move; "" if they do
    not.
    """
    if not isinstance(one, Game) or not isinstance(other, Game):
        return ""
    if sorted(one.scores()) != sorted(other.scores()):
        return "scores"
    if sorted(one.values() or ()) != sorted(other.values() or ()):
        return "values"
    if _counts(one) != _counts(other):
        return "numbers of legal moves"
    if sum(_counts(one)) <= FOLLOWED and _following(one) != _following(other):
        return "positions after one move"
    return ""


def _counts(position: Game) -> list[int]:
    """Return how many moves each seat has, whichever seat it is; -1 for moves that are not
    listed.
    """
    return sorted(-1 if moves is None else len(moves) for moves in position.options().values())


def _following(position: Game) -> set[Hashable]:
    """Return the canonical forms of the positions after one move."""
    return {
        position.after(seat, move).canonical()
        for seat, moves in position.options().items()
        for move in moves or ()
    }


def _encoded(form: Hashable) -> bytes:
    return msgspec.json.encode(form, order="deterministic")


def _foreign(value: object) -> str:
    """Return what a canonical form may not contain, if there is such a thing in it."""
    if value is None or isinstance(value, str | int):  # truth values are numbers
        return ""
    parts: Sequence[object] = ()
    if isinstance(value, tuple):
        parts = value
    elif is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in fields(value)]
    else:
        return f"a {type(value).__name__}"
    return next(filter(None, map(_foreign, parts)), "")
