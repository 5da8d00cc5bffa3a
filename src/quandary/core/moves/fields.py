"""The kinds of fields of a move: `Number`, `Choice`, `Bits`, and the flag of an optional part.

Each kind knows its canonical spelling, what it accepts from a reply, and the order of its values.
Bounds say which values can be legal; reading ignores them, because a move outside the bounds is a
readable move that breaks the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Move: TypeAlias = str  # the canonical text of a move, the same in every language
Value: TypeAlias = int | str | bool
JsonSchema: TypeAlias = dict[str, object]

MOST_DIGITS = 9
MOST_BITS = 64
WHOLE_NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")
ROW_OF_BITS = re.compile(rf"[01]{{1,{MOST_BITS}}}")
WORD_BREAKS = re.compile(r"[\s_-]+")


def folded(phrase: str) -> str:
    """Return a phrase as it is looked up: "Give_Up" and "give up" are the same."""
    return WORD_BREAKS.sub(" ", phrase.casefold()).strip()


@dataclass(frozen=True)
class Number:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"a number cannot be from {self.low} to {self.high}")

    @property
    def spelling(self) -> str:
        """A regular expression of the canonical text."""
        return rf"0|-?[1-9][0-9]{{0,{MOST_DIGITS - 1}}}"

    @property
    def size(self) -> int:
        """The number of values within the bounds."""
        return self.high - self.low + 1

    def read(self, token: str) -> int | None:
        """Return the value of a token from a reply, None if it has another form."""
        return int(token) if WHOLE_NUMBER.fullmatch(token) else None

    def accepts(self, value: object) -> bool:
        """Return whether the value has the right type and can be written; it may be out of
        bounds.
        """
        return type(value) is int and len(str(abs(value))) <= MOST_DIGITS

    def rank(self, value: Value) -> int:
        """Return the place of a value among those within the bounds; ValueError for others."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(f"{value} is not a number from {self.low} to {self.high}")
        return value - self.low

    def value(self, rank: int) -> int:
        """Return the value at a place."""
        return self.low + rank

    def schema(self) -> JsonSchema:
        """Return the JSON schema of a value."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, init=False)
class Choice:
    """One of some words; `spoken` maps other ways to say a word to that word."""

    words: tuple[str, ...]
    spoken: tuple[tuple[str, str], ...]

    def __init__(self, *words: str, spoken: Mapping[str, str] | None = None) -> None:
        other_ways = tuple((spoken or {}).items())
        if not words or any(word not in words for _, word in other_ways):
            raise ValueError("a choice has at least one word, and `spoken` leads to its words")
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "spoken", other_ways)

    @property
    def spelling(self) -> str:
        """A regular expression of the canonical text."""
        longest_first = sorted(self.words, key=len, reverse=True)
        return "|".join(map(re.escape, longest_first))

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.words)

    def ways(self) -> dict[str, str]:
        """Return every way to say a word, folded, and the word."""
        spoken = {folded(way): word for way, word in self.spoken}
        return spoken | {folded(word): word for word in self.words}

    def accepts(self, value: object) -> bool:
        """Return whether the value is one of the words."""
        return value in self.words

    def rank(self, value: Value) -> int:
        """Return the place of a word; ValueError for others."""
        if value not in self.words:
            raise ValueError(f"{value} is not one of: {', '.join(self.words)}")
        return self.words.index(str(value))

    def value(self, rank: int) -> str:
        """Return the word at a place."""
        return self.words[rank]

    def schema(self) -> JsonSchema:
        """Return the JSON schema of a value."""
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True)
class Bits:
    """A row of `length` bits, or of any length from `shortest` to `length`."""

    length: int
    shortest: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.length <= MOST_BITS:
            raise ValueError(f"a row cannot have {self.least} to {self.length} bits")

    @property
    def least(self) -> int:
        """The length of the shortest rows."""
        return self.length if self.shortest is None else self.shortest

    @property
    def spelling(self) -> str:
        """A regular expression of the canonical text."""
        return ROW_OF_BITS.pattern

    @property
    def size(self) -> int:
        """The number of rows."""
        return (2 << self.length) - (1 << self.least)

    def read(self, token: str) -> str | None:
        """Return the value of a token from a reply, None if it has another form."""
        return token if ROW_OF_BITS.fullmatch(token) else None

    def accepts(self, value: object) -> bool:
        """Return whether the value is a row of bits; its length may be wrong."""
        return isinstance(value, str) and ROW_OF_BITS.fullmatch(value) is not None

    def rank(self, value: Value) -> int:
        """Return the place of a row, shorter rows first; ValueError for rows of other lengths."""
        if not isinstance(value, str) or not self.least <= len(value) <= self.length:
            raise ValueError(f"{value} is not a row of {self.least} to {self.length} bits")
        return int(f"1{value}", 2) - (1 << self.least)

    def value(self, rank: int) -> str:
        """Return the row at a place."""
        return f"{rank + (1 << self.least):b}"[1:]  # the leading 1 keeps rows of all lengths apart

    def schema(self) -> JsonSchema:
        """Return the JSON schema of a value."""
        return {"type": "string", "pattern": f"^[01]{{{self.least},{self.length}}}$"}


@dataclass(frozen=True)
class Flag:
    """A flag: true where an optional part without a field is present."""

    size = 2

    def accepts(self, value: object) -> bool:
        """Return whether the value is true or false."""
        return isinstance(value, bool)

    def rank(self, value: Value) -> int:
        """Return 0 for false, 1 for true."""
        return int(bool(value))

    def value(self, rank: int) -> bool:
        """Return the value at a place."""
        return bool(rank)

    def schema(self) -> JsonSchema:
        """Return the JSON schema of a value."""
        return {"type": "boolean"}


DeclaredField: TypeAlias = Number | Choice | Bits
Field: TypeAlias = DeclaredField | Flag
