"""What every task delegates to the puzzle it asks about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from random import Random
from typing import Literal, Self, TypeAlias

from quandary.core.contract import Form, Game, Language, Puzzle, Seat
from quandary.core.scene import Scene

LONGEST = 100_000  # characters of an answer that is read; no game takes a tenth of it

Fits: TypeAlias = Callable[[Puzzle], bool]  # whether a position may be asked about


def anything(position: Puzzle) -> bool:
    return True


class Delegating(Puzzle):
    """Delegates to the wrapped puzzle what the task does not define itself."""

    @classmethod
    def drawn(
        cls, rng: Random, start: Game, fits: Fits = anything, is_alike: bool = True
    ) -> Iterator[Self]:
        """Tasks on one instance, as luck draws them; those on positions take only such as fit,
        and choose between two of the same appearance, unless they need not be alike.
        """
        yield cls.new(rng, start)

    @property
    def wrapped(self) -> Puzzle:
        inner = self.inner
        assert inner is not None
        return inner

    @property
    def form(self) -> Form:
        return self.wrapped.form

    @property
    def better(self) -> Literal["high", "low"]:
        return self.wrapped.better

    @property
    def languages(self) -> tuple[Language, ...]:
        return self.wrapped.languages

    @property
    def split_by(self) -> tuple[Puzzle, ...]:
        return self.wrapped.split_by

    @property
    def published_prompt(self) -> str:
        return self.wrapped.published_prompt

    def canonical(self) -> Hashable:
        return self.wrapped.canonical()

    def reference(self) -> float | None:
        return self.wrapped.reference()

    def reference_is_bound(self) -> bool:
        return self.wrapped.reference_is_bound()

    def rules(self, language: Language = "en") -> str:
        return self.wrapped.rules(language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.wrapped.text(seat, language)

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.wrapped.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.wrapped.legend(seat, language)
