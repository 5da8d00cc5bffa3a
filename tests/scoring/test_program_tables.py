"""The tables of programs that models wrote, by hand from a few rows."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, match, rows_by, table_of
from quandary.arena.drawn_programs import DrawnProgram
from quandary.scoring.level_groups import grouped_seats
from quandary.scoring.program_tables import COLUMNS, program_tables
from quandary.scoring.score_table import Ranged, ScoreTable

SCORES = {  # by puzzle, of four samples on four seeds
    "sudoku": [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1]],
    "takuzu": [[0, 0, 0, 1], [1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]],
}


def _name(number: int, model: str = "openai/x") -> str:
    return f"program/{model}_{number}.py"


def _rows(**fields: Any) -> list[dict[str, Any]]:
    return [
        alone(
            _name(number),
            seed,
            puzzle=puzzle,
            score=float(score),
            setting="code",
            instance=f"{puzzle}-{seed}",
            **fields,
        )
        for puzzle, programs in SCORES.items()
        for number, scores in enumerate(programs, start=1)
        for seed, score in enumerate(scores, start=1)
    ]


def _tables(*rows: Any, drawn: list[DrawnProgram] | None = None) -> dict[str, ScoreTable]:
    table = table_of(*rows)
    found = program_tables(grouped_seats(table).overall, table.select(COLUMNS), drawn or [])
    return {each.key: each for each in found}


def _value(cell: Any) -> float:
    return float(cell.value) if isinstance(cell, Ranged) else float(cell)


def test_the_average_and_the_best_are_means_over_puzzles() -> None:
    row = rows_by(_tables(*_rows())["programs"], "player")["openai/x",]

    assert (2, 4, 32, 8, 0) == tuple(
        row[name] for name in ("puzzles", "programs", "n", "starts", "missing")
    )
    means = {puzzle: [fmean(each) for each in own] for puzzle, own in SCORES.items()}
    assert fmean(map(fmean, means.values())) == pytest.approx(row["average"].value)
    assert row["average"].low < row["average"].value < row["average"].high
    assert 1.0 == row["best of all"]


def test_the_best_of_k_is_that_of_all_choices() -> None:
    table = _tables(*_rows())["programs_best_of"]
    assert [1, 2, 4] == list(table.column("k"))
    for k, cell in zip(table.column("k"), table.column("best@k"), strict=True):
        expected = [
            fmean(max(choice) for choice in combinations(map(fmean, own), int(str(k))))
            for own in SCORES.values()
        ]
        assert fmean(expected) == pytest.approx(_value(cell)), k


def test_the_best_is_chosen_on_one_half_and_scored_on_the_other() -> None:
    """Starts 1 and 3 are one half.  Of sudoku, samples 1 and 2 are best there and score 1 and 0 on
    the other half; samples 1 and 4 are best on the other half, and score 1 and 0 on the first.
    """
    rows = rows_by(_tables(*_rows())["programs_by_puzzle"], "puzzle")
    assert 0.5 == rows["sudoku",]["best, other half"].value
    assert 1.0 == rows["sudoku",]["best of all"]
    assert 1.0 == rows["takuzu",]["best, other half"].value
    assert ("1", "1-4") == (rows["sudoku",]["version"], rows["sudoku",]["seeds"])


def test_equal_starts_are_in_the_same_half() -> None:
    """All seeds lead to one start, so it cannot be halved."""
    rows = [row | {"instance": "same"} for row in _rows()]
    for row in rows_by(_tables(*rows)["programs_by_puzzle"], "puzzle").values():
        assert 1 == row["starts"]
        assert row["best, other half"] is None


def test_a_start_that_one_program_lacks_counts_for_none() -> None:
    rows = _rows()
    rows[0] |= {"score": None, "cause": "infrastructure", "legal": None}
    row = rows_by(_tables(*rows)["programs_by_puzzle"], "puzzle")["sudoku",]
    assert (3, 1) == (row["starts"], row["missing"])
    assert fmean(map(fmean, (own[1:] for own in SCORES["sudoku"]))) == row["average"].value


def test_levels_have_the_same_weight() -> None:
    rows = [
        *[alone(_name(1), seed, level="easy", score=1.0) for seed in range(1, 9)],
        *[alone(_name(2), seed, level="easy", score=1.0) for seed in range(1, 9)],
        *[alone(_name(number), 1, level="normal", score=0.0) for number in (1, 2)],
    ]
    row = rows_by(_tables(*rows)["programs"], "player")["openai/x",]
    assert 0.5 == row["average"].value


def test_a_model_without_a_readable_program_has_a_row() -> None:
    drawn = [DrawnProgram("sudoku", _name(1), "openai/x", "", 5, 50, "", 500)]
    rows = [
        alone(_name(1), 1, score=0.0, cause="unreadable", legal=False, lost_by_failure=True),
        alone(_name(2), 1, score=0.0, cause="unreadable", legal=False, lost_by_failure=True),
    ]
    found = _tables(*rows, drawn=drawn)
    assert 0.0 == rows_by(found["programs"], "player")["openai/x",]["average"].value
    status = rows_by(found["programs_statuses"], "player")["openai/x",]
    assert (2, 1.0) == (status["n"], status["not following instruction"])
    tokens = rows_by(found["programs_tokens"], "player")["openai/x",]
    assert (1, 5, 500, 50) == tuple(
        tokens[name] for name in ("without code", "replies", "tokens read", "tokens written")
    )


def test_failed_imports_are_told_apart() -> None:
    crashed = {"score": 0.0, "cause": "crash", "legal": False, "lost_by_failure": True}
    rows = [
        alone(_name(1), 1, exception="ModuleNotFoundError", **crashed),
        alone(_name(1), 2, exception="KeyError", **crashed),
        alone(_name(2), 1, score=0.0, cause="syntax", legal=False, lost_by_failure=True),
        alone(_name(2), 2),
        *match(_name(3), "house", 1.0, 3, cause="crash", legal=False),
    ]
    rows[-1] |= {"lost_by_failure": True, "exception": "ImportError"}
    row = rows_by(_tables(*rows)["programs_statuses"], "player")["openai/x",]
    assert 5 == row["n"]
    assert (0.4, 0.2, 0.2, 0.2, 0.2) == tuple(
        row[name]
        for name in (
            "runtime error",
            "failed import",
            "syntax error",
            "legal",
            "failure of an opponent",
        )
    )


def test_models_with_other_puzzles_are_not_compared() -> None:
    rows = [*_rows(), alone(_name(1, "openai/y"), 1, puzzle="sudoku")]
    assert any("different puzzles" in note for note in _tables(*rows)["programs"].notes)
    assert not any("different puzzles" in note for note in _tables(*_rows())["programs"].notes)


def test_players_that_are_no_samples_have_no_rows() -> None:
    assert {} == _tables(alone("openai/x", 1), alone("program/mine.py", 1), alone("house", 1))
