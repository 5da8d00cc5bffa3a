"""K queens: move queens on a board until none attacks another, within a number of moves.

From PuzzlePlex, whose printed example is not solved by the move it gives, nor by any two moves.
Interpretations: a board of side n has n queens, one per row at the start, and a move takes one of
them to any empty square.  The board is a placement without attacks in which a few queens were moved
along their rows, and the number of moves is limited: the fewest that solve it, and `spare` more.
The game ends as soon as no queen attacks another or the moves are used up.
Without a limit no search would be needed: one memorised placement would solve every board.
The opponent is PuzzlePlex's breadth-first search, with a budget that solves every board of the
normal level; boards of the hard level would take it several seconds per move, so the opponent there
is the oracle.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Annotated, Any

from quandary.algorithms.breadth_first import breadth_first
from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
    StateTasks,
    WholeAnswers,
)
from quandary.core.errors import Unreadable
from quandary.core.moves import Notation, Number, half_width
from quandary.core.scene import Scene

from .notation import (
    drawn,
    moves_of,
    moves_to_free_squares,
    read_board,
    read_state,
    squares_of,
    write_move,
)
from .solver import (
    LISTED_GOALS,
    LISTED_SIDE,
    SIDES,
    Square,
    away,
    best_step,
    canonical,
    goals_in_reach,
    near,
    peaceful,
    random_board,
    random_turn,
    rows_to_fill,
)

IN_BRACKETS = r"[\[(]\s{0,9}([0-9]{1,4})\s{0,9},\s{0,9}([0-9]{1,4})\s{0,9}[\])]"
TO = r"(?:to|移?到|[-=]?>|→|,)"
MOVE_IN_LIST = re.compile(rf"{IN_BRACKETS}\s{{0,9}}{TO}\s{{0,9}}{IN_BRACKETS}", re.I)
LABELS = {"column": ("col",), "new_row": ("row",), "new_column": ("column", "col")}


@dataclass(frozen=True)
class KQueens(StateTasks, WholeAnswers, JudgedMoves, Game):
    queens: Annotated[tuple[Square, ...], Doc("row and column of each queen, from 0")]
    left: Annotated[int, Doc("how many moves are left")]

    version = 2
    seats = 1
    levels = {
        "easy": {"side": 6, "moves": (1, 2), "spare": 1},
        "normal": {"side": 8, "moves": (3, 4)},
        "hard": {"side": 10, "moves": (5, 6)},
    }
    # Breadth-first search looks at up to 11,000 boards at the normal level.
    house = {"easy": "breadth_first", "normal": "breadth_first@20000", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(411, "boards of side 6, one or two moves from one of four solutions")
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        side: Annotated[int, Between(SIDES[0], SIDES[-1])] = 8,
        moves: Annotated[Range, Between(1)] = (3, 4),
        spare: Annotated[int, Between(0)] = 0,
    ) -> KQueens:
        """Return a board that takes the drawn number of moves, or as close to it as possible."""
        if moves[0] > side:
            raise ValueError(f"a board of side {side} takes at most {side} moves, not {moves[0]}")
        wanted = rng.randint(moves[0], min(moves[1], side))
        queens, needed = random_board(rng, side, wanted)
        if needed < moves[0]:
            raise ValueError(f"no board of side {side} that takes {moves[0]} moves was found")
        return cls(queens, needed + spare)

    def options(self) -> Options:
        if not self.left or peaceful(self.queens):
            return {}
        return {0: moves_to_free_squares(self.queens)}

    def after(self, seat: Seat, move: Move) -> KQueens:
        queen, square = squares_of(move)
        queens = list(self.queens)
        queens.remove(queen)
        insort(queens, square)
        return KQueens(tuple(queens), self.left - 1)

    def scores(self) -> tuple[float]:
        return (float(peaceful(self.queens)),)

    def ending(self) -> Ending:
        return Ending("goal" if peaceful(self.queens) else "limit")

    def notation(self) -> Notation:
        return _notation(len(self.queens))

    @classmethod
    def level_notation(cls, *, side: int = 8, **level: Any) -> Notation:
        return _notation(side)

    def moves(self, text: str) -> Sequence[Move]:
        """Moves one per line, a list of pairs of squares, or the final board."""
        text = half_width(text)
        listed = MOVE_IN_LIST.findall(text)
        if listed and not MOVE_IN_LIST.sub("", text).strip(" \t\r\n,;、[]()"):
            return [write_move(*map(int, numbers)) for numbers in listed]
        try:
            goal = set(read_board(text, len(self.queens)))
        except Unreadable:
            return super().moves(text)
        gone, come = sorted(set(self.queens) - goal), sorted(goal.difference(self.queens))
        return [write_move(*queen, *square) for queen, square in zip(gone, come, strict=True)]

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write the row and the column of the queen, the word to, and its new row and its "
            "new column; all are counted from 0, from the top left, for example: 2 1 to 2 0"
        )

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give all your moves in one answer: one per line in the order they are made, or all of "
            "them as one list of pairs of squares, such as [[[2, 1], [2, 0]], [[3, 2], [3, 3]]]. "
            "You may also give the final board instead: one row per line, Q for a queen and . for "
            "an empty square.\n"
            "No queen may attack another after the last move, but some must attack each other "
            "until then, and you may not make more moves than are left."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        rules = say(
            "{side} queens stand on a board of {side} by {side} squares. Two queens attack each "
            "other if they share a row, a column or a diagonal, even with other queens between "
            "them.\n"
            "In each turn you move one queen from its square to any empty square of the board, "
            "near or far. A move from a square without a queen or to a square that is not empty is "
            "not allowed and loses.\n"
            "You win as soon as no queen attacks another. You lose if some still do when your "
            "moves are used up; the number of moves left is shown with the board, and at the start "
            "it is enough.",
            side=len(self.queens),
        )
        return say.lines(rules, self.how(language))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, numbers = self.say(language), [str(number) for number in range(len(self.queens))]
        numbered = zip(numbers, drawn(self.queens), strict=True)
        rows, width = [["", *numbers], *([n, *row] for n, row in numbered)], len(numbers[-1])
        return say(
            "The board, with Q for a queen and . for an empty square:\n{board}\nMoves left: {left}",
            board="\n".join(" ".join(word.rjust(width) for word in row) for row in rows),
            left=self.left,
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the board; a click on a queen begins a move, and one on an empty square
        ends it.
        """
        say, clickable = self.say(language), bool(self.options())

        def look(row: int, column: int) -> Cell:
            queen = (row, column) in self.queens
            fields = ("row", "column") if queen else ("new_row", "new_column")
            square = dict(zip(fields, (str(row), str(column)), strict=True))
            text, piece = ("Q", "blue") if queen else ("", "")
            fill = "shade" if (row + column) % 2 else "paper"
            return Cell(text, fill, piece, click=square if clickable else None)

        side = range(len(self.queens))
        rows = [[look(row, column) for column in side] for row in side]
        left = captions(say("Moves left: {left}", left=self.left), size=0.5)
        return stack(left, board(rows, first=0))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"blue": say("queens"), "shade": say("every other square, as on a chessboard")}

    def state_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Below, a position is written as the rows of the board from top to bottom, with Q for "
            "a queen and . for an empty square, and below them the number of moves left."
        )

    def state(self) -> str:
        return "\n".join(map(" ".join, drawn(self.queens))) + f"\n{self.left}"

    def restate(self, text: str) -> KQueens:
        return KQueens(*read_state(text, len(self.queens)))

    def equivalent(self, rng: Random) -> KQueens:
        return KQueens(random_turn(rng, self.queens), self.left)

    def canonical(self) -> Hashable:
        return canonical(self.queens), self.left

    def branches(self) -> Collection[Move]:
        """Return the moves of two queens that attack each other, of which one must move.

        The goal is in an empty row if there is one; otherwise every row has one queen, and it is
        enough to move within the own row.
        """
        if not self.left or peaceful(self.queens):
            return ()
        side = len(self.queens)
        rows = rows_to_fill(self.queens)
        return [
            moves_of(side, queen)[row * side + column]
            for queen, row in rows
            for column in range(side)
            if (row, column) not in self.queens
        ]

    def solvable(self) -> bool:
        return next(near(self.queens, self.left), None) is not None

    def leads_to(self, other: KQueens) -> bool:
        """Any number of moves is possible from the fewest on: a queen may go in two steps.

        There is always a way on which the game does not end before: two queens that could both
        complete a placement from the same square would stand on the same square.
        """
        return bool(self.branches()) and self.left - other.left >= (
            away(self.queens, other.queens) or 2
        )

    def move_to(self, other: KQueens) -> Move | None:
        gone, come = set(self.queens).difference(other.queens), set(other.queens) - set(self.queens)
        if len(gone) != 1 or self.left - other.left != 1 or peaceful(self.queens):
            return None
        return write_move(*gone.pop(), *come.pop())

    def solvable_after(self, move: Move) -> bool:
        goals, (queen, square) = goals_in_reach(self.queens, self.left), squares_of(move)
        if goals is None:
            return super().solvable_after(move)
        return any(far + (queen in goal) - (square in goal) < self.left for goal, far in goals)

    judge_budget = (LISTED_SIDE, LISTED_GOALS)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """1.0 for moves after which the goal is in reach; None if too many goals are near."""
        if goals_in_reach(self.queens, self.left) is None:
            return None
        return {move: float(self.solvable_after(move)) for move in self.options().get(0) or ()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Moves a queen to a square of the nearest solution, in its own row if that is free."""
        queen, square = best_step(self.queens)
        return write_move(*queen, *square)

    def breadth_first(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: looks at boards one move away, then two, and so on."""
        return breadth_first(self, budget)

    strategies = {"breadth_first": breadth_first, "oracle": oracle}
    strongest = "optimal"


@cache
def _notation(side: int) -> Notation:
    at, moves = Number(0, side - 1), "{row} {column} to {new_row} {new_column}"
    return Notation(moves, labels=LABELS, row=at, column=at, new_row=at, new_column=at)
