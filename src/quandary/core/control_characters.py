"""Texts of players and servers: characters that command a terminal are shown, not obeyed."""

from __future__ import annotations

import re

# All control characters except line breaks and tabs, and those that change the text direction.
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""A text with its control characters as Python writes them, as `\x1b`."""
    return COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def printable(text: str) -> str:
    r"""A text to quote within a line: what has no shape is as Python writes it, as `\n`."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
