"""A position as shapes, independent of drawing libraries; `render` draws them.

One unit is one cell of a board; x grows to the right and y downwards.
Colours are the names in COLOURS; `render.svg` maps them to a palette for colour-blind readers too.
The puzzle's `legend` says what they mean in a scene.
`click` holds the fields of a move that a click on the shape fills in, as texts: {"row": "3"}.
`core.boards` composes scenes from boards, cards and captions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct  # maps have thousands of shapes, and dataclasses are slow to make

COLOURS = (
    "paper", "ink", "quiet", "line", "red", "blue", "green", "yellow", "orange", "purple", "sky",
    "mark", "good", "bad", "shade",  # pale yellow, green, red and grey
)  # fmt: skip
PLAIN = ("ink", "quiet", "line", "paper")  # colours of letters and lines, without a meaning
COLUMN = 0.602  # letter width per font size, in the monospaced font


class Box(Struct, frozen=True):
    """A rectangle with an optional centred text."""

    x: float
    y: float
    width: float = 1
    height: float = 1
    fill: str = "paper"
    text: str = ""
    colour: str = "ink"  # text colour
    size: float = 0.5  # text size
    click: Mapping[str, str] | None = None

    def __hash__(self) -> int:
        """Leaves out `click`: a mapping has no hash."""
        return hash((self.x, self.y, self.width, self.height, self.fill, self.text))


class Disc(Struct, frozen=True):
    """A circle with an optional centred text."""

    x: float  # its centre
    y: float
    radius: float = 0.4
    fill: str = "ink"
    text: str = ""
    colour: str = "paper"
    size: float = 0.5
    click: Mapping[str, str] | None = None

    def __hash__(self) -> int:
        """Leaves out `click`, as a box does."""
        return hash((self.x, self.y, self.radius, self.fill, self.text))


class Line(Struct, frozen=True):
    """A line through some points."""

    points: tuple[tuple[float, float], ...]
    colour: str = "ink"
    width: float = 0.04


class Label(Struct, frozen=True):
    """A text on its own."""

    x: float
    y: float  # the middle of the text's height
    text: str
    size: float = 0.4
    colour: str = "ink"
    anchor: Literal["start", "middle", "end"] = "middle"
    mono: bool = False  # letters in columns
    # Of a line of words, which a page may show beside the picture in lines of its own: the whole
    # text that begins in it, "" where it goes on, and None for other texts.
    caption: str | None = None


Shape: TypeAlias = Box | Disc | Line | Label


class Scene(Struct, frozen=True):
    """Shapes within a width and a height, from (0, 0) at the top left."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def meaningful_colours(scene: Scene) -> list[str]:
    """Return the colours that tell things apart, in order of appearance.

    These are all fills but paper, and the colours of letters and lines that are not plain.
    """
    found = dict[str, None]()
    for shape in scene.shapes:
        if isinstance(shape, Box | Disc) and shape.fill != "paper":
            found[shape.fill] = None
        if (isinstance(shape, Line) or shape.text) and shape.colour not in PLAIN:
            found[shape.colour] = None
    return list(found)
