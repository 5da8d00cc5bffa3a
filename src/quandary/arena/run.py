"""Matches of a suite, played and kept; running the same command again continues where it stopped."""

from __future__ import annotations

from asyncio import run as run_async
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import quandary
from quandary.core import registry
from quandary.core.contract import Game
from quandary.core.player import Player, Scripted
from quandary.core.record import Record
from quandary.core.referee import play_match
from quandary.core.spec import Spec
from quandary.players.clock import Clocked

from .store import Store
from .suite import Suite

Finder = Callable[[str, Game, str], Player]  # name, game, level -> player


class Match(NamedTuple):
    spec: Spec
    players: tuple[str, ...]  # one a seat
    repeat: int


def schedule(suite: Suite, players: Sequence[str]) -> Iterator[Match]:
    """Every match: each player alone, or each pair from both seats; a lone player meets the house."""
    for spec in suite.specs:
        seats = getattr(registry.load(spec.name), "seats", 1)
        for seated in permutations(_invited(players, seats), seats):
            for repeat in range(suite.repeats):
                yield Match(spec, tuple(seated), repeat)


def _invited(players: Sequence[str], seats: int) -> list[str]:
    """Who plays; where two are needed, a lone player meets the house, and the house alone meets `random`."""
    return list(dict.fromkeys([*players, "house", "random"]))[: max(seats, len(players))]


def validate(suite: Suite, players: Sequence[str], find: Finder) -> None:
    """Raise the mistake that would stop the run at some level: a player, a size or a language that is not there."""
    for spec in {replace(spec, seed=0): spec for spec in suite.specs}.values():
        game = registry.game(spec, tries=suite.tries, language=suite.language)
        for name in _invited(players, game.seats):
            find(name, game, spec.level)


def manifest(suite: Suite, players: Sequence[str]) -> dict[str, Any]:
    """What makes a run this run: another one may not be mixed into its records."""
    puzzles = dict.fromkeys(spec.name for spec in suite.specs)
    settings = {field.name: getattr(suite, field.name) for field in fields(suite) if field.name not in ("entries", "small")}
    settings["decoding"] = dict(suite.decoding)
    return {
        "quandary": quandary.__version__,
        "suite": settings,
        "specs": [str(spec) for spec in suite.specs],
        "players": list(players),
        "versions": {name: registry.load(name).version for name in puzzles},
    }


def run(
    suite: Suite, players: Sequence[str], folder: Path, find: Finder, tell: Callable[[int, int], None] = lambda done, of: None
) -> list[Record]:
    """Play what is not played yet, and give all records of the run.  `tell` hears how far it is."""
    players = list(dict.fromkeys(players))
    validate(suite, players, find)
    matches = list(schedule(suite, players))
    with Store(folder, manifest(suite, players)) as store:
        kept = {_key(record): record for record in store.records() if record.cause != "infrastructure"}

        async def play_the_rest() -> None:
            for done, match in enumerate(matches):
                tell(done, len(matches))
                if match not in kept:
                    kept[match] = await play(match, suite, find)
                    store.append(kept[match])
            tell(len(matches), len(matches))

        run_async(play_the_rest())
    return [kept[match] for match in matches]


async def play(match: Match, suite: Suite, find: Finder) -> Record:
    game = registry.game(match.spec, tries=suite.tries, language=suite.language)
    seated = [_timed(find(name, game, match.spec.level), suite.clock) for name in match.players]
    return await play_match(game, seated, str(match.spec), attempts=suite.attempts, repeat=match.repeat)


def _timed(player: Player, seconds: int | None) -> Player:
    """Built-in strategies play by the suite's clock, if it has one."""
    return Clocked(player, seconds) if seconds and isinstance(player, Scripted) else player


def _key(record: Record) -> Match:
    return Match(Spec.parse(record.name), record.players, record.repeat)
