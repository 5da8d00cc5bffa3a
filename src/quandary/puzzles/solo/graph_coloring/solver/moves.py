"""The moves of graph coloring: each gives one vertex a colour that none of its neighbours has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

from quandary.puzzles._shared.lazy_moves import LazyMoves

from .coloring import Room


@dataclass(frozen=True)
class Moves(LazyMoves):
    """Moves such as `3 2`, which gives vertex 3 the colour 2; they are listed only when needed."""

    vertices: int
    room: Room

    def by_vertex(self) -> list[list[str]]:
        """For each vertex its moves."""
        return [
            [move for move, takers in zip(moves, self.room, strict=True) if takers >> vertex & 1]
            for vertex, moves in enumerate(_written(self.vertices, len(self.room)))
        ]

    @cached_property
    def _listed(self) -> list[str]:
        return list(chain.from_iterable(self.by_vertex()))

    def __len__(self) -> int:
        return sum([takers.bit_count() for takers in self.room])

    def __contains__(self, move: object) -> bool:
        place = _places(self.vertices, len(self.room)).get(move)
        return place is not None and bool(self.room[place[1]] >> place[0] & 1)


@cache
def _written(vertices: int, colours: int) -> list[list[str]]:
    """For each vertex its moves, one for each colour."""
    numbers = range(1, colours + 1)
    return [[f"{vertex} {colour}" for colour in numbers] for vertex in range(vertices)]


@cache
def _places(vertices: int, colours: int) -> Mapping[object, tuple[int, int]]:
    """For each move its vertex, and the place of its colour in the room."""
    rows = enumerate(_written(vertices, colours))
    return {move: (vertex, place) for vertex, row in rows for place, move in enumerate(row)}
