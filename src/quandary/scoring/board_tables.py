"""Leaderboards as tables: what each is called, and what stands above it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from quandary.players.model_names import shared_settings

from .boards import Board, Levels, anywhere, boards
from .leaderboard import Seats, as_groups, leaderboard
from .level_groups import LevelKey, SeatGroup, fixed_rng
from .puzzle_groups import puzzle_count
from .score_table import ScoreTable, suite_key

MOST_NAMED = 5  # levels
BRACKETS = (
    "Brackets distinguish a level from the same level in another version or with other rules."
)
ELSEWHERE = "Results of these players on other levels do not count here."


def leaderboards(seats: Seats) -> list[ScoreTable]:
    """Return the leaderboards of some runs, the largest first; each holds comparable rows only."""
    groups = as_groups(seats)
    return tables_of(boards(groups), groups.of_suites)


def tables_of(found: Sequence[Board], groups: Sequence[SeatGroup]) -> list[ScoreTable]:
    """Return the table of each of some boards; `groups` are all there are, of each suite."""
    suites, played = _levels_by(groups)
    tables, keys = list[ScoreTable](), set[str]()
    for board in found:
        name = _named(board, suites, _played_in(board, groups))
        key = _unique(name.key, keys)
        keys.add(key)
        table = leaderboard(board.groups, fixed_rng(), key, name.title)
        if len(found) > 1:
            is_part = any(played[player] > board.places for player in board.players)
            notes = [ELSEWHERE] if is_part and not name.tells_levels else []
            table = replace(
                table,
                lead=_size(board.groups, name.tells_levels),
                levels=tuple(_level_names(board.groups)),
                notes=(*table.notes, *notes),
            )
        tables.append(_with_shared_settings(table))
    return tables


def _with_shared_settings(table: ScoreTable) -> ScoreTable:
    shared = shared_settings(map(str, table.column("player")))
    if not shared:
        return table
    lead = f"{table.lead} All models: {', '.join(shared)}.".strip()
    return replace(table, lead=lead, shared_settings=shared)


def _levels_by(groups: Iterable[SeatGroup]) -> tuple[dict[str, Levels], dict[str, Levels]]:
    """Return the levels of each suite, and of each player, whatever the suite."""
    suites, players = defaultdict[str, set[LevelKey]](set), defaultdict[str, set[LevelKey]](set)
    for group in groups:
        suites[group.key.suite].add(anywhere(group.key))
        players[group.player].add(anywhere(group.key))
    return (
        {suite: frozenset(levels) for suite, levels in suites.items()},
        {player: frozenset(levels) for player, levels in players.items()},
    )


def _played_in(board: Board, groups: Iterable[SeatGroup]) -> list[str]:
    """Return the suites that the matches of a board over all suites are of."""
    suites = {
        group.key.suite
        for group in groups
        if group.player in board.players and anywhere(group.key) in board.levels
    }
    return sorted(suites)


class _Name(NamedTuple):
    """What a board is called."""

    title: str
    key: str
    tells_levels: bool  # whether the title says which levels it has


def _named(board: Board, suites: Mapping[str, Levels], played_in: Sequence[str]) -> _Name:
    count = len(board.levels)
    if board.suite:
        whole = suites[board.suite]
        title, key = f"Leaderboard of {board.suite}", suite_key("leaderboard", board.suite)
        if board.places == whole:
            return _Name(title, key, True)
        part = f"{count} of {_counted(len(whole), 'level')}"
        return _Name(f"{title}: {part}", f"{key}_{count}_levels", False)
    if board.places == frozenset().union(*suites.values()):
        return _Name("Leaderboard", "leaderboard", True)
    if board.places == frozenset().union(*(suites[suite] for suite in played_in)):
        key = suite_key("leaderboard", "_".join(played_in))
        return _Name(f"Leaderboard of {_listed(played_in)}", key, True)
    words = _counted(count, "shared level" if len(board.players) > 1 else "level")
    return _Name(f"Leaderboard of {words}", f"leaderboard_{count}_levels", False)


def _unique(key: str, taken: set[str]) -> str:
    """Return the key, with a number if another table has it, because keys name files."""
    number, found = 2, key
    while found in taken:
        number, found = number + 1, f"{key}_{number}"
    return found


def _size(groups: Sequence[SeatGroup], tells_levels: bool) -> str:
    """Return how many levels there are, and which, unless the title tells; levels that were also
    played under other conditions are named first, and in any case.
    """
    names = _level_names(groups)
    puzzles = puzzle_count(group.key.puzzle for group in groups)
    sentence = f"{_counted(len(names), 'level')} of {puzzles}"
    special = [name for name in names if name.endswith(")")]
    brackets = f" {BRACKETS}" if special else ""
    if tells_levels:
        return f"{sentence}, among them {_few(special)}.{brackets}" if special else f"{sentence}."
    return f"{sentence}: {_few(dict.fromkeys([*special, *names]))}.{brackets}"


def _few(names: Iterable[str]) -> str:
    """Return the first of some names, and how many more there are."""
    first = list(names)
    more = [f"{len(first) - MOST_NAMED} more"] if len(first) > MOST_NAMED else []
    return _listed([*first[:MOST_NAMED], *more])


def _level_names(groups: Iterable[SeatGroup]) -> list[str]:
    return list(dict.fromkeys(f"{group.key.puzzle}/{group.key.level}" for group in groups))


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
