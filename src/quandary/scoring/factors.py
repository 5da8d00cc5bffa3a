"""What a factor of a run changes: the same model with and without it, on the same instances.

Only models have factors, and programs that models wrote: strategies do not see prompts.  Two rows
are a pair if they differ in one factor only: same model with the same other settings, same
instance, seat and opponents.  Repeats on one side are averaged first.  Puzzles about the words of
one language are left out where languages are compared, because only their rules are translated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from quandary.players.model_names import is_model
from quandary.programs.library import family, is_program
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.multiplicity import benjamini_hochberg, holm
from quandary.statistics.paired import Paired, paired

from .groups import Groups, SeatColumns, Texts, grouped, joined
from .rules_only import is_rules_only
from .score_table import Cell, Ranged, ScoreTable, score_table

if TYPE_CHECKING:
    import pyarrow as pa

# Each factor with the value that others are compared with: the prompts' usual one.
FACTORS = {
    "modality": "text",
    "language": "en",
    "shots": "0",
    "history": "true",
    "list_moves": "false",
    "prompting": "steps",
    "setting": "instruction",
}
# In players' names.
IN_NAMES = (
    "modality",
    "language",
    "shots",
    "history",
    "list_moves",
    "prompting",
)
SAME = ("spec", "opponents", "seat")  # columns that are equal in a pair
COLUMNS = (
    *SAME, "suite", "puzzle", "task", "instance", "player", "model", "score", *FACTORS
)  # fmt: skip
FORMULA = (
    "Mean score with `to` minus mean score with `from`, for the same model with otherwise the same "
    "settings on the same instances, seats and opponents (pairs); 95 % interval over starts. p: "
    "McNemar's exact test or sign flips; adjusted by {adjust} over the rows."
)
ADJUST = {"Holm": holm, "Benjamini and Hochberg": benjamini_hochberg}


class Pairs(NamedTuple):
    """Scores that differ in one factor."""

    factor: str
    usual: str
    other: str
    player: Texts
    puzzle: Texts
    suite: Texts
    start: Ints
    first: Floats  # with the other value
    second: Floats  # with the usual one


def factors(table: pa.Table, rng: Generator) -> list[ScoreTable]:
    """Return the effect of every factor: by player, by player and suite, by player and puzzle."""
    seats = SeatColumns(table)
    found = list(_pairs(seats, SAME))
    in_suites = _pairs(seats, (*SAME, "suite"))
    whole = [(key, _compared(pairs, at, rng)) for pairs in found for key, at in _by(pairs)]
    parts = [
        (key, _compared(pairs, at, rng)) for pairs in found for key, at in _by(pairs, pairs.puzzle)
    ]
    suites = [
        (key, _compared(pairs, at, rng))
        for pairs in in_suites
        for key, at in _by(pairs, pairs.suite)
    ]
    return [
        _table("factors", "Factors", "", whole, "Holm"),
        _table("factors_by_suite", "Factors by suite", "suite", suites, "Holm"),
        _table("factors_by_puzzle", "Factors by puzzle", "puzzle", parts, "Benjamini and Hochberg"),
    ]


def _table(
    key: str,
    title: str,
    part: str,
    rows: list[tuple[tuple[str, ...], Paired]],
    adjust: str,
) -> ScoreTable:
    names = ["factor", "from", "to", "player", *([part] if part else [])]
    adjusted = ADJUST[adjust]([one.p for _, one in rows]) if rows else np.zeros(0)
    cells = list[list[Cell]]()
    for (place, one), p in zip(rows, adjusted.tolist(), strict=True):
        difference = one.difference
        interval = Ranged(difference.mean, difference.low, difference.high)
        counts = (one.ahead, one.behind, one.equal)
        cells.append([*place, difference.n, difference.clusters, interval, one.p, p, *counts])
    head = (*names, "pairs", "starts", "difference", "p", "p adjusted", "better", "worse", "equal")
    notes = ["better, worse, equal: starts on which `to` scores more, less, or the same."]
    if any(place[0] == "language" for place, _ in rows):
        notes.append(
            "language: without puzzles about words, because only their rules are translated."
        )
    if any(place[0] == "setting" for place, _ in rows):
        notes.append(
            "setting: code is the mean over the programs that the model wrote; the interval is for "
            "these programs."
        )
    return score_table(key, title, FORMULA.format(adjust=adjust), head, cells, notes)


def _compared(pairs: Pairs, at: Ints, rng: Generator) -> Paired:
    return paired(pairs.first[at], pairs.second[at], pairs.start[at], rng=rng)


def _by(pairs: Pairs, *parts: Texts) -> Iterator[tuple[tuple[str, ...], Ints]]:
    """Yield the pairs of each player, perhaps in parts, in the order of names."""
    columns = [pairs.player, *parts]
    place = (pairs.factor, pairs.usual, pairs.other)
    for key, at in sorted(grouped(*columns), key=lambda one: [str(name) for name in one[0]]):
        yield (*place, *(str(name) for name in key)), at


def _pairs(seats: SeatColumns, same: Sequence[str]) -> Iterator[Pairs]:
    """Yield all pairs that are the same in some columns, one factor after the other."""
    seats = seats.only(~np.isnan(seats.numbers("score")) & _those(seats, "player", _is_prompted))
    columns = {name: seats.texts(name) for name in FACTORS}
    puzzles = joined(
        [seats.texts("task"), seats.texts("puzzle")],
        lambda task, puzzle: f"{task}:{puzzle}" if task else puzzle,
    )
    for factor, usual in FACTORS.items():
        # A program has been written once, whatever the settings of the run that it plays in.
        among = True if factor == "setting" else _those(seats, "player", is_model)
        if factor == "language":
            among &= ~_those(seats, "puzzle", is_rules_only)
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
                    seats,
                    players,
                    puzzles,
                    [*others, *map(seats.texts, same)],
                    values.where(value) & among,
                    values.where(base) & among,
                )
                if found is not None:
                    yield Pairs(factor, base, value, *found)


def _those(seats: SeatColumns, column: str, is_one: Callable[[str], bool]) -> Flags:
    """Return which rows have a text of a kind."""
    codes, names = seats.texts(column)
    return np.array([is_one(name) for name in names], bool)[codes]


def _is_prompted(player: str) -> bool:
    """Return whether a model plays, or wrote the program that does."""
    return is_model(player) or is_program(player)


def _spelt(column: Texts) -> Texts:
    """Values as texts; rows without one have none."""
    return Texts(column.codes, [name.lower() for name in column.names])


def _others(columns: Mapping[str, Texts], factor: str) -> list[Texts]:
    """Return what must be equal in a pair; programs have no settings of prompts."""
    if factor == "setting":
        return [columns["language"]]
    return [column for name, column in columns.items() if name != factor]


def names_in_factors(player: str) -> set[str]:
    """Return the names by which a player may be in the tables of factors."""
    return {_same_but(factor)(player) for factor in FACTORS}


def _same_but(factor: str) -> Callable[[str], str]:
    """Names of players without the settings that are factors, which other columns tell."""

    def name(player: str) -> str:
        if factor == "setting":  # a program is compared with the model that wrote it
            return family(player).partition(",")[0]
        model, *settings = player.split(",")
        kept = [one for one in settings if one.partition("=")[0] not in IN_NAMES]
        return ",".join([model, *kept]) if is_model(player) else player

    return name


def _paired_rows(
    seats: SeatColumns,
    players: Texts,
    puzzles: Texts,
    others: list[Texts],
    first: Flags,
    second: Flags,
) -> tuple[Texts, Texts, Texts, Ints, Floats, Floats] | None:
    """Player, puzzle, suite, start and both mean scores of places that have rows on both sides."""
    groups = Groups(*(column.codes for column in (players, *others)))
    rows, of = groups.first, groups.of
    score, means = seats.numbers("score"), []
    for side in (first, second):
        n = np.bincount(of[side], minlength=len(rows))
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append(np.bincount(of[side], score[side], minlength=len(rows)) / n)
    both = ~np.isnan(means[0] + means[1])
    if not both.any():
        return None
    at, suite = rows[both], seats.texts("suite")
    return (
        Texts(players.codes[at], players.names),
        Texts(puzzles.codes[at], puzzles.names),
        Texts(suite.codes[at], suite.names),
        seats.texts("instance").codes[at],
        means[0][both],
        means[1][both],
    )
