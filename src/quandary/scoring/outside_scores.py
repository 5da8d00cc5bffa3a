"""Finds the scores of users: entry points of installed distributions, as for puzzles.

Finding runs no code of theirs; what may be wrong with it becomes a sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from quandary.catalogue import external
from quandary.catalogue.entry_points import Entry, entries
from quandary.catalogue.papers import papers
from quandary.core.errors import UserError
from quandary.results.columns import SEATS, columns_of

from .score import Score
from .score_table import Cell, Ranged, ScoreTable

if TYPE_CHECKING:
    import pyarrow as pa

ENTRY_POINTS = "quandary.scores"  # the group of entry points
KEY = re.compile(r"[a-z0-9_]+")
PREFIX = "score_"  # of the keys of their tables, which no other table has


class Found(NamedTuple):
    """The scores of users by name, and the names that are refused, each with a sentence."""

    usable: dict[str, Score]
    refused: dict[str, str]


def found() -> Found:
    """Return all scores of users, loaded."""
    where = external.surroundings()
    return Found({}, {}) if where is None else _found(where[1])


@cache
def _found(paths: Sequence[str]) -> Found:
    taken = [paper.name for paper in papers()]
    offered, refused = external.sort_out(
        list(entries(paths, ENTRY_POINTS)), taken, "score", "a paper"
    )
    usable = dict[str, Score]()
    for name, entry in sorted(offered.items()):
        try:
            usable[name] = _load(entry)
        except UserError as reason:
            refused[name] = str(reason)
    return Found(usable, refused)


def _load(entry: Entry) -> Score:
    module, _, name = entry.value.partition(":")
    try:
        with redirect_stdout(sys.stderr):  # what it prints is not part of a command's output
            score = getattr(import_module(module.strip()), name.strip(), None)
    except (Exception, SystemExit) as reason:  # an author's file may hold anything
        raise UserError(
            f"{entry} cannot be loaded ({type(reason).__name__}: {reason})."
        ) from reason
    if not isinstance(score, Score):
        raise UserError(f"{entry} names {entry.value}, which is not a score; make it with @score.")
    if not isinstance(score.title, str) or not score.title.strip():
        raise UserError(f"{entry} has no title; give @score a text.")
    for column in (*score.columns, score.scored):
        if column not in columns_of(SEATS):
            raise UserError(f"{entry} asks for the column {column!r}, which results do not have.")
    summary = tuple(_key(entry.name, key) for key in score.summary)
    return replace(score, function=partial(_checked, entry, score), summary=summary)


def _checked(entry: Entry, score: Score, seats: pa.Table) -> list[ScoreTable]:
    """Return the tables of a score, under keys of their own; UserError for whatever is wrong."""
    try:
        with redirect_stdout(sys.stderr):
            tables = score(seats)
    except (Exception, SystemExit) as reason:
        raise UserError(f"{entry} failed ({type(reason).__name__}: {reason}).") from reason
    keys = [table.key for table in tables]
    if wrong_keys := [key for key in keys if not KEY.fullmatch(str(key)) or keys.count(key) > 1]:
        raise UserError(
            f"{entry} has a table with the key {wrong_keys[0]!r}; give each table one of its own, "
            f"of small letters, digits and underscores."
        )
    heads = [head for table in tables for head in (table.title, table.formula, *table.head)]
    if wrong_heads := [head for head in heads if not isinstance(head, str)]:
        raise UserError(f"{entry} has the heading {wrong_heads[0]!r}; use a text.")
    cells = [cell for table in tables for row in table.rows for cell in row]
    if wrong := [cell for cell in cells if not _is_shown(cell)]:
        raise UserError(
            f"{entry} has {wrong[0]!r} in a table; use texts, finite numbers, Ranged, or None "
            f"where there is no number."
        )
    return [replace(table, key=_key(entry.name, table.key)) for table in tables]


def _key(name: str, key: str) -> str:
    return f"{PREFIX}{key}" if key == name else f"{PREFIX}{name}_{key}"


def _is_shown(cell: Cell) -> bool:
    if isinstance(cell, Ranged):
        return all(isinstance(end, int | float) and isfinite(end) for end in cell)
    return (
        cell is None or isinstance(cell, str | int) or (isinstance(cell, float) and isfinite(cell))
    )
