"""The width of a text is that of its letters in the font of pictures."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache

import pytest

from quandary.core.text_width import WIDTHS, text_width
from quandary.render.png import FONTS


@cache
def _tables() -> Mapping[str, bytes]:
    data = (FONTS / "DejaVuSans.ttf").read_bytes()
    entries = (
        struct.unpack(">4s4xII", data[at : at + 16])
        for at in range(12, 12 + 16 * int.from_bytes(data[4:6], "big"), 16)
    )
    return {name.decode(): data[start : start + length] for name, start, length in entries}


def _glyph(code: int) -> int:
    """The number of the glyph of a letter, by the format 4 of tables of letters."""
    table = _tables()["cmap"]
    for at in range(4, 4 + 8 * int.from_bytes(table[2:4], "big"), 8):
        sub = table[int.from_bytes(table[at + 4 : at + 8], "big") :]
        if sub[:2] == b"\x00\x04":
            break
    size = int.from_bytes(sub[6:8], "big")  # of an array, in bytes
    parts = [sub[14 : 14 + size], *(sub[16 + k * size : 16 + (k + 1) * size] for k in (1, 2, 3))]
    ends, starts, shifts, offsets = (struct.unpack(f">{size // 2}H", part) for part in parts)
    segment = next(number for number, end in enumerate(ends) if end >= code)
    assert starts[segment] <= code
    if offsets[segment] == 0:
        return int((code + shifts[segment]) % 65_536)
    place = 16 + 3 * size + 2 * segment + offsets[segment] + 2 * (code - starts[segment])
    return int.from_bytes(sub[place : place + 2], "big")


def _advance(letter: str) -> float:
    tables = _tables()
    last = int.from_bytes(tables["hhea"][34:36], "big") - 1
    at = 4 * min(_glyph(ord(letter)), last)
    em = int.from_bytes(tables["head"][18:20], "big")
    return int.from_bytes(tables["hmtx"][at : at + 2], "big") / em


@pytest.mark.parametrize("letter", sorted(WIDTHS))
def test_letters_have_the_widths_of_the_font(letter: str) -> None:
    assert _advance(letter) == text_width(letter, 1)


@pytest.mark.parametrize("letter", "→←↑↓★※△é±√")
def test_other_letters_are_not_wider_than_estimated(letter: str) -> None:
    assert _advance(letter) <= text_width(letter, 1)


def test_quotation_marks_are_wide_among_chinese_letters() -> None:
    """There they come from the Chinese font, in which all marks have the width of a letter."""
    assert text_width("小“3”…", 1) == 5 - 1 + text_width("3", 1)
    assert text_width("a“3”…", 1) < 3.5
