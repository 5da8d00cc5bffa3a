"""The order of the rows of tables of scores."""

from __future__ import annotations

from quandary.scoring.score_table import ScoreTable, ranked, score_table

ORDER = ["m/good", "m/poor"]


def _table(*rows: tuple[str | float, ...]) -> ScoreTable:
    return score_table("k", "t", "f", ("puzzle", "player", "n"), rows)


def test_players_stand_by_rank_within_what_stands_before_them() -> None:
    """A name with settings is that of its model; others come last, as they were."""
    table = _table(
        ("a", "house", 1), ("a", "m/good,language=en", 2), ("a", "m/poor", 3), ("b", "m/good", 4),
        ("b", "m/good", 5), ("b", "m/poor", 6),
    )  # fmt: skip
    made = ranked(table, [*ORDER[::-1], "m/good,language=en"])

    assert made.column("n") == (3, 2, 1, 6, 4, 5)


def test_rows_in_an_order_of_their_own_keep_it() -> None:
    own = _table(("a", "m/poor", 9), ("a", "m/good", 8))
    without = score_table("k", "t", "f", ("model", "n"), [("m/good", 1)])

    assert ranked(own, ORDER) == own and ranked(without, ORDER) == without
