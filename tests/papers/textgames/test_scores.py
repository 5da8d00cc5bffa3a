"""TextGames' scores: a published table recomputed, and rates worked out by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import pyarrow as pa

from paper_rows import alone, asked, rows_by, table_of
from quandary.arena.suite import averages
from quandary.papers.textgames import scores as textgames
from quandary.papers.textgames.people import printed
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
    by_player = rows_by(table, "player")
    row, paper = by_player["human (with help)",], by_player["people of the paper",]

    assert len(by_player) == 2  # nobody has played the easy ones
    assert (row["n"], row["solved"]) == (7, 7)
    assert round(row["first turn"].value, 3) == paper["first turn"] == 0.571
    assert round(row["attempts"], 2) == paper["attempts"] == 2.14
    assert round(row["seconds"], 1) == paper["seconds"] == 263.5


def test_people_stand_beside_models_at_the_levels_they_have_played() -> None:
    """Together, before the people of the paper and models; other levels are left out."""
    rows = [
        *asked("human/anna", [1, None]),
        *asked("human/ben", [1, 2]),
        *asked("m", [1, 3], shots=1),
        *asked("m", [1], level="hard"),
        *asked("human/anna", [1], puzzle="password_game"),
    ]
    table = _tables(table_of(*rows))["textgames_people"]
    shown = [(row[0], row[1], row[2], row[3], row[4]) for row in table.rows]

    assert shown == [
        ("anagram_scribble", "easy", "human", None, 4),
        ("anagram_scribble", "easy", "people of the paper", None, None),
        ("anagram_scribble", "easy", "m", 1, 2),
        ("password_game", "easy", "human", None, 1),
        ("password_game", "easy", "people of the paper", None, None),
    ]
    first = rows_by(table, "puzzle", "player")["anagram_scribble", "human"]["first turn"]
    assert first.value == 0.5 and first.low < 0.5 < first.high
    assert "table 5" in table.notes[0]


def test_without_people_there_is_nothing_to_say_of_them() -> None:
    tables = _tables(table_of(*asked("m", [1])))

    assert tables["textgames_people"].rows == () == tables["textgames_people"].notes
    assert tables["textgames_solve_rates"].notes == ()


def test_people_are_one_player_in_solve_rates() -> None:
    rows = [*asked("human/anna", [1, None]), *asked("human/ben", [2, 2]), *asked("m", [1])]
    tables = _tables(table_of(*rows))
    rates = rows_by(tables["textgames_solve_rates"], "player")

    assert set(rates) == {("human",), ("m",)}
    assert rates["human",]["n"] == 4
    turns = [rates["human",][f"turn {turn}"] for turn in (1, 2)]
    assert [each.value for each in turns] == [0.25, 0.75]
    # Each person did the same in both, so that starts alone would say too much.
    assert turns[1].high - turns[1].low > 0.6
    assert "All people are one player" in tables["textgames_averages"].notes[0]


def test_all_figures_of_table_5_are_there() -> None:
    known = printed()

    assert len(known) == 24
    assert known["ordering_text", "medium"] == (0.571, 3.14, 127.5)
    assert {puzzle for puzzle, _ in known} == {
        puzzle for games in averages(textgames.SUITE).values() for puzzle in games
    }
