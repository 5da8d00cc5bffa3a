"""How programs fail."""

from __future__ import annotations

from quandary.core.contract import Cause


class ProgramFailed(Exception):
    """A program cannot go on, with the cause by which its match ends."""

    def __init__(self, cause: Cause, words: str = "") -> None:
        super().__init__(cause, words)
        self.cause, self.words = cause, words
