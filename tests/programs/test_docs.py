"""The programs of docs/programs.md play as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quandary.catalogue import drawing
from quandary.matches.drivers import play_now
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool

PAGE = Path(__file__).parents[2] / "docs" / "programs.md"
PROGRAMS = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
SEEDS = range(1, 21)


# Of all matches from both seats, how many they win at least: only at `easy` the house errs.
WINS = {"easy": 0.8, "normal": 0.5, "hard": 0.5}


@pytest.mark.parametrize("level", WINS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_they_beat_the_house(name: str, level: str) -> None:
    """From both seats, and never by a mistake, nor for want of time or memory."""
    pool, won = ProgramPool(), 0.0
    for seed in SEEDS:
        spec = f"{name}/{level}#{seed}"
        game = drawing.game(spec)
        house = strategy_player("house", game, level)
        own = ProgramPlayer(Program(f"program/{name}.py", PROGRAMS[name], name), pool, game)
        for seat in (0, 1):
            record = play_now(game, [own, house] if seat == 0 else [house, own], spec)
            assert record.cause in ("goal", "no_move")
            assert record.scores
            won += record.scores[seat]
    pool.close()

    assert len(PROGRAMS) == 2
    assert won >= WINS[level] * 2 * len(SEEDS)
