"""Rows in groups, against dictionaries of Python."""

from __future__ import annotations

import numpy as np
import pytest

from quandary.scoring.groups import Groups, Texts, first_rows, grouped, is_first, joined, numbered


@pytest.mark.parametrize("highs", [(3, 40, 2), (2**60, 3), (300, 300, 300, 5)])
@pytest.mark.parametrize("rows", [0, 1, 7, 20_000])
def test_groups_are_in_the_order_in_which_they_first_occur(
    rows: int, highs: tuple[int, ...]
) -> None:
    """With few combinations of values, and with so many that they are sorted on the way."""
    rng = np.random.default_rng(rows)
    columns = [rng.integers(-1, high, rows) for high in highs]
    columns = [np.concatenate([column, column[: rows // 2]]) for column in columns]
    expected = dict[tuple[int, ...], list[int]]()
    for row, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        expected.setdefault(key, []).append(row)

    groups = Groups(*columns)

    assert [own.tolist() for own in groups] == list(expected.values())
    assert len(groups) == len(expected)
    assert groups.first.tolist() == [own[0] for own in expected.values()]
    assert first_rows(*columns).tolist() == groups.first.tolist()
    assert is_first(*columns).sum() == len(expected)
    for number, own in enumerate(expected.values()):
        assert set(groups.of[own].tolist()) == {number}


def test_missing_texts_are_a_group_of_their_own() -> None:
    player = Texts(np.array([1, -1, 1, 0]), ["a", "b"])
    level = Texts(np.array([0, 0, 0, 0]), ["easy"])

    found = {key: rows.tolist() for key, rows in grouped(player, level)}

    assert found == {("b", "easy"): [0, 2], (None, "easy"): [1], ("a", "easy"): [3]}


def test_combinations_that_are_spelt_alike_are_one_text() -> None:
    column = Texts(np.array([2, 0, 1, 2]), ["normal", "normal,size=3", "easy"])

    codes, names = joined([column], lambda level: level.partition(",")[0])

    assert [names[code] for code in codes] == ["easy", "normal", "normal", "easy"]
    assert names == ["easy", "normal"]


def test_values_are_numbered_as_they_occur() -> None:
    assert numbered(np.array([7, 3, 7, 9])).tolist() == [0, 1, 0, 2]
