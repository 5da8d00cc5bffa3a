"""LogicGame's figures compared: means of both languages, paired differences, first wrong steps.

The second computations go row by row through plain dictionaries; their intervals are those of the
textbooks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import log, sqrt
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from scipy.optimize import minimize_scalar
from scipy.stats import norm, t

from paper_rows import alone, rows_by, table_of
from quandary.papers.logicgame import scores as logicgame
from quandary.report.scores import _of_papers
from quandary.scoring.score_table import Ranged, ScoreTable

Z = norm.ppf(0.975)
FIELDS = {"A-Acc": "answer_right", "P-Acc": "process_share", "AP-Acc": "score"}
PUZZLES = {"slide_2048": "execution", "reversi": "execution", "minesweeper": "planning"}
Row = dict[str, Any]


def _tables(rows: Iterable[Row]) -> dict[str, ScoreTable]:
    return {table.key: table for table in logicgame.tables(table_of(*rows))}


def _item(
    seed: int, answer: float = 1.0, share: float = 1.0, puzzle: str = "slide_2048", **fields: Any
) -> Row:
    """A reply with a right answer or not, and this share of the process."""
    right = answer == share == 1.0
    error = "" if right else "wrong_process" if answer else "wrong_answer"
    usual = {
        "suite": "mine", "puzzle": puzzle, "level": "1", "family": "a", "domain": PUZZLES[puzzle],
        "score": float(right), "error": error, "answer_right": bool(answer),
        "process_share": share, "shots": 0, "thoughts": "steps", "history": True,
        "first_wrong_share": None if share == 1.0 else share,
    }  # fmt: skip
    return alone(fields.pop("player", "openai/x"), seed, **usual | fields)


def _random_rows(seed: int) -> list[Row]:
    """Two models, two languages, up to two shots; one in six replies is missing or cut off."""
    rng, rows = Random(seed), list[Row]()
    asked = product(("openai/x", "local/y"), ("en", "zh"), (0, 1, 2), PUZZLES, "0123", range(9))
    for model, language, shots, puzzle, level, seed in asked:
        if rng.random() < 1 / 12:
            continue
        settings = [f"language={language}"] + [f"shots={shots}"] * (shots > 0)
        name = ",".join([model, *settings])
        skill = 0.5 + 0.1 * shots - 0.1 * int(level) + 0.2 * (model == "local/y")
        answer, share = float(rng.random() < skill), rng.choice([0.2, 0.5, 1.0, 1.0])
        more: Row = {"level": level, "player": name, "language": language, "shots": shots}
        if rng.random() < 1 / 12:
            more |= dict.fromkeys(("score", "error", "answer_right", "process_share"))
            more["first_wrong_share"] = None
        rows.append(_item(seed, answer, share, puzzle, **more))
    return rows


def _parts(rows: Iterable[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Replies with a result by domain and level, and over all of either."""
    there = [row for row in rows if row["score"] is not None]
    for domain, level in product(("execution", "planning", "all"), ("0", "1", "2", "3", "all")):
        own = [
            row
            for row in there
            if domain in ("all", row["domain"]) and level in ("all", row["level"])
        ]
        yield domain, level, own


def _wilson(share: float, cases: float) -> tuple[float, float]:
    centre, half = (
        share + Z**2 / 2 / cases,
        Z * sqrt(share * (1 - share) / cases + Z**2 / 4 / cases**2),
    )
    return (centre - half) / (1 + Z**2 / cases), (centre + half) / (1 + Z**2 / cases)


def _of_weighted(rows: list[Row], field: str, weights: list[float]) -> tuple[float, ...]:
    """A weighted mean; its interval is Wilson's for as many cases as would vary as much as starts,
    which are the clusters of a ratio estimate.
    """
    total = sum(weights)
    mean = sum(w * float(row[field]) for w, row in zip(weights, rows, strict=True)) / total
    off = defaultdict[str, float](float)
    for weight, row in zip(weights, rows, strict=True):
        off[row["instance"]] += weight * (float(row[field]) - mean) / total
    starts = len(off)
    variance = sum(each**2 for each in off.values()) * starts / (starts - 1)
    cases = float(starts)
    if variance > 1e-12:
        trust = Z / t.ppf(0.975, starts - 1)
        cases = max(mean * (1 - mean) / variance * trust**2, starts)
    return mean, *_wilson(mean, cases)


@pytest.mark.parametrize("seed", range(3))
def test_means_of_languages_by_a_second_computation(seed: int) -> None:
    rows = _random_rows(seed)
    found = rows_by(_tables(rows)["logicgame_both_languages"], "player", "shots", "domain", "level")

    assert len(found) == 2 * 3 * 3 * 5
    for model, shots in product(("openai/x", "local/y"), (0, 1, 2)):
        own = [r for r in rows if r["player"].startswith(model) and r["shots"] == shots]
        for domain, level, part in _parts(own):
            row = found[f"{model},shots={shots}" if shots else model, shots, domain, level]
            assert (row["languages"], row["n"]) == ("en, zh", len(part))
            by_language = {
                name: [r for r in part if r["language"] == name] for name in ("en", "zh")
            }
            weights = [1 / len(by_language[r["language"]]) for r in part]
            for name, field in FIELDS.items():
                means = [
                    sum(float(r[field]) for r in each) / len(each) for each in by_language.values()
                ]
                assert row[name].value == pytest.approx(sum(means) / 2)
                assert row[name] == pytest.approx(_of_weighted(part, field, weights), abs=1e-6)


def test_the_mean_of_the_papers_two_tables() -> None:
    """o1-preview: 57.22 and 60.00 % of 180 items in English and Chinese, 47.58 % of 124 in both;
    53.29 and 54.93 % of all.
    """
    right = {("slide_2048", "en"): 103, ("minesweeper", "en"): 59}
    right |= {("slide_2048", "zh"): 108, ("minesweeper", "zh"): 59}
    sizes = {"slide_2048": 180, "minesweeper": 124}
    rows = [
        _item(seed, float(seed < count), float(seed < count), puzzle, language=language)
        for (puzzle, language), count in right.items()
        for seed in range(sizes[puzzle])
    ]
    found = rows_by(_tables(rows)["logicgame_both_languages"], "domain", "level")

    shown = {
        domain: (row["n"], f"{100 * row['AP-Acc'].value:.2f}")
        for (domain, level), row in found.items()
        if level == "all"
    }
    assert shown == {"execution": (360, "58.61"), "planning": (248, "47.58"), "all": (608, "54.11")}


def test_languages_weigh_the_same_however_many_items_were_read() -> None:
    """Two of four right in English, the only one in Chinese; half of 0.5 and 1."""
    rows = [_item(seed, float(seed < 2), float(seed < 2)) for seed in range(4)]
    rows.append(_item(0, language="zh"))
    found = rows_by(_tables(rows)["logicgame_both_languages"], "domain", "level")

    assert {key: (row["n"], row["AP-Acc"].value) for key, row in found.items()} == {
        ("execution", "1"): (5, 0.75),
        ("execution", "all"): (5, 0.75),
    }
    assert not _tables(rows[:4])["logicgame_both_languages"].rows


def _pairs(rows: list[Row], setting: str, to: object, usual: object) -> list[tuple[Row, Row]]:
    """Of each instance the two replies of the same model, with all else equal."""
    found = dict[Any, dict[Any, Row]]()
    for row in rows:
        kept = row["shots"] if setting == "language" else row["language"]
        place = row["player"].partition(",")[0], row["puzzle"], row["level"], row["instance"], kept
        assert row[setting] not in found.setdefault(place, {})
        found[place][row[setting]] = row
    return [(each[to], each[usual]) for each in found.values() if {to, usual} <= each.keys()]


def _score_test(ahead: int, behind: int, n: int, difference: float) -> float:
    """The statistic of the score test of a paired difference: the likelihood of the three counts
    under that difference is maximised by search.
    """

    def loss(chance: float) -> float:  # that the second alone is right
        cells = chance + difference, chance, 1 - 2 * chance - difference
        counts = ahead, behind, n - ahead - behind
        if min(cells) < 0:
            return 1e9
        return -sum(c * _log(p) for c, p in zip(counts, cells, strict=True))

    bounds = max(0.0, -difference), (1 - difference) / 2
    chance = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    variance = n * (2 * chance + difference * (1 - difference))
    return float((ahead - behind - n * difference) / sqrt(max(variance, 1e-300)))


def _log(chance: float) -> float:
    return log(max(chance, 1e-300))


@pytest.mark.parametrize(
    ("key", "setting", "usual", "others"),
    [("languages", "language", "en", ("zh",)), ("shots", "shots", 0, (1, 2))],
)
@pytest.mark.parametrize("seed", range(2))
def test_differences_by_a_second_computation(
    key: str, setting: str, usual: object, others: tuple[object, ...], seed: int
) -> None:
    """Figures 3, 4, 7 and 8 of the paper are such differences of P-Acc between shots, by domain and
    by level; ends of intervals of right or wrong are where the score test rejects.
    """
    rows, kept = _random_rows(seed), "shots" if setting == "language" else "language"
    table = _tables(rows)[f"logicgame_{key}"]
    found = rows_by(table, "player", kept, "from", "to", "domain", "level")
    same = (0, 1, 2) if kept == "shots" else ("en", "zh")

    assert len(found) == len(table.rows) == 2 * len(same) * len(others) * 15
    for model, value, to in product(("openai/x", "local/y"), same, others):
        own = [r for r in rows if r["player"].startswith(model) and r[kept] == value]
        for domain, level, part in _parts(own):
            player = model if kept == "shots" else f"{model},language={value}"
            player += f",shots={value}" if kept == "shots" and value else ""
            row = found[player, value, usual, to, domain, level]
            pairs = _pairs(part, setting, to, usual)
            assert row["pairs"] == len(pairs) > 0
            for name, field in FIELDS.items():
                off = [float(one[field]) - float(other[field]) for one, other in pairs]
                assert row[name].value == pytest.approx(sum(off) / len(off))
                assert -1 <= row[name].low <= row[name].value <= row[name].high <= 1
            for name in ("A-Acc", "AP-Acc") if level == "all" else ():
                off = [int(one[FIELDS[name]]) - int(other[FIELDS[name]]) for one, other in pairs]
                counts = off.count(1), off.count(-1), len(off)
                assert _score_test(*counts, row[name].low) == pytest.approx(Z, abs=1e-3)
                assert _score_test(*counts, row[name].high) == pytest.approx(-Z, abs=1e-3)


def test_only_replies_under_the_same_settings_are_pairs() -> None:
    """Not those with other thoughts, of other families, or without a result; repeats are one."""
    rows = [
        *(_item(seed, language="en") for seed in range(6)),
        _item(0, 0.0, 0.25, player="openai/x,language=zh", language="zh"),
        _item(0, 1.0, 0.75, player="openai/x,language=zh", language="zh", repeat=1),
        _item(1, language="zh", prompting="none"),
        _item(2, language="zh", family="b"),
        _item(3, language="zh", shots=1),
        _item(4, language="zh", player="openai/z"),
        _item(5, language="zh", score=None, error=None, answer_right=None, process_share=None),
    ]
    found = rows_by(_tables(rows)["logicgame_languages"], "player", "shots", "domain", "level")

    (row,) = (row for key, row in found.items() if key[-1] == "all")
    assert (row["player"], row["shots"], row["pairs"]) == ("openai/x", 0, 1)
    assert [row[name].value for name in FIELDS] == [-0.5, -0.5, -1.0]
    assert row["P-Acc"] == Ranged(-0.5, -1.0, 1.0)  # one start says nothing of others


def test_items_with_other_names_are_pairs_of_one_instance() -> None:
    """As published items have them: the names differ by language, the start does not."""
    english, chinese = _item(7), _item(7, 0.0, 0.5, language="zh")
    english["spec"] = "logicgame slide_2048/1 logic_string0801_16"
    chinese["spec"] = "logicgame slide_2048/1 logic_string0625_19"
    found = rows_by(_tables([english, chinese])["logicgame_languages"], "domain", "level")

    assert found["execution", "all"]["pairs"] == 1
    assert found["execution", "1"]["P-Acc"].value == -0.5


def test_without_the_usual_value_the_first_one_stands_for_it() -> None:
    rows = [_item(1, shots=shots, player=f"openai/x,shots={shots}") for shots in (1, 2)]
    table = _tables(rows)["logicgame_shots"]

    assert {row[1:4] for row in table.rows} == {("en", 1, 2)}
    assert not _tables(rows)["logicgame_languages"].rows
    strategies = [_item(1, player=name, shots=None) for name in ("oracle", "random")]
    assert not _tables(strategies)["logicgame_shots"].rows


@pytest.mark.parametrize("seed", range(2))
def test_first_wrong_steps_by_a_second_computation(seed: int) -> None:
    rows = _random_rows(seed)
    found = rows_by(
        _tables(rows)["logicgame_first_wrong_steps"],
        *("player", "shots", "language", "domain", "level"),
    )
    players = {(row["player"], row["shots"], row["language"]) for row in rows}

    for player, shots, language in players:
        own = [row for row in rows if row["player"] == player]
        for domain, level, part in _parts(own):
            wrong = [row for row in part if row["first_wrong_share"] is not None]
            row = found.pop((player, shots, language, domain, level), {"n": 0})
            assert row["n"] == len(wrong)
            if len(wrong) > 1:
                expected = _of_weighted(wrong, "first_wrong_share", [1.0] * len(wrong))
                assert row["first wrong step"] == pytest.approx(expected, abs=1e-6)
    assert not found


def test_players_with_matches_to_play_have_no_intervals() -> None:
    """Also where a table names them without their language or shots."""

    class Gap:
        player = "openai/x,language=zh,shots=1"

    rows = [
        _item(seed, player=f"openai/x,language={language},shots={shots}", **more)
        for seed in (1, 2)
        for language, shots in product(("en", "zh"), (0, 1))
        if (more := {"language": language, "shots": shots})
    ]
    (scored,) = [each for each in _of_papers(table_of(*rows), [Gap()]) if each.title == "LogicGame"]  # type: ignore[list-item]
    found = {table.key: table for table in scored.tables}

    for key in ("both_languages", "languages", "shots"):
        table = found[f"logicgame_{key}"]
        cells = {row[table.head.index("player")]: row[-1] for row in table.rows}
        assert any(isinstance(cell, float) for cell in cells.values()), key
        assert table.notes[0].startswith("PARTIAL RESULTS")
