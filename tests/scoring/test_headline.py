"""The sentences that say who is ahead: by hand, and as often right as they claim."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

pytest.importorskip("numpy", reason="headlines need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="headlines need pyarrow: pip install 'quandary[report]'")

import numpy as np

from quandary.arena.drawn_programs import DrawnProgram
from quandary.scoring.board_tables import tables_of
from quandary.scoring.boards import boards
from quandary.scoring.headline import first_boards, headline, without_code
from quandary.scoring.level_groups import by_level, grouped_seats
from quandary.scoring.player_ranks import difference
from seat_tables import seat_row, seat_table

NUMBERS = re.compile(r"by (-?[\d.]+) \((-?[\d.]+) to (-?[\d.]+)\)")


def _rows(scores: Mapping[str, Sequence[float | None]], **columns: Any) -> list[dict[str, Any]]:
    return [
        seat_row(start, player, score, **columns)
        for player, own in scores.items()
        for start, score in enumerate(own)
    ]


def _headline(*rows: dict[str, Any], asked: Sequence[str] = ()) -> tuple[str, ...]:
    groups = grouped_seats(seat_table(rows))
    found = boards(groups)
    tables = tables_of(found, groups.of_suites)
    return tuple(
        sentence
        for board in first_boards(found, asked)
        for sentence in headline(board, tables[found.index(board)])
    )


def _right(share: float, count: int, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    return [float(one) for one in rng.random(count) < share]


def test_a_clear_lead_has_its_size_and_interval() -> None:
    scores = {"one": [1.0] * 36 + [0.0] * 4, "two": [1.0] * 20 + [0.0] * 20}
    [sentence] = _headline(*_rows(scores))

    assert sentence.startswith("`one` is ahead of `two` by 0.40 (") and sentence.endswith(
        "on nim/easy."
    )
    value, low, high = (float(part) for part in NUMBERS.search(sentence).groups())  # type: ignore[union-attr]
    assert 0 < low < value < high < 1


def test_players_who_share_a_letter_cannot_be_told_apart() -> None:
    """The third is behind both."""
    scores = {"one": _right(0.8, 60, 1), "two": _right(0.8, 60, 2), "three": [0.0] * 60}
    [sentence] = _headline(*_rows(scores))

    best, other = ("one", "two") if sum(scores["one"]) >= sum(scores["two"]) else ("two", "one")
    assert sentence.startswith(
        f"`{best}` and `{other}` cannot be told apart on nim/easy: `{best}` is "
    )
    assert f"`{best}` is ahead of `three` by 0." in sentence
    value, low, high = (float(part) for part in NUMBERS.findall(sentence)[0])
    assert low <= 0 <= value < high


def test_a_lead_that_is_one_of_many_may_be_luck() -> None:
    """Ten pairs of players are tested together; the interval is that of one."""
    best, worst = [1.0] * 16 + [0.0] * 14, [1.0] * 8 + [0.0] * 22
    others = {name: [1.0] * 10 + [0.0] * 20 for name in "abc"}
    [sentence] = _headline(*_rows({"one": best, "two": worst, **others}))
    [alone] = _headline(*_rows({"one": best, "a": others["a"]}))

    assert alone == "`one` is ahead of `a` by 0.20 (0.05 to 0.35) on nim/easy."
    assert sentence.startswith(
        "The first 4 players cannot be told apart on nim/easy: `one` scores 0.20 (0.05 to 0.35) "
        "more than `a`, which is not significant among so many pairs of players. "
    )


def test_more_players_than_a_sentence_names_are_counted() -> None:
    [sentence] = _headline(*_rows({name: _right(0.5, 30, at) for at, name in enumerate("abcde")}))

    assert sentence.startswith("The first 5 players cannot be told apart on nim/easy: ")
    assert "the scores of `b` and `c` differ by 0.00" in sentence  # both on 16 of 30


def test_models_are_compared_in_the_same_language() -> None:
    """Also where the second one does better in another."""
    shares = {"strong,language=en": 0.9, "strong,language=zh": 0.85, "weak,language=en": 0.3}
    shares["weak,language=zh"] = 0.8
    rows = {f"openai/{name}": _right(share, 60, 0) for name, share in shares.items()}
    [sentence] = _headline(*_rows(rows))

    assert sentence.startswith("In English, `openai/strong` is ahead of `openai/weak` by 0.")
    nearest = re.search(
        r"With other settings, `openai/weak` in Chinese comes nearest: (.*)", sentence
    )
    assert nearest and re.fullmatch(r"0\.\d\d \(0\.\d\d to 0\.\d\d\) behind\.", nearest[1])


def test_another_setting_that_cannot_be_told_apart_is_said_to_be_so() -> None:
    """Settings other than the language stay in names."""
    shares = {"strong,shots=1": 0.9, "weak,shots=1": 0.3, "weak": 0.88}
    rows = {f"openai/{name}": _right(share, 60, 0) for name, share in shares.items()}
    [sentence] = _headline(*_rows(rows))

    assert sentence.startswith("`openai/strong,shots=1` is ahead of `openai/weak,shots=1` by 0.")
    assert "`openai/weak` comes nearest: 0." in sentence
    assert sentence.endswith(" behind, and the two cannot be told apart.")


def test_too_few_starts_are_no_evidence() -> None:
    """Even if one player is right on all of them and the other on none."""
    [sentence] = _headline(*_rows({"one": [1.0] * 4, "two": [0.0] * 4}))

    assert (
        sentence
        == "`one` and `two` cannot be told apart on nim/easy: there are too few starts to say."
    )


def test_puzzles_are_named_where_someone_is_surely_ahead() -> None:
    """The player who is behind overall may be ahead on one."""
    rows = [
        *_rows({"one": [1.0] * 30, "two": [0.0] * 30}, puzzle="a"),
        *_rows({"one": [1.0] * 30, "two": [0.0] * 30}, puzzle="b"),
        *_rows({"one": [0.0] * 30, "two": [1.0] * 30}, puzzle="c"),
        *_rows({"one": _right(0.5, 30, 3), "two": _right(0.5, 30, 4)}, puzzle="d"),
    ]
    overall, parts = _headline(*rows)

    assert overall.startswith("`one` is ahead of `two` by ")
    assert overall.endswith(" on 4 shared levels of 4 puzzles.")
    assert parts == (
        "Taken by themselves, `one` is ahead on 2 of 4 puzzles (a, b) and `two` is ahead on 1 of 4 "
        "puzzles (c); on the others, there are too few matches to say."
    )


def test_groups_of_puzzles_are_named_where_someone_is_surely_ahead() -> None:
    """Also where no puzzle is enough by itself; a puzzle alone is no group."""
    lead = {"one": [1.0] * 5 + [0.0] * 10, "two": [0.0] * 15}
    even = {name: [1.0, 0.0] * 5 for name in lead}
    games = [
        row for name in ("card_nim", "sudokill", "superply") for row in _rows(lead, puzzle=name)
    ]
    solo = [row for name in ("sudoku", "tidy_tower") for row in _rows(even, puzzle=name)]
    _, puzzles, groups = _headline(*games, *solo, *_rows(even, puzzle="islands"))

    assert (
        puzzles == "On each of the 6 puzzles alone, there are too few matches to say who is ahead."
    )
    assert groups == "By group of puzzles, `one` is ahead on Two-player games."
    assert len(_headline(*solo, *_rows(even, puzzle="islands"))) == 2


def test_a_puzzle_that_is_asked_in_several_ways_is_one_puzzle() -> None:
    scores = {"one": [1.0] * 30, "two": [0.0] * 30}
    rows = [_rows(scores, puzzle="sudoku", task=task) for task in ("", "check", "next")]
    overall, parts, groups = _headline(*(row for own in rows for row in own))

    assert overall.endswith(" on 3 shared levels of 1 puzzle.")
    assert groups.endswith("`one` is ahead on Questions about positions and whole solutions.")
    assert parts.startswith("Taken by themselves, `one` is ahead on 3 of 3 puzzles and tasks (")


def test_many_puzzles_need_stronger_evidence() -> None:
    """A lead that would be significant on a puzzle alone is none among ten (Holm)."""
    one, two = [1.0] * 6 + [0.0] * 6, [0.0] * 12
    alone = _rows({"one": one, "two": two}, puzzle="a")
    others = [
        row
        for at in range(9)
        for row in _rows({"one": _right(0.5, 12, at), "two": _right(0.5, 12, at)}, puzzle=f"b{at}")
    ]
    levels = by_level(grouped_seats(seat_table(alone)).overall)

    assert difference(levels, "one", "two").p < 0.05
    *_, parts = _headline(*alone, *others)
    assert (
        parts == "On each of the 10 puzzles alone, there are too few matches to say who is ahead."
    )


def test_models_are_compared_with_models() -> None:
    """However good the strategies are; one model is compared with them."""
    scores = {"oracle": [1.0] * 40, "openai/a": [1.0] * 30 + [0.0] * 10, "openai/b": [0.0] * 40}
    [sentence] = _headline(*_rows(scores))
    [alone] = _headline(*_rows({name: scores[name] for name in ("oracle", "openai/b")}))

    assert sentence.startswith("`openai/a` is ahead of `openai/b` by 0.75 (")
    assert alone.startswith("`oracle` is ahead of `openai/b` by 1.00")


def test_the_headline_is_about_the_largest_board_that_compares() -> None:
    """One player has played more levels than the other; a third has not finished."""
    rows = [
        *_rows({"one": [1.0] * 20, "two": [0.0] * 20, "three": [None] * 20}, puzzle="a"),
        *_rows({"one": [0.0] * 20, "three": [None] * 20}, puzzle="b"),
        *_rows({"one": [0.0] * 20}, puzzle="c"),
    ]
    for row in rows:
        if row["score"] is None:
            row["cause"] = "unplayed"
    [sentence] = _headline(*rows)

    assert re.fullmatch(
        r"`one` is ahead of `two` by 1\.00 \(0\.\d\d to 1\.00\) on a/easy\.", sentence
    )


def test_a_model_is_compared_with_other_models_where_it_does_best() -> None:
    """Not with itself in another language, unless it is alone."""
    scores = {
        "openai/a,language=en": [1.0] * 38 + [0.0] * 2,
        "openai/a,language=zh": [1.0] * 36 + [0.0] * 4,
        "openai/b,language=en": [0.0] * 30 + [1.0] * 10,
        "openai/b,language=zh": [0.0] * 35 + [1.0] * 5,
    }
    [sentence] = _headline(*_rows(scores))
    [alone] = _headline(*_rows({name: scores[name] for name in list(scores)[:2]}))

    assert sentence.startswith("In English, `openai/a` is ahead of `openai/b` by 0.70 (")
    assert "nearest" not in sentence
    assert alone.startswith("`openai/a` in English and `openai/a` in Chinese cannot be told ")


def test_programs_of_one_model_are_compared_with_strategies() -> None:
    scores = {
        "program/openai/x_1.py": [1.0] * 30 + [0.0] * 10,
        "program/openai/x_2.py": [1.0] * 34 + [0.0] * 6,
        "random": [0.0] * 40,
    }
    sentence, best = _headline(*_rows(scores))

    assert sentence.startswith("`program/openai/x_2.py` is ahead of `random` by 0.85 (")
    assert best.startswith(
        "For each model this is the best of up to 2 programs, so it is at least as good"
    )


def test_programs_that_are_all_alike_are_not_said_to_be_chosen() -> None:
    scores = {f"program/openai/x_{at}.py": [1.0] * 30 + [0.0] * 10 for at in (1, 2)}

    assert len(_headline(*_rows({**scores, "random": [0.0] * 40}))) == 1


def test_the_best_programs_of_models_are_compared_with_each_other() -> None:
    scores = {
        "program/openai/x_1.py": [1.0] * 40,
        "program/openai/x_2.py": [1.0] * 38 + [0.0] * 2,
        "program/openai/y_1.py": [1.0] * 4 + [0.0] * 36,
        "random": [0.0] * 40,
    }
    sentence, best = _headline(*_rows(scores))

    assert sentence.startswith(
        "`program/openai/x_1.py` is ahead of `program/openai/y_1.py` by 0.90 ("
    )
    assert best.startswith("For each model this is the best of up to 2 programs")


def test_one_player_has_its_score() -> None:
    [sentence] = _headline(*_rows({"one": [1.0] * 10 + [0.0] * 10}))

    assert re.fullmatch(
        r"`one` scores 0\.50 \(0\.\d\d to 0\.\d\d\) on nim/easy, n = 20\.", sentence
    )


def test_the_one_player_who_was_asked_for_comes_first() -> None:
    """Its opponent plays only where there is a seat for it."""
    rows = [
        *_rows({"openai/a": [1.0] * 20 + [0.0] * 20}, puzzle="solo"),
        *_rows({"openai/a": [0.0] * 40, "house": [1.0] * 40}, puzzle="game"),
    ]
    compared = "`house` is ahead of `openai/a` by 1.00 "
    whole, against = _headline(*rows, asked=["openai/a"])

    assert whole.startswith("`openai/a` scores 0.25 (")
    assert whole.endswith(") on 2 levels of 2 puzzles, n = 80.")
    assert against.startswith(compared)
    [both] = _headline(*rows, asked=["openai/a", "house"])
    assert both.startswith(compared)
    [same] = _headline(*rows[40:], asked=["openai/a"])
    assert same.startswith(compared)


def test_programs_without_code_are_counted_by_model() -> None:
    def drawn(model: str, code: str) -> DrawnProgram:
        return DrawnProgram("nim", f"program/{model}_1.py", model, "", 1, 9, code)

    programs = [drawn("openai/a", ""), drawn("openai/a", " \n"), drawn("openai/b", "class Player:")]
    programs.append(drawn("openai/a", "class Player:"))

    assert without_code(programs) == ("2 of 3 programs of `openai/a` contained no code.",)
    assert without_code(programs[2:]) == ()


def test_nothing_is_said_of_players_who_are_not_done() -> None:
    rows = _rows({"one": [1.0] * 20, "two": [0.0] * 10 + [None] * 10})
    for row in rows:
        if row["score"] is None:
            row["cause"] = "unplayed"

    assert _headline(*rows) == ("There are too few results to say who is ahead.",)
    assert _headline(*_rows({"one": [None] * 3})) == ("No match has a result yet.",)


def test_intervals_cover_the_true_difference() -> None:
    """Of two players on levels with few starts each, nearly 95 times in 100 or more often."""
    rng, covered, rounds = np.random.default_rng(5), 0, 300
    easy, hard = (0.9, 0.6), (0.5, 0.4)
    true = np.mean([easy[0] - easy[1], hard[0] - hard[1]])
    for _ in range(rounds):
        rows = [
            row
            for level, shares in (("easy", easy), ("hard", hard))
            for row in _rows(
                {
                    name: [float(one) for one in rng.random(12) < share]
                    for name, share in zip(("one", "two"), shares, strict=True)
                },
                level=level,
            )
        ]
        found = difference(by_level(grouped_seats(seat_table(rows)).overall), "one", "two").ahead
        covered += found.low <= true <= found.high
    assert covered / rounds >= 0.93
