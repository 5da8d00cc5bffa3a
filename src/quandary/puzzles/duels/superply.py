"""Superply: two players race to join opposite sides of a board, claiming only cells whose row and column fit a hint.

From PuzzlePlex, where it is also played from pictures.  Readings: a hint is a value and is never read back from its sentence;
"between" includes both ends, a difference has no sign, and cells touch by sides and by corners.
Ways across may cross at a corner, so a full board joins one pair of sides or both: the first to join has won.
A cell that may not be claimed costs an error and the turn, and the hint stays; rows and columns off the board are such cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Literal

from quandary.core.contract import CHANCE, Ending, Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.kit.reading import outside_brackets
from quandary.solvers.superply import Race, cells_of, joined

FREE = "."
MARKS = ("B", "R")  # a claimed cell, by seat
DIGITS = {mark: str.maketrans({other: str(int(other == mark)) for other in (FREE, *MARKS)}) for mark in (FREE, *MARKS)}
COLOURS = ("Blue", "Red")
SIDES = ("left and right", "top and bottom")
RECKONINGS = {"sum": "row plus column", "product": "row times column", "difference": "the difference of row and column"}
TESTS = {
    "less": "is less than {}",
    "greater": "is greater than {}",
    "digit": "contains the digit {}",
    "even": "is even",
    "odd": "is odd",
    "between": "is between {} and {}, both included",
}
KINDS_OF_NUMBER, KINDS_OF_TEST = tuple(RECKONINGS), tuple(TESTS)
NUMBER = r"(?<![\d.])-?[0-9]{1,9}(?![\d.])"
PAIR = re.compile(rf"[(\[]\s{{0,9}}({NUMBER})\s{{0,9}}[,;\s]\s{{0,9}}({NUMBER})\s{{0,9}}[)\]]")
NAMED = re.compile(rf"(?<![a-z])(r|c)(?:ow|ol|olumn)?\s{{0,9}}[:=]?\s{{0,9}}{NUMBER}", re.IGNORECASE)

FORESEEN = 64  # hints the oracle draws to tell how often a cell can be claimed
FINALISTS = 8  # cells it plays out
TRUST = 100  # how many playouts its estimate counts for
PLAYED_OUT = 10_000  # positions of playouts it needs at most


@dataclass(frozen=True)
class Hint:
    """What a cell must satisfy to be claimed."""

    reckoning: Literal["sum", "product", "difference"]  # of its row and column
    test: Literal["less", "greater", "digit", "even", "odd", "between"]
    limits: tuple[int, ...] = ()  # none for even and odd, two for between, else one

    def allows(self, number: int) -> bool:
        """Whether a cell whose row and column come to this number fits."""
        low, high = (*self.limits, 0, 0)[:2]
        return {
            "less": number < low,
            "greater": number > low,
            "digit": str(low) in str(number),
            "even": number % 2 == 0,
            "odd": number % 2 == 1,
            "between": low <= number <= high,
        }[self.test]

    def __str__(self) -> str:
        return f"{RECKONINGS[self.reckoning]} {TESTS[self.test].format(*self.limits)}"


@dataclass(frozen=True)
class Superply(Game):
    board: tuple[str, ...]  # rows from the top: B and R are claimed by seats 0 and 1, . is free
    errors: int  # as many lose the match
    errors_made: tuple[int, int] = (0, 0)  # by seat
    turn: Seat = 0
    hint: Hint | None = None  # None: one is to be drawn
    last: Move = ""  # the cell chosen last, "" at the start
    refused: bool = False  # whether that was an error

    levels = {"easy": {"size": 6}, "normal": {"size": 9}, "hard": {"size": 12}}
    house = {"easy": "random", "normal": "search", "hard": "oracle"}
    luck = True
    small = dict.fromkeys(levels, "1: every match starts on the empty board; its luck is the hints, which follow the seed")

    @classmethod
    def new(cls, rng: Random, *, size: int = 9, errors: int = 15) -> Superply:
        if size < 2 or errors < 1:
            raise ValueError("a board has at least 2 rows, and at least 1 error loses")
        return cls((FREE * size,) * size, errors)

    def options(self) -> Options:
        if self._winner() is not None:
            return {}
        if self.hint is None:
            return {CHANCE: None}
        open_now = _claimed(self.board, FREE) & _fitting(len(self.board), self.hint)
        return {self.turn: [move for move, cell in _cells(len(self.board)) if cell & open_now]}

    def chance(self, rng: Random) -> Move:
        """A hint that some free cell fits; every cell is even or odd, so one comes soon."""
        size, free = len(self.board), _claimed(self.board, FREE)
        while True:
            move = _draw(rng, size)
            if free & _fitting(size, _drawn(move)):
                return move

    def after(self, seat: Seat, move: Move) -> Superply:
        if seat == CHANCE:
            return Superply(self.board, self.errors, self.errors_made, self.turn, _drawn(move), self.last, self.refused)
        row, column = (int(number) - 1 for number in move.split())
        claimed = self.board[row][:column] + MARKS[seat] + self.board[row][column + 1 :]
        board = (*self.board[:row], claimed, *self.board[row + 1 :])
        return Superply(board, self.errors, self.errors_made, 1 - seat, None, move)

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
        for seat in (0, 1):
            if self.errors_made[1 - seat] >= self.errors:
                return seat
        if self.hint is not None:  # none is drawn once somebody has joined
            return None
        last, size = 1 - self.turn, len(self.board)
        claims = _claimed(self.board, MARKS[last])
        return last if claims.bit_count() >= size and joined(claims, size, last) else None

    def read(self, seat: Seat, said: str) -> Move:
        pairs, words = PAIR.findall(said), outside_brackets(said, PAIR)
        if len(numbers := re.findall(NUMBER, words)) == 2:
            is_turned = [letter.casefold() for letter in NAMED.findall(words)] == ["c", "r"]
            pairs.append(numbers[::-1] if is_turned else numbers)
        cells = {f"{int(row)} {int(column)}" for row, column in pairs}
        if len(cells) != 1:
            raise Unreadable("Write the cell you claim as its row and its column, for example: 3 4")
        return cells.pop()

    def rules(self, language: Language = "en") -> str:
        size = len(self.board)
        return (
            f"Two players, Blue and Red, claim cells of a board with {size} rows and {size} columns, both numbered from 1; "
            "row 1 is at the top and column 1 at the left. Blue moves first, then they take turns.\n"
            "Blue wins by joining the left side with the right side through blue cells, Red by joining the top with the bottom "
            "through red cells. Cells are joined if they touch by a side or a corner.\n"
            "In your turn there is a hint, and you claim a free cell whose row and column fit it. A hint speaks of the row plus "
            "the column, the row times the column, or their difference (the larger minus the smaller), and says one thing of it: "
            "it is less than a number, greater than a number, contains a digit, is even, is odd, or lies between two numbers, "
            "both included. Luck draws which of these, a digit from 0 to 9 or a number from 0 to "
            f"{size * size}, all equally likely; "
            "of two numbers first the smaller, then one above it. A hint that no free cell fits is drawn again. "
            "After every claim there is a new hint.\n"
            "Choosing a cell that does not fit, is claimed already or is not on the board is an error: nothing is claimed, and "
            f"your opponent moves with the same hint. Whoever makes {self.errors} errors in all loses.\n"
            "Write the row and the column of your cell, for example: 3 4"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        other, (columns, rows, gap) = 1 - seat, _frame(len(self.board))
        lines = [
            f"You are {COLOURS[seat]} ({MARKS[seat]}): join {SIDES[seat]}. Your opponent is {COLOURS[other]} ({MARKS[other]}).",
            columns,
            *[row + gap.join(cells) for row, cells in zip(rows, self.board, strict=True)],
            f"Errors: you {self.errors_made[seat]}, your opponent {self.errors_made[other]}; {self.errors} lose.",
        ]
        if self.last:
            chooser = "Your opponent" if self.turn == seat else "You"
            lines.append(f"{chooser} chose {self.last}" + (", which was an error." if self.refused else "."))
        return "\n".join([*lines, *self._now(seat)])

    def _now(self, seat: Seat) -> list[str]:
        winner = self._winner()
        if winner is not None:
            return ["You have won." if winner == seat else "Your opponent has won."]
        whose = "your" if self.turn == seat else "your opponent's"
        return [f"It is {whose} turn.", f"Hint: {self.hint or 'not drawn yet'}."]

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        size, edge = len(self.board), 1.2
        far, width = edge + size, size + 2 * edge
        shapes: list[Shape] = [Box(x, edge, 0.25, size, fill="blue") for x in (edge - 0.25, far)]
        shapes += [Box(edge, y, size, 0.25, fill="red") for y in (edge - 0.25, far)]
        for i in range(size):
            shapes += [Label(x, edge + i + 0.5, str(i + 1)) for x in (0.5, width - 0.5)]
            shapes += [Label(edge + i + 0.5, y, str(i + 1)) for y in (0.5, width - 0.5)]
        for row, cells in enumerate(self.board):
            for column, mark in enumerate(cells):
                x, y, move = edge + column, edge + row, f"{row + 1} {column + 1}"
                open_now = mark == FREE and self.turn == seat and self.hint is not None
                shapes.append(Box(x, y, fill="mark" if move == self.last else "paper", click=move if open_now else ""))
                if mark == MARKS[0]:
                    shapes.append(Disc(x + 0.5, y + 0.5, fill="blue", text=mark))
                elif mark == MARKS[1]:
                    shapes.append(Box(x + 0.15, y + 0.15, 0.7, 0.7, fill="red", text=mark, colour="paper"))
        turn, *hint = self._now(seat)
        errors = f"Errors: you {self.errors_made[seat]}, opponent {self.errors_made[1 - seat]}; {self.errors} lose."
        captions = [*hint, f"You are {COLOURS[seat]} ({MARKS[seat]}). {turn}", errors]
        letter = min(0.5, width / 0.6 / max(map(len, captions)))
        shapes += [Label(0.2, width + letter * (1.6 * i + 0.8), line, letter, anchor="start") for i, line in enumerate(captions)]
        return Scene(width, width + 5 * letter, tuple(shapes))

    def search(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A fitting cell on a shortest way across, whatever the opponent does; else any that fits."""
        race = self._race(seat)
        wanted = sum(race.needs(seat))
        moves = list(self.options()[seat] or ())
        return rng.choice([move for move in moves if _bit(move, race.size) & wanted] or moves)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The cell after which the race is likeliest won: all are estimated, and the best are played out."""
        race = self._race(seat)

        def drawn(rng: Random) -> int:
            return _fitting(race.size, _drawn(_draw(rng, race.size)))

        moves = list(self.options()[seat] or ())
        hints = [drawn(rng) for _ in range(FORESEEN)]
        worth = {
            move: race.claim(_bit(move, race.size)).chance(hints) for move in rng.sample(moves, min(len(moves), max(1, budget)))
        }
        best = sorted(worth, key=worth.__getitem__, reverse=True)[:FINALISTS]
        if worth[best[0]] == 1.0:
            return best[0]
        won, tried = {move: TRUST * worth[move] for move in best}, dict.fromkeys(best, TRUST)
        share = min(budget - len(worth), PLAYED_OUT) // (len(best) - 1).bit_length() if len(best) > 1 else 0
        while len(best) > 1:  # each round spends its share on those left, and drops the worse half of them
            left = share
            while left > 0:
                for move in best:
                    wins, steps = race.claim(_bit(move, race.size)).play_out(rng, drawn)
                    won[move], tried[move], left = won[move] + wins, tried[move] + 1, left - steps
            best = sorted(best, key=lambda move: won[move] / tried[move], reverse=True)[: (len(best) + 1) // 2]
        return best[0]

    strategies = {"search": search, "oracle": oracle}

    def _race(self, seat: Seat) -> Race:
        blue, red = (_claimed(self.board, mark) for mark in MARKS)
        return Race(len(self.board), (blue, red), seat)


def _draw(rng: Random, size: int) -> Move:
    """Any hint, whether a cell fits it or not, as chance's move."""
    luck, numbers = rng.random, size * size + 1  # the limits that may come up: 0 to size * size
    kind = f"{KINDS_OF_NUMBER[int(luck() * len(KINDS_OF_NUMBER))]} "
    test = KINDS_OF_TEST[int(luck() * len(KINDS_OF_TEST))]
    if test == "between":
        low = int(luck() * (numbers - 1))
        return f"{kind}{test} {low} {low + 1 + int(luck() * (numbers - 1 - low))}"
    if test == "digit":
        return f"{kind}{test} {int(luck() * 10)}"
    return kind + test if test in ("even", "odd") else f"{kind}{test} {int(luck() * numbers)}"


@lru_cache(maxsize=1 << 14)
def _drawn(move: Move) -> Hint:
    """The hint that chance has drawn."""
    reckoning, test, *limits = move.split()
    return Hint(reckoning, test, tuple(map(int, limits)))  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _numbers(size: int, reckoning: str) -> dict[int, int]:
    """The cells whose row and column come to each number."""
    found: dict[int, int] = {}
    for index in range(size * size):
        row, column = divmod(index, size)
        number = {"sum": row + column + 2, "product": (row + 1) * (column + 1), "difference": abs(row - column)}[reckoning]
        found[number] = found.get(number, 0) | 1 << row * (size + 1) + column
    return found


@lru_cache(maxsize=1 << 14)
def _fitting(size: int, hint: Hint) -> int:
    return sum(cells for number, cells in _numbers(size, hint.reckoning).items() if hint.allows(number))


@lru_cache(maxsize=1 << 10)
def _claimed(board: tuple[str, ...], mark: str) -> int:
    """The cells with this mark."""
    return int(FREE.join(board)[::-1].translate(DIGITS[mark]), 2) & cells_of(len(board))


@lru_cache(maxsize=64)
def _frame(size: int) -> tuple[str, list[str], str]:
    """What stands around a written board: the line above it, the beginnings of its rows, and the gap between cells."""
    wide = len(str(size))
    numbers = [f"{number:>{wide}}" for number in range(1, size + 1)]
    gap = " " * wide
    return " ".join([gap, *numbers]), [number + gap for number in numbers], gap


@lru_cache(maxsize=64)
def _cells(size: int) -> list[tuple[Move, int]]:
    """The move that claims each cell, and the cell."""
    names = [f"{row} {column}" for row in range(1, size + 1) for column in range(1, size + 1)]
    return [(move, _bit(move, size)) for move in names]


def _bit(move: Move, size: int) -> int:
    row, column = map(int, move.split())
    return 1 << (row - 1) * (size + 1) + column - 1
