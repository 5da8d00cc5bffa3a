"""Names of puzzles, which follow from their files."""

from __future__ import annotations

import re
from functools import cache

from .puzzle import Puzzle
from .wrapper import task_of


@cache
def name_of(puzzle: type[Puzzle]) -> str:
    """Return the name of a puzzle: that of its file, or of its class if the file has
    another name.
    """
    if task := task_of(puzzle):
        return task
    file = puzzle.__module__.rpartition(".")[2]
    if class_name(file) == puzzle.__name__:
        return file
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", puzzle.__name__).lower()


def class_name(name: str) -> str:
    """Return the class name of a puzzle: `CardNim` for `card_nim`."""
    return "".join(word.capitalize() for word in name.split("_"))
