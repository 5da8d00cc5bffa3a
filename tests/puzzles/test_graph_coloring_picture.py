"""The picture of a graph, in which edges can be told apart."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import atan2, degrees, hypot

import pytest

from quandary.core.scene import Box, Disc, Line
from quandary.puzzles.solo.graph_coloring.picture import (
    DOT,
    FILLS,
    OTHER_FILL,
    edge_points,
    graph_picture,
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
