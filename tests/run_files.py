"""What tests of runs read from their folders."""

from __future__ import annotations

from pathlib import Path

from quandary.arena.store import RECORDS


def stored(folder: Path) -> list[bytes]:
    """The records of a run as they are stored, sorted; those of strategies contain no times."""
    return sorted((folder / RECORDS).read_bytes().splitlines())
