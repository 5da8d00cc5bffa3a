"""How commands print leaderboards and other scores, also where the extra is not installed."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from .output import json_line

if TYPE_CHECKING:
    from quandary.results.level_scores import LevelScore
    from quandary.results.run_columns import PlayedRun
    from quandary.scoring.score_table import ScoreTable

EXTRA = ("numpy", "scipy", "pyarrow")
NO_RESULTS = "there are no results yet; play matches with `quandary run`."


def is_available() -> bool:
    """Return whether everything is installed that leaderboards are made with."""
    return all(find_spec(name) is not None for name in EXTRA)


def show_leaderboards(found: Sequence[ScoreTable], runs: Sequence[Path], as_json: bool) -> None:
    """The leaderboards of a run, and the command that tells more."""
    from quandary.report.formats import leaderboards

    if as_json:
        show_tables(found, as_json)
        return
    print(f"\n{leaderboards(found)}")
    print(f"\nMore: quandary results {shlex.join(map(str, runs))} --by level")


def show_factors(folders: Sequence[Path], as_json: bool) -> None:
    """What languages change, where a model was asked in several, or why that is not known; what it
    changes that a model writes programs.
    """
    from quandary.report.scores import language_scores, setting_scores

    found, why_not = language_scores(folders)
    if not found:
        found = setting_scores(folders)
    if why_not and as_json:
        json_line({"note": why_not})
    elif why_not:
        print(f"\n{why_not}")
    if found:
        if not as_json:
            print()
        show_tables(found, as_json)


def show_programs(
    folders: Sequence[Path], runs: Sequence[Path], *, whole: bool, as_json: bool
) -> None:
    """The tables of the programs that models wrote, or the first of them; nothing without any."""
    from quandary.report.scores import program_scores

    found = program_scores(folders)
    if not found:
        return
    if as_json:
        show_tables(found, as_json)
        return
    print()
    show_tables(found if whole else found[:1], as_json)
    if not whole:
        print(f"\nMore about programs: quandary results {shlex.join(map(str, runs))}")


def paper_summaries(runs: Sequence[PlayedRun]) -> list[ScoreTable]:
    """Return the tables that stand for the scores of papers and of users where a run ends, for runs
    that they are about.

    To know it of papers, none of their scores is imported.
    """
    from quandary.catalogue.papers import papers
    from quandary.results.run_context import context_of
    from quandary.scoring import outside_scores

    asked = {column for run in runs for column in run.columns.question_columns}
    suites = {context_of(run.folder).name for run in runs}
    if not outside_scores.found().usable and not any(
        not asked.isdisjoint(paper.summaries)
        or (paper.summarises_suites and not suites.isdisjoint(paper.suites))
        for paper in papers()
    ):
        return []
    from quandary.report.scores import paper_scores
    from quandary.results.table import seats
    from quandary.scoring.scores import scores

    folders = [run.folder for run in runs]
    summed = [
        score
        for score in scores()
        if score.summary and (not score.suites or not suites.isdisjoint(score.suites))
    ]
    table = seats(*folders, columns=[score.scored for score in summed])
    summed = [score for score in summed if table[score.scored].null_count < len(table)]
    keys = {key for score in summed for key in score.summary}
    tables = [table for score in paper_scores(folders, summed) for table in score.tables]
    return [table for table in tables if table.key in keys]


def show_tables(found: Sequence[ScoreTable], as_json: bool) -> None:
    """Whole tables."""
    from quandary.report.formats import text

    if not as_json:
        print("\n\n".join(map(text, found)))
        return
    for table in found:
        json_line(table.plain())


def level_scores(run: PlayedRun) -> list[LevelScore]:
    """Return the scores of a run by puzzle, level and player; without the extra, without
    intervals.
    """
    if not is_available():
        from quandary.scoring.plain_scores import plain_scores

        return plain_scores(run)
    from quandary.scoring import leaderboard
    from quandary.scoring.played_seats import groups_of_played

    return leaderboard.level_scores(groups_of_played([run]))


def show_level_lines(run: PlayedRun) -> None:
    """One JSON line per puzzle, level and player."""
    for row in level_scores(run):
        json_line({**vars(row), "causes": dict(row.causes)})


def plain_runs(runs: Iterable[PlayedRun]) -> list[tuple[str, list[LevelScore]]]:
    """Name and scores of each run that has some, where the extra is not installed.

    Runs of one suite, which are not put together then, are told apart by their folders.
    """
    from quandary.results.run_context import context_of
    from quandary.scoring.plain_scores import plain_scores

    suites = [(run, context_of(run.folder).name) for run in runs]
    often = Counter(suite for _, suite in suites)
    return [
        (suite if often[suite] == 1 else f"{suite} in {run.folder}", rows)
        for run, suite in suites
        if (rows := plain_scores(run))
    ]


def show_plain(
    found: Sequence[tuple[str, Sequence[LevelScore]]],
    runs: Sequence[Path],
    *,
    by_level: bool,
    as_json: bool,
) -> None:
    """Leaderboards, or scores by level, where the extra is not installed."""
    from quandary.scoring.plain_scores import plain_leaderboards, plain_levels

    if by_level:
        if not as_json:
            print()
        show_tables([plain_levels(*one) for one in found], as_json)
    else:
        tables = [table for one in found for table in plain_leaderboards(*one)]
        show_leaderboards(tables, runs, as_json)
