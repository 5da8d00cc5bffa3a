"""Leaderboards hold comparable rows only: which boards there are, and who is on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

import pytest

pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

from quandary.report.formats import comma_separated, leaderboards
from quandary.results.run_rules import RunRules
from quandary.scoring import leaderboard
from quandary.scoring.board_tables import BRACKETS
from quandary.scoring.board_tables import leaderboards as tables_of
from quandary.scoring.level_groups import COLUMNS, fixed_rng, grouped_seats, rows_on, seat_groups
from quandary.scoring.score_table import Ranged, ScoreTable
from seat_tables import duel, seat_row, seat_table

Rows: TypeAlias = list[dict[str, Any]]
# The puzzles of a suite.
MANY = [f"p{at:02}" for at in range(12)]


def _rows(player: str, puzzles: Iterable[str], score: float = 0.5, **columns: Any) -> Rows:
    """Two starts on each puzzle."""
    return [
        seat_row(at, player, score, puzzle=puzzle, **columns) for puzzle in puzzles for at in (1, 2)
    ]


def _tables(*rows: Rows, rules: Mapping[str, RunRules] | None = None) -> list[ScoreTable]:
    table = seat_table([row for some in rows for row in some]).select(COLUMNS)
    return tables_of(grouped_seats(table, rules))


def _players(tables: Iterable[ScoreTable]) -> list[tuple[str, set[str]]]:
    return [(table.title, set(map(str, table.column("player")))) for table in tables]


def test_a_score_over_one_puzzle_does_not_stand_above_one_over_twelve() -> None:
    """Each has its board, and whoever played all twelve is also compared on the one, there only."""
    large = [*_rows("a", MANY, 0.5), *_rows("b", MANY, 0.25)]
    tables = _tables(large, _rows("quick", MANY[:1], 1.0))

    assert [("Leaderboard of mine", {"a", "b"}), ("Leaderboard of mine: 1 of 12 levels",
            {"a", "b", "quick"})] == _players(tables)  # fmt: skip
    assert ("quick", "a", "b") == tables[1].column("player")
    assert (2, 2, 2) == tables[1].column("n") and (24, 24) == tables[0].column("n")
    assert None not in (*tables[0].column("ranks"), *tables[1].column("ranks"))
    assert ("p00/easy",) == tables[1].levels and 12 == len(tables[0].levels)
    assert "12 levels of 12 puzzles." == tables[0].lead
    assert "1 level of 1 puzzle: p00/easy." == tables[1].lead


def test_one_set_of_levels_is_one_board() -> None:
    """Also if it was played in several runs, in several languages, or in part only so far."""
    runs = (
        _rows("a", MANY[:3]),
        _rows("openai/x,language=en", MANY[:3], run="en"),
        _rows("openai/x,language=zh", MANY[:3], run="zh", language="zh"),
        [row | {"score": None, "cause": "unplayed"} for row in _rows("b", MANY[2:3], run="b")],
        _rows("b", MANY[:2], run="b"),
    )
    [table] = _tables(*runs)

    assert ("Leaderboard of mine", "leaderboard_mine") == (table.title, table.key)
    assert ("", (), ()) == (table.lead, table.levels, table.shared_settings)
    assert 4 == len(table.rows)
    assert {"b": None} == {
        player: ranks
        for player, ranks in zip(table.column("player"), table.column("ranks"), strict=True)
        if ranks is None
    }
    assert table.plain().keys() == {"key", "title", "formula", "rows", "notes"}


def test_players_are_compared_on_the_levels_that_they_share() -> None:
    """Each is alone on all of its own."""
    tables = _tables(_rows("a", MANY[:3]), _rows("b", MANY[1:4]))

    assert [({"a"}, 3), ({"b"}, 3), ({"a", "b"}, 2)] == [
        (players, len(table.levels))
        for (_, players), table in zip(_players(tables), tables, strict=True)
    ]
    assert ("1-2", "1-2") == tables[2].column("ranks") and (None,) == tables[0].column("ranks")
    assert ("p01/easy", "p02/easy") == tables[2].levels
    keys = [table.key for table in tables]
    assert 3 == len(set(keys)) and {"leaderboard_mine_3_levels"} < set(keys)


def test_suites_have_boards_and_players_of_all_suites_have_one_over_them() -> None:
    """`c` played one of the suites, and `d` nothing that others did."""
    suites = [
        *(_rows(player, MANY[:3], suite="one") for player in "abc"),
        *(_rows(player, MANY[3:5], suite="two") for player in "ab"),
    ]
    tables = _tables(*suites)

    assert [("Leaderboard", {*"ab"}), ("Leaderboard of one", {*"abc"}),
            ("Leaderboard of two", {*"ab"})] == _players(tables)  # fmt: skip
    assert ["leaderboard", "leaderboard_one", "leaderboard_two"] == [one.key for one in tables]
    assert [("Leaderboard of one and two", {*"ab"}), ("Leaderboard of one", {*"abc"}),
            ("Leaderboard of two", {*"ab"}), ("Leaderboard of three", {"d"})] == _players(
        _tables(*suites, _rows("d", MANY[9:10], suite="three"))
    )  # fmt: skip


def test_suites_with_the_same_levels_have_boards_of_their_own() -> None:
    """There is none over both of them: it would have the same players and levels once more."""
    suites = [_rows(player, MANY[:2], suite=suite) for player in "ab" for suite in ("one", "two")]
    more = _rows("c", MANY[:2], suite="two")

    assert [("Leaderboard of one", {*"ab"}), ("Leaderboard of two", {*"ab"})] == _players(
        _tables(*suites)
    )
    assert [("Leaderboard of two", {*"abc"}), ("Leaderboard of one", {*"ab"})] == _players(
        _tables(*suites, more)
    )


def test_a_part_of_a_suite_is_compared_over_all_suites() -> None:
    """`b` and `c` played the same puzzle of two suites."""
    tables = _tables(
        *(_rows("a", MANY[:2], suite=suite) for suite in ("one", "two")),
        _rows("b", MANY[:1], suite="one"),
        _rows("c", MANY[:1], suite="two"),
    )

    assert [("Leaderboard of one", {"a"}), ("Leaderboard of two", {"a"}),
            ("Leaderboard of 1 shared level", {*"abc"})] == _players(tables)  # fmt: skip


def test_a_player_alone_needs_no_board_over_suites() -> None:
    """Its scores are on the boards of suites; but if nobody else plays, it has one."""
    both = [_rows("a", MANY[:2], suite="one"), _rows("a", MANY[2:3], suite="two")]

    assert ["Leaderboard", "Leaderboard of one", "Leaderboard of two"] == [
        table.title for table in _tables(*both)
    ]
    assert [("Leaderboard of one", {"a", "b"}), ("Leaderboard of two", {"a"})] == _players(
        _tables(*both, _rows("b", MANY[:2], suite="one"))
    )


def test_suites_that_share_levels_are_compared_on_them() -> None:
    """Neither player is on a board of the other's suite."""
    tables = _tables(_rows("a", MANY[:3], suite="one"), _rows("b", MANY[2:4], suite="two"))

    assert [("Leaderboard of one", {"a"}), ("Leaderboard of two", {"b"}),
            ("Leaderboard of 1 shared level", {"a", "b"})] == _players(tables)  # fmt: skip
    assert ("p02/easy",) == tables[2].levels
    assert "Results of these players on other levels do not count here." in tables[2].notes


def test_versions_of_a_puzzle_are_not_compared() -> None:
    """`a` has results of both versions of p00, each on a level of its own."""
    old = _rows("a", MANY[:2], 1.0, run="old", version=1)
    new = [*_rows("a", MANY[:1], 0.0, run="new", version=2), *_rows("a", MANY[1:2], 1.0, run="new")]
    other = [*_rows("b", MANY[:1], 0.5, version=2), *_rows("b", MANY[1:2], 0.5)]
    rows = [*old, *new, *other]
    alone, both = _tables(rows)

    assert {"a"} == set(alone.column("player")) and 3 == len(alone.levels)
    assert ("p00/easy (version 2)", "p01/easy") == both.levels
    assert {"a": 0.5, "b": 0.5} == _scores(both)
    assert both.lead.endswith(f": p00/easy (version 2) and p01/easy. {BRACKETS}")
    levels = leaderboard.by_level(seat_table(rows), fixed_rng())
    assert ["easy (version 1)", "easy (version 2)", "easy (version 2)"] == list(
        levels.column("level")[:3]
    )
    assert "mixed" not in " ".join(levels.notes)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (RunRules(tries=3), "3 tries"),
        (RunRules(attempts=1), "1 attempt"),
        (RunRules(count_unreadable=True), "unreadable replies count"),
        (RunRules(published_wording=True), "published wording"),
    ],
)
def test_runs_with_other_rules_are_not_compared(rules: RunRules, sentence: str) -> None:
    """Tries are for questions: games are compared all the same."""
    question, game = {"puzzle": "asked", "tries": 1}, {"puzzle": "nim"}
    rows = [
        seat_row(1, player, 1.0, run=player, **level)
        for player in ("a", "b")
        for level in (question, game)
    ]
    tables = _tables(rows, rules={"a": rules})
    own = {str(*table.column("player")): table for table in tables[:2]}
    shared = [("nim/easy",)] if {"tries", "unreadable"} & set(sentence.split()) else []

    assert {"a", "b"} == own.keys() and f"asked/easy ({sentence})" in own["a"].levels
    assert shared == [table.levels for table in tables[2:]]
    assert 1 == len(_tables(rows, rules={"a": rules, "b": rules}))


def test_matches_that_are_left_have_the_rules_of_their_run() -> None:
    """They do not say that they are questions; others who played the puzzle do."""
    rows = [seat_row(1, "a", 1.0, run="a", tries=3)]
    left = [seat_row(1, "b", None, run="b", cause="unplayed")]
    rules = RunRules(tries=3)

    assert 1 == len(_tables(rows, left, rules={"a": rules, "b": rules}))
    assert 2 == len(_tables(rows, left, rules={"a": rules, "b": RunRules()}))


def test_the_house_is_compared_on_the_games_that_it_plays() -> None:
    """It only sits opposite in two-player games."""
    games = [row for at in range(3) for row in duel(at, "openai/x", "house", 0.0)]
    tables = _tables(games, _rows("openai/x", MANY[:2], 1.0))

    assert [{"openai/x"}, {"openai/x", "house"}] == [players for _, players in _players(tables)]
    assert {"openai/x": 0.0, "house": 1.0} == _scores(tables[1])


def _scores(table: ScoreTable) -> dict[str, float]:
    scores = zip(table.column("player"), table.column("score"), strict=True)
    return {str(player): score.value for player, score in scores if isinstance(score, Ranged)}


def test_settings_of_all_models_are_named_once() -> None:
    """Above the table, where people read it; JSON and CSV have whole names."""
    settings = ",language=zh,max_tokens=300"
    names = [f"openai/{name}" for name in (f"x{settings},shots=1", f"x{settings}", f"y{settings}")]
    [table] = _tables(*(_rows(name, MANY[:2]) for name in (*names, "random")))
    text = leaderboards([table])

    assert ("language=zh", "max_tokens=300") == table.shared_settings
    assert "All models: language=zh, max_tokens=300." == table.lead
    assert {"openai/x,shots=1", "openai/x", "openai/y", "random"} == {
        line.split()[0] for line in text.splitlines()[6:10]
    }
    assert 1 == text.count("max_tokens")
    assert {*names, "random"} == {row["player"] for row in table.plain()["rows"]}
    assert all(name in comma_separated(table) for name in names)


@pytest.mark.parametrize(
    "names",
    [
        ("openai/x,shots=1", "random"),  # of one model nothing is shared
        ("openai/x,shots=1", "openai/y,shots=2"),
        ("openai/x,shots=1,list_moves=yes", "openai/x,list_moves=yes,shots=1"),  # would be equal
        ("program/x,shots=1", "program/y,shots=1"),  # programs have no settings
    ],
)
def test_names_that_must_stay_whole(names: tuple[str, ...]) -> None:
    """So that players can be told apart."""
    [table] = _tables(*(_rows(name, MANY[:1]) for name in names))

    assert () == table.shared_settings and "" == table.lead
    assert all(f"\n{name} " in leaderboards([table]) for name in names)


def test_what_is_true_of_one_board_stands_below_it() -> None:
    """And what is true of all of them once, at the end."""
    few = [row for row in _rows("b", MANY[:1]) if row["instance"] == "1"]
    lines = leaderboards(_tables(_rows("a", MANY[:2]), few)).splitlines()
    [own] = [line for line in lines if "not all players have results on the same" in line]
    [formula] = [line for line in lines if line.startswith("score: ")]

    assert (
        lines.index("Leaderboard of mine: 1 of 2 levels") < lines.index(own) < lines.index(formula)
    )


def test_rows_on_the_levels_of_a_board() -> None:
    """Of a suite, or of all."""
    rows = [*_rows("a", MANY[:2], suite="one"), *_rows("a", MANY[:3], suite="two")]
    table = seat_table(rows)
    [level] = {one.key for one in seat_groups(table) if one.key[:2] == ("one", "p00")}

    assert [("one", "p00")] * 2 == [
        (row["suite"], row["puzzle"]) for row in rows_on(table, [level]).to_pylist()
    ]
    assert 4 == len(rows_on(table, [level._replace(suite="")]))


@pytest.mark.parametrize("seed", range(12))
def test_boards_of_random_runs(seed: int) -> None:
    """Every row has all levels of its board and nothing else, everyone is on a board, and meets
    whoever it shares most with; the largest are first; scores are means of the levels.
    """
    rng = Random(seed)
    rows, played = Rows(), defaultdict[str, dict[str, dict[str, float]]](dict)
    for at in range(rng.randint(1, 6)):
        player = f"player {at}"
        for suite in rng.sample(["one", "two", "three"], rng.randint(1, 2)):
            for puzzle in sorted(rng.sample(MANY[:6], rng.randint(1, 6))):
                score = rng.choice([0.0, 0.25, 0.5, 1.0])
                rows += _rows(player, [puzzle], score, suite=suite, run=f"{suite} {at}")
                played[player].setdefault(f"{puzzle}/easy", {})[suite] = score
    tables = _tables(rows)

    met = defaultdict[str, list[tuple[int, set[str]]]](list)
    for table in tables:
        places = set(table.levels) or {f"{row['puzzle']}/easy" for row in rows}
        assert {len(places)} == set(table.column("levels")) and len(tables) == len(
            {one.key for one in tables}
        )
        suite = table.title.removeprefix("Leaderboard of ").partition(":")[0]
        for player, score in _scores(table).items():
            of = [played[player][place] for place in places]
            of_suite = suite in ("one", "two", "three")
            means = [scores[suite] if of_suite else fmean(scores.values()) for scores in of]
            assert score == pytest.approx(fmean(means))
            met[player].append((len(places), set(map(str, table.column("player")))))
        assert len(table.rows) == 1 or None not in table.column("ranks")
    sizes = [(len(table.levels), len(table.rows)) for table in tables]
    assert sizes == sorted(sizes, reverse=True)
    assert met.keys() == played.keys()
    for player, own in played.items():
        shared = [len(own.keys() & played[other].keys()) for other in played if other != player]
        most = max((size for size, players in met[player] if len(players) > 1), default=0)
        assert most == max(shared, default=0)
