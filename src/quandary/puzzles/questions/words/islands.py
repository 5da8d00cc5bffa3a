"""Islands: draw a map with so many islands of such a size, some of them with trees.

From TextGames.  Readings: exactly as many rows and tiles as asked for, blanks between tiles and around the map forgiven;
tiles touching only at a corner do not join; islands are never asked for that this file could not draw itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape

WATER, LAND, TREE = ".#o"
TREES = "oO"
BITS = {"land": str.maketrans(".#oO", "0111"), "trees": str.maketrans(".#oO", "0011")}
MOST_TREES = 6
LARGEST = 20  # rows
TRIES = 20  # random drawings before a smaller size is taken; at the levels a few are enough


@dataclass(frozen=True)
class Islands(Question):
    size: int  # rows, and tiles in a row
    islands: int
    smallest: int  # tiles of each island
    largest: int
    wooded: int = 0  # islands with trees
    trees: int = 0

    levels = {
        "easy": {},
        "medium": {"islands": (1, 3), "trees": True},
        "hard": {"islands": (3, 6), "trees": True},
    }
    form = "block"
    small = {
        "easy": "only the side of the map and the bounds on one island's size vary: 1,527 puzzles",
        "medium": "12,628 puzzles, those on small maps again and again",
        "hard": "many islands leave little choice of sizes: 4,162 puzzles, those on small maps again and again",
    }

    @classmethod
    def new(cls, rng: Random, *, size: tuple[int, int] = (5, 8), islands: tuple[int, int] = (1, 1), trees: bool = False) -> Islands:
        """Islands may take up to three fifths of the map."""
        side, number = rng.randint(*size), rng.randint(*islands)
        if not 1 <= side <= LARGEST or number < 1:
            raise ValueError(f"a map needs 1 to {LARGEST} rows and at least one island")
        drawing = _drawing(side, number)
        if not drawing:
            raise ValueError(f"there is no room for {number} islands on a map of {side} rows")
        most = len(drawing[0])
        smallest = rng.randint(1, most)
        largest = rng.randint(smallest, most)
        if not trees:
            return cls(side, number, smallest, largest)
        wooded = rng.randint(1, number)
        planted = min(rng.randint(wooded, wooded * smallest), max(MOST_TREES, wooded))
        return cls(side, number, smallest, largest, wooded, planted)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        lines = (answer or "").strip().split("\n")
        if lines == [""]:
            fault: tuple[str, str] | None = self._shape("your answer is empty")
        elif len(lines) != self.size:
            fault = self._shape(f"yours has {_many(len(lines), 'row')}")
        else:
            fault = self._misdrawn(lines)
        return Verdict(0.0, *fault) if fault else Verdict(1.0)

    def _shape(self, found: str) -> tuple[str, str]:
        return "shape", f"The map must have {_many(self.size, 'row')} of {_many(self.size, 'tile')}; {found}."

    def _misdrawn(self, lines: list[str]) -> tuple[str, str] | None:
        """What is wrong with a map of the right number of rows: its kind and a sentence."""
        rows, trees = ["".join(line.split()) for line in lines], self.wooded or self.trees
        for number, row in enumerate(rows, start=1):
            if len(row) != self.size:
                return self._shape(f"your row {number} has {_many(len(row), 'tile')}")
        for number, row in enumerate(rows, start=1):
            if wrong := row.strip(WATER + LAND + (TREES if trees else "")):
                known = f"{WATER}, {LAND} or {TREE}" if trees else f"{WATER} or {LAND}"
                return "tile", f"Row {number} holds {wrong[0]!r}, which is no tile; write {known}."
        islands = list(_islands(rows))
        planted = [trees.bit_count() for _, trees in islands if trees]
        if len(islands) != self.islands:
            return "island_count", f"There must be exactly {_many(self.islands, 'island')}; your map has {len(islands)}."
        for tiles in (land.bit_count() for land, _ in islands):
            if not self.smallest <= tiles <= self.largest:
                return "island_size", f"The size of each island must be {self._bounds()}; one of yours has {_many(tiles, 'tile')}."
        if len(planted) != self.wooded:
            return "tree_islands", f"Trees must stand on exactly {_many(self.wooded, 'island')}; yours stand on {len(planted)}."
        if sum(planted) != self.trees:
            return "tree_count", f"There must be exactly {_many(self.trees, 'tree')} in all; your map has {sum(planted)}."
        return None

    def solution(self) -> str:
        drawing = _drawing(self.size, self.islands) or ((),)
        most = min(self.largest, len(drawing[0]))
        if most < self.smallest or not self.wooded <= self.trees <= self.wooded * most:
            raise ValueError(f"no map is known that fits {self}")
        tiles, spare = [WATER] * self.size**2, self.trees - self.wooded
        for number, island in enumerate(drawing):
            trees = 1 + min(spare, most - 1) if number < self.wooded else 0
            spare -= max(0, trees - 1)
            for place, cell in enumerate(island[: max(self.smallest, trees)]):
                tiles[cell] = TREE if place < trees else LAND
        return "\n".join("".join(tiles[start : start + self.size]) for start in range(0, self.size**2, self.size))

    def sample(self, rng: Random) -> str:
        tiles = WATER * 3 + LAND * 2 + TREE * bool(self.trees)
        return "\n".join("".join(rng.choices(tiles, k=self.size)) for _ in range(self.size))

    def rules(self, language: Language = "en") -> str:
        tiles, example, trees = "", "##..\n#...\n...#\n..##", ""
        if self.trees:
            tiles = " A land tile with a coconut tree on it is written o instead of #; it is land all the same."
            example, trees = "##..\n#...\n...#\n..o#", ", with 1 tree on one of them"
        return (
            f"Draw a map of a sea with islands, as rows of tiles. A water tile is written . and a land tile #.{tiles}\n"
            "Land tiles that touch side by side or one above the other belong to the same island; "
            "touching at a corner only does not join them.\n"
            "Your map must have exactly the rows and tiles asked for and meet every demand in the list.\n"
            "Answer with the map alone, one row a line. "
            f"For example, this map of 4 rows with 4 tiles each has 2 islands of 3 tiles{trees}:\n{example}"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "\n".join([f"Rows: {self.size}, with {self.size} tiles each", *self._demands()])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The empty sea below what is asked for."""
        demands, width = self._demands(), max(self.size, 8)
        line = width / 11
        top = line * (len(demands) + 0.5)
        left = (width - self.size) / 2
        shapes: list[Shape] = [
            Label(0.1, line * (row + 0.6), said, line * 0.62, anchor="start") for row, said in enumerate(demands)
        ]
        shapes += [Box(left + cell % self.size, top + cell // self.size, fill="sky") for cell in range(self.size**2)]
        return Scene(width, top + self.size, tuple(shapes))

    def _demands(self) -> list[str]:
        demands = [f"Islands: exactly {self.islands}", f"Tiles of each island: {self._bounds()}"]
        if self.trees:
            demands += [f"Islands with trees: exactly {self.wooded}", f"Trees in all: exactly {self.trees}"]
        return demands

    def _bounds(self) -> str:
        return f"exactly {self.smallest}" if self.smallest == self.largest else f"{self.smallest} to {self.largest}"


def _islands(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Each island's land and trees as bits; a row of bits ends in one that is always 0, so rows do not run into each other."""
    step = len(rows) + 1
    drawn = "0".join(rows)
    left, trees = (int(drawn.translate(BITS[what]), 2) for what in ("land", "trees"))
    while left:
        land, seen = left & -left, 0
        while land != seen:
            seen = land
            land |= (land << 1 | land >> 1 | land << step | land >> step) & left
        left ^= land
        yield land, land & trees


@lru_cache(maxsize=1 << 10)
def _drawing(size: int, islands: int) -> tuple[tuple[int, ...], ...]:
    """Equally large islands that have room on one map, as cells in an order in which they grow; none if there is no room.

    They are as large as the papers let them be, three fifths of a fair share of the map, or else as large as can be drawn.
    The first cells of such an island are an island, so one drawing serves all smaller sizes.
    """
    near = _neighbours(size)
    for tiles in range(size * size // islands * 3 // 5, 0, -1):
        rng = Random(f"{size} {islands} {tiles}")
        for _ in range(TRIES):
            if drawn := _draw(near, islands, tiles, rng):
                return drawn
    return ()


def _draw(near: list[int], islands: int, tiles: int, rng: Random) -> tuple[tuple[int, ...], ...]:
    """One try: islands grow one by one, always by a cell that uses up as little open water as possible."""
    free, drawn = (1 << len(near)) - 1, list[tuple[int, ...]]()
    while free and len(drawn) < islands:
        island, land, shore = list[int](), 0, 0
        reach = free
        while reach and len(island) < tiles:
            cell = _tightest(reach, free & ~land & ~shore, near, rng)
            island.append(cell)
            land |= 1 << cell
            shore |= near[cell]
            reach = shore & free & ~land
        free &= ~(land | shore)
        if len(island) == tiles:
            drawn.append(tuple(island))
    return tuple(drawn) if len(drawn) == islands else ()


def _tightest(cells: int, water: int, near: list[int], rng: Random) -> int:
    """The cell with the least open water around it; luck breaks ties."""
    listed = [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
    return min(listed, key=lambda cell: ((near[cell] & water).bit_count(), rng.random()))


def _neighbours(size: int) -> list[int]:
    """For each cell the cells beside, above and below it, as bits."""
    beside = [[(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)] for y in range(size) for x in range(size)]
    return [sum(1 << (y * size + x) for y, x in cells if 0 <= y < size and 0 <= x < size) for cells in beside]


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
