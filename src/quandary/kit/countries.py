"""Countries and territories of the world, their capitals and continents.

The table is this project's own.  A country with several capitals, or a capital with several names, has them all; a country that
lies in two continents has both, and the continents are six: Africa, Asia, Europe, North America, South America and Oceania.

Names are compared `folded`: upper and lower case, blanks, apostrophes, hyphens and full stops make no difference.  An accent may
be left out where a name has one, but none may be added: ő is no English letter, so it must not stand for the o of oslo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pkgutil import get_data
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple
from unicodedata import normalize

MARKS = " '`-."
MARKS_BEYOND_ASCII = "´‘’ʻʼʽ‐‑–" + "".join(map(chr, range(0x300, 0x370)))  # apostrophes, hyphens, accents that follow a letter
LATIN = "".join(map(chr, range(0xC0, 0x250)))  # letters with accents, large and small
PLAIN = bytes.maketrans(ascii_uppercase.encode(), ascii_lowercase.encode())
FOLDS = str.maketrans(ascii_uppercase, ascii_lowercase, MARKS + MARKS_BEYOND_ASCII) | {
    ord(letter): letter.lower() for letter in LATIN if len(letter.lower()) == 1
}


class Country(NamedTuple):
    """What is accepted, folded; the first is the usual one, without accents."""

    capitals: tuple[str, ...]
    continents: tuple[str, ...]


@cache
def countries() -> tuple[str, ...]:
    """The usual name of each country or territory, in the order of the table."""
    return tuple(names[0] for names, _ in _rows())


def country(name: str) -> Country:
    """The country of that name, which may be any of its names."""
    found = _table().get(_unaccented(folded(name)))
    if not found:
        raise ValueError(f"there is no country {name!r} in the table")
    return found


def folded(text: str) -> str:
    """The text as names are compared."""
    if text.isascii():  # nearly every text is, and bytes are quick
        return text.encode().translate(PLAIN, MARKS.encode()).decode()
    return text.translate(FOLDS)


@cache
def _table() -> Mapping[str, Country]:
    return {_unaccented(folded(name)): found for names, found in _rows() for name in names}


@cache
def _rows() -> tuple[tuple[list[str], Country], ...]:
    packed = get_data("quandary.kit", "data/countries.tsv")
    assert packed is not None, "the table of countries is not installed"
    rows = [line.split("\t") for line in packed.decode().splitlines()[1:]]
    return tuple((names.split("/"), Country(_accepted(capitals), _accepted(continents))) for names, capitals, continents in rows)


def _accepted(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spelling for name in names.split("/") for spelling in _spellings(folded(name))))


def _spellings(name: str) -> Iterator[str]:
    """A name with and without each of its accents, the one without any first."""
    return map("".join, product(*(dict.fromkeys((_unaccented(letter), letter)) for letter in name)))


def _unaccented(name: str) -> str:
    return "".join(letter for letter in normalize("NFKD", name) if letter.isascii())
