"""The check that positions with equal canonical forms leave the same task.

Fresh instances hardly ever have equal forms.  So positions of many matches are compared, and
positions that are put together: one field, or what one seat has in it, is taken from another
position, or two entries of a list are exchanged.  Where something is hidden, other fields depend on
it: `possible_position` deals it anew, and only single numbers and words are taken, if the secrets
are the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from itertools import chain
from random import Random
from typing import NamedTuple, TypeVar

from quandary.core.contract import CHANCE, Fouls, Game, Move, Puzzle, Question
from quandary.core.errors import Illegal
from quandary.core.mixins.turns import after_foul
from quandary.core.secrecy import possible_position
from quandary.core.wrapper import task_of
from quandary.matches.record import allowed

from .case import LONGEST, NEIGHBOURS, Case, pick, some, thin, walk
from .same_task import difference

INSTANCES = 60  # fresh ones
OF_A_LEVEL = 4  # instances of every level, because a form serves all of them
MATCHES = 6  # random ones from each start
FOULS = 0.5, 0.95  # shares of fouls in further matches, if the game lets them pass
MIXED = 80  # times that a position is given a field of another one, per group of positions
TURNED = 20  # times that a question is turned to see what that changes
REORDERED = 40  # times that two entries of a question's lists are exchanged, per group
TRANSPOSED = 40  # times that moves are made in two orders, per group
COMPARED = 20  # pairs of a group that differ in the same fields
JUDGED = 3  # pairs that differ in the same fields and whose moves are judged
# Positions are counted, not timed, so that every machine finds the same.  The larger they are, the
# fewer are looked at: so many of their values ...
VALUES = 10  # ... by each source of pairs, per drawn instance
# ... and so many, including those of the positions that follow, ...
COMPARED_VALUES = 2  # ... of pairs that differ in the same fields, per drawn instance
DEALT_VALUES = 4_000  # ... of positions of a group whose secrets are dealt anew
WORD = 20  # characters of a text that is no board
SHOWN = 600  # characters of a position

P = TypeVar("P", bound=Puzzle)


class Pair(NamedTuple):
    """Two positions that may have equal canonical forms."""

    one: Puzzle
    other: Puzzle
    group: str  # where they were found
    is_put_together: bool = False  # the other one; it may be impossible


def equal_forms_leave_the_same_task(case: Case) -> Iterator[str]:
    if task_of(case.puzzle):  # its form is that of the puzzle it asks about
        return
    rng = Random(case.name)
    compared, judged = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    form_of = cache(_form_of)
    for pairs in _sources(case, rng):
        left = case.draws.instances * VALUES
        for one, other, group, is_put_together in pairs:
            if left <= 0:
                break
            left -= _size(one)
            try:
                if one == other or form_of(one) != form_of(other):
                    continue
                names = _differing(one, other)
                compared[key := (group, *names)] += 1
                if compared[key] > _most_compared(one, case.draws.instances):
                    continue
                judged[names] += 1
                found = difference(one, other, rng, judged=judged[names] <= JUDGED)
            except Exception:
                if not is_put_together:
                    raise
                continue
            if found:
                yield (
                    f"`canonical` is equal for two positions that leave different tasks: {found}; "
                    f"{_compared(one, other)}"
                )


def _most_compared(position: Puzzle, instances: int) -> int:
    """At least one pair, and fewer where there is much to compare."""
    return max(1, min(COMPARED, instances * COMPARED_VALUES // _weight(position)))


def _form_of(position: Puzzle) -> Hashable:
    return position.canonical()


def _compared(one: Puzzle, other: Puzzle) -> str:
    """Return how two positions differ, and the whole of the first."""
    parts = [
        f'`{name}` is "{_shown(mine)}" in one and "{_shown(yours)}" in the other'
        for field in _differing(one, other)
        for name, mine, yours in [_narrowed(field, getattr(one, field), getattr(other, field))]
    ]
    return f'{" and ".join(parts)}, and the one is "{_shown(one)}"'


def _narrowed(name: str, mine: object, yours: object) -> tuple[str, object, object]:
    """Return the one entry in which two lists differ, or all of them."""
    if isinstance(mine, tuple) and isinstance(yours, tuple) and len(mine) == len(yours):
        places = [at for at, entry in enumerate(mine) if entry != yours[at]]
        if len(places) == 1:
            [at] = places
            return f"{name}[{at}]", mine[at], yours[at]
    return name, mine, yours


def _differing(one: Puzzle, other: Puzzle) -> tuple[str, ...]:
    names = (field.name for field in fields(one))  # type: ignore[arg-type]
    return tuple(name for name in names if getattr(one, name) != getattr(other, name))


def _shown(value: object) -> str:
    """Without double quotes, which enclose it."""
    text = repr(value).replace('"', "'")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _size(value: object) -> int:
    """Return how many letters, numbers and other single values it has, at any depth."""
    if isinstance(value, str):
        return 1 + len(value)
    if isinstance(value, tuple):
        return 1 + sum(map(_size, value))
    if is_dataclass(value) and not isinstance(value, type):
        return sum(_size(getattr(value, field.name)) for field in fields(value))
    return 1


def _weight(position: Puzzle) -> int:
    """Return the size of it and of the positions after each of its moves."""
    listed = position.options().values() if isinstance(position, Game) else ()
    return _size(position) * (1 + sum(len(moves or ()) for moves in listed))


def _sources(case: Case, rng: Random) -> Iterator[Iterator[Pair]]:
    """Those that are cheap come first."""
    met = dict[Hashable, Puzzle]()
    yield from _found(case.neighbours, "neighbours", met, rng)
    for seed, start, sampled in zip(case.seeds, case.games, case.matches, strict=True):
        if isinstance(start, case.puzzle):
            matches = (thin(walk(start, f"{case.name}/{i}")) for i in range(MATCHES))
            shares = FOULS if isinstance(start, Fouls) else ()
            fouled = (thin(_with_fouls(start, share, rng)) for share in shares)
            yield from _found(chain(sampled, *fouled, *matches), f"#{seed}", met, rng)
    more = map(case.make, range(NEIGHBOURS, INSTANCES))
    yield from _found(chain(case.neighbours, more), "instances", met, rng)
    others = (Case.of(case.puzzle, level) for level in case.puzzle.levels)
    mixed = (level.make(seed) for level in others for seed in range(OF_A_LEVEL))
    yield from _found(mixed, "levels", met, rng)


def _with_fouls(start: Game, share: float, rng: Random) -> Iterator[Game]:
    """Positions of a match in which moves are also made when they are no longer legal."""
    position, known = start, list[Move]()
    for _ in range(LONGEST):
        yield position
        if not position.options():
            return
        seat = rng.choice(sorted(position.options()))
        if seat != CHANCE:
            fouls = [move for move in known if not allowed(position, seat, move)]
            is_foul = fouls and rng.random() < share
            after = after_foul(position, seat, rng.choice(fouls)) if is_foul else None
            known += some(position.options()[seat] or (), rng, 3)
            if after is not None:
                position = after
                continue
        position = position.after(seat, pick(position, seat, rng))


def _found(
    positions: Iterable[Puzzle], group: str, met: dict[Hashable, Puzzle], rng: Random
) -> Iterator[Iterator[Pair]]:
    """Pairs of positions as they are, made of two of them, with lists in another order, and after
    moves in two orders.
    """
    listed = list[Puzzle]()
    yield _met(positions, group, met, listed)
    yield (Pair(one, other, group, is_made) for one, other, is_made in _varied(listed, rng))
    yield (Pair(*pair, group, is_put_together=True) for pair in _reordered(listed, rng))
    yield (Pair(*ends, group) for ends in _transpositions(listed, rng))


def _met(
    positions: Iterable[Puzzle], group: str, met: dict[Hashable, Puzzle], listed: list[Puzzle]
) -> Iterator[Pair]:
    """Each position with the first one of its form; they are listed."""
    for position in positions:
        listed.append(position)
        yield Pair(met.setdefault(position.canonical(), position), position, group)


def _transpositions(positions: Sequence[Puzzle], rng: Random) -> Iterator[tuple[Game, Game]]:
    for _ in range(TRANSPOSED if positions else 0):
        if isinstance(position := rng.choice(positions), Game) and (
            ends := _transposed(position, rng)
        ):
            yield ends


def _transposed(position: Game, rng: Random) -> tuple[Game, Game] | None:
    """Two positions after the same moves, made in one order and in the other."""
    one, other, moves = position, position, list[Move]()
    for _ in range(rng.choice((2, 3))):
        if not one.options() or CHANCE in one.options():
            return None
        seat = min(one.options())
        moves.append(pick(one, seat, rng))
        one = one.after(seat, moves[-1])
    for move in reversed(moves):
        try:
            other = other.play(min(other.options(), default=0), move)
        except Illegal:
            return None
    return one, other


def _varied(positions: Iterable[Puzzle], rng: Random) -> Iterator[tuple[Puzzle, Puzzle, bool]]:
    """Positions with a field of another one, or with other secrets."""
    alike = defaultdict[Hashable, list[Puzzle]](list)
    for position in dict.fromkeys(positions):
        alike[_shape(position)].append(position)
    pool = [group for group in alike.values() for _ in group]
    left = DEALT_VALUES
    for _ in range(MIXED if pool else 0):
        group = rng.choice(pool)
        one, giver = rng.choice(group), rng.choice(group)
        if _hides_something(one):
            seats = one.seats if isinstance(one, Game) else 1
            for seat in range(seats) if left > 0 else ():
                left -= _weight(one)
                yield one, possible_position(one.seen_by(seat), rng), False
            if _same_secrets(one, giver):
                made = _mixtures(one, giver, rng, only_plain=True)
                yield from ((one, other, True) for other in made)
        elif not _hides_something(giver):
            made = chain(_mixtures(one, giver, rng), _permuted(one, rng))
            yield from ((one, other, True) for other in made)


def _hides_something(position: Puzzle) -> bool:
    seats = position.seats if isinstance(position, Game) else 1
    return any(position.seen_by(seat) != position for seat in range(seats))


def _same_secrets(one: Puzzle, other: Puzzle) -> bool:
    hidden = _hidden_names(one)
    return hidden == _hidden_names(other) and hidden.isdisjoint(_differing(one, other))


def _hidden_names(position: Puzzle) -> set[str]:
    """Of the fields that some seat does not see as they are."""
    seats = position.seats if isinstance(position, Game) else 1
    return {name for seat in range(seats) for name in _differing(position, position.seen_by(seat))}


def _shape(value: object) -> Hashable:
    """Lengths and types at any depth: fields may depend on the lengths of others."""
    if isinstance(value, tuple):
        return type(value), *map(_shape, value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), *(_shape(getattr(value, field.name)) for field in fields(value))
    return (len(value),) if isinstance(value, str) else (type(value),)


def _mixtures(
    one: Puzzle, giver: Puzzle, rng: Random, *, only_plain: bool = False
) -> Iterator[Puzzle]:
    """One position with a field of the other, or with what one seat has in such a field."""
    seats = one.seats if isinstance(one, Game) else 1
    for name in _differing(one, giver):
        mine, given = getattr(one, name), getattr(giver, name)
        if only_plain and not _is_plain(given):
            continue
        values = [given]
        if type(mine) is tuple and len(mine) == seats > 1:
            seat = rng.randrange(seats)
            values.append((*mine[:seat], given[seat], *mine[seat + 1 :]))
        for value in values:
            with suppress(Exception):  # it may refuse fields that do not fit
                yield replace(one, **{name: value})  # type: ignore[type-var]


def _is_plain(value: object) -> bool:
    """Return a number, or a word; a longer text may be a board, which depends on what is hidden."""
    return isinstance(value, int) or (isinstance(value, str) and len(value) <= WORD)


def _permuted(position: Puzzle, rng: Random) -> Iterator[Puzzle]:
    """With two entries exchanged, for each list of numbers or words that a move leaves as it is.

    Such a list is given; one that moves change, or that has lists in it, may be impossible in
    another order.
    """
    if not isinstance(position, Game) or not position.options():
        return
    seat = min(position.options())
    moved = _differing(position, position.after(seat, pick(position, seat, rng)))
    for field in fields(position):  # type: ignore[arg-type]
        entries = getattr(position, field.name)
        if field.name not in moved and type(entries) is tuple and all(map(_is_plain, entries)):
            yield from _exchanged(position, field.name, rng)


def _reordered(positions: Sequence[Puzzle], rng: Random) -> Iterator[tuple[Question, Question]]:
    """Questions, each with two entries exchanged in a list that `equivalent` leaves as it is.

    One that it changes may be in another order, with another right answer: that would show
    nothing.
    """
    asked = [
        each for each in positions if isinstance(each, Question) and not _hides_something(each)
    ]
    for _ in range(REORDERED if asked else 0):
        question = rng.choice(asked)
        for field in fields(question):  # type: ignore[arg-type]
            if type(getattr(question, field.name)) is tuple:
                for other in _exchanged(question, field.name, rng):
                    if not _is_turned(question, field.name):
                        yield question, other


@lru_cache(1_000)
def _is_turned(question: Question, name: str) -> bool:
    """Return whether `equivalent` changes a field."""
    images = (question.equivalent(Random(seed)) for seed in range(TURNED))
    return any(getattr(image, name) != getattr(question, name) for image in images)


def _exchanged(position: P, name: str, rng: Random) -> Iterator[P]:
    """With two entries of a list exchanged, which are numbers or words, or of the same shape."""
    entries = getattr(position, name)
    at = rng.randrange(len(entries)) if entries else 0
    places = [
        to
        for to, entry in enumerate(entries)
        if entry != entries[at]
        and ((_is_plain(entry) and _is_plain(entries[at])) or _shape(entry) == _shape(entries[at]))
    ]
    if places:
        to, changed = rng.choice(places), list(entries)
        changed[at], changed[to] = entries[to], entries[at]
        with suppress(Exception):  # it may refuse lists in another order
            yield replace(position, **{name: tuple(changed)})  # type: ignore[type-var]
