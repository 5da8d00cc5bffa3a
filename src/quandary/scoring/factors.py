"""What a factor of a run changes: the same model with and without it, on the same instances.

Only models have factors, and programs that models wrote: strategies do not see prompts.  Two rows
are a pair if they differ in one factor only: same model with the same other settings, same
instance, seat and opponents.  Repeats on one side are averaged first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from quandary.players.model_names import is_model, is_program
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.multiplicity import benjamini_hochberg, holm
from quandary.statistics.paired import Paired, paired

from .pairings import family
from .row_groups import grouped, joined, places
from .score_table import Cell, Ranged, ScoreTable, score_table
from .seat_columns import SeatColumns, Texts

if TYPE_CHECKING:
    import pyarrow as pa

# Each factor with the value that others are compared with: the prompts' usual one.
FACTORS = {
    "shown": "text",
    "language": "en",
    "shots": "0",
    "history": "true",
    "legal_shown": "false",
    "thoughts": "steps",
    "setting": "instruction",
}
IN_NAMES = ("shown", "shots", "history", "legal", "thoughts")  # settings that are factors
COLUMNS = (
    "spec", "puzzle", "task", "instance", "seat", "player", "model", "opponents", "score", *FACTORS
)  # fmt: skip
FORMULA = (
    "Mean score with `to` less mean score with `from`, of the same model with otherwise the same "
    "settings on the same instances, seats and opponents (pairs); 95 % interval over starts. "
)


class Pairs(NamedTuple):
    """Scores that differ in one factor."""

    factor: str
    usual: str
    other: str
    player: Texts
    puzzle: Texts
    start: Ints
    first: Floats  # with the other value
    second: Floats  # with the usual one


def factors(table: pa.Table, rng: Generator) -> list[ScoreTable]:
    """The effect of every factor, by player, and by player and puzzle."""
    found = list(_pairs(SeatColumns(table)))
    whole = [(key, _compared(pairs, at, rng)) for pairs in found for key, at in _by(pairs, False)]
    parts = [(key, _compared(pairs, at, rng)) for pairs in found for key, at in _by(pairs, True)]
    return [
        _table(
            "factors",
            "Factors",
            f"{FORMULA}p: McNemar's exact test or sign flips; adjusted by Holm over the rows.",
            [(key[:4], one) for key, one in whole],
            holm([one.p for _, one in whole]) if whole else np.zeros(0),
        ),
        _table(
            "factors_by_puzzle",
            "Factors by puzzle",
            f"{FORMULA}p: McNemar's exact test or sign flips; adjusted by Benjamini and Hochberg "
            f"over the rows.",
            parts,
            benjamini_hochberg([one.p for _, one in parts]) if parts else np.zeros(0),
        ),
    ]


def _table(
    key: str,
    title: str,
    formula: str,
    rows: list[tuple[tuple[str, ...], Paired]],
    adjusted: Floats,
) -> ScoreTable:
    names = ("factor", "from", "to", "player", "puzzle")[: len(rows[0][0]) if rows else 4]
    cells = list[list[Cell]]()
    for (place, one), p in zip(rows, adjusted.tolist(), strict=True):
        difference = one.difference
        interval = Ranged(difference.mean, difference.low, difference.high)
        counts = (one.ahead, one.behind, one.equal)
        cells.append([*place, difference.n, difference.clusters, interval, one.p, p, *counts])
    head = (*names, "pairs", "starts", "difference", "p", "p adjusted", "better", "worse", "equal")
    note = "better, worse, equal: starts on which `to` scores more, less, or the same."
    return score_table(key, title, formula, head, cells, (note,))


def _compared(pairs: Pairs, at: Ints, rng: Generator) -> Paired:
    return paired(pairs.first[at], pairs.second[at], pairs.start[at], rng=rng)


def _by(pairs: Pairs, puzzles: bool) -> Iterator[tuple[tuple[str, ...], Ints]]:
    """The pairs of each player, or of each player and puzzle, in the order of names."""
    columns = [pairs.player, pairs.puzzle] if puzzles else [pairs.player]
    place = (pairs.factor, pairs.usual, pairs.other)
    for key, at in sorted(grouped(*columns), key=lambda one: [str(name) for name in one[0]]):
        yield (*place, *(str(name) for name in key)), at


def _pairs(seats: SeatColumns) -> Iterator[Pairs]:
    """All pairs, one factor after the other."""
    seats = seats.only(~np.isnan(seats.numbers("score")) & _players(seats, _is_prompted))
    columns = {name: seats.texts(name) for name in FACTORS}
    for factor, usual in FACTORS.items():
        # A program has been written once, whatever the settings of the run that it plays in.
        among = True if factor == "setting" else _players(seats, is_model)
        values = _spelt(columns[factor])
        present = [name for name in values.names if (values.where(name) & among).any()]
        if len(present) < 2:
            continue
        base = usual if usual in present else min(present)
        players = joined([seats.texts("player")], _same_but(factor))
        others = _others(columns, factor)
        for value in sorted(present):
            if value != base:
                found = _paired_rows(
                    seats, players, others, values.where(value) & among, values.where(base) & among
                )
                if found is not None:
                    yield Pairs(factor, base, value, *found)


def _players(seats: SeatColumns, is_one: Callable[[str], bool]) -> Flags:
    """Which rows are of players of a kind."""
    codes, names = seats.texts("player")
    return np.array([is_one(name) for name in names], bool)[codes]


def _is_prompted(player: str) -> bool:
    """Whether a model plays, or wrote the program that does."""
    return is_model(player) or is_program(player)


def _spelt(column: Texts) -> Texts:
    """Values as texts; rows without one have none."""
    return Texts(column.codes, [name.lower() for name in column.names])


def _others(columns: Mapping[str, Texts], factor: str) -> list[Texts]:
    """What must be equal in a pair; programs have no settings of prompts."""
    if factor == "setting":
        return [columns["language"]]
    return [column for name, column in columns.items() if name != factor]


def names_in_factors(player: str) -> set[str]:
    """The names by which a player may be in the tables of factors."""
    return {_same_but(factor)(player) for factor in FACTORS}


def _same_but(factor: str) -> Callable[[str], str]:
    """Names of players without the settings that are factors, which other columns tell."""

    def name(player: str) -> str:
        if factor == "setting":  # a program is compared with the model that wrote it
            return (
                family(player) if not is_model(player) else player.partition(",")[0].split("/")[-1]
            )
        model, *settings = player.split(",")
        kept = [one for one in settings if one.partition("=")[0] not in IN_NAMES]
        return ",".join([model, *kept]) if is_model(player) else player

    return name


def _paired_rows(
    seats: SeatColumns, players: Texts, others: list[Texts], first: Flags, second: Flags
) -> tuple[Texts, Texts, Ints, Floats, Floats] | None:
    """Player, puzzle, start and both mean scores of each place that has rows on both sides."""
    shared = [seats.texts(name) for name in ("spec", "opponents", "seat")]
    rows, of = places(players, *others, *shared)
    score, means = seats.numbers("score"), []
    for side in (first, second):
        n = np.bincount(of[side], minlength=len(rows))
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append(np.bincount(of[side], score[side], minlength=len(rows)) / n)
    both = ~np.isnan(means[0] + means[1])
    if not both.any():
        return None
    at = rows[both]
    puzzle = joined(
        [seats.texts("task"), seats.texts("puzzle")],
        lambda task, puzzle: f"{task}:{puzzle}" if task else puzzle,
    )
    return (
        Texts(players.codes[at], players.names),
        Texts(puzzle.codes[at], puzzle.names),
        seats.texts("instance").codes[at],
        means[0][both],
        means[1][both],
    )
