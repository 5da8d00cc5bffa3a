"""Blank rows around captions in a terminal, where their places are rounded to whole rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from quandary.core.boards import line_height
from quandary.core.scene import Box, Disc, Label, Line, Scene, Shape

GAP = 0.45  # units between a caption and its neighbour from which a row between them is blank
LABEL = 0.35  # half the height of a label that is no caption, such as the name of a column


def spaced(
    scene: Scene, captions: Collection[tuple[int, Label]], is_blank: Sequence[bool]
) -> Iterator[int | None]:
    """Yield the rows of a drawing from the top, None for a blank row.

    Captions come with their rows. Lines of one text follow each other, and a caption has one blank
    row between itself and its neighbours where the scene has a gap there; other rows stay as far
    from each other as they are.
    """
    others = [_extent(shape) for shape in scene.shapes if not _is_caption(shape)]
    extents = dict[int, tuple[float, float]]()
    for row, label in captions:
        top, bottom = _extent(label)
        above, below = extents.get(row, (top, bottom))
        extents[row] = min(top, above), max(bottom, below)
    # A caption beside a board is in rows of the board.
    own = {
        row: (top, bottom)
        for row, (top, bottom) in extents.items()
        if not any(high < bottom and low > top for high, low in others)
    }
    everything = [*others, *extents.values()]
    last = -1
    for row, blank in enumerate(is_blank):
        if blank:
            continue
        count = row - last - 1
        if row in own or last in own:
            count = int(_gap(own, last, row, everything) >= GAP)
        yield from (None,) * count
        yield row
        last = row
    yield from (None,) * (len(is_blank) - last - 1)


def _gap(
    own: dict[int, tuple[float, float]],
    upper: int,
    lower: int,
    extents: list[tuple[float, float]],
) -> float:
    """Return the units between two rows, one of which is a caption's."""
    if lower in own:
        top, _ = own[lower]
        return top - max((low for high, low in extents if high < top), default=0.0)
    _, bottom = own[upper]
    return min((high for high, low in extents if low > bottom), default=bottom) - bottom


def _is_caption(shape: Shape) -> bool:
    return isinstance(shape, Label) and shape.caption is not None


def _extent(shape: Shape) -> tuple[float, float]:
    """Return the top and the bottom of a shape."""
    match shape:
        case Box():
            return shape.y, shape.y + shape.height
        case Disc():
            return shape.y - shape.radius, shape.y + shape.radius
        case Line():
            levels = [y for _, y in shape.points]
            return min(levels), max(levels)
        case Label():
            half = LABEL if shape.caption is None else line_height(shape.size) / 2
            return shape.y - half, shape.y + half
