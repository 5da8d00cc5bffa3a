"""The suite `finereason`: even labels in every family, one reply, and a small version."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from counted_work import calls
from quandary.arena.suite import load, read
from quandary.cli.main import main

FAMILIES = ("sudoku", "game_of_24", "graph_coloring", "logic_grid")
HOME = Path(__file__).parents[3] / "src" / "quandary" / "papers" / "finereason"


def test_labels_are_even_in_every_family() -> None:
    found = Counter[tuple[str, str, str]]()
    for spec in load("finereason").specs:
        found[spec.name, spec.task, dict(spec.changes).get("label", "")] += 1

    for family in FAMILIES:
        for task in ("check", "next"):
            assert found[family, task, "solvable"] == found[family, task, "unsolvable"] == 250
        assert 50 <= found[family, "whole", ""] <= 100
    assert found.total() == 4 * 1_100


def test_levels_share_the_instances() -> None:
    """Sudoku leaves its small grids out, which the paper does not have."""
    suite = load("finereason")
    counts = Counter(spec.place for spec in suite.specs)
    levels = {spec.level for spec in suite.specs if spec.name == "sudoku"}

    assert levels == {"normal", "hard"}
    assert all(count in (125, 83, 84, 50, 33, 34) for count in counts.values())


def test_one_reply_without_an_example_and_no_programs() -> None:
    suite = load("finereason")

    assert (suite.tries, suite.shots, suite.count_unreadable) == (1, 0, True)
    assert {entry.settings for entry in suite.entries} == {("instruction",)}


def test_loading_takes_little_work() -> None:
    """It makes no instances: that would take hundreds of times as many calls of functions."""
    text = (HOME / "finereason.toml").read_text("utf-8")

    assert calls(read, "finereason", text) < 300_000


def test_the_small_version_is_played(tmp_path: Path) -> None:
    """55 matches, of which one family is played here."""
    assert len(load("finereason").only(small=True).specs) == 55
    out, puzzles = str(tmp_path / "run"), ("check:game_of_24", "next:game_of_24")
    chosen = [part for puzzle in puzzles for part in ("--puzzle", puzzle)]
    command = ["run", "--suite", "finereason", "--small", *chosen, "--player", "oracle"]

    assert main([*command, "--out", out]) == 0
