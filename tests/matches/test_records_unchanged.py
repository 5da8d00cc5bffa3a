"""Records of many random matches with misbehaving players are byte for byte those on file.

`make docs` writes the files anew; a change of them must be meant, and says so in its commit.
"""

from __future__ import annotations

import asyncio
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

FILES = Path(__file__).parent / "records"
MATCHES = 10
SLOW = ("optimal_touring/normal",)  # a second each, to prove what the best tour is worth
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


def _line(planned: Planned) -> str:
    spec, mischief, instant = planned
    game = drawing.game(spec, tries=2)
    players = [Misbehaving("a", mischief, instant), Misbehaving("b", mischief)][: game.seats]
    record = asyncio.run(play_match(game, players, spec, attempts=3))
    replay(record)
    return (
        f"{spec} {mischief} {record.cause} {len(record.log)} "
        f"{sha256(record_json(record).encode()).hexdigest()[:16]}"
    )


@pytest.mark.parametrize("name", registry.names())
def test_records_are_those_on_file(name: str, request: pytest.FixtureRequest) -> None:
    """Whatever players do, matches go and are written down as they always were."""
    if request.config.getoption("--update"):
        lines = [_line(match) for match in _planned(name)]
        _path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    _compare(name, slow=False)


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted({spec.partition("/")[0] for spec in SLOW}))
def test_slow_records_are_those_on_file(name: str) -> None:
    """The rest of the matches on file."""
    _compare(name, slow=True)


def _compare(name: str, slow: bool) -> None:
    path = _path(name)
    kept = path.read_text("utf-8").splitlines() if path.exists() else []
    planned = [match for match in _planned(name) if match.spec.startswith(SLOW) is slow]

    assert planned
    assert [line for line in kept if line.startswith(SLOW) is slow] == [
        _line(match) for match in planned
    ], f"{path.name} holds other records; if that is meant, run make docs"


def _path(name: str) -> Path:
    return FILES / f"{name}.txt"


def test_no_records_are_left_of_a_puzzle_that_is_gone(request: pytest.FixtureRequest) -> None:
    left = {path for path in FILES.glob("*.txt") if path.stem not in registry.names()}
    if request.config.getoption("--update"):
        for path in left:
            path.unlink()
        return
    assert set() == left, "run make docs"
