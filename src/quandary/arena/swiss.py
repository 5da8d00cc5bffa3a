"""Swiss pairings: in each round, players meet others with about as many points.

A round is deterministic: it follows from the order of the players, the points so far and who has
met.  There are as many rounds as a knock-out needs to find a winner, so that n players play about
n log n matches on each instance instead of n squared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2
from typing import TypeAlias

Standings: TypeAlias = Mapping[str, float]  # points of each player so far


class Pairings:
    """The rounds of a Swiss tournament, one after another."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.rounds = ceil(log2(len(players)))
        self.met = set[frozenset[str]]()
        self.rested = set[str]()

    def next_round(self, standings: Standings) -> list[tuple[str, str]]:
        """Return who meets whom; of an odd number of players, the last who has not rested yet
        rests.
        """
        # Sorting keeps the order of players with the same points.
        ranked = sorted(self.players, key=lambda player: -standings.get(player, 0.0))
        if len(ranked) % 2:
            resting = next(player for player in reversed(ranked) if player not in self.rested)
            self.rested.add(resting)
            ranked.remove(resting)
        pairs = self._paired(ranked) or []
        self.met |= set(map(frozenset, pairs))
        return pairs

    def _paired(self, ranked: Sequence[str]) -> list[tuple[str, str]] | None:
        """Pair each player with the next in rank it has not met; None if no such pairing exists.

        For a whole round one always exists, because no player has met half of the others yet.
        """
        if not ranked:
            return []
        one, *others = ranked
        for other in others:
            if frozenset((one, other)) not in self.met:
                rest = self._paired([player for player in others if player != other])
                if rest is not None:
                    return [(one, other), *rest]
        return None
