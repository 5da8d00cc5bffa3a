"""Factors as paired differences: who is paired with whom, and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, match, table_of
from quandary.scoring import factors
from quandary.scoring.score_table import ScoreTable
from quandary.statistics.paired import mcnemar, tango

USUAL = {
    "model": "openai/x", "modality": "text", "shots": 0, "history": True, "list_moves": False,
    "prompting": "steps",
}  # fmt: skip


def _factors(*rows: Any) -> list[ScoreTable]:
    table = table_of(*rows).select(factors.COLUMNS)
    return factors.factors(table, np.random.default_rng(1))


def _row(table: ScoreTable, factor: str) -> dict[str, Any]:
    [row] = [row for row in table.rows if row[0] == factor]
    return dict(zip(table.head, row, strict=True))


def test_shots_are_compared_on_shared_instances() -> None:
    """Ten shared seeds, on six of which one shot alone is right and on one no shot; seeds that only
    one side played do not count.  Interval and p by the paired methods for right or wrong.
    """
    without = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1]
    with_one = [1, 1, 1, 1, 1, 1, 0, 1, 1, 0]
    rows = [alone("openai/x", seed, score=float(s), **USUAL) for seed, s in enumerate(without)]
    rows += [
        alone("openai/x,shots=1", seed, score=float(s), **USUAL | {"shots": 1})
        for seed, s in enumerate(with_one)
    ]
    whole, by_suite, by_puzzle = _factors(*rows)
    row = _row(whole, "shots")

    assert [row[name] for name in ("from", "to", "player")] == ["0", "1", "openai/x"]
    assert (row["pairs"], row["starts"]) == (10, 10)
    assert (row["better"], row["worse"], row["equal"]) == (6, 1, 3)
    assert row["difference"] == pytest.approx((0.5, *tango(6, 1, 10)))
    assert row["p"] == row["p adjusted"] == mcnemar(6, 1)
    assert _row(by_puzzle, "shots")["puzzle"] == "sudoku"
    assert _row(by_suite, "shots")["suite"] == "puzzleplex"
    assert len(whole.rows) == 1


@pytest.mark.parametrize(
    ("factor", "name", "fields", "to"),
    [
        ("modality", "openai/x,modality=image", {"modality": "image"}, "image"),
        ("language", "openai/x", {"language": "zh"}, "zh"),
        ("language", "openai/x,language=zh", {"language": "zh"}, "zh"),
        ("history", "openai/x,history=no", {"history": False}, "false"),
        ("list_moves", "openai/x,list_moves=yes", {"list_moves": True}, "true"),
        ("prompting", "openai/x,prompting=tree", {"prompting": "tree"}, "tree"),
        (
            "setting",
            "program/openai/x_1.py",
            dict.fromkeys(USUAL) | {"setting": "code"},
            "code",
        ),
    ],
)
def test_every_factor_is_found(factor: str, name: str, fields: dict[str, Any], to: str) -> None:
    """Each on its own, with the usual value as the one compared with."""
    rows = [alone("openai/x", seed, score=0.0, **USUAL) for seed in range(8)]
    rows += [alone(name, seed, **USUAL | fields) for seed in range(8)]
    whole, *_ = _factors(*rows)
    row = _row(whole, factor)

    assert (row["to"], row["pairs"], row["difference"].value) == (to, 8, 1.0)
    assert row["from"] == factors.FACTORS[factor]
    assert len(whole.rows) == 1


def test_only_what_differs_in_one_thing_is_a_pair() -> None:
    """Other models, another temperature, another opponent, another seat, or two factors at once."""
    one = {"shots": 1}
    rows: list[Any] = [alone("openai/x", 1, **USUAL)]
    rows += [
        alone("openai/y,shots=1", 1, **USUAL | one | {"model": "openai/y"}),
        alone("openai/x,shots=1,temperature=1", 1, **USUAL | one),
        alone("openai/x,shots=1,history=no", 1, **USUAL | one | {"history": False}),
    ]
    for name, opponent, shots in (("openai/x", "house", 0), ("openai/x,shots=1", "random", 1)):
        pair = match(name, opponent, 1.0)
        pair[0] |= USUAL | {"shots": shots}
        rows.append(pair)
    whole, by_suite, by_puzzle = _factors(*rows)

    assert (whole.rows, by_suite.rows, by_puzzle.rows) == ((), (), ())


@pytest.mark.parametrize("player", ["oracle", "house", "human", "program/x_1.py"])
def test_only_models_have_factors_of_prompts(player: str) -> None:
    """Strategies, people and finished programs do not see the language of a prompt."""
    rows = [alone(player, seed, language=name) for seed in range(8) for name in ("en", "zh")]
    whole, by_suite, by_puzzle = _factors(*rows)

    assert (whole.rows, by_suite.rows, by_puzzle.rows) == ((), (), ())


def test_repeats_and_seats_share_a_start() -> None:
    """Repeats are averaged first; both seats of an instance are two pairs on one start."""
    rows = list[Any]()
    for seed in range(6):
        for seat in (0, 1):
            for shots, scores in ((0, (0.0, 1.0)), (1, (1.0, 1.0))):
                for repeat, score in enumerate(scores):
                    name = f"openai/x,shots={shots}"
                    fields = USUAL | {"shots": shots, "score": score, "repeat": repeat}
                    place = {"puzzle": "card_nim", "seats": 2, "seat": seat, "opponents": "house"}
                    rows.append(alone(name, seed, **fields | place))
    row = _row(_factors(*rows)[0], "shots")

    assert (row["pairs"], row["starts"], row["difference"].value) == (12, 6, 0.5)


def test_languages_are_compared_without_puzzles_about_words() -> None:
    """Of these only the rules are translated; all suites are compared on their own."""
    rows = list[Any]()
    for language, score in (("en", 1.0), ("zh", 0.25)):
        asked = USUAL | {"language": language, "score": score}
        name = f"openai/x,language={language}"
        rows += [alone(name, seed, **asked) for seed in range(8)]
        rows += [alone(name, seed, **asked, suite="core") for seed in range(4)]
        rows += [alone(name, seed, **asked, puzzle="anagram_scribble") for seed in range(8)]
    whole, by_suite, by_puzzle = _factors(*rows)

    assert [row[3] for row in whole.rows] == ["openai/x"]
    assert _row(whole, "language")["difference"].value == -0.75
    assert _row(by_puzzle, "language")["puzzle"] == "sudoku"
    assert [(row[4], row[5]) for row in by_suite.rows] == [("core", 4), ("puzzleplex", 8)]
    assert "without puzzles about words" in " ".join(whole.notes)
