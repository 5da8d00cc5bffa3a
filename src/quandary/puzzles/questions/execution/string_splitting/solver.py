"""Cuts: rules that say where a string is cut, by the characters around the place; drawing them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from string import ascii_uppercase, digits
from typing import Annotated, Literal, NamedTuple, TypeAlias

from quandary.core.descriptions import Doc

Side: TypeAlias = Literal["before", "after"]
SIDES: tuple[Side, Side] = ("before", "after")
KINDS = {"letter": "[A-Za-z]", "digit": "[0-9]"}  # of characters, and patterns of them
LETTERS = 8  # that a string is made of
PLANTED = 10  # characters in which each rule has a place that is made for it


class Cut(NamedTuple):
    """A rule: cut on one side of certain characters, perhaps only with certain neighbours."""

    side: Annotated[
        Side, Doc("whether the cut is directly before or directly after the characters")
    ]
    what: Annotated[
        str,
        Doc(
            'the characters: "letter" for any letter, "digit" for any digit, else these themselves'
        ),
    ]
    left: Annotated[
        str,
        Doc(
            "what must stand directly on the left of the characters, told in the same way; "
            '"" if it does not matter'
        ),
    ] = ""
    right: Annotated[
        str,
        Doc(
            "what must stand directly on the right of the characters, told in the same way; "
            '"" if it does not matter'
        ),
    ] = ""

    def places(self, string: str) -> set[int]:
        """Return how many characters are before each cut; never none, and never all."""
        found = {match.start() for match in _pattern(self).finditer(string)}
        return found - {0, len(string)}

    def renamed(self, names: dict[int, str]) -> Cut:
        parts = (part if part in KINDS else part.translate(names) for part in self[1:])
        return Cut(self.side, *parts)

    def characters(self) -> str:
        """Return the characters that it names."""
        return "".join(part for part in self[1:] if part not in KINDS)


@lru_cache(maxsize=4_096)
def _pattern(cut: Cut) -> re.Pattern[str]:
    """Return what is before the place and behind it; without width, so that places may overlap."""
    what, left, right = (KINDS.get(part, re.escape(part)) for part in cut[1:])
    before, behind = (left, what + right) if cut.side == "before" else (left + what, right)
    return re.compile(f"(?<={before})(?={behind})")


def digit_cuts(rng: Random, between: bool) -> Iterator[Cut]:
    """Rules about digits and letters, in the order in which they come with the levels."""
    one, other = rng.sample(sorted(KINDS), 2)
    yield Cut(rng.choice(SIDES), other, one, one) if between else Cut("before", other, one)
    yield Cut("before", one, other)
    digit = rng.choice(digits)
    yield rng.choice((Cut("after", digit, right="digit"), Cut("before", digit, "digit")))


def letter_cuts(rng: Random, between: bool) -> Iterator[Cut]:
    """Rules about certain letters, in the order in which they come with the levels."""
    one, twin, first, second = rng.sample(ascii_uppercase, 4)
    side = rng.choice(SIDES)
    yield Cut(side, "letter", one, one) if between else Cut(side, one)
    yield Cut(rng.choice(SIDES), twin * 2)
    yield Cut(rng.choice(SIDES), first + second)


def string_for(rng: Random, cuts: tuple[Cut, ...], size: int, with_digits: bool) -> str:
    """Return a string with some places that are made for each of the rules."""
    named = set("".join(cut.characters() for cut in cuts))
    letters = sorted(named - set(digits))
    letters += rng.sample(sorted(set(ascii_uppercase) - named), LETTERS - len(letters))
    kinds = {"letter": letters, "digit": list(digits)}
    parts = [_fitting(cut, kinds, rng) for cut in cuts * (size // PLANTED or 1)]
    used = [letters, kinds["digit"]] if with_digits else [letters]
    parts += [rng.choice(rng.choice(used)) for _ in range(size - sum(map(len, parts)))]
    rng.shuffle(parts)
    return "".join(parts)


def _fitting(cut: Cut, kinds: dict[str, list[str]], rng: Random) -> str:
    """Characters to which a rule applies."""
    parts = (cut.left, cut.what, cut.right)
    return "".join(rng.choice(kinds[part]) if part in kinds else part for part in parts)
