"""Relations between letters that stand for numbers, and which numbers fit them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import groupby, pairwise, permutations, product
from operator import and_
from typing import Annotated, NamedTuple, TypeAlias

from quandary.algorithms.entailment import Candidates, any_of
from quandary.core.descriptions import Doc

Term: TypeAlias = tuple[int, tuple[int, ...]]  # a factor, and letters counted from 0: 2AB, or 5
Side: TypeAlias = tuple[Term, ...]  # terms that are added


class Relation(NamedTuple):
    """A statement about letters, which is true.

    A side is a sum of terms, each a list of a whole number, which may be negative, and letters
    that it is multiplied by: [[2, [0, 1]], [-3, []]] is 2A × B - 3.  Letters are counted from 0.
    """

    kind: Annotated[
        str,
        Doc(
            "how the sides compare: =, ≠ or >; divides: the letter left is a divisor of the letter "
            "right; not_largest, not_smallest: some other letter stands for a larger, or smaller, "
            "number than the letter left"
        ),
    ]
    left: Annotated[Side, Doc("the left side; a single letter, unless the sides are compared")]
    right: Annotated[
        Side,
        Doc("the right side; for divides, a single letter; [] for not_largest and not_smallest"),
    ] = ()

    @property
    def letters(self) -> list[int]:
        return sorted({letter for _, some in (*self.left, *self.right) for letter in some})


def holds(relation: Relation, values: Sequence[int], numbers: Sequence[int]) -> bool:
    """Return whether a relation is true if letters have these values, all of which are
    `numbers`.
    """
    left, right = _value(relation.left, values), _value(relation.right, values)
    if relation.kind == "=":
        return left == right
    if relation.kind == "≠":
        return left != right
    if relation.kind == ">":
        return left > right
    if relation.kind == "divides":
        return right % left == 0
    return left < max(numbers) if relation.kind == "not_largest" else left > min(numbers)


def _value(side: Side, values: Sequence[int]) -> int:
    total = 0
    for factor, letters in side:
        for letter in letters:
            factor *= values[letter]
        total += factor
    return total


@lru_cache(maxsize=8)
def _all_orders(count: int) -> Candidates[int]:
    """Return all ways to give letters the places of numbers, such as 2, 0, 1 for C, A, B."""
    return Candidates(permutations(range(count)))


@lru_cache(maxsize=256)
def orders_of(numbers: tuple[int, ...]) -> int:
    """Return the orders that differ in the numbers; of equal numbers, the first has the first
    letter.
    """
    orders, letters = _all_orders(len(numbers)), range(len(numbers))
    left = orders.everything
    for place, (one, other) in enumerate(pairwise(numbers)):
        if one == other:
            left &= any_of(
                orders.having(a, place) & orders.having(b, place + 1)
                for b in letters
                for a in letters[:b]
            )
    return left


@lru_cache(maxsize=1 << 10)
def fitting(relation: Relation, numbers: tuple[int, ...]) -> int:
    """Return the orders of numbers for which a relation is true."""
    orders, letters = _all_orders(len(numbers)), relation.letters
    values, found = [0] * len(numbers), list[int]()
    for places in permutations(range(len(numbers)), len(letters)):
        for letter, place in zip(letters, places, strict=True):
            values[letter] = numbers[place]
        if holds(relation, values, numbers):
            pairs = zip(letters, places, strict=True)
            found.append(reduce(and_, (orders.having(*pair) for pair in pairs)))
    return any_of(found)


def values_left(numbers: Sequence[int], left: int) -> list[list[int]]:
    """For each letter, the numbers that it has in some of the orders."""
    orders = _all_orders(len(numbers))
    return [
        sorted({numbers[place] for place in orders.values() if left & orders.having(letter, place)})
        for letter in range(len(numbers))
    ]


def renamed(relation: Relation, names: Sequence[int]) -> Relation:
    """With other letters for the first, the second and so on; in a fixed order where the order of
    factors, of terms or of sides does not matter.
    """
    left, right = (
        tuple(sorted((factor, tuple(sorted(names[one] for one in some))) for factor, some in side))
        for side in (relation.left, relation.right)
    )
    if relation.kind in ("=", "≠"):
        left, right = sorted((left, right))
    return Relation(relation.kind, left, right)


def least_form(
    relations: Sequence[Relation], keys: Sequence[Sequence[int]]
) -> tuple[Relation, ...]:
    """Return the relations with letters in the order of their keys; where keys are equal, with
    those names that give the least form.
    """
    letters = range(len(keys))
    full = [(keys[letter], _roles(relations, letter, len(keys))) for letter in letters]
    ordered = sorted(letters, key=full.__getitem__)
    ties = [list(group) for _, group in groupby(ordered, key=full.__getitem__)]
    forms = list[tuple[Relation, ...]]()
    for choice in product(*(permutations(tie) for tie in ties)):
        names = [0] * len(keys)
        for name, letter in enumerate(letter for tie in choice for letter in tie):
            names[letter] = name
        forms.append(tuple(sorted(renamed(one, names) for one in relations)))
    return min(forms)


def _roles(relations: Sequence[Relation], letter: int, count: int) -> list[Relation]:
    """Return the relations with this letter, as they are if no other letter has a name."""
    names = [int(other == letter) for other in range(count)]
    return sorted(renamed(one, names) for one in relations if letter in one.letters)
