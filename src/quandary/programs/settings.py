"""What a user may choose about running programs."""

from __future__ import annotations

from typing import NamedTuple

MEMORY = 256 << 20  # bytes that a program may have beyond the interpreter
PAUSES = (0.0, 0.1, 0.5)  # seconds before each further attempt to start something


class Locks(NamedTuple):
    """The locks of Linux around a program."""

    seccomp: bool = True
    landlock: bool = True


class ProgramSettings(NamedTuple):
    """How programs run in all matches of a command."""

    unsafe: bool = False  # also where they cannot be sandboxed
    process_per_match: bool = False  # no process plays two matches, not even where that is safe
    libraries: tuple[str, ...] = ()  # that may be imported beside the standard library


USUAL = ProgramSettings()
