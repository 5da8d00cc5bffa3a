"""PuzzlePlex's scores: published tables recomputed from published numbers, and by hand."""

from __future__ import annotations

from itertools import pairwise
from math import log
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import pyarrow as pa

from paper_rows import alone, match, rows_by, table_of
from quandary.papers.puzzleplex.scores import first as first_paper
from quandary.papers.puzzleplex.scores import second as second_paper
from quandary.scoring.score_table import ScoreTable


def _tables(paper: Any, seats: pa.Table) -> dict[str, ScoreTable]:
    return {table.key: table for table in paper.tables(seats)}


# Tables 14 and 15 of the second paper: o4-mini, easy and normal.
SINGLE = {
    "tidy_tower": (0.00, 0.00),
    "optimal_touring": (0.93, 0.92),
    "count_maximal_cocktails": (0.40, 0.40),
}
TWO = {
    "card_nim": (0.73, 0.63),
    "sudokill": (0.62, 0.59),
    "max_maximal_cocktails": (0.51, 0.65),
    "exclusivity_particles": (0.68, 0.70),
    "superply": (0.83, 0.83),
}
# Its row of table 2: mean and half of the interval.
TABLE_2 = {
    ("single deterministic", "easy"): (0.44, 1.16),
    ("single deterministic", "normal"): (0.44, 1.14),
    ("two deterministic", "easy"): (0.67, 0.15),
    ("two deterministic", "normal"): (0.68, 0.12),
    ("deterministic", "both"): (0.59, 0.15),
}


def test_table_2_of_the_second_paper_follows_from_tables_14_and_15() -> None:
    """Normalised scores by kind and level to the printed digit; the paper's intervals as far as the
    rounding of tables 14 and 15 allows, which they multiply by up to 1.4.
    """
    rows = list[Any]()
    for place, level in enumerate(("easy", "normal")):
        for puzzle, shares in SINGLE.items():
            fields = {"puzzle": puzzle, "level": level, "lower_is_better": False}
            rows += [alone("o4-mini", seed, value=shares[place], **fields) for seed in (1, 2)]
            rows += [alone("best", seed, value=1.0, **fields) for seed in (1, 2)]
        for puzzle, shares in TWO.items():
            won = round(100 * shares[place])
            rows += [
                match("o4-mini", "other", float(seed < won), seed, puzzle=puzzle, level=level)
                for seed in range(100)
            ]
    table = second_paper.tables(table_of(*rows))[0]
    found = rows_by(table, "kind", "level", "player")

    for (kind, level), (mean, half) in TABLE_2.items():
        score = found[kind, level, "o4-mini"]["score"]
        assert round(score.value, 2) == mean
        assert (score.high - score.low) / 2 == pytest.approx(half, abs=0.005 + 1.4 * 0.005)


def test_a_tie_counts_nothing_in_the_first_paper_and_half_in_the_second() -> None:
    """One win, one tie and two losses against the house; each table says which."""
    wins = (1.0, 0.5, 0.0, 0.0)
    seats = table_of(*(match("a", "house", win, seed) for seed, win in enumerate(wins)))
    first = _tables(first_paper, seats)["puzzleplex_first_against_house"]
    second = _tables(second_paper, seats)["puzzleplex_second_against_house_instruction"]
    place = ("two deterministic", "easy", "a")

    assert rows_by(first, "kind", "level", "player")[place]["score"].value == 0.25
    assert rows_by(second, "kind", "level", "player")[place]["win rate"] == 0.375
    assert "tie counts 0," in first.notes[0] and "tie counts 0.5" in second.notes[0]


def test_scores_of_the_first_paper_are_capped_and_averaged_over_puzzles() -> None:
    """Sudoku: half solved; touring: 3 and 12 of the house's 6, so 0.5 and 1; FIR by puzzle too."""
    lost = {
        "score": 0.0,
        "cause": "illegal",
        "legal": False,
        "illegal_loss": True,
        "lost_by_failure": True,
    }
    tour = {"puzzle": "optimal_touring", "lower_is_better": False}
    seats = table_of(
        alone("a", 1), alone("a", 2, **lost), alone("house", 1), alone("house", 2),
        alone("a", 1, value=3.0, **tour), alone("a", 2, value=12.0, **tour),
        alone("house", 1, value=6.0, **tour), alone("house", 2, value=6.0, **tour),
    )  # fmt: skip
    table = _tables(first_paper, seats)["puzzleplex_first_single"]
    row = rows_by(table, "kind", "level", "player")["single deterministic", "easy", "a"]

    assert (row["cells"], row["n"]) == (2, 4)
    assert (row["score"].value, row["FIR"].value) == ((0.5 + 0.75) / 2, 0.25)
    assert (
        rows_by(table, "kind", "level", "player")["single", "both", "house"]["score"].value == 1.0
    )


def test_the_first_paper_asks_for_all_queens_at_once() -> None:
    """Where both were played, `whole:k_queens` counts."""
    rows = [
        alone(player, puzzle="k_queens", task=task, score=score)
        for player, scores in (("a", (1.0, 0.0)), ("house", (1.0, 1.0)))
        for task, score in zip(("whole", ""), scores, strict=True)
    ]
    table = _tables(first_paper, table_of(*rows))["puzzleplex_first_single"]

    row = rows_by(table, "kind", "level", "player")["single deterministic", "easy", "a"]
    assert (row["cells"], row["score"].value) == (1, 1.0)


def test_statistics_of_the_first_paper_are_those_of_its_table_11() -> None:
    """GPT-4o at 120 deterministic puzzles: mean 0.24, interval 0.16 to 0.32, deviation 0.43."""
    rows = [
        alone(player, seed, score=float(player == "house" or seed < 29))
        for player in ("a", "house")
        for seed in range(120)
    ]
    table = _tables(first_paper, table_of(*rows))["puzzleplex_first_statistics"]
    row = rows_by(table, "kind", "player")["single deterministic", "a"]

    assert tuple(round(number, 2) for number in row["mean"]) == (0.24, 0.16, 0.32)
    assert round(row["deviation"], 2) == 0.43


def test_an_interval_of_a_paper_that_makes_no_sense_is_said_to_be_the_papers() -> None:
    """0.75 and 0 on two puzzles: Student's interval over puzzles reaches far beyond 0 and 1."""
    rows = [
        match("a", "house", float(seed < won), seed, puzzle=puzzle)
        for puzzle, won in (("card_nim", 3), ("sudokill", 0))
        for seed in range(4)
    ]
    first = _tables(first_paper, table_of(*rows))["puzzleplex_first_statistics"]
    second = _tables(second_paper, table_of(*rows))
    table = second["puzzleplex_second_against_house_instruction"]

    rate = rows_by(table, "kind", "level", "player")["two deterministic", "easy", "a"]["win rate"]
    assert rate.low < 0.0 < 1.0 < rate.high
    for told in (table.formula, *first.notes[1:]):
        assert "is computed as in the paper" in told
        assert "do not trust it" in told


def test_elo_of_a_sequence_worked_by_hand() -> None:
    """K 32, start 1000, in the order of play: see tests/statistics/test_elo.py for the steps."""
    games = [("ann", "bob", 1.0), ("bob", "cat", 0.5), ("cat", "ann", 1.0)]
    seats = table_of(*(match(*game, seed) for seed, game in enumerate(games)))
    table = _tables(second_paper, seats)["puzzleplex_second_elo_instruction"]
    found = rows_by(table, "kind", "level", "player")
    place = "two deterministic", "easy"

    elo = [found[*place, name]["Elo"] for name in ("ann", "bob", "cat")]
    assert elo == pytest.approx([999.2298, 984.7363, 1016.0339], abs=1e-4)
    assert found[*place, "ann"]["over orders: deviation"] > 0


def test_elo_compares_scores_seed_by_seed_and_averages_tables() -> None:
    """Alone: a beats b on seed 1 and ties on seed 2; in the game, b wins; then the mean."""
    tour = {"puzzle": "optimal_touring", "lower_is_better": False}
    seats = table_of(
        alone("a", 1, value=4.0, **tour), alone("b", 1, value=2.0, **tour),
        alone("a", 2, value=3.0, **tour), alone("b", 2, value=3.0, **tour),
        match("b", "a", 1.0),
    )  # fmt: skip
    table = _tables(second_paper, seats)["puzzleplex_second_elo_instruction"]
    found = rows_by(table, "kind", "level", "player")
    tie = 32 * (0.5 - 1 / (1 + 10 ** (-32 / 400)))  # after 1016 : 984
    alone_a = 1016 + tie

    assert found["single deterministic", "easy", "a"]["Elo"] == pytest.approx(alone_a)
    assert found["deterministic", "easy", "a"]["tables"] == 2
    assert found["deterministic", "easy", "a"]["Elo"].value == pytest.approx((alone_a + 984) / 2)


def test_strengths_of_a_table_with_a_known_solution() -> None:
    """Counts in the proportions of p = (4, 1, 1/4) and tie = 1/2, so that Davidson's fit is exact:
    4 : 1 : 1 for neighbours, 16 : 2 : 1 for the ends.
    """
    counts = {("ann", "bob"): (40, 10, 10), ("bob", "cat"): (40, 10, 10)}
    counts["ann", "cat"] = (160, 20, 10)
    games = [
        (*pair, result)
        for pair, some in counts.items()
        for result, count in zip((1.0, 0.5, 0.0), some, strict=True)
        for _ in range(count)
    ]
    tables = _tables(
        first_paper, table_of(*(match(*game, seed) for seed, game in enumerate(games)))
    )
    strengths = tables["puzzleplex_first_strengths_text"]
    wins = rows_by(tables["puzzleplex_first_wins_text"], "player")
    ties = rows_by(tables["puzzleplex_first_ties_text"], "player")

    assert [row[0] for row in strengths.rows] == ["ann", "bob", "cat"]
    assert strengths.column("strength") == pytest.approx((log(4), 0.0, -log(4)), abs=1e-5)
    assert wins[("ann",)]["bob"] == pytest.approx(4 / 6, abs=1e-5)
    assert ties[("cat",)]["ann"] == pytest.approx(0.5 / 4.75, abs=1e-5)
    assert wins[("ann",)]["ann"] is None
    assert "310 comparisons; tie parameter 0.5" in strengths.notes[1]


def test_strengths_are_finite_whatever_happened() -> None:
    """Undefeated players get the half comparisons of our ratings, and the table says so."""
    seats = table_of(*(match("ann", "bob", 1.0, seed) for seed in range(9)))
    table = _tables(first_paper, seats)["puzzleplex_first_strengths_text"]

    assert 0 < table.rows[0][2] < 10  # type: ignore[operator]
    assert "infinite" in table.notes[0]


def test_scores_alone_are_compared_by_instance() -> None:
    """In single-player puzzles, a beats b once, loses once and ties once: equal strengths."""
    rows = [
        alone(player, seed, score=score)
        for player, scores in (("a", (1, 0, 1)), ("b", (0, 1, 1)), ("house", (1, 1, 1)))
        for seed, score in enumerate(map(float, scores))
    ]
    table = _tables(first_paper, table_of(*rows))["puzzleplex_first_strengths_text"]
    found = rows_by(table, "player")

    assert found[("a",)]["comparisons"] == 6
    assert found[("a",)]["strength"] == pytest.approx(found[("b",)]["strength"])


def test_win_shares_leave_the_house_out_and_win_rates_leave_ties_out() -> None:
    """a and b: two wins of a, one of b, one tie; the house beats both."""
    seats = table_of(
        *(match("a", "b", win, seed) for seed, win in enumerate((1.0, 1.0, 0.0, 0.5))),
        *(match("house", name, 1.0, 9) for name in "ab"),
    )
    first, second = _tables(first_paper, seats), _tables(second_paper, seats)
    shares = first["puzzleplex_first_win_shares"]
    rates = rows_by(second["puzzleplex_second_win_rates_instruction"], "player")

    assert shares.rows == (("a", None, 0.5), ("b", 0.25, None))
    assert [row[1] for row in first["puzzleplex_first_win_rates"].rows] == [4, 4]
    assert (rates[("a",)]["b"], rates[("b",)]["a"]) == pytest.approx((2 / 3, 1 / 3))
    assert rates[("house",)]["a"] == 1.0


def test_pictures_are_reported_apart() -> None:
    """A match in which a model saw pictures counts as one for both of its seats."""
    shown = match("openai/x", "house", 1.0, 1, puzzle="sudokill")
    shown[0] |= {"model": "openai/x", "modality": "image"}
    read = match("openai/x", "house", 0.0, 1, puzzle="sudokill")
    read[0] |= {"model": "openai/x", "modality": "text"}
    tables = _tables(first_paper, table_of(shown, read))
    found = rows_by(tables["puzzleplex_first_against_house"], "kind", "level", "player")

    assert found["two image", "easy", "openai/x"]["score"].value == 1.0
    assert found["two deterministic", "easy", "openai/x"]["score"].value == 0.0
    assert tables["puzzleplex_first_strengths_image"].rows[0][0] == "openai/x"
    assert tables["puzzleplex_first_strengths_text"].rows[0][0] == "house"


def test_programs_have_an_average_and_a_best() -> None:
    """Two programs of one model win 1 and 3 of 4 matches at one puzzle, 2 and 0 of 4 at another."""
    won = {"card_nim": (1, 3), "sudokill": (2, 0)}
    rows = [
        match(
            f"program/gpt_{program}.py", "program/other_1.py", float(seed < wins), seed,
            puzzle=puzzle, setting="code",
        )
        for puzzle, both in won.items()
        for program, wins in enumerate(both)
        for seed in range(4)
    ]  # fmt: skip
    tables = _tables(second_paper, table_of(*rows))
    found = rows_by(tables["puzzleplex_second_programs"], "kind", "level", "player")
    row = found["two deterministic", "easy", "gpt"]

    assert row["programs"] == 2
    assert (row["average"].value, row["best"]) == ((0.5 + 0.25) / 2, (0.75 + 0.5) / 2)
    assert "puzzleplex_second_scores_instruction" not in tables


def test_statuses_are_those_of_matches_whoever_caused_them() -> None:
    """Two legal matches, one illegal move of the player, one timeout of its opponent."""
    failed = {"legal": False, "score": 0.0}
    rows = [
        match("a", "b", 1.0, 1, tokens_written=10),
        match("a", "b", 1.0, 2, tokens_written=30),
        match("a", "b", 0.0, 3, cause="illegal", **failed | {"tokens_written": 20}),
        match("a", "b", 1.0, 4, cause="timeout", **failed | {"tokens_written": None}),
        match("a", "b", 1.0, 5, cause="infrastructure", legal=None, tokens_written=None),
    ]
    table = _tables(second_paper, table_of(*rows))["puzzleplex_second_statuses_instruction"]
    row = rows_by(table, "player")[("a",)]

    assert (row["n"], row["legal"], row["rule violation"], row["timeout"]) == (4, 0.5, 0.25, 0.25)
    assert (row["tokens"], row["tokens: deviation"]) == (20.0, 10.0)


def test_equal_input_gives_equal_tables() -> None:
    """Also where orders are drawn."""
    seats = table_of(*(match(*pair, 1.0, 1) for pair in pairwise("abca")))

    assert [*second_paper.tables(seats)] == [*second_paper.tables(seats)]


def test_too_many_comparisons_have_elo_in_order_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders are not drawn then, and the table says so."""
    monkeypatch.setattr("quandary.papers.puzzleplex.scores.elo_tables.MOST_FOR_ORDERS", 3)
    games = [(name, seed) for name in ("card_nim", "sudokill") for seed in (1, 2)]
    seats = table_of(*(match("a", "b", 1.0, seed, puzzle=name) for name, seed in games))
    table = _tables(second_paper, seats)["puzzleplex_second_elo_instruction"]
    row = rows_by(table, "kind", "level", "player")["two deterministic", "easy", "a"]

    assert row["Elo"].value > 1_016 and row["over orders"] is None
    assert "too many comparisons (4)" in table.notes[0]


def test_failed_imports_of_programs_are_told_apart() -> None:
    """Of both rows of their match, as the statuses are."""
    rows = match("program/a_1.py", "program/b_1.py", 0.0, 1, cause="crash", legal=False)
    rows[0] |= {"lost_by_failure": True, "exception": "ModuleNotFoundError"}
    rows += [row | {"match": 2} for row in match("program/a_1.py", "program/b_1.py", 1.0, 2)]
    rows = [{**row, "setting": "code", "match": row["match"] or 1} for row in rows]
    table = _tables(second_paper, table_of(*rows))["puzzleplex_second_statuses_code"]
    for row in rows_by(table, "player").values():
        assert (0.5, 0.5, 0.5) == (row["legal"], row["runtime error"], row["failed import"])
