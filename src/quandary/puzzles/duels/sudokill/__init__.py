"""SudoKill: take turns filling a sudoku in line with the last fill; a player without a fill loses.

From PuzzlePlex.  Interpretations: a player can fill any cell only if that row and column have no
empty cell (not merely none that can be filled); the player who fills the last cell wins; the grid
at the start can be completed, not always in only one way.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Any

from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
)
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.grid_filling import (
    grid_picture,
    grid_rows,
    how_to_fill,
    why_filled,
    why_repeated,
    write_fill,
)
from quandary.puzzles._shared.square_grid import EMPTY, side_of
from quandary.puzzles._shared.sudoku.filling import fills_of, sudoku_notation, value_range
from quandary.puzzles._shared.sudoku.grid import box_shape, candidates
from quandary.puzzles._shared.sudoku.solver import random_grid
from quandary.puzzles._shared.sudoku.symmetry import canonical, random_turn
from quandary.puzzles.duels._shared.normal_play import NormalPlay

from .solver import Position, SudoKillSearch, reachable

JUDGED = 100_000  # positions searched to judge fills: enough for 4x4 grids and late larger ones
# With more fitting values than this, summed over all cells, fills are not judged: from here on half
# of the searches on 9 x 9 cells end without a proof, and above 40 nearly all.
TOO_OPEN = 30


@dataclass(frozen=True)
class Sudokill(JudgedMoves, NormalPlay, speaks_with=("quandary.puzzles._shared.grid_filling",)):
    cells: Annotated[str, Doc("the grid row by row in one string, a dot for an empty cell")]
    last: Annotated[
        tuple[int, int] | None,
        Doc("row and column of the cell just filled, from 0; null at the start"),
    ] = None
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0

    version = 2
    levels = {
        "easy": {"side": 4, "blanks": (8, 12)},
        "normal": {"side": 9, "blanks": (30, 40)},
        "hard": {"side": 9, "blanks": (50, 60)},
    }
    distinct_instances = {
        "easy": InstanceCount(3_001, "those of side 4 with many blanks are few but drawn as often")
    }
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        side: int = 9,
        blanks: Annotated[Range, Between(1)] = (30, 40),
    ) -> Sudokill:
        """Return a full grid with some cells emptied."""
        box_shape(side)  # raises for sides without boxes
        low, high = blanks
        if high > side * side:
            raise ValueError(
                f"a grid of side {side} can have 1 to {side * side} blanks, not {low} to {high}"
            )
        grid = enumerate(random_grid(rng, side))
        blank = set(rng.sample(range(side * side), rng.randint(low, high)))
        return cls("".join(EMPTY if cell in blank else value for cell, value in grid))

    def options(self) -> Options:
        moves = fills_of(self.cells, self._reach())
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> Sudokill:
        first, second, value = move.split()
        row, column = int(first), int(second)
        cell = row * side_of(self.cells) + column
        return Sudokill(self.cells[:cell] + value + self.cells[cell + 1 :], (row, column), 1 - seat)

    def ending(self) -> Ending:
        return Ending("no_move" if EMPTY in self.cells else "goal")

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say, boxes = self.say(language), box_shape(side_of(self.cells))
        return (
            super().why_illegal(seat, move, language)
            or why_filled(say, self.cells, move)
            or self._why_out_of_line(say, move)
            or why_repeated(say, self.cells, boxes, move)
        )

    def _why_out_of_line(self, say: Say, move: Move) -> str:
        row, column, _ = move.split()
        cell = int(row) * side_of(self.cells) + int(column)
        if self.last is None or cell in self._reach():
            return ""
        return say(
            "Your cell must be in row {row} or column {column}, like the last one.",
            row=self.last[0],
            column=self.last[1],
        )

    def notation(self) -> Notation:
        return sudoku_notation(side_of(self.cells))

    @classmethod
    def level_notation(cls, *, side: int = 9, **level: Any) -> Notation:
        return sudoku_notation(side)

    def how(self, language: Language = "en") -> str:
        return how_to_fill(self.say(language), value=2)

    def rules(self, language: Language = "en") -> str:
        say, side = self.say(language), side_of(self.cells)
        height, width = box_shape(side)
        rules = say(
            "Two players take turns filling cells of one {side} by {side} sudoku grid with the"
            " values {values}. Each box is {height} rows high and {width} columns wide; the boxes"
            " tile the grid from its top left corner.\n"
            "On your turn, fill one empty cell with a value that does not appear in its row, column"
            " or box yet. The first fill of the game can be in any empty cell. After that, your"
            " cell must be in the row or in the column of the cell that your opponent has just"
            " filled; only if that row and that column have no empty cell left can you fill any"
            " empty cell.\n"
            "A player who has no legal fill on their turn loses. Whoever fills the last cell of the"
            " grid wins. An illegal move loses the game at once. A fill is legal even if the grid"
            " can no longer be completed after it.",
            side=side,
            values=value_range(say, side),
            height=height,
            width=width,
        )
        return say.lines(rules, self.how(language))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        grid = say("The grid, with . for an empty cell:\n{rows}", rows=grid_rows(self.cells))
        if self.last is None:
            return say.lines(grid, say("No cell has been filled yet."))
        row, column = self.last
        value = self.cells[row * side_of(self.cells) + column]
        return f"{grid}\n{_news(row, column, value, self.turn == seat, say)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        last = self._last_cell()
        marked = {} if last is None else {last: "yellow"}
        clicks = self._reach() if self.turn == seat else []
        return grid_picture(self.cells, box_shape(side_of(self.cells)), marked, clicks)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"yellow": say("the cell that was filled last")}

    def equivalent(self, rng: Random) -> Sudokill:
        """With lines that change places, other names for the values, and either seat to move."""
        side, last = side_of(self.cells), self._last_cell()
        turn, mover = random_turn(rng, side), rng.choice((0, 1))
        filled = None if last is None else divmod(turn.cell(last), side)
        return Sudokill(turn.grid(self.cells), filled, mover)

    def canonical(self) -> Hashable:
        return canonical(self.cells, self._last_cell())

    judge_budget = (JUDGED, TOO_OPEN)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each fill under perfect play, if few enough positions decide it."""
        open_values = sum(values.bit_count() for values in candidates(self.cells))
        if seat != self.turn or open_values > TOO_OPEN:
            return None
        search = self._search(JUDGED)
        return search.values(self._fills(search))

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Leaves the opponent without a legal fill if possible, otherwise fills at random."""
        after = self._fills(self._search(0))
        kills = [move for move, node in after.items() if not node.open]
        return rng.choice(kills or list(after))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A fill proven to win within the budget, or one that is closest to a proof.

        In a lost position it avoids fills that the opponent can answer by ending the game.
        """
        search = self._search(budget)
        search.prove(search.root)
        ranks = {
            move: (node.distance_to_loss, search.ends_quickly(node))
            for move, node in self._fills(search).items()
        }
        best = min(ranks.values())
        return rng.choice([move for move, rank in ranks.items() if rank == best])

    strategies = {"greedy": greedy, "oracle": oracle}
    strongest = "search"

    def _last_cell(self) -> int | None:
        return None if self.last is None else self.last[0] * side_of(self.cells) + self.last[1]

    def _reach(self) -> list[int]:
        return reachable(self.cells, self._last_cell())

    def _search(self, budget: int) -> SudoKillSearch:
        return SudoKillSearch(self.cells, self._last_cell(), budget)

    def _fills(self, search: SudoKillSearch) -> dict[Move, Position]:
        side, fills = side_of(self.cells), search.fills().items()
        return {write_fill(side, cell, value): node for (cell, value), node in fills}


@lru_cache(maxsize=1 << 11)  # few fills are told again and again
def _news(row: int, column: int, value: str, by_opponent: bool, say: Say) -> str:
    """Return what the last fill was."""
    fill = {"value": value, "row": row, "column": column}
    if by_opponent:
        return say("Your opponent just put {value} in row {row}, column {column}.", **fill)
    return say("You just put {value} in row {row}, column {column}.", **fill)
