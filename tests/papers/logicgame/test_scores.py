"""LogicGame's metrics: its tables from their counts, figures by hand, and a real run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from counting_server import counting_server
from paper_rows import alone, table_of
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.contract import Question
from quandary.papers.logicgame import scores as logicgame
from quandary.report.scores import paper_scores
from quandary.scoring.score_table import Ranged, ScoreTable
from quandary.scoring.scores import score_tables

IF, JS = "no_json", "malformed_json"
HALF = "right answer, wrong process"


def _tables(*rows: Any) -> dict[str, ScoreTable]:
    return {table.key: table for table in logicgame.tables(table_of(*rows))}


def _rows(table: ScoreTable, *keys: str) -> dict[Any, dict[str, Any]]:
    """Rows by the cells of some columns."""
    made = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    return {tuple(row[key] for key in keys) if keys[1:] else row[keys[0]]: row for row in made}


def _item(
    seed: int, error: str | None = "", answer: bool = False, share: float = 0.0, **fields: Any
) -> dict[str, Any]:
    """A reply; it is right in all parts if nothing is wrong, and None has no result."""
    is_right, has_result = error == "", error is not None
    usual = {
        "suite": "mine", "puzzle": "slide_2048", "level": "1", "family": "a", "domain": "execution",
        "score": float(is_right) if has_result else None, "error": error,
        "answer_right": is_right or answer if has_result else None,
        "process_share": 1.0 if is_right else share if has_result else None,
        "lenient_answer_right": is_right or answer if has_result else None,
        "lenient_right": is_right if has_result else None,
    }  # fmt: skip
    return alone(fields.pop("player", "a"), seed, **usual | fields)


def _value(cell: Any) -> float:
    assert isinstance(cell, Ranged) and 0.0 <= cell.low <= cell.value <= cell.high <= 1.0
    return cell.value


# Rows of its tables 4 and 6, Chinese: right items by level of both domains, replies without JSON
# and with broken JSON; then what is printed: AP-Acc of both domains and overall, NIJ-Acc likewise.
PRINTED: dict[str, tuple[list[int], list[int], list[int], list[int], str]] = {
    "o1-preview": (
        [37, 30, 22, 19], [20, 18, 11, 10], [0, 0], [0, 0],
        "60.00 47.58 54.93 60.00 47.58 54.93",
    ),
    "gpt-4-turbo": (
        [27, 7, 7, 5], [21, 7, 3, 1], [1, 2], [0, 2],
        "25.56 25.81 25.66 25.70 26.67 26.09",
    ),
    "qwen2-72b": (
        [24, 9, 7, 1], [14, 5, 1, 1], [6, 2], [1, 2],
        "22.78 16.94 20.39 23.70 17.50 21.16",
    ),
    "internlm-2.5-7b": (
        [6, 2, 0, 0], [5, 1, 0, 0], [32, 2], [3, 7],
        "4.44 4.84 4.61 5.52 5.22 5.38",
    ),
    "mistral-7b": (
        [2, 0, 0, 0], [6, 1, 0, 0], [66, 14], [13, 6],
        "1.11 5.65 2.96 1.98 6.73 4.39",
    ),
}  # fmt: skip
LEVELS = {  # of the same rows: AP-Acc by level, first execution
    "o1-preview": "82.22 66.67 48.89 42.22 64.52 58.06 35.48 32.26",
    "gpt-4-turbo": "60.00 15.56 15.56 11.11 67.74 22.58 9.68 3.23",
    "qwen2-72b": "53.33 20.00 15.56 2.22 45.16 16.13 3.23 3.23",
    "internlm-2.5-7b": "13.33 4.44 0.00 0.00 16.13 3.23 0.00 0.00",
    "mistral-7b": "4.44 0.00 0.00 0.00 19.35 3.23 0.00 0.00",
}
SIZES = {"execution": 45, "planning": 31}  # items per level


def _published(player: str) -> Iterator[dict[str, Any]]:
    """The 304 replies of a row."""
    *right, without, broken, _ = PRINTED[player]
    for place, (domain, size) in enumerate(SIZES.items()):
        faults = [IF] * without[place] + [JS] * broken[place]
        for level in (3, 2, 1, 0):
            for seed in range(size):
                solved = seed < right[place][level]
                error = "" if solved else faults.pop() if faults else "wrong_answer"
                where = {"level": str(level), "domain": domain, "language": "zh"}
                yield _item(seed, error, player=player, puzzle=domain, **where)
        assert not faults


def test_the_papers_tables_follow_from_their_counts() -> None:
    """Both averages weigh items: 180 of execution and 124 of planning."""
    found = _tables(*(row for player in PRINTED for row in _published(player)))
    domains = _rows(found["logicgame_domains"], "player", "domain")
    levels = _rows(found["logicgame_levels"], "player", "domain", "level")

    for player, (*_, without, broken, printed) in PRINTED.items():
        own = [domains[player, domain] for domain in (*SIZES, "all")]
        assert [180, 124, 304] == [row["n"] for row in own]
        cells = [row[figure].value for figure in ("AP-Acc", "NIJ-Acc") for row in own]
        assert printed == " ".join(f"{100 * cell:.2f}" for cell in cells)
        for errors, figure in ((without, "IFError"), (broken, "JSError")):
            assert [errors[0] / 180, errors[1] / 124] == [row[figure].value for row in own[:2]]
        steps = [levels[player, domain, f"{at}"]["AP-Acc"] for domain in SIZES for at in range(4)]
        assert LEVELS[player] == " ".join(f"{100 * cell.value:.2f}" for cell in steps)


def test_the_average_of_the_english_table_is_of_items_too() -> None:
    """o1-preview: 103 of 180 and 59 of 124 right, one reply without JSON; 53.29 % and 53.47 %,
    where the mean of both domains would be 52.56 %.
    """
    rows = [
        *(_item(seed, "") for seed in range(103)),
        *(_item(seed, "wrong_answer") for seed in range(103, 179)),
        _item(179, IF),
        *(_item(seed, "", domain="planning", puzzle="b") for seed in range(59)),
        *(_item(seed, "wrong_answer", domain="planning", puzzle="b") for seed in range(59, 124)),
    ]
    found = _rows(_tables(*rows)["logicgame_domains"], "domain")

    assert ["57.54", "47.58", "53.47"] == [
        f"{100 * _value(row['NIJ-Acc']):.2f}" for row in found.values()
    ]
    assert f"{100 * _value(found['all']['AP-Acc']):.2f}" == "53.29"


def test_figures_by_hand() -> None:
    """Eight replies and two that were cut off: three right, two right but for their process, one
    wrong, one without JSON, one with broken JSON.
    """
    rows = [
        *(_item(seed, "") for seed in (1, 2, 3)),
        _item(4, "wrong_process", answer=True, share=0.5),
        _item(5, "missing_process", answer=True),
        _item(6, "wrong_answer", share=0.25),
        _item(7, IF),
        _item(8, JS),
        _item(9, None),
        _item(10, None),
    ]
    row = _rows(_tables(*rows)["logicgame_domains"], "domain")["execution"]

    assert (row["n"], row["left out"], row["language"]) == (8, 2, "en")
    assert _value(row["A-Acc"]) == 5 / 8
    assert _value(row["P-Acc"]) == (3 + 0.5 + 0.25) / 8
    assert _value(row["AP-Acc"]) == 3 / 8
    assert _value(row["IFError"]) == _value(row["JSError"]) == 1 / 8
    assert _value(row["NIJ-Acc"]) == pytest.approx(3 / 8 / (1 - 1 / 8 - 1 / 8)) == 3 / 6
    assert _value(row[HALF]) == 2 / 8


def test_by_domain_category_family_level_and_language() -> None:
    """Each item has the same weight: a category with three counts three times as much."""
    planning = {"domain": "planning", "puzzle": "minesweeper"}
    rows = [
        _item(1, ""),
        _item(2, "wrong_answer", level="3"),
        _item(3, "wrong_answer", family="b"),
        _item(4, "", **planning),
        _item(4, "wrong_answer", language="zh", **planning),
        _item(5, "", player="b", shots=2),
        _item(5, "wrong_answer", player="b", shots=0),
    ]
    found = _tables(*rows)

    def shares(table: str, *keys: str) -> dict[Any, tuple[int, float]]:
        every = _rows(found[f"logicgame_{table}"], "player", "shots", "language", *keys)
        return {key: (row["n"], row["AP-Acc"].value) for key, row in every.items() if key[0] == "a"}

    en, zh = ("a", None, "en"), ("a", None, "zh")
    assert shares("domains", "domain") == {
        (*en, "execution"): (3, 1 / 3),
        (*en, "planning"): (1, 1.0),
        (*en, "all"): (4, 2 / 4),
        (*zh, "planning"): (1, 0.0),
        (*zh, "all"): (1, 0.0),
    }
    assert shares("levels", "domain", "level") == {
        (*en, "execution", "1"): (2, 1 / 2),
        (*en, "execution", "3"): (1, 0.0),
        (*en, "planning", "1"): (1, 1.0),
        (*en, "all", "1"): (3, 2 / 3),
        (*en, "all", "3"): (1, 0.0),
        (*zh, "planning", "1"): (1, 0.0),
        (*zh, "all", "1"): (1, 0.0),
    }
    assert shares("categories", "category") == {
        (*en, "slide_2048"): (3, 1 / 3),
        (*en, "minesweeper"): (1, 1.0),
        (*zh, "minesweeper"): (1, 0.0),
    }
    assert shares("families", "category", "family") == {
        (*en, "slide_2048", "a"): (2, 1 / 2),
        (*en, "slide_2048", "b"): (1, 0.0),
        (*en, "minesweeper", "a"): (1, 1.0),
        (*zh, "minesweeper", "a"): (1, 0.0),
    }
    shots = _rows(found["logicgame_domains"], "player", "shots", "domain")
    assert (0.0, 1.0) == tuple(shots["b", n, "execution"]["AP-Acc"].value for n in (0, 2))


def test_chosen_families_are_of_one_level() -> None:
    """As the suite has them: a family that an instance names is no level of its own."""
    levels = ("1,family=a", "1,family=b@dev", "2,family=a,size=3", "1")
    rows = [
        _item(seed, level=level.partition("@")[0], split=level.partition("@")[2] or "test")
        for seed, level in enumerate(levels)
    ]
    found = _rows(_tables(*rows)["logicgame_levels"], "level")

    assert {level: row["n"] for level, row in found.items()} == {"1": 2, "1@dev": 1, "2,size=3": 1}


def test_lenient_scores_stand_beside_the_strict_ones() -> None:
    rows = [
        _item(1, ""),
        _item(2, "wrong_answer", lenient_answer_right=True, lenient_right=True),
        _item(3, "wrong_answer", lenient_answer_right=True),
        _item(4, IF),
    ]
    row = _rows(_tables(*rows)["logicgame_lenient"], "domain")["execution"]

    assert [1 / 4, 3 / 4] == [_value(row[name]) for name in ("A-Acc", "lenient A-Acc")]
    assert [1 / 4, 2 / 4] == [_value(row[name]) for name in ("AP-Acc", "lenient AP-Acc")]


def test_replies_on_one_start_belong_together() -> None:
    """Twenty replies on two starts tell less than on twenty."""
    apart = [_item(seed, "" if seed % 2 else "wrong_answer") for seed in range(20)]
    together = [
        _item(seed % 2, "" if seed % 2 else "wrong_answer", repeat=seed) for seed in range(20)
    ]
    widths = []
    for rows in (apart, together):
        cell = _rows(_tables(*rows)["logicgame_domains"], "domain")["execution"]["AP-Acc"]
        assert cell.value == 0.5
        widths.append(cell.high - cell.low)

    assert widths[1] > 1.5 * widths[0]


def test_who_has_only_errors_has_no_accuracy_without_them() -> None:
    """And who has only matches that were cut off has no figures."""
    rows = [_item(1, IF), _item(2, JS), _item(3, None, player="b")]
    found = _rows(_tables(*rows)["logicgame_domains"], "player")

    assert found["a"]["NIJ-Acc"] is None and found["a"]["AP-Acc"].value == 0.0
    assert (found["b"]["n"], found["b"]["left out"], found["b"]["A-Acc"]) == (0, 1, None)


def test_pictures_and_splits_stand_apart_and_other_puzzles_are_left_out() -> None:
    rows = [
        _item(1, "", model="m", modality="text", split="dev"),
        _item(2, "wrong_answer", model="m", modality="image"),
        alone("a", 3, suite="mine", puzzle="sudoku"),
    ]
    found = _tables(*rows)

    assert {"execution": 1, "execution (image)": 1} == {
        domain: row["n"] for domain, row in _rows(found["logicgame_domains"], "domain").items()
    }
    assert {"1@dev", "1"} == set(found["logicgame_levels"].column("level"))
    assert {"slide_2048", "slide_2048 (image)"} == set(
        found["logicgame_categories"].column("category")
    )
    assert not list(logicgame.tables(table_of(rows[2])))


def test_runs_of_every_suite_are_scored() -> None:
    """A match that is in two of them counts once."""
    rows = [_item(1, "", suite=suite, run=suite) for suite in ("mine", "quick")]
    [(score, tables, _)] = score_tables(table_of(*rows, _item(2, "", suite="other")))

    assert score.title == "LogicGame"
    assert _rows(tables[0], "domain")["execution"]["n"] == 2


NAMES = ("slide_2048", "reversi")
SUITE = "attempts = 1\n" + "".join(
    f'[[puzzles]]\npuzzle = "{name}"\nlevels = ["1"]\nseeds = "1-5"\n' for name in NAMES
)


def _misbehave(question: Question, seed: int) -> str:
    """Right, right but for the process, in words, broken off, and JSON of another kind."""
    right = json.loads(question.solution())
    short = right | {"process": right["process"][:-1]}
    replies = [right, short, "It is hard to say.", '{"answer": ["2', {"answer": 7, "process": {}}]
    said = replies[seed - 1]
    return said if isinstance(said, str) else f"So:\n```json\n{json.dumps(said)}\n```"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a run of the oracle and of a model that misbehaves, and what was printed."""
    pytest.importorskip("aiohttp", reason="models need aiohttp: pip install 'quandary[models]'")
    folder = tmp_path_factory.mktemp("worked")
    (folder / "worked.toml").write_text(SUITE)
    asked = dict[str, str]()
    for name in NAMES:
        for seed in range(1, 6):
            question = drawing.instance(f"{name}/1#{seed}")
            assert isinstance(question, Question)
            asked[question.text(0)] = _misbehave(question, seed)

    def speak(body: Mapping[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        return next(said for text, said in asked.items() if text in prompt)

    command = ["run", "--suite", str(folder / "worked.toml"), "--player", "oracle"]
    with counting_server(speak) as server, redirect_stderr(StringIO()):
        command += ["--player", "openai/any", "--base-url", server.address]
        with redirect_stdout(StringIO()) as told:
            assert 0 == main([*command, "--out", str(folder / "run")])
    return folder / "run", told.getvalue()


def test_a_real_run_of_a_model_that_misbehaves(played: tuple[Path, str]) -> None:
    """Of ten replies two are right, two right but for the process, two without JSON, two with
    broken JSON, two of other types.
    """
    [scores] = paper_scores([played[0]])
    found = {table.key: table for table in scores.tables}
    row = _rows(found["logicgame_domains"], "player")["openai/any"]

    assert (scores.title, row["shots"], row["domain"]) == ("LogicGame", 0, "execution")
    assert (row["n"], row["left out"]) == (10, 0)
    expected = {"A-Acc": 0.4, "AP-Acc": 0.2, "IFError": 0.2, "JSError": 0.2, HALF: 0.2}
    assert expected == {figure: _value(row[figure]) for figure in expected}
    assert _value(row["NIJ-Acc"]) == pytest.approx(0.2 / (1 - 0.2 - 0.2))
    shares = [_agreement(name) for name in NAMES]
    assert _value(row["P-Acc"]) == pytest.approx((2 + sum(shares)) / 10)
    oracle = _rows(found["logicgame_domains"], "player")["oracle"]
    right = {"A-Acc", "P-Acc", "AP-Acc", "NIJ-Acc"}
    assert {1.0} == {_value(oracle[figure]) for figure in right}
    assert {0.0} == {_value(oracle[figure]) for figure in {*logicgame.FIGURES} - right}


def _agreement(name: str) -> float:
    """The share of the process of seed 2 that its first entries are, written without blanks: all
    but the bracket that ends it, of which the longer text has the next entry's comma.
    """
    question = drawing.instance(f"{name}/1#2")
    assert isinstance(question, Question)
    process = json.loads(question.solution())["process"]
    whole, short = (json.dumps(each, separators=(",", ":")) for each in (process, process[:-1]))
    return next(at for at in count() if whole[at] != short[at]) / len(whole)


def test_a_run_ends_with_these_scores(played: tuple[Path, str]) -> None:
    folder, output = played

    assert "Worked answers, AP-Acc (answer and process both right): " in output
    assert "Worked answers by" not in output
    assert f"More: quandary results {folder}" in output


def test_results_prints_all_tables(
    played: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["results", str(played[0]), "--papers", "--json"])
    keys = [json.loads(line)["key"] for line in capsys.readouterr().out.splitlines()]

    assert keys == [
        f"logicgame_{key}"
        for key in ("domains", "levels", "categories", "families", "lenient", "first_wrong_steps")
    ]
