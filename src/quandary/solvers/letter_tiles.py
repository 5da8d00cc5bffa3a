"""Letter tiles: random ones that make a word, and the words that can be made from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from string import ascii_lowercase

from quandary.kit.english_words import by_length


def random_tiles(rng: Random, length: int, tiles: int) -> str:
    """The letters of a common word, each as often as in the word, and other letters once."""
    words = by_length().get(length)
    if not words:
        raise ValueError(f"there is no common word of {length} letters")
    word = rng.choice(words)
    others = [letter for letter in ascii_lowercase if letter not in word]
    most = length + len(others)
    if not length <= tiles <= most:
        raise ValueError(f"a word of {length} letters needs {length} to {most} tiles, not {tiles}")
    drawn = [*word, *rng.sample(others, tiles - length)]
    rng.shuffle(drawn)
    return "".join(drawn)


def fitting_words(words: Iterable[str], tiles: str, *, reuse: bool) -> Iterator[str]:
    """The words that can be made from the tiles; with `reuse`, each tile any number of times."""
    for word in filter(frozenset(tiles).issuperset, words):
        if reuse or not overused_letter(word, tiles):
            yield word


def overused_letter(word: str, tiles: str) -> str:
    """The first letter that the word has more often than the tiles, "" if there is none."""
    return next((letter for letter in word if word.count(letter) > tiles.count(letter)), "")
