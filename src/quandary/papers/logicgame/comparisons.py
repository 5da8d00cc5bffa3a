"""What languages and worked examples change: means over languages, and paired differences.

Two replies are a pair if the same player gave them to the same instance, with otherwise the same
settings.  Several replies on one side of a pair are averaged first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quandary.players.model_names import without_setting
from quandary.scoring.groups import (
    Groups,
    SeatColumns,
    Texts,
    asked_puzzles,
    grouped,
    joined,
    ranged,
)
from quandary.scoring.level_groups import fixed_rng
from quandary.scoring.score_table import Cell
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.intervals import pooled_estimate
from quandary.statistics.paired import paired_difference

from .scored_items import CORRECTNESS, ScoredItems, count_of, in_order

LANGUAGE, SHOTS = "language", "shots"
USUAL = {LANGUAGE: "en", SHOTS: "0"}  # what others are compared with, where it was played
OTHER = {LANGUAGE: SHOTS, SHOTS: LANGUAGE}  # the setting that is the same in a pair
SETTINGS = ("history", "list_moves", "prompting", "setting")  # of prompts, likewise


class Pairs(NamedTuple):
    """Replies that differ in one setting, with the figures of both sides."""

    usual: str
    other: str
    rows: Ints  # of each pair one, which has what both sides have in common
    with_other: dict[str, Floats]
    with_usual: dict[str, Floats]


def language_means(items: ScoredItems) -> list[list[Cell]]:
    """Return the mean over languages, each with the same weight, of players who were asked in
    several.
    """
    seats, found = items.seats, list[list[Cell]]()
    players = _players(seats, LANGUAGE), seats.texts(SHOTS)
    codes, names = seats.texts(LANGUAGE)
    for part in items.parts():
        for (player, shots, *key), every in grouped(*players, *part):
            at = every[items.has_result[every]]
            counts = np.bincount(codes[at], minlength=len(names))
            asked = [name for name, count in zip(names, counts, strict=True) if count]
            if len(asked) < 2:
                continue
            starts, weights = seats.starts[at], 1 / counts[codes[at]]
            means = [
                ranged(pooled_estimate(items.figures[name][at], starts, weights=weights))
                for name in CORRECTNESS
            ]
            found.append([player, count_of(shots), ", ".join(asked), *key, len(at), *means])
    return in_order(found, 3, 1)


def differences(items: ScoredItems, setting: str) -> list[list[Cell]]:
    """Return the paired differences of each player between values of a setting."""
    seats, found = items.seats, list[list[Cell]]()
    players, parts = (_players(seats, setting), seats.texts(OTHER[setting])), list(items.parts())
    for pairs in _pairs(items, setting):
        for part in parts:
            own = [Texts(column.codes[pairs.rows], column.names) for column in (*players, *part)]
            for (player, same, *key), at in grouped(*own):
                values = (_shown(setting, value) for value in (pairs.usual, pairs.other))
                means = _differences(pairs, at, seats.starts[pairs.rows[at]])
                found.append([player, _shown(OTHER[setting], same), *values, *key, len(at), *means])
    return in_order(found, 4, 1)


def _differences(pairs: Pairs, at: Ints, starts: Ints) -> list[Cell]:
    """Return the figures with the other value less those with the usual one, over some pairs."""
    sides = ((pairs.with_other[name][at], pairs.with_usual[name][at]) for name in CORRECTNESS)
    return [ranged(paired_difference(*side, starts, rng=fixed_rng())) for side in sides]


def _pairs(items: ScoredItems, setting: str) -> Iterator[Pairs]:
    """Yield all pairs, one value of the setting after the other."""
    seats, values = items.seats, items.seats.texts(setting)
    sides = {name: values.where(name) & items.has_result for name in values.names}
    present = sorted(name for name, side in sides.items() if side.any())
    if len(present) < 2:
        return
    usual = USUAL[setting] if USUAL[setting] in present else present[0]
    same = [_players(seats, setting), asked_puzzles(seats), items.levels()]
    same += [seats.texts(name) for name in ("family", "instance", OTHER[setting], *SETTINGS)]
    groups = Groups(*(column.codes for column in same))
    counts = {name: groups.counts(groups.of[sides[name]]) for name in present}
    means = {name: _means(items, groups, sides[name], counts[name]) for name in present}
    for other in present:
        both = np.flatnonzero((counts[other] > 0) & (counts[usual] > 0))
        if other != usual and len(both):
            of_sides = (
                {figure: values[both] for figure, values in means[name].items()}
                for name in (other, usual)
            )
            yield Pairs(usual, other, groups.first[both], *of_sides)


def _means(items: ScoredItems, groups: Groups, side: Flags, counts: Ints) -> dict[str, Floats]:
    """Return the figures of each group, over those of its replies that are on a side; 0 without
    any.
    """
    return {
        name: groups.sums(items.figures[name], side) / np.maximum(counts, 1) for name in CORRECTNESS
    }


def _players(seats: SeatColumns, setting: str) -> Texts:
    """Return the players of replies, whatever this setting of theirs is."""
    return joined([seats.texts("player")], lambda name: without_setting(name, setting))


def _shown(setting: str, value: str | None) -> Cell:
    return count_of(value) if setting == SHOTS else value
