"""Renaming letters, for puzzles in which it only matters which letters are equal.

one.translate(in_order(one, "xyz"))            # "BABC" becomes "xyxz", and "DED" becomes "xyx"
one.translate(exchanged_names(rng, "ABC"))     # "BAB" becomes "CAC", perhaps
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TypeAlias

Names: TypeAlias = dict[int, str]  # for str.translate


def in_order(letters: Iterable[str], names: str) -> Names:
    """Return the letters get the names in the order in which they come."""
    return str.maketrans(dict(zip(dict.fromkeys(letters), names, strict=False)))


def exchanged_names(rng: Random, letters: str) -> Names:
    """Return the letters get one another's names."""
    return str.maketrans(dict(zip(letters, rng.sample(letters, len(letters)), strict=True)))
