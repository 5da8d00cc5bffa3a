"""Matrix transformation: a matrix of letters is turned clockwise, or mirrored left to right.

From LogicGame, with its sizes.  A matrix is drawn without symmetry, so that turning it the other
way or mirroring it top to bottom never gives the right answer.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from random import Random
from string import ascii_uppercase
from typing import Annotated, Self

from quandary.core.boards import board
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import (
    IMAGES,
    board_of,
    flipped,
    mirrored,
    shown,
    turned,
    written,
)

Side = Annotated[int, Between(2, 20)]


@dataclass(frozen=True)
class MatrixTransformation(Worked):
    matrix: Annotated[tuple[str, ...], Doc("the rows of letters, each as a string")]

    families = {
        "a": "turned clockwise by 90 degrees",
        "b": "mirrored left to right",
    }
    sizes = {
        "a": grown(rows=(2, 4, 5, 8), columns=(2, 4, 5, 5)),
        "b": grown(rows=(2, 3, 5, 5), columns=(2, 4, 5, 8)),
    }
    without_process = {"a": (0,), "b": (0,)}

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, rows: Side, columns: Side
    ) -> Self | None:
        matrix = tuple("".join(rng.choices(ascii_uppercase, k=columns)) for _ in range(rows))
        if len({image.board(matrix) for image in IMAGES}) < len(IMAGES):
            return None
        return cls(family, level, matrix)

    def work(self, without: Hashable = None) -> Work:
        made = turned(self.matrix) if self.family == "a" else mirrored(self.matrix)
        return Work.repeated(written(made))

    def explain(self, say: Say) -> str:
        if self.family == "a":
            return say(
                "Turn a matrix of letters clockwise by 90 degrees. Its first row, read from left "
                "to right, becomes the last column, read from top to bottom; the second row "
                "becomes the last column but one, and so on. For example, the matrix "
                "a b c / d e f (where / separates rows) becomes d a / e b / f c."
            )
        return say(
            "Mirror a matrix of letters left to right. The rows stay in their places; in each row, "
            "the letters are written in reverse order. For example, the matrix a b c / d e f "
            "(where / separates rows) becomes c b a / f e d."
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the new matrix, as a list of rows from top to bottom, each of them a list of "
                "strings with one letter each, from left to right."
            ),
            say("the new matrix once more, written in the same way."),
            Work.repeated([["P", "Q"], ["R", "S"]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(say("The matrix:"), shown(self.matrix))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return board([list(row) for row in self.matrix])

    def equivalent(self, rng: Random) -> Self:
        return replace(self, matrix=rng.choice(self._images()))

    def canonical(self) -> Hashable:
        return self.family, self.asks_process, min(self._images())

    def _images(self) -> list[tuple[str, ...]]:
        """Return the matrix laid in ways that make no difference: turned, or mirrored along the
        axes.
        """
        laid = board_of(self.matrix)
        if self.family == "a":
            images = [turned(laid, quarters) for quarters in range(4)]
        else:
            images = [laid, mirrored(laid), flipped(laid), turned(laid, 2)]
        return [tuple(map("".join, image)) for image in images]
