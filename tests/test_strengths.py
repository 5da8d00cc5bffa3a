"""How strong the players of the duels are, for `make check-all`; duels with a test of their own
elsewhere are left out here.
"""

from __future__ import annotations

from asyncio import run
from math import sqrt
from statistics import fmean

import pytest

from quandary.catalogue import drawing
from quandary.matches.drivers import play_match
from quandary.players.strategy import strategy_player

MATCHES, BUDGET = {"easy": 120, "normal": 60, "hard": 40}, 300
MARGIN = {level: 2 * 0.5 / sqrt(matches) for level, matches in MATCHES.items()}
LEVELS = ("easy", "normal", "hard")
OTHERS = {
    "card_nim": ("random", "cautious"),
    "sudokill": ("random", "greedy"),
    "larger_target": ("random", "greedy"),
    "superply": ("random", "search"),
}
pytestmark = pytest.mark.heavy


def _share(spec: str, one: str, other: str) -> float:
    """What the first player gets of the points, over as many seeds from both seats."""
    name, level = spec.split("/")

    async def scores() -> list[float]:
        found = []
        for seed in range(MATCHES[level] // 2):
            game = drawing.game(f"{name}/{level}#{seed}")
            players = [strategy_player(f"{who}@{BUDGET}", game, level) for who in (one, other)]
            for seat in (0, 1):
                record = await play_match(
                    game, players[::-1] if seat else players, f"{name}/{level}#{seed}"
                )
                assert record.scores is not None
                found.append(record.scores[seat])
        return found

    return fmean(run(scores()))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("name", "other"), [(name, other) for name, others in OTHERS.items() for other in others]
)
def test_the_oracle_loses_to_nobody(name: str, other: str, level: str) -> None:
    """It gets half of the points at least, give or take two standard errors (0.09 over 120 matches,
    0.16 over 40); as the house it beats luck.
    """
    game = drawing.game(f"{name}/{level}#0")
    assert other in ("random", *game.strategies)
    beats_luck = other == "random" and game.house[level] == "oracle"
    least = 0.5 + MARGIN[level] if beats_luck else 0.5 - MARGIN[level]
    assert _share(f"{name}/{level}", "oracle", other) > least


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", OTHERS)
def test_the_house_beats_luck(name: str, level: str) -> None:
    """Where it is not luck itself, it gets more than half of the points, by more than two standard
    errors; the oracle is tested above.
    """
    house = drawing.game(f"{name}/{level}#0").house[level]
    if house == "random":
        assert level == "easy"
    elif house != "oracle":
        assert _share(f"{name}/{level}", house, "random") > 0.5 + MARGIN[level]
