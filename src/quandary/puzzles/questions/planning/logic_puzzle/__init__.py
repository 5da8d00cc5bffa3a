"""Logic puzzle: choose cells with different numbers so that every row and column keeps a rule.

From LogicGame, with its sizes.  In families a and b the sums of rows and columns are bounded; in
family c their products are greater than 0, where two or more numbers are chosen: without this
exemption, which the published prompts lack, hardly anything could be chosen.  A grid of family c
holds only the numbers that are to be chosen, and exactly one choice is right in all families.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Annotated, Self

from quandary.core.boards import Cell, board
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import Place, shown

from .solver import Grid, canonical, choices, drawn, only_choice, rearranged

LEAST_BOUND = 4  # of sums, which are otherwise bounded by the greatest number
GROWING = {"size": (2, 3, 4, 5), "count": (3, 4, 6, 8)}
NEGATIVE = {3: 3, 4: 2, 6: 2, 8: 4}  # of so many numbers, in family c
FEW = "few ways to fill a small grid, whose lines may stand in any order"


@dataclass(frozen=True)
class LogicPuzzle(Worked):
    grid: Annotated[Grid, Doc("the numbers, row by row")]
    bound: Annotated[
        int | None, Doc("the greatest sum of a row or column, null where products count")
    ]
    told: Annotated[
        tuple[tuple[int, Place], ...], Doc("numbers that are chosen, with row and column from 0")
    ]

    families = {
        "a": "sums are bounded, and one chosen cell is given",
        "b": "sums are bounded, and from level 2 on two chosen cells are given",
        "c": "products are greater than 0, and cells are named from the bottom left",
    }
    sizes = {
        "a": grown(**GROWING, told=(1, 1, 1, 1)),
        "b": grown(**GROWING, told=(1, 1, 2, 2)),
        "c": grown(**GROWING, told=(1, 1, 1, 1)),
    }
    without_process = dict.fromkeys("abc", (0,))
    distinct_instances = {
        "0": InstanceCount(16, FEW),
        "0,family=a": InstanceCount(7, FEW),
        "0,family=b": InstanceCount(7, FEW),
        "0,family=c": InstanceCount(9, FEW),
        "1": InstanceCount(8_601, FEW),
        "1,family=a": InstanceCount(3_059, FEW),
        "1,family=b": InstanceCount(3_059, FEW),
        "1,family=c": InstanceCount(5_542, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, 6)],
        count: Annotated[int, Between(3, 9)],
        told: Annotated[int, Between(1, 3)],
    ) -> Self | None:
        """Plant a choice, and change numbers until no other one fits."""
        if count > size * size:
            raise ValueError(f"{count} cells cannot be chosen from {size} x {size}")
        if told >= count:
            raise ValueError(f"at most {count - 1} of {count} chosen cells can be told")
        if family == "b":
            rng.random()  # else the same seeds would ask the same as in family a at levels 0 and 1
        bound = None if family == "c" else max(count, LEAST_BOUND)
        found = drawn(rng, size, _numbers(family, count), bound, told)
        return found and cls(family, level, found[0], bound, tuple(found[1].items()))

    def work(self, without: Hashable = None) -> Work:
        chosen = next(choices(self.grid, self.bound, dict(self.told)))
        return Work.repeated([self._named(chosen[number]) for number in sorted(chosen)])

    def is_unique(self) -> bool:
        """Return whether exactly one choice is right."""
        return only_choice(self.grid, self.bound, dict(self.told)) is not None

    def _named(self, place: Place) -> list[str]:
        """Return a cell as it is written: row and column, or in family c x and y."""
        row, column = place
        pair = (column + 1, len(self.grid) - row) if self.bound is None else (row + 1, column + 1)
        return list(map(str, pair))

    @property
    def _count(self) -> int:
        """How many cells are chosen: each number once."""
        return len(set(chain(*self.grid)))

    def explain(self, say: Say) -> str:
        count = self._count
        choose = say(
            "The grid holds exactly {count} different numbers. Choose {count} cells so that each "
            "of these numbers is chosen exactly once. The cells that are already chosen count "
            "among them.",
            count=count,
        )
        once = say("Exactly one choice is right.")
        if self.bound is None:
            return say.lines(
                choose,
                say(
                    "If two or more cells of a row or column are chosen, the product of the "
                    "numbers in them must be greater than 0. There is no rule for a row or column "
                    "with only one chosen cell, whose number may be negative."
                ),
                say(
                    "A cell is named by x and y: x counts the columns from the left, y counts the "
                    "rows from the bottom, both from 1, so (1,1) is the bottom left cell."
                ),
                once,
            )
        return say.lines(
            choose,
            say(
                "In every row and in every column, the sum of the chosen numbers must be at most "
                "{bound}.",
                bound=self.bound,
            ),
            say(
                "A cell is named by its row and its column: rows are counted from the top, columns "
                "from the left, both from 1, so (1,1) is the top left cell."
            ),
            once,
        )

    def words(self, say: Say) -> Words:
        if self.bound is None:
            answer = say(
                "the list of the chosen cells, ordered by the numbers in them, from the smallest "
                "to the largest. Each cell is a list of two strings, its x and its y."
            )
        else:
            answer = say(
                "the list of the chosen cells, ordered by the numbers in them, from the smallest "
                "to the largest. Each cell is a list of two strings, its row and its column."
            )
        example = Work.repeated([["2", "2"], ["1", "1"]])
        return Words(answer, say('a copy of "answer".'), example)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        lines = [
            say(
                "The number {number} in the cell ({cell}) is already chosen.",
                number=number,
                cell=cell,
            )
            for number, place in self.told
            for cell in [",".join(self._named(place))]
        ]
        return say.lines(shown(self.grid), *lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the grid with the names of its lines; told cells are marked."""
        known = {place for _, place in self.told}
        names = [str(line) for line in range(1, len(self.grid) + 1)]
        rows = [
            [
                Cell(str(number), "mark" if (row, column) in known else "paper")
                for column, number in enumerate(numbers)
            ]
            for row, numbers in enumerate(self.grid)
        ]
        rows_named = names[::-1] if self.bound is None else names
        return board(rows, row_names=rows_named, column_names=names)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("cells that are already chosen")}

    def equivalent(self, rng: Random) -> Self:
        """With lines in another order, and perhaps rows and columns exchanged."""
        grid, known = rearranged(rng, self.grid, dict(self.told))
        return replace(self, grid=grid, told=tuple(known.items()))

    def canonical(self) -> Hashable:
        numbers = tuple(sorted(set(chain(*self.grid))))
        form = canonical(self.grid, dict(self.told))
        return self.asks_process, self.bound, numbers, *form


def _numbers(family: str, count: int) -> list[int]:
    """Return the numbers that are to be chosen."""
    if family != "c":
        return list(range(1, count + 1))
    negative = NEGATIVE.get(count, count // 4 * 2)
    return [*range(-negative, 0), *range(1, count - negative + 1)]
