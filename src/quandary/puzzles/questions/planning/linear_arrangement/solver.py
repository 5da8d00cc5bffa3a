"""Conditions on the order of things in a row: which orders fit them, and conditions drawn at random
that leave one order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from itertools import permutations
from math import log2
from operator import and_
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from quandary.algorithms.entailment import Candidates, any_of, is_one
from quandary.core.descriptions import Doc

LETTERS = "ABCDEFG"
Places: TypeAlias = tuple[int, ...]  # of the things that are named, from 1

# Statements that are tried for a clue; one of them is taken, by which the number of orders that are
# left goes down most evenly.
SAMPLES = 2
EVENNESS = 1.7  # above 1, the first clues tell more


class Said(NamedTuple):
    """Something that is said of the places of one to three things.

    Places are numbered from 1, from left to right; those of subjects are lessons.
    """

    about: Annotated[
        str,
        Doc(
            "what is said. at, not_at: the thing is, or is not, in place `number`; anywhere: "
            "nothing is said about the thing; before, just_before: the first thing is somewhere, "
            "or directly, to the left of the second (of subjects, before it); next_to, "
            "not_next_to: their places differ by 1, or do not; apart: exactly `number` others "
            "are between them; "
            "between: the first is somewhere between the two others; farther: the first is "
            "farther from the second than from the third"
        ),
    ]
    things: Annotated[str, Doc("the letters of one to three things, the first one first")]
    number: Annotated[
        int, Doc("for at and not_at, a place; for apart, how many others; else 0")
    ] = 0


Clue: TypeAlias = tuple[Said, ...]  # all of which is true


class Kind(NamedTuple):
    """What can be said of things, given their places and perhaps a number."""

    things: int
    holds: Callable[[Places, int], bool]
    alike: tuple[int, ...] = ()  # of the things that are named, those that may be exchanged
    turned: tuple[int, ...] = ()  # the order in which they are named if left becomes right


KINDS = {
    "at": Kind(1, lambda x, number: x[0] == number),
    "not_at": Kind(1, lambda x, number: x[0] != number),
    "anywhere": Kind(1, lambda x, number: True),
    "before": Kind(2, lambda x, number: x[0] < x[1], turned=(1, 0)),
    "just_before": Kind(2, lambda x, number: x[0] + 1 == x[1], turned=(1, 0)),
    "next_to": Kind(2, lambda x, number: abs(x[0] - x[1]) == 1, alike=(0, 1)),
    "not_next_to": Kind(2, lambda x, number: abs(x[0] - x[1]) > 1, alike=(0, 1)),
    # Exactly `number` others are between two things.
    "apart": Kind(2, lambda x, number: abs(x[0] - x[1]) == number + 1, alike=(0, 1)),
    "between": Kind(3, lambda x, number: min(x[1:]) < x[0] < max(x[1:]), alike=(1, 2)),
    # The first one is farther from the second than from the third.
    "farther": Kind(3, lambda x, number: abs(x[0] - x[1]) > abs(x[0] - x[2])),
}
PLACED = ("at", "not_at")  # their number is a place


@lru_cache(maxsize=16)
def orders_of(things: int) -> Candidates[str]:
    """Return all orders of so many things, from left to right."""
    return Candidates(permutations(LETTERS[:things]))


def left_after(things: int, clues: Sequence[Clue], without: object = None) -> list[int]:
    """Return the orders that fit the clues so far, after each of them; perhaps one is not told."""
    orders = orders_of(things)
    return orders.left_after(
        orders.everything if at == without else fitting(things, clue)
        for at, clue in enumerate(clues)
    )


def fitting(things: int, clue: Clue) -> int:
    """Return the orders of which all that a clue says is true."""
    return reduce(and_, (_true(things, statement) for statement in clue))


@lru_cache(maxsize=1 << 13)
def _true(things: int, statement: Said) -> int:
    orders, kind = orders_of(things), KINDS[statement.about]
    return any_of(
        reduce(
            and_, (orders.having(at - 1, x) for at, x in zip(places, statement.things, strict=True))
        )
        for places in permutations(range(1, things + 1), kind.things)
        if kind.holds(places, statement.number)
    )


def drawn_clues(
    rng: Random, things: int, kinds: Sequence[str], count: int
) -> tuple[Clue, ...] | None:
    """So many clues, each of another one of the kinds, that leave the order of the alphabet alone.

    Each says one thing, and rules out some order; None if chance did not find them.
    """
    possible = [about for about in kinds if _true_of(things, about)]
    if count > len(possible):
        return None
    *abouts, last = rng.sample(possible, k=count)
    clues, left = list[Clue](), orders_of(things).everything
    for place, about in enumerate(abouts, start=1):
        aim = log2(orders_of(things).everything.bit_count()) * (1 - place / count) ** EVENNESS
        pool = _true_of(things, about)
        tried: list[Clue] = [(rng.choice(pool),) for _ in range(SAMPLES)]
        telling = [clue for clue in tried if left & fitting(things, clue) != left]
        if not telling:
            return None
        counts = {clue: (left & fitting(things, clue)).bit_count() for clue in telling}
        clues.append(min(telling, key=lambda clue: abs(log2(counts[clue]) - aim)))
        left &= fitting(things, clues[-1])
    if is_one(left):
        return None
    ends = [
        (statement,)
        for statement in _true_of(things, last)
        if is_one(left & fitting(things, (statement,)))
    ]
    return (*clues, rng.choice(ends)) if ends else None


@lru_cache(maxsize=256)
def _true_of(things: int, about: str) -> list[Said]:
    """Return all that can be said of things that stand in the order of the alphabet."""
    kind, places = KINDS[about], range(1, things + 1)
    numbers = {**dict.fromkeys(PLACED, places), "apart": range(1, things - 1)}.get(about, (0,))
    return [
        Said(about, "".join(LETTERS[at - 1] for at in named), number)
        for named in permutations(places, kind.things)
        for number in numbers
        if kind.holds(named, number)
    ]


def renamed(clues: Iterable[Clue], old: str, new: str) -> tuple[Clue, ...]:
    """With other letters for things."""
    table = str.maketrans(old, new)
    return tuple(
        tuple(statement._replace(things=statement.things.translate(table)) for statement in clue)
        for clue in clues
    )


def turned(clues: Iterable[Clue], things: int) -> tuple[Clue, ...]:
    """Return what is said of the same things in a row that is seen from behind."""
    return tuple(tuple(_turned(statement, things) for statement in clue) for clue in clues)


def _turned(statement: Said, things: int) -> Said:
    if statement.about in PLACED:
        return statement._replace(number=things + 1 - statement.number)
    order = KINDS[statement.about].turned
    return (
        statement._replace(things="".join(statement.things[at] for at in order))
        if order
        else statement
    )


def form(things: int, clues: Sequence[Clue]) -> tuple[Clue, ...]:
    """Return the same for clues that differ in the names of things, in what is left and right, in
    the order of what one clue says, and in that of things that may be exchanged.

    Things are named after their places in the order that fits; if several do, after any of them.
    """
    orders = orders_of(things)
    left = left_after(things, clues)[-1] or orders.everything
    alphabet, behind = LETTERS[:things], turned(clues, things)
    named = [
        images
        for order in map("".join, orders.listed(left))
        for images in (renamed(clues, order, alphabet), renamed(behind, order[::-1], alphabet))
    ]
    return min(tuple(tuple(sorted(map(_sorted, clue))) for clue in clues) for clues in named)


def _sorted(statement: Said) -> Said:
    letters, alike = list(statement.things), KINDS[statement.about].alike
    for at, letter in zip(alike, sorted(letters[at] for at in alike), strict=True):
        letters[at] = letter
    return statement._replace(things="".join(letters))
