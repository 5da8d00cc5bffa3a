"""What a user may choose about running programs."""

from __future__ import annotations

from typing import NamedTuple


class ProgramSettings(NamedTuple):
    """How programs run in all matches of a command."""

    unsafe: bool = False  # also where they cannot be locked in
    process_per_match: bool = False  # no process plays two matches, not even where that is safe
    libraries: tuple[str, ...] = ()  # that may be imported beside the standard library


USUAL = ProgramSettings()
