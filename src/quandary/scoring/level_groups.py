"""The rows of seats, grouped by puzzle, level and player, of each suite or over all.

What a player did in one repeat of an instance, over all seats and opponents, is one observation: a
playing.  Playings on the same start belong together.  Everything is computed on whole columns, so
that a million matches take about a second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quandary.matches.record import RULED
from quandary.players.model_names import is_model
from quandary.results import table
from quandary.results.level_scores import RawValues
from quandary.results.run_rules import RunRules, rules_of
from quandary.results.unplayed import UNPLAYED, with_unplayed
from quandary.statistics.estimates import Floats, Ints

from .conditions import differing_conditions
from .groups import Groups, SeatColumns, Texts, is_first
from .score_table import level_place

LEVEL = ("suite", "task", "puzzle", "level", "split")
SETTINGS = (  # that should be the same in all matches of a group
    *("version", "language", "tries", "setting", "shown", "shots", "history", "legal_shown"),
    *("thoughts", "reading"),
)
COLUMNS = (
    *("run", *LEVEL, "spec", "instance", "listed", "seat", "player", "opponents", "repeat"),
    *("score", "value", "reference", "reference_is_bound", "cause", "at_fault", "moves"),
    *("seats", "win", *SETTINGS),
)  # of the table of seats: those that leaderboards and ratings are made of
PLAYINGS = ("starts", "luck", "scores", "worst", "best", "moves")  # arrays of a group
SEED = 2026
MIX = np.uint64(0x9E3779B97F4A7C15)  # an odd number that spreads bits


class LevelKey(NamedTuple):
    """One level of one puzzle in one suite, or in all."""

    suite: str  # "" where suites are not told apart
    puzzle: str  # with its task, for example check:sudoku
    # With its changes, its split unless that is `test`, and the conditions under which it was
    # played if it was also played under others.
    level: str


@dataclass(frozen=True)
class SeatGroup:
    """One player on one level."""

    key: LevelKey
    player: str
    listed: int | None  # how many starts the level has, if they are a short list
    starts: Ints  # of each playing: the number of its start, the same for all players
    luck: Ints  # of each playing: equal for the same seed and repeat, the same for all players
    scores: Floats  # of each playing: mean over its matches; nan if none has a result
    worst: Floats  # the same, with missing results counted as 0
    best: Floats  # and as 1
    moves: Ints  # of each playing: equal for equal moves against equal opponents
    matches: int  # with a result; those with the same start, players and moves count once
    repeats: int  # with a result, not counted because they equal another one
    missing: int  # without a result
    instances: int  # with a result
    raw: RawValues
    causes: tuple[tuple[str, int], ...]  # how its matches ended, most frequent first
    opponents: frozenset[str]
    languages: frozenset[str]  # in which a model was asked; other players see no prompts
    mixed: tuple[str, ...]  # settings that are not the same in all its matches

    @cached_property
    def there(self) -> Any:
        """Which playings have a result."""
        return ~np.isnan(self.scores)

    @cached_property
    def seen(self) -> Ints:
        """The starts on which there is a result, each once."""
        return np.unique(self.starts[self.there])

    @property
    def unplayed(self) -> int:
        """Of the missing results, those of matches that are left to play."""
        return dict(self.causes).get(UNPLAYED, 0)

    @property
    def is_repeated(self) -> bool:
        """Whether every start was played more than once and always in the same way."""
        starts, counts = np.unique(self.starts, return_counts=True)
        ways = len(np.unique(np.stack([self.starts, self.moves]), axis=1).T)
        return bool(self.there.all() and counts.min() > 1 and ways == len(starts))


class SeatGroups(NamedTuple):
    """The groups of some runs."""

    of_suites: list[SeatGroup]
    overall: list[SeatGroup]  # a level of a puzzle is one, in whichever suites it was played


def fixed_rng() -> np.random.Generator:
    """What intervals and ranks are drawn with, so that every command prints the same ones."""
    return np.random.default_rng(SEED)


def groups_of(folders: Sequence[Path]) -> SeatGroups:
    """The groups of some runs; matches that are left to play are missing results."""
    whole = with_unplayed(table.seats(*folders, columns=COLUMNS), folders)
    return grouped_seats(whole, rules_of(folders))


def grouped_seats(seats: pa.Table, rules: Mapping[str, RunRules] | None = None) -> SeatGroups:
    """The groups of a table of seats; `rules` are those of its runs, the usual ones by default."""
    found = seat_groups(seats, rules)
    several = len({group.key.suite for group in found}) > 1
    return SeatGroups(found, seat_groups(seats, rules, suites=False) if several else found)


def seat_groups(
    seats: pa.Table, rules: Mapping[str, RunRules] | None = None, *, suites: bool = True
) -> list[SeatGroup]:
    """One group per puzzle, level and player, of each suite; levels in the order of their puzzle.

    A match that is in several runs counts once in a group.
    """
    if not len(seats):
        return []
    rows = SeatColumns(seats)
    columns = [*_level_columns(rows, rules, suites), rows.texts("player")]
    groups, names = _grouped(columns)
    mixed, of = _mixed(rows, groups.of), groups.of
    first = is_first(of, *rows.copies)
    if not first.all():
        rows, of = rows.only(first), of[first]
    facts = zip(
        names, _playings(rows, of), _counts(rows, of), _causes(rows, of), mixed, strict=True
    )
    found = [
        SeatGroup(
            _key(*name[:-1]),
            name[-1],
            **dict(zip(PLAYINGS, playings, strict=True)),
            **counts,
            causes=causes,
            mixed=differing,
        )
        for name, playings, counts, causes, differing in facts
    ]
    order = _level_order({group.key for group in found})
    return sorted(found, key=lambda group: (order[group.key], group.player))


def rows_on(
    seats: pa.Table, levels: Collection[LevelKey], rules: Mapping[str, RunRules] | None = None
) -> pa.Table:
    """The rows of a table that are on some levels, all of one suite or of none."""
    suites = any(level.suite for level in levels)
    groups, names = _grouped(_level_columns(SeatColumns(seats), rules, suites))
    inside = np.array([_key(*name) in levels for name in names], bool)
    return seats.filter(pa.array(inside[groups.of]))


def _level_columns(
    rows: SeatColumns, rules: Mapping[str, RunRules] | None, suites: bool
) -> list[Texts]:
    """What tells levels apart: the arguments of `_key`."""
    suite = rows.texts("suite") if suites else Texts(np.zeros(len(rows), np.int64), [""])
    return [suite, *map(rows.texts, LEVEL[1:]), differing_conditions(rows, rules or {})]


def _grouped(columns: Sequence[Texts]) -> tuple[Groups, list[tuple[str, ...]]]:
    """Groups by several columns, and the texts of each group."""
    groups = Groups(*(codes for codes, _ in columns))
    names = [tuple(words[codes[row]] for codes, words in columns) for row in groups.first.tolist()]
    return groups, names


def _key(suite: str, task: str, puzzle: str, level: str, split: str, conditions: str) -> LevelKey:
    named = f"{task}:{puzzle}" if task else puzzle
    of_split = level if split == "test" else f"{level}@{split}"
    return LevelKey(suite, named, f"{of_split} ({conditions})" if conditions else of_split)


def _level_order(keys: Iterable[LevelKey]) -> dict[LevelKey, tuple[object, ...]]:
    """What to sort levels by: suite, puzzle, and the puzzle's own order of levels."""
    return {key: (key.suite, key.puzzle, *level_place(key.puzzle, key.level)) for key in keys}


def _mixed(rows: SeatColumns, of: Ints) -> list[tuple[str, ...]]:
    """Of each group, the settings that differ between matches with a result."""
    missing = np.isnan(rows.numbers("score"))
    codes = {name: pa.array(rows.codes(name), mask=missing) for name in SETTINGS}
    ends = [(name, end) for name in SETTINGS for end in ("min", "max")]
    found = pa.table({"group": of, **codes}).group_by("group").aggregate(ends).sort_by("group")
    return [
        tuple(name for name in SETTINGS if row[f"{name}_min"] != row[f"{name}_max"])
        for row in found.to_pylist()
    ]


def _playings(rows: SeatColumns, of: Ints) -> Iterator[tuple[Any, ...]]:
    """Of each group, its playings, by start."""
    columns = {
        "group": of,
        "start": rows.starts,
        "run": rows.codes("run"),
        "spec": rows.texts("spec").codes,
        "repeat": rows.whole("repeat"),
    }
    measured = {
        "row": np.arange(len(rows)),
        "score": _known(rows.numbers("score")),
        "moves": _hashed(Groups(*rows.same).of),
    }
    sums = [("row", "min"), ("score", "sum"), ("score", "count"), ("moves", "sum")]
    found = (
        pa.table({**columns, **measured})
        .group_by(list(columns), use_threads=False)
        .aggregate([*sums, ([], "count_all")])
    )
    order = np.lexsort([found[name].to_numpy() for name in ("row_min", "start", "group")])
    found = found.take(order)
    total = pc.fill_null(found["score_sum"], 0.0).to_numpy()
    held, count = found["score_count"].to_numpy(), found["count_all"].to_numpy()
    mean = found["score_sum"].to_numpy() / np.where(held, held, np.nan)
    repeats = int(columns["repeat"].max()) + 1
    luck = found["spec"].to_numpy() * repeats + found["repeat"].to_numpy()
    worst, best = total / count, (total + count - held) / count
    moves = found["moves_sum"].to_numpy().view(np.int64)
    ends = np.cumsum(np.bincount(found["group"].to_numpy()))[:-1]
    playings = (found["start"].to_numpy(), luck, mean, worst, best, moves)
    yield from zip(*(np.split(column, ends) for column in playings), strict=True)


def _known(values: Floats) -> Any:
    """Numbers for pyarrow, which leaves missing ones out of sums and counts."""
    return pa.array(values, from_pandas=True)


def _hashed(numbers: Ints) -> Any:
    """Numbers whose sums differ, unless they are sums of the same numbers."""
    mixed = (numbers.astype(np.uint64) + np.uint64(1)) * MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed * MIX


def _counts(rows: SeatColumns, of: Ints) -> Iterator[dict[str, Any]]:
    """Of each group, what is one value: numbers of matches, raw values, opponents, languages."""
    player, opponents, language = map(rows.texts, ("player", "opponents", "language"))
    score = rows.numbers("score")
    there = ~np.isnan(score)
    prompted = there & np.array([is_model(name) for name in player.names])[player.codes]
    value = np.where(there, rows.numbers("value"), np.nan)
    reference = np.where(np.isnan(value), np.nan, rows.numbers("reference"))
    table = pa.table(
        {
            "group": of,
            "score": _known(score),
            "spec": pa.array(rows.texts("spec").codes, mask=~there),
            "distinct": there & is_first(of, *rows.same, there.astype(np.int64)),
            "listed": _known(rows.numbers("listed")),
            "value": _known(value),
            "reference": _known(reference),
            "bound": ~np.isnan(reference) & (rows.numbers("reference_is_bound") == 1.0),
            "opponents": opponents.codes,
            "language": pa.array(language.codes, mask=~prompted),
        }
    )
    found = table.group_by("group", use_threads=False).aggregate(
        [
            ([], "count_all"),
            *((name, "count") for name in ("score", "value", "reference")),
            *((name, "mean") for name in ("value", "reference")),
            *((name, "sum") for name in ("distinct", "bound")),
            ("spec", "count_distinct"),
            *((name, "distinct") for name in ("opponents", "language")),
            ("listed", "first", pc.ScalarAggregateOptions(skip_nulls=False)),
        ]
    )
    for row in found.sort_by("group").to_pylist():
        met = (opponents.names[code] for code in row["opponents_distinct"])
        yield {
            "listed": None if row["listed_first"] is None else int(row["listed_first"]),
            "matches": row["distinct_sum"],
            "repeats": row["score_count"] - row["distinct_sum"],
            "missing": row["count_all"] - row["score_count"],
            "instances": row["spec_count_distinct"],
            "raw": _raw_values(row),
            "opponents": frozenset(name for names in met for name in names.split(" + ") if name),
            "languages": frozenset(
                language.names[code] for code in row["language_distinct"] if code is not None
            ),
        }


def _raw_values(row: Mapping[str, Any]) -> RawValues:
    if not row["value_count"] or row["reference_count"] < row["value_count"]:
        return RawValues(row["value_mean"], None, None)
    return RawValues(row["value_mean"], row["reference_mean"], row["bound_sum"])


def _causes(rows: SeatColumns, of: Ints) -> list[tuple[tuple[str, int], ...]]:
    """How the matches of each group ended; a failure of the opponent is called so."""
    cause, words = rows.texts("cause")
    there = ~np.isnan(rows.numbers("score"))
    kinds = {"group": of, "cause": cause, "fault": rows.whole("at_fault"), "there": there}
    counted = pa.table(kinds).group_by(list(kinds)).aggregate([([], "count_all")])
    found = [list[tuple[str, int]]() for _ in range(int(of.max()) + 1)]
    for row in counted.to_pylist():
        word = words[row["cause"]]
        own = row["fault"] or word in RULED or not row["there"]
        found[row["group"]].append((word if own else f"opponent {word}", row["count_all"]))
    return [tuple(sorted(each, key=lambda one: (-one[1], one[0]))) for each in found]


def players_of(groups: Sequence[SeatGroup]) -> list[str]:
    """All players, sorted."""
    return sorted({group.player for group in groups})


def by_level(groups: Iterable[SeatGroup]) -> dict[LevelKey, list[SeatGroup]]:
    """The groups of each level."""
    found = dict[LevelKey, list[SeatGroup]]()
    for group in groups:
        found.setdefault(group.key, []).append(group)
    return found
