"""Scores do not depend on the order in which matches were played."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.arena.store import MANIFEST, RECORDS
from quandary.cli.main import main

SUITE = """
tries = 2
[[puzzles]]
puzzle = "sudoku"
task = "check"
levels = ["easy"]
seeds = "1-11"
[[puzzles]]
puzzle = "game_of_24"
task = "next"
levels = ["easy"]
seeds = "1-5"
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-4"
[[puzzles]]
puzzle = "reversi"
levels = ["1"]
seeds = "1-4"
"""
COMMANDS = [
    [],
    ["--by", "level"],
    ["--by", "turn"],
    ["--papers"],
    ["--ratings"],
]
ORDERS = 2


def shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """What the results of a run are, but for what is said to depend on the order."""
    found = list[Any]()
    for options in COMMANDS:
        capsys.readouterr()
        assert main(["results", str(folder), *options, "--json"]) == 0
        found += map(json.loads, capsys.readouterr().out.splitlines())
    for table in found:
        if table.get("key") == "elo":
            for row in table["rows"]:
                assert row.pop("in order")
    return found


def test_the_order_of_records_changes_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not one digit of any table."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    (tmp_path / "suite.toml").write_text(SUITE)
    run = ["run", "--suite", str(tmp_path / "suite.toml"), "--out", str(tmp_path / "run")]
    assert main([*run, "--player", "random", "--player", "oracle", "--player", "house"]) == 0
    lines = (tmp_path / "run" / RECORDS).read_text().splitlines(keepends=True)
    results = shown(tmp_path / "run", capsys)
    keys = {table.get("key") for table in results}
    assert {"finereason_blind_rules", "finereason_transition_means", "elo"} <= keys

    for seed in range(ORDERS):
        folder = tmp_path / str(seed) / "run"
        folder.mkdir(parents=True)
        (folder / MANIFEST).write_bytes((tmp_path / "run" / MANIFEST).read_bytes())
        (folder / RECORDS).write_text("".join(Random(seed).sample(lines, len(lines))))
        assert results == shown(folder, capsys)
