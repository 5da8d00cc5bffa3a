"""Countries and territories of the world, their capitals and continents.

The table was made for this project.  A place counts as a capital if the constitution or a law says
so, or if it is the seat of government, including claimed and provisional seats; former capitals do
not count.  All names of a capital are listed.  A country in two continents has both; there are six
continents: Africa, Asia, Europe, North America, South America and Oceania.

Names are compared `folded`: case, the kind of apostrophe or hyphen, and whether an accent is
combined with its letter make no difference.  Blanks are ignored.  Accents, apostrophes, hyphens and
full stops may be left out but not added: ő must not stand for the o of oslo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pkgutil import get_data
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple
from unicodedata import normalize

APOSTROPHES, HYPHENS = "`´‘’ʻʼʽ", "‐‑–"  # and the usual ' and -
MARKS = "'-."
LATIN = "".join(map(chr, range(0xC0, 0x250)))  # letters with accents, large and small
ACCENTS = "\u0300-\u036f"  # combining accents, which follow their letter
ACCENTED = re.compile(rf"[^\W\d_][{ACCENTS}]+")
MOST_ACCENTS = 8  # per letter; a text with more is not a name
ALIKE = str.maketrans(APOSTROPHES + HYPHENS, "'" * len(APOSTROPHES) + "-" * len(HYPHENS))
PLAIN = bytes.maketrans(f"{ascii_uppercase}`".encode(), f"{ascii_lowercase}'".encode())
FOLDS = (
    str.maketrans(ascii_uppercase, ascii_lowercase)
    | ALIKE
    | {ord(letter): letter.lower() for letter in LATIN if len(letter.lower()) == 1}
)
NO_LETTER = "\ufffd"


class Country(NamedTuple):
    """The accepted folded names, the usual one first, without accents and marks."""

    capitals: tuple[str, ...]
    continents: tuple[str, ...]


@cache
def countries() -> tuple[str, ...]:
    """Return the usual name of each country or territory, in the order of the table."""
    return tuple(names[0] for names, _ in _rows())


def country(name: str) -> Country:
    """Return the country with any of its names."""
    found = _table().get(_bare(name))
    if not found:
        raise ValueError(f"there is no country {name!r} in the table")
    return found


def composed(text: str) -> str:
    """Return the text with combining accents merged into their letters, where such letters
    exist.
    """
    if text.isascii():
        return text
    return ACCENTED.sub(
        lambda found: normalize("NFC", found[0]) if len(found[0]) <= MOST_ACCENTS else found[0],
        text,
    )


def folded(text: str) -> str:
    """Return the text in the form in which names are compared."""
    if text.isascii():  # the usual case, and faster with bytes
        return text.encode().translate(PLAIN).decode()
    return ACCENTED.sub(NO_LETTER, composed(text)).translate(FOLDS)


@cache
def _table() -> Mapping[str, Country]:
    return {_bare(name): found for names, found in _rows() for name in names}


@cache
def _rows() -> tuple[tuple[list[str], Country], ...]:
    packed = get_data(__package__, "countries.tsv")
    assert packed is not None, "the table of countries is not installed"
    rows = [line.split("\t") for line in packed.decode().splitlines() if not line.startswith("#")]
    return tuple(
        (names.split("/"), Country(_accepted(capitals), _accepted(continents)))
        for names, capitals, continents in rows
    )


def _accepted(names: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            spelling
            for name in names.split("/")
            for spelling in _spellings(folded(name).replace(" ", ""))
        )
    )


def _spellings(name: str) -> Iterator[str]:
    """Return a name with and without each of its accents and marks, the plain one first."""
    return map("".join, product(*(dict.fromkeys((_bare(sign), sign)) for sign in name)))


def _bare(name: str) -> str:
    """Return a name in lower case, without accents, blanks and marks."""
    return "".join(
        letter
        for letter in normalize("NFKD", folded(name))
        if letter.isascii() and letter not in MARKS + " "
    )
