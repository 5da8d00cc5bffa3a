"""The positions of a match as pictures that share their pieces.

Two positions of a match differ in a few shapes, so a picture is a list of numbers of shapes: this
keeps the file of a long match small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quandary.core.contract import Game, Seat
from quandary.core.errors import UserError
from quandary.render.svg import drawn, picture

LONGEST = 420  # pixels


class Frames:
    """The pictures of one match, numbered as they are asked for."""

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = languages  # one per seat
        self.pieces = dict[str, int]()
        self.frames = list[tuple[list[int], str]]()
        self.known = dict[tuple[int, Seat], int]()

    def number(self, ply: int, position: Game, seat: Seat) -> int:
        """The picture of the position at a ply as a seat sees it."""
        if (ply, seat) not in self.known:
            language = self.languages[seat]
            scene = picture(position, seat, language)
            opening, shapes = drawn(scene, LONGEST)
            pieces = [self._piece(piece) for piece in (opening, *shapes)]
            self.known[ply, seat] = len(self.frames)
            self.frames.append((pieces, position.seen_by(seat).text(seat, language)))
        return self.known[ply, seat]

    def _piece(self, text: str) -> int:
        return self.pieces.setdefault(text, len(self.pieces))

    def plain(self) -> dict[str, Any]:
        return {
            "pieces": list(self.pieces),
            "frames": [pieces for pieces, _ in self.frames],
            "texts": [text for _, text in self.frames],
        }


def spoken_language(wanted: str, position: Game) -> str:
    """The wanted language, or English if the puzzle does not speak it."""
    try:
        position.seen_by(0).text(0, wanted)
    except UserError:
        return "en"
    return wanted
