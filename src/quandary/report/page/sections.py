"""What the sections of the page are, and which tables and figures each has."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.report.figures import of_tables
from quandary.report.figures.figure import Figure
from quandary.report.html import Markup, element, markup
from quandary.report.scores import Scores, TitledTables

from .layout import Section
from .score_tables import score_table

RATINGS = 2  # tables of ratings that are open: fitted ones and Elo; figures show the others


def score_sections(scores: Scores) -> list[Section]:
    """The sections about scores."""
    largest, boards = scores.leaderboards[0], scores.leaderboards
    players = list(dict.fromkeys(str(one) for board in boards for one in board.column("player")))
    return [
        Section(
            "leaderboard",
            "Leaderboard",
            "Every score has its 95 % interval; players who share a letter cannot be told apart "
            "by these matches.",
            _drawn(of_tables.leaderboard(largest)),
            boards,
        ),
        Section(
            "puzzles",
            "Puzzles and levels",
            "Where players differ, and how their scores fall with difficulty.",
            _drawn(of_tables.difficulty(scores.levels, players)),
            [scores.puzzles, scores.levels],
            scores.normalised,
        ),
        Section(
            "ratings",
            "Head to head",
            "Games for two: who beats whom. Elo depends on the order in which games are counted; "
            "fitted ratings do not.",
            _drawn(*of_tables.head_to_head(scores.ratings)),
            scores.ratings[:RATINGS],
            scores.ratings[RATINGS:],
        ),
        Section(
            "papers",
            "Scores of the papers",
            "Each by its own formula and under its own name.",
            _drawn(*of_tables.accuracies(scores.papers, players)),
            more=Markup("".join(map(_score, scores.papers))),
        ),
        Section(
            "programs",
            "Programs of models",
            "Models that wrote programs: their average, the best of them, and how they ended.",
            (),
            scores.programs[:1],
            scores.programs[1:],
        ),
        Section(
            "factors",
            "What made a difference",
            "Settings of the run as paired differences on shared instances.",
            _drawn(of_tables.factors(scores.factors)),
            scores.factors[:1],
            scores.factors[1:],
        ),
        Section(
            "effort",
            "Endings, tokens and cost",
            "How matches ended, and what they took.",
            _drawn(
                *(of_tables.statuses(table) for table in scores.statuses),
                of_tables.tokens(largest, scores.tokens),
            ),
            [*scores.statuses, *scores.costs],
            scores.effort,
        ),
        Section(
            "regret",
            "Quality of moves",
            "What moves gave away, where a judge knows what they are worth.",
            (),
            scores.regrets,
        ),
        Section(
            "labels",
            "Labels",
            "What people found in transcripts that they read.",
            (),
            scores.labels,
        ),
    ]


def _score(score: TitledTables) -> Markup:
    tables = [score_table(table, folded=True) for table in score.tables]
    error = [element("p", score.error, class_="note")] if score.error else []
    return markup([element("h3", score.title, class_="paper"), *error, *tables])


def _drawn(*figures: Figure | None) -> Sequence[Figure]:
    return [figure for figure in figures if figure is not None]
