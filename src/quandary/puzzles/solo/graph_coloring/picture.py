"""The picture of a graph with coloured vertices: a table of neighbours, and small graphs drawn.

In the drawing, no edge passes through a third vertex.  Vertices stand on a circle.  Straight edges
between two that are close on it would run through those between them, so edges are bent towards the
middle: those of one vertex leave it in directions that differ by equal angles, and the first of
them passes by the next vertex.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from math import cos, pi, sin, tan
from typing import TypeAlias

from quandary.core.boards import DARK, Cell, Row, beside, board, captions, cards, stack
from quandary.core.scene import Disc, Label, Line, Scene

Point: TypeAlias = tuple[float, float]

FILLS = ("sky", "orange", "yellow", "green", "purple", "red", "blue")  # of colours 1, 2, ...
OTHER_FILL = "shade"  # of further colours
MOST_DRAWN = 9  # vertices: edges between more of them are hard to follow
NEAR = 9  # neighbours in a row of the table; further ones stand below them
LONGEST = 16  # rows of a table that is not divided
MORE = [None, None]  # on the left of these, instead of a vertex
NARROW = 0.75  # the width of a cell in one that is
TITLE = 0.5  # the size of titles
GAP = 0.4  # between the colour of a vertex and its neighbours
DOT, NAME = 0.5, 0.45  # the radius of a vertex, and the size of its number
SPACE = 2.1  # between the middles of vertices that are next to each other
BEYOND = 0.95  # from the middle of a vertex to its number, which stands outside the circle
MARGIN = 1.3  # from the middle of a vertex to the edge of the picture
PASSING = 2 * pi / 9  # between the circle and an edge that passes by the next vertex
PIECES = 16  # straight ones of a bent edge


def graph_picture(
    neighbours: tuple[tuple[int, ...], ...], colouring: Sequence[int], clickable: Collection[int]
) -> Scene:
    """Vertices clockwise from the top, each with its colour in it and its number beside it.

    A click on one gives the `vertex`.
    """
    size = len(neighbours)
    discs = (
        Disc(
            *_at(size, vertex),
            DOT,
            _fill(colour),
            str(colour or ""),
            "paper" if _fill(colour) in DARK else "ink",
            click={"vertex": str(vertex)} if vertex in clickable else None,
        )
        for vertex, colour in enumerate(colouring)
    )
    names = (Label(*_at(size, vertex, BEYOND), str(vertex), NAME) for vertex in range(size))
    side = 2 * (_radius(size) + MARGIN)
    return Scene(side, side, (*_edges(neighbours), *discs, *names))


def neighbour_table(
    neighbours: tuple[tuple[int, ...], ...],
    colouring: Sequence[int],
    clickable: Collection[int],
    title: str,
) -> Scene:
    """For each vertex its number, its colour, and its neighbours filled with theirs.

    A click on the first two gives the `vertex`.  Long tables are divided in two.
    """

    def look(vertex: int, text: str, colour: int) -> Cell:
        click = {"vertex": str(vertex)} if vertex in clickable else None
        return Cell(text, _fill(colour), click=click)

    named = captions(title, size=TITLE, colour="quiet")
    left, right = list[Row](), list[Row]()
    for vertex, colour in enumerate(colouring):
        own = [look(vertex, str(vertex), 0), look(vertex, str(colour or ""), colour)]
        near = [Cell(str(other), _fill(colouring[other])) for other in neighbours[vertex]]
        right += [near[start : start + NEAR] for start in range(0, max(len(near), 1), NEAR)]
        left += [own, *[MORE] * (len(right) - len(left) - 1)]
    if len(left) <= LONGEST:
        return stack(named, beside(board(left), board(right), gap=GAP))
    half, across = -(-len(left) // 2), (NARROW, 1.0)
    while left[half] == MORE:
        half += 1  # a vertex is not divided
    parts = (slice(0, half), slice(half, None))
    halves = (
        beside(board(left[part], size=across), board(right[part], size=across), gap=GAP)
        for part in parts
    )
    return stack(named, beside(*halves))


def palette(colours: int, clickable: Collection[int], title: str) -> Scene:
    """Return all colours; a click on one gives the `colour`."""
    cells = [
        Cell(
            str(colour),
            _fill(colour),
            click={"colour": str(colour)} if colour in clickable else None,
        )
        for colour in range(1, colours + 1)
    ]
    return stack(captions(title, size=TITLE, colour="quiet"), cards(cells), gap=0.2)


def _fill(colour: int) -> str:
    if not colour:
        return "paper"
    return FILLS[colour - 1] if colour <= len(FILLS) else OTHER_FILL


@lru_cache(maxsize=64)
def _edges(neighbours: tuple[tuple[int, ...], ...]) -> list[Line]:
    pairs = ((one, other) for one, near in enumerate(neighbours) for other in near if one < other)
    return [Line(edge_points(len(neighbours), *pair), "quiet") for pair in pairs]


def edge_points(vertices: int, one: int, other: int) -> tuple[Point, ...]:
    """Return the points of an edge, along a curve that leaves both vertices at the same angle."""
    (x, y), (u, v) = _at(vertices, one), _at(vertices, other)
    steps = min(other - one, vertices - other + one)  # along the circle
    straight = steps * pi / vertices  # the angle between the circle and a straight edge
    first = max(PASSING, 2 * pi / vertices)
    angle = first + (steps - 2) * (pi - 2 * first) / max(vertices - 4, 1) if steps > 1 else straight
    # The curve is drawn to a point on the way from the middle of the edge to that of the circle.
    share = tan(angle - straight) * tan(straight) if 2 * steps < vertices else 0.0
    middle = _radius(vertices) + MARGIN
    p, q = (x + u) / 2, (y + v) / 2
    p, q = p + share * (middle - p), q + share * (middle - q)
    curve = []
    for piece in range(PIECES + 1):
        at = piece / PIECES
        a, b, c = (1 - at) ** 2, 2 * at * (1 - at), at**2
        curve.append((round(a * x + b * p + c * u, 3), round(a * y + b * q + c * v, 3)))
    return tuple(curve)


def _at(vertices: int, vertex: int, beyond: float = 0.0) -> Point:
    """Return the middle of a vertex, or a point beyond it."""
    angle, away, middle = 2 * pi * vertex / vertices, _radius(vertices) + beyond, _radius(vertices)
    return (
        round(middle + MARGIN + away * sin(angle), 3),
        round(middle + MARGIN - away * cos(angle), 3),
    )


def _radius(vertices: int) -> float:
    return max(2.0, SPACE / (2 * sin(pi / vertices)))
