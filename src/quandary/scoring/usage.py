"""How matches ended, and what they took: turns, tokens, dollars, seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quandary.statistics.estimates import Flags, Floats, Ints

from .groups import SeatColumns, Texts, asked_puzzles, grouped, mean_with_interval
from .score_table import Cell, ScoreTable, score_table

if TYPE_CHECKING:
    import pyarrow as pa

# The statuses of the second PuzzlePlex paper, by the causes of failures.
STATUSES = {
    "illegal": "rule violation",
    "unreadable": "not following instruction",
    "syntax": "syntax error",
    "crash": "runtime error",
    "memory": "runtime error",
    "flood": "runtime error",
    "timeout": "timeout",
    "resigned": "resigned",
}
NAMES = ("legal", *dict.fromkeys(STATUSES.values()))
FAILED_IMPORT = "failed import"  # a runtime error, of which tables of programs tell apart
IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError")
COLUMNS = (
    "run", "match", "task", "puzzle", "modality", "instance", "player", "model", "setting",
    "cause", "lost_by_failure", "legal", "turns", "tokens_read", "tokens_cached", "tokens_written",
    "cost", "seconds", "repeated_actions",
)  # fmt: skip
DOLLARS = 5  # the column from which three are about dollars
PARTS = (
    "at least: the number is not known of some matches, and these are left out; a dash: it is "
    "known of no match that used tokens."
)
OF_MATCHES = (
    "Tokens are those of the replies that matches have. The table of calls has all calls, also "
    "those whose replies no match has."
)


def status_shares(table: pa.Table, truncated: Mapping[str, int] | None = None) -> ScoreTable:
    """By player and setting: how its matches ended, and by whom.

    `truncated`: how many matches each player lost by a reply that was cut off.
    """
    seats = SeatColumns(table)
    status, known = statuses_of(seats), ~np.isnan(seats.numbers("legal"))
    own = np.where(seats.numbers("lost_by_failure") == 1, status, -1)
    starts = seats.texts("instance").codes
    rows = list[list[Cell]]()
    for (player, setting), at in grouped(seats.texts("player"), seats.texts("setting")):
        row: list[Cell] = [player, setting, int(known[at].sum()), int((~known[at]).sum())]
        ruled = np.where(known[at], status[at] == 0, np.nan).astype(float)
        others = (status[at] > 0) & (own[at] < 0)
        row.append(mean_with_interval(ruled, starts[at]))
        for code in range(1, len(NAMES)):
            row.append(_share((own[at] == code), known[at]))
        rows.append([*row, _share(others, known[at])])
    rows.sort(key=lambda row: (row[0], row[1]))
    head = ("player", "setting", "n", "no result", *NAMES, "failure of an opponent")
    return score_table(
        "status_shares",
        "How matches ended",
        "Shares of the n matches that have a result. legal: the rules ended the match (with its 95 "
        "% interval over starts); the next columns: the player lost it by a failure of its own, by "
        "kind; the last column: an opponent failed.",
        head,
        rows,
        _truncation_notes(truncated or {}),
    )


def _truncation_notes(truncated: Mapping[str, int]) -> list[str]:
    """Return how many failures are replies that were cut off, which are no choice of a model."""
    if not truncated:
        return []
    counts = ", ".join(f"{count:,} of {player}" for player, count in truncated.items())
    note = (
        f"not following instruction: also matches that ended with a reply that was cut off before "
        f"its answer was complete ({counts})."
    )
    return [note]


def statuses_of(seats: SeatColumns) -> Ints:
    """Of each row, the place of its match's status among `NAMES`, whoever caused it; -1 without."""
    cause = seats.texts("cause")
    place = [NAMES.index(STATUSES[name]) if name in STATUSES else -1 for name in cause.names]
    failed = np.array([*place, -1], np.int64)[cause.codes]
    return np.where(seats.numbers("legal") == 1, 0, failed)


def failed_imports(seats: SeatColumns) -> Flags:
    """Return which rows are of programs that lost because an import failed."""
    column = seats.texts("exception")
    found: Flags = np.logical_or.reduce([column.where(name) for name in IMPORT_ERRORS])
    return found


def _share(flags: Flags, of: Flags) -> float | None:
    return float((flags & of).sum() / of.sum()) if of.any() else None


def plays(seats: SeatColumns, by: Sequence[Texts], names: Sequence[str]) -> ScoreTable:
    """Turns and tokens of all plays and of legal ones, in groups."""
    turns, tokens = seats.numbers("turns"), seats.numbers("tokens_written")
    legal = seats.numbers("legal")
    rows = list[list[Cell]]()
    for key, at in grouped(*by):
        at = at[~np.isnan(legal[at])]
        ruled = at[legal[at] == 1]
        numbers = [_spread(column[some]) for some in (at, ruled) for column in (turns, tokens)]
        share = len(ruled) / len(at) if len(at) else None
        rows.append([*key, len(at), *(cell for four in numbers for cell in four), share])
    rows.sort(key=lambda row: [str(cell) for cell in row[: len(names)]])
    measures = ("minimum", "maximum", "mean", "deviation")
    head = [
        f"{what}{of}: {measure}"
        for of in ("", " (legal)")
        for what in ("turns", "tokens")
        for measure in measures
    ]
    return score_table(
        "plays",
        "Turns and tokens",
        "The player's turns, and the tokens that it wrote in a match, thinking included: minimum, "
        "maximum, mean and standard deviation (n - 1), over all n matches with a result and over "
        "the legal ones, which the rules ended; also the share of legal ones.",
        [*names, "n", *head, "legal share"],
        rows,
        ("Tokens are for matches whose replies were all counted; strategies write none.",),
    )


def _spread(values: Floats) -> tuple[Cell, ...]:
    there = values[~np.isnan(values)]
    if not len(there):
        return (None,) * 4
    deviation = float(there.std(ddof=1)) if len(there) > 1 else None
    return int(there.min()), int(there.max()), float(there.mean()), deviation


def plays_of_players(table: pa.Table) -> ScoreTable:
    """Turns and tokens by player and puzzle."""
    seats = SeatColumns(table)
    return plays(seats, [seats.texts("player"), asked_puzzles(seats)], ["player", "puzzle"])


def costs(table: pa.Table) -> ScoreTable:
    """By model player: what was read, written and paid."""
    seats = SeatColumns(table)
    counts = [seats.numbers(f"tokens_{what}") for what in ("read", "cached", "written")]
    cost, seconds = seats.numbers("cost"), seats.numbers("seconds")
    is_model, starts = seats.texts("model").codes >= 0, seats.texts("instance").codes
    rows = list[list[Cell]]()
    for (player,), at in grouped(seats.texts("player")):
        if not is_model[at[0]]:
            continue
        unknown = int(np.isnan(cost[at]).sum())
        each = None if unknown else mean_with_interval(cost[at], starts[at], None)
        tokens = [_total(column[at], whole=True) for column in counts]
        dollars = _total(cost[at], whole=False)
        rows.append([player, len(at), *tokens, dollars, each, unknown, float(seconds[at].mean())])
    rows.sort(key=lambda row: str(row[0]))
    head = (
        *("player", "n", "tokens read", "of them cached", "tokens written", "dollars"),
        *("dollars per match", "matches of unknown cost", "seconds per match"),
    )
    unknown_prices = [str(row[0]) for row in rows if row[DOLLARS] is None]
    if unknown_prices and not any(row[DOLLARS] for row in rows):
        rows = [row[:DOLLARS] + row[DOLLARS + 3 :] for row in rows]
        note = (
            f"There are no dollars, because the prices of {', '.join(unknown_prices)} are not "
            f"known."
        )
        return score_table(
            "costs",
            "Tokens",
            f"Sums over the n matches of each model. {PARTS}",
            (*head[:DOLLARS], *head[DOLLARS + 3 :]),
            rows,
            (OF_MATCHES, note),
        )
    return score_table(
        "costs",
        "Tokens and cost",
        f"Sums over the n matches of each model; dollars per match with its 95 % interval over "
        f"starts, a dash where some matches have no known cost. {PARTS}",
        head,
        rows,
        (OF_MATCHES,),
    )


def _total(values: Floats, *, whole: bool) -> Cell:
    """Return the sum, if all of it is known; in words, if it is more than that."""
    known = float(values[~np.isnan(values)].sum())
    if not np.isnan(values).any():
        return int(known) if whole else known
    if not known:  # a match that ended before its first reply used nothing: that tells nothing
        return None
    return f"at least {known:,.0f}" if whole else f"at least {known:,.3f}"


def repeated_actions(table: pa.Table) -> ScoreTable:
    """By player and puzzle: how often it made a move again."""
    seats = SeatColumns(table)
    share, starts = seats.numbers("repeated_actions"), seats.texts("instance").codes
    rows = list[list[Cell]]()
    for (player, puzzle), at in grouped(seats.texts("player"), asked_puzzles(seats)):
        n = int((~np.isnan(share[at])).sum())
        rows.append([player, puzzle, n, mean_with_interval(share[at], starts[at])])
    rows.sort(key=lambda row: (str(row[0]), str(row[1])))
    return score_table(
        "repeated_actions",
        "Repeated actions",
        "The share of turns in which the player repeated a move or an answer that it had given "
        "earlier in the match: mean over matches, with its 95 % interval over starts.",
        ("player", "puzzle", "n", "repeated"),
        rows,
    )
