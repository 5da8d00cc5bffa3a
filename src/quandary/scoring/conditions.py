"""Conditions of a match that must be equal, or its score is not comparable with that of another:
the version of the puzzle, what the run allows, and its wording.

Where a level was played under several conditions, its name says which, and it counts as several
levels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from quandary.results.run_rules import RunRules

from .groups import Groups, SeatColumns, Texts

LEVEL = ("task", "puzzle", "level", "split")


class Conditions(NamedTuple):
    """The conditions of a match, as they are called in the names of levels."""

    version: str
    attempts: str
    tries: str
    unreadable: str
    wording: str


def differing_conditions(rows: SeatColumns, rules: Mapping[str, RunRules]) -> Texts:
    """Of each row, the conditions in which its level was not always played: `version 2, 3 tries`.

    They are "" on a level that was always played under the same ones.  `rules` are those of the
    runs; one that is not among them has the usual ones.
    """
    levels = Groups(*(rows.texts(name).codes for name in LEVEL)).of
    run, version = rows.texts("run"), rows.numbers("version")
    is_question = _is_question(rows)
    cells = Groups(levels, run.codes, rows.codes("version"))
    known = [
        _conditions(version[row], rules.get(str(run.at(row)), RunRules()), bool(is_question[row]))
        for row in cells.first.tolist()
    ]
    on_level = defaultdict[int, set[Conditions]](set)
    for row, own in zip(cells.first.tolist(), known, strict=True):
        on_level[levels[row]].add(own)
    marks = [
        _differing(own, on_level[levels[row]])
        for row, own in zip(cells.first.tolist(), known, strict=True)
    ]
    names = sorted(set(marks))
    return Texts(np.array([names.index(mark) for mark in marks])[cells.of], names)


def _is_question(rows: SeatColumns) -> np.ndarray:
    """Return which rows are of questions.  Matches that are left to play do not tell, but whoever
    has played the same puzzle does.
    """
    puzzles = Groups(*(rows.texts(name).codes for name in ("task", "puzzle"))).of
    asked = np.zeros(puzzles.max() + 1, bool)
    asked[puzzles[rows.codes("tries") >= 0]] = True
    return asked[puzzles]


def _conditions(version: float, rules: RunRules, is_question: bool) -> Conditions:
    return Conditions(
        "unknown version" if np.isnan(version) else f"version {version:.0f}",
        _counted(rules.attempts, "attempt", "attempts"),
        _counted(rules.tries, "try", "tries") if is_question else "",
        _UNREADABLE[rules.count_unreadable] if is_question else "",
        "published wording" if rules.published_wording else "our wording",
    )


_UNREADABLE = {True: "unreadable replies count", False: "unreadable replies do not count"}


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _differing(own: Conditions, on_level: Collection[Conditions]) -> str:
    values = zip(*on_level, strict=True)
    return ", ".join(word for word, others in zip(own, values, strict=True) if len(set(others)) > 1)
