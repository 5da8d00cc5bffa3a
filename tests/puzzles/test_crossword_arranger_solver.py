"""Squares of words."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from quandary.puzzles.questions.words._shared.english_words import by_length, dictionary
from quandary.puzzles.questions.words.crossword_arranger.solver import (
    Lexicon,
    lexicon,
    random_square,
    squares,
)


def _by_hand(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Every choice of rows, looked at one by one."""
    found = set()
    for rows in permutations(words, len(words[0])):
        columns = ["".join(letters) for letters in zip(*rows, strict=True)]
        if set(columns) <= set(words) and len({*rows, *columns}) == 2 * len(rows):
            found.add(rows)
    return found


@pytest.mark.parametrize(("size", "number", "lists"), [(2, 12, 40), (3, 14, 25), (4, 10, 15)])
def test_every_square_is_found_once(size: int, number: int, lists: int) -> None:
    """Looking at all choices of rows finds the same squares, in lists with and without any."""
    rng, with_squares = Random(size), 0
    for _ in range(lists):
        rows = random_square(rng, size)
        columns = ["".join(letters) for letters in zip(*rows, strict=True)]
        words = tuple(sorted({*rows, *columns, *rng.sample(by_length()[size], number - 2 * size)}))
        if rng.random() < 0.3:
            words = words[1:]
        found = [tuple(square) for square in squares(words)]
        assert len(found) == len(set(found))
        assert _by_hand(words) == set(found)
        with_squares += bool(found)

    assert 0 < with_squares < lists or size == 2


@pytest.mark.parametrize(("size", "number"), [(2, 30), (3, 200), (4, 200), (5, 40), (6, 2)])
def test_random_squares_are_squares(size: int, number: int) -> None:
    """Rows and columns are different words, common ones up to side 5, and luck brings different
    squares."""
    rng = Random(size)
    made = [tuple(random_square(rng, size)) for _ in range(number)]

    for rows in made:
        columns = ["".join(letters) for letters in zip(*rows, strict=True)]
        assert (size, 2 * size) == (len(rows), len({*rows, *columns}))
        known = set(by_length()[size]) if size <= 5 else dictionary()
        assert known.issuperset([*rows, *columns])
    assert len(set(made)) > 0.6 * number


def test_a_square_is_not_its_own_mirror_image() -> None:
    """Rows that are the columns as well use every word twice, so they make no square."""
    assert [] == list(squares(("ado", "bad", "dot")))  # bad, ado, dot reads the same downwards
    assert [("bad", "ado", "dot")] == [
        rows for rows in permutations(("ado", "bad", "dot")) if list(rows) == _down(rows)
    ]


def _down(rows: tuple[str, ...]) -> list[str]:
    return ["".join(letters) for letters in zip(*rows, strict=True)]


def test_next_row_fits_every_column() -> None:
    """The words for the next row are exactly those that leave every column the beginning of a
    word."""
    known = Lexicon.of(("ado", "ask", "bad", "eke", "hat", "hue", "tee", "use"))
    fitting = known.next_row(["h", "a", "t"])

    starts = {word[:2] for word in known.words}
    expected = [
        word for word in known.words if {"h" + word[0], "a" + word[1], "t" + word[2]} <= starts
    ]
    assert ["use"] == expected
    assert expected == [word for number, word in enumerate(known.words) if fitting >> number & 1]


def test_large_boards_use_decent_words() -> None:
    """The wide list for 6x6 boards keeps nearly all words of the dictionary, but not those that
    offend."""
    words = set(lexicon(6).words)

    assert len(words) > 20_000
    assert words.isdisjoint(
        ["bugger", "faeces", "papist", "whitey", "limeys", "boches", "smegma", "bimbos"]
    )
    assert words.issuperset(by_length()[6])
