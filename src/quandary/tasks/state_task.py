"""What the two tasks on positions of a search tree share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from quandary.core.contract import Game, Language, Question, Seat
from quandary.core.scene import Scene

from .delegation import Delegating


class StateTask(Delegating, Question):
    """A question about one position of a game: it is shown, and it tells instances apart."""

    start: Game
    position: Game

    @property
    def inner(self) -> Game:
        return self.start

    def reference(self) -> float | None:
        return None

    def canonical(self) -> Hashable:
        return self.position.canonical()

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.position.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.position.legend(seat, language)
