"""What a run collects while it is played gives the scores that its tables give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import numpy as np

from quandary.arena.manifest import LANGUAGES
from quandary.arena.run import run
from quandary.arena.store import MANIFEST, RECORDS, keep, records
from quandary.arena.suite import read as read_suite
from quandary.catalogue.papers import papers
from quandary.matches.player import Reading, Readings
from quandary.matches.record import LoggedReply, Record
from quandary.players.registry import PlayerRegistry
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.results.match_facts import facts_of
from quandary.results.read_runs import read_run
from quandary.results.run_columns import PlayedRun, RunColumns
from quandary.scoring.level_groups import SeatGroup, groups_of
from quandary.scoring.plain_scores import plain_scores
from quandary.scoring.played_seats import groups_of_played, in_several_languages, played_seats
from quandary.scoring.scores import scores
from run_folders import run_folder

SUITE = """
repeats = 2
tries = 2
[[puzzles]]
puzzle = "expanding_nim"
levels = ["easy"]
seeds = "1-6"
[[puzzles]]
puzzle = "optimal_touring"
levels = ["easy"]
seeds = "1-2"
[[puzzles]]
puzzle = "game_of_24"
task = "check"
levels = ["easy"]
seeds = "1-2"
"""
PLAYERS = ("random", "house")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> PlayedRun:
    """A run of games and questions, with repeats, values and starts that are a short list."""
    folder, columns = tmp_path_factory.mktemp("whole") / "run", RunColumns()
    run(read_suite("several", SUITE), PLAYERS, folder, PlayerRegistry(), collector=columns)
    return PlayedRun(folder, columns, [])


@pytest.fixture(scope="module")
def part(whole: PlayedRun, tmp_path_factory: pytest.TempPathFactory) -> PlayedRun:
    """Matches are left to play, two were cut off, and one of these was played again."""
    folder = tmp_path_factory.mktemp("part") / "run"
    folder.mkdir()
    (folder / MANIFEST).write_bytes((whole.folder / MANIFEST).read_bytes())
    first, second, *others = list(records(whole.folder))[:-9]
    replies = (*first.said, LoggedReply(0, "no server", "infrastructure"))
    cut = {"scores": None, "values": None, "cause": "infrastructure", "said": replies}
    failed = replace(
        others[-1], cause="crash", offender=0, scores=(0.0, 1.0)[: len(others[-1].players)]
    )
    keep(folder / RECORDS, replace(first, **cut), replace(second, **cut), *others[:-1], failed)
    keep(folder / RECORDS, first)
    return read_run(folder)


def _plain(group: SeatGroup) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(group).items()
    }


def _same(one: list[SeatGroup], other: list[SeatGroup]) -> bool:
    """Nan is nan here."""
    return repr(list(map(_plain, one))) == repr(list(map(_plain, other)))


def test_groups_are_those_of_the_tables(whole: PlayedRun, part: PlayedRun) -> None:
    """Of a whole run, of one with gaps, and of both together."""
    assert not whole.left and len(part.left) > 0 and len(part.columns.superseded) == 1
    for runs in ([whole], [part], [whole, part]):
        found, expected = groups_of_played(runs), groups_of([played.folder for played in runs])
        assert _same(found.of_suites, expected.of_suites)
        assert _same(found.overall, expected.overall)


def test_only_exact_repeats_count_once(tmp_path: Path) -> None:
    """Not matches that end alike from starts that look different, or in another language."""
    start = GameOf24(("1", "3", "4", "6"))
    starts = [start, start, replace(start, expressions=("6", "4", "3", "1")), start]
    records = [
        Record(
            f"game_of_24/easy#{seed}", ("openai/any",), one, (), (), (0.0,), None, "unreadable", 0
        )
        for seed, one in enumerate(starts, start=1)
    ]
    folder = run_folder(tmp_path / "run", records, **{LANGUAGES: {"game_of_24/easy#4": "zh"}})

    [group], [row] = groups_of([folder]).overall, plain_scores(read_run(folder))
    assert _same([group], groups_of_played([read_run(folder)]).overall)
    assert (3, 1, 1) == (group.matches, group.repeats, len(group.seen))
    assert (3, 1, 1) == (row.matches, row.repeats, row.starts)


def test_columns_hold_what_records_say(whole: PlayedRun, part: PlayedRun) -> None:
    """Whether they were collected while playing or read from the folder."""
    for played in (whole, part):
        expected = list(facts_of(records(played.folder)))
        assert sorted(expected) == sorted(played.columns)
        assert sorted(expected) == sorted(read_run(played.folder).columns)
    assert ["no server"] == list(part.columns.without_scores.values())[1:]
    assert {"label"} == whole.columns.question_columns


def test_replies_of_models_are_counted_as_records_have_them(
    whole: PlayedRun, tmp_path: Path
) -> None:
    """Strictly, leniently or not at all."""
    loose = Readings(Reading("unreadable"), Reading("answered", "1"), 1)
    statuses = ("answered", "unreadable", "answered", "infrastructure", "timeout")
    first = next(iter(records(whole.folder)))
    replies = tuple(
        LoggedReply(0, "1", status, "", readings=loose if status == "answered" else None)  # type: ignore[arg-type]
        for status in statuses
    )
    asked = replace(first, players=("openai/any", "house"), said=replies)
    in_chinese = replace(asked, players=("openai/any,language=zh", "house"))
    read = read_run(run_folder(tmp_path / "run", [asked, in_chinese]))

    [match, _] = facts_of([asked, in_chinese])
    assert match == next(iter(read.columns))
    assert match.replies[1] is None and match.replies[0] is not None
    assert (1, 2, 0) == match.replies[0][1:4]
    assert read.columns.lacks_readings
    assert in_several_languages(played_seats([read]))
    assert not in_several_languages(played_seats([whole]))


def test_papers_name_the_columns_of_their_summaries() -> None:
    """So a run that asked nothing of theirs ends without importing their scores."""
    named = {column for paper in papers() for column in paper.summaries}
    modules = {paper.package for paper in papers()}
    own = [
        score
        for score in scores()
        if score.summary and any(score.function.__module__.startswith(name) for name in modules)
    ]

    assert named == {score.scored for score in own if not score.suites} == {"label", "domain"}
    of_suites = {suite for score in own for suite in score.suites}
    assert of_suites == {
        suite for paper in papers() if paper.summarises_suites for suite in paper.suites
    }
