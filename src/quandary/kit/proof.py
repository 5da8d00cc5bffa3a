"""Proof-number search (df-pn) for games without ties whose play meets no circles: it grows the line that is easiest to prove."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, Self, TypeVar

NEVER = 1 << 60  # how hard it is to prove what is false


class Node:
    """A position, and how many positions below it must be settled to prove that the player to move wins, or loses."""

    __slots__ = ("after", "loss", "win")

    def __init__(self, moves: int) -> None:
        self.win, self.loss = (1, moves) if moves else (NEVER, 0)  # without a move it is lost
        self.after: list[Self] | None = None  # the positions after these moves, once looked at


N = TypeVar("N", bound=Node)


class Search(Generic[N]):
    """Looks at some `budget` of positions; a game says what follows from a position, and counts them."""

    budget: int

    @abstractmethod
    def below(self, node: N) -> list[N]:
        """The positions after each move from `node`, in their order; one that can be reached in two ways is there twice."""

    def prove(self, node: N, win_limit: int = NEVER, loss_limit: int = NEVER) -> None:
        """Grow the tree under `node` until it is decided, as hard as a limit says, or the budget is spent."""
        if self.budget <= 0 or not node.win or not node.loss:
            return
        below = dict.fromkeys(self.below(node))
        while True:
            best, easiest, second, total = node, NEVER, NEVER, 0
            for child in below:
                if child.loss < easiest:
                    best, easiest, second = child, child.loss, easiest
                elif child.loss < second:
                    second = child.loss
                total += child.win
            node.win, node.loss = easiest, min(total, NEVER - 1) if easiest else NEVER  # only proofs say NEVER
            if node.win >= win_limit or node.loss >= loss_limit or self.budget <= 0:
                return
            room = NEVER if loss_limit == NEVER else loss_limit - total + best.win
            self.prove(best, room, min(win_limit, second + 1))
