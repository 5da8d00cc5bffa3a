"""Exact play of exclusivity particles, against plain search."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from quandary.puzzles.duels.exclusivity_particles.solver import ParticleSearch, mirrored, twins


def apart(one: int, other: int) -> int:
    return bin(one ^ other).count("1")


def test_mirrored_sets() -> None:
    """A set is mirrored where one of all shifts by the distance or more maps it onto itself."""
    seen = Counter[bool]()
    for seed in range(300):
        rng = Random(seed)
        shift, places = rng.randrange(1, 16), set(rng.sample(range(16), rng.randrange(6)))
        if rng.random() < 0.5:
            places |= {place ^ shift for place in places}
        distance = rng.randint(1, 4)
        expected = any(
            {place ^ by for place in places} == places
            for by in range(16)
            if apart(by, 0) >= distance
        )
        seen[expected] += 1

        assert expected == mirrored(rng.sample(sorted(places), len(places)), distance)
    assert min(seen[True], seen[False]) > 50


@pytest.mark.parametrize(("bits", "distance"), [(4, 1), (4, 2), (5, 2), (6, 3)])
def test_twins_complete_mirrored_sets(bits: int, distance: int) -> None:
    """Of three or more places exactly those are twins that make the set mirrored, and all of
    them keep the distance."""
    found = 0
    for seed in range(60):
        rng, places = Random(seed), list[int]()
        shift = rng.choice([by for by in range(2**bits) if apart(by, 0) >= distance])
        while True:
            free = [
                place
                for place in range(2**bits)
                if all(apart(place, other) >= distance for other in places)
            ]
            if not free or len(places) > rng.randrange(10):
                break
            places.append(rng.choice([place for place in free if place ^ shift in places] or free))
        free = [place for place in range(2**bits) if place not in places]
        expected = [place for place in free if mirrored([*places, place], distance)]
        if len(places) > 1:
            found += len(expected)

            assert expected == twins(places, bits)
            assert all(apart(twin, place) >= distance for twin in expected for place in places)
    assert found > 10


def test_the_twin_of_one_place_is_its_opposite() -> None:
    """One place is mirrored by any other, best by the furthest; none and two cannot be
    completed."""
    assert ([0b01001], [], []) == (twins([0b10110], 5), twins([], 5), twins([1, 6], 5))


def worth_of(left: frozenset[int], distance: int) -> int:
    """The heap of nim some places are worth: the least number that no turn leaves."""

    @cache
    def worth(left: frozenset[int]) -> int:
        leaves = {
            worth(frozenset(other for other in left if apart(place, other) >= distance))
            for place in left
        }
        return min(set(range(len(leaves) + 1)) - leaves)

    return worth(left)


@pytest.mark.parametrize(("bits", "distance"), [(3, 2), (4, 2), (4, 3), (5, 2), (5, 3), (6, 2)])
def test_exact_play_agrees_with_plain_search(bits: int, distance: int) -> None:
    """Whoever is to move wins where the worth is not the heap beside it, for random sets of
    places."""
    seen = Counter[int]()
    for seed in range(40):
        rng = Random(seed)
        places = rng.sample(range(2**bits), rng.randint(1, min(2**bits, 14)))
        search, worth = (
            ParticleSearch(places, distance, 100_000),
            worth_of(frozenset(places), distance),
        )
        every = (1 << len(places)) - 1
        seen[worth] += 1

        assert worth == search.worth(every)
        assert [heap != worth for heap in range(4)] == [
            search.wins(every, heap) for heap in range(4)
        ]
        left = frozenset(other for other in places if apart(search.best(), other) >= distance)
        assert worth == 0 or worth_of(left, distance) == 0
    assert len(seen) > 1


def test_what_the_budget_does_not_tell_is_not_said() -> None:
    """With little to look at the answer is None or right; the best place is one of the places
    all the same."""
    answers = Counter[bool | None]()
    for seed in range(60):
        places = Random(seed).sample(range(32), 14)
        told = ParticleSearch(places, 2, seed % 50).wins((1 << 14) - 1)
        answers[told] += 1

        assert told in (None, worth_of(frozenset(places), 2) != 0)
        assert ParticleSearch(places, 2, seed % 50).best() in places
    assert min(answers[None], answers[True]) > 5


def test_a_finishing_place_needs_no_budget() -> None:
    """A place that leaves nothing is found before anything else."""
    assert 0b000 == ParticleSearch([0b011, 0b000, 0b100, 0b010], 3, 0).best()
