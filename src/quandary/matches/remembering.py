"""Players that remember their turns: a match that goes on elsewhere gives them these again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeGuard

from quandary.core.contract import Seat

from .match import Match
from .player import Turn


class ResumableSeatedPlayer(Protocol):
    """A player that can start anew and know some turns as if it had just had them."""

    def resume(self, turns: Sequence[Turn]) -> None: ...


def remembers(seated: object) -> TypeGuard[ResumableSeatedPlayer]:
    return hasattr(seated, "resume")


def resume(match: Match, seated_players: Iterable[tuple[Seat, object]]) -> None:
    """Let those who remember their turns know the ones of this match, and no others."""
    for seat, seated in seated_players:
        if remembers(seated):
            seated.resume(match.turns_of(seat))
