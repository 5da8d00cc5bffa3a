"""K queens: move queens on a board until none attacks another, within a number of moves.

From PuzzlePlex, whose printed example is not solved by the move it gives, nor by any two moves.
Readings: a board of side n holds n queens, one a row at the start, and a move lifts one and puts it on any empty square;
the board is a placement without attacks of which a few queens were moved along their rows, and its moves are counted out:
the fewest that solve it, and `spare` more.  The game ends as soon as no queen attacks another or the moves are used up.
Without a limit the puzzle would be no search: whoever knows one placement by heart could put every queen where it belongs there.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.families.queens import drawn, read_board
from quandary.kit.breadth_first import breadth_first
from quandary.solvers.queens import SIDES, Square, attacks, away, canonical, disturbed, near, nearest, peaceful, random_placement

FRESH, TRIES = 30, 300  # boards drawn, and changes of the hardest of them, before a number of moves is given up
JUDGED_SIDE, JUDGED_GOALS = 12, 300  # what a verdict goes through: well under a second
HOW = "Write the square of the queen and the square it goes to, row before column, counted from 0, for example: 2 1 to 2 0"

NUMBER, COMMA = r"([0-9]{1,4})", r"(?: ?, ?| )"
SQUARE = rf"[\[(]? ?(?:row ?)?{NUMBER}{COMMA}(?:col(?:umn)? ?)?{NUMBER} ?[\])]?"
MOVE = re.compile(rf"(?:operation ?[:=] ?)?(?:move )?(?:from )?[\[(]?{SQUARE} ?(?:to|[-=]?>|→|,| ) ?{SQUARE}[\])]?")
IN_BRACKETS = r"[\[(]\s{0,9}([0-9]{1,4})\s{0,9},\s{0,9}([0-9]{1,4})\s{0,9}[\])]"
MOVE_IN_LIST = re.compile(rf"{IN_BRACKETS}\s{{0,9}}(?:to|[-=]?>|→|,)\s{{0,9}}{IN_BRACKETS}", re.I)
LEFT = re.compile(r" ?[:=]? ?([0-9]{1,9}) ?\.?")


@dataclass(frozen=True)
class KQueens(Game):
    queens: tuple[Square, ...]  # (row, column) from 0, in ascending order; as many as the board has rows
    left: int  # moves

    seats = 1
    levels = {
        "easy": {"side": 6, "moves": (1, 2), "spare": 1},
        "normal": {"side": 8, "moves": (3, 4)},
        "hard": {"side": 10, "moves": (5, 6)},
    }
    house = {"easy": "breadth_first", "normal": "breadth_first", "hard": "oracle"}
    small = {"easy": "1,620 boards of side 6 are one or two moves away from one of the four placements without attacks"}

    @classmethod
    def new(cls, rng: Random, *, side: int = 8, moves: tuple[int, int] = (3, 4), spare: int = 0) -> KQueens:
        """A board that takes a number of moves from the range: the one drawn, or the most found if that is never met."""
        if side not in SIDES:
            raise ValueError(f"a board has a side of {SIDES[0]} to {SIDES[-1]}, not {side}")
        if not 1 <= moves[0] <= moves[1] or moves[0] > side or spare < 0:
            raise ValueError(f"a board of side {side} takes 1 to {side} moves, and none or more can be to spare")
        wanted, most, hardest = rng.randint(moves[0], min(moves[1], side)), 0, tuple[Square, ...]()
        for turn in range(TRIES):
            fresh = turn < FRESH
            queens = disturbed(rng, random_placement(rng, side), wanted) if fresh else disturbed(rng, hardest, 1)
            needed = away(queens, nearest(queens, wanted) or queens)
            if needed >= most:
                most, hardest = needed, queens
            if most == wanted:
                break
        if most < moves[0]:
            raise ValueError(f"no board of side {side} that takes {moves[0]} moves was found")
        return cls(hardest, most + spare)

    def options(self) -> Options:
        if not self.left or peaceful(self.queens):
            return {}
        standing, side = set(self.queens), len(self.queens)
        return {0: [move for queen in self.queens for square, move in _moves(side, queen) if square not in standing]}

    def after(self, seat: Seat, move: Move) -> KQueens:
        queen, square = _squares(move)
        queens = list(self.queens)
        queens.remove(queen)
        insort(queens, square)
        return KQueens(tuple(queens), self.left - 1)

    def scores(self) -> tuple[float]:
        return (float(peaceful(self.queens)),)

    def ending(self) -> Ending:
        return Ending("goal" if peaceful(self.queens) else "limit")

    def branches(self) -> Collection[Move]:
        """Of two queens that attack each other one must move, and any square of the placement that is free will do for it.

        If a row is empty, that is its square there; else every row has one queen, and it is the one in its own row.
        """
        if not self.left or peaceful(self.queens):
            return ()
        side = len(self.queens)
        empty = sorted(set(range(side)) - {row for row, _ in self.queens})
        pair = next(pair for pair in attacks(self.queens) if not empty or pair[0][0] == pair[1][0])
        goals = [(queen, empty[0] if empty else queen[0]) for queen in pair]
        return [move for queen, goal in goals for square, move in _moves(side, queen) if square[0] == goal and square != queen]

    def solvable(self) -> bool:
        return next(near(self.queens, self.left), None) is not None

    def read(self, seat: Seat, said: str) -> Move:
        found = MOVE.fullmatch(" ".join(said.casefold().split()).strip(" `*'\".;"))
        if not found:
            raise Unreadable(HOW)
        return _write(*map(int, found.groups()))

    def moves(self, said: str) -> Sequence[Move]:
        """Moves one a line, a list of pairs of squares, or the final board."""
        listed = MOVE_IN_LIST.findall(said)
        if listed and not MOVE_IN_LIST.sub("", said).strip(" \t\r\n,;[]()"):
            return [_write(*map(int, numbers)) for numbers in listed]
        try:
            goal = read_board(said, len(self.queens))
        except Unreadable:
            return super().moves(said)
        gone, come = (sorted(set(one) - set(other)) for one, other in ((self.queens, goal), (goal, self.queens)))
        return [_write(*queen, *square) for queen, square in zip(gone, come, strict=True)]

    def state(self) -> str:
        return "\n".join(map(" ".join, drawn(self.queens))) + f"\nMoves left: {self.left}"

    def restate(self, said: str) -> KQueens:
        board, _, left = said.casefold().rpartition("moves left")
        found = LEFT.fullmatch(" ".join(left.split()))
        if not found:
            raise Unreadable("Write the rows of the board and below them the moves that are left, for example: Moves left: 3")
        return KQueens(read_board(board, len(self.queens)), int(found[1]))

    def canonical(self) -> Hashable:
        return canonical(self.queens), self.left

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give all your moves in one answer: one a line in the order they are made, "
            "or all as one list of pairs of squares, such as [[[2, 1], [2, 0]], [[3, 2], [3, 3]]]. "
            "You may also give the final board instead: one row a line, Q for a queen and . for an empty square.\n"
            "No queen may attack another after the last move, but some must until then, "
            "and there may be no more moves than are left."
        )

    def rules(self, language: Language = "en") -> str:
        side = len(self.queens)
        return (
            f"{side} queens stand on a board of {side} by {side} squares. "
            "Two queens attack each other if they share a row, a column or a diagonal, even with other queens between them.\n"
            "In each turn you move one queen: take it from its square and put it on any empty square of the board, near or far. "
            "A move from a square without a queen or to one that is not empty is not allowed and loses.\n"
            "You win as soon as no queen attacks another. You lose if some still do when your moves are used up; "
            "the number of moves left is shown with the board, and at the start it is enough.\n"
            "Write the square of the queen and the square it goes to, row before column; "
            "rows and columns are counted from 0, from the top left. "
            "For example, the queen in the third row and the second column goes one square to the left: 2 1 to 2 0"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        side = len(self.queens)
        width = len(str(side - 1))
        rows = [("", *map(str, range(side))), *((str(row), *line) for row, line in enumerate(drawn(self.queens)))]
        board = "\n".join(" ".join(word.rjust(width) for word in row) for row in rows)
        return f"The board, with Q for a queen and . for an empty square:\n{board}\nMoves left: {self.left}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        side, margin, top = len(self.queens), 0.7, 0.9
        shapes: list[Shape] = [Label(margin, 0.4, f"moves left: {self.left}", 0.5, anchor="start")]
        for row in range(side):
            for column in range(side):
                fill = "shade" if (row + column) % 2 else "paper"
                shapes.append(Box(column + margin, row + margin + top, fill=fill, click=f"{row} {column}"))
        for row, column in self.queens:
            shapes.append(Disc(column + margin + 0.5, row + margin + top + 0.5, 0.38, "blue", "Q", click=f"{row} {column}"))
        shapes += [Label(margin + at + 0.5, top + margin / 2, str(at), colour="quiet") for at in range(side)]
        shapes += [Label(margin / 2, top + margin + at + 0.5, str(at), colour="quiet") for at in range(side)]
        return Scene(margin + side + 0.1, top + margin + side + 0.1, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """A move is worth 1 where the moves left after it still do; None where too many placements may lie near."""
        options = self.options().get(0) or ()
        if len(self.queens) > JUDGED_SIDE:
            return None
        if next(near(self.queens, self.left - 2), None):
            return dict.fromkeys(options, 1.0)  # even a wrong move can be taken back
        goals = [(set(goal), away(self.queens, goal)) for goal in islice(near(self.queens, self.left), JUDGED_GOALS + 1)]
        if len(goals) > JUDGED_GOALS:
            return None
        squares = {move: _squares(move) for move in options}
        return {
            move: float(any(moves + (queen in goal) - (square in goal) < self.left for goal, moves in goals))
            for move, (queen, square) in squares.items()
        }

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Brings a queen to where it stands in the nearest placement without attacks, in its own row where that is free."""
        goal = nearest(self.queens, len(self.queens)) or ()
        queen = next(queen for queen in self.queens if queen not in goal)
        square = min((square for square in goal if square not in self.queens), key=lambda square: square[0] != queen[0])
        return _write(*queen, *square)

    def breadth_first(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: looks at boards one move away, then two, and so on."""
        return breadth_first(self, budget)

    strategies = {"breadth_first": breadth_first, "oracle": oracle}


def _write(row: int, column: int, to_row: int, to_column: int) -> Move:
    return f"{row} {column} to {to_row} {to_column}"


@cache
def _squares(move: Move) -> tuple[Square, Square]:
    row, column, _, to_row, to_column = move.split()
    return (int(row), int(column)), (int(to_row), int(to_column))


@cache
def _moves(side: int, queen: Square) -> tuple[tuple[Square, Move], ...]:
    """Every square and the move of the queen to it."""
    return tuple(((row, column), _write(*queen, row, column)) for row in range(side) for column in range(side))
