"""How programs fail."""

from __future__ import annotations

from quandary.core.contract import Cause


class ProgramFailed(Exception):
    """A program cannot go on, with the cause by which its match ends."""

    def __init__(self, cause: Cause, words: str = "") -> None:
        super().__init__(cause, words)
        self.cause, self.words = cause, words


class SandboxGone(ProgramFailed):
    """The fork server has ended or does not answer, so it will never start a process again."""

    def __init__(self, words: str) -> None:
        super().__init__("infrastructure", words)
