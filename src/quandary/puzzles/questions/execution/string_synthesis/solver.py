"""Methods that combine blocks of three tiers of three kinds: drawing them, for each family."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from quandary.puzzles.questions.execution._shared.synthesis.solver import (
    UNITS,
    Packed,
    PackedMethod,
    are_different,
    pick,
    some_of,
    unpacked,
)

TWO_ALIKE = 0.3  # the chance that a method of family a takes two blocks of one kind
MADE_TWICE = 0.3  # the chance that a method makes two blocks of its kind
WAYS = 20  # in which blocks to take are tried


def drawn_methods(rng: Random, family: str, kinds: int, number: int) -> list[PackedMethod] | None:
    """Try to draw different methods, of which one at least is the family's own."""
    methods: dict[Packed, Packed] = {}  # what is made, by what is taken
    for made in _products(rng, kinds, number):
        if made[0] >= 6:
            own, sources = "a", rng.sample(UNITS[3:6], 2)
        else:
            own, sources = family, UNITS[: min(3, made[0])]
        fewest = len(sources) if number == 1 else 0
        for _ in range(WAYS):
            if (takes := _takes(rng, own, sources, fewest)) not in methods:
                break
        number_made = 2 if len(made) == 1 and rng.random() < MADE_TWICE else 1
        methods[takes] = number_made * sum([UNITS[kind] for kind in made])
    drawn = list(methods.items())
    rng.shuffle(drawn)
    covers = all(unpacked(sum(methods), kinds)[: min(3, kinds - 1)])
    is_good = covers and (family == "a" or _has_own(drawn, kinds)) and are_different(drawn)
    return drawn if is_good and len(drawn) == number else None


def _has_own(methods: Sequence[PackedMethod], kinds: int) -> bool:
    """Return whether some method is of family b alone."""
    taken = [unpacked(takes, kinds) for takes, _ in methods]
    return any(max(counts) > 1 and sum(counts) > 2 for counts in taken)


def _products(rng: Random, kinds: int, number: int) -> list[tuple[int, ...]]:
    """Return the kinds that each method makes."""
    top = rng.sample(range(6, kinds), kinds - 6) if kinds > 6 else []
    groups = [tuple(sorted(top[:2])), *((kind,) for kind in top[2:])] if top else []
    low = range(2 if kinds <= 4 else 3, min(kinds, 6))
    more = number - len(groups) - len(low)
    if more < 0:
        raise ValueError(f"{kinds} kinds need {number - more} methods or more")
    again = rng.choices(low if kinds == 3 else range(3, min(kinds, 6)), k=more) if more else []
    return [*groups, *((kind,) for kind in [*low, *again])]


def _takes(rng: Random, family: str, sources: Sequence[Packed], fewest: int) -> Packed:
    """Blocks of so many of the sources or more."""
    if family == "a":
        if fewest < 2 and rng.random() < TWO_ALIKE:
            return 2 * pick(rng, sources)
        return sum(some_of(rng, sources, pick(rng, range(max(fewest, 2), len(sources) + 1))))
    chosen = some_of(rng, sources, pick(rng, range(max(fewest, 1), len(sources) + 1)))
    if len(chosen) == 1:
        return chosen[0] * pick(rng, (2, 3))
    return sum([source * pick(rng, (1, 2)) for source in chosen])
