"""Lists the puzzles in a folder by their files, without importing anything.

A puzzle is a file NAME.py, or a folder NAME with an `__init__.py`.  Names that begin with an
underscore are not puzzles: `_shared` holds what puzzles share.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quandary.core.errors import UserError

HOME = "quandary.puzzles"
# Folders of puzzles below `puzzles`; any other folder there is a puzzle.
GROUPS = (
    "duels",
    "questions",
    "questions/execution",
    "questions/planning",
    "questions/words",
    "solo",
)


class Found(NamedTuple):
    """A puzzle in a folder."""

    name: str
    is_folder: bool = False

    @property
    def file(self) -> str:
        """The name that people use for it: `card_nim.py`, or `logic_grid/` for a folder."""
        return f"{self.name}/" if self.is_folder else f"{self.name}.py"


def puzzles_in(folder: str) -> list[Found]:
    """Return the puzzles directly in a folder, by name; OSError if it cannot be read."""
    with os.scandir(folder) as entries:
        found = [
            Found(entry.name, True) if entry.is_dir() else Found(entry.name.removesuffix(".py"))
            for entry in entries
            if not entry.name.startswith(("_", ".")) and _holds_a_puzzle(entry)
        ]
    return sorted(found)


def _holds_a_puzzle(entry: os.DirEntry[str]) -> bool:
    if entry.is_dir():
        return Path(entry.path, "__init__.py").is_file()
    return entry.name.endswith(".py")


@cache
def built_in() -> dict[str, str]:
    """Return the puzzles of this package and their modules, in the order of the groups."""
    home = find_spec(HOME)
    root = next(iter((home and home.submodule_search_locations) or ()))
    found: dict[str, tuple[str, Found]] = {}
    for group, puzzle in _below(root, ""):
        if other := found.get(puzzle.name):
            places = f"{other[0]}/{other[1].file} and {group}/{puzzle.file}"
            raise UserError(
                f"the name {puzzle.name!r} is taken twice, by {places}; rename or remove one of "
                f"them."
            )
        found[puzzle.name] = (group, puzzle)
    return {name: f"{HOME}.{group.replace('/', '.')}.{name}" for name, (group, _) in found.items()}


def _below(root: str, group: str) -> Iterator[tuple[str, Found]]:
    """Yield the puzzles in a group and in the groups below it, each with its group."""
    for puzzle in puzzles_in(f"{root}/{group}"):
        inner = f"{group}/{puzzle.name}".lstrip("/")
        if puzzle.is_folder and inner in GROUPS:
            yield from _below(root, inner)
        else:
            yield group, puzzle
