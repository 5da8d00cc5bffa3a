"""Players who remember their turns: a match that goes on elsewhere gives them these again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeGuard

from quandary.core.contract import Seat

from .engine import Match
from .player import Turn


class ResumableSitting(Protocol):
    """One that can start anew and know some turns, as if it had just had them."""

    def resume(self, turns: Sequence[Turn]) -> None: ...


def remembers(sitting: object) -> TypeGuard[ResumableSitting]:
    return hasattr(sitting, "resume")


def resume(match: Match, sittings: Iterable[tuple[Seat, object]]) -> None:
    """Let those who remember their turns know the ones of this match, and no others."""
    for seat, sitting in sittings:
        if remembers(sitting):
            sitting.resume(match.turns_of(seat))
