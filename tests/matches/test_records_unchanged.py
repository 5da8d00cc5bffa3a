"""Records of many random matches with misbehaving players are byte for byte those on file.

`pytest --update` writes the file anew; a change of it must be meant, and says so in its commit.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from misbehaving import Misbehaving
from quandary.catalogue import registry
from quandary.matches.codec import record_json
from quandary.matches.drivers import play_match
from quandary.matches.record import replay

FILE = Path(__file__).parent / "records.txt"
PARTS = 8


class Planned(NamedTuple):
    spec: str
    mischief: float
    instant: bool


def _planned() -> list[Planned]:
    rng, planned = Random(5), list[Planned]()
    for name in sorted(registry.names()) * 20:
        level = list(registry.load(name).levels)[rng.randrange(2)]
        planned.append(
            Planned(
                f"{name}/{level}#{rng.randrange(1_000)}",
                rng.choice([0.0, 0.02, 0.2]),
                rng.random() < 0.5,
            )
        )
    for name in (
        "superply",
        "bid_that",
        "beat_or_bomb_sto",
        "larger_target",
        "card_nim",
    ):  # fouls, failures at once
        planned += [Planned(f"{name}/easy#{seed}", 0.4, seed % 2 == 0) for seed in range(20)]
    return planned


def _line(planned: Planned) -> str:
    spec, mischief, instant = planned
    game = registry.game(spec, tries=2)
    players = [Misbehaving("a", mischief, instant), Misbehaving("b", mischief)][: game.seats]
    record = asyncio.run(play_match(game, players, spec, attempts=3))
    replay(record)
    return (
        f"{spec} {mischief} {record.cause} {len(record.log)} "
        f"{sha256(record_json(record).encode()).hexdigest()[:16]}"
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_records_are_those_on_file(part: int, request: pytest.FixtureRequest) -> None:
    """Whatever players do, matches go and are written down as they always were."""
    planned = _planned()
    if request.config.getoption("--update"):
        if part == 0:
            FILE.write_text("".join(f"{_line(match)}\n" for match in planned), "utf-8")
        return
    kept = FILE.read_text("utf-8").splitlines()

    assert len(planned) == len(kept)
    assert kept[part::PARTS] == [_line(match) for match in planned[part::PARTS]]
