"""Conditions on the vowels and consonants of a substring, and substrings that nearly fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Literal, TypeAlias, get_args

from quandary.puzzles.questions.words._shared.english_words import common

Clause: TypeAlias = Literal[
    "consonants_together", "no_consonants_together", "vowels_together", "no_vowels_together",
    "more_vowels", "fewer_vowels", "as_many_vowels",
]  # fmt: skip
CLAUSES: tuple[Clause, ...] = get_args(Clause)
LONGEST_WORD = 8  # letters of the words in a text
TRUE_CLAUSES = 3  # of any substring: on its consonants, on its vowels and on their numbers
CONSONANTS, VOWELS = re.compile("[^aeiou]{2}"), re.compile("[aeiou]{2}")
NO_VOWELS = str.maketrans("", "", "aeiou")
MEETS: Mapping[Clause, Callable[[str], bool]] = {
    "consonants_together": lambda part: CONSONANTS.search(part) is not None,
    "no_consonants_together": lambda part: CONSONANTS.search(part) is None,
    "vowels_together": lambda part: VOWELS.search(part) is not None,
    "no_vowels_together": lambda part: VOWELS.search(part) is None,
    "more_vowels": lambda part: 2 * len(part.translate(NO_VOWELS)) < len(part),
    "fewer_vowels": lambda part: 2 * len(part.translate(NO_VOWELS)) > len(part),
    "as_many_vowels": lambda part: 2 * len(part.translate(NO_VOWELS)) == len(part),
}


@cache
def _pool() -> tuple[str, ...]:
    return tuple(word for word in common() if len(word) <= LONGEST_WORD)


def random_words(rng: Random, size: int) -> list[str]:
    """Words in a row, cut to size, as letters."""
    text = ""
    while len(text) < size:
        text += rng.choice(_pool())
    return list(text[:size])


def random_starts(rng: Random, size: int, length: int, most: int) -> list[int]:
    """Return the starts of substrings that do not overlap: `most`, or as many as there is
    room for.
    """
    number = min(most, size // length)
    spare = length - 1  # letters after the first one of a substring
    drawn = sorted(rng.sample(range(size - number * spare), number))  # before adding the spare ones
    starts = [place + before * spare for before, place in enumerate(drawn)]
    rng.shuffle(starts)
    return starts


def random_letters(rng: Random, letters: Sequence[str], bounds: tuple[int, int]) -> list[str]:
    """Return some of the letters without repetition; none if there are too few."""
    different = sorted(set(letters))
    number = min(rng.randint(*bounds), len(different))
    return rng.sample(different, number) if number >= bounds[0] else []


def near_miss(
    rng: Random,
    length: int,
    required: Sequence[str],
    allowed: Sequence[str],
    forbidden: str,
    mirrored: bool,
) -> list[str]:
    """Return all required letters and a forbidden one; without a forbidden one, all but one of
    them.
    """
    room = (length + 1) // 2 if mirrored else length
    missing = "" if forbidden else rng.choice(required)
    letters = [letter for letter in (forbidden, *required) if letter not in ("", missing)][:room]
    others = [letter for letter in allowed if letter != missing]
    letters += rng.choices(others, k=room - len(letters))
    rng.shuffle(letters)
    return to_palindrome(letters, length) if mirrored else letters


def to_palindrome(letters: Sequence[str], length: int) -> list[str]:
    """Return a palindrome of some length that begins with the first half of the letters."""
    return [*letters[: (length + 1) // 2], *letters[: length // 2][::-1]]
