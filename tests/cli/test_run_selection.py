"""`quandary run` of puzzles, of parts of suites, and of several suites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.arena.store import MANIFEST
from quandary.cli.main import main


def _specs(folder: Path) -> list[str]:
    return list(json.loads((folder / MANIFEST).read_text("utf-8"))["specs"])


def _run(folder: Path, *arguments: str) -> int:
    return main(["run", *arguments, "--player", "oracle", "--out", str(folder), "--json"])


def test_puzzles_are_run_without_a_suite(tmp_path: Path) -> None:
    """Several of them, at the levels they have, as many instances as are wanted."""
    puzzles = ("--puzzle", "islands", "--puzzle", "whole:tidy_tower")

    assert 0 == _run(tmp_path / "a", *puzzles, "--level", "easy", "--level", "hard", "--limit", "2")
    assert [
        "islands/easy#1", "islands/easy#2", "islands/hard#1", "islands/hard#2",
        "whole:tidy_tower/easy#1", "whole:tidy_tower/easy#2",
        "whole:tidy_tower/hard#1", "whole:tidy_tower/hard#2",
    ] == _specs(tmp_path / "a")  # fmt: skip
    assert 0 == _run(tmp_path / "b", "--puzzle", "islands", "--level", "easy", "--seeds", "7-9")
    assert [f"islands/easy#{seed}" for seed in (7, 8, 9)] == _specs(tmp_path / "b")
    assert 0 == _run(tmp_path / "c", "--puzzle", "islands", "--level", "easy")
    assert 5 == len(_specs(tmp_path / "c"))


def test_several_suites_are_run_in_folders_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its own settings; what is selected is selected in all of them."""
    suite = tmp_path / "mine.toml"
    suite.write_text('tries = 2\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy", "hard"]\n')
    selection = ("--puzzle", "card_nim", "--level", "easy", "--limit", "1")

    assert 0 == _run(tmp_path, "--suite", "quick", "--suite", str(suite), *selection)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["quick", "mine"] == [row["suite"] for row in rows if "suite" in row]
    for name in ("quick", "mine"):
        assert ["card_nim/easy#1"] == _specs(tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ("", "choose what to play with --suite or --puzzle"),
        ("--puzzle card_nin", "did you mean 'card_nim'"),
        ("--puzzle card_nim --level eazy", "did you mean 'easy'"),
        ("--puzzle card_nim --puzzle islands --level easy --level eazy", "unknown level 'eazy'"),
        ("--puzzle card_nim --level easy --level nrmal", "of card_nim; did you mean 'normal'"),
        ("--puzzle card_nim --limit 0", "--limit must be 1 or more"),
        ("--puzzle card_nim --seeds x", "not valid seeds"),
        ("--puzzle card_nim --seeds 1-999999999", "are 999,999,999 seeds; name 1,000,000 or fewer"),
        ("--puzzle card_nim --limit 99999999", "are 99,999,999 seeds"),
        ("--suite quick --seeds 1-999999,5-999999", "are 1,999,994 seeds"),
        ("--suite quick --suite quick", "two suites are called quick"),
        ("--suite quick --puzzle takuzu", "unknown puzzle 'takuzu' of quick"),
        ("--suite quick --puzzle card_nim --seeds 77", "has no instance"),
    ],
)
def test_wrong_selections_get_a_sentence(
    arguments: str, advice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is played."""
    assert 2 == _run(tmp_path / "out", *arguments.split())
    output = capsys.readouterr().err
    assert advice in output
    assert 1 == output.count("\n")
    assert not (tmp_path / "out").exists()


def test_a_player_of_some_puzzles_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said which of the puzzles have it, and nothing is played."""
    out = tmp_path / "run"
    command = ["run", "--level", "easy", "--seeds", "1", "--out", str(out)]
    puzzles = ["--puzzle", "card_nim", "--puzzle", "sudokill"]

    assert 2 == main([*command, *puzzles, "--player", "random", "--player", "greedy"])
    output = capsys.readouterr().err
    assert "card_nim has no player 'greedy', which plays only 1 of these 2 puzzles" in output
    assert "(sudokill)" in output and not out.exists()
    assert 2 == main([*command, *puzzles, "--player", "nobody"])
    assert "unknown player 'nobody'; choose random" in capsys.readouterr().err
