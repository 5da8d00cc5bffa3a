"""Relations between letters, drawn at random: true, and together just enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import and_
from random import Random

from .relations import Relation, Side, fitting, orders_of

FACTORS = range(2, 5)
SIMPLE = ("multiple", "difference", "weighted")
USUAL = (*SIMPLE, "ratio", "equal", "sum", "product", "third")
HARD = (*USUAL, "product_of_two", "product_and_sum")
EQUATIONS = (SIMPLE, USUAL, HARD, HARD)  # kinds, by level
OTHERS = ("≠", ">", "divides", "not_largest", "not_smallest")
FROM_OTHERS = 3  # the level from which on there are other relations than equations
# The level from which on all kinds are equally likely; before, there are so few relations that all
# of those must be.
FROM_KINDS = 2
LETTERS = {  # in a relation of a kind, if not two
    **dict.fromkeys(("≠", "not_largest", "not_smallest"), 1),
    **dict.fromkeys(("third", "product_of_two", "product_and_sum"), 3),
}
LARGEST_REST = 9  # in AB = C + 9
REPLACED = 60  # relations that are replaced before a draw is given up


def drawn_relations(
    rng: Random, values: Sequence[int], level: int, count: int
) -> tuple[Relation, ...] | None:
    """So many relations that only these values of letters fit, none of them superfluous; None if
    chance did not find them.
    """
    numbers = tuple(sorted(values))
    others = rng.randint(1, max(count // 2, 1)) if level >= FROM_OTHERS else 0
    equations = _true_relations(EQUATIONS[level], values)
    if level < FROM_KINDS:
        equations = [[one for kind in equations for one in kind]]
    pools = [equations] * (count - others) + [_true_relations(OTHERS, values)] * others
    rng.shuffle(pools)
    found = [rng.choice(rng.choice(pool)) for pool in pools]
    sets = [fitting(relation, numbers) for relation in found]
    faults = _faults(sets, orders_of(numbers))
    for _ in range(REPLACED):
        if faults == (1, 0):
            return tuple(found)
        place = rng.randrange(count)
        other = rng.choice(rng.choice(pools[place]))
        changed = [*sets[:place], fitting(other, numbers), *sets[place + 1 :]]
        after = _faults(changed, orders_of(numbers))
        if after <= faults:
            found[place], sets, faults = other, changed, after
    return None


def _faults(sets: Sequence[int], everything: int) -> tuple[int, int]:
    """Return how many orders fit all relations, and, if one does, how many relations are
    superfluous.
    """
    solutions = reduce(and_, sets, everything).bit_count()
    if solutions > 1:
        return solutions, 0
    others = ((*sets[:place], *sets[place + 1 :]) for place in range(len(sets)))
    return 1, sum(reduce(and_, some, everything).bit_count() == 1 for some in others)


def _true_relations(kinds: Sequence[str], values: Sequence[int]) -> list[list[Relation]]:
    """Return all that are true of letters with these values, by kind."""
    letters, found = range(len(values)), list[list[Relation]]()
    for kind in kinds:
        made = _others if kind in OTHERS else _equations
        choices = permutations(letters, LETTERS.get(kind, 2))
        found.append([one for some in choices for one in made(kind, some, values)])
    return [true for true in found if true]


def _others(kind: str, letters: Sequence[int], values: Sequence[int]) -> Iterator[Relation]:
    one, *more = (_sum((1, letter)) for letter in letters)
    own = [values[letter] for letter in letters]
    if kind == "≠":
        yield from (Relation(kind, one, _number(n)) for n in sorted({*values} - {*own}))
    elif (
        (kind == "not_largest" and own[0] < max(values))
        or (kind == "not_smallest" and own[0] > min(values))
        or (kind == ">" and own[0] > own[1])
        or (kind == "divides" and own[1] % own[0] == 0)
    ):
        yield Relation(kind, one, *more)


def _equations(kind: str, letters: Sequence[int], values: Sequence[int]) -> Iterator[Relation]:
    for left, right in _sides(kind, letters, values):
        yield Relation("=", left, right)


def _sides(kind: str, letters: Sequence[int], values: Sequence[int]) -> Iterator[tuple[Side, Side]]:
    """Those of equations that are true."""
    x, y, z = (*letters, -1)[:3]
    a, b, c = values[x], values[y], values[z]
    if kind == "multiple":  # 2A = B
        yield from ((_sum((n, x)), _sum((1, y))) for n in FACTORS if n * a == b)
    elif kind == "ratio":  # 2A = 3B
        pairs = combinations(FACTORS, 2)
        yield from ((_sum((n, x)), _sum((m, y))) for n, m in pairs if n * a == m * b)
    elif kind == "weighted":  # 2A + B = 7
        yield _sum((2, x), (1, y)), _number(2 * a + b)
    elif kind == "difference" and a > b:  # A - B = 1
        yield _sum((1, x), (-1, y)), _number(a - b)
    elif kind == "equal" and x < y and a == b:  # A = B
        yield _sum((1, x)), _sum((1, y))
    elif kind == "sum" and x < y:  # A + B = 8
        yield _sum((1, x), (1, y)), _number(a + b)
    elif kind == "third" and x < y and a + b == c:  # A + B = C
        yield _sum((1, x), (1, y)), _sum((1, z))
    elif kind == "product" and x < y:  # AB = 12
        yield ((1, (x, y)),), _number(a * b)
    elif kind == "product_of_two" and x < y and a * b == c:  # AB = C
        yield ((1, (x, y)),), _sum((1, z))
    elif kind == "product_and_sum" and x < y:  # AB = 2C + 1
        for n in (1, *FACTORS):
            if 0 < (rest := a * b - n * c) <= LARGEST_REST:
                yield ((1, (x, y)),), (*_sum((n, z)), *_number(rest))


def _sum(*terms: tuple[int, int]) -> Side:
    """Return a sum of letters, each with its factor."""
    return tuple((factor, (letter,)) for factor, letter in terms)


def _number(number: int) -> Side:
    return ((number, ()),)
