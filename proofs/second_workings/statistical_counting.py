"""Statistical counting letter by letter, with a look at the letters before each one."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    score, times = instance.start, []
    for what, points in instance.points:
        found = (
            _found_from_back(what, instance.string) if what[1:] else _runs(what, instance.string)
        )
        score += found * points
        times.append(str(found))
    return [str(score)], times


def _runs(letter: str, string: str) -> int:
    """A run is counted at its second letter."""
    found = together = 0
    for one in string:
        together = together + 1 if one == letter else 0
        if together == 2:
            found += 1
    return found


def _found_from_back(pattern: str, string: str) -> int:
    """The last letters that were scanned are compared after each one."""
    scanned, found = "", 0
    for place in range(len(string) - 1, -1, -1):
        scanned += string[place]
        if scanned[-len(pattern) :] == pattern:
            found += 1
    return found
