"""Importing FineReason: what is wrong in the files is said in one sentence, and nothing is kept."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from finereason_files import BOARD, CLUES, ROWS, SOLVED, TABLE, WRONG, write_files
from quandary.cli.main import main


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_files(tmp_path / "source")


def brought(source: Path) -> int:
    return main(["import", "finereason", str(source), "--out", str(source.with_name("out"))])


def refused(source: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What an import says that is refused with one sentence and leaves nothing."""
    assert brought(source) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert [source] == list(source.parent.iterdir())
    return said.err


def test_small_files_are_imported(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each file that has fewer rows than the published one is named."""
    assert brought(source) == 0
    said = capsys.readouterr()
    assert "12 problems are in" in said.out
    assert {line.split()[1] for line in said.err.splitlines()} == {f"{file}.json" for file in ROWS}
    assert "game24_states.json has 1 row; the published file has 500." in said.err
    assert "gridpuzzle_questions.json has 1 row; the published file has 46." in said.err


@pytest.mark.parametrize("file", ROWS)
def test_a_blank_line_within_a_file_is_named(
    source: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    """Rows are numbered by their lines; blank lines at the end do no harm."""
    path = source / f"{file}.json"
    row = path.read_text()
    path.write_text(f"{row}\n{row}")
    assert f"line 2 of {path} is blank" in refused(source, capsys)
    path.write_text(f"{row}\n \n")
    assert brought(source) == 0


@pytest.mark.parametrize("file", ROWS)
def test_a_missing_file_is_named(
    source: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    (source / f"{file}.json").unlink()

    assert f"has no {file}.json" in refused(source, capsys)


@pytest.mark.parametrize("file", ROWS)
def test_a_torn_line_is_named(source: Path, capsys: pytest.CaptureFixture[str], file: str) -> None:
    path = source / f"{file}.json"
    path.write_text(path.read_text() + path.read_text()[:30])

    assert f"line 2 of {path} is not JSON" in refused(source, capsys)


def test_a_folder_that_is_none(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(source)
    source.write_text("")

    assert "is not a folder" in refused(source, capsys)


def change(file: str, *path: str | int, to: Any) -> Callable[[Path], None]:
    """Another value somewhere in a row."""

    def write(folder: Path) -> None:
        row = json.loads(json.dumps(ROWS[file]))
        place = row
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        (folder / f"{file}.json").write_text(json.dumps(row) + "\n")

    return write


NO_PUZZLES = [
    ("sudoku_states", ("inputs", "current"), BOARD[1:], "is not 9 rows of 9 digits"),
    ("sudoku_states", ("inputs", "current", 8, 8), 0, "changes a cell"),
    ("graphcoloring_questions", ("inputs", "graph"), [[1], []], "only one direction"),
    ("graphcoloring_questions", ("inputs", "graph"), [[7]], "a neighbour 7"),
    ("graphcoloring_questions", ("inputs", "chromatic_number"), 0, "no colours"),
    (
        "graphcoloring_questions",
        ("inputs", "chromatic_number"),
        10**30,
        "more colours than vertices",
    ),
    ("graphcoloring_states", ("inputs", "current"), [1], "one colour for each vertex"),
    ("game24_states", ("inputs", "current"), ["(6 *"], "not a list of expressions"),
    ("game24_states", ("inputs", "current"), ["(7 * 4)", "1", "1"], "is not made of"),
    ("gridpuzzle_states", ("inputs", "initial_to_current"), [TABLE], "do not lead"),
    ("gridpuzzle_states", ("inputs", "current", 1, 1), "Zoe", "do not lead"),
    ("gridpuzzle_questions", ("outputs", "solution"), TABLE, "has a gap"),
    ("gridpuzzle_questions", ("outputs", "solution"), SOLVED[:2], "another number of rows"),
    ("sudoku_questions", ("inputs", "initial"), [[1] * 9] * 9, "has no solution"),
    ("sudoku_questions", ("inputs", "initial"), [[0] * 9] * 9, "has several solutions"),
    ("sudoku_states", ("inputs", "initial"), [[0] * 9] * 9, "has several solutions"),
    ("sudoku_questions", ("outputs", "final"), [[1] * 9] * 9, "is not the solution"),
    ("sudoku_states", ("outputs", "final"), [[1] * 9] * 9, "is not the solution"),
    ("graphcoloring_questions", ("inputs", "graph"), [], "has no vertices"),
    ("graphcoloring_questions", ("inputs", "graph"), [[1, 1], [0]], "a neighbour twice"),
    ("graphcoloring_questions", ("inputs", "chromatic_number"), 1, "more than 1 colours"),
    ("game24_questions", ("inputs", "initial_state"), ["3"] * 12, "not have 4 numbers"),
    ("game24_questions", ("inputs", "initial_state"), ["1"] * 4, "cannot make 24"),
    ("game24_questions", ("inputs", "initial_state", 0), "(6 * 4)", "are not 4 numbers"),
    ("game24_states", ("inputs", "parent"), ["3"] * 12, "is not made of"),
    ("gridpuzzle_questions", ("inputs", "clues", "1"), CLUES["2"], "exactly one solution"),
    ("gridpuzzle_questions", ("outputs", "solution"), WRONG, "not that of its clues"),
]
OTHER_SHAPES = [
    ("sudoku_states", ("inputs", "parent"), "x", "Expected `array`"),
    ("sudoku_states", ("outputs", "current_status"), "Maybe", "Invalid enum value"),
    ("sudoku_questions", ("inputs",), {}, "missing required field"),
]


@pytest.mark.parametrize(
    ("fault", "file", "path", "value", "said"),
    [("cannot be imported: ", *row) for row in NO_PUZZLES]
    + [("has another shape", *row) for row in OTHER_SHAPES],
)
def test_a_row_that_cannot_be_used_is_named(
    source: Path,
    capsys: pytest.CaptureFixture[str],
    fault: str,
    file: str,
    path: tuple[str | int, ...],
    value: Any,
    said: str,
) -> None:
    change(file, *path, to=value)(source)
    message = refused(source, capsys)

    assert f"line 1 of {source / file}.json {fault}" in message and said in message


@pytest.mark.parametrize("file", [file for file in ROWS if file.endswith("states")])
def test_a_label_that_is_not_true_is_named(
    source: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    change(file, "outputs", "current_status", to="Unsolvable")(source)
    message = refused(source, capsys)

    assert f"line 1 of {source / file}.json has the label Unsolvable" in message
    assert "but its state can still be solved." in message


@pytest.mark.parametrize(
    ("conditions", "place", "said"),
    [
        ("(T[r('Al')][c('no')] == __import__('os'))", 24, "condition such as"),
        ("(T[r('Al')][c('no')] == 1", 25, "')'"),
        ("(T[r('Al')][c('no')] = 1)", 21, "condition such as"),
        ("(T[r('Al')][c('no')] == 1) or", 29, "a value or T["),
        ("(" * 5_000, 20, "a comparison"),
        ("(T[r('Zoe')][c('no')] == 1)", 0, "'Zoe' is in no column"),
        ("(T[r('Al')][c('age')] == 1)", 0, "'age' is not the title"),
        ("(T[r('Al')][c('no')] == 7)", 0, "7 is not one of its no"),
        ("(T[r('Al')][c('no')] + T[r('Bo')][c('no')] == 3)", 0, "comparison of two values"),
        ("", 0, "a value or T["),
        ("(T[r('Al')][c('name')] == 'Al')", 0, "compares a thing with itself"),
        ("(T[r('Al')][c('name')] != 'Al')", 0, "compares a thing with itself"),
        ("(T[r('Al')][c('no')] < T[r('Al')][c('no')])", 0, "compares a thing with itself"),
    ],
)
def test_a_clue_that_is_not_understood_is_named_by_its_column(
    source: Path, capsys: pytest.CaptureFixture[str], conditions: str, place: int, said: str
) -> None:
    clue = {"text": "", "conditions": conditions}
    change("gridpuzzle_questions", "inputs", "clues", "1", to=clue)(source)
    path = source / "gridpuzzle_questions.json"
    column = path.read_text().index(json.dumps(conditions)) + 2 + place
    message = refused(source, capsys)

    assert f"line 1 of {path}, column {column}: clue 1 is not understood" in message
    assert said in message


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_import_says_that_nothing_was_written(source: Path, number: int) -> None:
    pipe = source / "gridpuzzle_questions.json"  # the import waits for what is written there
    pipe.unlink()
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "quandary", "import", "finereason", str(source)]
    importing = subprocess.Popen(
        [*command, "--out", str(source.with_name("out"))], stderr=subprocess.PIPE, text=True
    )
    with pipe.open("w"):  # waits until the import reads
        importing.send_signal(number)
        _, err = importing.communicate(timeout=60)

    assert (importing.returncode, err) == (
        128 + number,
        "quandary: stopped; nothing was written.\n",
    )
    assert [source] == list(source.parent.iterdir())


def test_a_second_import_needs_another_folder(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert brought(source) == 0
    assert brought(source) == 2
    assert "already contains an import" in capsys.readouterr().err
