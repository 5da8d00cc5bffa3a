"""Why a published item is left out of scoring."""

from __future__ import annotations


class LeftOut(ValueError):
    """An item that is not scored; the message says why."""


def not_understood(line: str) -> LeftOut:
    """The refusal of a line that no rule of reading fits."""
    return LeftOut(f"this line is not understood: {line.strip()!r}")
