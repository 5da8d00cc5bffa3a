"""How many instances a level may claim to have."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from random import Random

import pytest

from broken_puzzles import Sound
from quandary.conformance import violations_of
from quandary.conformance.case import ALL_DRAWS, Case
from quandary.conformance.repetition import CHANCE, SHARE, _most_repeats, instances_are_distinct
from quandary.core.contract import InstanceCount


@dataclass(frozen=True)
class Piles(Sound):
    """Some pile sizes, all of them equally likely."""

    @classmethod
    def new(cls, rng: Random, *, most: int = 91) -> Piles:
        return cls(rng.randint(1, most))


@dataclass(frozen=True)
class UnequalPiles(Piles):
    """One half of the draws are of 50 sizes, the others of any size."""

    @classmethod
    def new(cls, rng: Random, *, most: int = 91) -> UnequalPiles:
        return cls(rng.randint(1, 50 if rng.random() < 0.5 else most))


def _complaints(puzzle: type[Piles], most: int, claimed: int) -> list[str]:
    class Counted(puzzle):  # type: ignore[misc, valid-type]
        levels = {"only": {"most": most}}
        distinct_instances = {"only": InstanceCount(claimed, "one for each pile size")}

    return list(instances_are_distinct(Case.of(Counted, "only", draws=ALL_DRAWS)))


@pytest.mark.parametrize("puzzle", [Piles, UnequalPiles])
@pytest.mark.parametrize("most", [91, 199, 200, 400, 1_500])
def test_the_true_number_is_accepted(puzzle: type[Piles], most: int) -> None:
    """Also where 2,000 seeds do not find every instance, or some are rarer than others."""
    assert [] == _complaints(puzzle, most, most)


@pytest.mark.parametrize(
    ("puzzle", "most", "claimed"),
    [(Piles, 91, 9_100), (Piles, 91, 200), (Piles, 150, 250), (Piles, 400, 4_000),
     (UnequalPiles, 91, 9_100), (UnequalPiles, 150, 250)],
)  # fmt: skip
def test_a_number_far_too_high_is_refused(puzzle: type[Piles], most: int, claimed: int) -> None:
    """Above all where a level with fewer than 200 instances would be divided into splits."""
    [sentence] = _complaints(puzzle, most, claimed)

    assert f"says exactly {claimed}, but 2000 seeds gave only" in sentence


@pytest.mark.parametrize("drawn", [1, 20, 100, 400])
def test_the_bound_is_the_smallest_that_chance_hardly_exceeds(drawn: int) -> None:
    """The tail of a binomial, summed exactly."""

    def tail(repeats: int) -> float:
        return sum(
            comb(drawn, k) * (1 - SHARE) ** k * SHARE ** (drawn - k)
            for k in range(repeats + 1, drawn + 1)
        )

    most = _most_repeats(drawn)
    assert tail(most) < CHANCE
    assert most == 0 or tail(most - 1) >= CHANCE


def test_many_draws_do_not_overflow() -> None:
    assert 100 < _most_repeats(1_900) < 150


def test_instances_of_a_broken_level_are_drawn_once() -> None:
    """Finding the seed at which it shows first draws no more of them."""
    told = list[int]()
    case = Case.of(
        type("Piles", (Piles,), {"levels": {"only": {}}, "distinct_instances": {}}),
        "only",
        draws=ALL_DRAWS,
        tell=lambda place, drawn, of: told.append(drawn),
    )
    found = [fault.promise for fault in violations_of(case)]

    assert "instances_are_distinct" in found
    assert list(range(2_001)) == told
