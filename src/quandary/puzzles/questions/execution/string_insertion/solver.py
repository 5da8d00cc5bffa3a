"""Insertions: instructions that insert a letter beside parts of a string, and drawing them."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Annotated, Literal, NamedTuple, TypeAlias

from quandary.core.descriptions import Doc

Side: TypeAlias = Literal["before", "after"]
CHAINED = 0.4  # the chance of a pattern that only insertions have made, where there are some


class Insertion(NamedTuple):
    """An instruction: insert a letter on one side of every place where a pattern occurs."""

    pattern: Annotated[str, Doc("the group of letters beside which a letter is inserted")]
    letter: Annotated[str, Doc("the letter that is inserted")]
    side: Annotated[Side, Doc("whether it is inserted right before or right after each occurrence")]


def inserted(rule: Insertion, string: str) -> str | None:
    """Return the string after an instruction; None if the pattern does not occur.

    Places may overlap, and are those in the string as it is before.
    """
    parts, start = [], 0
    beside = len(rule.pattern) if rule.side == "after" else 0
    at = string.find(rule.pattern)
    while at >= 0:
        parts.append(string[start : at + beside])
        start, at = at + beside, string.find(rule.pattern, at + 1)
    return rule.letter.join([*parts, string[start:]]) if parts else None


def drawn_pattern(
    rng: Random, start: str, reached: str, size: int, taken: Collection[str]
) -> str | None:
    """Return a part of the string that has been reached, often one that does not occur at the
    start.
    """
    parts = {reached[at : at + size] for at in range(len(reached) - size + 1)}.difference(taken)
    if not parts:
        return None
    chained = sorted(part for part in parts if part not in start)
    return rng.choice(chained if chained and rng.random() < CHAINED else sorted(parts))
