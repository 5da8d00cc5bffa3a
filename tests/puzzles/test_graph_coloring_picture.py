"""The picture of a graph, in which all edges and colours can be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import atan2, degrees, hypot, inf

import pytest

from quandary.catalogue import drawing
from quandary.core.scene import Box, Disc, Line, Scene
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.graph_coloring.picture import (
    DOT,
    FILLS,
    OTHER_FILL,
    edge_points,
    graph_picture,
    neighbour_table,
    palette,
)

CLEAR = 0.15  # between an edge and a vertex that it does not join
ANGLE = 3.0  # degrees between two edges of one vertex


@pytest.mark.parametrize("vertices", [4, 7, 8, 9, 10, 12, 15, 18, 25, 30])
def test_no_edge_passes_through_a_third_vertex(vertices: int) -> None:
    """Whatever edges there are, all vertices but their ends stay clear of them."""
    complete = tuple(
        tuple(other for other in range(vertices) if other != one) for one in range(vertices)
    )
    scene = graph_picture(complete, [0] * vertices, ())
    middles = [(shape.x, shape.y) for shape in scene.shapes if isinstance(shape, Disc)]
    edges = [shape.points for shape in scene.shapes if isinstance(shape, Line)]

    assert len(edges) == vertices * (vertices - 1) // 2
    for (one, other), points in zip(combinations(range(vertices), 2), edges, strict=True):
        assert points[0] == middles[one] and points[-1] == middles[other]
        for vertex, (x, y) in enumerate(middles):
            if vertex not in (one, other):
                assert min(hypot(x - u, y - v) for u, v in points) > DOT + CLEAR


@pytest.mark.parametrize("vertices", [7, 15, 18, 25, 30])
def test_edges_leave_a_vertex_in_different_directions(vertices: int) -> None:
    """So an edge can be followed from its end."""
    leaving = [edge_points(vertices, 0, other)[:2] for other in range(1, vertices)]
    angles = sorted(degrees(atan2(v - y, u - x)) for (x, y), (u, v) in leaving)

    assert min(high - low for low, high in pairwise(angles)) > ANGLE


def test_colours_beyond_the_palette_are_told_by_their_numbers() -> None:
    """Published graphs have up to 13 colours; there are fills for seven."""
    boxes = [shape for shape in palette(9, (), "").shapes if isinstance(shape, Box)]

    assert [(box.fill, box.text) for box in boxes[5:]] == [
        (FILLS[5], "6"), (FILLS[6], "7"), (OTHER_FILL, "8"), (OTHER_FILL, "9"),
    ]  # fmt: skip


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_all_neighbours_and_their_colours_can_be_read(level: str) -> None:
    """The table has each vertex with its colour and its neighbours, filled with theirs."""
    for seed in range(10):
        graph = drawing.instance(f"graph_coloring/{level}#{seed}")
        assert isinstance(graph, GraphColoring)
        drawn = [vertex % graph.colours for vertex in range(len(graph.neighbours))]
        graph = replace(graph, colouring=tuple(drawn))
        fills = dict(enumerate(FILLS, 1)) | {0: "paper"}
        rows = _rows_of(neighbour_table(graph.neighbours, graph.colouring, (), ""))

        assert len(graph.neighbours) == len(rows)
        for vertex, ((name, own), near) in rows.items():
            assert (str(vertex), "paper", fills[drawn[vertex]]) == (name.text, name.fill, own.fill)
            assert own.text == str(drawn[vertex] or "")
            assert [int(cell.text) for cell in near] == [*graph.neighbours[vertex]]
            assert [cell.fill for cell in near] == [fills[drawn[int(cell.text)]] for cell in near]


def _rows_of(table: Scene) -> dict[int, tuple[list[Box], list[Box]]]:
    """By vertex, its first two cells and those to the right, of its row and of those below it."""
    cells = [shape for shape in table.shapes if isinstance(shape, Box)]
    columns = sorted({round(cell.x, 3) for cell in cells})
    begins = [columns[0]]  # of the columns that stand together
    for before, column in pairwise(columns):
        if column - before > cells[0].width + 0.01:
            begins.append(column)
    rows = dict[int, tuple[list[Box], list[Box]]]()
    for first, second, end in zip(begins[::2], begins[1::2], [*begins[2::2], inf], strict=True):
        here = [cell for cell in cells if first <= round(cell.x, 3) < end]
        vertex = -1
        for cell in sorted(here, key=lambda cell: (round(cell.y, 3), cell.x)):
            if round(cell.x, 3) == first:
                vertex = int(cell.text)
            part = rows.setdefault(vertex, ([], []))[round(cell.x, 3) >= second]
            part.append(cell)
    return rows
