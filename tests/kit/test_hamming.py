"""Facts about rows of bits that keep a distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from quandary.kit.hamming import (
    Exclusion,
    Places,
    Selection,
    count_sets,
    draw_set,
    far,
    listed,
    lowest,
    mirrored,
    roomiest,
    search_set,
    twins,
    write_place,
    write_places,
)


def apart(one: int, other: int) -> int:
    return bin(one ^ other).count("1")


def all_sets(places: Sequence[int], count: int, distance: int) -> list[tuple[int, ...]]:
    """Try every set."""
    return [chosen for chosen in combinations(places, count) if all(apart(*pair) >= distance for pair in combinations(chosen, 2))]


def mask_of(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


def test_places_are_a_lazy_sequence() -> None:
    """Three bits have eight places in ascending order, found by number, by slice and by name; sixty bits cost nothing."""
    places = Places(3)

    assert ["000", "001", "010", "011", "100", "101", "110", "111"] == list(places)
    assert ("101", "111", ["110", "100"]) == (places[5], places[-1], places[6:2:-2])
    assert (8, 2, Places(3)) == (len(places), places.index("010"), places)
    assert len(Places(60)) == 2**60
    assert "1" * 60 in Places(60)
    with pytest.raises(IndexError):
        places[8]


@pytest.mark.parametrize("word", ["00", "0000", "002", "", "٠٠٠", " 00", "00\n", 0, None])
def test_other_words_are_no_places(word: object) -> None:
    """Only a text of exactly so many zeros and ones is a place."""
    assert word not in Places(3)


def test_a_selection_is_a_lazy_sequence() -> None:
    """The rows of a mask in ascending order, found by number, by slice and by name; the same as a list would find."""
    for seed in range(20):
        rng = Random(seed)
        bits = rng.randint(1, 6)
        places = sorted(rng.sample(range(2**bits), rng.randrange(2**bits)))
        rows, chosen = [f"{place:0{bits}b}" for place in places], Selection(mask_of(places), bits)

        assert (rows, len(rows), rows[1::2]) == (list(chosen), len(chosen), chosen[1::2])
        assert rows == [chosen[index] for index in range(len(rows))]
        assert rows[::-1] == [chosen[~index] for index in range(len(rows))]
        assert rows == [row for row in Places(bits) if row in chosen]
        with pytest.raises(IndexError):
            chosen[len(rows)]
    assert [] == [word for word in ("00", "0000", "012", "", 0, None) if word in Selection(255, 3)]


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
            assert [other for other in range(2**bits) if apart(place, other) >= distance] == listed(far(place, distance, bits))


@pytest.mark.parametrize(
    ("bits", "distance", "count"), [(3, 2, 4), (4, 2, 3), (4, 3, 2), (5, 3, 3), (5, 1, 2), (5, 5, 3), (4, 2, 1)]
)
def test_sets_are_counted(bits: int, distance: int, count: int) -> None:
    """There are as many sets as trying every set finds, among all places and among some."""
    some = Random(bits).sample(range(2**bits), 2**bits * 2 // 3)
    for places in (range(2**bits), sorted(some)):
        assert len(all_sets(places, count, distance)) == count_sets(mask_of(places), count, distance, bits)


@pytest.mark.parametrize(("bits", "distance", "others"), [(4, 2, 1), (4, 2, 2), (4, 3, 1), (5, 3, 2)])
def test_the_roomiest_place_is_in_most_sets(bits: int, distance: int, others: int) -> None:
    """No place is in more sets than it, and no lower place is in as many."""
    for seed in range(5):
        places = sorted(Random(seed).sample(range(2**bits), 2**bits * 2 // 3))
        shares = Counter(place for chosen in all_sets(places, others + 1, distance) for place in chosen)

        assert max(places, key=lambda place: (shares[place], -place)) == roomiest(mask_of(places), others, distance, bits)


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
    assert sum((drawn[chosen] - each) ** 2 / each for chosen in sets) < len(sets) + 4 * (2 * len(sets)) ** 0.5


def test_sets_that_do_not_exist_are_not_drawn() -> None:
    """Three places of three bits cannot all be opposite, two cannot come from one or none; no place at all always can."""
    assert draw_set(Random(0), range(8), 3, 3, 3, tries=100) is None
    assert draw_set(Random(0), [5], 2, 1, 3, tries=100) is None
    assert draw_set(Random(0), [], 1, 1, 3, tries=100) is None
    assert draw_set(Random(0), [], 0, 1, 3, tries=100) == []


def test_searching_is_certain() -> None:
    """A set is found exactly where trying every set finds one, and it keeps the distance."""
    found = Counter[bool]()
    for seed in range(200):
        rng = Random(seed)
        places, count, distance = rng.sample(range(16), rng.randint(1, 9)), rng.randint(1, 4), rng.randint(1, 4)
        chosen = search_set(rng, places, count, distance)
        exists = bool(all_sets(places, count, distance))
        found[exists] += 1

        assert (count if exists else 0) == len(chosen) == len(set(chosen) & set(places))
        assert all(apart(*pair) >= distance for pair in combinations(chosen, 2))
    assert min(found[True], found[False]) > 50


@pytest.mark.parametrize(("bits", "distance", "most"), [(3, 2, 4), (4, 2, 8), (3, 3, 2), (4, 3, 2), (5, 3, 4), (5, 4, 2)])
def test_as_many_as_codes_have(bits: int, distance: int, most: int) -> None:
    """The largest sets are as large as coding theory says."""
    everything = (1 << 2**bits) - 1

    assert count_sets(everything, most, distance, bits) > 0 == count_sets(everything, most + 1, distance, bits)
    assert most == len(search_set(Random(0), range(2**bits), most, distance))
    assert [] == search_set(Random(0), range(2**bits), most + 1, distance)


def test_mirrored_sets() -> None:
    """A set is mirrored where one of all shifts by the distance or more maps it onto itself."""
    seen = Counter[bool]()
    for seed in range(300):
        rng = Random(seed)
        shift, places = rng.randrange(1, 16), set(rng.sample(range(16), rng.randrange(6)))
        if rng.random() < 0.5:
            places |= {place ^ shift for place in places}
        distance = rng.randint(1, 4)
        expected = any({place ^ by for place in places} == places for by in range(16) if apart(by, 0) >= distance)
        seen[expected] += 1

        assert expected == mirrored(rng.sample(sorted(places), len(places)), distance)
    assert min(seen[True], seen[False]) > 50


@pytest.mark.parametrize(("bits", "distance"), [(4, 1), (4, 2), (5, 2), (6, 3)])
def test_twins_complete_mirrored_sets(bits: int, distance: int) -> None:
    """Of three or more places exactly those are twins that make the set mirrored, and all of them keep the distance."""
    found = 0
    for seed in range(60):
        rng, places = Random(seed), list[int]()
        shift = rng.choice([by for by in range(2**bits) if apart(by, 0) >= distance])
        while True:
            free = [place for place in range(2**bits) if all(apart(place, other) >= distance for other in places)]
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
    """One place is mirrored by any other, best by the furthest; none and two cannot be completed."""
    assert ([0b01001], [], []) == (twins([0b10110], 5), twins([], 5), twins([1, 6], 5))


def worth_of(left: frozenset[int], distance: int) -> int:
    """The heap of nim some places are worth: the least number that no turn leaves."""

    @cache
    def worth(left: frozenset[int]) -> int:
        leaves = {worth(frozenset(other for other in left if apart(place, other) >= distance)) for place in left}
        return min(set(range(len(leaves) + 1)) - leaves)

    return worth(left)


@pytest.mark.parametrize(("bits", "distance"), [(3, 2), (4, 2), (4, 3), (5, 2), (5, 3), (6, 2)])
def test_exact_play_agrees_with_plain_search(bits: int, distance: int) -> None:
    """Whoever is to move wins where the worth is not the heap beside it, for random sets of places."""
    seen = Counter[int]()
    for seed in range(40):
        rng = Random(seed)
        places = rng.sample(range(2**bits), rng.randint(1, min(2**bits, 14)))
        search, worth = Exclusion(places, distance, 100_000), worth_of(frozenset(places), distance)
        every = (1 << len(places)) - 1
        seen[worth] += 1

        assert worth == search.worth(every)
        assert [heap != worth for heap in range(4)] == [search.wins(every, heap) for heap in range(4)]
        left = frozenset(other for other in places if apart(search.best(), other) >= distance)
        assert worth == 0 or worth_of(left, distance) == 0
    assert len(seen) > 1


def test_what_the_budget_does_not_tell_is_not_said() -> None:
    """With little to look at the answer is None or right; the best place is one of the places all the same."""
    answers = Counter[bool | None]()
    for seed in range(60):
        places = Random(seed).sample(range(32), 14)
        told = Exclusion(places, 2, seed % 50).wins((1 << 14) - 1)
        answers[told] += 1

        assert told in (None, worth_of(frozenset(places), 2) != 0)
        assert Exclusion(places, 2, seed % 50).best() in places
    assert min(answers[None], answers[True]) > 5


def test_a_finishing_place_needs_no_budget() -> None:
    """A place that leaves nothing is found before anything else."""
    assert 0b000 == Exclusion([0b011, 0b000, 0b100, 0b010], 3, 0).best()
