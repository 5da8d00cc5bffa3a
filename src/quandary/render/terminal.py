"""Scenes as terminal text: each cell of the board becomes a block of characters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import TypeAlias

from quandary.core.scene import Box, Disc, Label, Line, Scene
from quandary.core.text_columns import columns

from .svg import COLOURS
from .terminal_rows import spaced

ACROSS, DOWN = 4, 2  # characters per unit
DOTS_ACROSS, DOTS_DOWN = 2, 4  # of a Braille pattern
BLANK_PATTERN = 0x2800  # the pattern without dots; each dot has a bit
DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # from the top, left and right
SLACK = 1e-6  # for sums such as 0.1 + 0.2
HEAVY = 0.06  # width from which a line is drawn as a heavy one
RESET = "\x1b[0m"
# What stands for a fill where there are no colours; paper has no sign.
SIGNS = {
    "ink": "#", "quiet": ":", "line": ";", "red": "!", "blue": "%", "green": "=", "yellow": "^",
    "orange": "<", "purple": "@", "sky": "~", "mark": "*", "good": ">", "bad": "?", "shade": "'",
}  # fmt: skip

Point: TypeAlias = tuple[float, float]


def terminal(scene: Scene, colour: bool = True, *, without: Collection[Label] = ()) -> str:
    """Return the scene drawn with characters; without colour, signs stand for fills where the text
    alone does not tell cells apart: see `explained_signs`.

    The captions in `without` are left out, together with their rows.
    """
    width, height = round(scene.width * ACROSS) + 1, round(scene.height * DOWN) + 1
    letters = [[" "] * width for _ in range(height)]
    fills = [[""] * width for _ in range(height)]
    for shape in scene.shapes:
        match shape:
            case Box():
                _border(letters, shape)
                _fill(fills, shape.x, shape.y, shape.width, shape.height, shape.fill)
            case Disc():
                _fill_disc(fills, shape)
            case Line():
                _draw(letters, shape)
    for shape in scene.shapes:  # texts are in front of all lines
        match shape:
            case Box():
                left, right = _edges(shape)
                at = left + (right - left + 1 - columns(shape.text)) // 2
                _write(letters, at, shape.y + shape.height / 2, shape.text)
            case Disc():
                text = shape.text or "●"
                _write(letters, _start(shape.x, text, "middle"), shape.y, text)
            case Label() if shape not in without:
                at = _start(shape.x, shape.text, shape.anchor)
                _write(letters, at, shape.y, shape.text)
    if not colour:
        _sign(letters, scene)
    is_blank = [
        not "".join(row).strip() and not any(fill) for row, fill in zip(letters, fills, strict=True)
    ]
    captions = [
        (_row(shape.y), shape)
        for shape in scene.shapes
        if isinstance(shape, Label) and shape.caption is not None
    ]
    gone = {row for row, label in captions if label in without and is_blank[row]}
    lines = [_line(row, fill, colour) for row, fill in zip(letters, fills, strict=True)]
    rows = spaced(
        scene, captions, [blank and row not in gone for row, blank in enumerate(is_blank)]
    )
    return "\n".join(_joined(lines, rows, gone)).rstrip("\n")


def explained_signs(scene: Scene, legend: Mapping[str, str]) -> str:
    """Return a line for each sign of a drawing without colour, as far as a legend knows its
    colour.
    """
    return "\n".join(f"{SIGNS[fill]} {legend[fill]}" for fill in _signed(scene) if fill in legend)


def _signed(scene: Scene) -> list[str]:
    """Return the fills that tell apart cells or pieces with the same text, but for paper."""
    fills = defaultdict[tuple[type, str], set[str]](set)
    for shape in scene.shapes:
        if isinstance(shape, Box | Disc):
            fills[type(shape), shape.text].add(shape.fill)
    needed = {fill for some in fills.values() if len(some) > 1 for fill in some}
    return [fill for fill in SIGNS if fill in needed]


def _sign(letters: list[list[str]], scene: Scene) -> None:
    """Put the signs of fills where cells and pieces have room for them."""
    signed = _signed(scene)
    boxes = [[""] * len(row) for row in letters]  # without the pieces in them
    for shape in scene.shapes:
        if isinstance(shape, Box):
            _fill(boxes, shape.x, shape.y, shape.width, shape.height, shape.fill)
    for shape in scene.shapes:
        if not isinstance(shape, Box | Disc) or shape.fill not in signed:
            continue
        if isinstance(shape, Box):
            row, (left, right) = _row(shape.y + shape.height / 2), _edges(shape)
            places = [*([] if shape.text else [(left + right) // 2]), left + 1, right - 1]
            # Another box may cover this one.
            places = [at for at in places if _at(boxes, row, at) == shape.fill]
        else:
            row, text = _row(shape.y), shape.text or "●"
            start = _start(shape.x, text, "middle")
            places = [start - 1, start + columns(text)]
        for at in [at for at in places if _at(letters, row, at) == " "][:1]:
            letters[row][at] = SIGNS[shape.fill]


def _at(rows: list[list[str]], row: int, column: int) -> str:
    """Return what is in a place; "" outside."""
    is_inside = 0 <= row < len(rows) and 0 <= column < len(rows[row])
    return rows[row][column] if is_inside else ""


def _joined(lines: Sequence[str], rows: Iterable[int | None], gone: Collection[int]) -> list[str]:
    """Return lines in the order of their rows; where some are gone, one blank line is left."""
    joined, closes_up = list[str](), False
    for row in rows:
        if row in gone:
            closes_up = True
        elif row is not None:
            closes_up = False
            joined.append(lines[row])
        elif not closes_up or (joined and joined[-1]):
            joined.append("")
    return joined


def _row(y: float) -> int:
    """Rounded down everywhere: so a text in the middle of a box is never on its edge."""
    return floor(y * DOWN + SLACK)


def _draw(letters: list[list[str]], line: Line) -> None:
    for (x, y), (u, v) in pairwise(line.points):
        if line.width >= HEAVY and (x == u or y == v):
            _rule(letters, (x, y), (u, v))
        else:
            _dots(letters, (x, y), (u, v))


def _rule(letters: list[list[str]], one: Point, other: Point) -> None:
    """A heavy line along rows or columns, which replaces the edges of boxes."""
    left, right = sorted((round(one[0] * ACROSS), round(other[0] * ACROSS)))
    top, bottom = sorted((_row(one[1]), _row(other[1])))
    along, crossed = ("━", "┃") if top == bottom else ("┃", "━")
    for y in range(max(0, top), min(len(letters), bottom + 1)):
        for x in range(max(0, left), min(len(letters[0]), right + 1)):
            letters[y][x] = "╋" if letters[y][x] in (crossed, "╋") else along


def _dots(letters: list[list[str]], one: Point, other: Point) -> None:
    """A line in any direction, of dots that leave the edges of boxes as they are."""
    (x, y), (u, v) = one, other
    dots_across, dots_down = ACROSS * DOTS_ACROSS, DOWN * DOTS_DOWN
    steps = ceil(max(abs(u - x) * dots_across, abs(v - y) * dots_down))
    for step in range(steps + 1):
        along = step / max(steps, 1)
        column = int((x + (u - x) * along) * dots_across)
        row = int((y + (v - y) * along) * dots_down)
        at, down = column // DOTS_ACROSS, row // DOTS_DOWN
        if not (0 <= down < len(letters) and 0 <= at < len(letters[0])):
            continue
        there = ord(letters[down][at]) if letters[down][at] != " " else BLANK_PATTERN
        if BLANK_PATTERN <= there < BLANK_PATTERN + 256:
            bit = DOT_BITS[row % DOTS_DOWN][column % DOTS_ACROSS]
            letters[down][at] = chr(there | bit)


def _edges(box: Box) -> tuple[int, int]:
    """Return the first and the last column of a box."""
    return round(box.x * ACROSS), round((box.x + box.width) * ACROSS)


def _border(letters: list[list[str]], box: Box) -> None:
    left, right = _edges(box)
    top, bottom = _row(box.y), _row(box.y + box.height)
    for x in range(left, right + 1):
        for y in (top, bottom):
            _put(letters, x, y, "+" if x in (left, right) else "-")
    for y in range(top + 1, bottom):
        for x in (left, right):
            _put(letters, x, y, "|")


def _fill(
    fills: list[list[str]], x: float, y: float, width: float, height: float, name: str
) -> None:
    for row in range(_row(y) + 1, max(_row(y) + 2, _row(y + height))):
        for column in range(round(x * ACROSS) + 1, round((x + width) * ACROSS)):
            if 0 <= row < len(fills) and 0 <= column < len(fills[0]):
                fills[row][column] = "" if name == "paper" else name


def _fill_disc(fills: list[list[str]], disc: Disc) -> None:
    """The characters around its text; a disc of a board is one line high."""
    row, column = _row(disc.y), round(disc.x * ACROSS)
    down, across = int(disc.radius * DOWN), int(disc.radius * ACROSS)
    for y in range(max(0, row - down), min(len(fills), row + down + 1)):
        for x in range(max(0, column - across), min(len(fills[y]), column + across + 1)):
            fills[y][x] = "" if disc.fill == "paper" else disc.fill


def _start(x: float, text: str, anchor: str) -> int:
    """Return the first column of a text."""
    wide = columns(text)
    return round(x * ACROSS) - {"start": 0, "middle": wide // 2, "end": wide}[anchor]


def _write(letters: list[list[str]], at: int, y: float, text: str) -> None:
    for letter in text:
        _put(letters, at, _row(y), letter)
        at += columns(letter)


def _put(letters: list[list[str]], x: int, y: int, letter: str) -> None:
    """Put a letter into its column; a wide one leaves the next column empty."""
    wide = columns(letter)
    if not (0 <= y < len(letters) and 0 <= x <= len(letters[0]) - wide):
        return
    row = letters[y]
    if not row[x]:  # the second half of a wide letter, whose first half goes too
        row[x - 1] = " "
    if x + wide < len(row) and not row[x + wide]:
        row[x + wide] = " "
    row[x : x + wide] = [letter, ""][:wide]


def _line(row: list[str], fills: list[str], colour: bool) -> str:
    if not colour:
        return "".join(row).rstrip()
    painted, now = [], ""
    for letter, fill in zip(row, fills, strict=True):
        if fill != now:
            painted.append(_paint(fill) if fill else RESET)
            now = fill
        painted.append(letter)
    return "".join(painted).rstrip() + (RESET if now else "")


def _paint(name: str) -> str:
    red, green, blue = (int(COLOURS[name][i : i + 2], 16) for i in (1, 3, 5))
    dark = red * 299 + green * 587 + blue * 114 < 140_000
    return f"\x1b[{97 if dark else 30};48;2;{red};{green};{blue}m"
