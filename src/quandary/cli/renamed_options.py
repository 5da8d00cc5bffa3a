"""Options that have a new name: the earlier one still works for one version, with a warning."""

from __future__ import annotations

import sys
from collections.abc import Sequence

RENAMED = {
    "--lang": "--language",
    "--game": "--puzzle",
    "--session": "--problem",
    "--matches": "--concurrency",
    "--words": "--transcript",
    "--like": "--from-run",
}


def by_new_names(arguments: Sequence[str]) -> list[str]:
    """Arguments of a command with the new names of options; each earlier one is told once."""
    found, told = list[str](), set[str]()
    for argument in arguments:
        name, sign, value = argument.partition("=")
        new = RENAMED.get(name)
        if new and name not in told:
            told.add(name)
            print(
                f"quandary: {name} is called {new} now; the earlier name works in this version "
                f"only.",
                file=sys.stderr,
            )
        found.append(f"{new}{sign}{value}" if new else argument)
    return found
