"""SudoKill: two players fill one sudoku grid, each in the row or column of the other's last fill; who cannot fill loses.

From PuzzlePlex.  Readings: one may fill anywhere only if that row and column have no empty cell at all (not merely none that
can be filled); whoever fills the last cell wins; the start can be completed, not always in one way.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import inf
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.scene import Scene
from quandary.families.grid_notation import read_fill, write_fill
from quandary.families.sudoku import fills_of, picture
from quandary.kit.square_grid import EMPTY, rows_of, side_of
from quandary.solvers.sudokill import Position, SudoKillSearch
from quandary.solvers.sudoku import random_grid
from quandary.solvers.sudoku_grid import SYMBOLS, box_shape, candidates, canonical, in_line

JUDGED = 100_000  # positions a verdict may cost: enough for 4x4 grids and the end of larger ones
TOO_OPEN = 60  # values that fit somewhere, counted over all cells, beyond which a verdict is out of reach


@dataclass(frozen=True)
class Sudokill(Game):
    cells: str  # row by row, "." for an empty cell
    last: tuple[int, int] | None = None  # row and column just filled
    turn: Seat = 0

    levels = {
        "easy": {"side": 4, "blanks": (8, 12)},
        "normal": {"side": 9, "blanks": (30, 40)},
        "hard": {"side": 9, "blanks": (50, 60)},
    }
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(cls, rng: Random, *, side: int = 9, blanks: tuple[int, int] = (30, 40)) -> Sudokill:
        """A full grid with some cells emptied."""
        box_shape(side)
        if not 1 <= blanks[0] <= blanks[1] <= side * side:
            raise ValueError(f"a grid of side {side} can have 1 to {side * side} blanks, not {blanks[0]} to {blanks[1]}")
        grid = random_grid(rng, side)
        gone = set(rng.sample(range(side * side), rng.randint(*blanks)))
        return cls("".join(EMPTY if cell in gone else value for cell, value in enumerate(grid)))

    def options(self) -> Options:
        moves = fills_of(self.cells, self._reach())
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> Sudokill:
        first, second, value = move.split()
        row, column = int(first), int(second)
        cell = row * side_of(self.cells) + column
        return Sudokill(self.cells[:cell] + value + self.cells[cell + 1 :], (row, column), 1 - seat)

    def scores(self) -> tuple[float, float]:
        """Whoever is to move when the game ends has lost: no empty cell, or no value that fits."""
        if self.options():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move" if EMPTY in self.cells else "goal")

    def read(self, seat: Seat, said: str) -> Move:
        return read_fill(said, side_of(self.cells))

    def canonical(self) -> Hashable:
        return canonical(self.cells, self._last_cell()), self.turn

    def rules(self, language: Language = "en") -> str:
        side = side_of(self.cells)
        height, width = box_shape(side)
        values = f"1 to {side}" if side <= 9 else f"1 to 9 and A to {SYMBOLS[side - 1]}"
        return (
            f"Two players take turns filling cells of one {side} by {side} sudoku grid with the values {values}. "
            f"Its boxes are {height} rows high and {width} columns wide and tile the grid from its top left corner.\n"
            "In your turn you fill one empty cell with a value that does not yet stand in its row, its column or its box. "
            "The first fill of the game may be anywhere. After that, your cell must be in the row or in the column of the cell "
            "your opponent has just filled; only if that row and that column have no empty cell left may you fill any empty cell.\n"
            "A player who has to move and has no such fill loses. Whoever fills the last cell of the grid wins. "
            "A fill that breaks these rules loses at once. It need not be possible to complete the grid after a fill.\n"
            "Write a move as row, column and value; rows and columns are counted from 0, from the top left. "
            "For example, a 2 in the first row and the fourth column is: 0 3 2"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = ["The grid, with . for an empty cell:", *map(" ".join, rows_of(self.cells))]
        cell = self._last_cell()
        if self.last is None or cell is None:
            lines.append("No cell has been filled yet.")
        else:
            who = "Your opponent" if self.turn == seat else "You"
            lines.append(f"{who} just put {self.cells[cell]} into row {self.last[0]}, column {self.last[1]}.")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        cell = self._last_cell()
        clicks = self._reach() if self.turn == seat else []
        return picture(self.cells, {} if cell is None else {cell: "yellow"}, {}, clicks)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each fill's worth under perfect play, where few enough positions decide it."""
        if seat != self.turn or sum(values.bit_count() for values in candidates(self.cells)) > TOO_OPEN:
            return None
        search = self._search(JUDGED)
        worth = {}
        for move, after in self._fills(search).items():
            search.prove(after)
            if after.win and after.loss:
                return None
            worth[move] = float(after.loss == 0)
        return worth

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Leaves the opponent without a fill where it can, else fills at random."""
        after = self._fills(self._search(0))
        kills = [move for move, node in after.items() if not node.open]
        return rng.choice(kills or list(after))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A fill proven to win where the budget finds one, else the one closest to that; in a lost position no quick loss."""
        search = self._search(budget)
        search.prove(search.root)
        ranks = {}
        for move, node in self._fills(search).items():
            quick = not node.win and any(not reply.open for reply in search.children(node))
            ranks[move] = (node.loss / node.win if node.win else inf, quick)
        best = min(ranks.values())
        return rng.choice([move for move, rank in ranks.items() if rank == best])

    strategies = {"greedy": greedy, "oracle": oracle}

    def _last_cell(self) -> int | None:
        return None if self.last is None else self.last[0] * side_of(self.cells) + self.last[1]

    def _reach(self) -> list[int]:
        """The empty cells open to the player to move, whether or not a value fits."""
        cells, last = self.cells, self._last_cell()
        if last is not None and (near := [cell for cell in in_line(side_of(cells))[last] if cells[cell] == EMPTY]):
            return near
        return [cell for cell, value in enumerate(cells) if value == EMPTY]

    def _search(self, budget: int) -> SudoKillSearch:
        return SudoKillSearch(self.cells, self._last_cell(), budget)

    def _fills(self, search: SudoKillSearch) -> dict[Move, Position]:
        side = side_of(self.cells)
        return {write_fill(side, cell, value): node for (cell, value), node in search.fills().items()}
