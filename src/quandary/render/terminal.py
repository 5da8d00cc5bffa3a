"""Scenes as terminal text: each cell of the board becomes a block of characters."""

from __future__ import annotations

from quandary.core.scene import Box, Disc, Label, Line, Scene
from quandary.core.text_columns import columns

from .svg import COLOURS

ACROSS, DOWN = 4, 2  # characters per unit
RESET = "\x1b[0m"


def terminal(scene: Scene, colour: bool = True) -> str:
    """The scene drawn with characters; without colour, cells are told apart by their text alone."""
    width, height = round(scene.width * ACROSS) + 1, round(scene.height * DOWN) + 1
    letters = [[" "] * width for _ in range(height)]
    fills = [[""] * width for _ in range(height)]
    for shape in scene.shapes:
        match shape:
            case Box():
                _border(letters, shape)
                _fill(fills, shape.x, shape.y, shape.width, shape.height, shape.fill)
                _write(letters, shape.x + shape.width / 2, shape.y + shape.height / 2, shape.text)
            case Disc():
                text = shape.text or "●"
                _fill_disc(fills, shape)
                _write(letters, shape.x, shape.y, text)
            case Label():
                _write(letters, shape.x, shape.y, shape.text, shape.anchor)
            case Line():
                pass  # lines only decorate what boxes already show
    return "\n".join(
        _line(row, fill, colour) for row, fill in zip(letters, fills, strict=True)
    ).rstrip("\n")


def _border(letters: list[list[str]], box: Box) -> None:
    left, right = round(box.x * ACROSS), round((box.x + box.width) * ACROSS)
    top, bottom = round(box.y * DOWN), round((box.y + box.height) * DOWN)
    for x in range(left, right + 1):
        for y in (top, bottom):
            _put(letters, x, y, "+" if x in (left, right) else "-")
    for y in range(top + 1, bottom):
        for x in (left, right):
            _put(letters, x, y, "|")


def _fill(
    fills: list[list[str]], x: float, y: float, width: float, height: float, name: str
) -> None:
    for row in range(round(y * DOWN) + 1, max(round(y * DOWN) + 2, round((y + height) * DOWN))):
        for column in range(round(x * ACROSS) + 1, round((x + width) * ACROSS)):
            if 0 <= row < len(fills) and 0 <= column < len(fills[0]):
                fills[row][column] = "" if name == "paper" else name


def _fill_disc(fills: list[list[str]], disc: Disc) -> None:
    """The characters around its text; a disc of a board is one line high."""
    row, column = int(disc.y * DOWN), round(disc.x * ACROSS)
    down, across = int(disc.radius * DOWN), int(disc.radius * ACROSS)
    for y in range(max(0, row - down), min(len(fills), row + down + 1)):
        for x in range(max(0, column - across), min(len(fills[y]), column + across + 1)):
            fills[y][x] = "" if disc.fill == "paper" else disc.fill


def _write(letters: list[list[str]], x: float, y: float, text: str, anchor: str = "middle") -> None:
    wide = columns(text)
    at = round(x * ACROSS) - {"start": 0, "middle": wide // 2, "end": wide}[anchor]
    for letter in text:
        _put(letters, at, int(y * DOWN), letter)
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
    said, now = [], ""
    for letter, fill in zip(row, fills, strict=True):
        if fill != now:
            said.append(_paint(fill) if fill else RESET)
            now = fill
        said.append(letter)
    return "".join(said).rstrip() + (RESET if now else "")


def _paint(name: str) -> str:
    red, green, blue = (int(COLOURS[name][i : i + 2], 16) for i in (1, 3, 5))
    dark = red * 299 + green * 587 + blue * 114 < 140_000
    return f"\x1b[{97 if dark else 30};48;2;{red};{green};{blue}m"
