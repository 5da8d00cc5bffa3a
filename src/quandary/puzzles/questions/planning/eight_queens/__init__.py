"""Eight queens: place the missing queens so that none attacks another.

From LogicGame, with its sizes: boards of 3 x 2, 4 x 4, 6 x 6 and 8 x 8 cells.  In family b some
cells are forbidden; as far as possible, not all of them are cells that given queens attack anyway.
Without them several placements are possible at level 3.  On smaller boards that cannot be, because
no two placements share a queen.  Published prompts do not say whether X stays X in the answer; in
ours it does.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Self

from quandary.algorithms.entailment import UNKNOWN
from quandary.core.boards import Cell, board
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, PartlyGiven, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import (
    IMAGES,
    Board,
    Place,
    board_of,
    places,
    places_of,
    shown,
    with_cells,
    written,
)

from .solver import LARGEST, fitting, open_places, placements

EMPTY, QUEEN, FORBIDDEN = "0", "1", "X"
FEW = "few placements of queens on a small board, which can be turned and mirrored"
GROWING = {"rows": (3, 4, 6, 8), "columns": (2, 4, 6, 8), "given": (1, 1, 3, 4)}


@dataclass(frozen=True)
class EightQueens(PartlyGiven, Worked):
    board: Annotated[Board[str], Doc("the rows: 1 a queen, 0 an empty cell, X a forbidden cell")]

    families = {
        "a": "a board without forbidden cells",
        "b": "a board with forbidden cells",
    }
    sizes = {
        "a": grown(**GROWING, forbidden=(0, 0, 0, 0)),
        "b": grown(**GROWING, forbidden=(1, 2, 2, 3)),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(5, FEW),
        "0,family=a": InstanceCount(1, FEW),
        "0,family=b": InstanceCount(4, FEW),
        "1": InstanceCount(31, FEW),
        "1,family=a": InstanceCount(1, FEW),
        "1,family=b": InstanceCount(30, FEW),
        "2": InstanceCount(551, FEW),
        "2,family=a": InstanceCount(10, FEW),
        "2,family=b": InstanceCount(541, FEW),
        "3": InstanceCount(415_429, "half of all draws are of family a, which has few instances"),
        "3,family=a": InstanceCount(709, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        rows: Annotated[int, Between(2, LARGEST)],
        columns: Annotated[int, Between(2, LARGEST)],
        given: Annotated[int, Between(1, LARGEST)],
        forbidden: Annotated[int, Between(0, LARGEST)],
    ) -> Self | None:
        """Return some queens of a random placement and some cells without one, if nothing else
        fits.
        """
        _check_sizes(family, rows, columns, given, forbidden)
        placement = rng.choice(placements(rows, columns))
        empty = board_of([EMPTY] * columns for _ in range(rows))
        queens = rng.sample(sorted(placement), given)
        free = [place for place in places(empty) if place not in placement]
        marked = rng.sample(free, forbidden)
        open_ = open_places(free, queens)
        if marked and open_ and open_.isdisjoint(marked):
            return None
        cells = dict.fromkeys(queens, QUEEN) | dict.fromkeys(marked, FORBIDDEN)
        made = cls(family, level, with_cells(empty, cells))
        return made if made.is_unique() and made.uses_every_rule() else None

    def is_unique(self) -> bool:
        """Return whether the queens can be completed in one way."""
        return len(self._fitting()) == 1

    def rules_in_play(self) -> Sequence[Hashable]:
        """That cells are forbidden, where boards are large enough for that to matter."""
        return (FORBIDDEN,) if (self.family, self.level) == ("b", 3) else ()

    def uses_every_rule(self) -> bool:
        return all(len(self._fitting(without=rule)) > 1 for rule in self.rules_in_play())

    def work(self, without: Hashable = None) -> Work:
        """Return an asterisk stands for a cell that is not the same in all placements that fit."""
        found = self._fitting(without)
        if not found:
            raise ValueError("no placement fits")
        always, sometimes = frozenset.intersection(*found), frozenset.union(*found)
        cells = dict.fromkeys(sometimes, UNKNOWN) | dict.fromkeys(always, QUEEN)
        answer = written(with_cells(self.board, cells))
        return Work.repeated(answer)

    def given_parts(self) -> Mapping[str, str]:
        shown = "\n".join(" ".join(row) for row in self.board)
        return {field.name: shown for field in self.answer_shape().form()}

    def _fitting(self, without: Hashable = None) -> list[frozenset[Place]]:
        forbidden = [] if without == FORBIDDEN else places_of(self.board, FORBIDDEN)
        return fitting(*_size(self.board), places_of(self.board, QUEEN), forbidden)

    def accepts_as_published(self, answer: Any) -> bool:
        """Published prompts do not say whether a forbidden cell is written X or 0."""
        right = self.work().answer
        return len(answer) == len(right) and all(map(_is_alike, answer, right))

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Some queens stand on a board. Put more queens on empty cells, at most one per "
                "cell, until the board has the stated number of queens. No two queens may be in "
                "the same row, in the same column or on the same diagonal, however far apart they "
                "are. Diagonals in both directions and of any length count. The queens that are "
                "given stay where they are."
            ),
            self._cells(say),
            say("There is exactly one solution."),
        )

    def _cells(self, say: Say) -> str:
        if self.family == "a":
            return say("On the board, 1 is a cell with a queen and 0 is an empty cell.")
        return say(
            "On the board, 1 is a cell with a queen, 0 is an empty cell and X is a forbidden cell, "
            "on which no queen may be put. The rule for two queens also holds if forbidden cells "
            "lie between them."
        )

    def words(self, say: Say) -> Words:
        if self.family == "a":
            answer = say(
                "the board with all queens, as a list of its rows from top to bottom, each of them "
                "a list of strings from left to right: 1 for a cell with a queen and 0 for any "
                "other cell."
            )
        else:
            answer = say(
                "the board with all queens, as a list of its rows from top to bottom, each of them "
                "a list of strings from left to right: 1 for a cell with a queen, X for a "
                "forbidden cell, which stays X, and 0 for any other cell."
            )
        return Words(answer, say('a copy of "answer".'), Work.repeated(self._example()))

    def _example(self) -> list[list[str]]:
        """Return a board of another size, with all queens."""
        rows = "0010/1X00/0001/0100" if min(_size(self.board)) < 3 else "1X0/001"
        rows = rows.replace(FORBIDDEN, EMPTY) if self.family == "a" else rows
        return [list(row) for row in rows.split("/")]

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, (rows, columns) = self.say(language), _size(self.board)
        head = say(
            "The board has {rows} rows and {columns} columns. Queens in all: {queens}.",
            rows=rows,
            columns=columns,
            queens=min(rows, columns),
        )
        return f"{head}\n{shown(self.board)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        fills = {QUEEN: "mark", FORBIDDEN: "shade"}
        return board([[Cell(cell, fills.get(cell, "paper")) for cell in row] for row in self.board])

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        queens = {"mark": say("given queens")}
        return queens if self.family == "a" else queens | {"shade": say("forbidden cells")}

    def equivalent(self, rng: Random) -> Self:
        """Turned or mirrored."""
        return replace(self, board=rng.choice(IMAGES).board(self.board))

    def canonical(self) -> Hashable:
        images = [image.board(self.board) for image in IMAGES]
        return self.family, self.asks_process, min(images)


def _check_sizes(family: str, rows: int, columns: int, given: int, forbidden: int) -> None:
    queens, size = min(rows, columns), f"{rows} x {columns} cells"
    if (family == "b") != (forbidden > 0):
        raise ValueError("only family b has forbidden cells, at least one of them")
    if not placements(rows, columns):
        raise ValueError(f"{queens} queens on {size} always attack each other")
    if given >= queens:
        raise ValueError(f"a board of {size} has {queens} queens; at most {queens - 1} are given")
    if forbidden > rows * columns - queens:
        raise ValueError(f"{size} have no room for {queens} queens and {forbidden} forbidden cells")


def _size(cells: Board[str]) -> tuple[int, int]:
    return len(cells), len(cells[0])


def _is_alike(given: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether two rows are equal if a forbidden cell may be written as an empty one."""
    return len(given) == len(right) and all(
        one == other or (one, other) == (EMPTY, FORBIDDEN)
        for one, other in zip(given, right, strict=True)
    )
