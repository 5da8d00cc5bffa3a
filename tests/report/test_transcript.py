"""Matches told in both languages, and what a Chinese one keeps in English."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from quandary.cli.main import main
from quandary.core.contract import Cause
from quandary.core.translations import english_in
from quandary.report.outcomes import cause_words

PLAYED = {"superply", "check", "JSON", "beat", "or", "bomb", "det", "expanding", "tidy", "tower"}
NAMES = {"random", "oracle", "card", "nim", "sudoku", "easy"}


@pytest.fixture
def played(tmp_path: Path) -> str:
    """Records of a duel and of a puzzle for one seat."""
    path = str(tmp_path / "records.jsonl")
    for spec, *players in (("card_nim/easy#1", "random", "oracle"), ("sudoku/easy#1", "random")):
        assert 0 == main(["match", spec, "--players", *players, "--quiet", "--out", path])
    return path


@pytest.mark.parametrize(
    "arguments",
    [[], ["--match", "1"], ["--match", "1", "--judge"], ["--match", "2"], ["--transcript"]],
)
def test_a_replay_in_chinese(
    played: str, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Positions, seats, results and the check of the scores; only names are English."""
    capsys.readouterr()
    assert 0 == main(["replay", played, "--language", "zh", *arguments])
    output = capsys.readouterr().out

    assert "获胜" in output or "没有解出" in output
    assert "得分与记录一致。" in output
    assert [] == english_in(output, NAMES)
    assert [] == re.findall("[，。：；（）] |[\u4e00-\u9fff）][,;:]", output)  # of another width


def test_luck_and_moves_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are told as players see them, in words of the language."""
    path = str(tmp_path / "records.jsonl")
    for spec, *players in (
        ("superply/easy#1", "random", "random"),
        ("check:sudoku/easy#1", "oracle"),
        ("beat_or_bomb_det/easy#1", "random", "random"),
        ("expanding_nim/easy#1", "random", "random"),
        ("tidy_tower/easy#1", "random"),
    ):
        assert 0 == main(["match", spec, "--players", *players, "--quiet", "--out", path])
    capsys.readouterr()
    assert 0 == main(["replay", path, "--language", "zh", "--judge"])
    output = capsys.readouterr().out

    assert "随机：提示：行号与列号之" in output
    assert re.search("座位 0（oracle）：(可解|不可解|有解|无解)", output)
    assert [] == english_in(output, {*NAMES, *PLAYED})


def test_a_language_that_is_not_spoken(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["replay", played, "--language", "fr"])
    assert "unknown language 'fr'" in capsys.readouterr().err


def test_every_cause_has_a_chinese_name() -> None:
    causes = [cause for kinds in get_args(Cause) for cause in (get_args(kinds) or [kinds])]

    assert [] == [cause for cause in causes if cause_words(cause, language="zh").isascii()]
