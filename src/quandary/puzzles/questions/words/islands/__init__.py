"""Islands: draw a map with a given number of islands within given sizes, some of them with trees.

From TextGames.  Interpretations: the map has exactly the required rows and tiles; spaces between
tiles and around the map are ignored; tiles that touch only at a corner are not connected.
Every instance can be solved: only islands that `solution` can draw are required.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.answers import Answer, Grid
from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Question, Seat, Verdict
from quandary.core.control_characters import printable
from quandary.core.moves import HALF_WIDTH
from quandary.core.scene import Scene
from quandary.core.words import Say

from .solver import draw_islands

WATER, LAND, TREE = ".#o"
TREES = "oO"
SIGNS = HALF_WIDTH | str.maketrans("。", WATER)  # the full stop of a Chinese keyboard
BITS = {"land": str.maketrans(".#oO", "0111"), "trees": str.maketrans(".#oO", "0011")}
MOST_TREES = 6
LARGEST = 20  # rows


@dataclass(frozen=True)
class Islands(Question):
    size: Annotated[int, Doc("rows of the map, and tiles per row")]
    islands: Annotated[int, Doc("how many islands there must be")]
    smallest: Annotated[int, Doc("tiles that each island has at least")]
    largest: Annotated[int, Doc("tiles that each island has at most")]
    wooded: Annotated[int, Doc("how many islands must have trees")] = 0
    trees: Annotated[int, Doc("how many trees there must be")] = 0

    version = 2
    levels = {
        "easy": {},
        "medium": {"islands": (1, 3), "trees": True},
        "hard": {"islands": (3, 6), "trees": True},
    }
    form = "block"
    distinct_instances = {
        "easy": InstanceCount(
            1_527, "only the side of the map and the bounds of one island's size vary"
        ),
        "medium": InstanceCount(12_628, "those on small maps are often drawn"),
        "hard": InstanceCount(4_162, "many islands leave little choice of sizes"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: Annotated[Range, Between(1, LARGEST)] = (5, 8),
        islands: Annotated[Range, Between(1)] = (1, 1),
        trees: bool = False,
    ) -> Islands:
        """Requirements whose islands take up to three fifths of the map."""
        side, number = rng.randint(*size), rng.randint(*islands)
        drawing = draw_islands(side, number)
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
        say, drawn = self.say(language), (answer or "").translate(SIGNS)
        lines = drawn.strip().split("\n")
        rows = ["".join(line.split()) for line in lines]
        if fault := self._misshapen(rows, say):
            return Verdict(0.0, "shape", fault)
        if fault := self._unknown_tile(rows, say):
            return Verdict(0.0, "tile", fault)
        kind, fault = self._wrong_islands(rows, say)
        return Verdict(0.0, kind, fault) if kind else Verdict(1.0)

    def solution(self) -> str:
        drawing = draw_islands(self.size, self.islands) or ((),)
        most = min(self.largest, len(drawing[0]))
        if most < self.smallest or not self.wooded <= self.trees <= self.wooded * most:
            raise ValueError(f"no map is known that fits {self}")
        tiles, spare = [WATER] * self.size**2, self.trees - self.wooded
        for number, island in enumerate(drawing):
            trees = 1 + min(spare, most - 1) if number < self.wooded else 0
            spare -= max(0, trees - 1)
            for place, cell in enumerate(island[: max(self.smallest, trees)]):
                tiles[cell] = TREE if place < trees else LAND
        starts = range(0, self.size**2, self.size)
        return "\n".join("".join(tiles[start : start + self.size]) for start in starts)

    def sample(self, rng: Random) -> str:
        tiles = WATER * 3 + LAND * 2 + TREE * bool(self.trees)
        return "\n".join("".join(rng.choices(tiles, k=self.size)) for _ in range(self.size))

    def answer_shape(self) -> Answer:
        return Grid(self.size, self.size, WATER + LAND + TREE * bool(self.trees))

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        if self.trees:
            tiles = say(
                "Draw a map of islands in the sea, as rows of tiles. Write . for water, # for "
                "land, and o for land with a coconut tree on it."
            )
            example = say(
                "Answer with the map alone, one row per line. For example, this map of 4 rows of "
                "4 tiles has 2 islands of 3 tiles each and 1 tree:\n##..\n#...\n...#\n..o#"
            )
        else:
            tiles = say(
                "Draw a map of islands in the sea, as rows of tiles. Write . for water and # for "
                "land."
            )
            example = say(
                "Answer with the map alone, one row per line. For example, this map of 4 rows of "
                "4 tiles has 2 islands of 3 tiles each:\n##..\n#...\n...#\n..##"
            )
        islands = say(
            "Land tiles next to each other in a row or a column belong to the same island; "
            "tiles that touch only at a corner are not connected.\n"
            "Your map must have exactly the rows and tiles asked for and meet every requirement "
            "in the list."
        )
        return say.lines(tiles, islands, example)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        if self.smallest == self.largest:
            islands = say(
                "Map: {size} rows of {size} tiles\nIslands: exactly {islands}\nTiles per island: "
                "exactly {tiles}",
                size=self.size,
                islands=self.islands,
                tiles=self.smallest,
            )
        else:
            islands = say(
                "Map: {size} rows of {size} tiles\nIslands: exactly {islands}\nTiles per island: "
                "{smallest} to {largest}",
                size=self.size,
                islands=self.islands,
                smallest=self.smallest,
                largest=self.largest,
            )
        if not self.trees:
            return islands
        trees = say(
            "Islands with trees: exactly {wooded}\nTrees in total: exactly {trees}",
            wooded=self.wooded,
            trees=self.trees,
        )
        return f"{islands}\n{trees}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the requirements above the empty sea."""
        sea = board([[Cell(fill="sky")] * self.size] * self.size)
        return stack(captions(self.text(seat, language), size=0.45), sea)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"sky": say("the tiles of the map, all still to be filled")}

    def _misshapen(self, rows: list[str], say: Say) -> str:
        """Return what is wrong with the numbers of rows and tiles, or ""."""
        size = self.size
        if rows == [""]:
            return say(
                "The map must have {size} rows of {size} tiles; your answer is empty.", size=size
            )
        if len(rows) != size:
            return say(
                "The map must have {size} rows of {size} tiles; yours has {rows} {rows:row|rows}.",
                size=size,
                rows=len(rows),
            )
        for number, row in enumerate(rows, start=1):
            if len(row) != size:
                return say(
                    "The map must have {size} rows of {size} tiles; your row {row} has {tiles} "
                    "{tiles:tile|tiles}.",
                    size=size,
                    row=number,
                    tiles=len(row),
                )
        return ""

    def _unknown_tile(self, rows: list[str], say: Say) -> str:
        """Return the first character that is not a tile, in a sentence; "" if there is none."""
        with_trees = self.wooded or self.trees
        known = WATER + LAND + (TREES if with_trees else "")
        for number, row in enumerate(rows, start=1):
            if not (unknown := row.strip(known)):
                continue
            values = {"row": number, "found": printable(unknown[0])}
            if with_trees:
                return say("Row {row} contains '{found}', but tiles are ., # and o.", **values)
            return say("Row {row} contains '{found}', but tiles are . and #.", **values)
        return ""

    def _wrong_islands(self, rows: list[str], say: Say) -> tuple[str, str]:
        """Return the first unmet requirement, as its kind and a sentence; "" and "" if there is
        none.
        """
        islands = list(_islands(rows))
        planted = [trees.bit_count() for _, trees in islands if trees]
        if len(islands) != self.islands:
            return "island_count", say(
                "There must be exactly {islands} {islands:island|islands}; your map has {found}.",
                islands=self.islands,
                found=len(islands),
            )
        for tiles in (land.bit_count() for land, _ in islands):
            if not self.smallest <= tiles <= self.largest:
                return "island_size", self._wrong_size(tiles, say)
        if len(planted) != self.wooded:
            return "tree_islands", say(
                "Exactly {wooded} {wooded:island|islands} must have trees; in your map {found} do.",
                wooded=self.wooded,
                found=len(planted),
            )
        if sum(planted) != self.trees:
            return "tree_count", say(
                "There must be exactly {trees} {trees:tree|trees} in total; your map has {found}.",
                trees=self.trees,
                found=sum(planted),
            )
        return "", ""

    def _wrong_size(self, tiles: int, say: Say) -> str:
        if self.smallest == self.largest:
            return say(
                "Each island must have exactly {required} {required:tile|tiles}; one of yours has "
                "{tiles}.",
                required=self.smallest,
                tiles=tiles,
            )
        return say(
            "Each island must have {smallest} to {largest} tiles; one of yours has {tiles}.",
            smallest=self.smallest,
            largest=self.largest,
            tiles=tiles,
        )


def _islands(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the land and the trees of each island as bits.

    After the bits of each row comes one that is always 0, so that rows do not touch at their ends.
    """
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
