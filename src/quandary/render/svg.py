"""Scenes as SVG."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from math import ceil
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Language, Puzzle, Seat
from quandary.core.scene import COLUMN, Box, Disc, Label, Line, Scene, Shape
from quandary.core.text_columns import columns, cut, fold
from quandary.core.text_width import text_width

# Okabe and Ito's palette, which colour-blind readers can tell apart, and pale tints for cells.
COLOURS = {
    "paper": "#fffdf7",
    "ink": "#222222",
    "quiet": "#6b6b6b",
    "line": "#9a9a9a",
    "red": "#d55e00",
    "blue": "#0072b2",
    "green": "#009e73",
    "yellow": "#f0e442",
    "orange": "#e69f00",
    "purple": "#cc79a7",
    "sky": "#56b4e9",
    "mark": "#fff3b0",
    "good": "#c9ead8",
    "bad": "#f6d0bd",
    "shade": "#e6e6e6",
}
SANS, MONO = "DejaVu Sans, sans-serif", "DejaVu Sans Mono, monospace"
MARGIN = 0.2  # of a unit, around every scene
INSIDE = 0.92  # of the width of a disc: its text does not touch the edge
PADDING = 0.1  # between the text of a box and its edges, of a unit or of a narrower box
SLACK = 1e-6  # of a pixel, for sums such as 0.1 + 0.2
TEXT_SIZE, TEXT_WIDTH, TEXT_LINE = 0.4, 0.25, 0.55  # of text drawn in a box
TEXT_COLUMNS = 64  # of its longest lines: more would be too small to read on a telephone


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str  # the name of a colour, here and below
    click: Mapping[str, str] | None


class Circle(NamedTuple):
    x: float
    y: float
    radius: float
    fill: str
    click: Mapping[str, str] | None


class Polyline(NamedTuple):
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float


class Text(NamedTuple):
    x: tuple[float, ...]  # of the text, or of each letter
    y: float  # of the baseline
    words: str
    size: float
    colour: str
    anchor: str
    mono: bool


Element: TypeAlias = Rectangle | Circle | Polyline | Text


def svg(scene: Scene, longest: int = 512) -> str:
    """Return the scene as a document whose longer side measures `longest` pixels."""
    width, height = scene.width + 2 * MARGIN, scene.height + 2 * MARGIN
    unit = longest / max(width, height)
    # Whole pixels, all of them filled: what the scene does not fill of the last ones is paper.
    across, down = (ceil(length * unit - SLACK) for length in (width, height))
    box = f'width="{across / unit:.8g}" height="{down / unit:.8g}"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="{-MARGIN} {-MARGIN} {across / unit:.8g} {down / unit:.8g}" '
        f'width="{across}" height="{down}">'
        f'<rect x="{-MARGIN}" y="{-MARGIN}" {box} fill="{COLOURS["paper"]}"/>'
        f"{''.join(map(_shape, scene.shapes))}</svg>"
    )


def picture(position: Puzzle, seat: Seat, language: Language = "en") -> Scene:
    """Return what to draw of any position for a seat: its own scene, or its text in a box."""
    seen = position.seen_by(seat)
    return seen.scene(seat, language) or text_scene(seen.text(seat, language))


def text_scene(text: str) -> Scene:
    """Plain text as a picture, letters in columns; lines that are too long are broken."""
    given = text.expandtabs().splitlines() or [""]
    lines = [part for line in given for part in _broken(line)]
    labels = tuple(
        Label(0, (row + 0.5) * TEXT_LINE, line, size=TEXT_SIZE, anchor="start", mono=True)
        for row, line in enumerate(lines)
        if line
    )
    return Scene(max(4.0, max(map(columns, lines)) * TEXT_WIDTH), len(lines) * TEXT_LINE, labels)


def _broken(line: str) -> list[str]:
    if columns(line) <= TEXT_COLUMNS:
        return [line]
    return fold(cut(line, TEXT_COLUMNS, columns), TEXT_COLUMNS)


@lru_cache(maxsize=8_192)  # the positions of a match share most of their shapes
def _shape(shape: Shape) -> str:
    return "".join(map(_markup, elements(shape)))


def elements(shape: Shape) -> Iterator[Element]:
    """Yield what a shape consists of, for whoever draws it; its text fits into it."""
    match shape:
        case Box(x, y, width, height):
            yield Rectangle(x, y, width, height, shape.fill, shape.click)
            size = _fitting(shape.text, shape.size, width - 2 * PADDING * min(1, width))
            yield from _text(x + width / 2, y + height / 2, shape.text, size, shape.colour)
        case Disc(x, y, radius):
            yield Circle(x, y, radius, shape.fill, shape.click)
            size = _fitting(shape.text, shape.size, INSIDE * 2 * radius)
            yield from _text(x, y, shape.text, size, shape.colour)
        case Line():
            yield Polyline(shape.points, shape.colour, shape.width)
        case Label(x, y, text, size, colour, anchor, mono):
            places: tuple[float, ...] = (x,)
            if mono and anchor == "start" and columns(text) > len(text):
                places = _columns_at(x, text, size)
            yield from _text(places, y, text, size, colour, anchor, mono)


def _text(
    x: float | tuple[float, ...],
    y: float,
    words: str,
    size: float,
    colour: str,
    anchor: str = "middle",
    mono: bool = False,
) -> Iterator[Text]:
    """Nothing for no words; `y` is the middle of their height."""
    if words:
        # Half a capital's height below the middle, as not all renderers support dominant-baseline.
        places = x if isinstance(x, tuple) else (x,)
        yield Text(places, y + size * 0.36, words, size, colour, anchor, mono)


def _markup(element: Element) -> str:
    match element:
        case Rectangle(x, y, width, height):
            place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f"<rect {place} {_painted(element)}/>"
        case Circle(x, y, radius):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {_painted(element)}/>'
        case Polyline(points, colour, width):
            path = " ".join(f"{x:g},{y:g}" for x, y in points)
            stroke = f'stroke="{COLOURS[colour]}" stroke-width="{width:g}"'
            return f'<polyline points="{path}" fill="none" {stroke}/>'
        case Text(places, y, words, size, colour, anchor, mono):
            across = " ".join(f"{x:g}" for x in places)
            return (
                f'<text x="{across}" y="{y:g}" font-family="{MONO if mono else SANS}" '
                f'font-size="{size:g}" fill="{COLOURS[colour]}" text-anchor="{anchor}" '
                f'xml:space="preserve">{_safe(words)}</text>'
            )


def _columns_at(x: float, text: str, size: float) -> tuple[float, ...]:
    """Return where each letter begins: a wide one comes from another font, but takes two
    columns.
    """
    return tuple(x + COLUMN * size * columns(text[:place]) for place in range(len(text)))


def _fitting(text: str, size: float, width: float) -> float:
    """Return the size at which a text fits into a width."""
    return min(size, width / text_width(text or " ", 1))


def _painted(shape: Rectangle | Circle) -> str:
    """Colours of a shape, and what a click on it means for the page that shows it."""
    painted = f'fill="{COLOURS[shape.fill]}" stroke="{COLOURS["line"]}" stroke-width=".03"'
    if shape.click:
        fields = json.dumps(dict(shape.click), ensure_ascii=False, separators=(",", ":"))
        painted += f' data-click="{_safe(fields)}"'
    return painted


def _safe(text: str) -> str:
    """Return the text escaped, and without the control characters that XML does not allow."""
    if text.isprintable():
        return escape(text)
    return escape(
        "".join(
            letter if letter >= " " else " "
            for letter in text
            if not 0xD800 <= ord(letter) <= 0xDFFF
        )
    )
