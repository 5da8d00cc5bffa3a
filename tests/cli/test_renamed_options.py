"""Earlier names of options still work, and say what they are called now."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.cli.main import COMMANDS, main, parser_of
from quandary.renamed import COMMAND_OPTIONS, OPTIONS


def test_an_earlier_name_works_and_names_the_new_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["show", "card_nim/easy#7", "--language", "zh"])
    new = capsys.readouterr()
    assert 0 == main(["show", "card_nim/easy#7", "--lang=zh"])
    old = capsys.readouterr()

    assert new.out == old.out and "" == new.err
    warning = "quandary: --lang is called --language now; the earlier name works in this version"
    assert [f"{warning} only."] == old.err.splitlines()


def test_a_warning_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "--problems", "none", "--game", "sudoku", "--game", "takuzu"]
    assert 2 == main([*command, "--player", "random", "--out", "out"])
    assert 1 == capsys.readouterr().err.count("--game is called --puzzle now")


@pytest.mark.parametrize(("old", "new"), OPTIONS.items())
def test_some_command_has_the_new_name_and_none_the_old_one(old: str, new: str) -> None:
    helps = [parser_of(name).format_help().split() for name in COMMANDS]
    assert any(new in words for words in helps)
    assert not any(old in words for words in helps)


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        (command, old, new)
        for command, renamed in COMMAND_OPTIONS.items()
        for old, new in renamed.items()
    ],
)
def test_a_command_has_its_own_new_name_and_not_the_old_one(
    command: str, old: str, new: str
) -> None:
    words = parser_of(command).format_help().split()
    assert any(new in word for word in words) and not any(old in word for word in words)


def test_one_earlier_name_leads_to_the_option_of_each_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    run = str(tmp_path / "run")
    players = ["--player", "random", "--player", "oracle"]
    level = ["--puzzle", "sudoku", "--level", "easy", "--seeds", "1-3"]
    assert 0 == main(["run", *level, *players, "--out", run])
    compared = ["compare", run, run, "--player-a", "random", "--player-b", "oracle"]
    for command, number, new in (
        (compared, ["1"], "--disagreements"),
        (["regrade", run], [], "--changes"),
    ):
        capsys.readouterr()
        assert 0 == main([*command, new, *number])
        expected = capsys.readouterr()
        assert 0 == main([*command, "--flips", *number])
        found = capsys.readouterr()

        assert expected.out == found.out and "" == expected.err
        warning = f"quandary: --flips is called {new} now; the earlier name works in this version"
        assert [f"{warning} only."] == found.err.splitlines()
