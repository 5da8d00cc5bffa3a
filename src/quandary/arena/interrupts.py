"""Ctrl-C and SIGTERM while models or people play: no new call is made, and calls in flight are
awaited, because they are paid for.

Code that plays runs in another thread than the main one is never interrupted: signals belong to
the main thread.
"""

from __future__ import annotations

import signal
from asyncio import get_running_loop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from quandary.core.contract import Language
from quandary.core.words import say_in
from quandary.models.pool import ClientPool

SIGNALS = (signal.SIGINT, signal.SIGTERM)
WHY = "it was interrupted"


class Interrupts:
    """The first signal during a run is kept until the run has ended; a second one is passed on."""

    def __init__(self, language: Language = "en") -> None:
        self.language = language
        self.number = 0  # of the first signal

    @contextmanager
    def handled(
        self, clients: ClientPool, hang_up: Callable[[], object] = lambda: None
    ) -> Iterator[None]:
        """Let a signal refuse new calls at once while an event loop runs.

        It wakes waiting code from within the loop, where futures may be changed.

        `hang_up` wakes code that waits for a person.
        """
        if current_thread() is not main_thread():
            yield
            return
        loop = get_running_loop()

        def stop() -> None:
            self._drain(clients)
            hang_up()

        def handle(number: int, frame: FrameType | None) -> None:
            if self.number:
                restore()
                signal.raise_signal(number)
                return
            self.number = number
            clients.budget.refuse_calls(WHY)
            loop.call_soon_threadsafe(stop)

        def restore() -> None:
            for number, handler in before.items():
                signal.signal(number, handler)

        # None: a handler that is not Python's, and cannot be put back.
        found = {number: signal.getsignal(number) for number in SIGNALS}
        before = {number: handler for number, handler in found.items() if handler is not None}
        for number in before:
            signal.signal(number, handle)
        try:
            yield
        finally:
            restore()

    def pass_on(self) -> None:
        """Raise the signal again for the caller, after the run."""
        if self.number:
            signal.raise_signal(self.number)

    def _drain(self, clients: ClientPool) -> None:
        budget, say = clients.budget, say_in(__name__, self.language)
        if calls := budget.in_flight:
            message = say(
                "waiting for {calls} {calls:call|calls} in flight; a second signal ends at once.",
                calls=calls,
            )
            clients.notify(message)
        budget.stop(WHY)
