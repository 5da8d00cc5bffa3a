"""Normal play: two players move in turn, and the one who cannot move loses."""

from __future__ import annotations

from abc import abstractmethod

from quandary.core.contract import Ending, Game, Seat


class NormalPlay(Game):
    """A game of two seats that ends when the seat to move has no move, and has lost by that."""

    @property
    @abstractmethod
    def turn(self) -> Seat:
        """The seat to move; at the end, the seat that would be."""

    def scores(self) -> tuple[float, float]:
        if self.options():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move")
