"""How a game's moves are written, declared once: see `Notation`."""

from .fields import Bits, Choice, Move, Number, Value
from .notation import MOST_MOVES, Click, FormField, Labels, MoveIndex, Notation, composable, compose

__all__ = [
    "Bits",
    "Choice",
    "Click",
    "FormField",
    "Labels",
    "MOST_MOVES",
    "Move",
    "MoveIndex",
    "Notation",
    "Number",
    "Value",
    "composable",
    "compose",
]
