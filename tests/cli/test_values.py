"""Commands print the raw value, the reference and the score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.catalogue import drawing
from quandary.cli.main import main

SPEC = "optimal_touring/easy#1"
SUITE = """
title = "Two puzzles with values"
[[puzzles]]
puzzle = "optimal_touring"
levels = ["easy"]
seeds = "1-2"
[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "1"
"""


def test_grade_prints_value_reference_and_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tour of one site: its value, that of the best tour, and the share."""
    tour = drawing.instance(SPEC)
    best, value = tour.reference(), tour.check("[1]").value  # type: ignore[attr-defined]
    file = tmp_path / "answer.txt"
    file.write_text("[1]", "utf-8")

    assert 0 == main(["grade", SPEC, "--answer", str(file)])
    printed = capsys.readouterr().out
    assert f"score {value / best:g}, value {value:g}, best possible {best:g}" in printed

    assert 0 == main(["grade", SPEC, "--answer", str(file), "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert (value, best, False, value / best) == (
        shown["value"],
        shown["reference"],
        shown["reference_is_bound"],
        shown["score"],
    )


def test_a_bound_is_called_a_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the best value is not proven, no one reads it as the best possible."""
    monkeypatch.setattr("quandary.puzzles.questions.optimal_touring.BUDGET", 2_000)
    file = tmp_path / "answer.txt"
    file.write_text("[1]", "utf-8")

    assert 0 == main(["grade", "optimal_touring/normal#1", "--answer", str(file)])
    printed = capsys.readouterr().out
    assert ", bound " in printed and "best possible" not in printed


def test_run_prints_value_reference_and_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Means of both; none for a puzzle without values."""
    suite = tmp_path / "tours.toml"
    suite.write_text(SUITE, "utf-8")
    command = ["run", "--suite", str(suite), "--player", "oracle", "--out", str(tmp_path / "out")]
    best = sum(drawing.instance(f"optimal_touring/easy#{seed}").reference() for seed in (1, 2)) / 2

    assert 0 == main([*command, "--json"])
    tour, sudoku, *_ = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (best, best, 0, 1.0) == (
        tour["value"],
        tour["reference"],
        tour["bounds"],
        tour["score"],
    )
    assert (None, None) == (sudoku["value"], sudoku["reference"])

    only = [*command, "--puzzle", "optimal_touring", "--out", str(tmp_path / "only")]
    assert 0 == main(only)
    sentence = f"Mean value, and the best known: oracle {best:,.0f} of {best:,.0f}\n"
    assert sentence in capsys.readouterr().out
