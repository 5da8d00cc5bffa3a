"""Matches told in both languages, and what a Chinese one keeps in English."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from quandary.cli.main import main
from quandary.core.contract import Cause
from quandary.core.translations import english_in
from quandary.core.words import say_in
from quandary.report import transcript

NAMES = {"random", "oracle", "card", "nim", "sudoku", "easy"}


@pytest.fixture
def played(tmp_path: Path) -> str:
    """Records of a duel and of a puzzle for one seat."""
    path = str(tmp_path / "records.jsonl")
    for spec, *players in (("card_nim/easy#1", "random", "oracle"), ("sudoku/easy#1", "random")):
        assert 0 == main(["match", spec, "--players", *players, "--quiet", "--out", path])
    return path


@pytest.mark.parametrize(
    "arguments", [[], ["--match", "1"], ["--match", "1", "--judge"], ["--match", "2"]]
)
def test_a_replay_in_chinese(
    played: str, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Positions, seats and results; only names and the check of the scores are English."""
    capsys.readouterr()
    assert 0 == main(["replay", played, "--lang", "zh", *arguments])
    told, _, checked = capsys.readouterr().out.strip().rpartition("\n")

    assert "结束原因：" in told
    assert [] == english_in(told, NAMES)
    assert "recorded scores" in checked


def test_a_language_that_is_not_spoken(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["replay", played, "--lang", "fr"])
    assert "unknown language 'fr'" in capsys.readouterr().err


def test_every_cause_has_a_chinese_name() -> None:
    say = say_in(transcript.__name__, "zh")
    causes = [cause for kinds in get_args(Cause) for cause in (get_args(kinds) or [kinds])]

    assert [] == [cause for cause in causes if say.label(cause).isascii()]
