"""Facts about sets of bit strings that keep a distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from quandary.puzzles._shared.bit_strings import write_place, write_places
from quandary.puzzles._shared.bit_strings.hamming_distance import (
    count_sets,
    draw_set,
    far,
    listed,
    lowest,
    roomiest,
    search_set,
)


def apart(one: int, other: int) -> int:
    return bin(one ^ other).count("1")


def all_sets(places: Sequence[int], count: int, distance: int) -> list[tuple[int, ...]]:
    """Try every set."""
    return [
        chosen
        for chosen in combinations(places, count)
        if all(apart(*pair) >= distance for pair in combinations(chosen, 2))
    ]


def mask_of(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


def test_masks_and_rows() -> None:
    """A mask lists its places in ascending order; rows of bits are padded and sorted."""
    assert ([0, 2, 5], 0) == (listed(0b100101), lowest(0b100101))
    assert ([], 3) == (listed(0), lowest(0b11000))
    assert ("0011", ("001", "110")) == (write_place(3, 4), write_places([6, 1], 3))


@pytest.mark.parametrize("bits", range(1, 7))
def test_far_places(bits: int) -> None:
    """The far places are those that differ in enough bits, for every place and distance."""
    for distance in range(bits + 1):
        for place in range(2**bits):
            assert [other for other in range(2**bits) if apart(place, other) >= distance] == listed(
                far(place, distance, bits)
            )


@pytest.mark.parametrize(
    ("bits", "distance", "count"),
    [(3, 2, 4), (4, 2, 3), (4, 3, 2), (5, 3, 3), (5, 1, 2), (5, 5, 3), (4, 2, 1)],
)
def test_sets_are_counted(bits: int, distance: int, count: int) -> None:
    """There are as many sets as trying every set finds, among all places and among some."""
    some = Random(bits).sample(range(2**bits), 2**bits * 2 // 3)
    for places in (range(2**bits), sorted(some)):
        assert len(all_sets(places, count, distance)) == count_sets(
            mask_of(places), count, distance, bits
        )


@pytest.mark.parametrize(
    ("bits", "distance", "others"), [(4, 2, 1), (4, 2, 2), (4, 3, 1), (5, 3, 2)]
)
def test_the_roomiest_place_is_in_most_sets(bits: int, distance: int, others: int) -> None:
    """No place is in more sets than it, and no lower place is in as many."""
    for seed in range(5):
        places = sorted(Random(seed).sample(range(2**bits), 2**bits * 2 // 3))
        shares = Counter(
            place for chosen in all_sets(places, others + 1, distance) for place in chosen
        )

        assert max(places, key=lambda place: (shares[place], -place)) == roomiest(
            mask_of(places), others, distance, bits
        )


@pytest.mark.parametrize(
    ("places", "count", "distance"),
    [
        (range(16), 2, 2),  # further places come from what is far from the first
        (range(16), 3, 2),
        (range(8), 3, 1),
        ([0, 1, 2, 4, 7, 8, 11, 13, 14, 15], 3, 2),
        ([0, 3, 5, 6, 15], 2, 2),  # fewer than are far: they come from the places themselves
        ([3, 12, 7], 1, 4),
    ],
)
def test_sets_are_drawn_evenly(places: Sequence[int], count: int, distance: int) -> None:
    """Drawn often, every set that keeps the distance comes up about as often as every other."""
    sets, rng, each = all_sets(places, count, distance), Random(3), 200
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(each * len(sets)):
        chosen = draw_set(rng, places, count, distance, 4 if max(places) > 7 else 3, tries=1_000)
        assert chosen is not None
        drawn[tuple(sorted(chosen))] += 1

    assert set(sets) == set(drawn)
    assert (
        sum((drawn[chosen] - each) ** 2 / each for chosen in sets)
        < len(sets) + 4 * (2 * len(sets)) ** 0.5
    )


def test_sets_that_do_not_exist_are_not_drawn() -> None:
    """Three places of three bits cannot all be opposite, two cannot come from one or none; no
    place at all always can."""
    assert draw_set(Random(0), range(8), 3, 3, 3, tries=100) is None
    assert draw_set(Random(0), [5], 2, 1, 3, tries=100) is None
    assert draw_set(Random(0), [], 1, 1, 3, tries=100) is None
    assert draw_set(Random(0), [], 0, 1, 3, tries=100) == []


def test_searching_is_certain() -> None:
    """A set is found exactly where trying every set finds one, and it keeps the distance."""
    found = Counter[bool]()
    for seed in range(200):
        rng = Random(seed)
        places, count, distance = (
            rng.sample(range(16), rng.randint(1, 9)),
            rng.randint(1, 4),
            rng.randint(1, 4),
        )
        chosen = search_set(rng, places, count, distance)
        exists = bool(all_sets(places, count, distance))
        found[exists] += 1

        assert (count if exists else 0) == len(chosen) == len(set(chosen) & set(places))
        assert all(apart(*pair) >= distance for pair in combinations(chosen, 2))
    assert min(found[True], found[False]) > 50


@pytest.mark.parametrize(
    ("bits", "distance", "most"), [(3, 2, 4), (4, 2, 8), (3, 3, 2), (4, 3, 2), (5, 3, 4), (5, 4, 2)]
)
def test_as_many_as_codes_have(bits: int, distance: int, most: int) -> None:
    """The largest sets are as large as coding theory says."""
    everything = (1 << 2**bits) - 1

    assert (
        count_sets(everything, most, distance, bits)
        > 0
        == count_sets(everything, most + 1, distance, bits)
    )
    assert most == len(search_set(Random(0), range(2**bits), most, distance))
    assert [] == search_set(Random(0), range(2**bits), most + 1, distance)
