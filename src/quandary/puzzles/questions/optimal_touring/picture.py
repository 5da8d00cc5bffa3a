"""The picture of sites with opening hours: a map, and a table below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import NamedTuple, TypeAlias

from quandary.core.boards import beside, captions, stack
from quandary.core.scene import COLUMN, Disc, Label, Line, Scene, Shape
from quandary.core.text_columns import columns
from quandary.core.text_width import text_width

from .solver.timetable import Site

Point: TypeAlias = tuple[float, float]
MAP, EDGE = 9.0, 1.7  # units: the side of the map, the space around it
HIGHEST = 100  # the largest coordinate
BORDER = 0.7  # between the map and its frame, for the numbers of points on the edge
DOT, SIZE, SPACE = 0.11, 0.43, 0.03  # the radius of a point, the size of numbers, space around them
NEAREST, STEP, FURTHEST = 0.5, 0.25, 6.0  # distances of a number from its point that are tried
OUTSIDE = 0.5  # how far the middle of a number may lie outside the map
LEADER_GAP = 0.4  # between the end of a line and the middle of its number
DIRECTIONS = 48
ROUNDS = 60  # of placing all numbers; those that find no place stand on their points
TABLES, FEW = 3, 24  # tables side by side, and the sites for which two of them are enough
GAP, WIDEST = 0.3, 18.2  # between a table and the line beside it; tables that may need less
PITCH = 0.5  # of the lines of a table: those of a terminal
USUAL = len("90,90")  # as the heading has it
KEY = 5.9  # units: the width of the key


def sites_picture(sites: Sequence[Site], key: str, heading: str) -> Scene:
    """Return the map with its key, and the sites by number under the heading of each column."""
    height = -(-len(sites) // (TABLES if len(sites) > FEW else TABLES - 1))
    rows = [*enumerate(sites, 1)]
    parts = [rows[start : start + height] for start in range(0, len(rows), height)]
    first, *others = [_table(part, heading) for part in parts]
    line = Scene(0, first.height, (Line(((0, 0), (0, first.height)), "line"),))
    room = WIDEST - sum(table.width for table in (first, *others))
    gap = min(GAP, room / max(1, 2 * len(others)))
    places = tuple((site.avenue, site.street) for site in sites)
    return stack(
        beside(site_map(places), captions(key, size=SIZE, colour="quiet", width=KEY), gap=GAP),
        beside(first, *(part for table in others for part in (line, table)), gap=gap),
    )


def _table(rows: Sequence[tuple[int, Site]], heading: str) -> Scene:
    """Return some sites with their numbers, as narrow as it can be."""
    wide = max(len(f"{site.avenue},{site.street}") for _, site in rows)
    lines = [
        f"{number:>2} {f'{avenue},{street}':>{wide}} {stay:>3} {value:>3} {opens}-{closes}"
        for number, (avenue, street, stay, value, opens, closes) in rows
    ]
    title = " " * (wide - USUAL) + heading
    labels = (
        Label(0, PITCH * (row + 0.5), line, SIZE, "ink" if row else "quiet", "start", mono=True)
        for row, line in enumerate([title, *lines])
    )
    width = COLUMN * SIZE * max(map(columns, [title, *lines]))
    return Scene(width, PITCH * (len(lines) + 1), tuple(labels))


class Frame(NamedTuple):
    """A rectangle that something takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Frame) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_crossed(self, start: Point, end: Point) -> bool:
        """Return whether the straight line between two points meets the rectangle."""
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        first, last = 0.0, 1.0
        for at, by, low, high in ((x, dx, self.left, self.right), (y, dy, self.top, self.bottom)):
            if by == 0:
                if not low < at < high:
                    return False
                continue
            near, far = sorted(((low - at) / by, (high - at) / by))
            first, last = max(first, near), min(last, far)
        return first < last


@lru_cache(maxsize=64)
def site_map(places: Sequence[Point]) -> Scene:
    """Return the places by number, counted from 1; x grows to the right and y downwards, from 0 to
    100.
    """
    low, high = EDGE - BORDER, EDGE + MAP + BORDER
    corners = ((low, low), (high, low), (high, high), (low, high), (low, low))
    shapes: list[Shape] = [Line(corners, "line")]
    for tick in (0, HIGHEST // 2, HIGHEST):
        at = EDGE + tick * MAP / HIGHEST
        shapes.append(Label(at, low - 0.45, str(tick), SIZE, "quiet"))
        shapes.append(Label(low - 0.2, at, str(tick), SIZE, "quiet", "end"))
    points = [(EDGE + x * MAP / HIGHEST, EDGE + y * MAP / HIGHEST) for x, y in places]
    labels = _labels(points)
    shapes += [
        _leader(point, label)
        for point, label in zip(points, labels, strict=True)
        if hypot(label.x - point[0], label.y - point[1]) > NEAREST
    ]
    shapes += [Disc(x, y, DOT, "blue") for x, y in points]
    size = high + 0.3
    return Scene(size, size, (*shapes, *labels))


def _leader(point: Point, label: Label) -> Line:
    """Return a line from a point to the edge of its number."""
    dx, dy = label.x - point[0], label.y - point[1]
    part = 1 - LEADER_GAP / hypot(dx, dy)
    return Line((point, (point[0] + part * dx, point[1] + part * dy)), "line", 0.03)


def frame_of(label: Label) -> Frame:
    """Return the space a number takes up, in a picture and in a terminal."""
    wide = max(text_width(label.text, label.size), (len(label.text) + 1) / 4)
    return Frame(
        label.x - wide / 2 - SPACE,
        label.y - label.size / 2 - SPACE,
        label.x + wide / 2 + SPACE,
        label.y + label.size / 2 + SPACE,
    )


def _labels(points: Sequence[Point]) -> list[Label]:
    """Return the number of each point, as near to it as others allow.

    Crowded points choose first; one that finds no place chooses first in the next round.
    """
    order = sorted(range(len(points)), key=lambda number: _room(number, points))
    most = dict[int, tuple[Label, Frame]]()
    for _ in range(ROUNDS):
        placed = dict[int, tuple[Label, Frame]]()
        for number in order:
            tried = _around(points[number], str(number + 1))
            label = next(
                (label for label in tried if _is_free(number, label, points, placed)), None
            )
            if label is None:
                order = [number, *(other for other in order if other != number)]
                break
            placed[number] = label, frame_of(label)
        most = max(most, placed, key=len)
        if len(most) == len(points):
            break
    on_points = [Label(*point, str(number), SIZE) for number, point in enumerate(points, start=1)]
    return [most[i][0] if i in most else label for i, label in enumerate(on_points)]


def _is_free(
    number: int, label: Label, points: Sequence[Point], placed: Mapping[int, tuple[Label, Frame]]
) -> bool:
    """Return whether a number covers nothing there, and its line and other lines pass by."""
    frame, start, end = frame_of(label), points[number], (label.x, label.y)
    return not (
        any(frame.meets(Frame(x - DOT, y - DOT, x + DOT, y + DOT)) for x, y in points)
        or any(other.meets(frame) or other.is_crossed(start, end) for _, other in placed.values())
        or any(_passes(start, end, other) for other in points)
        or any(frame.is_crossed(points[i], (other.x, other.y)) for i, (other, _) in placed.items())
    )


def _passes(start: Point, end: Point, other: Point) -> bool:
    """Return whether a line passes through the dot of a point other than the one where it
    begins.
    """
    if hypot(other[0] - start[0], other[1] - start[1]) <= DOT:  # too near to be told apart
        return False
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((other[0] - start[0]) * dx + (other[1] - start[1]) * dy) / (dx * dx + dy * dy)
    along = max(0.0, min(1.0, along))
    return hypot(other[0] - start[0] - along * dx, other[1] - start[1] - along * dy) < DOT


def _room(number: int, points: Sequence[Point]) -> float:
    """Return the distance to the nearest other point."""
    x, y = points[number]
    others = (point for i, point in enumerate(points) if i != number)
    return min((hypot(x - u, y - v) for u, v in others), default=0.0)


def _around(point: Point, text: str) -> Iterator[Label]:
    """Places for a number around its point within the map, the nearest first."""
    distance = NEAREST
    while distance <= FURTHEST:
        for turn in range(DIRECTIONS):
            angle = 2 * pi * turn / DIRECTIONS
            x, y = point[0] + distance * cos(angle), point[1] + distance * sin(angle)
            if all(EDGE - OUTSIDE <= at <= EDGE + MAP + OUTSIDE for at in (x, y)):
                yield Label(round(x, 3), round(y, 3), text, SIZE)
        distance += STEP
