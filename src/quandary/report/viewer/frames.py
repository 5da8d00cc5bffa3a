"""The positions of a match as pictures that share their pieces.

Two positions of a match differ in a few shapes, so a picture is a list of numbers of pieces: this
keeps the file of a long match small.  Pieces are plain data with the names of colours, which the
page draws; `stage.js` knows their forms:

    ["rect", x, y, width, height, fill, field, value, ...]   with what a click on it fills in
    ["circle", x, y, radius, fill, field, value, ...]
    ["line", [x, y, ...], colour, width]
    ["text", [x, ...], y, words, size, colour, anchor, is_mono]

The words above and below a board become text of the page, which is legible on every screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

from msgspec.structs import replace

from quandary.core.contract import Game, Move, Seat
from quandary.core.errors import Unreadable, UserError
from quandary.core.moves import Click, Notation, filled_in
from quandary.core.scene import Box, Disc, Label, Line, Scene, Shape, meaningful_colours
from quandary.core.text_width import text_width
from quandary.render.svg import MARGIN, Circle, Element, Polyline, Rectangle, Text, elements

Piece: TypeAlias = tuple[Any, ...]
CLICKS = {"rect": 6, "circle": 5}  # where the fields of a click begin
FIXED = {"ink": "black", "paper": "white"}
Words: TypeAlias = list[tuple[str, str]]  # each line with its colour


class Frames:
    """The pictures of one match, numbered as they are asked for."""

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = languages  # one per seat
        self.pieces = list[Piece]()
        self.numbers = dict[Piece, int]()  # of the pieces
        self.frames = list[dict[str, Any]]()
        self.clicks = dict[int, Click]()  # of pieces that have one
        self.known = dict[tuple[int, Seat], int]()
        # The first and the last position that each seat saw, with their pictures.
        self.ends = dict[Seat, list[tuple[Game, Scene]]]()

    def number(self, ply: int, position: Game, seat: Seat) -> int:
        """Return the picture of the position at a ply as a seat sees it."""
        if (ply, seat) not in self.known:
            self.known[ply, seat] = len(self.frames)
            self.frames.append(self._frame(position.seen_by(seat), seat))
        return self.known[ply, seat]

    def marks(self, number: int, notation: Notation | None, move: Move) -> list[int]:
        """Return the pieces of a picture whose clicks are part of a move."""
        if notation is None or not self.clicks:
            return []
        try:
            fields = notation.parse(move).items()
        except Unreadable:
            return []
        return [
            piece
            for piece in self.frames[number].get("pieces", ())
            if piece in self.clicks and filled_in(notation, self.clicks[piece]).items() <= fields
        ]

    def shared(self, marked: Sequence[int], before: int, after: int) -> list[int]:
        """Return where another seat's move is in the picture of a position that it changes to
        `after`.

        `marked` are pieces of the picture that the other seat had.  Those count that stand here
        too, and whose words the move changed: else it is a card like it in the own hand.
        """
        here = {
            _outline(piece): number
            for number in self.frames[before].get("pieces", ())
            if (piece := self.pieces[number])[0] in CLICKS
        }
        places = dict.fromkeys(_outline(self.pieces[number]) for number in marked)
        return [
            here[place]
            for place in places
            if place in here and self._words_in(before, place) != self._words_in(after, place)
        ]

    def _words_in(self, frame: int, place: Piece) -> list[str]:
        """Return the words within the outline of a piece."""
        texts = [self.pieces[number] for number in self.frames[frame].get("pieces", ())]
        return [
            piece[3]
            for piece in texts
            if piece[0] == "text" and _is_within(piece[1][0], piece[2], place)
        ]

    def _frame(self, seen: Game, seat: Seat) -> dict[str, Any]:
        """Return what a seat sees; a position without a picture is its text alone."""
        language = self.languages[seat]
        frame: dict[str, Any] = {"text": seen.text(seat, language)}
        scene = seen.scene(seat, language)
        if scene is None:
            return frame
        self.ends[seat] = [*self.ends.get(seat, [])[:1], (seen, scene)]
        above, board, below = parts(scene)
        frame["above"], frame["below"] = words(above), words(below)
        if board:
            frame["box"] = _box(scene, board, bool(above), bool(below))
            frame["pieces"] = [self._piece(piece) for shape in board for piece in _pieces(shape)]
        return frame

    def _piece(self, piece: Piece) -> int:
        number = self.numbers.setdefault(piece, len(self.pieces))
        if number < len(self.pieces):
            return number
        self.pieces.append(piece)
        if piece[0] in CLICKS and len(piece) > CLICKS[piece[0]]:
            given = piece[CLICKS[piece[0]] :]
            self.clicks[number] = dict(zip(given[::2], given[1::2], strict=True))
        return number

    def legend(self) -> list[tuple[str, str]]:
        """Return what the colours of the pictures mean: each colour with a few words."""
        found = dict[str, str]()
        for seat, ends in self.ends.items():
            for seen, scene in ends:
                words = seen.legend(seat, self.languages[0])
                discs = {shape.fill for shape in scene.shapes if isinstance(shape, Disc)}
                for colour in filter(words.get, meaningful_colours(scene)):
                    name = FIXED.get(colour, colour) if colour in discs else colour
                    found[name] = words[colour]
        return list(found.items())

    def plain(self) -> dict[str, Any]:
        return {"pieces": self.pieces, "frames": self.frames}


def _outline(piece: Piece) -> Piece:
    """Return a piece without its colour and its click."""
    return piece[: CLICKS[piece[0]] - 1]


def _is_within(x: float, y: float, place: Piece) -> bool:
    if place[0] == "circle":
        _, middle, level, radius = place
        return bool(abs(x - middle) <= radius and abs(y - level) <= radius)
    _, left, top, width, height = place
    return bool(left <= x <= left + width and top <= y <= top + height)


def parts(scene: Scene) -> tuple[Sequence[Shape], Sequence[Shape], Sequence[Shape]]:
    """Return the words above a board, the board, and the words below it."""
    shapes = scene.shapes
    others = [shape for shape in shapes if not _is_caption(shape)]
    if not others:
        return shapes, (), ()
    top, bottom = min(map(_top, others)), max(map(_bottom, others))
    # Captions side by side belong to boards that are side by side.
    levels = Counter(_top(shape) for shape in shapes if _is_caption(shape))
    captions = [shape for shape in shapes if _is_caption(shape) and levels[_top(shape)] == 1]
    above = [shape for shape in captions if _bottom(shape) <= top]
    below = [shape for shape in captions if _top(shape) >= bottom]
    moved = {id(shape) for shape in (*above, *below)}
    return above, [shape for shape in shapes if id(shape) not in moved], below


def _is_caption(shape: Shape) -> bool:
    return isinstance(shape, Label) and shape.caption is not None


def _top(shape: Shape) -> float:
    match shape:
        case Box():
            return shape.y
        case Disc():
            return shape.y - shape.radius
        case Line():
            return min(y for _, y in shape.points)
        case Label():
            return shape.y - shape.size / 2


def _bottom(shape: Shape) -> float:
    match shape:
        case Box():
            return shape.y + shape.height
        case Disc():
            return shape.y + shape.radius
        case Line():
            return max(y for _, y in shape.points)
        case Label():
            return shape.y + shape.size / 2


def words(shapes: Sequence[Shape]) -> Words:
    ordered = sorted((shape for shape in shapes if isinstance(shape, Label)), key=_top)
    return [(shape.caption, shape.colour) for shape in ordered if shape.caption]


def _box(scene: Scene, board: Sequence[Shape], is_above: bool, is_below: bool) -> list[float]:
    """Return the part of the scene that a picture of the board shows: x, y, width and height."""
    top = min(map(_top, board)) if is_above else 0.0
    bottom = max(map(_bottom, board)) if is_below else scene.height
    width = scene.width if not is_above and not is_below else max(map(_right, board))
    margins = 2 * MARGIN
    return list(map(_short, (-MARGIN, top - MARGIN, width + margins, bottom - top + margins)))


@lru_cache(maxsize=8_192)
def _right(shape: Shape) -> float:
    """Return how far a shape reaches to the right; of words it is an estimate."""
    reach = 0.0
    for element in elements(shape):
        match element:
            case Rectangle(x, _, width):
                reach = max(reach, x + width)
            case Circle(x, _, radius):
                reach = max(reach, x + radius)
            case Polyline(points):
                reach = max(reach, *(x for x, _ in points))
            case Text():
                share = {"start": 1.0, "middle": 0.5}.get(element.anchor, 0.0)
                reach = max(reach, element.x[-1] + share * text_width(element.words, element.size))
    return reach


@lru_cache(maxsize=8_192)  # the positions of a match share most of their shapes
def _pieces_of(shape: Shape, click: tuple[tuple[str, str], ...]) -> tuple[Piece, ...]:
    return tuple(map(_piece, elements(_coloured(shape))))


def _coloured(shape: Shape) -> Shape:
    """Black and white discs keep their colours on dark pages, where ink is pale."""
    if isinstance(shape, Disc) and shape.fill in FIXED:
        return replace(shape, fill=FIXED[shape.fill], colour=FIXED.get(shape.colour, shape.colour))
    return shape


def _pieces(shape: Shape) -> tuple[Piece, ...]:
    """A click is not part of what makes shapes equal for a cache."""
    click = getattr(shape, "click", None)
    return _pieces_of(shape, tuple(sorted(click.items())) if click else ())


def _piece(element: Element) -> Piece:
    match element:
        case Rectangle(x, y, width, height, fill, click):
            return ("rect", *map(_short, (x, y, width, height)), fill, *_flat(click))
        case Circle(x, y, radius, fill, click):
            return ("circle", *map(_short, (x, y, radius)), fill, *_flat(click))
        case Polyline(points, colour, width):
            path = tuple(map(_short, chain.from_iterable(points)))
            return ("line", path, colour, _short(width))
        case Text(places, y, words, size, colour, anchor, mono):
            across = tuple(map(_short, places))
            return ("text", across, _short(y), words, _short(size), colour, anchor, mono)


def _flat(click: Mapping[str, str] | None) -> tuple[str, ...]:
    return tuple(chain.from_iterable((click or {}).items()))


def _short(number: float) -> float:
    """As many digits as a picture needs; whole numbers without a fraction."""
    rounded = round(number, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def spoken_language(wanted: str, position: Game) -> str:
    """Return the wanted language, or English if the puzzle does not speak it."""
    try:
        position.seen_by(0).text(0, wanted)
    except UserError:
        return "en"
    return wanted
