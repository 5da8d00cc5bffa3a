"""Reversi: given a board and who plays where, give the board after each round.

From LogicGame, with its sizes.  Family a starts a game on 4 x 4 squares, of 1 to 4 rounds; family b
continues a game on 4, 6, 8 or 10 squares per side, for 1 or 2 rounds.
The paper's rule on flipping pieces allows three readings.  Ours is the cascade: a flipped piece may
flip others, as in the paper's own worked example, and it agrees with every published result;
`flips="classic"` is the usual game, where only the placed piece flips others.
A piece may be placed on any empty square, whether or not it flips any.
The process is asked for at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Annotated, Any

from quandary.core.answers import Answer, Grid, JsonObject, ListOf
from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.kit.json_answers import asked, judge_json, written
from quandary.solvers.reversi import (
    BLACK,
    EMPTY,
    OTHER,
    WHITE,
    Board,
    Flips,
    Square,
    after,
    cells_of,
    flips_pieces,
    least_image,
    opening,
    played,
)

PIECES = {BLACK: "ink", WHITE: "paper", EMPTY: ""}  # colours in the picture
LARGEST = 26  # squares per side
TRIES = 5_000  # games that are tried for an instance; the rarest kind is one in thirty
SIZES = {  # family -> squares per side and rounds, per level
    "a": ((4, 1), (4, 2), (4, 3), (4, 4)),
    "b": ((4, 1), (6, 2), (8, 2), (10, 2)),
}
MIXED = "half of the instances are of family a, which has few"
EXAMPLE = written([["0", "1"], ["*", "0"]], [[["0", "1"], ["*", "*"]], [["0", "1"], ["*", "0"]]])


@dataclass(frozen=True)
class Reversi(Question):
    family: str
    flips: Flips
    board: Board  # before the first round
    yours: str  # your colour, "0" or "1"
    first: str  # the colour of the first round; colours alternate
    places: tuple[Square, ...]  # one per round

    families = {
        "a": "a game from its start, with four pieces in the centre",
        "b": "a game under way, on boards that grow with the level",
    }
    levels = {
        "0": {"level": 0},
        "1": {"level": 1},
        "2": {"level": 2, "chained": True},
        "3": {"level": 3, "chained": True},
    }
    small = {
        **dict.fromkeys(levels, MIXED),
        "0,family=a": "there are only 32",
        "1,family=a": "there are only 576",
        "2,family=a": "there are only 352",
        "3,family=a": "there are about 3,000",
    }
    form = "json"

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        level: Annotated[int, Between(0, 3)] = 0,
        family: str | None = None,
        size: Annotated[int, Between(4, LARGEST)] | None = None,
        rounds: Annotated[int, Between(1)] | None = None,
        flips: Flips = "cascade",
        chained: bool = False,
    ) -> Reversi:
        """Half of the rounds or more flip pieces; `chained` adds a flipped piece that flips others.

        A size or number of rounds that is not given is the one of the level and family in SIZES.
        """
        family = family or cls.draw_family(rng)
        usual_size, usual_rounds = SIZES[family][level]
        size, rounds = size or usual_size, rounds or usual_rounds
        room = size * size - 4 - rounds  # squares left for earlier moves
        if size % 2:
            raise ValueError(f"{size} x {size} squares have no centre; take an even size")
        if room < 0:
            raise ValueError(
                f"{size} x {size} squares have no room; take fewer than {rounds} rounds"
            )
        chained = chained and flips == "cascade"
        eager = 0.3 if chained and family == "a" else 0.8  # early cascades need quiet moves
        for attempt in range(TRIES):
            if attempt % 10 == 0:  # a start position costs more than the rounds from it
                earlier = rng.randint(min(2, room), min(2 * size, room)) if family == "b" else 0
                centre, starter = opening(size, rng), rng.choice((BLACK, WHITE))
                start, first, _ = played(centre, starter, earlier, flips, eager, rng)
            _, _, places = played(start, first, rounds, flips, eager, rng)
            question = cls(family, flips, start, rng.choice((BLACK, WHITE)), first, places)
            if question._is_lively(chained):
                return question
        raise ValueError(
            f"no cascade was found in {rounds} rounds on {size} x {size} squares; take more rounds"
        )

    def sibling(self, rng: Random, **level: Any) -> Reversi:
        return super().sibling(rng, **{**level, "flips": self.flips})

    def answer_shape(self) -> Answer:
        grid = Grid(len(self.board), len(self.board), BLACK + WHITE + EMPTY)
        return JsonObject({"answer": grid, "process": ListOf(grid, count=len(self.places))})

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        answer = say(
            "the board after the last round: a list of rows from top to bottom, each of them a "
            'list of the strings "0", "1" and "*".'
        )
        process = say(
            "the list of the boards after each round, in order, each written in the same way. The "
            "board before the first round is not included; the board after the last round is."
        )
        return say.lines(
            say(
                "Two players take turns to place pieces on a square board, one piece per round, "
                "and some pieces change colour. Work out the board after each round.\n"
                "A black piece is written 0, a white piece 1, an empty square *. "
                "A square is written (row, column): rows count from the top, columns from the "
                "left, both from 1.\n"
                "In each round, the player whose turn it is places a piece of their own colour on "
                "the given empty square. This is allowed whether or not it flips any pieces.\n"
                "Then look from the new piece in all eight directions, along its row, its column "
                "and both its diagonals. Wherever an unbroken line of one or more pieces of the "
                "other colour is directly followed by a piece of the player's colour, all pieces "
                "between the two flip: they change to the player's colour. For example, black on "
                "the last square of the row 011* makes it 0000."
            ),
            say(
                "Then look in the same way from every piece that has just flipped, on the board "
                "as it is by then, and so on until no more pieces flip; all of this is part of the "
                "same round. Pieces that stand only between two pieces which were there before the "
                "round and did not flip in it stay as they are."
            )
            if self.flips == "cascade"
            else say(
                "All directions are judged by the board as it was right after the piece was "
                "placed. Flipped pieces do not flip others."
            ),
            asked(language, EXAMPLE, answer, process),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, size = self.say(language), len(self.board)
        lines = [
            say(
                "The game starts on {size} x {size} squares, with 4 pieces in the centre.",
                size=size,
            )
            if self.family == "a"
            else say("The game is under way on {size} x {size} squares.", size=size),
            say("You play black (0), your opponent plays white (1). The board before round 1:")
            if self.yours == BLACK
            else say(
                "You play white (1), your opponent plays black (0). The board before round 1:"
            ),
            *self.board,
        ]
        for number, (colour, (row, column)) in enumerate(self._rounds(), start=1):
            values = {"number": number, "row": row, "column": column}
            lines.append(
                say("Round {number}: you at ({row},{column})", **values)
                if colour == self.yours
                else say("Round {number}: your opponent at ({row},{column})", **values)
            )
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The board before the first round, with the numbers of the rounds on their squares."""
        say, size = self.say(language), len(self.board)
        cells = [[Cell(at.strip(EMPTY), "good", PIECES[at]) for at in row] for row in self.board]
        for number, (colour, (row, column)) in enumerate(self._rounds(), start=1):
            cells[row - 1][column - 1] = Cell(str(number), "mark", PIECES[colour])
        legend = say("On yellow squares: the round in which a piece is placed.")
        return stack(board(cells, first=1), captions(legend, colour="quiet", width=size + 0.7))

    def boards(self) -> list[Board]:
        """The board after each round."""
        boards = [self.board]
        for colour, place in self._rounds():
            boards.append(after(boards[-1], colour, place, self.flips))
        return boards[1:]

    def check(self, answer: str, language: Language = "en") -> Verdict:
        boards = [cells_of(board) for board in self.boards()]
        return judge_json(answer, boards[-1], boards, language)

    def solution(self) -> str:
        boards = [cells_of(board) for board in self.boards()]
        return written(boards[-1], boards)

    def sample(self, rng: Random) -> str:
        """The boards if in each round one random piece flips."""
        guesses = [cells_of(self.board)]
        for colour, (row, column) in self._rounds():
            cells = [list(row) for row in guesses[-1]]
            rivals = [
                (y, x)
                for y, row in enumerate(cells)
                for x, at in enumerate(row)
                if at == OTHER[colour]
            ]
            for y, x in [(row - 1, column - 1), *rng.sample(rivals, min(1, len(rivals)))]:
                cells[y][x] = colour
            guesses.append(cells)
        return written(guesses[-1], guesses[1:])

    def canonical(self) -> Hashable:
        """Equal for rotated, mirrored and recoloured boards; `yours` does not matter."""
        return (self.flips, least_image(self.board, self.first, self.places))

    def _rounds(self) -> list[tuple[str, Square]]:
        """The colour and the square of each round."""
        colours = (self.first, OTHER[self.first])
        return [(colours[number % 2], place) for number, place in enumerate(self.places)]

    def _is_lively(self, chained: bool) -> bool:
        """Whether half of the rounds flip pieces and, if `chained`, one of them is a cascade."""
        flipping = chains = 0
        boards = pairwise([self.board, *self.boards()])
        for (colour, place), (before, now) in zip(self._rounds(), boards, strict=True):
            flipping += flips_pieces(before, now, colour)
            chains += after(before, colour, place, "classic") != now
        return flipping >= max(1, len(self.places) // 2) and (chains > 0 or not chained)
