"""The notation of a game's moves, declared once: see `Notation`."""

from .chinese_numbers import in_digits
from .fields import Bits, Choice, Move, Number, Value
from .index import MOST_MOVES, MoveIndex
from .notation import Click, Labels, Notation, composable, compose, filled_in
from .reading import HALF_WIDTH, half_width

__all__ = [
    "Bits",
    "Choice",
    "Click",
    "HALF_WIDTH",
    "Labels",
    "MOST_MOVES",
    "Move",
    "MoveIndex",
    "Notation",
    "Number",
    "Value",
    "composable",
    "compose",
    "filled_in",
    "half_width",
    "in_digits",
]
