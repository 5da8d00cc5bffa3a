"""How matches ended and what they took; regrets; each by hand from a few rows."""

from __future__ import annotations

from statistics import fmean, stdev
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, match, table_of
from quandary.scoring import regrets, usage
from quandary.scoring.score_table import ScoreTable


def _row(table: ScoreTable, *names: str) -> dict[str, Any]:
    [row] = [row for row in table.rows if row[: len(names)] == names]
    return dict(zip(table.head, row, strict=True))


def test_statuses_tell_own_failures_from_those_of_opponents() -> None:
    """Five matches with a result and one without, which counts in no share."""
    rows = [
        alone("a", 1),
        alone("a", 2, cause="unreadable", legal=False, lost_by_failure=True),
        alone("a", 3, cause="memory", legal=False, lost_by_failure=True),
        alone("a", 4, cause="illegal", legal=False, lost_by_failure=True),
        match("a", "b", 1.0, 5, cause="illegal", legal=False),
        alone("a", 6, cause="infrastructure", legal=None, score=None),
    ]
    rows[4][1]["lost_by_failure"] = True  # type: ignore[index]
    found = usage.status_shares(table_of(*rows).select(usage.COLUMNS))
    row = _row(found, "a")

    assert (row["n"], row["no result"]) == (5, 1)
    assert row["legal"].value == 0.2 and row["legal"].low < 0.2 < row["legal"].high
    kinds = ("not following instruction", "runtime error", "rule violation", "timeout")
    assert [row[kind] for kind in kinds] == [0.2, 0.2, 0.2, 0.0]
    assert row["failure of an opponent"] == 0.2
    assert _row(found, "b")["rule violation"] == 1.0


def test_turns_and_tokens_of_all_and_of_legal_plays() -> None:
    """Minimum, maximum, mean and deviation, by the statistics module of Python."""
    plays = [(3, 100, True), (5, 300, True), (1, 20, False), (10, None, True)]
    rows = [
        alone("openai/x", seed, turns=turns, tokens_written=tokens, legal=legal)
        for seed, (turns, tokens, legal) in enumerate(plays)
    ]
    row = _row(usage.plays_of_players(table_of(*rows).select(usage.COLUMNS)), "openai/x")

    for name, numbers in {
        "turns": [3, 5, 1, 10],
        "tokens": [100, 300, 20],
        "turns (legal)": [3, 5, 10],
        "tokens (legal)": [100, 300],
    }.items():
        measures = ("minimum", "maximum", "mean", "deviation")
        expected = (min(numbers), max(numbers), fmean(numbers), stdev(numbers))
        assert [row[f"{name}: {measure}"] for measure in measures] == pytest.approx(expected)
    assert (row["n"], row["legal share"]) == (4, 0.75)


KNOWN = {
    "model": "openai/x", "tokens_read": 1000, "tokens_written": 4, "tokens_cached": 2, "cost": 0.5,
}  # fmt: skip


def test_costs_are_of_models() -> None:
    """Sums and a mean; strategies cost nothing and have no row."""
    rows = [alone("openai/x", 1, **KNOWN), alone("openai/x", 2, **KNOWN | {"cost": 1.5})]
    found = usage.costs(table_of(*rows, alone("random", 1)).select(usage.COLUMNS))
    row = _row(found, "openai/x")

    assert len(found.rows) == 1
    sums = [row[name] for name in ("n", "tokens read", "of them cached", "tokens written")]
    assert sums == [2, 2000, 4, 8]
    assert (row["dollars"], row["matches of unknown cost"]) == (2.0, 0)
    assert row["dollars per match"].value == 1.0


def test_what_is_unknown_of_some_matches_is_not_counted_as_nothing() -> None:
    """Two matches of three are known: their sums are a part, and their mean is none of all."""
    unknown = {"model": "openai/x", "tokens_read": None, "tokens_written": 4, "cost": None}
    rows = [
        alone("openai/x", 1, **KNOWN),
        alone("openai/x", 2, **KNOWN | {"cost": 1.5}),
        alone("openai/x", 3, **unknown),
    ]
    row = _row(usage.costs(table_of(*rows).select(usage.COLUMNS)), "openai/x")

    assert (row["tokens read"], row["tokens written"]) == ("at least 2,000", 12)
    assert (row["of them cached"], row["dollars"]) == ("at least 4", "at least 2.000")
    assert (row["dollars per match"], row["matches of unknown cost"]) == (None, 1)


def test_a_model_without_a_price_has_no_cost() -> None:
    """A match that was cut off before its first reply cost nothing; the others are unknown."""
    nothing = {"tokens_read": 0, "tokens_written": 0, "tokens_cached": 0, "cost": 0.0}
    rows = [
        alone("openai/x", 1, **KNOWN | {"cost": None, "tokens_cached": None}),
        alone("openai/x", 2, **KNOWN | nothing),
    ]
    priced = alone("openai/y", 1, **KNOWN | {"model": "openai/y"})
    row = _row(usage.costs(table_of(*rows, priced).select(usage.COLUMNS)), "openai/x")

    assert (row["dollars"], row["dollars per match"], row["of them cached"]) == (None, None, None)
    assert (row["tokens read"], row["matches of unknown cost"]) == (1000, 1)


def test_without_any_price_there_are_no_columns_of_dollars() -> None:
    """A model on this machine costs nothing, which is no price to compare with."""
    rows = [
        alone("openai/x", 1, **KNOWN | {"cost": None}),
        alone("local/y", 1, **KNOWN | {"model": "local/y", "cost": 0.0}),
    ]
    table = usage.costs(table_of(*rows).select(usage.COLUMNS))

    assert not any("dollars" in name or "cost" in name for name in table.head)
    assert _row(table, "local/y")["tokens read"] == 1000
    assert any("the prices of openai/x are not known" in note for note in table.notes)


def test_repeated_actions_are_a_mean_over_matches() -> None:
    """Matches without turns have no share."""
    shares = (0.0, 0.5, None, 0.25)
    rows = [alone("a", seed, repeated_actions=share) for seed, share in enumerate(shares)]
    row = _row(usage.repeated_actions(table_of(*rows).select(usage.COLUMNS)), "a", "sudoku")

    assert (row["n"], row["repeated"].value) == (3, 0.25)


def test_regrets_are_means_over_moves() -> None:
    """Four moves with a mean regret of 0.25 and one of 1; matches that were not judged are out."""
    rows = [
        alone("a", 1, regret_mean=0.25, blunders=1, judged=4),
        alone("a", 2, regret_mean=1.0, blunders=1, judged=1),
        alone("a", 3),
    ]
    row = _row(regrets.regrets(table_of(*rows).select(regrets.COLUMNS)), "sudoku", "easy", "a")

    assert (row["n"], row["moves"]) == (2, 5)
    assert row["regret"].value == pytest.approx((4 * 0.25 + 1) / 5)
    assert row["blunders"].value == pytest.approx(2 / 5)
    assert row["regret"].low < row["regret"].value < row["regret"].high
