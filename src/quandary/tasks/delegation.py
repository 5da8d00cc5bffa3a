"""The methods that every task delegates to the puzzle it asks about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from random import Random
from typing import Literal, Self, TypeAlias

from quandary.core.contract import Game, Language, Objective, Puzzle, Seat
from quandary.core.mixins.objectives import better, reference, reference_is_bound
from quandary.core.scene import Scene
from quandary.core.wrapper import Wrapper

LONGEST = 100_000  # characters of an answer that is read; no game needs a tenth of this

Fits: TypeAlias = Callable[[Puzzle], bool]  # whether a position may be asked about


def anything(position: Puzzle) -> bool:
    return True


class Delegating(Wrapper, Objective):
    """Delegates to the wrapped puzzle what the task does not define itself."""

    @classmethod
    def drawn(
        cls, rng: Random, start: Game, fits: Fits = anything, is_alike: bool = True
    ) -> Iterator[Self]:
        """Yield tasks on one instance, as luck draws them.

        Tasks on positions take only positions that fit, and choose between two of the same
        appearance if `is_alike`.
        """
        yield cls.new(rng, start)

    @property
    def better(self) -> Literal["high", "low"]:
        return better(self.inner)

    @property
    def languages(self) -> tuple[Language, ...]:
        return self.inner.languages

    def canonical(self) -> Hashable:
        return self.inner.canonical()

    def reference(self) -> float | None:
        return reference(self.inner)

    def reference_is_bound(self) -> bool:
        return reference_is_bound(self.inner)

    def rules(self, language: Language = "en") -> str:
        return self.inner.rules(language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.inner.text(seat, language)

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.inner.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.inner.legend(seat, language)
