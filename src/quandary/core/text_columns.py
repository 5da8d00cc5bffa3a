"""How wide a text is where letters stand in columns."""

from __future__ import annotations

from unicodedata import east_asian_width


def columns(text: str) -> int:
    """How many columns a text takes; wide letters take two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
