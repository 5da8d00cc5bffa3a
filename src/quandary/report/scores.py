"""All tables of scores of some runs, as the report shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quandary.arena.drawn_programs import programs_of, stored_programs
from quandary.players.model_names import LANGUAGES
from quandary.scoring.score_table import Ranged, ScoreTable, ranked
from quandary.scoring.table_notes import left_out_notes, marked

from .played import missing_sentence

SURE = 0.05

if TYPE_CHECKING:
    import pyarrow as pa

    from quandary.scoring.boards import Board
    from quandary.scoring.level_groups import SeatGroup, SeatGroups
    from quandary.scoring.normalisations import NormalisedRow
    from quandary.scoring.readings import Readings
    from quandary.scoring.score import Score


class TitledTables(NamedTuple):
    """The tables of a score of a paper or of a user."""

    title: str
    tables: Sequence[ScoreTable]
    error: str = ""  # why a score of a user has no tables: a sentence


class Scores(NamedTuple):
    """Tables by what they are about; those without rows are left out."""

    headline: Sequence[str]  # sentences: who is ahead, and how sure that is
    missing: str  # how many results are missing, in a sentence; "" if none is
    main: ScoreTable  # the leaderboard that the headline begins with
    leaderboards: Sequence[ScoreTable]  # the largest first
    puzzles: ScoreTable
    levels: ScoreTable
    normalised: Sequence[ScoreTable]
    ratings: Sequence[ScoreTable]
    papers: Sequence[TitledTables]  # and those of users
    programs: Sequence[ScoreTable]
    factors: Sequence[ScoreTable]
    statuses: Sequence[ScoreTable]
    replies: Sequence[ScoreTable]  # how those of models were read, and how many calls there were
    costs: Sequence[ScoreTable]
    effort: Sequence[ScoreTable]
    regrets: Sequence[ScoreTable]
    labels: Sequence[ScoreTable]
    # Written per match by the players of the largest leaderboard on its levels, where known.
    tokens: Mapping[str, float]
    # What to do about replies of players that were cut off, as the end of a run says it.
    warnings: Sequence[str] = ()

    def all(self) -> list[ScoreTable]:
        """Return every table, in the order of the page."""
        return [
            *self.leaderboards,
            *(self.puzzles, self.levels),
            *(*self.normalised, *self.ratings),
            *(table for paper in self.papers for table in paper.tables),
            *(
                *self.programs,
                *self.factors,
                *self.statuses,
                *self.replies,
                *self.costs,
                *self.effort,
                *self.regrets,
                *self.labels,
            ),
        ]


def columns() -> list[str]:
    """Return the columns of the table of seats that scores need."""
    from quandary.scoring import (
        factors,
        level_groups,
        normalisations,
        program_tables,
        rating_tables,
        regrets,
        scores,
        usage,
    )

    needed = (
        factors, normalisations, rating_tables, regrets, level_groups, usage, program_tables
    )  # fmt: skip
    names = [name for module in needed for name in module.COLUMNS]
    return list(dict.fromkeys([*names, *scores.columns()]))


def scores_of(seats: pa.Table, folders: Sequence[Path], labels: Sequence[Path] = ()) -> Scores:
    """Computes every table from the table of seats of some runs, and from samples with labels.

    In leaderboards, the matches that are left to play count as missing; tables of scores that have
    no place for them say so, and have no intervals of the players that are to play them.
    """
    from quandary.labelling.labels import label_tables
    from quandary.results.run_context import named_players
    from quandary.results.run_rules import rules_of
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import leaderboard, normalisations, rating_tables, regrets, usage
    from quandary.scoring.boards import boards
    from quandary.scoring.headline import first_boards, headline, without_code
    from quandary.scoring.level_groups import COLUMNS, fixed_rng, grouped_seats, rows_on

    # Each with random numbers of its own, so that other commands print the same intervals.
    whole = with_unplayed(seats, folders)
    rules = rules_of(folders)
    groups = grouped_seats(whole.select(COLUMNS), rules)
    found = boards(groups)
    gaps = [group for group in groups.of_suites if group.unplayed]
    players = {group.player for group in gaps}
    cut = left_out_notes(_cut_off(seats))
    made = _of_factors(seats, players)
    read = _replies(seats, folders)
    tables = _leaderboards(found, groups)
    first = [
        (board, tables[found.index(board)]) for board in first_boards(found, named_players(folders))
    ]
    sentences = [sentence for board, table in first for sentence in headline(board, table)]
    main = first[0][1]
    order = list(map(str, main.column("player")))
    return _in_order(
        order,
        Scores(
            (*without_code(programs_of(folders)), *sentences, *language_sentence(made)),
            missing_sentence(groups.of_suites),
            main,
            tables,
            leaderboard.by_puzzle(groups, fixed_rng()),
            leaderboard.by_level(groups, fixed_rng()),
            _filled(players, [normalisations.normalised(*_with_references(seats, folders))], cut),
            _filled((), rating_tables.tables(whole, fixed_rng())),
            _of_papers(seats, gaps),
            _of_programs(groups.overall, seats, folders),
            made,
            _filled(players, [usage.status_shares(seats, read.lost_by_truncation)]),
            _filled(players, read.tables),
            _filled(players, [usage.costs(seats)]),
            _filled(players, [usage.plays_of_players(seats), usage.repeated_actions(seats)]),
            _filled(players, [regrets.regrets(seats)]),
            _filled((), label_tables(labels)),
            _tokens(rows_on(whole, found[0].levels, rules) if len(found) > 1 else whole),
            read.warnings,
        ),
    )


def _in_order(order: Sequence[str], scores: Scores) -> Scores:
    """Return the tables of what matches took, and those of papers, with players by rank."""

    def by_rank(tables: Sequence[ScoreTable]) -> list[ScoreTable]:
        return [ranked(table, order) for table in tables]

    return scores._replace(
        statuses=by_rank(scores.statuses),
        replies=by_rank(scores.replies),
        costs=by_rank(scores.costs),
        effort=by_rank(scores.effort),
        regrets=by_rank(scores.regrets),
        papers=[paper._replace(tables=by_rank(paper.tables)) for paper in scores.papers],
    )


class _Replies(NamedTuple):
    """What is said of the replies of models, and of the calls for them."""

    tables: Sequence[ScoreTable]
    warnings: Sequence[str]
    lost_by_truncation: Mapping[str, int]  # matches, by player


def _replies(seats: pa.Table, folders: Sequence[Path]) -> _Replies:
    from quandary.arena.journal import tallies_in
    from quandary.arena.tally import summed as summed_tallies
    from quandary.players.model_names import max_tokens_of
    from quandary.results.run_context import context_of
    from quandary.results.run_folders import run_names
    from quandary.results.table import replies as read_replies
    from quandary.scoring.reply_tables import (
        COLUMNS,
        calls_table,
        lost_by_truncation,
        readings_by_run,
        replies_table,
        summed,
    )

    from .results import truncation_warning

    replies = read_replies(*folders, columns=COLUMNS)
    contexts = {run: context_of(folder) for run, folder in run_names(folders).items()}
    found = readings_by_run(replies, {run: each.prompt for run, each in contexts.items()})
    by_limit: dict[int | None, list[Readings]] = defaultdict(list)
    for (run, player), readings in found.items():
        by_limit[max_tokens_of(player, contexts[run].max_tokens)].append(readings)
    warnings = (
        truncation_warning(each, limit) for limit, some in by_limit.items() for each in summed(some)
    )
    tallies = summed_tallies(map(tallies_in, folders))
    every = summed(found.values())
    return _Replies(
        [replies_table(every), calls_table(tallies, every)],
        list(filter(None, warnings)),
        lost_by_truncation(seats, replies),
    )


def language_sentence(factors: Sequence[ScoreTable]) -> tuple[str, ...]:
    """Return what another language changes, as far as that is sure; nothing if all were asked in
    one.
    """
    from quandary.statistics.multiplicity import holm

    rows = [dict(zip(table.head, row, strict=True)) for table in factors[:1] for row in table.rows]
    asked = [row for row in rows if row["factor"] == "language"]
    if not asked:
        return ()
    p_values = [row["p"] for row in asked]
    p = holm([each if isinstance(each, float) else 1.0 for each in p_values])
    sure = [
        f"`{row['player']}` scores {abs(value):.2f} {'more' if value > 0 else 'less'} in "
        f"{LANGUAGES.get(str(row['to']), row['to'])} than in "
        f"{LANGUAGES.get(str(row['from']), row['from'])} ({low:z.2f} to {high:z.2f})"
        for row, each in zip(asked, p, strict=True)
        if each < SURE and isinstance(row["difference"], Ranged)
        for value, low, high in [row["difference"]]
    ]
    few = "too few matches to say whether a model is better in one language than in another."
    if not sure:
        corrected = f", with {len(asked)} models tested together" if len(asked) > 1 else ""
        return (f"On languages{corrected}: {few}",)
    rest = (
        "; for the other models, there are too few matches to say."
        if len(sure) < len(asked)
        else "."
    )
    return (f"{'; '.join(sure)}{rest}",)


def _leaderboards(found: Sequence[Board], groups: SeatGroups) -> list[ScoreTable]:
    """Return the leaderboards; the files of the largest have the same name in every report."""
    from quandary.scoring.board_tables import tables_of

    largest, *others = tables_of(found, groups.of_suites)
    title = largest.title if others else "Leaderboard"
    return [replace(largest, key="leaderboard", title=title), *others]


def _tokens(seats: pa.Table) -> dict[str, float]:
    """Return the tokens that each player writes in a match, on average, where they were counted."""
    means = seats.group_by("player", use_threads=False).aggregate([("tokens_written", "mean")])
    rows = zip(means["player"].to_pylist(), means["tokens_written_mean"].to_pylist(), strict=True)
    return {player: mean for player, mean in rows if mean}


def normalised_rows(folders: Sequence[Path]) -> list[NormalisedRow]:
    """Return where the players of some runs lie between random play and the strongest: the last
    column of the report's table of normalised scores, with what it is computed from.
    """
    from quandary.results.table import seats as read_seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import level_groups, normalisations

    wanted = list(dict.fromkeys([*normalisations.COLUMNS, *level_groups.COLUMNS]))
    seats = read_seats(*folders, columns=wanted)
    whole = with_unplayed(seats.select(level_groups.COLUMNS), folders)
    partial = {group.player for group in level_groups.seat_groups(whole) if group.unplayed}
    found = _with_references(seats, folders)
    return normalisations.between_random_and_strongest(*found, partial)


def _with_references(seats: pa.Table, folders: Sequence[Path]) -> tuple[pa.Table, pa.Table]:
    """Return what scores are normalised with: the seats of some runs, and of their reference
    matches.
    """
    from quandary.results.table import reference_seats
    from quandary.scoring.normalisations import COLUMNS

    return seats.select(COLUMNS), reference_seats(*folders, columns=COLUMNS)


def paper_scores(
    folders: Sequence[Path], among: Collection[Score] | None = None
) -> list[TitledTables]:
    """Return the tables of the papers' and of users' scores, or of some of them, on some runs:
    those of the report.
    """
    from quandary.results.table import seats as read_seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import scores
    from quandary.scoring.level_groups import COLUMNS, seat_groups

    wanted = list(dict.fromkeys([*COLUMNS, *scores.columns()]))
    seats = read_seats(*folders, columns=wanted)
    groups = seat_groups(with_unplayed(seats.select(COLUMNS), folders))
    return _of_papers(seats, [group for group in groups if group.unplayed], among)


def language_scores(folders: Sequence[Path]) -> tuple[list[ScoreTable], str]:
    """Return what languages change in some runs: the tables of factors of the report, or else the
    reason why languages cannot be compared; nothing if no model was asked in several.

    Parts are left out where there is one part only.
    """
    from quandary.results.table import seats as read_seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import factors, level_groups
    from quandary.scoring.rules_only import named, rules_only

    wanted = list(dict.fromkeys([*factors.COLUMNS, *level_groups.COLUMNS]))
    seats = read_seats(*folders, columns=wanted)
    puzzles = _in_several_languages(seats)
    if not puzzles:
        return [], ""
    whole = with_unplayed(seats.select(level_groups.COLUMNS), folders)
    partial = {group.player for group in level_groups.seat_groups(whole) if group.unplayed}
    tables = _of_factors(seats, partial)
    if any(row[0] == "language" for table in tables for row in table.rows):
        return [table for table in tables if table is tables[0] or _has_more(table, tables[0])], ""
    words = rules_only(puzzles)
    if len(words) < len(puzzles):
        return [], ""
    return (
        [],
        f"Languages are not compared, because only the rules of {named(words)} are translated.",
    )


def program_scores(folders: Sequence[Path]) -> list[ScoreTable]:
    """Return the tables of the programs that models wrote in some runs: those of the report;
    nothing if there are none.
    """
    if not any(map(stored_programs, folders)):
        return []
    from quandary.results.run_rules import rules_of
    from quandary.results.table import seats as read_seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import level_groups, program_tables

    wanted = list(dict.fromkeys([*program_tables.COLUMNS, *level_groups.COLUMNS]))
    seats = read_seats(*folders, columns=wanted)
    whole = with_unplayed(seats.select(level_groups.COLUMNS), folders)
    groups = level_groups.grouped_seats(whole, rules_of(folders)).overall
    return _of_programs(groups, seats, folders)


def _of_programs(
    groups: Sequence[SeatGroup], seats: pa.Table, folders: Sequence[Path]
) -> list[ScoreTable]:
    from quandary.programs.library import author_of
    from quandary.scoring.program_tables import COLUMNS, program_tables

    partial = {author_of(group.player) for group in groups if group.unplayed}
    drawn = programs_of(folders)
    return _filled(partial, program_tables(groups, seats.select(COLUMNS), drawn))


def setting_scores(folders: Sequence[Path]) -> list[ScoreTable]:
    """Return the tables of factors of the report, if some models both named moves and wrote
    programs; parts are left out where there is one part only.
    """
    from quandary.results.table import seats as read_seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import factors, level_groups

    if not _have_both_settings(read_seats(*folders, columns=["player"])):
        return []
    wanted = list(dict.fromkeys([*factors.COLUMNS, *level_groups.COLUMNS]))
    seats = read_seats(*folders, columns=wanted)
    whole = with_unplayed(seats.select(level_groups.COLUMNS), folders)
    partial = {group.player for group in level_groups.seat_groups(whole) if group.unplayed}
    tables = _of_factors(seats, partial)
    return [table for table in tables if table is tables[0] or _has_more(table, tables[0])]


def _have_both_settings(seats: pa.Table) -> bool:
    """Return whether a model has named moves, and a program by the same model has played."""
    import pyarrow.compute as pc

    from quandary.players.model_names import is_model
    from quandary.programs.library import author_of, is_program

    players = pc.unique(seats["player"].cast("string")).to_pylist()
    models = {player.partition(",")[0] for player in players if is_model(player)}
    return any(
        author_of(player).partition(",")[0] in models for player in players if is_program(player)
    )


def _in_several_languages(seats: pa.Table) -> set[str]:
    """Return the puzzles that one of the models was asked in several languages."""
    asked = defaultdict[str, set[str]](set)
    puzzles = defaultdict[str, set[str]](set)
    for row in seats.group_by(["model", "language", "puzzle"]).aggregate([]).to_pylist():
        if row["model"]:
            asked[row["model"]].add(row["language"])
            puzzles[row["model"]].add(row["puzzle"])
    return {name for model in asked if len(asked[model]) > 1 for name in puzzles[model]}


def _has_more(table: ScoreTable, whole: ScoreTable) -> bool:
    return len(table.rows) > len(whole.rows)


def _of_factors(seats: pa.Table, partial: Collection[str]) -> list[ScoreTable]:
    """Return the tables of factors; `partial` are players who have matches to play."""
    from quandary.scoring.factors import factors, names_in_factors
    from quandary.scoring.level_groups import fixed_rng

    names = {name for player in partial for name in names_in_factors(player)}
    return _filled(names, factors(seats, fixed_rng()), left_out_notes(_cut_off(seats)))


def _of_papers(
    seats: pa.Table, gaps: Sequence[SeatGroup], among: Collection[Score] | None = None
) -> list[TitledTables]:
    from quandary.scoring.scores import refused, score_tables

    cut = left_out_notes(_cut_off(seats))
    found = [
        TitledTables(score.title, _filled(_in_suites(gaps, score.suites), tables, cut), error)
        for score, tables, error in score_tables(seats, among)
    ]
    broken = refused() if among is None else {}
    return [*found, *(TitledTables(name, (), error) for name, error in broken.items())]


def _in_suites(gaps: Sequence[SeatGroup], suites: Collection[str]) -> set[str]:
    """Return who has matches of some suites (none: of any) to play, also by the names that papers
    have for programs, and for models whatever their language or number of shots.
    """
    from quandary.players.model_names import without_setting
    from quandary.programs.library import family

    players = {group.player for group in gaps if not suites or group.key.suite in suites}
    whatever = {without_setting(name, key) for name in players for key in ("language", "shots")}
    return players | {family(player) for player in players} | whatever


def _cut_off(seats: pa.Table) -> int:
    """Return how many matches have no result."""
    import pyarrow.compute as pc

    missing = pc.and_(pc.is_null(seats["score"]), pc.equal(seats["seat"], 0))
    return int(pc.sum(missing).as_py() or 0)


def _filled(
    partial: Collection[str], tables: Iterable[ScoreTable], notes: Sequence[str] = ()
) -> list[ScoreTable]:
    """Return the tables that have rows, with further notes, and marked if matches are left
    to play.
    """
    filled = [replace(one, notes=(*one.notes, *notes)) for one in tables if one.rows]
    return [marked(table, partial) for table in filled] if partial else filled
