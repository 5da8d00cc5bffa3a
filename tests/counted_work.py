"""The work of a call, counted instead of timed: the same on every machine, busy or not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from quandary.core.errors import Unreadable

CHARACTERS = 100  # of a text that one of its methods goes over in about the time of a call
AT_ONE_PLACE = ("startswith", "endswith")  # methods that do not go over the whole of it


def calls(act: Callable[..., object], *given: object) -> int:
    """How many functions a call leads to; methods of long texts count once for each CHARACTERS.

    What happens within a regular expression is not seen: see `regex_steps`.
    """
    count = 0

    def look(frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        if event == "call":
            count += 1
        elif event == "c_call":
            owner, name = getattr(called, "__self__", None), getattr(called, "__name__", "")
            is_long = isinstance(owner, str) and name not in AT_ONE_PLACE
            count += 1 + (len(owner) // CHARACTERS if is_long else 0)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        with suppress(Unreadable):
            act(*given)
    finally:
        sys.setprofile(before)
    return count
