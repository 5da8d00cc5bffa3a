"""Whether programs of one name are the same in several runs: otherwise their results would be mixed
in one row.

A file is one program for all puzzles; a sample of a model is another one in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from quandary.arena.manifest import PLAYERS, PROGRAMS, SPECS
from quandary.arena.store import manifest_of
from quandary.core.errors import UserError
from quandary.programs.library import is_program


class OfRun(NamedTuple):
    """A program of a run."""

    folder: Path
    puzzle: str  # "" for all
    hash: str

    def contradicts(self, other: OfRun) -> bool:
        """Return whether one name means this program and another one."""
        is_same_place = self.puzzle == other.puzzle or "" in (self.puzzle, other.puzzle)
        return is_same_place and self.hash != other.hash


def check_programs(folders: Iterable[Path]) -> None:
    """UserError if a name means different programs in some runs."""
    known = dict[str, list[OfRun]]()
    for folder in folders:
        for name, program in _programs_of(folder):
            others = known.setdefault(name, [])
            for other in filter(program.contradicts, others):
                raise _refusal(name, other, program)
            others.append(program)


def _refusal(name: str, one: OfRun, other: OfRun) -> UserError:
    puzzle = one.puzzle or other.puzzle
    place = f", for {puzzle}" if puzzle else ""
    instead = "" if puzzle else ", or rename one of the two files and play its run again"
    return UserError(
        f"{name} is another program in {one.folder} than in {other.folder}{place}, so their "
        f"results cannot be put together; look at each run by itself{instead}."
    )


def _programs_of(folder: Path) -> Iterator[tuple[str, OfRun]]:
    """Yield the programs of a run, by name."""
    manifest: Mapping[str, Any] = manifest_of(folder, without=(SPECS,)) or {}
    files: Mapping[str, Any] = manifest.get(PROGRAMS, {})
    for name, file in files.items():
        yield name, OfRun(folder, "", file.get("hash", ""))
    if any(is_program(name) and name not in files for name in manifest.get(PLAYERS, ())):
        from quandary.arena.drawn_programs import stored_programs

        for drawn in stored_programs(folder):
            yield drawn.player, OfRun(folder, drawn.puzzle, drawn.hash)
