"""TextGames' scores: a published table recomputed, and rates worked out by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import pyarrow as pa

from paper_rows import alone, asked, rows_by, table_of
from quandary.papers.textgames import scores as textgames
from quandary.scoring.score_table import ScoreTable


def _tables(seats: pa.Table) -> dict[str, ScoreTable]:
    return {table.key: table for table in textgames.tables(seats)}


def test_solve_rates_by_turn_and_their_averages() -> None:
    """Two one-dimensional games of four and two questions weigh the same."""
    seats = table_of(
        *asked("m", [1, 3, None, 3], shots=0),
        *asked("m", [2, 2], shots=0, puzzle="password_game"),
        *asked("m", [1], shots=1),
        alone("m", 9, suite="textgames", puzzle="anagram_scribble", tries=3, score=None),
    )
    tables = _tables(seats)
    rates = rows_by(tables["textgames_solve_rates"], "shots", "puzzle")
    means = rows_by(tables["textgames_averages"], "shots", "games")
    turns = ("turn 1", "turn 2", "turn 3")

    assert rates[0, "anagram_scribble"]["n"] == 4
    assert [rates[0, "anagram_scribble"][turn].value for turn in turns] == [0.25, 0.25, 0.75]
    found = means[0, "one-dimensional"]
    assert [found[turn].value for turn in turns] == [0.125, 0.625, 0.875]
    assert found["puzzles"] == "2 of 4"
    assert all(found[turn].low <= found[turn].value <= found[turn].high for turn in turns)
    assert rates[1, "anagram_scribble"]["turn 1"].value == 1.0


def test_people_at_hard_anagrams_as_in_table_5_of_textgames() -> None:
    """7 questions, 4 of them solved at once, 15 attempts: 57.1 % and 2.14; time of solved ones."""
    turns = [1, 1, 1, 1, 2, 3, 6]
    rows = asked("human,hints=0", list(turns), level="hard", tries=9)
    for row, seconds in zip(rows, (200.0,) * 6 + (644.5,), strict=True):
        row["seconds"] = seconds
    table = _tables(table_of(*rows, *asked("m", [1])))["textgames_people"]
    [row] = rows_by(table, "puzzle", "level").values()

    assert (row["n"], row["solved"]) == (7, 7)
    assert round(100 * row["first turn"].value, 1) == 57.1
    assert round(row["attempts"], 2) == 2.14
    assert round(row["seconds"], 1) == 263.5
