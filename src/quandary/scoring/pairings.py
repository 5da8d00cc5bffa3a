"""Who beat whom, counted from the table of seats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quandary.programs.library import family
from quandary.statistics.comparisons import Counts
from quandary.statistics.estimates import Flags, Floats, Ints

from .groups import SeatColumns, Texts, grouped, joined, numbered
from .score_table import Cell


def opponents(seats: SeatColumns, players: Texts) -> Ints:
    """Return the number of each row's only opponent among the players; -1 without one."""
    number = {name: code for code, name in enumerate(players.names)}
    column = seats.texts("opponents")
    known = np.array([*(number.get(name, -1) for name in column.names), -1], np.int64)
    found: Ints = np.where(seats.numbers("seats") == 2, known[column.codes], -1)
    return found


def match_counts(seats: SeatColumns, chosen: Flags | bool = True) -> Counts:
    """Wins and ties of each pair of players in two-player games, in the order of their names."""
    players = seats.texts("player")
    other, win, size = opponents(seats, players), seats.numbers("win"), len(players.names)
    there = (other >= 0) & (other != players.codes) & ~np.isnan(win) & chosen
    pairs = players.codes * size + other

    def count(result: float) -> Ints:
        found = np.bincount(pairs[there & (win == result)], minlength=size * size)
        return found.reshape(size, size)

    # Every match has a row for each of its two seats, so a tie is counted once each way.
    return Counts(count(1.0), count(0.5))


def score_counts(seats: SeatColumns, values: Floats, chosen: Flags | bool = True) -> Counts:
    """Wins and ties of players who play alone: on each instance, everyone meets everyone by the
    mean of some values.
    """
    players, size = seats.texts("player"), len(seats.texts("player").names)
    wins, ties = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    there = (seats.numbers("seats") == 1) & ~np.isnan(values) & chosen
    for _, at in grouped(seats.texts("puzzle"), seats.texts("level")):
        at = at[there[at]]
        if not len(at):
            continue
        place = numbered(seats.texts("spec").codes[at])
        cell, shape = place * size + players.codes[at], (int(place.max()) + 1, size)
        n = np.bincount(cell, minlength=shape[0] * size)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (np.bincount(cell, values[at], minlength=len(n)) / n).reshape(shape)
        for one in range(size):
            wins[one] += (mean[:, [one]] > mean).sum(axis=0)
            ties[one] += (mean[:, [one]] == mean).sum(axis=0)
    np.fill_diagonal(ties, 0)
    return Counts(wins, ties)


def matrix(names: Sequence[str], values: Floats) -> list[list[Cell]]:
    """Return a table of row against column, by name; None where there is no number."""
    order = sorted(range(len(names)), key=lambda at: names[at])
    return [
        [
            names[row],
            *(
                None if np.isnan(values[row, column]) else float(values[row, column])
                for column in order
            ),
        ]
        for row in order
    ]


def families(players: Texts) -> Texts:
    """Players, with programs under the name of their author."""
    return joined([players], family)
