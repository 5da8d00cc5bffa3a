"""Superply: connect opposite sides of a board by claiming cells that match a drawn hint.

From PuzzlePlex, where it is also played from pictures.  Interpretations: a hint is a value and is
never read back from its sentence; "between" includes both ends, a difference has no sign, and cells
touch at sides and at corners.  Paths may cross at a corner, so a full board connects one pair of
sides or both: the first to connect has won.  A cell that cannot be claimed costs an error and
the turn, and the hint stays; rows and columns off the board are such cells.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import astuple, dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.changed import changed
from quandary.core.contract import (
    CHANCE,
    ChanceMoves,
    Doc,
    Ending,
    Fouls,
    Game,
    InstanceCount,
    Language,
    Move,
    Options,
    Seat,
)
from quandary.core.errors import Illegal
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import Say

from .notation import written_board
from .solver.cells import FREE, MARKS, cell_of, marked_cells, mirrored, moves_to
from .solver.hints import Hint, allowed_cells, draw, drawn_hint, reckoned
from .solver.race import Race, joined
from .solver.search import best_claim

PIECES = {MARKS[0]: "blue", MARKS[1]: "red", FREE: ""}


@dataclass(frozen=True)
class Superply(ChanceMoves, Fouls, Game):
    board: Annotated[
        tuple[str, ...],
        Doc("the rows from the top: B and R are claimed by seats 0 and 1, a dot is free"),
    ]
    errors: Annotated[int, Doc("the number of errors by which a seat loses")]
    errors_made: Annotated[tuple[int, int], Doc("the errors that each seat has made")] = (0, 0)
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0
    hint: Annotated[
        Hint | None, Doc("what the row and column of the cell must satisfy; null while it is drawn")
    ] = None
    last: Annotated[
        Move, Doc("the cell chosen last, as row and column from 1; empty at the start")
    ] = ""
    refused: Annotated[bool, Doc("whether that choice was an error")] = False

    version = 3
    levels = {"easy": {"size": 6}, "normal": {"size": 9}, "hard": {"size": 12}}
    house = {"easy": "random", "normal": "search", "hard": "oracle"}
    distinct_instances = dict.fromkeys(
        levels, InstanceCount(1, "the empty board; matches differ by the hints drawn")
    )

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: Annotated[int, Between(2)] = 9,
        errors: Annotated[int, Between(1)] = 15,
    ) -> Superply:
        return cls((FREE * size,) * size, errors)

    def options(self) -> Options:
        if self._winner() is not None:
            return {}
        if self.hint is None:
            return {CHANCE: None}
        open_now = marked_cells(self.board, FREE) & allowed_cells(len(self.board), self.hint)
        return {self.turn: moves_to(open_now, len(self.board))}

    def chance(self, rng: Random) -> Move:
        """Return a hint that some free cell matches; one is soon found, as every cell is even or
        odd.
        """
        size, free = len(self.board), marked_cells(self.board, FREE)
        while True:
            move = draw(rng, size)
            if free & drawn_hint(move, size)[1]:
                return move

    def after(self, seat: Seat, move: Move) -> Superply:
        if seat == CHANCE:
            hint, allowed = drawn_hint(move, len(self.board))
            if not allowed & marked_cells(self.board, FREE):
                raise Illegal(f"no free cell matches the hint {move!r}")
            return changed(self, hint=hint)
        row, column = map(int, move.split())
        before = self.board[row - 1]
        claimed = before[: column - 1] + MARKS[seat] + before[column:]
        rows = (*self.board[: row - 1], claimed, *self.board[row:])
        return changed(self, board=rows, turn=1 - seat, hint=None, last=move, refused=False)

    def foul(self, seat: Seat, move: Move) -> Superply:
        made = (self.errors_made[0] + (seat == 0), self.errors_made[1] + (seat == 1))
        return replace(self, errors_made=made, turn=1 - seat, last=move, refused=True)

    def scores(self) -> tuple[float, float]:
        winner = self._winner()
        return (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))

    def ending(self) -> Ending:
        for seat in (0, 1):
            if self.errors_made[seat] >= self.errors:
                return Ending("limit", seat)
        return Ending("goal")

    def _winner(self) -> Seat | None:
        first, second = self.errors_made
        if first >= self.errors or second >= self.errors:
            return 0 if second >= self.errors else 1
        if self.hint is not None:  # none is drawn once a player has connected their sides
            return None
        last, size = 1 - self.turn, len(self.board)
        claims = marked_cells(self.board, MARKS[last])
        return last if claims.bit_count() >= size and joined(claims, size, last) else None

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        if outside := super().why_illegal(seat, move, language):
            return outside
        row, column = map(int, move.split())
        if self.board[row - 1][column - 1] != FREE:
            return say("The cell {cell} is already claimed.", cell=move)
        if self.hint is None:
            return ""
        return say(
            "It does not match the hint: {number} is {value}.",
            number=_reckoned(self.hint, say),
            value=reckoned(self.hint.reckoning, row, column),
        )

    def equivalent(self, rng: Random) -> Superply:
        """As it is, or mirrored at the diagonal with the seats exchanged."""
        return rng.choice((self, self._mirrored()))

    def canonical(self) -> Hashable:
        """Return the position as it is if Blue moves next, otherwise mirrored."""
        here = self if self.turn == 0 else self._mirrored()
        return here.board, here.errors, here.errors_made, here.hint and astuple(here.hint)

    def _mirrored(self) -> Superply:
        board, last = mirrored(self.board), " ".join(reversed(self.last.split()))
        made = self.errors_made[::-1]
        return replace(self, board=board, errors_made=made, turn=1 - self.turn, last=last)

    def translated(self, answer: Move, language: Language) -> str:
        """Return a hint, which chance draws, as players see it."""
        if not answer[:1].isalpha():
            return answer
        return _hint(drawn_hint(answer, len(self.board))[0], self.say(language))

    def notation(self) -> Notation:
        return _notation(len(self.board))

    @classmethod
    def level_notation(cls, *, size: int = 9, **level: Any) -> Notation:
        return _notation(size)

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the row and the column of your cell, for example: {cell}", cell="3 4")

    def rules(self, language: Language = "en") -> str:
        say, size = self.say(language), len(self.board)
        return say.lines(
            say(
                "Two players, Blue and Red, claim cells of a board with {size} rows and {size}"
                " columns, both numbered from 1; row 1 is at the top and column 1 at the left."
                " Blue moves first, then they take turns.\n"
                "Blue wins by connecting the left side with the right side through blue cells, Red"
                " by connecting the top with the bottom through red cells. Cells are connected if"
                " they touch at a side or at a corner.\n"
                "On each turn there is a hint, and you claim a free cell whose row and column"
                " match it. A hint is about one number: the row plus the column, the row times the"
                " column, or their difference (the larger minus the smaller). It says one thing"
                " about this number: it is less than a limit, is greater than a limit, contains a"
                " digit, is even, is odd, or is between two limits, both included.\n"
                "Hints are drawn at random: the three numbers and the six things to say are"
                " equally likely, and so are the digits from 0 to 9 and the limits from 0 to"
                " {highest}; of two limits the smaller is drawn first, then one above it. A hint"
                " that no free cell matches is drawn again. After every claim there is a new"
                " hint.\n"
                "Choosing a cell that does not match, is already claimed or is not on the board is"
                " an error: nothing is claimed, and your opponent moves with the same hint."
                " Whoever makes {errors} {errors:error|errors} in total loses.",
                size=size,
                highest=size * size,
                errors=self.errors,
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, made = self.say(language), self.errors_made
        errors = _errors(made[seat], made[1 - seat], self.errors, say)
        lines = [_goal(seat, say), written_board(self.board), errors]
        if self.last:
            lines.append(_chosen(self.last, self.refused, self.turn == seat, say))
        lines.append(self._now(seat, say))
        return "\n".join(lines)

    def _now(self, seat: Seat, say: Say) -> str:
        winner = self._winner()
        if winner is None:
            return _turn(self.turn == seat, self.hint, say)
        return say("You have won.") if winner == seat else say("Your opponent has won.")

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say, numbers = self.say(language), range(1, len(self.board) + 1)
        is_asked = self.turn == seat and self.hint is not None

        def look(row: int, column: int) -> Cell:
            mark, place = self.board[row - 1][column - 1], {"row": str(row), "column": str(column)}
            fill = "mark" if f"{row} {column}" == self.last else "paper"
            click = place if is_asked and mark == FREE else None
            return Cell(mark.strip(FREE), fill, PIECES[mark], click=click)

        blue, red = (Cell(mark, PIECES[mark]) for mark in MARKS)
        edge = [None, *[red] * len(numbers), None]
        rows = [[blue, *(look(row, column) for column in numbers), blue] for row in numbers]
        names = ["", *map(str, numbers)]
        drawn = board([edge, *rows, edge], row_names=names, column_names=names)
        made = self.errors_made
        errors = _errors(made[seat], made[1 - seat], self.errors, say)
        words = captions(self._now(seat, say), _goal(seat, say), errors, width=max(drawn.width, 12))
        return stack(drawn, words)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "blue": say("the left and right sides and the cells of Blue"),
            "red": say("the top and bottom sides and the cells of Red"),
            "mark": say("the cell that was chosen last"),
        }

    def search(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A matching cell on a shortest path across, or any; it ignores the opponent."""
        race = self._race(seat)
        wanted = sum(race.needs(seat))
        moves = list(self.options()[seat] or ())
        return rng.choice([move for move in moves if cell_of(move, race.size) & wanted] or moves)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The cell that most likely wins: all are estimated, and the best are played out."""
        moves = {cell_of(move, len(self.board)): move for move in self.options()[seat] or ()}
        return moves[best_claim(self._race(seat), list(moves), rng, budget)]

    strategies = {"search": search, "oracle": oracle}
    strongest = "search"

    def _race(self, seat: Seat) -> Race:
        blue, red = (marked_cells(self.board, mark) for mark in MARKS)
        return Race(len(self.board), (blue, red), seat)


@cache
def _notation(size: int) -> Notation:
    place, labels = Number(1, size), {"row": ("r",), "column": ("col", "c")}
    return Notation("{row} {column}", labels=labels, row=place, column=place)


# The sentences of a turn are cached, because few of them change from one turn to the next.
@cache
def _goal(seat: Seat, say: Say) -> str:
    if seat == 0:
        return say("You are Blue (B): connect left and right. Your opponent is Red (R).")
    return say("You are Red (R): connect top and bottom. Your opponent is Blue (B).")


@lru_cache(maxsize=1 << 10)
def _errors(own: int, other: int, limit: int, say: Say) -> str:
    made = {"own": own, "other": other, "limit": limit}
    return say("Errors: you {own}, your opponent {other}; {limit} {limit:loses|lose}.", **made)


@lru_cache(maxsize=1 << 12)
def _chosen(cell: Move, is_error: bool, by_opponent: bool, say: Say) -> str:
    if by_opponent:
        if is_error:
            return say("Your opponent chose {cell}, which was an error.", cell=cell)
        return say("Your opponent chose {cell}.", cell=cell)
    if is_error:
        return say("You chose {cell}, which was an error.", cell=cell)
    return say("You chose {cell}.", cell=cell)


@lru_cache(maxsize=1 << 12)
def _turn(mine: bool, hint: Hint | None, say: Say) -> str:
    turn = say("It is your turn.") if mine else say("It is your opponent's turn.")
    return say.lines(turn, say("Hint: not drawn yet.") if hint is None else _hint(hint, say))


def _hint(hint: Hint, say: Say) -> str:
    low, high = (*hint.limits, 0, 0)[:2]
    about = {"number": _reckoned(hint, say), "low": low, "high": high}
    return {
        "less": say("Hint: {number} is less than {low}.", **about),
        "greater": say("Hint: {number} is greater than {low}.", **about),
        "digit": say("Hint: {number} contains the digit {low}.", **about),
        "even": say("Hint: {number} is even.", **about),
        "odd": say("Hint: {number} is odd.", **about),
        "between": say("Hint: {number} is between {low} and {high}, both included.", **about),
    }[hint.test]


def _reckoned(hint: Hint, say: Say) -> str:
    """Return the number that a hint is about."""
    return {
        "sum": say("row plus column"),
        "product": say("row times column"),
        "difference": say("the difference of row and column"),
    }[hint.reckoning]
