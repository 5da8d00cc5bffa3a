"""FineReason's metrics: its tables from their counts, figures by hand, and real runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quandary.tasks.question_game import asked_question

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, table_of
from quandary.arena.store import RECORDS, read
from quandary.cli.main import main
from quandary.labelling.label_sets import built_in
from quandary.papers.finereason import scores as finereason
from quandary.papers.finereason.fitted_rules import Cuts, fitted_rules, shuffled_share
from quandary.papers.finereason.ranges import decades, equal_ranges
from quandary.report.scores import paper_scores
from quandary.scoring.score_table import Ranged, ScoreTable
from quandary.scoring.scores import score_tables, scores_of
from quandary.tasks.blind_rules import best_share

FIGURES = ("accuracy", "precision", "recall", "F1")


def _tables(*rows: Any) -> dict[str, ScoreTable]:
    return {table.key: table for table in finereason.tables(table_of(*rows))}


def _rows(table: ScoreTable) -> list[dict[str, Any]]:
    return [dict(zip(table.head, row, strict=True)) for row in table.rows]


def _answers(
    count: int, label: str, error: str, player: str = "a", first: int = 0, **fields: Any
) -> Iterator[dict[str, Any]]:
    """Rows of so many answers to different questions."""
    usual = {"task": "check", "suite": "any", "legal_moves": 5, "depth": 3, "state_length": 31}
    for seed in range(first, first + count):
        own = {"label": label, "error": error, "tree": f"{seed}", "score": float(not error)}
        yield alone(player, seed, **usual | {"tried": "none"} | own | fields)


def _checks(found: int, missed: int, false: int, left: int, unread: int = 0) -> Iterator[Any]:
    """Answers by what was said; `unread` are about solvable positions."""
    kinds = [("unsolvable", ""), ("unsolvable", "wrong_label"), ("solvable", "wrong_label")]
    kinds += [("solvable", ""), ("solvable", "unknown_label")]
    first = 0
    for count, (label, error) in zip((found, missed, false, left, unread), kinds, strict=True):
        yield from _answers(count, label, error, first=first)
        first += count


# Counts of found, missed, false and left, and answers without a label -> what tables 3 and 9 print:
# accuracy, precision, recall, F1.  They are rebuilt from counts of 500.
PUBLISHED = {
    "sudoku, o1": ((183, 67, 28, 222, 0), ("81.0", "86.7", "73.2", "79.4")),
    "sudoku, GPT-3.5": ((70, 180, 73, 175, 2), ("49.0", "49.0", "28.0", "35.6")),
    "sudoku, Gemini-FT": ((218, 32, 121, 128, 1), ("69.2", "64.3", "87.2", "74.0")),
    "graph coloring, GPT-4o": ((111, 137, 81, 171, 0), ("56.4", "57.8", "44.8", "50.5")),
    "grid puzzles, o1": ((381, 25, 31, 63, 0), ("88.8", "92.5", "93.8", "93.2")),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_tables_3_and_9_of_the_paper(name: str) -> None:
    """Answers without a label count as the paper counts them: wrong, and not as unsolvable."""
    counts, printed = PUBLISHED[name]
    [row] = _rows(_tables(*_checks(*counts))["finereason_checking"])

    assert printed == tuple(f"{100 * row[figure].value:.1f}" for figure in FIGURES)
    assert (row["n"], row["no label"]) == (500, counts[4])


def test_answers_without_a_label_lower_recall_but_not_precision() -> None:
    """Of 4 called unsolvable 3 are; of 6 that are, 3 are found, and one answer is unreadable."""
    unread = _answers(1, "unsolvable", "unreadable", first=90)
    [row] = _rows(_tables(*_checks(3, 2, 1, 4), *unread)["finereason_checking"])

    assert [7 / 11, 3 / 4, 3 / 6, 6 / 10] == [pytest.approx(row[each].value) for each in FIGURES]
    assert (11, 6, 4, 1) == (row["n"], row["unsolvable"], row["said so"], row["no label"])
    assert all(row[figure].low < row[figure].value < row[figure].high for figure in FIGURES)


def test_the_interval_of_f1_is_as_long_as_resampling_makes_it() -> None:
    """Where few dead ends are found; that of a mean with weights would be a third shorter."""
    found, missed, false, _ = counts = (10, 90, 2, 98)
    [row] = _rows(_tables(*_checks(*counts))["finereason_checking"])
    draws = np.random.default_rng(1).multinomial(200, np.array(counts) / 200, 20_000)
    resampled = 2 * draws[:, 0] / (2 * draws[:, 0] + draws[:, 1] + draws[:, 2])
    low, high = np.quantile(resampled, (0.025, 0.975))

    assert row["F1"].value == pytest.approx(2 * found / (2 * found + missed + false))
    assert row["F1"].high - row["F1"].low == pytest.approx(high - low, rel=0.05)


def test_the_mean_of_f1_over_puzzles_has_the_interval_of_a_mean() -> None:
    """Two puzzles with the same counts: as long as resampling makes it, around the same value."""
    found, missed, false, _ = counts = (60, 40, 20, 80)
    rows = [row | {"puzzle": puzzle} for puzzle in ("sudoku", "tidy_tower")
            for row in _checks(*counts)]  # fmt: skip
    [mean] = _rows(_tables(*rows)["finereason_checking_means"])
    draws = np.random.default_rng(1).multinomial(200, np.array(counts) / 200, (20_000, 2))
    resampled = 2 * draws[..., 0] / (2 * draws[..., 0] + draws[..., 1] + draws[..., 2])
    low, high = np.quantile(resampled.mean(axis=1), (0.025, 0.975))

    assert mean["puzzles"] == 2
    assert mean["F1"].value == pytest.approx(2 * found / (2 * found + missed + false))
    assert (mean["F1"].low, mean["F1"].high) == pytest.approx((low, high), abs=0.01)


def test_whoever_never_says_unsolvable_has_no_precision() -> None:
    """But a recall and an F1 of 0."""
    found = _tables(*_checks(0, 4, 0, 4))
    [row], [mean] = _rows(found["finereason_checking"]), _rows(found["finereason_checking_means"])

    assert row["precision"] is None and mean["precision"] is None
    assert (row["recall"].value, row["F1"].value, row["accuracy"].value) == (0.0, 0.0, 0.5)


def test_without_dead_ends_there_is_neither_recall_nor_f1() -> None:
    """Whatever the answers say."""
    [row] = _rows(_tables(*_checks(0, 0, 2, 2))["finereason_checking"])

    assert row["recall"] is None and row["F1"] is None
    assert (row["precision"].value, row["accuracy"].value) == (0.0, 0.5)


def test_positions_of_one_puzzle_belong_together() -> None:
    """Ten answers about the same puzzle tell less than about ten."""
    apart = [*_answers(10, "solvable", ""), *_answers(10, "unsolvable", "wrong_label", first=10)]
    together = [row | {"tree": row["tree"][:-1]} for row in apart]
    widths = []
    for rows in (apart, together):
        [row] = _rows(_tables(*rows)["finereason_checking"])
        widths.append(row["accuracy"].high - row["accuracy"].low)

    assert widths[1] > 1.5 * widths[0]


def test_levels_and_all_of_them() -> None:
    """All levels together count every question once; means are over puzzles."""
    rows = [
        *_answers(4, "solvable", "", level="easy"),
        *_answers(1, "unsolvable", "wrong_label", level="normal"),
        *_answers(5, "unsolvable", "", puzzle="game_of_24", level="hard"),
    ]
    found = _tables(*rows)
    shares = {
        (row["puzzle"], row["level"]): (row["n"], row["accuracy"].value)
        for row in _rows(found["finereason_checking"])
    }
    [mean] = _rows(found["finereason_checking_means"])

    assert shares == {
        ("game_of_24", "hard"): (5, 1.0),
        ("sudoku", "easy"): (4, 1.0),
        ("sudoku", "normal"): (1, 0.0),
        ("sudoku", "all"): (5, 0.8),
    }
    assert (mean["puzzles"], mean["n"], mean["accuracy"].value) == (2, 10, pytest.approx(0.9))


def _steps() -> list[dict[str, Any]]:
    """Forward: 2 of 5 right; back: 1 of 4."""
    kinds = {
        "solvable": ["", "", "several_moves", "known_dead_end", "known_dead_end"],
        "unsolvable": ["", "sibling", "not_parent", "timeout"],
    }
    return [
        row
        for at, (label, errors) in enumerate(kinds.items())
        for place, error in enumerate(errors)
        for row in _answers(1, label, error, first=10 * at + place, task="next")
    ]


def test_steps_by_class_and_their_errors() -> None:
    """Shares of all steps of the class, with the paper's name of the error."""
    found = _tables(*_steps())
    [row] = _rows(found["finereason_transition"])
    errors = {(row["from"], row["error"]): row for row in _rows(found["finereason_errors"])}

    assert (row["n"], row["forward n"], row["back n"]) == (9, 5, 4)
    assert (row["accuracy"].value, row["forward"].value, row["back"].value) == (3 / 9, 0.4, 0.25)
    assert {key: (row["in the paper"], row["count"], row["n"]) for key, row in errors.items()} == {
        ("solvable", "known_dead_end"): ("unsolvable child", 2, 5),
        ("solvable", "several_moves"): ("multiple moves", 1, 5),
        ("unsolvable", "not_parent"): ("backtracking failure", 1, 4),
        ("unsolvable", "sibling"): ("sibling", 1, 4),
        ("unsolvable", "timeout"): (None, 1, 4),
    }
    assert errors["solvable", "known_dead_end"]["share"].value == 0.4
    [mean] = _rows(found["finereason_transition_means"])
    assert mean["most frequent error"] == "known_dead_end"


def test_accuracy_by_task_has_the_papers_average() -> None:
    """The mean of both tasks, and whole puzzles beside them; other puzzles are left out."""
    whole = [alone("a", seed, task="whole", score=float(seed == 1)) for seed in (1, 2, 3, 4)]
    other = alone("a", task="whole", puzzle="takuzu")
    [row] = _rows(_tables(*_checks(3, 0, 1, 0), *_steps(), *whole, other)["finereason_accuracy"])

    assert (row["puzzle"], row["check n"], row["next n"], row["whole n"]) == ("sudoku", 4, 9, 4)
    assert (row["check"].value, row["next"].value, row["whole"].value) == (0.75, 3 / 9, 0.25)
    assert row["average"].value == pytest.approx((3 / 4 + 3 / 9) / 2)


def test_accuracy_by_depth_empty_cells_and_look_ahead() -> None:
    """In ranges; what is not known is left out, and only dead ends have a look-ahead."""
    rows = [
        *_answers(3, "unsolvable", "", depth=2, gaps=30, dead_tree=1_000),
        *_answers(1, "unsolvable", "wrong_label", depth=12, gaps=41, dead_tree=7, first=3),
        *_answers(2, "solvable", "wrong_label", depth=None, gaps=42, first=4),
    ]
    found = _tables(*rows)

    def cells(key: str) -> list[tuple[Any, ...]]:
        return [(*row[3:5], row[5].value) for row in found[f"finereason_{key}"].rows]  # type: ignore[union-attr]

    assert cells("depth") == [("2-3", 3, 1.0), ("12-13", 1, 0.0)]
    assert cells("gaps") == [("30-34", 3, 1.0), ("40-44", 3, 0.0)]
    assert cells("dead_tree") == [("1-9", 1, 0.0), ("1,000 or more", 3, 1.0)]


def test_ranges_cover_every_number() -> None:
    """At most six, each number in the range that its name says."""
    for high in (1, 5, 6, 7, 29, 30, 31, 250):
        values = np.arange(high + 1, dtype=float)
        codes, names = equal_ranges(values)
        assert len(names) <= 6 and codes.tolist() == sorted(codes.tolist())
        for value, code in zip(values.tolist(), codes.tolist(), strict=True):
            low, _, top = names[code].partition("-")
            assert int(low) <= value <= int(top or low)
    codes, names = decades(np.array([0, 1, 9, 10, 99, 100, 999, 1000.0]), 1_000)
    assert [names[code] for code in codes] == [
        "0", "1-9", "1-9", "10-99", "10-99", "100-999", "100-999", "1,000 or more",
    ]  # fmt: skip


def test_blind_rules_are_the_best_thresholds() -> None:
    """Of tables and of `quandary check`, compared with every threshold in both directions."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        values = rng.integers(0, 6, 12).astype(float)
        dead = rng.random(12) < 0.5
        every = [
            int(((values > threshold) == above)[dead].sum())
            + int(((values > threshold) != above)[~dead].sum())
            for threshold in range(-1, 6)
            for above in (True, False)
        ]
        [rule] = fitted_rules({"depth": values}, dead)
        assert max(every) == Cuts(values).most(dead) == rule.right.sum()
        assert max(every) / 12 == best_share(values.tolist(), dead.tolist())


def test_what_a_blind_rule_gets_is_said_in_words() -> None:
    """Dead ends have fewer legal moves here; which child was tried says nothing."""
    rows = [
        *_answers(6, "unsolvable", "", legal_moves=2, depth=None),
        *_answers(5, "solvable", "", legal_moves=9, depth=None, first=6),
        *_answers(1, "solvable", "", legal_moves=1, depth=None, tried="first", first=11),
    ]
    found = _tables(*rows)
    rules = {row["feature"]: row for row in _rows(found["finereason_blind_rules"])}
    [row] = _rows(found["finereason_checking"])

    assert rules["legal moves"]["rule"] == "unsolvable if legal moves <= 2"
    assert rules["legal moves"]["share"].value == row["blind rule"] == 11 / 12
    assert rules["depth"]["rule"] == "always solvable" and rules["depth"]["share"].value == 0.5
    first = rules["the first move was tried"]
    assert (first["rule"], first["share"].value) == (
        "unsolvable unless the first move was tried",
        7 / 12,
    )
    assert 0.5 < rules["legal moves"]["shuffled"].value < 0.8
    assert rules["depth"]["shuffled"] is None


def test_a_question_that_several_players_answer_is_one_for_blind_rules() -> None:
    """Whoever answers it, and however often."""
    rows = chain(
        *(_answers(3, "solvable", "", player) for player in "ab"),
        _answers(1, "unsolvable", "", "a", first=3, legal_moves=1),
    )
    found = _rows(_tables(*rows)["finereason_blind_rules"])

    assert {row["n"] for row in found} == {4} and found[0]["unsolvable"] == 0.25


def test_labels_that_are_shuffled_say_what_the_fit_alone_gets() -> None:
    """Much with few questions, half with many."""
    rng = np.random.default_rng(3)
    shares = []
    for count in (10, 1_000):
        features = {f"{name}": rng.random(count) for name in range(5)}
        shares.append(shuffled_share(features, np.arange(count) % 2 == 0, rng, draws=20))

    assert shares[0].value > 0.75 and shares[1].value < 0.57
    assert all(share.low <= share.value <= share.high for share in shares)


def test_the_papers_six_types_of_errors_are_a_set_of_labels() -> None:
    """And what a person may find in steps: those that the paper counts by itself."""
    sets = built_in()

    assert [label.name for label in sets["finereason_checking"].labels] == [
        "misinterpretation_of_premises", "exploration_and_backtracking", "inconsistent_reasoning",
        "conflict_resolving_failure", "false_premise", "instruction_following",
    ]  # fmt: skip
    spoken = {name.replace("_", " ") for name in sets["finereason_transition"].names}
    assert set(finereason.PAPER_ERRORS.values()) == spoken - {"none"}


SUITE = """
[[puzzles]]
puzzle = "sudoku"
task = "{task}"
levels = ["easy"]
seeds = "1-3"
changes = {{ label = "{label}" }}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a run of `random` and `oracle`, and what the command printed."""
    folder = tmp_path_factory.mktemp("states")
    kinds = [(task, label) for task in ("check", "next") for label in ("solvable", "unsolvable")]
    suite = "".join(SUITE.format(task=task, label=label) for task, label in kinds)
    suite += (
        '[[puzzles]]\npuzzle = "game_of_24"\ntask = "check"\nlevels = ["hard"]\nseeds = "1-3"\n'
    )
    (folder / "states.toml").write_text(suite)
    players = ("--player", "oracle", "--player", "random")
    command = ["run", "--suite", str(folder / "states.toml"), *players, "--engine", "asyncio"]
    with redirect_stdout(StringIO()) as told:
        assert 0 == main([*command, "--out", str(folder / "run")])
    return folder / "run", told.getvalue()


def test_the_oracle_is_always_right(played: tuple[Path, str]) -> None:
    """Every share of its answers is 1, in every table."""
    folder, _ = played
    [scores] = paper_scores([folder])
    found = {table.key: table for table in scores.tables}
    shares = [
        cell.value
        for table in scores.tables
        if "player" in table.head and table.key != "finereason_errors"
        for row in _rows(table)
        if row["player"] == "oracle"
        for cell in row.values()
        if isinstance(cell, Ranged)
    ]

    assert scores.title == "FineReason" and len(shares) > 20 and set(shares) == {1.0}
    assert all(row["player"] == "random" for row in _rows(found["finereason_errors"]))
    n = {row["puzzle"]: row["n"] for row in _rows(found["finereason_checking"])}
    assert n == {"sudoku": 6, "game_of_24": 3}  # labels make no levels


def test_figures_of_a_run_follow_from_its_records(played: tuple[Path, str]) -> None:
    """Counted again from answers and positions."""
    folder, _ = played
    said = {True: [0, 0], False: [0, 0]}  # by whether the position is solvable: right, all
    for record in read(folder / RECORDS):
        if record.players == ("random",) and record.name.startswith("check:sudoku"):
            position = asked_question(record.start).question.position  # type: ignore[union-attr]
            answer = record.log[-1][1]
            said[position.solvable()][0] += (answer == "solvable") == position.solvable()
            said[position.solvable()][1] += 1
    found, dead = said[False]
    false = said[True][1] - said[True][0]
    [scores] = paper_scores([folder])
    tables = {table.key: _rows(table) for table in scores.tables}
    [row] = [
        row
        for row in tables["finereason_checking"]
        if (row["puzzle"], row["player"]) == ("sudoku", "random")
    ]

    assert (row["n"], row["unsolvable"], row["said so"]) == (6, 3, found + false)
    assert row["recall"].value == found / dead == found / 3
    assert row["accuracy"].value == (found + said[True][0]) / 6
    errors = [row for row in tables["finereason_errors"] if row["from"] == "unsolvable"]
    back = [row for row in tables["finereason_transition"] if row["player"] == "random"]
    assert sum(row["share"].value for row in errors) + back[0]["back"].value == pytest.approx(1.0)


def test_a_run_ends_with_both_tasks(played: tuple[Path, str]) -> None:
    """A line for each, and the command that tells more."""
    folder, told = played
    lines = told.splitlines()

    for task in ("State checking", "State transition"):
        [line] = [line for line in lines if line.startswith(f"{task}, accuracy: ")]
        assert ", n = " in line
    assert f"More: quandary results {folder}" in told


def test_results_prints_the_papers_tables(
    played: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, as text or as JSON lines."""
    folder, _ = played
    assert 0 == main(["results", str(folder), "--papers"])
    told = capsys.readouterr().out
    assert 0 == main(["results", str(folder), "--papers", "--json"])
    keys = [json.loads(line)["key"] for line in capsys.readouterr().out.splitlines()]

    assert told.startswith("FINEREASON\n") and "What blind rules reach in state checking" in told
    assert set(finereason.SUMMARY) < set(keys) and len(keys) == 10


def test_runs_without_scores_of_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, and no tables."""
    run = ["run", "--puzzle", "card_nim", "--level", "easy", "--seeds", "1", "--player", "random"]
    assert 0 == main([*run, "--out", str(tmp_path / "run")])
    assert "State checking" not in capsys.readouterr().out

    assert 2 == main(["results", str(tmp_path / "run"), "--papers"])
    assert "no paper has scores" in capsys.readouterr().err


def test_it_scores_every_suite_that_has_such_questions() -> None:
    """And only those: in others it has no rows."""
    seats = table_of(*_checks(1, 1, 1, 1), alone("house"))

    assert next(score_tables(seats)).score.title == "FineReason"
    assert finereason.tables in scores_of(["mine"])
    assert not list(finereason.tables(table_of(alone("a", task="whole"))))
