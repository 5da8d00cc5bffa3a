"""How a run of several models in two languages ends: on one screen of 100 columns."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)
pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

from quandary.cli.run_summary import line_of
from quandary.scoring.score_table import ScoreTable
from scripted_models import small_scripted_run

SCREEN = 50  # lines


def test_a_run_of_many_models_ends_on_one_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What there is no room for is counted; languages are compared in words."""
    run = small_scripted_run(tmp_path, "random")
    ended = capsys.readouterr().out.splitlines()

    assert len(ended) <= SCREEN
    assert max(len(line) for line in ended if str(run) not in line) <= 100
    text = " ".join(" ".join(ended).split())
    assert "openai/strong, Chinese minus English: " in text
    more = f"The same of 4 more players: quandary report {run} --out reports"
    assert more in text
    assert "not all players met the same opponents" not in text  # all met the house


def test_a_line_of_a_paper_tells_languages_apart() -> None:
    head = ("player", "language", "domain", "n", "AP-Acc")
    rows = (
        ("a", "en", "planning", 4, 0.5), ("a", "en", "all", 9, 0.25), ("a", "zh", "all", 8, 0.125),
        ("b", "en", "all", 9, 0.0),
    )  # fmt: skip
    table = ScoreTable("worked", "Worked answers", "", head, rows, main="AP-Acc")

    assert line_of(table, ["b", "a"]) == (
        "Worked answers, AP-Acc (answer and process both right): b 0.000, n = 9; "
        "a in English 0.250, n = 9, and in Chinese 0.125, n = 8"
    )


def test_a_line_of_a_paper_has_up_to_four_players() -> None:
    def line(players: str) -> str:
        rows = tuple((player, 0.5) for player in players)
        return line_of(ScoreTable("checks", "Checks", "", ("player", "score"), rows, main="score"))

    assert line("abcd") == "Checks, score: a 0.500; b 0.500; c 0.500; d 0.500"
    assert line("abcde") == "Checks, score: a 0.500; b 0.500; 3 more"
