"""Reversi: given a board and who plays where, give the board after each round.

From LogicGame, with its sizes.  Family a starts a game on 4 x 4 squares, of 1 to 4 rounds; family b
joins one under way on 4, 6, 8 or 10 squares per side, for 1 or 2 rounds.
The paper's words on flipping pieces allow three readings.  Ours is the cascade: a flipped piece may
flip others, as in the paper's own worked example, and it agrees with every published result;
`flips="classic"` is the usual game, where only the placed piece flips others.
A piece may be placed on any empty square, whether or not it flips any.
The process is asked for at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from quandary.bases.process_questions import ProcessQuestion, process_shape, written_process
from quandary.bases.reversi import picture
from quandary.core.answers import Answer, Grid
from quandary.core.bounds import Between
from quandary.core.contract import Few, Language, Seat
from quandary.core.scene import Scene
from quandary.kit.json_answers import asked
from quandary.solvers.reversi import BLACK, EMPTY, WHITE, Board, Flips, Square, cells_of, images
from quandary.solvers.reversi_games import LARGEST, boards_after, guessed_boards, random_game, turns

MIXED = "half of the instances are of family a, which has few"
EXAMPLE = written_process([[["0", "1"], ["*", "*"]], [["0", "1"], ["*", "0"]]])


@dataclass(frozen=True)
class Reversi(ProcessQuestion):
    family: str
    flips: Flips
    board: Board  # before the first round
    yours: str  # your colour, "0" or "1"
    first: str  # the colour of the first round; colours alternate
    places: tuple[Square, ...]  # one per round

    version = 2
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
        "0": Few(7_500, MIXED, "at least"),
        **dict.fromkeys(("1", "2", "3"), Few(2_700, MIXED, "at least")),
        "0,family=a": Few(1, "one move from one start"),
        "0,family=b": Few(7_500, "positions after few moves are often drawn", "at least"),
        "1,family=a": Few(18, "two moves from one start"),
        "2,family=a": Few(11, "three moves from one start, with a cascade"),
        "3,family=a": Few(95, "four moves from one start, with a cascade"),
    }

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
        """A size or number of rounds that is not given is the usual one of the level and family."""
        family = family or cls.draw_family(rng)
        game = random_game(rng, family, level, size, rounds, flips, chained)
        return cls(family, flips, *game)

    def sibling(self, rng: Random, **level: Any) -> Reversi:
        return super().sibling(rng, **{**level, "flips": self.flips})

    def answer_shape(self) -> Answer:
        grid = Grid(len(self.board), len(self.board), BLACK + WHITE + EMPTY)
        return process_shape(grid, len(self.places))

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
        if self.family == "a":
            start = say(
                "The game starts on {size} x {size} squares, with 4 pieces in the centre.",
                size=size,
            )
        else:
            start = say("The game is under way on {size} x {size} squares.", size=size)
        if self.yours == BLACK:
            colours = say(
                "You play black (0), your opponent plays white (1). The board before round 1:"
            )
        else:
            colours = say(
                "You play white (1), your opponent plays black (0). The board before round 1:"
            )
        lines = [start, colours, *self.board]
        for turn in turns(self.first, self.places):
            values = turn.numbers()
            if turn.colour == self.yours:
                lines.append(say("Round {number}: you at ({row},{column})", **values))
            else:
                lines.append(say("Round {number}: your opponent at ({row},{column})", **values))
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The board before the first round; where a piece will be placed, its round stands."""
        say = self.say(language)
        caption = say("R1, R2, ... on yellow squares: the rounds in which pieces are placed.")
        return picture(self.board, turns(self.first, self.places), caption)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "good": say("the other squares of the board"),
            "ink": say("black pieces; white pieces are white"),
            "mark": say("squares where a piece will be placed, with its round"),
        }

    def process(self) -> Sequence[object]:
        boards = boards_after(self.board, self.first, self.places, self.flips)
        return [cells_of(board) for board in boards]

    def sample(self, rng: Random) -> str:
        return written_process(guessed_boards(self.board, self.first, self.places, rng))

    def alike(self, rng: Random) -> Reversi:
        """Turned or mirrored, in either colouring, and asked as either player."""
        board, first, places = rng.choice(images(self.board, self.first, self.places))
        return Reversi(self.family, self.flips, board, rng.choice((BLACK, WHITE)), first, places)

    def canonical(self) -> Hashable:
        return self.flips, *min(images(self.board, self.first, self.places))
