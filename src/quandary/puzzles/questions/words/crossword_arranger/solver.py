"""Squares of words: boards whose rows and columns are all different words of one list.

The search goes row by row.  Words are numbered, and a set of words is one wide integer; for each
column, the letters that may come next determine which words fit, so one intersection over the
columns finds all words for the next row at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from hashlib import sha256
from operator import add, and_, getitem
from random import Random
from typing import NamedTuple

from quandary.puzzles.questions.words._shared.english_words import by_length, dictionary_by_length

SMALLEST, COMMONEST, LARGEST = 2, 5, 6  # sides; up to the second one common words suffice
# Offensive words of the wide dictionary, mostly slurs, which no board may contain: the first six
# digits of their SHA-256.
INDECENT = """
    0024f5 0249b1 0508a6 055341 064e1c 066e68 067818 06a162 08728a 093b76 0b4341 0bba9b 0cae5b
    0cf289 0d335d 0f8908 102626 11c26c 120f6e 155512 158869 16ea09 171ee4 1b8304 1de834 1f971a
    1ffb29 212cce 223645 235e28 262f86 2a74f1 2aa1d2 2b3240 2b3927 2c5be4 2ee270 2f34b7 33b9a1
    34107b 341d56 3772b7 37ae3d 38136d 3974b1 3cb6a5 3e8716 3f65fd 3fc350 4404f5 4414aa 44fb31
    45cd3e 45d866 46a11f 470dd2 480942 4822a5 492888 4cf454 4db4d5 4e8a20 4ed346 4efce9 52ebd4
    530911 5bd3a1 5e2790 5e5d14 619fe9 6437ea 65d3e1 67cf05 67d4a1 693ee9 6968e9 69c5c5 6a2a25
    6b54f3 6dbe0f 711f47 74326d 753bfb 75da30 75fa21 79576e 7991d5 7b67ba 7c28a8 7cfc94 7d25c2
    7e176c 8192ce 83dd8e 86eaef 87d169 8ac095 8b09a9 8ea8c8 8eaa32 8f5083 8fe1e9 90d802 90f3f7
    937d56 93b6a7 964ac5 96e5d9 984b5c 986c99 9b371d a019a1 a31d59 a36045 a6ee0e a76d58 aa0ab1
    aaac1b aab7d4 ab0c0f ac3180 ad412a afffe7 b07b7d b0d4d0 b1706a b38669 b3cec2 b60e5e b690cd
    b72016 b81d6d b829be bac28b bb61ef bc8866 bdb1cc be00f1 be2db2 c0323a c151ed c1cf82 c87b4e
    cbcef8 cc0f16 cc80cf cc81b2 ccff74 ce20df d316bf d31f9b d3ffa7 d6f1bf d84f69 db10a7 dceaa1
    dd14a8 dd3283 e52567 e71dda e83998 ea1813 ea2786 ebab3a eda887 ee6f01 ef6e97 eff26b f6925e
    f6cb74 f7052d f753bc f90bf2 fb1b5e fca018 ff0d1e ff454a
"""


class Lexicon(NamedTuple):
    """Words of one length, and for each column the words that fit below some letters."""

    words: tuple[str, ...]
    below: tuple[Mapping[str, int], ...]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> Lexicon:
        following: dict[str, str] = {}
        for word in words:
            for place, letter in enumerate(word):
                known = following.get(word[:place], "")
                if letter not in known:
                    following[word[:place]] = known + letter
        return cls(words, tuple(_Below(words, place, following) for place in range(len(words[0]))))

    def next_row(self, columns: Sequence[str]) -> int:
        """Return the words for the next row."""
        return reduce(and_, map(getitem, self.below, columns))


class _Below(dict[str, int]):
    """From the letters of a column so far to the words that may continue it, computed on demand."""

    def __init__(self, words: Sequence[str], place: int, following: Mapping[str, str]) -> None:
        self.following = following
        # Letter, and later letters -> the words that have one of them at this place.
        self.having: dict[str, int] = {}
        for number, word in enumerate(words):
            self.having[word[place]] = self.having.get(word[place], 0) | 1 << number

    def __missing__(self, prefix: str) -> int:
        letters = "".join(sorted(self.following.get(prefix, "")))
        # One number for all columns that can continue with the same letters.
        if letters not in self.having:
            self.having[letters] = sum(self.having.get(letter, 0) for letter in letters)
        self[prefix] = self.having[letters]
        return self.having[letters]


@cache
def lexicon(size: int) -> Lexicon:
    """Return the words that boards of that side are made from."""
    if size <= COMMONEST:
        return Lexicon.of(by_length()[size])
    indecent = frozenset(INDECENT.split())
    return Lexicon.of(
        tuple(
            word
            for word in dictionary_by_length()[size]
            if sha256(word.encode()).hexdigest()[:6] not in indecent
        )
    )


def random_square(rng: Random, size: int) -> list[str]:
    """Return the rows of a square; the first two are drawn uniformly until something fits below."""
    known = lexicon(size)
    bits = len(known.words)
    while True:
        first = rng.randrange(bits)
        columns, free = list(known.words[first]), (1 << bits) - 1 ^ 1 << first
        fitting = known.next_row(columns) & free
        if size > 2 and (second := _one(rng, fitting, bits)):
            columns, free = (
                list(map(add, columns, known.words[second.bit_length() - 1])),
                free ^ second,
            )
            fitting = known.next_row(columns)
        if square := next(_squares(known, columns, fitting, free, rng), None):
            return square


def squares(words: tuple[str, ...]) -> Iterator[list[str]]:
    """Return the rows of every square that can be made from some words, each once, in a fixed
    order.
    """
    every = (1 << len(words)) - 1
    return _squares(Lexicon.of(words), [""] * len(words[0]), every, every)


def _squares(
    known: Lexicon, columns: list[str], fitting: int, free: int, rng: Random | None = None
) -> Iterator[list[str]]:
    """Yield the squares that begin with `columns`, among the free words that fit; rotated with
    `rng`.
    """
    numbers, last = _numbers(fitting & free), len(columns[0]) == len(columns) - 1
    if rng and len(numbers) > 1:
        start = rng.randrange(len(numbers))
        numbers = numbers[start:] + numbers[:start]
    for number in numbers:
        longer = list(map(add, columns, known.words[number]))
        if last:
            rows = ["".join(letters) for letters in zip(*longer, strict=True)]
            if len({*rows, *longer}) == 2 * len(rows):
                yield rows
        elif below := known.next_row(longer):
            yield from _squares(known, longer, below, free ^ 1 << number, rng)


def _numbers(mask: int) -> list[int]:
    """Return the bits of a mask, highest first."""
    found = []
    while mask:
        found.append(mask.bit_length() - 1)
        mask ^= 1 << found[-1]
    return found


def _one(rng: Random, mask: int, bits: int) -> int:
    """Return a uniform draw of one bit of a mask, by repeated random halving; 0 if there is
    none.
    """
    while mask & (mask - 1):
        mask = mask & rng.getrandbits(bits) or mask
    return mask
