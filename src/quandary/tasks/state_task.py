"""What the two tasks on positions of a search tree share."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Self

from quandary.core.contract import Game, Language, Puzzle, Question, Seat, veils_of
from quandary.core.scene import Scene

from .delegation import Delegating
from .search_tree import walks


class StateTask(Delegating, Question):
    """A question about one position of a game: it is shown, and it tells instances apart."""

    start: Game
    position: Game

    @classmethod
    def on(cls, path: Sequence[Game], is_solvable: bool) -> Self:
        """The task on the last position of a path from the start."""
        raise NotImplementedError

    @classmethod
    def drawn(cls, rng: Random, start: Game) -> Iterator[Self]:
        return (cls.on(path, is_solvable) for path, is_solvable in walks(start, rng))

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Self:
        [start] = args
        for task in cls.drawn(rng, start):
            return task
        raise ValueError("no position of this instance fits; take another seed")

    def sibling(self, rng: Random, **level: Any) -> Self:
        return self.new(rng, self.start.sibling(rng, **level))

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

    def asked_after_rules(self, asked: str, language: Language) -> str:
        """The rules of the game, how its positions are written, and what is asked about them."""
        rules, form = self.start.rules(language), self.start.state_form(language)
        return "\n\n".join(filter(None, (rules, form, asked)))

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.position.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.position.legend(seat, language)
