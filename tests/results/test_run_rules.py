"""The rules of a run, by its manifest."""

from __future__ import annotations

from pathlib import Path

from quandary.results.run_rules import RunRules, rules_of
from run_folders import SUITE, run_folder


def test_rules_are_those_of_the_manifest(tmp_path: Path) -> None:
    """Runs of earlier versions, whose suites do not name them, have the usual ones."""
    suite = {**SUITE, "attempts": 2, "tries": 3, "count_unreadable": True}
    folders = [
        run_folder(tmp_path / "usual", []),
        run_folder(tmp_path / "others", [], suite=suite, imported="logicgame 0a1b"),
        run_folder(tmp_path / "as", [], imported="logicgame 0a1b in published wording"),
    ]

    assert rules_of(folders) == {
        "usual": RunRules(5, 1, False, False),
        "others": RunRules(2, 3, True, False),
        "as": RunRules(5, 1, False, True),
    }
