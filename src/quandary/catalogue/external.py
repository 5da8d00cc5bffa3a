"""Finds puzzles from outside the package: those in folders, and entry points of distributions.

Finding runs no code of theirs; `loading` does, when a puzzle is used.
The environment variable names the folders, so that processes started from here find them too.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from quandary.core.errors import UserError
from quandary.core.source import Kind

from .discovery import puzzles_in
from .entry_points import entries

VARIABLE = "QUANDARY_PUZZLES"  # folders, separated as in PATH
ENTRY_POINTS = "quandary.puzzles"  # the group of entry points
DEPTH = 4  # of packages in packages whose files are looked at for changes
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

PACKAGE = "quandary.catalogue.loading"  # imports what is below it: see there

Surroundings: TypeAlias = tuple[str, tuple[str, ...]]  # what decides which puzzles are found


class OutsidePuzzle(NamedTuple):
    """A puzzle that a folder or a distribution offers under a name; it may turn out broken."""

    name: str
    kind: Kind
    origin: str  # the name of the folder or of the distribution
    path: str  # of the folder, or of the distribution's metadata
    entry: str = ""  # what a distribution names: "package.module:ClassName"
    unreadable: str = ""  # why a distribution's entry points cannot be read
    file: str = ""  # in a folder: "stone_race.py", or "stone_race/" for a folder of its own

    @property
    def module(self) -> str:
        if self.kind == "folder":
            return f"{package_name(self.path)}.{self.name}"
        return self.entry.partition(":")[0].strip()

    def __str__(self) -> str:
        if self.kind == "folder":
            return f"{self.file} in {self.path}"
        if not self.entry:
            return f"the distribution {self.origin}"
        return f"{self.name} of the distribution {self.origin}"


class Offer(Protocol):
    """An offer from outside the package under a name: a puzzle, or a score."""

    @property
    def name(self) -> str: ...

    @property
    def unreadable(self) -> str: ...


Offered = TypeVar("Offered", bound=Offer)


def use(folders: Sequence[str]) -> None:
    """Look for puzzles in these folders, here and in processes started from here."""
    for folder in folders:
        if not folder.strip():
            raise UserError("--puzzles must name a folder.")
        if os.pathsep in folder:
            raise UserError(
                f"a folder of puzzles cannot have {os.pathsep!r} in its name: {folder}."
            )
    os.environ[VARIABLE] = os.pathsep.join(folders_in(os.pathsep.join(folders)))


def folders_in(value: str) -> list[str]:
    """Return the folders that a value of the variable names, as absolute paths."""
    folders = [folder for folder in value.split(os.pathsep) if folder]
    for folder in folders:
        if not Path(folder).is_dir():
            raise UserError(
                f"{folder} is not a folder; name a folder of puzzle files with --puzzles or "
                f"{VARIABLE}."
            )
    return list(dict.fromkeys(str(Path(folder).resolve()) for folder in folders))


_ignored = False


@contextmanager
def ignored() -> Iterator[None]:
    """Ignore puzzles from outside for a while."""
    global _ignored
    before, _ignored = _ignored, True
    try:
        yield
    finally:
        _ignored = before


def surroundings() -> Surroundings | None:
    """Return what decides which puzzles are found; None while they are ignored."""
    return None if _ignored else (os.environ.get(VARIABLE, ""), tuple(sys.path))


def find(where: Surroundings | None) -> tuple[OutsidePuzzle, ...]:
    """Return every puzzle that folders and distributions offer, in a fixed order."""
    if where is None:
        return ()
    in_folders = (puzzle for folder in folders_in(where[0]) for puzzle in _in_folder(folder))
    return (*in_folders, *_in_distributions(where[1]))


def sort_out(
    found: Sequence[Offered],
    taken: Collection[str],
    what: str = "puzzle",
    by: str = "a puzzle or task",
) -> tuple[dict[str, Offered], dict[str, str]]:
    """Return the puzzles that can be used, and the names that are refused, each with a sentence.

    Of two puzzles with one name neither is used: a score must not depend on which came first.
    For offers other than puzzles, `what` says what they are, and `by` what has the taken names.
    """
    usable: dict[str, Offered] = {}
    refused: dict[str, str] = {}
    for puzzle in found:
        name, other = puzzle.name, usable.pop(puzzle.name, None)
        if puzzle.unreadable:
            refused[name] = f"the entry points of {puzzle} cannot be read ({puzzle.unreadable})."
        elif not NAME.fullmatch(name):
            refused[name] = (
                f"{puzzle} has no valid name for a {what}; use small letters, digits and single "
                f"underscores, for example word_ladder."
            )
        elif name in taken:
            refused[name] = (
                f"{puzzle} has a name that is taken: quandary has {by} {name!r}; "
                f"rename or remove yours."
            )
        elif other:
            refused[name] = (
                f"the name {name!r} is taken twice, by {other} and by {puzzle}; rename or remove "
                f"one of them."
            )
        elif name not in refused:
            usable[name] = puzzle
    return usable, refused


def fingerprint(found: Sequence[OutsidePuzzle]) -> list[tuple[str, int, int]]:
    """Return the files that puzzles stand in, with times and sizes; it changes when a
    puzzle does.
    """
    folders = dict.fromkeys(folder for puzzle in found for folder in _source_folders(puzzle))
    return [file for folder in folders for file in _files(folder)]


def _source_folders(puzzle: OutsidePuzzle) -> list[str]:
    if puzzle.kind == "folder":
        return [puzzle.path]
    from importlib.util import find_spec  # it imports nothing where a name has no dots

    top, *inner = puzzle.module.split(".")
    try:
        spec = find_spec(top)
    except ValueError:
        spec = None
    places = list(spec.submodule_search_locations or ()) if spec else []
    if spec and spec.origin:
        places.append(str(Path(spec.origin).parent))
    return [puzzle.path, *(str(Path(place, *inner[:-1])) for place in places)]


def _files(folder: str, depth: int = DEPTH) -> list[tuple[str, int, int]]:
    """Return the files in a folder and in packages below it, or none where it cannot be read."""
    found: list[tuple[str, int, int]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file():
                    found.append((entry.path, entry.stat().st_mtime_ns, entry.stat().st_size))
                elif depth and Path(entry.path, "__init__.py").is_file():
                    found += _files(entry.path, depth - 1)
    except OSError:
        return []
    return sorted(found)


def _in_folder(folder: str) -> Iterator[OutsidePuzzle]:
    """Yield every NAME.py and NAME/, except names with an underscore, which puzzles share."""
    try:
        found = puzzles_in(folder)
    except OSError as reason:
        raise UserError(f"the folder {folder} cannot be read: {reason.strerror}.") from None
    for puzzle in found:
        origin = Path(folder).name
        yield OutsidePuzzle(puzzle.name, "folder", origin, folder, file=puzzle.file)


def _in_distributions(paths: Sequence[str]) -> Iterator[OutsidePuzzle]:
    for entry in entries(paths, ENTRY_POINTS):
        name, origin, metadata, value, unreadable = entry
        yield OutsidePuzzle(name, "distribution", origin, metadata, value, unreadable)


@cache
def package_name(folder: str) -> str:
    """Return the package that a folder's modules are in: two folders may have files of one name."""
    from hashlib import blake2b

    return f"{PACKAGE}.folder_{blake2b(os.fsencode(folder), digest_size=8).hexdigest()}"
