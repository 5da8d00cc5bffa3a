"""How people do at TextGames, beside models and the people of the paper."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from quandary.players.people import PERSON, is_person
from quandary.scoring.groups import (
    SeatColumns,
    asked_puzzles,
    grouped,
    mean_with_interval,
    persons,
    played_levels,
    pooled_people,
)
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, level_place, score_table
from quandary.statistics.estimates import Floats, Ints

TABLE = "table_5.toml"
OF_PAPER = "people of the paper"
NOTE = (
    "The people of the paper are those of its table 5, which does not say how many questions its "
    "figures cover."
)
HEAD = ("puzzle", "level", "player", "shots", "n", "first turn", "solved", "attempts", "seconds")


class Printed(NamedTuple):
    """What the paper prints of people at one game and level."""

    first_turn: float  # a share
    attempts: float
    seconds: float


@cache
def printed() -> dict[tuple[str, str], Printed]:
    """Table 5 of the paper, by puzzle and level."""
    found = tomllib.loads((pkgutil.get_data(__package__, TABLE) or b"").decode())
    return {
        (puzzle, level): Printed(round(shares[at] / 100, 3), attempts[at], seconds[at])
        for puzzle, shares in found["first_turn"].items()
        for at, level in enumerate(found["levels"])
        for attempts, seconds in [(found["attempts"][puzzle], found["seconds"][puzzle])]
    }


def people_table(seats: SeatColumns) -> ScoreTable:
    """First-turn solve rate, attempts and time of people, and of others at the same levels."""
    rows = list[list[Cell]]()
    for _, of_level in _by_level(seats):
        if any(is_person(str(row[2])) for row in of_level):
            puzzle, level = str(of_level[0][0]), str(of_level[0][1])
            if known := printed().get((puzzle, level)):
                of_level.append([puzzle, level, OF_PAPER, None, None, known[0], None, *known[1:]])
            rows += sorted(of_level, key=_place)
    rows.sort(key=lambda row: (str(row[0]), level_place(str(row[0]), str(row[1]))))
    return score_table(
        "textgames_people",
        "People",
        "For the n questions that a player was asked at levels that people have played: share "
        "solved in the first turn, with its 95 % interval (for people, over persons or over "
        "starts, whichever is wider). For the questions solved in any turn: mean number of "
        "attempts and mean seconds.",
        HEAD,
        rows,
        [NOTE] if rows else (),
    )


def _place(row: list[Cell]) -> tuple[int, str, str]:
    """People first, then those of the paper, then others by name."""
    player = str(row[2])
    return (0 if player == PERSON else 1 if is_person(player) else 2 if player == OF_PAPER else 3,
            player, str(row[3]))  # fmt: skip


def _by_level(seats: SeatColumns) -> Iterator[tuple[tuple[str, str], list[list[Cell]]]]:
    """Yield the row of each player, by puzzle and level."""
    turn, seconds = seats.numbers("solved_on_turn"), seats.numbers("seconds")
    starts, who = seats.texts("instance").codes, persons(seats.texts("player"))
    found = dict[tuple[str, str], list[list[Cell]]]()
    key = (
        asked_puzzles(seats),
        played_levels(seats),
        pooled_people(seats.texts("player")),
        seats.texts("shots"),
    )
    for (puzzle, level, player, shots), at in grouped(*key):
        solved = at[~np.isnan(turn[at])]
        is_first = (turn[at] == 1).astype(float)
        first = share(is_first, starts[at], who[at] if is_person(str(player)) else None)
        found.setdefault((str(puzzle), str(level)), []).append(
            [
                puzzle,
                level,
                player,
                None if shots is None or is_person(str(player)) else int(shots),
                len(at),
                first,
                len(solved),
                float(turn[solved].mean()) if len(solved) else None,
                _mean(seconds[solved]),
            ]
        )
    yield from found.items()


def _mean(values: Floats) -> float | None:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else None


def share(values: Floats, starts: Ints, who: Ints | None) -> Ranged | None:
    """Return a mean with its interval; neither what one person did nor what was done on one
    instance is independent, so that of people is over persons or over starts, whichever is wider.
    """
    found = mean_with_interval(values, starts)
    other = mean_with_interval(values, who) if who is not None else None
    if found is None or other is None:
        return found
    return max(found, other, key=lambda each: each.high - each.low)
