"""Bit strings as lazy lists of moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from quandary.puzzles._shared.bit_strings import (
    Places,
    Selection,
    extended_runs,
    places_of,
    write_runs,
)


def mask_of(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


def test_places_are_a_lazy_sequence() -> None:
    """Three bits have eight places in ascending order, found by number, by slice and by name;
    sixty bits cost nothing."""
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
    """The rows of a mask in ascending order, found by number, by slice and by name; the same as
    a list would find."""
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


@pytest.mark.parametrize(
    ("marks", "runs"),
    [("????", ""), (".???", "00"), (".?.?", "00 10"), ("?..#", "01-10"), ("....", "00-11")],
)
def test_neighbours_are_written_as_one_run(marks: str, runs: str) -> None:
    """A run is its first and its last place; a place alone stands by itself."""
    assert runs == write_runs(marks, ".")


def test_runs_are_extended_place_by_place() -> None:
    """In any order, and with other marks in between."""
    for seed in range(200):
        rng = Random(seed)
        bits = rng.randint(1, 6)
        marks, runs = ["?"] * 2**bits, ""
        for place in rng.sample(range(2**bits), 2**bits):
            before, marks[place] = "".join(marks), rng.choice("..#")
            if marks[place] == ".":
                runs = extended_runs(runs, before, ".", place)

            assert runs == write_runs("".join(marks), ".")


@pytest.mark.parametrize("bits", [1, 6, 7, 10])
def test_few_places_are_stored_and_many_are_not(bits: int) -> None:
    """Either way, they are the same places in the same order, and many cost nothing."""
    places = places_of(bits)

    assert list(places) == list(Places(bits)) == [f"{place:0{bits}b}" for place in range(2**bits)]
    assert ("0" * bits in places, "2" * bits in places, "0" * (bits + 1) in places) == (
        True,
        False,
        False,
    )
    assert len(places_of(60)) == 2**60
