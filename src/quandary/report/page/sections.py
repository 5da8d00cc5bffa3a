"""What the sections of the page are, and which tables and figures each has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.report.figures import of_tables
from quandary.report.figures.figure import Figure
from quandary.report.html import Markup, element, markup
from quandary.report.scores import Scores, TitledTables
from quandary.report.short_names import renamed

from .layout import Section
from .score_tables import score_table
from .win_matrix import win_matrix


def score_sections(scores: Scores, grid: Markup, names: Mapping[str, str]) -> list[Section]:
    """Return the sections about scores; `grid` shows puzzles by group, `names` are short ones of
    players, which figures have.
    """
    boards = scores.leaderboards
    largest = renamed(boards[0], names)
    listed = (str(player) for board in boards for player in board.column("player"))
    players = list(dict.fromkeys(names.get(player, player) for player in listed))
    ratings = [renamed(table, names) for table in scores.ratings]
    statuses = [renamed(table, names) for table in scores.statuses]
    has_costs = any("dollars" in table.head for table in scores.costs)
    tokens = {names.get(player, player): count for player, count in scores.tokens.items()}
    return [
        Section(
            "puzzles",
            "Strengths and weaknesses",
            "Scores by puzzle, from 0 (orange) over 0.5 (yellow) to 1 (blue), each with its 95 % "
            "interval and n, the number of matches. The fainter the colour of a cell, the less is "
            "known. Click a cell to list its matches.",
            more=grid,
            folded=[*boards, scores.puzzles, scores.levels, *scores.normalised],
            link="Puzzles",
            folded_figures=_drawn(of_tables.difficulty(renamed(scores.levels, names), players)),
        ),
        Section(
            "ratings",
            "Head to head",
            "Two-player games: how often the player at the left won, as the mean over starts of "
            "the share of matches that it won, with 95 % intervals. n counts matches, so wins / n "
            "may differ. Elo depends on the order in which games are counted; fitted ratings do "
            "not.",
            more=win_matrix(scores.ratings, names),
            folded=scores.ratings,
            folded_figures=_drawn(*of_tables.head_to_head(ratings)),
        ),
        Section(
            "cost",
            "Score against cost" if has_costs else "Score against tokens",
            "What matches took, and how they ended.",
            _drawn(of_tables.tokens(largest, tokens)),
            scores.costs,
            [*scores.statuses, *scores.replies, *scores.effort],
            link="Cost" if has_costs else "Tokens",
            folded_figures=_drawn(*map(of_tables.statuses, statuses)),
            is_stacked=True,
        ),
        Section(
            "factors",
            "What settings changed",
            "Paired differences on shared instances: the same player with another setting.",
            _drawn(of_tables.factors([renamed(table, names) for table in scores.factors])),
            scores.factors[:1],
            scores.factors[1:],
            link="Settings",
        ),
        Section(
            "papers",
            "Scores of the papers",
            "Each by its own formula and under its own name.",
            more=Markup("".join(map(_score, scores.papers))),
            link="Papers",
            folded_figures=_drawn(*of_tables.accuracies(_renamed(scores.papers, names), players)),
        ),
        Section(
            "programs",
            "Programs of models",
            "Models that wrote programs: their average, the best of them, and how they ended.",
            folded=scores.programs,
            link="Programs",
        ),
        Section(
            "regret",
            "Quality of moves",
            "How much of the expected score moves gave away, where a judge knows what they are "
            "worth.",
            folded=scores.regrets,
            link="Moves",
        ),
        Section(
            "labels",
            "Labels",
            "What people found in transcripts that they read.",
            folded=scores.labels,
        ),
    ]


def _renamed(papers: Sequence[TitledTables], names: Mapping[str, str]) -> list[TitledTables]:
    return [
        paper._replace(
            tables=[
                renamed(each, names) if "player" in each.head else each for each in paper.tables
            ]
        )
        for paper in papers
    ]


def _score(score: TitledTables) -> Markup:
    tables = [score_table(table, folded=at > 0) for at, table in enumerate(score.tables)]
    error = [element("p", score.error, class_="note")] if score.error else []
    return markup([element("h3", score.title, class_="paper"), *error, *tables])


def _drawn(*figures: Figure | None) -> Sequence[Figure]:
    return [figure for figure in figures if figure is not None]
