"""The scores of the second PuzzlePlex paper: 15 puzzles, by instruction and by code.

A tie counts 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from quandary.scoring.groups import (
    Groups,
    SeatColumns,
    asked_puzzles,
    grouped,
    mean_with_interval,
)
from quandary.scoring.normalisations import HOUSE, against_best
from quandary.scoring.pairings import families, match_counts, matrix
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, ScoreTable, score_table
from quandary.scoring.usage import FAILED_IMPORT, NAMES, failed_imports, statuses_of
from quandary.statistics.estimates import Flags, Floats, Ints

from .elo_tables import EloTables
from .kind_means import Cells, Kinds, over_cells

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    "run", "match", "spec", "task", "puzzle", "level", "modality", "instance", "player", "model",
    "opponents", "seat", "seats", "score", "win", "value", "lower_is_better", "legal", "cause",
    "turns", "tokens_written", "setting", "exception",
)  # fmt: skip
DETERMINISTIC = ("single deterministic", "two deterministic")
STOCHASTIC = ("single stochastic", "two stochastic")
KINDS = Kinds(
    puzzles={
        "single deterministic": ("tidy_tower", "optimal_touring", "count_maximal_cocktails"),
        "single stochastic": ("exclusivity_probes", "ruby_risks", "max_target"),
        "two deterministic": (
            "sudokill", "card_nim", "max_maximal_cocktails", "exclusivity_particles", "superply",
        ),
        "two stochastic": ("beat_or_bomb_sto", "larger_target"),
        "two image": ("sudokill (image)", "superply (image)"),
    },
    asked={"tidy_tower": "whole:tidy_tower"},
    together={"deterministic": DETERMINISTIC, "all": (*DETERMINISTIC, *STOCHASTIC)},
)  # fmt: skip
TIE_NOTE = "A tie counts 0.5 (in the first paper it counts 0)."
SCORE = (
    "For one player: value / the best value of any player on the same instance (best / value "
    "where low is better), a failure counts 0; for two: 1 for a win, 0.5 for a tie. "
)
IMPORTS = (
    f"{FAILED_IMPORT}: of the runtime errors, imports that failed. The paper's code counts them as "
    f"syntax errors."
)
OVER_PUZZLES = (
    "The 95 % interval is computed as in the paper, by Student's t over puzzles (and levels), not "
    "over matches; with few puzzles, do not trust it: it may reach beyond 0 and 1, or have no "
    "width."
)


SETTINGS = ("instruction", "code")


@score(
    "PuzzlePlex (second paper)",
    columns=COLUMNS,
    suites=["puzzleplex"],
    summary=[f"puzzleplex_second_scores_{setting}" for setting in SETTINGS],
)
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    columns = SeatColumns(seats)
    ratio = against_best(columns)  # over players of both settings
    values = np.where(columns.numbers("seats") == 2, columns.numbers("win"), ratio)
    for setting in SETTINGS:
        chosen = columns.texts("setting").where(setting)
        if chosen.any():
            yield from _of_setting(columns.only(chosen), values[chosen], setting)


def _of_setting(seats: SeatColumns, values: Floats, setting: str) -> Iterator[ScoreTable]:
    players = families(seats.texts("player"))
    cells = Cells(seats, KINDS, players)
    rows = list[list[Cell]]()
    for place, found in cells.places():
        means = [part.mean for part in cells.estimates(values, found)]
        if means:
            rows.append([*place, len(means), sum(map(len, found)), over_cells(means)])
    yield score_table(
        f"puzzleplex_second_scores_{setting}",
        f"Normalised scores, by {setting}",
        f"{SCORE}Mean over matches, then over puzzles; level both: over puzzles and levels. The "
        f"paper's overall score is the kind {_overall(setting)}. {OVER_PUZZLES}",
        ("kind", "level", "player", "cells", "n", "score"),
        rows,
        (TIE_NOTE,),
    )
    if setting == "code":
        yield _programs(seats, values)
    yield _against_house(seats, setting)
    yield EloTables(seats, values, players, cells).table(
        f"puzzleplex_second_elo_{setting}", f"Elo, by {setting}"
    )
    yield _win_rates(seats, setting)
    yield _statuses(seats, setting)
    yield _plays(seats, setting)


def _overall(setting: str) -> str:
    return "deterministic" if setting == "instruction" else "all"


def _programs(seats: SeatColumns, values: Floats) -> ScoreTable:
    """Average and best over the programs of each model."""
    each, rows = Cells(seats, KINDS), list[list[Cell]]()
    models = families(seats.texts("player"))
    for place, found in Cells(seats, KINDS, models).places():
        averages, best, programs = list[float](), list[float](), set[int]()
        for at in found:
            own = seats.texts("player").codes[at]
            programs |= set(own.tolist())
            means = [part.mean for part in each.estimates(values, _split(at, own))]
            if means:
                averages.append(float(np.mean(means)))
                best.append(max(means))
        if averages:
            rows.append([*place, len(programs), over_cells(averages), float(np.mean(best))])
    return score_table(
        "puzzleplex_second_programs",
        "Programs: average and best",
        f"{SCORE}average: mean over the programs of a model, then over puzzles; best: of each "
        f"puzzle and level the program with the highest mean, then the mean over puzzles. "
        f"{OVER_PUZZLES}",
        ("kind", "level", "player", "programs", "average", "best"),
        rows,
        (TIE_NOTE, "The best of many programs is chosen on the same matches that score it."),
    )


def _split(rows: Ints, labels: Ints) -> list[Ints]:
    """Rows by their labels."""
    order = np.argsort(labels, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(labels[order])) + 1)


def _against_house(seats: SeatColumns, setting: str) -> ScoreTable:
    house = seats.texts("opponents").where(HOUSE)
    win = np.where(house, seats.numbers("win"), np.nan)
    cells, rows = Cells(seats, KINDS, families(seats.texts("player"))), list[list[Cell]]()
    for place, found in cells.places():
        means = [part.mean for part in cells.estimates(win, found)]
        if means:
            n = sum(int((~np.isnan(win[at])).sum()) for at in found)
            rows.append([*place, len(means), n, over_cells(means)])
    return score_table(
        f"puzzleplex_second_against_house_{setting}",
        f"Win rate against the house, by {setting}",
        f"Mean over matches against the house, the paper's custom strategy, then over puzzles. "
        f"{OVER_PUZZLES}",
        ("kind", "level", "player", "cells", "n", "win rate"),
        rows,
        (TIE_NOTE,),
    )


def _win_rates(seats: SeatColumns, setting: str) -> ScoreTable:
    counts, names = match_counts(seats), seats.texts("player").names
    shares = counts.decided
    np.fill_diagonal(shares, np.nan)
    met = np.flatnonzero((counts.wins + counts.wins.T + counts.ties).any(axis=1))
    known = [names[at] for at in met]
    return score_table(
        f"puzzleplex_second_win_rates_{setting}",
        f"Row against column, by {setting}",
        "Share of the matches between the two that row won, without those that ended in a tie.",
        ("player", *sorted(known)),
        matrix(known, shares[np.ix_(met, met)]),
        (f"{int(counts.wins.sum())} matches with a winner.",),
    )


def _statuses(seats: SeatColumns, setting: str) -> ScoreTable:
    status, tokens = statuses_of(seats), seats.numbers("tokens_written")
    imports = _of_matches(seats, failed_imports(seats)) if setting == "code" else None
    rows = list[list[Cell]]()
    for (player,), at in grouped(families(seats.texts("player"))):
        ended, spent = status[at][status[at] >= 0], tokens[at][~np.isnan(tokens[at])]
        if len(ended):
            shares = (np.bincount(ended, minlength=len(NAMES)) / len(ended)).tolist()
            mean = float(spent.mean()) if len(spent) else None
            deviation = float(spent.std(ddof=1)) if len(spent) > 1 else None
            row: list[Cell] = [player, len(ended), *shares, mean, deviation]
            rows.append(row if imports is None else [*row, float(imports[at].sum()) / len(ended)])
    rows.sort(key=lambda row: str(row[0]))
    of_code = [] if imports is None else [FAILED_IMPORT]
    return score_table(
        f"puzzleplex_second_statuses_{setting}",
        f"Statuses and tokens, by {setting}",
        "Shares of the player's matches by the status with which the match ended, whichever seat "
        "caused it, as in the paper; mean and standard deviation of the tokens that the player "
        "wrote in a match.",
        ("player", "n", *NAMES, "tokens", "tokens: deviation", *of_code),
        rows,
        (
            "How matches ended through the player's own failures: the table of statuses.",
            *([] if imports is None else [IMPORTS]),
        ),
    )


def _of_matches(seats: SeatColumns, flags: Flags) -> Flags:
    """Return which rows are of matches of which any row is flagged."""
    matches = Groups(seats.codes("run"), seats.whole("match"))
    found: Flags = (matches.counts(matches.of[flags]) > 0)[matches.of]
    return found


def _plays(seats: SeatColumns, setting: str) -> ScoreTable:
    models = seats.only(seats.texts("model").codes >= 0)
    legal, rows = models.numbers("legal"), list[list[Cell]]()
    for (puzzle,), at in grouped(asked_puzzles(models)):
        at = at[~np.isnan(legal[at])]
        ruled = at[legal[at] == 1]
        cells = [
            _mean(models.numbers(column)[some])
            for some in (at, ruled)
            for column in ("turns", "tokens_written")
        ]
        rows.append([puzzle, len(at), *cells, len(ruled) / len(at) if len(at) else None])
    rows.sort(key=lambda row: str(row[0]))
    head = ("puzzle", "n", "turns", "tokens", "turns (legal)", "tokens (legal)", "legal share")
    return score_table(
        f"puzzleplex_second_plays_{setting}",
        f"Turns and tokens of models, by {setting}",
        "Mean per match and seat with Student's 95 % interval over matches, for all plays and for "
        "legal ones, which the rules ended.",
        head,
        rows,
    )


def _mean(values: Floats) -> Cell:
    found = mean_with_interval(values, np.arange(len(values)), None)
    return found.value if found and not np.isfinite(found.low) else found
