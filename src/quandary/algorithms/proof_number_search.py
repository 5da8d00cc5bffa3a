"""Depth-first proof-number search (df-pn) for games without draws and without repeated positions.

It always expands the line that looks easiest to prove.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import inf
from typing import Generic, Self, TypeVar

UNPROVABLE = 1 << 60  # the proof number of a false statement


class Node:
    """A position with its proof numbers for a win and for a loss of the player to move.

    A proof number is the number of positions below that must still be decided for the proof.
    """

    __slots__ = ("after", "loss", "win")

    def __init__(self, moves: int) -> None:
        self.win, self.loss = (1, moves) if moves else (UNPROVABLE, 0)  # without moves it is lost
        self.after: list[Self] | None = None  # the positions after these moves, once expanded

    @property
    def distance_to_loss(self) -> float:
        """How hard a loss is to prove, relative to a win; 0 if it is lost, infinite if won."""
        return self.loss / self.win if self.win else inf


N = TypeVar("N", bound=Node)
M = TypeVar("M")  # a move


class ProofNumberSearch(Generic[N]):
    """A search over at most `budget` positions; subclasses count them down in `children`."""

    budget: int

    @abstractmethod
    def children(self, node: N) -> list[N]:
        """Return the positions after each move from `node`, in order of moves, with repetitions."""

    def prove(self, node: N, win_limit: int = UNPROVABLE, loss_limit: int = UNPROVABLE) -> None:
        """Expand `node` until it is decided, a limit is reached or the budget is spent."""
        if self.budget <= 0 or not node.win or not node.loss:
            return
        children = dict.fromkeys(self.children(node))
        while True:
            best, easiest, second, total = node, UNPROVABLE, UNPROVABLE, 0
            for child in children:
                if child.loss < easiest:
                    best, easiest, second = child, child.loss, easiest
                elif child.loss < second:
                    second = child.loss
                total += child.win
            node.win = easiest
            # A sum that reaches UNPROVABLE is not yet a proof.
            node.loss = min(total, UNPROVABLE - 1) if easiest else UNPROVABLE
            if node.win >= win_limit or node.loss >= loss_limit or self.budget <= 0:
                return
            room = UNPROVABLE if loss_limit == UNPROVABLE else loss_limit - total + best.win
            self.prove(best, room, min(win_limit, second + 1))

    def values(self, after: Mapping[M, N]) -> dict[M, float] | None:
        """Return the value of each move for who makes it, given the position after it.

        None where the budget is too small to decide them all.
        """
        values = dict[M, float]()
        for move, node in after.items():
            self.prove(node)
            if node.win and node.loss:
                return None
            values[move] = float(node.loss == 0)
        return values
