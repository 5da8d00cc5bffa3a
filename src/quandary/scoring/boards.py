"""Leaderboards that hold comparable rows only.

A board is a set of levels, and holds the players who were to play all of them; what they did on
other levels does not count there.  There is a board for everything that a player has played, one
for what it shares with the player with whom it shares the most, and these of each suite as well as
over all suites, as far as they say more.  Matches that were cut off or are not played yet do not
take a player off a board: they are missing results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from .level_groups import LevelKey, SeatGroup, SeatGroups
from .shared_levels import level_sets

Levels: TypeAlias = frozenset[LevelKey]


@dataclass(frozen=True, eq=False)
class Board:
    """A set of levels, and all players who are compared on it."""

    suite: str  # "" over all suites
    levels: Levels
    players: frozenset[str]
    groups: Sequence[SeatGroup]  # of these players on these levels

    @cached_property
    def places(self) -> Levels:
        """Its levels, whatever the suite."""
        return frozenset(map(anywhere, self.levels))

    def is_like(self, other: Board) -> bool:
        """Return whether both have the same players on the same levels."""
        return self.places == other.places and self.players == other.players

    def is_part_of(self, other: Board) -> bool:
        """Return whether the other has the same levels, and all players of this one."""
        return self.places == other.places and self.players <= other.players


def boards(groups: SeatGroups) -> list[Board]:
    """Return all boards, those with the most levels first, and of these those with the most
    players.
    """
    suites = defaultdict[str, list[SeatGroup]](list)
    for group in groups.of_suites:
        suites[group.key.suite].append(group)
    found = [board for suite, own in suites.items() for board in _boards(own, suite)]
    if len(suites) > 1:
        over = _over_suites(groups.overall, found)
        whole = {suite: {group.key for group in own} for suite, own in suites.items()}
        found = [
            board
            for board in found
            if board.levels == whole[board.suite] or not any(map(board.is_part_of, over))
        ] + over
    return sorted(
        found,
        key=lambda board: (
            *(-len(board.levels), -len(board.players), board.suite),
            *(sorted(board.levels), sorted(board.players)),
        ),
    )


def _boards(groups: Sequence[SeatGroup], suite: str) -> list[Board]:
    """Return the boards of some groups, each set of levels once."""
    levels = defaultdict[str, set[LevelKey]](set)
    for group in groups:
        levels[group.player].add(group.key)
    played = {player: frozenset(own) for player, own in levels.items()}
    return [
        _board(groups, suite, shared, (name for name in played if shared <= played[name]))
        for shared in level_sets(played)
    ]


def _board(
    groups: Iterable[SeatGroup], suite: str, levels: Levels, players: Iterable[str]
) -> Board:
    own = frozenset(players)
    kept = [group for group in groups if group.key in levels and group.player in own]
    return Board(suite, levels, own, kept)


def _over_suites(groups: Sequence[SeatGroup], of_suites: Sequence[Board]) -> list[Board]:
    """Return the boards over all suites that say more than those of suites: none with the players
    and levels of one of these, and none of one player among several whose levels are on other
    boards.
    """
    found = [board for board in _boards(groups, "") if not any(map(board.is_like, of_suites))]
    everyone = {group.player for group in groups}
    compared = [board for board in found if len(board.players) > 1 or board.players == everyone]
    return [
        board
        for board in found
        if board in compared or not _is_covered(board, [*of_suites, *compared])
    ]


def _is_covered(board: Board, others: Iterable[Board]) -> bool:
    """Return whether other boards have its players on all of its levels."""
    places = (other.places for other in others if board.players <= other.players)
    return board.levels <= frozenset().union(*places)


def anywhere(level: LevelKey) -> LevelKey:
    """Return a level, whatever the suite."""
    return level._replace(suite="")
