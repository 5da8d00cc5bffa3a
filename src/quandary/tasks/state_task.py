"""What the two tasks on positions of a search tree share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from random import Random
from typing import Self

from quandary.core.contract import Game, Language, Puzzle, Question, Seat, veils_of
from quandary.core.scene import Scene

from .delegation import Delegating


class StateTask(Delegating, Question):
    """A question about one position of a game: it is shown, and it tells instances apart."""

    start: Game
    position: Game

    @property
    def inner(self) -> Game:
        return self.start

    @property
    def split_by(self) -> tuple[Puzzle, ...]:
        return (self.start, self.position)

    def reference(self) -> float | None:
        return None

    def alike(self, rng: Random) -> Self:
        """All positions turned in the same way, for which their luck must be equal."""
        luck = rng.getrandbits(64)
        shown = {
            name: getattr(self, name) for name, mark in veils_of(type(self)) if mark == "nested"
        }
        turned = {
            name: position and position.alike(Random(luck)) for name, position in shown.items()
        }
        return replace(self, **turned)  # type: ignore[type-var]

    def canonical(self) -> Hashable:
        """The position that is asked about; two tasks on it are called the same."""
        return self.position.canonical()

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.position.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.position.legend(seat, language)
