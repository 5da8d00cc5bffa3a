"""How commands print: JSON lines, and progress on a terminal."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Any

QUIET = 2.0  # seconds before progress is shown


def json_line(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False))


class Progress:
    """One line that shows how much is done, on a terminal only."""

    def __init__(self, what: str) -> None:
        self.what, self.begun, self.shown = what, monotonic(), False

    def __call__(self, done: int, of: int) -> None:
        if sys.stderr.isatty() and (self.shown or monotonic() - self.begun > QUIET):
            self.shown = True
            end = "\n" if done == of else ""
            print(f"\r{self.what}: {done} of {of}", end=end, file=sys.stderr, flush=True)


def colourful() -> bool:
    """Whether colours may be used: the output is a terminal."""
    return sys.stdout.isatty()
