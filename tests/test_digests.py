"""What puzzles do beyond the matches in `golden/`, kept as one line per match in `digests.txt`.

    SPEC shown: HOW IT ENDS, DIGEST           a match as every seat sees it, one per further level
    SPEC mischief SHARE: HOW IT ENDS, DIGEST  the record of a match of misbehaving players

A line that changes tells which match to look at.  `python tools/same_as.py HEAD --only instances`
shows what differs in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from misbehaving import Misbehaving
from quandary.catalogue import drawing, registry
from quandary.matches.codec import record_json
from quandary.matches.drivers import play_match
from quandary.matches.record import replay
from quandary.puzzle_docs.playthrough import playthrough
from slow_levels import SLOW_LEVELS
from snapshots import check_lines

FILE = Path(__file__).parent / "digests.txt"
MATCHES = 10
SLOW = (*SLOW_LEVELS, "max_target/normal")
WITH_FOULS = ("superply", "bid_that", "beat_or_bomb_sto", "larger_target", "card_nim")


class Planned(NamedTuple):
    spec: str
    mischief: float
    instant: bool


def _planned(name: str) -> list[Planned]:
    rng, levels = Random(f"records of {name}"), list(registry.load(name).levels)
    planned = [
        Planned(
            f"{name}/{levels[rng.randrange(2)]}#{rng.randrange(1_000)}",
            rng.choice([0.0, 0.02, 0.2]),
            rng.random() < 0.5,
        )
        for _ in range(MATCHES)
    ]
    if name in WITH_FOULS:  # and failures at once
        planned += [Planned(f"{name}/easy#{seed}", 0.4, seed % 2 == 0) for seed in range(MATCHES)]
    return planned


def _played(planned: Planned) -> str:
    """The line of a match of misbehaving players, whose record must replay."""
    spec, mischief, instant = planned
    game = drawing.game(spec, tries=2)
    players = [Misbehaving("a", mischief, instant), Misbehaving("b", mischief)][: game.seats]
    record = asyncio.run(play_match(game, players, spec, attempts=3))
    replay(record)
    ending = f"over after {len(record.log)} moves, by {record.cause}"
    return f"{spec} mischief {mischief}: {ending}, {_digest(record_json(record))}"


def _shown(name: str, level: str) -> str:
    """The line of a match as every seat sees it."""
    text = playthrough(name, level)
    ending = text.rstrip("= \n").rpartition("\n== ")[2]
    return f"{name}/{level}#1 shown: {ending}, {_digest(text)}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _lines(name: str, owns: Callable[[str], bool]) -> Iterator[str]:
    """The lines of a puzzle, of the levels that are asked for."""
    for level in list(registry.load(name).levels)[1:]:  # the first one is in `golden/`
        if owns(f"{name}/{level}#"):
            yield _shown(name, level)
    for planned in _planned(name):
        if owns(planned.spec):
            yield _played(planned)


def _is_slow(line: str) -> bool:
    return line.partition("#")[0] in SLOW


@pytest.mark.parametrize("name", registry.names())
def test_digests_are_those_on_file(
    name: str, update: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """What seats see at the further levels, and how matches go and are written down whatever
    players do.
    """

    def owns(line: str) -> bool:
        return line.startswith(f"{name}/") and not _is_slow(line)

    caplog.set_level("CRITICAL")  # players misbehave on purpose
    accept = f"pytest --update -k {name} (or make docs, for all puzzles)"
    check_lines(FILE, owns, _lines(name, owns), accept, update)


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted({level.partition("/")[0] for level in SLOW}))
def test_digests_of_slow_levels_are_those_on_file(name: str, update: bool) -> None:
    """The same for levels that take a second or more."""

    def owns(line: str) -> bool:
        return line.startswith(f"{name}/") and _is_slow(line)

    check_lines(FILE, owns, _lines(name, owns), "make docs", update)


def test_no_digest_is_left_of_a_puzzle_that_is_gone(update: bool) -> None:
    """Each line belongs to a puzzle that exists."""

    def is_left(line: str) -> bool:
        return line.partition("/")[0] not in registry.names()

    check_lines(FILE, is_left, [], "make docs", update)
