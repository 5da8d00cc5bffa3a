"""Calls that hang, as a regular expression does that tries ever more ways to match.

A call that hangs is interrupted after thousands of times the work that it should take, so a slow
machine changes nothing.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from quandary.core.errors import Unreadable

LIMIT = 10.0  # seconds of this process, for calls that take milliseconds


class Hangs(BaseException):
    """No code that is tested catches this."""


def hangs(act: Callable[..., object], *given: object, limit: float = LIMIT) -> bool:
    """Whether a call, or a regular expression in it, is still under way after the limit."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        with suppress(Unreadable):
            act(*given)
    except Hangs:
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return False
