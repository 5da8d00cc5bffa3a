"""What Ctrl-C (SIGINT) and SIGTERM do to a command: it says so and exits with 130 or 143.

Most commands are interrupted by an exception, so that they can clean up.  Commands that play end
without one, because an exception at any moment could damage an event loop: whatever is finished is
already written.  While models or people play, quandary.arena.interrupts comes first: it awaits
calls in flight.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn, TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], Any]
SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOPPED = "stopped."  # by commands that keep nothing, or nothing that is worth a word
RUN_IS_KEPT = "stopped; what was finished is kept, and the same command goes on from there."


class Interrupted(KeyboardInterrupt):
    """A signal ended the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = exit_code(number)
        self.sentence = STOPPED  # a command may know better what is left


def exit_code(number: int) -> int:
    """Of a command that a signal ended, as shells count."""
    return 128 + number


def install(handler: Handler) -> dict[int, Any]:
    """Let a function handle both signals, and return what handled them before."""
    return {number: signal.signal(number, handler) for number in SIGNALS}


def ignore() -> None:
    """For the last moments of a process, in which Python would restore the defaults: a signal would
    then make a command that is complete look as if it had failed.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def restore(before: dict[int, Any]) -> None:
    for number, handler in before.items():
        # None: a handler that is not Python's
        signal.signal(number, signal.SIG_DFL if handler is None else handler)


def raise_interrupted(number: int, frame: FrameType | None) -> NoReturn:
    """A second signal would hit the code that cleans up, so that one ends the process."""
    install(end_at_once)
    raise Interrupted(number)


def ending_with(sentence: str) -> Handler:
    """Return a handler that says a sentence and ends the process."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        line = "\n" if os.isatty(2) else ""
        # not with print, which the signal may have interrupted
        os.write(2, f"{line}quandary: {sentence}\n".encode())
        os._exit(exit_code(number))

    return end


end_at_once = ending_with(STOPPED)
