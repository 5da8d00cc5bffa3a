"""What seats see of positions that hide something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from broken_puzzles import LeakedSecret
from quandary.conformance import check
from quandary.core.contract import Options
from quandary.core.secrecy import Secret, Viewable


@dataclass(frozen=True)
class Counted(LeakedSecret):
    """Hides a number and caches what follows from it, in a sound way."""

    @cached_property
    def doubled(self) -> int:
        return 2 * (self.hidden or 0)

    def options(self) -> Options:
        assert self.doubled >= 0
        return {self.turn: ["1"]} if self.stones else {}


@dataclass(frozen=True)
class Wrapper(Viewable):
    """A position inside another one."""

    inside: tuple[Counted, ...]


@dataclass(frozen=True)
class Locked(Viewable):
    hidden: Secret[int]
    open: int = 1


def test_cached_properties_over_a_secret_do_not_survive_in_a_view() -> None:
    """What was computed on the true position is computed anew on the view."""
    position = Counted.new(Random(1))
    position = replace(position, hidden=1)
    assert position.doubled == 2
    seen = position.seen_by(0)

    assert "doubled" not in vars(seen)
    assert seen.doubled == 0
    assert position.doubled == 2


def test_cached_properties_do_not_survive_inside_another_position() -> None:
    """Positions inside positions are replaced by their own views."""
    position = Counted(9, 0, 1)
    assert position.doubled == 2
    [inside] = Wrapper((position,)).seen_by(1).inside

    assert vars(inside) == {"stones": 9, "turn": 0, "hidden": None}


def test_undeclared_attributes_do_not_survive_in_a_view() -> None:
    """Whatever was attached to a position stays with it."""
    position = Locked(7)
    object.__setattr__(position, "noted", 7)

    assert vars(position.seen_by(0)) == {"hidden": None, "open": 1}


def test_a_puzzle_may_cache_what_follows_from_a_secret() -> None:
    """Conformance does not refuse it, because views do not carry it."""
    assert [fault.sentence for fault in check(Counted)] == []
