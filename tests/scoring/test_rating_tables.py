"""Tables of ratings: who is compared, on which scale, and how often who won."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy", reason="ratings need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="ratings need pyarrow: pip install 'quandary[report]'")

import numpy as np

from quandary.scoring import rating_tables
from quandary.scoring.score_table import Ranged, ScoreTable
from seat_tables import duel, seat_row, seat_table


def _tables(rows: list[dict[str, Any]]) -> dict[str, ScoreTable]:
    found = rating_tables.tables(seat_table(rows), np.random.default_rng(7))
    return {table.key: table for table in found}


def _cell(table: ScoreTable, player: str, head: str) -> Any:
    row = next(row for row in table.rows if row[0] == player)
    return row[table.head.index(head)]


def _tournament(starts: int, **wins: float) -> list[dict[str, Any]]:
    """All pairs from both seats; the player with the higher number wins with its chance."""
    rng, rows = np.random.default_rng(3), []
    for start in range(starts):
        for one in wins:
            for other in wins:
                if one != other:
                    chance = wins[one] / (wins[one] + wins[other])
                    rows += duel(start, one, other, float(rng.random() < chance))
    return rows


def test_elo_of_a_sequence_by_hand() -> None:
    """ann beats bob, bob and cat tie, cat beats ann: as worked out in the tests of statistics."""
    rows = [*duel(1, "ann", "bob", 1.0), *duel(2, "bob", "cat", 0.5), *duel(3, "cat", "ann", 1.0)]
    table = _tables(rows)["elo"]
    found = {player: _cell(table, player, "in order") for player in ("ann", "bob", "cat")}

    assert found == pytest.approx({"ann": 999.2298, "bob": 984.7363, "cat": 1016.0339}, abs=1e-4)
    assert "1,000 random orders of 3 matches" in table.notes[0]
    assert "K 32, start 1000" in table.formula


def test_only_matches_of_two_players_with_a_result_count() -> None:
    """Not those alone, those cut off, and those against itself."""
    rows = [
        *duel(1, "a", "b", 1.0),
        *duel(2, "a", "b", None),
        *duel(3, "a", "a", 1.0),
        seat_row(4, "c", 1.0),
    ]
    played = rating_tables.compared(seat_table(rows))

    assert (("a", "b"), 1) == (played.players, len(played))
    assert _tables([seat_row(1, "c", 1.0)]) == {}
    assert _tables([*duel(3, "a", "a", 1.0)]) == {}


def test_wins_ties_and_meetings_are_counted() -> None:
    """By hand: on start 1 a wins twice and loses once, on start 2 they tie."""
    rows = [
        *duel(1, "a", "b", 1.0),
        *duel(1, "b", "a", 0.0),
        *duel(1, "b", "a", 1.0),
        *duel(2, "a", "b", 0.5),
    ]
    found = _tables(rows)

    assert _cell(found["wins"], "a", "b").value == pytest.approx((2 / 3 + 0) / 2)
    assert _cell(found["wins"], "b", "a").value == pytest.approx((1 / 3 + 0) / 2)
    assert _cell(found["ties"], "a", "b").value == pytest.approx(1 / 2)
    assert 4 == _cell(found["meetings"], "a", "b") == _cell(found["meetings"], "b", "a")
    assert _cell(found["wins"], "a", "a") is None
    fitted = _cell(found["fitted_wins"], "a", "b") + _cell(found["fitted_wins"], "b", "a")
    assert fitted + _cell(found["fitted_ties"], "a", "b") == pytest.approx(1)


def test_random_is_at_0_and_oracle_at_1() -> None:
    """Where both play and oracle is surely stronger; others lie between."""
    table = _tables(_tournament(20, random=1, middle=4, oracle=16))["ratings"]

    assert Ranged(0, 0, 0) == pytest.approx(_cell(table, "random", "strength"))
    assert Ranged(1, 1, 1) == pytest.approx(_cell(table, "oracle", "strength"))
    middle = _cell(table, "middle", "strength")
    assert 0 < middle.low < 0.5 < middle.high < 1
    assert ("oracle", "middle", "random") == table.column("player")
    assert ("a", "b", "c") == table.column("group")
    assert "random is at 0 and oracle at 1" in table.notes[0]


def test_an_oracle_that_is_not_surely_stronger_is_no_anchor() -> None:
    """The scale would be a division by what may be 0."""
    table = _tables(_tournament(8, random=1, oracle=1))["ratings"]

    assert "random is at 0; a difference of 1" in table.notes[0]
    assert "mean is 0" in _tables(_tournament(8, one=1, oracle=1))["ratings"].notes[0]


def test_who_never_lost_is_told_apart() -> None:
    """Its strength has no upper end, but that it is better is sure."""
    rows = [
        row
        for start in range(16)
        for one, other, win in (("best", "a", 1.0), ("a", "best", 0.0), ("best", "b", 1.0),
                                ("b", "best", 0.0), ("a", "b", 1.0), ("b", "a", 1.0))
        for row in duel(start, one, other, win)
    ]  # fmt: skip
    table = _tables(rows)["ratings"]

    assert ("1", "2-3", "2-3") == table.column("ranks")
    assert ("a", "b", "b") == table.column("group")


def test_players_who_never_met_are_noted() -> None:
    """Not even by way of others."""
    rows = [*duel(1, "a", "b", 1.0), *duel(2, "c", "d", 1.0)]

    assert "never met" in " ".join(_tables(rows)["ratings"].notes)
    assert "never met" not in " ".join(_tables(rows[:2])["ratings"].notes)


def test_a_single_start_gives_no_interval() -> None:
    """And no number that JSON cannot write."""
    table = _tables(duel(1, "a", "b", 1.0))["ratings"]

    assert isinstance(_cell(table, "a", "strength"), float)
    assert "single start" in table.notes[-1]


def test_a_match_that_is_in_several_runs_counts_once() -> None:
    """A copied run changes no table; a repeat with the same moves is a match of its own."""
    rows = _tournament(8, a=1, b=4, c=4)
    copy = [row | {"run": "copy"} for row in rows]
    repeats = [row | {"repeat": 1} for row in rows]

    assert _tables(rows) == _tables(rows + copy)
    assert "is in several runs" in " ".join(_tables(rows)["wins"].notes)
    assert 32 == _cell(_tables(rows + repeats)["meetings"], "a", "b")


def test_who_has_matches_to_play_has_neither_interval_nor_rank() -> None:
    """The others are ranked among themselves, and every table says that it is partial."""
    rows = [*_tournament(20, a=1, b=9, c=4), *duel(20, "c", "a", None, cause="unplayed")[:1]]
    found = _tables(rows)
    table = found["ratings"]

    assert [("b", "1"), ("a", "2"), ("c", None)] == [
        (row[0], row[table.head.index("ranks")]) for row in table.rows
    ]
    assert isinstance(_cell(table, "c", "points"), float)
    assert isinstance(_cell(table, "b", "points"), Ranged)
    assert isinstance(_cell(found["wins"], "a", "c"), float)
    assert isinstance(_cell(found["wins"], "a", "b"), Ranged)
    assert all(one.notes[0].startswith("PARTIAL RESULTS") for one in found.values())


def test_who_lacks_results_has_no_rank() -> None:
    """Two of 122 matches of `a` and of `c` were cut off, more than 1 %."""
    cut = [row for start in (1, 2) for row in duel(start, "c", "a", None, repeat=1)]
    table = _tables([*_tournament(20, a=1, b=9, c=4, d=9), *cut])["ratings"]

    assert {"b", "d"} == {row[0] for row in table.rows if row[table.head.index("ranks")]}
    assert "left out: 2." in " ".join(table.notes)
    assert "missing: a (2 of 122), c (2 of 122); `quandary compare`" in " ".join(table.notes)
