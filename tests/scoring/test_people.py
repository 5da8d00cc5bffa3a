"""People as one player: who is pooled, what counts, and how sure their score is."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

import numpy as np

from quandary.arena.run import run
from quandary.arena.store import RECORDS, read
from quandary.arena.suite import read as read_suite
from quandary.players.registry import PlayerRegistry
from quandary.results.level_scores import level_means
from quandary.results.table import seats
from quandary.scoring.board_tables import leaderboards
from quandary.scoring.leaderboard import level_score
from quandary.scoring.level_groups import COLUMNS, by_level, fixed_rng, seat_groups
from quandary.scoring.player_ranks import difference
from quandary.scoring.score_table import ScoreTable
from seat_tables import seat_row, seat_table

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"
"""


def _board(rows: list[dict[str, Any]]) -> ScoreTable:
    [board] = leaderboards(seat_table(rows))
    return board


def _cells(board: ScoreTable, name: str) -> dict[str, Any]:
    return {str(row[0]): row[board.head.index(name)] for row in board.rows}


def test_people_share_a_row_and_those_who_were_helped_another() -> None:
    """That two of them did the same makes two results, also on the same start."""
    rows = [
        seat_row(1, "human/anna", 1.0, moves="same"),
        seat_row(1, "human/ben", 1.0, moves="same"),
        seat_row(2, "human", 0.0),
        seat_row(2, "human/anna,hints=2", 1.0),
        *(seat_row(start, "oracle", 1.0) for start in (1, 2)),
    ]
    board = _board(rows)

    assert {"human": 3, "human (with help)": 1, "oracle": 2} == _cells(board, "n")
    assert 0.5 == _cells(board, "score")["human"].value
    assert "human: 3 people as one player" in " ".join(board.notes)
    assert "human (with help): one person" in " ".join(board.notes)


def test_a_level_without_results_warns_of_nothing() -> None:
    """Where all of a level was cut off, the others still have a score with its interval."""
    rows = [
        seat_row(at, f"human/p{at % 3}", None if level == "hard" else 1.0, level=level)
        for level in ("easy", "hard")
        for at in range(6)
    ]
    board = _board(rows)

    assert {"human": 6} == _cells(board, "missing")
    assert 1.0 == _cells(board, "score")["human"].value
    assert _cells(board, "worst")["human"] < 0.5 <= _cells(board, "best")["human"]


def test_the_same_person_twice_is_a_repeat() -> None:
    rows = [seat_row(1, "human/anna", 1.0, moves="same", repeat=at) for at in range(2)]
    [group] = seat_groups(seat_table(rows))

    assert (1, 1) == (group.matches, group.repeats)


def test_people_who_played_different_parts_are_ranked_together() -> None:
    """One played one level, one the other: together they have played all."""
    rows = [
        seat_row(at, who, float(who == "oracle"), level=level)
        for level, person in (("easy", "human/anna"), ("hard", "human/ben"))
        for at in range(8)
        for who in (person, "oracle")
    ]

    assert {"human": "2", "oracle": "1"} == _cells(_board(rows), "ranks")


def test_an_interval_is_over_persons_where_they_differ() -> None:
    """Five people who solve all or nothing of twenty starts each say little about a sixth one."""
    shares = (1.0, 1.0, 1.0, 0.0, 0.0)
    rows = [
        seat_row(20 * number + at, f"human/p{number}", share)
        for number, share in enumerate(shares)
        for at in range(20)
    ]
    [group] = seat_groups(seat_table(rows))
    found = level_score(group, fixed_rng()).present
    [alone] = seat_groups(seat_table([{**row, "player": "model"} for row in rows]))
    over_starts = level_score(alone, fixed_rng()).present

    assert found and over_starts
    assert fmean(shares) == pytest.approx(found.mean)
    error = stdev(shares) / len(shares) ** 0.5
    assert found.half > error > 2 * over_starts.half


def test_a_difference_of_few_people_from_a_model_is_in_doubt() -> None:
    """The same results are a clear lead of one player, and none of people in general."""
    shares = (1.0, 1.0, 0.0)
    starts = range(60)
    people = [
        seat_row(20 * number + at, f"human/p{number}", share)
        for number, share in enumerate(shares)
        for at in range(20)
    ]
    one = [{**row, "player": "player"} for row in people]
    model = [seat_row(start, "model", float(start % 3 == 0)) for start in starts]

    def ahead(rows: list[dict[str, Any]], player: str) -> tuple[float, float]:
        found = difference(by_level(seat_groups(seat_table(rows))), player, "model")
        return found.ahead.low, found.p

    low, p = ahead([*one, *model], "player")
    assert low > 0 and p < 0.05
    low, p = ahead([*people, *model], "human")
    assert low < 0 and p > 0.05


@pytest.mark.heavy
def test_intervals_of_people_cover_the_true_share() -> None:
    """People differ in what they solve, and so do levels."""
    rng, covered, times = np.random.default_rng(3), 0, 300
    for _ in range(times):
        rows = []
        for number in range(12):
            ability = float(rng.beta(2, 2))
            rows += [
                seat_row(
                    1_000 * number + at,
                    f"human/p{number}",
                    float(rng.random() < ability),
                    level=("easy", "hard")[at % 2],
                )
                for at in range(10)
            ]
        score = _cells(_board(rows), "score")["human"]
        covered += score.low <= 0.5 <= score.high

    assert covered >= 0.92 * times


def test_plain_scores_pool_people_as_well(tmp_path: Path) -> None:
    """Without tables, at the end of a run: the same means and the same counts."""
    suite = read_suite("small", SUITE)
    run(suite, ["random", "house"], tmp_path, PlayerRegistry())
    lines = (tmp_path / RECORDS).read_text()
    (tmp_path / RECORDS).write_text(lines.replace('"random"', '"human/anna"'))
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"random"', '"human/anna"'))
    plain = {row.player: row for row in level_means(read(tmp_path / RECORDS))}
    groups = {group.player: group for group in seat_groups(seats(tmp_path, columns=COLUMNS))}

    assert {"human", "house"} == set(plain) == set(groups)
    for player, group in groups.items():
        score = level_score(group, fixed_rng()).present
        assert score and score.mean == pytest.approx(plain[player].score)
        assert (group.matches, group.repeats) == (plain[player].matches, plain[player].repeats)
