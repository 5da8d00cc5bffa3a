"""English words of the letters a-z: common ones to make puzzles from, and a wide dictionary.

The lists are extracts of SCOWL; `data/LICENSE` contains its notices, and `tools/build_words.py`
describes them.  Each list is read once, when it is first needed.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pkgutil import get_data

GZIP = 31  # zlib's `wbits` for a gzip frame with the largest window


@cache
def common() -> tuple[str, ...]:
    """Common inoffensive words in alphabetical order, American and British, with inflections."""
    return tuple(_list("common"))


@cache
def dictionary() -> frozenset[str]:
    """Return every word an answer may use: common ones, those of large dictionaries, rare long
    ones.
    """
    return frozenset().union(*_lists())


@cache
def by_length() -> Mapping[int, tuple[str, ...]]:
    """Return the common words by their number of letters, in alphabetical order."""
    return _grouped(common())


@cache
def dictionary_by_length() -> Mapping[int, tuple[str, ...]]:
    """Return the words of the dictionary by their number of letters, in alphabetical order."""
    return _grouped(sorted(chain(*_lists())))


def _grouped(words: Sequence[str]) -> Mapping[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for word in words:
        found.setdefault(len(word), []).append(word)
    return {length: tuple(same) for length, same in found.items()}


def _lists() -> tuple[Sequence[str], ...]:
    """Return the dictionary; each list is sorted, and no word is in two."""
    return common(), _list("large"), _list("rare")


def _list(name: str) -> list[str]:
    packed = get_data(__name__, f"{name}.txt.gz")
    assert packed is not None, f"the word list {name} is not installed"
    return zlib.decompress(packed, GZIP).decode("ascii").split()
