"""Pictures of the puzzles that were played, and of positions at moments worth seeing.

That of a puzzle is drawn from its first instance in the tables.  It is shown so small that words
cannot be read and a long row of cells is a line, so it is the most telling part of the position:
the largest board, or as much of it as is nearly square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.core.scene import Box, Disc, Label, Line, Scene, Shape
from quandary.render.svg import picture, svg
from quandary.report.viewer.chosen import groups
from quandary.report.viewer.frames import spoken_language
from quandary.report.viewer.moments import Moment

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "pictures"
LONGEST = 220  # pixels
MOST_BYTES = 100_000  # of the picture of a moment
NEARLY = 1.34  # times as long as it is wide, which counts as nearly square
LEAST = 4  # units of a row that are shown
TOUCHING = 0.05  # units between the shapes of a board, at most
PART = 0.15  # of the space of everything but words that a board takes up, for showing it alone


class Frame(NamedTuple):
    """A rectangle around shapes."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def touches(self, other: Frame) -> bool:
        return (
            self.left < other.right + TOUCHING
            and other.left < self.right + TOUCHING
            and self.top < other.bottom + TOUCHING
            and other.top < self.bottom + TOUCHING
        )

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def puzzle_pictures(seats: pa.Table, out: Path) -> dict[str, str]:
    """Return a picture of each puzzle, drawn from the first instance of it in the tables: files in
    the folder of the report, by puzzle, without those that cannot be drawn.
    """
    import numpy as np

    (out / FOLDER).mkdir(exist_ok=True)
    found = dict[str, str]()
    _, first = np.unique(groups(seats, ("task", "puzzle")), return_index=True)
    for row in seats.select(["task", "puzzle", "spec"]).take(np.sort(first)).to_pylist():
        name = f"{row['task']}:{row['puzzle']}" if row["task"] else row["puzzle"]
        try:
            start = drawing.game(row["spec"])
            drawn = svg(thumbnail(picture(start, max(0, min(start.options(), default=0)))), LONGEST)
        except (UserError, ValueError):  # a problem of an import, or a puzzle that is not here
            continue
        path = f"{FOLDER}/{re.sub(r'[^a-z0-9]+', '_', name.lower())}.svg"
        (out / path).write_text(drawn, "utf-8", newline="\n")
        found[name] = path
    return found


def thumbnail(scene: Scene) -> Scene:
    """Return the most telling part of a scene, without lines of words.

    All of it, where there is nothing but words and perhaps one cell to write in.
    """
    shapes = [shape for shape in scene.shapes if not _is_words(shape)]
    framed = [(shape, _frame(shape)) for shape in shapes if not isinstance(shape, Label)]
    if len(framed) < 2:
        return scene
    whole = _around([*map(_frame, shapes)])
    boards = [
        (_around([frame for _, frame in board]), [shape for shape, _ in board])
        for board in _boards(framed)
    ]
    # Of equal boards, the one that has most on it.
    largest, _ = max(boards, key=lambda one: (round(one[0].area, 3), _filled(one[1])))
    alone = largest.area >= PART * whole.area
    shown = _nearly_square(largest if alone else whole, shapes)
    inside = [shape for shape in shapes if shown.holds(*_middle(shape))]
    return Scene(
        shown.right - shown.left,
        shown.bottom - shown.top,
        tuple(_moved(shape, -shown.left, -shown.top) for shape in inside),
    )


def _is_words(shape: Shape) -> bool:
    return isinstance(shape, Label) and shape.caption is not None


def _frame(shape: Shape) -> Frame:
    match shape:
        case Box(x, y, width, height):
            return Frame(x, y, x + width, y + height)
        case Disc(x, y, radius):
            return Frame(x - radius, y - radius, x + radius, y + radius)
        case Line(points):
            across, down = zip(*points, strict=True)
            return Frame(min(across), min(down), max(across), max(down))
    return Frame(shape.x, shape.y, shape.x, shape.y)


def _around(frames: Sequence[Frame]) -> Frame:
    lefts, tops, rights, bottoms = zip(*frames, strict=True)
    return Frame(min(lefts), min(tops), max(rights), max(bottoms))


def _boards(framed: Sequence[tuple[Shape, Frame]]) -> list[list[tuple[Shape, Frame]]]:
    """Shapes with their frames, those together that touch each other."""
    found = list[tuple[Frame, list[tuple[Shape, Frame]]]]()
    for one in framed:
        near = [board for board in found if board[0].touches(one[1])]
        found = [board for board in found if not board[0].touches(one[1])]
        frame = _around([one[1], *(frame for frame, _ in near)])
        found.append((frame, [*(shape for _, board in near for shape in board), one]))
    return [board for _, board in found]


def _filled(board: Sequence[Shape]) -> int:
    """Return how many of its cells are not blank."""
    return sum(isinstance(one, Box) and (one.text, one.fill) != ("", "paper") for one in board)


def _nearly_square(frame: Frame, shapes: Sequence[Shape]) -> Frame:
    """Return the first part of a frame that is too long, or the middle of cells that are
    too wide.
    """
    left, top, right, bottom = frame
    across, down = right - left, bottom - top
    most = max(LEAST, floor(NEARLY * min(across, down)))
    if across > most:
        wide = next((one for one in shapes if isinstance(one, Box) and one.width > most), None)
        left += (wide.width - most) / 2 if wide else 0.0
    return Frame(left, top, min(right, left + most), min(bottom, top + most))


def _middle(shape: Shape) -> tuple[float, float]:
    left, top, right, bottom = _frame(shape)
    return (left + right) / 2, (top + bottom) / 2


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + at, y + level) for at, level in shape.points))
    return replace(shape, x=shape.x + x, y=shape.y + y)


def moment_pictures(moments: Iterable[Moment], out: Path) -> list[str]:
    """Return what the player of each moment saw: a file in the folder of the report; "" for a
    position that is text alone, or takes too much.
    """
    (out / FOLDER).mkdir(exist_ok=True)
    found = list[str]()
    for number, one in enumerate(moments, start=1):
        seen = one.position.seen_by(one.seat)
        scene = seen.scene(one.seat, spoken_language(one.language or "en", one.position))
        drawn = svg(scene, LONGEST) if scene else ""
        path = f"{FOLDER}/moment-{number}.svg" if drawn and len(drawn) <= MOST_BYTES else ""
        if path:
            (out / path).write_text(drawn, "utf-8", newline="\n")
        found.append(path)
    return found
