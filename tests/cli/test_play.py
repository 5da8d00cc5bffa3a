"""`quandary play` as a person uses it, at a terminal of some width."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quandary.arena.store import read
from quandary.catalogue import external
from quandary.cli.main import main

pty = pytest.importorskip("pty", reason="needs a pseudo terminal")
QUANDARY = [sys.executable, "-m", "quandary"]


def typed(lines: list[str], *arguments: str, home: Path, columns: int = 80) -> str:
    """Everything a person sees who types these lines, each one at a prompt."""
    ours, theirs = pty.openpty()
    variables = {"COLUMNS": str(columns), "XDG_DATA_HOME": str(home)}
    process = subprocess.Popen(
        [*QUANDARY, "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **variables},
    )
    os.close(theirs)
    seen, left = b"", list(lines)
    try:
        while chunk := os.read(ours, 65_536):
            seen += chunk
            if seen.endswith(b"> ") and left:
                os.write(ours, left.pop(0).encode() + b"\n")
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert (0, []) == (process.wait(timeout=60), left)
    return seen.decode().replace("\r\n", "\n")


PAINT = re.compile(r"\x1b\[[0-9;]*m")


def test_a_name_alone_is_the_first_level_and_a_new_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says which instance it is; /again is another one; both matches are kept, and replay."""
    shown = typed(
        ["/hint", "1", "/again", "1", "/quit"], "card_nim", "--against", "random", home=tmp_path
    )
    specs = re.findall(r"^card_nim/easy#\d+$", shown, re.M)
    file = tmp_path / "quandary" / "played.jsonl"

    assert 2 == len(set(specs))
    assert specs == [record.name for record in read(file)]
    assert ["human,hints=1", "human"] == [record.players[0] for record in read(file)]
    assert f"quandary replay {file} --match 2 --judge" in shown.replace("\n", " ")
    assert 0 == main(["replay", str(file), "--match", "1", "--judge"])
    judged = r"seat 0 \(human,hints=1\): 1  \[(already lost|as good as best play|gave away [01])"
    out = capsys.readouterr().out
    assert re.search(judged, out) and "No move is judged" not in out


def test_moves_of_a_puzzle_without_a_judge_are_not_promised_to_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of `play` leaves out --judge, and `replay --judge` says that nothing is judged."""
    assert 0 == main(["new", "stone_race", "--at", str(tmp_path)])
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))
    shown = typed(["1", "/quit"], "stone_race/easy#1", home=tmp_path, columns=200)
    file, said = tmp_path / "quandary" / "played.jsonl", "No move is judged"

    assert "Follow it:\n" in shown and f"\nquandary replay {file} --match 1\n" in shown
    assert 0 == main(["replay", str(file), "--judge"])
    assert f"\n{said}: this puzzle has no judge.\n" in capsys.readouterr().out
    assert 0 == main(["replay", str(file)])
    assert said not in capsys.readouterr().out


def test_a_sudoku_has_nine_rows_unless_its_level_is_named(tmp_path: Path) -> None:
    """A puzzle says which level people usually play; a level that is named counts more."""
    usual = typed(["/quit"], "sudoku", home=tmp_path)
    named = typed(["/quit"], "sudoku/easy", home=tmp_path)

    assert re.search(r"^sudoku/normal#\d+$", usual, re.M) and "9 by 9" in usual
    assert re.search(r"^sudoku/easy#\d+$", named, re.M) and "4 by 4" in named


def test_the_board_is_drawn_at_every_move_if_it_fits(tmp_path: Path) -> None:
    """At the start and at the end too; where the terminal is too narrow, its text is enough."""
    moves = ["14", ""]  # the opponent takes the other nine stones
    arguments = ["card_nim/easy#7", "--against", "oracle"]
    wide = PAINT.sub("", typed(moves, *arguments, home=tmp_path))
    narrow = PAINT.sub("", typed(moves, *arguments, home=tmp_path, columns=40))

    drawn = [line for line in wide.splitlines() if re.fullmatch(r"\d+ stones", line)]
    assert ["23 stones", "0 stones"] == drawn
    assert 4 == wide.count("| 1 | 2 | 3 |") and "| 1 |" not in narrow
    assert 2 == narrow.count("Stones: ")


def test_a_chinese_match_is_followed_in_chinese(tmp_path: Path) -> None:
    """The command that is suggested names the language."""
    shown = typed(["1", "/quit"], "card_nim/easy#7", "--language", "zh", home=tmp_path, columns=200)
    assert re.search("^quandary replay .* --match 1 --judge --language zh$", shown, re.M)


@pytest.mark.parametrize("columns", [40, 80])
def test_text_wraps_at_spaces(tmp_path: Path, columns: int) -> None:
    """Nothing is wider than the terminal, and no word is broken."""
    painted = typed(["/moves", "/quit"], "sudoku/normal#1", home=tmp_path, columns=columns)
    shown = PAINT.sub("", painted)

    assert max(map(len, shown.splitlines())) <= columns
    assert "top left corner." in shown.replace("\n", " ")
    assert "\n9 5 7 . 4 3 8 . .\n" in shown


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["sudku"], "did you mean 'sudok"),
        (["sudoku/esy"], "did you mean 'easy'"),
        (["whole:sudoku", "--tries", "0"], "--tries"),
        (["sudoku", "--out", "no/such/folder/x"], "cannot be written"),
        (["sudoku", "--language", "fr"], "unknown language"),
        (["sudoku", "--seat", "1"], "one seat, 0"),
        (["islands", "--against", "oracle"], "islands is for one player"),
    ],
)
def test_wrong_use_of_play_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str
) -> None:
    """As everywhere, and before anything is asked."""
    assert 2 == main(["play", *arguments])
    error = capsys.readouterr().err
    assert advice in error and 1 == error.count("\n")


def test_a_match_goes_to_the_file_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a match without a move of one's own to none."""
    file = tmp_path / "mine.jsonl"
    typed(["/quit"], "card_nim/easy#7", "--out", str(file), home=tmp_path)
    assert [] == list(read(file))
    typed(["14", ""], "card_nim/easy#7", "--out", str(file), "--against", "oracle", home=tmp_path)

    [record] = read(file)
    assert ("card_nim/easy#7", "goal", (0.0, 1.0)) == (record.name, record.cause, record.scores)
    assert not (tmp_path / "quandary").exists()
