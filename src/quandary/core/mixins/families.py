"""Families: variants of a puzzle with their own rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Self, final

from ..puzzle import Language, Puzzle
from ..wrapper import innermost


class Families(Puzzle):
    """A puzzle with variants: `new` takes `family: str | None = None`, and None draws one.

    An instance stores its key in the field `family`.
    """

    families: ClassVar[Mapping[str, str]] = {}  # key -> a few words

    @final
    @classmethod
    def draw_family(cls, rng: Random) -> str:
        """Return the key of a family, drawn uniformly."""
        return list(cls.families)[int(rng.random() * len(cls.families))]

    def sibling(self, rng: Random, **level: Any) -> Self:
        return super().sibling(rng, **{**level, "family": family_of(self)})


def families_of(puzzle: type[Puzzle]) -> Mapping[str, str]:
    """Return the families of a puzzle: key -> a few words; empty if it has none."""
    return puzzle.families if issubclass(puzzle, Families) else {}


def family_of(puzzle: Puzzle) -> str:
    """Return the key of an instance's family; "" if its puzzle has no families."""
    inner = innermost(puzzle)
    return getattr(inner, "family", "") if families_of(type(inner)) else ""


def family_words(puzzle: Puzzle, language: Language = "en") -> str:
    """Return one line about an instance's family."""
    inner, say = innermost(puzzle), innermost(puzzle).say(language)
    family, families = family_of(inner), families_of(type(inner))
    return say("family {family}: {words}", family=family, words=say.stored(families[family], {}))
