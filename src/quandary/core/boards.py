"""Pictures composed of parts: boards of cells, rows of cards, captions.

Every part is a scene of its own; `stack` and `beside` join parts to larger ones:

    stack(
        captions("7 stones", size=0.6),
        cards([Cell("2", click={"card": "2"}), "9"], title="your cards"),
        board(["ab", "c."], first=1),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, TypeAlias

from msgspec.structs import replace

from .scene import COLUMN, Box, Disc, Label, Line, Scene, Shape
from .text_columns import columns, cut, fold
from .text_width import text_width

MARGIN = 0.7  # around a board, where its rows and columns are named
TEXT_WIDTH = 16.0  # where to wrap texts, so that they are legible on narrow screens
LETTERS_IN_ROW = 16
CAPTION = 0.48  # the size at which a caption is as wide in a picture as in a terminal
# Shares of the width: a short last line, and the lines that are narrowed to lengthen it.
SHORT, NARROWEST = 0.3, 0.6
RULE = 0.09  # width of a heavy line
DARK = ("ink", "quiet", "red", "blue", "green")  # colours on which text is pale


@dataclass(frozen=True)
class Cell:
    """The look of one cell of a board, or of one card."""

    text: str = ""
    fill: str | None = None  # None: "mark" where it can be clicked, else "paper"; "": no frame
    piece: str = ""  # the colour of a disc that stands in it and carries the text
    colour: str = ""  # text colour; "" for one that is easy to read on the fill or the piece
    click: Mapping[str, str] | None = None  # the fields of a move that a click on it fills in


# A string is a cell with that text; None draws nothing.
Row: TypeAlias = Sequence[Cell | str | None]


def board(
    rows: Sequence[Row],
    *,
    first: int | None = None,
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    heavy: tuple[int, int] | None = None,
    size: tuple[float, float] = (1.0, 1.0),
) -> Scene:
    """Return a board of cells, its top row first.

    `first` numbers rows and columns from there on; names may be given instead, "" for none.
    `heavy` is a number of rows and a number of columns after which a heavy line is drawn.
    `size` is the width and the height of a cell.
    """
    height, width = len(rows), max(map(len, rows), default=0)
    if first is not None:
        row_names = row_names or _numbers(first, height)
        column_names = column_names or _numbers(first, width)
    left = max(map(_row_margin, row_names), default=0.0)
    top = MARGIN if column_names else 0.0
    across, down = size
    shapes = [
        shape
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        for shape in _cell(cell, Box(left + x * across, top + y * down, across, down))
    ]
    shapes += _column_names(column_names, left, across)
    shapes += _row_names(row_names, left, top, down)
    right, bottom = left + width * across, top + height * down
    if not heavy:
        return Scene(right, bottom, tuple(shapes))
    levels = [top + y * down for y in range(0, height + 1, heavy[0])]
    places = [left + x * across for x in range(0, width + 1, heavy[1])]
    shapes += [Line(((left, y), (right, y)), width=RULE) for y in levels]
    shapes += [Line(((x, top), (x, bottom)), width=RULE) for x in places]
    return Scene(right + 0.1, bottom + 0.1, tuple(shapes))


def cards(
    cells: Row, *, columns: int = 12, title: str = "", size: tuple[float, float] = (1.0, 1.0)
) -> Scene:
    """Return cards or other things in rows of at most `columns`, under a title."""
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    return stack(captions(title, colour="quiet"), board(rows, size=size), gap=0.25)


def letters(text: str, *, title: str = "") -> Scene:
    """Return a text with each letter in a cell, under a title."""
    return cards([*text], columns=LETTERS_IN_ROW, title=title)


def captions(
    *texts: str,
    size: float = CAPTION,
    colour: str = "ink",
    mono: bool = False,
    width: float | None = None,
    indent: str = "",
) -> Scene:
    """Return lines of text one below the other; empty texts are left out.

    Texts wider than `width` are wrapped, and `indent` begins each further line of such a text.
    Lines may be narrower than they could be, so that the last one is not a single short word.
    """
    whole = [line for text in texts for line in text.splitlines() if line.strip()]
    lines = [
        (part, "" if number else text)
        for text in whole
        for number, part in enumerate(_wrapped(text, size, mono, width, indent))
    ]
    pitch = line_height(size)
    labels = (
        Label(0, pitch * (row + 0.5), line, size, colour, "start", mono, None if mono else text)
        for row, (line, text) in enumerate(lines)
    )
    widest = max((_line_width(line, size, mono) for line, _ in lines), default=0.0)
    return Scene(widest, pitch * len(lines), tuple(labels))


def line_height(size: float) -> float:
    """Return the height of a line of captions; terminals have two lines per unit."""
    return max(1.3 * size, 0.5)


def stack(
    *parts: Scene | None, gap: float = 0.5, align: Literal["start", "middle"] = "start"
) -> Scene:
    """Return parts one below the other; None and empty parts are left out.

    A gap of half a unit is a line of a terminal.
    """
    drawn = [part for part in parts if part and part.height > 0]
    width, bottom, shapes = max((part.width for part in drawn), default=0.0), 0.0, list[Shape]()
    for part in drawn:
        bottom += gap if shapes else 0.0
        left = (width - part.width) / 2 if align == "middle" else 0.0
        shapes += (_moved(shape, left, bottom) for shape in part.shapes)
        bottom += part.height
    return Scene(width, bottom, tuple(shapes))


def beside(*parts: Scene | None, gap: float = 0.6) -> Scene:
    """Return parts side by side from left to right; None and empty parts are left out."""
    right, shapes = 0.0, list[Shape]()
    drawn = [part for part in parts if part and part.height > 0]
    for part in drawn:
        right += gap if shapes else 0.0
        shapes += (_moved(shape, right, 0.0) for shape in part.shapes)
        right += part.width
    return Scene(right, max((part.height for part in drawn), default=0.0), tuple(shapes))


def _numbers(first: int, count: int) -> list[str]:
    return [str(first + number) for number in range(count)]


def _cell(cell: Cell | str | None, box: Box) -> Iterator[Shape]:
    """Yield the shapes of a cell that takes the place of `box`."""
    if cell is None:
        return
    look = Cell(cell) if isinstance(cell, str) else cell
    fill = ("mark" if look.click else "paper") if look.fill is None else look.fill
    colour = look.colour or ("paper" if (look.piece or fill) in DARK else "ink")
    x, y = box.x + box.width / 2, box.y + box.height / 2
    if fill:
        text = "" if look.piece else look.text
        yield replace(box, fill=fill, text=text, colour=colour, click=look.click)
    if look.piece:
        radius = 0.4 * min(box.width, box.height)
        yield Disc(x, y, radius, look.piece, look.text, colour, click=look.click)
    elif look.text and not fill:
        yield Label(x, y, look.text, _fitting([look.text], box.width), colour)


def _column_names(names: Sequence[str], left: float, across: float) -> Iterator[Label]:
    size = _fitting(names, 0.8 * across)  # the rest is space between names
    for column, name in enumerate(names):
        if name:
            yield Label(left + (column + 0.5) * across, MARGIN / 2, name, size, "quiet")


def _row_margin(name: str) -> float:
    """Return the room that a row name needs; a terminal has four columns per unit."""
    return max(MARGIN, text_width(name, 0.4) + 0.3, columns(name) / 4 + 0.2)


def _row_names(names: Sequence[str], left: float, top: float, down: float) -> Iterator[Label]:
    """Yield names of rows: short ones centred in the margin, longer ones ending at their row."""
    for row, name in enumerate(names):
        y = top + (row + 0.5) * down
        if not name:
            continue
        if left > MARGIN:
            yield Label(left - 0.2, y, name, colour="quiet", anchor="end")
        else:
            yield Label(left / 2, y, name, colour="quiet")


def _fitting(names: Sequence[str], width: float) -> float:
    """Return the size at which all names fit into a width."""
    return min([0.4, *(width / text_width(name, 1) for name in names if name)])


def _line_width(text: str, size: float, mono: bool) -> float:
    """A terminal has four columns per unit, whatever the size of the letters."""
    wide = columns(text)
    return max(COLUMN * size * wide if mono else text_width(text, size), wide / 4)


@lru_cache(maxsize=1 << 12)  # the positions of a match share most of their words
def _wrapped(
    text: str, size: float, mono: bool, width: float | None, indent: str
) -> tuple[str, ...]:
    measure = partial(_line_width, size=size, mono=mono)
    if width is None or measure(text) <= width:
        return (text,)
    parts = cut(text, width - measure(indent), measure)
    return tuple(_evened(lambda room: fold(parts, room, measure, indent), width, measure))


def _evened(
    folded: Callable[[float], list[str]], width: float, measure: Callable[[str], float]
) -> list[str]:
    """Lines within a width, with a longer last one where narrower lines are not more of them."""
    widest = folded(width)
    best, room = widest, width
    while measure(best[-1]) < SHORT * width and room > NARROWEST * width:
        room -= 0.02 * width
        lines = folded(room)
        if len(lines) > len(widest):
            break
        best = max(best, lines, key=lambda lines: measure(lines[-1]))
    return best


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + at, y + level) for at, level in shape.points))
    return replace(shape, x=shape.x + x, y=shape.y + y)
