"""How far a long command is: a bar on a terminal, one line per minute elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Protocol

from .output import WIDTH

QUIET = 2.0  # seconds before a terminal shows anything
REFRESH = 0.5  # seconds between two updates of a terminal
LONGEST = WIDTH - len("quandary: ")  # columns of a line
MINUTE = 60.0  # seconds between two lines elsewhere


class Progress:
    """Called with what is done and the total, shows both with rate and time left.

        with Progress("matches of quick") as tell:
            tell(3, 100)

    A thread shows it, so that a line appears also while nothing is finished.
    """

    def __init__(
        self,
        what: str,
        more: Callable[[], str] = lambda: "",
        seconds_left: Callable[[], float | None] | None = None,
    ) -> None:
        """`more` words what else there is to tell, such as what was spent so far; "" if nothing.

        `seconds_left` is a better estimate than one by the rate; it gives None if nothing is known.
        """
        self.what, self.more, self.seconds_left = what, more, seconds_left
        self.done = self.first = self.total = 0  # `first`: done before this command
        self.begun = monotonic()
        self._ended, self._thread = Event(), Thread(target=self._show, daemon=True)

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, of: int) -> None:
        self.done, self.total = done, of
        if self._thread.ident is None and not self._ended.is_set():
            self.first, self.begun = done, monotonic()
            self._thread.start()

    def step(self, what: str) -> Callable[[int, int], None]:
        """Return what to call in one of several steps; each has a rate of its own."""

        def tell(done: int, of: int) -> None:
            if self.what != what:
                self.what, self.first, self.begun = what, done, monotonic()
            self(done, of)

        return tell

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """Show nothing more, so that something else can be shown."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def line(self) -> str:
        """Everything in one line, or what is needed most where that would be too long."""
        share = f" ({100 * self.done // self.total} %)" if self.total else ""
        parts = [f"{self.done} of {self.total}{share}", *self.details()]
        text = f"{self.what}: {', '.join(parts)}"
        if len(text) > LONGEST and len(parts) > 2:
            del parts[1]  # the rate
            text = f"{self.what}: {', '.join(parts)}"
        if len(text) > LONGEST:
            room = max(LONGEST - len(text) + len(self.what) - 1, 1)
            text = f"{self.what[:room]}…: {', '.join(parts)}"
        return text

    def details(self) -> list[str]:
        """Rate, time left and what else there is to tell, as far as they are known."""
        seconds, finished = monotonic() - self.begun, self.done - self.first
        found = list[str]()
        if finished > 0 and seconds > 0:
            rate = finished / seconds
            left = (self.total - self.done) / rate
            known = self.seconds_left() if self.seconds_left else left
            found = [in_words(rate), *([f"{duration(known)} left"] if known is not None else [])]
        return [*found, *filter(None, [self.more()])]

    def _show(self) -> None:
        on_terminal = sys.stderr.isatty()
        display: Display = (_bar() or PlainLine()) if on_terminal else Lines()
        wait = QUIET if on_terminal else MINUTE
        while not self._ended.wait(wait):
            display.show(self)
            wait = REFRESH if on_terminal else MINUTE
        display.end(self)


class Display(Protocol):
    """Where progress is shown."""

    def show(self, progress: Progress) -> None: ...

    def end(self, progress: Progress) -> None: ...


class Lines:
    """A line for each time, in a file or a pipe."""

    def show(self, progress: Progress) -> None:
        print(f"quandary: {progress.line()}", file=sys.stderr, flush=True)

    def end(self, progress: Progress) -> None: ...


class PlainLine:
    """One line of a terminal that is written over and over."""

    def __init__(self) -> None:
        self.wide = 0

    def show(self, progress: Progress) -> None:
        line = progress.line()
        print(f"\r{line:<{self.wide}}", end="", file=sys.stderr, flush=True)
        self.wide = len(line)

    def end(self, progress: Progress) -> None:
        if self.wide:
            print("\r" + " " * self.wide, end="\r", file=sys.stderr, flush=True)


class Bar:
    """A bar drawn by rich."""

    def __init__(self, rich: Any, console: Any) -> None:
        columns = "{task.description}", rich.BarColumn(), "{task.fields[details]}"
        self.bar = rich.Progress(
            *columns,
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=sys.stdout.isatty(),  # else a file would lose what is printed
        )
        self.task: Any = None

    def show(self, progress: Progress) -> None:
        if self.task is None:
            self.bar.start()
            self.task = self.bar.add_task(progress.what, details="")
        details = ", ".join([f"{progress.done} of {progress.total}", *progress.details()])
        self.bar.update(
            self.task,
            description=progress.what,
            completed=progress.done,
            total=progress.total,
            details=details,
        )
        self.bar.refresh()

    def end(self, progress: Progress) -> None:
        if self.task is not None:
            self.bar.stop()


def _bar() -> Bar | None:
    """Return a bar, if rich is installed."""
    try:
        from rich import progress
        from rich.console import Console
    except ImportError:
        return None
    return Bar(progress, Console(stderr=True))


def in_words(rate: float) -> str:
    """Return a number per second, or per minute where that is easier to read."""
    return f"{rate:.1f} per second" if rate >= 1 else f"{60 * rate:.1f} per minute"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
