"""On which sets of levels players are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

Level = TypeVar("Level", bound=tuple[Any, ...])


def level_sets(played: Mapping[str, frozenset[Level]]) -> list[frozenset[Level]]:
    """Everything that a player has played, and what it shares with the player with whom it shares
    the most; each set once.
    """
    return list(dict.fromkeys([*played.values(), *_most_shared(played)]))


def _most_shared(played: Mapping[str, frozenset[Level]]) -> Iterator[frozenset[Level]]:
    """For each player, the largest set of levels that it shares with another one."""
    for player, own in played.items():
        shared = (own & played[other] for other in played if other != player)
        most = max(shared, key=lambda levels: (len(levels), sorted(levels)), default=frozenset())
        if most:
            yield most
