"""State tasks: games for one seat with positions that can be solved and written down."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from functools import lru_cache
from typing import ClassVar, Self

import msgspec

from ..errors import Unreadable
from ..game import Game, solved
from ..moves import Move
from ..puzzle import Language


class StateTasks(Game):
    """A game for one seat, without luck and secrets, that `check:` and `next:` ask about.

    Every method has a default that works for any such game; exact solvers are quicker.
    """

    # How often the names of state tasks on this game alone changed their meaning.
    state_task_version: ClassVar[int] = 0

    def solvable(self) -> bool:
        """Return whether the goal can be reached, exactly."""
        return solved(self) or any(_solvable(self.after(0, move)) for move in self.branches())

    def solvable_after(self, move: Move) -> bool:
        """Return whether the goal can be reached after a legal move.

        Quicker than making the move and asking again, where a position knows all its solutions.
        """
        return self.after(0, move).solvable()

    def branches(self) -> Collection[Move]:
        """Return the moves a search must try: all options, or fewer if their order does not
        matter.
        """
        return self.options().get(0) or ()

    def move_to(self, other: Self) -> Move | None:
        """Return the legal move that leads to another position of the match, compared as it is
        written; None if there is none.
        """
        written = other.state()
        moves = self.options().get(0) or ()
        return next((move for move in moves if self.after(0, move).state() == written), None)

    def leads_to(self, other: Self) -> bool | None:
        """Return whether legal moves, any number of them, lead from here to another position of the
        match; None where that is not known cheaply.
        """
        return None

    def gaps(self) -> int | None:
        """Return how many cells are still empty, in a puzzle that fills cells; None in any
        other.
        """
        return None

    def appearance(self) -> Hashable:
        """Return what can be seen of a position without solving it, and might tell whether it is
        solvable.

        State tasks choose between two positions that have it in common.
        """
        return None

    def state(self) -> str:
        """Return the position as a player writes it down; `restate` reads it back."""
        return msgspec.json.encode(self).decode()

    def shown_state(self, language: Language) -> str:
        """Return `state` with its words translated to a language; `restate` reads it."""
        return self.state()

    def state_form(self, language: Language = "en") -> str:
        """Return how `state` writes a position, in a sentence; "" if that needs no explanation."""
        return ""

    def restate(self, text: str) -> Self:
        """Return the position that `text` describes, or Unreadable.

        Called on any position of the same match.
        """
        try:
            return msgspec.json.decode(text, type=type(self))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as reason:
            raise Unreadable(
                "Write the position as one JSON object ({reason}).", reason=reason
            ) from None


@lru_cache(maxsize=1 << 18)
def _solvable(position: StateTasks) -> bool:
    return position.solvable()
