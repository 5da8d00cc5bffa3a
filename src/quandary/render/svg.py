"""Scenes as SVG."""

from __future__ import annotations

from html import escape

from quandary.core.contract import Puzzle, Seat
from quandary.core.scene import Box, Disc, Label, Line, Scene, Shape

COLOURS = {  # Okabe and Ito's palette, told apart by colour-blind eyes too, and some pale tints for cells
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
WIDE = 0.62  # of its size: how wide a letter is at most, on average
TEXT_SIZE, TEXT_WIDTH, TEXT_LINE = 0.4, 0.25, 0.55  # of text drawn in a box


def svg(scene: Scene, longest: int = 512) -> str:
    """The scene as a document whose longer side measures `longest` pixels."""
    width, height = scene.width + 2 * MARGIN, scene.height + 2 * MARGIN
    unit = longest / max(width, height)
    shapes = "".join(_shape(shape) for shape in scene.shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width:g} {height:g}" '
        f'width="{width * unit:.0f}" height="{height * unit:.0f}">'
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width:g}" height="{height:g}" fill="{COLOURS["paper"]}"/>{shapes}</svg>'
    )


def picture(position: Puzzle, seat: Seat) -> Scene:
    """What to draw of any position for a seat: its own scene, or its text in a box."""
    seen = position.seen_by(seat)
    return seen.scene(seat) or text_scene(seen.text(seat))


def text_scene(text: str) -> Scene:
    """Plain text as a picture, letters in columns."""
    lines = text.expandtabs().splitlines() or [""]
    labels = tuple(
        Label(0, (row + 0.5) * TEXT_LINE, line, size=TEXT_SIZE, anchor="start", mono=True) for row, line in enumerate(lines) if line
    )
    return Scene(max(4.0, max(map(len, lines)) * TEXT_WIDTH), len(lines) * TEXT_LINE, labels)


def _colour(name: str) -> str:
    return COLOURS[name]


def _shape(shape: Shape) -> str:
    match shape:
        case Box():
            move = f' data-move="{_safe(shape.click)}"' if shape.click else ""
            body = (
                f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}" '
                f'fill="{_colour(shape.fill)}" stroke="{_colour("line")}" stroke-width=".03"{move}/>'
            )
            size = min(shape.size, shape.width / (WIDE * max(1, len(shape.text))))
            return body + _text(shape.x + shape.width / 2, shape.y + shape.height / 2, shape.text, size, shape.colour)
        case Disc():
            move = f' data-move="{_safe(shape.click)}"' if shape.click else ""
            body = (
                f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="{_colour(shape.fill)}" '
                f'stroke="{_colour("line")}" stroke-width=".03"{move}/>'
            )
            size = min(shape.size, 2 * shape.radius / (WIDE * max(1, len(shape.text))))
            return body + _text(shape.x, shape.y, shape.text, size, shape.colour)
        case Line():
            path = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
            return f'<polyline points="{path}" fill="none" stroke="{_colour(shape.colour)}" stroke-width="{shape.width:g}"/>'
        case Label():
            return _text(shape.x, shape.y, shape.text, shape.size, shape.colour, shape.anchor, MONO if shape.mono else SANS)


def _text(x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle", font: str = SANS) -> str:
    if not text:
        return ""
    baseline = y + size * 0.36  # half a capital's height below the middle: not all renderers know dominant-baseline
    return (
        f'<text x="{x:g}" y="{baseline:g}" font-family="{font}" font-size="{size:g}" fill="{_colour(colour)}" '
        f'text-anchor="{anchor}" xml:space="preserve">{_safe(text)}</text>'
    )


def _safe(text: str) -> str:
    """Escaped, and without the control characters XML does not allow."""
    return escape("".join(letter if letter >= " " else " " for letter in text if not 0xD800 <= ord(letter) <= 0xDFFF))
