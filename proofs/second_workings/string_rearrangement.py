"""String rearrangement by reading a number character by character, from its end."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    numbers = [_number(text, instance.family == "a") for text in instance.numbers]
    return numbers, numbers


def _number(text: str, reverses: bool) -> str:
    """What has been read is kept from its last to its first character."""
    kept, part = "", ""
    turns = text[-1] == "i"
    for character in reversed(text):
        if character in "0123456789":
            part += character  # so a part is reversed already
            continue
        kept = _part(part, reverses) + kept
        part = ""
        if turns and character in "+-":
            character = "+" if character == "-" else "-"
            turns = False  # a sign in front of the real part stays
        kept = character + kept
    return _part(part, reverses) + kept


def _part(part: str, reverses: bool) -> str:
    if reverses or part == "":
        return part
    total = 0
    for digit in part:
        total += "0123456789".index(digit)
    return str(total)
