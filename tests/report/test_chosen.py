"""Which matches a report shows, against a plain computation on rows."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from statistics import fmean
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import pyarrow as pa

from quandary.report.viewer.chosen import COLUMNS, EACH, OF_ONE_KIND, chosen_lists, selected

LEVELS = [(f"puzzle{one}", level) for one in range(5) for level in ("easy", "hard")]


def _rows(models: bool) -> list[dict[str, Any]]:
    """Games for two with random results; some matches have none."""
    random, rows = Random(7), list[dict[str, Any]]()
    for match in range(1, 401):
        puzzle, level = random.choice(LEVELS)
        players = random.sample(["a", "b", "c", "m/one", "m/two"], 2)
        score = random.choice([None, 0.0, 0.5, 1.0, 1.0])
        for seat, player in enumerate(players):
            model = player if models and player.startswith("m/") else None
            own = score if score is None or seat == 0 else 1 - score
            values = "run", match, f"{puzzle}/{level}#{match}", puzzle, level, seat, player, model
            rows.append(dict(zip(COLUMNS, (*values, own, "goal"), strict=True)))
    return rows


def _table(rows: list[dict[str, Any]]) -> Any:
    texts = ("run", "spec", "puzzle", "level", "player", "model", "cause")
    schema = pa.schema(
        [
            (name, pa.dictionary(pa.int32(), pa.string()))
            if name in texts
            else (name, pa.float64() if name == "score" else pa.int64())
            for name in COLUMNS
        ]
    )
    return pa.Table.from_pylist(rows, schema=schema)


@pytest.mark.parametrize("models", [False, True])
def test_lists_are_those_of_a_plain_computation(models: bool) -> None:
    rows = _rows(models)
    scores = defaultdict[tuple[str, ...], list[float]](list)
    for row in rows:
        if row["score"] is not None:
            scores[row["puzzle"], row["level"]].append(row["score"])
            scores[row["puzzle"], row["level"], row["player"]].append(row["score"])
    worth: dict[str, list[tuple[float, int]]] = {"best": [], "worst": [], "surprising": []}
    for at, row in enumerate(rows):
        if row["score"] is None or (models and row["model"] is None):
            continue
        level = row["puzzle"], row["level"]
        above = row["score"] - fmean(scores[level])
        others = list(scores[*level, row["player"]])
        others.remove(row["score"])
        unusual = abs(row["score"] - fmean(others)) if len(others) >= 4 else 0.0
        for key, number in (("best", above), ("worst", -above), ("surprising", unusual)):
            worth[key].append((-round(number, 9), at))
    for found in chosen_lists(_table(rows)):
        expected, kinds = list[tuple[int, int]](), list[tuple[str, str]]()
        for number, at in sorted(worth[found.key]):
            row = rows[at]
            kind, match = (row["puzzle"], row["player"]), row["match"]
            if (
                -number > 0.01
                and kinds.count(kind) < OF_ONE_KIND
                and match not in [each for each, _ in expected]
                and len(expected) < EACH
            ):
                kinds.append(kind)
                expected.append((match, row["seat"]))
        assert [(one.match, one.seat) for one in found.matches] == expected
        assert len(expected) == EACH
        if models:
            assert {one.player for one in found.matches} <= {"m/one", "m/two"}


def test_all_matches_are_listed_up_to_the_limit() -> None:
    table = _table(_rows(models=False))
    found = selected(table, [], 400)

    assert [one.match for one in found.matches] == list(range(1, 401))
    assert all(len(one.players) == len(one.scores) == 2 for one in found.matches)
    assert found.how.startswith("All 400 matches")


def test_of_more_matches_the_chosen_and_an_even_sample_are_listed() -> None:
    table = _table(_rows(models=True))
    lists = chosen_lists(table)
    found = selected(table, lists, 40)

    chosen = {one.match for each in lists for one in each.matches}
    assert {one.match for one in found.matches} == chosen | set(range(1, 401, 10))
    assert f"{len(found.matches)} of 400 matches" in found.how
    assert f"the {len(chosen)} best, worst" in found.how and "and 40 at even" in found.how
    assert len(selected(table, lists, 0).matches) == len(chosen)
