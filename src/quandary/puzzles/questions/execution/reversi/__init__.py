"""Reversi: given a board and who plays where, give the board after each round.

From LogicGame.  Family a starts a game: at levels 0 and 1 of 1 and 2 rounds on 4 x 4 squares, as in
the paper; at levels 2 and 3 of 7 rounds on 6 x 6 and 8 x 8 squares, because the paper's 3 and 4
rounds allow few games.  Family b joins one under way, with the paper's sizes: 4, 6, 8 or 10 squares
per side, and 1 or 2 rounds.
The paper's words on flipping pieces allow three readings.  Ours is the cascade: a flipped piece may
flip others, as in the paper's own worked example, and it agrees with every published result;
`flips="classic"` is the usual game, where only the placed piece flips others.
A piece may be placed on any empty square, whether or not it flips any.
The process is asked for at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Self

from quandary.core.answers import Answer, Grid, JsonObject, ListOf
from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, EarlierVersions, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import written

from .solver.board import BLACK, EMPTY, WHITE, Board, Flips, Square, images
from .solver.games import LARGEST, boards_after, random_game, turns

MIXED = "half of the instances are of family a, which has few"
PIECES = {BLACK: "ink", WHITE: "paper", EMPTY: ""}  # colours in the picture
CHAINED = (False, False, True, True)
USUAL = ("cascade",) * 4


@dataclass(frozen=True)
class Reversi(EarlierVersions, Worked):
    flips: Annotated[
        Flips, Doc("whether flipped pieces flip others in turn (cascade) or not (classic)")
    ]
    board: Annotated[Board, Doc("the rows before the first round: 0 black, 1 white, * empty")]
    yours: Annotated[str, Doc("your colour, 0 or 1")]
    first: Annotated[str, Doc("the colour of the first round; colours alternate")]
    places: Annotated[tuple[Square, ...], Doc("the place of each round, as row and column from 1")]

    version = 3
    families = {
        "a": "a game from its start, with four pieces in the centre",
        "b": "a game under way, on boards that grow with the level",
    }
    sizes = {
        "a": grown(size=(4, 4, 6, 8), rounds=(1, 2, 7, 7), flips=USUAL, chained=CHAINED),
        "b": grown(size=(4, 6, 8, 10), rounds=(1, 2, 2, 2), flips=USUAL, chained=CHAINED),
    }
    distinct_instances = {
        "0": InstanceCount(7_500, MIXED, "at least"),
        "1": InstanceCount(2_700, MIXED, "at least"),
        "0,family=a": InstanceCount(1, "one move from one start"),
        "0,family=b": InstanceCount(7_500, "positions after few moves are often drawn", "at least"),
        "1,family=a": InstanceCount(18, "two moves from one start"),
    }

    @classmethod
    def upgraded(cls, fields: dict[str, Any], version: int) -> dict[str, Any]:
        """With the level, which versions 1 and 2 did not store.

        Their levels had one more round in family a, and boards larger by two in family b.
        """
        rounds, size = len(fields["places"]), len(fields["board"])
        level = rounds - 1 if fields["family"] == "a" else (size - 4) // 2
        return {"level": min(max(level, 0), 3), **fields}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(4, LARGEST)],
        rounds: Annotated[int, Between(1)],
        flips: Flips,
        chained: bool,
    ) -> Self | None:
        """`chained`: in one of the rounds, a flipped piece flips others."""
        if size % 2:
            raise ValueError(f"{size} x {size} squares have no centre; take an even size")
        if rounds > size * size - 4:
            raise ValueError(
                f"{size} x {size} squares have no room; take fewer than {rounds} rounds"
            )
        chained = chained and flips == "cascade"
        game = random_game(rng, size, rounds, family == "b", flips, chained)
        return cls(family, level, flips, *game) if game else None

    def redraw(self, rng: Random, **sizes: Any) -> Self | None:
        return super().redraw(rng, **{**sizes, "flips": self.flips})

    def rules_in_play(self) -> Sequence[Hashable]:
        return ("cascade",) if self.flips == "cascade" else ()

    def work(self, without: Hashable = None) -> Work:
        flips = "classic" if without == "cascade" else self.flips
        boards = boards_after(self.board, self.first, self.places, flips)
        return Work.of_steps(map(written, boards))

    def answer_shape(self) -> Answer:
        grid = Grid(len(self.board), len(self.board), BLACK + WHITE + EMPTY)
        return JsonObject({"answer": grid, "process": ListOf(grid, count=len(self.places))})

    def explain(self, say: Say) -> str:
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
                "and both its diagonals. Wherever one or more pieces of the other colour follow "
                "directly, without a gap, and right behind them stands a piece of the player's "
                "colour, all pieces in between flip: they change to the player's colour. For "
                "example, black on the last square of the row 011* makes it 0000."
            ),
            say(
                "Then look in the same way from every piece that has just flipped, on the board "
                "as it is by then, and so on until no more pieces flip; all of this is part of the "
                "same round. Pieces of the other colour that are enclosed only by two pieces that "
                "were already the player's before the round stay as they are."
            )
            if self.flips == "cascade"
            else say(
                "All directions are judged by the board as it was right after the piece was "
                "placed. Flipped pieces do not flip others."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the board after the last round, as a list of rows from top to bottom, each of "
                'them a list of the strings "0", "1" and "*".'
            ),
            say(
                "the list of the boards after each round, in order, each written in the same way. "
                "One board per round; a round without flips is listed too. The board before the "
                "first round is not included."
            ),
            Work.of_steps([[["0", "1"], ["*", "*"]], [["0", "1"], ["*", "0"]]]),
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
        """Return the board before the first round; where a piece will be placed, its round
        stands.
        """
        say = self.say(language)
        caption = say("R1, R2, ... on yellow squares: the rounds in which pieces are placed.")
        cells = [[Cell(at.strip(EMPTY), "good", PIECES[at]) for at in row] for row in self.board]
        for number, colour, (row, column) in turns(self.first, self.places):
            cells[row - 1][column - 1] = Cell(f"R{number}", "mark", PIECES[colour])
        width = max(len(cells) + 0.7, 7)
        return stack(board(cells, first=1), captions(caption, colour="quiet", width=width))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "good": say("the other squares of the board"),
            "ink": say("black pieces; white pieces are white"),
            "mark": say("squares where a piece will be placed, with its round"),
        }

    def equivalent(self, rng: Random) -> Self:
        """Turned or mirrored, in either colouring, and asked as either player."""
        laid, first, places = rng.choice(images(self.board, self.first, self.places))
        yours = rng.choice((BLACK, WHITE))
        return replace(self, board=laid, yours=yours, first=first, places=places)

    def canonical(self) -> Hashable:
        return self.flips, *min(images(self.board, self.first, self.places))
