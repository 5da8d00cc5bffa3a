"""Earlier names of options still work, and say what they are called now."""

from __future__ import annotations

import pytest

from quandary.cli.main import COMMANDS, main, parser_of
from quandary.renamed import OPTIONS


def test_an_earlier_name_works_and_names_the_new_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["show", "card_nim/easy#7", "--language", "zh"])
    new = capsys.readouterr()
    assert 0 == main(["show", "card_nim/easy#7", "--lang=zh"])
    old = capsys.readouterr()

    assert new.out == old.out and "" == new.err
    warning = "quandary: --lang is called --language now; the earlier name works in this version"
    assert [f"{warning} only."] == old.err.splitlines()


def test_it_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "--problems", "none", "--game", "sudoku", "--game", "takuzu"]
    assert 2 == main([*command, "--player", "random", "--out", "out"])
    assert 1 == capsys.readouterr().err.count("--game is called --puzzle now")


@pytest.mark.parametrize(("old", "new"), OPTIONS.items())
def test_some_command_has_the_new_name_and_none_the_old_one(old: str, new: str) -> None:
    helps = [parser_of(name).format_help().split() for name in COMMANDS]
    assert any(new in words for words in helps)
    assert not any(old in words for words in helps)
