"""A position as shapes, with no drawing library in sight; `render` turns scenes into SVG, PNG and terminal text.

One unit is one cell of a board; x grows to the right and y downwards.
Colours are names, those in COLOURS; `render.svg` says what they look like, safe for colour-blind eyes.
`click` is the move (or the part of one) that a click on the shape means; "" where there is nothing to click.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

COLOURS = (
    "paper", "ink", "quiet", "line", "red", "blue", "green", "yellow", "orange", "purple", "sky",
    "mark", "good", "bad", "shade",  # pale yellow, green, red and grey
)  # fmt: skip


@dataclass(frozen=True)
class Box:
    """A rectangle, perhaps with a text in its middle."""

    x: float
    y: float
    width: float = 1
    height: float = 1
    fill: str = "paper"
    text: str = ""
    colour: str = "ink"  # of the text
    size: float = 0.5  # of the text
    click: str = ""


@dataclass(frozen=True)
class Disc:
    """A circle, perhaps with a text in its middle."""

    x: float  # its centre
    y: float
    radius: float = 0.4
    fill: str = "ink"
    text: str = ""
    colour: str = "paper"
    size: float = 0.5
    click: str = ""


@dataclass(frozen=True)
class Line:
    """A line through some points."""

    points: tuple[tuple[float, float], ...]
    colour: str = "ink"
    width: float = 0.04


@dataclass(frozen=True)
class Label:
    """A text on its own."""

    x: float
    y: float  # the middle of the text's height
    text: str
    size: float = 0.4
    colour: str = "ink"
    anchor: Literal["start", "middle", "end"] = "middle"
    mono: bool = False  # letters in columns


Shape: TypeAlias = Box | Disc | Line | Label


@dataclass(frozen=True)
class Scene:
    width: float
    height: float
    shapes: tuple[Shape, ...]


def grid(
    rows: Sequence[Sequence[str]],
    fills: Mapping[str, str] | None = None,
    *,
    clicks: Mapping[tuple[int, int], str] | None = None,
    rule_every: int = 0,
    first_index: int | None = None,
) -> Scene:
    """The picture most puzzles need: a board of cells, coloured by what is in them.

    `rule_every` draws a heavy line every so many cells; `first_index` numbers rows and columns from there on.
    `clicks` maps (row, column), counted from 0, to the move a click there means.
    """
    margin = 0.0 if first_index is None else 0.7
    shapes: list[Shape] = []
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            fill = (fills or {}).get(cell, "paper")
            click = (clicks or {}).get((y, x), "")
            shapes.append(Box(x + margin, y + margin, fill=fill, text=cell.strip(" ."), click=click))
    height, width = len(rows), max(map(len, rows), default=0)
    if rule_every:
        shapes += [Line(((margin + x, margin), (margin + x, margin + height)), width=0.08) for x in range(0, width + 1, rule_every)]
        shapes += [Line(((margin, margin + y), (margin + width, margin + y)), width=0.08) for y in range(0, height + 1, rule_every)]
    if first_index is not None:
        shapes += [Label(margin + x + 0.5, margin / 2, str(first_index + x), colour="quiet") for x in range(width)]
        shapes += [Label(margin / 2, margin + y + 0.5, str(first_index + y), colour="quiet") for y in range(height)]
    return Scene(width + margin, height + margin, tuple(shapes))
