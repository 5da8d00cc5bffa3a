"""Symmetries of the cube of bit strings, against trying all of them."""

from __future__ import annotations

from functools import reduce
from itertools import combinations, permutations
from operator import xor
from random import Random

import pytest

from quandary.puzzles._shared.bit_strings.cube_symmetry import (
    CubeSymmetry,
    least_turn,
    mask_of,
    random_turn,
)


def all_turns(bits: int) -> list[CubeSymmetry]:
    return [
        CubeSymmetry(order, flipped)
        for order in permutations(range(bits))
        for flipped in range(1 << bits)
    ]


def turned(places: list[int], turn: CubeSymmetry) -> list[int]:
    return [turn.place(place) for place in places]


@pytest.mark.parametrize("bits", [1, 2, pytest.param(3, marks=pytest.mark.heavy)])
def test_sets_are_told_apart_exactly(bits: int) -> None:
    """Two layers of places, in every way: equal images exactly where some turn makes them equal."""
    turns, pairs = all_turns(bits), set()
    every = range(1 << bits)
    for marks in range(3 ** len(every)):
        layers = [[place for place in every if marks // 3**place % 3 == layer] for layer in (1, 2)]
        plain = min(tuple(tuple(sorted(turned(layer, turn))) for layer in layers) for turn in turns)
        pairs.add((plain, least_turn([mask_of(layer) for layer in layers], bits)))

    assert len(pairs) == len({plain for plain, _ in pairs}) == len({form for _, form in pairs})


def test_larger_sets_are_told_apart_exactly() -> None:
    """Some sets of each size on the cube of four bits."""
    rng, turns = Random("cube"), all_turns(4)
    for size in range(1, 9):
        some = [rng.sample(range(16), size) for _ in range(60)]
        plain = [min(tuple(sorted(turned(places, turn))) for turn in turns) for places in some]
        forms = [least_turn([mask_of(places)], 4) for places in some]

        assert len(set(plain)) == len(set(forms)) == len(set(zip(plain, forms, strict=True)))


@pytest.mark.parametrize(("bits", "sizes"), [(7, (3, 40)), (10, (5, 300)), (12, (9, 0))])
def test_turning_changes_nothing(bits: int, sizes: tuple[int, int]) -> None:
    """Random sets, and sets of neighbours with many symmetries of their own."""
    rng = Random(bits)
    for drawn in (lambda size: rng.sample(range(1 << bits), size), lambda size: list(range(size))):
        layers = [drawn(size) for size in sizes]
        turn = random_turn(rng, bits)
        masks, others = (
            [mask_of(layer) for layer in each]
            for each in (layers, [turned(layer, turn) for layer in layers])
        )

        assert least_turn(masks, bits) == least_turn(others, bits)


def test_a_perfect_code_is_recognised() -> None:
    """The Hamming code looks alike from each of its places, and its bits do too."""
    code = [
        word
        for word in range(128)
        if not reduce(xor, (bit + 1 for bit in range(7) if word >> bit & 1), 0)
    ]
    turn = random_turn(Random(1), 7)

    assert {3, 4, 7} == {(one ^ other).bit_count() for one, other in combinations(code, 2)}
    assert least_turn([mask_of(code)], 7) == least_turn([mask_of(turned(code, turn))], 7)


def test_all_places_are_turned_as_each_one() -> None:
    """At once or one by one."""
    turn = random_turn(Random(2), 6)

    assert turned(list(range(64)), turn) == turn.places()
    assert set(range(64)) == set(turn.places())
