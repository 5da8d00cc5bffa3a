"""Pooling: a window moves over a grid of numbers, and the largest or the average is taken.

From LogicGame, with its sizes.  The window moves by one cell, as in all published grids.  Averages
are whole numbers: the last cell of each window is lowered until its sum can be divided.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import IMAGES, board_of, shown, written

NUMBERS = range(-9, 100)  # those that are drawn
SIZES = grown(size=(3, 4, 5, 6), window=(2, 2, 3, 3))


@dataclass(frozen=True)
class Pooling(Worked):
    grid: Annotated[tuple[tuple[int, ...], ...], Doc("the numbers, row by row")]
    window: Annotated[int, Doc("cells per side of the window")]

    families = {
        "a": "the largest number under a window",
        "b": "the average of the numbers under a window",
    }
    sizes = {"a": SIZES, "b": SIZES}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(3, 20)],
        window: Annotated[int, Between(2, 10)],
    ) -> Self | None:
        if window >= size:
            raise ValueError(
                f"a window of {window} is too large for a size of {size}; take a larger size"
            )
        rows = [rng.choices(NUMBERS, k=size) for _ in range(size)]
        if family == "b":
            _make_averages_whole(rows, window)
        made = cls(family, level, board_of(rows), window)
        return made if len(set(made.work().process)) > 1 else None

    def work(self, without: Hashable = None) -> Work:
        if self.family == "a":
            new = _pooled(self.grid, self.window, max)
        else:
            area = self.window**2
            sums = _pooled(self.grid, self.window, sum)
            new = [[total // area for total in row] for row in sums]
        answer = written(new)
        return Work(answer, [text for row in answer for text in row])

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Every cell of a square grid holds a number. A smaller square window lies on the "
                "grid and covers whole cells. It starts in the top left corner and moves by one "
                "cell at a time: to the right until it touches the right edge, then again from the "
                "left edge, one row lower, and so on until it has been in the bottom right corner. "
                "It never reaches over an edge."
            ),
            say(
                "At each position of the window, take the largest of the numbers that it covers "
                "(max pooling). The results form a new grid: each pass of the window from left to "
                "right gives one row, and the topmost pass gives the first row. For example, with "
                "a window of 2 x 2 cells, the grid 1 0 2 / 3 4 1 / 0 2 6 (where / separates rows) "
                "becomes 4 4 / 4 6."
            )
            if self.family == "a"
            else say(
                "At each position of the window, take the average of the numbers that it covers "
                "(average pooling): their sum divided by how many there are. Here the average is "
                "always a whole number. The results form a new grid: each pass of the window from "
                "left to right gives one row, and the topmost pass gives the first row. For "
                "example, with a window of 2 x 2 cells, the grid 1 3 2 / 4 0 3 / 5 -1 2 (where / "
                "separates rows) becomes 2 2 / 2 1."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the new grid, as a list of rows from top to bottom, each of them a list of "
                'numbers written as strings, such as "7" or "-7".'
            ),
            say(
                "the list of the results in the order in which the window moves, as strings: the "
                "numbers of the new grid row by row, all in one list."
            ),
            Work([["3", "0"], ["-1", "3"]], ["3", "0", "-1", "3"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(self._window(say), say("The grid:"), shown(self.grid))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        first = range(self.window)
        cells = [
            [Cell(str(number), "mark" if x in first and y in first else None) for x, number in line]
            for y, line in enumerate(map(enumerate, self.grid))
        ]
        window = self._window(self.say(language))
        return stack(board(cells), captions(window, width=max(len(cells), 7)))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the first position of the window")}

    def equivalent(self, rng: Random) -> Self:
        return replace(self, grid=rng.choice(IMAGES).board(self.grid))

    def canonical(self) -> Hashable:
        return self.family, self.window, min(image.board(self.grid) for image in IMAGES)

    def _window(self, say: Say) -> str:
        return say("The window has {window} x {window} cells.", window=self.window)


def _pooled(
    grid: Sequence[Sequence[int]], window: int, join: Callable[[Sequence[int]], int]
) -> list[list[int]]:
    """Return what `join` makes of each window, first along the rows and then down the columns.

    The largest of the largest is the largest, and sums add up likewise.
    """
    starts = range(len(grid) - window + 1)
    along = [[join(row[x : x + window]) for x in starts] for row in grid]
    return [list(map(join, zip(*along[y : y + window], strict=True))) for y in starts]


def _make_averages_whole(rows: list[list[int]], window: int) -> None:
    """Lower the bottom right cell of each window, which no earlier window covers."""
    ends, area = range(window, len(rows) + 1), window**2
    for bottom in ends:
        for right in ends:
            covered = [row[right - window : right] for row in rows[bottom - window : bottom]]
            rows[bottom - 1][right - 1] -= sum(map(sum, covered)) % area
