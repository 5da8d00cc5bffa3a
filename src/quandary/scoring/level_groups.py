"""The rows of seats, grouped by puzzle, level and player, of each suite or over all.

What a player did in one repeat of an instance, over all seats and opponents, is one observation: a
playing.  Playings on the same start belong together.  People are one player, whose playings also
belong together where they are by the same person.  Everything is computed on whole columns, so
that a million matches take about a second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quandary.matches.record import RULED
from quandary.players.model_names import is_model
from quandary.players.people import is_person
from quandary.results.level_scores import RawValues
from quandary.results.run_rules import RunRules, rules_of
from quandary.results.unplayed import UNPLAYED, with_unplayed
from quandary.statistics.estimates import Flags, Floats, Ints

from .conditions import differing_conditions
from .groups import Groups, SeatColumns, Texts, is_first, people, persons, pooled_people
from .score_table import level_place

if TYPE_CHECKING:
    import pyarrow as pa

LEVEL = ("suite", "task", "puzzle", "level", "split")
SETTINGS = (  # that should be the same in all matches of a group
    *("version", "language", "tries", "setting", "modality", "shots", "history", "list_moves"),
    *("prompting", "parsing"),
)
COLUMNS = (
    *("run", *LEVEL, "spec", "instance", "listed_starts", "seat", "player", "opponents", "repeat"),
    *("score", "value", "reference", "reference_is_bound", "cause", "lost_by_failure", "moves"),
    *("seats", "win", *SETTINGS),
)  # of the table of seats: those that leaderboards and ratings are made of
# Arrays of a group; the last one only where people have played.
PLAYINGS = ("starts", "luck", "scores", "worst", "best", "moves", "persons")
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
    matches: int  # with a result; exact repeats count once
    repeats: int  # with a result, not counted because they equal another one
    missing: int  # without a result
    instances: int  # with a result
    raw: RawValues
    causes: tuple[tuple[str, int], ...]  # how its matches ended, most frequent first
    opponents: frozenset[str]
    languages: frozenset[str]  # in which a model was asked; other players see no prompts
    mixed: tuple[str, ...]  # settings that are not the same in all its matches
    persons: Ints | None = None  # of each playing: the number of the person, if people have played

    @property
    def is_of_people(self) -> bool:
        return is_person(self.player)

    @cached_property
    def there(self) -> Any:
        """Which playings have a result."""
        return ~np.isnan(self.scores)

    @cached_property
    def seen(self) -> Ints:
        """The starts on which there is a result, each once."""
        return np.flatnonzero(np.bincount(self.starts[self.there]))

    @property
    def unplayed(self) -> int:
        """Of the missing results, those of matches that are left to play."""
        return dict(self.causes).get(UNPLAYED, 0)

    @property
    def is_repeated(self) -> bool:
        """Whether every start was played more than once and always in the same way.

        That two people answer alike does not say that a third one would.
        """
        if not self.there.all() or self.is_of_people:
            return False
        playings, ways = np.bincount(self.starts)[self.seen], Groups(self.starts, self.moves)
        return bool(playings.min() > 1) and len(ways) == len(self.seen)


class SeatGroups(NamedTuple):
    """The groups of some runs."""

    of_suites: list[SeatGroup]
    overall: list[SeatGroup]  # a level of a puzzle is one, in whichever suites it was played


def fixed_rng() -> np.random.Generator:
    """Return what intervals and ranks are drawn with, so that every command prints the same
    ones.
    """
    return np.random.default_rng(SEED)


def groups_of(folders: Sequence[Path]) -> SeatGroups:
    """Return the groups of some runs; matches that are left to play are missing results."""
    from quandary.results import table

    whole = with_unplayed(table.seats(*folders, columns=COLUMNS), folders)
    return grouped_seats(whole, rules_of(folders))


def grouped_seats(
    seats: pa.Table | SeatColumns, rules: Mapping[str, RunRules] | None = None
) -> SeatGroups:
    """Return the groups of a table of seats; `rules` are those of its runs, the usual ones by
    default.
    """
    found = seat_groups(seats, rules)
    several = len({group.key.suite for group in found}) > 1
    return SeatGroups(found, seat_groups(seats, rules, suites=False) if several else found)


def seat_groups(
    seats: pa.Table | SeatColumns,
    rules: Mapping[str, RunRules] | None = None,
    *,
    suites: bool = True,
) -> list[SeatGroup]:
    """Return one group per puzzle, level and player, of each suite; levels in the order of their
    puzzle.

    A match that is in several runs counts once in a group.
    """
    if not len(seats):
        return []
    rows = seats if isinstance(seats, SeatColumns) else SeatColumns(seats)
    columns = [*_level_columns(rows, rules, suites), pooled_people(rows.texts("player"))]
    groups, names = _grouped(columns)
    mixed, of = _mixed(rows, groups), groups.of
    first = is_first(of, *rows.copies)
    if not first.all():
        rows, groups = rows.only(first), Groups(of[first])
    # One after another: what each needs on its way takes much memory.
    playings, counts = list(_playings(rows, groups.of)), list(_counts(rows, groups))
    facts = zip(names, playings, counts, _causes(rows, groups), mixed, strict=True)
    found = [
        SeatGroup(
            _key(*name[:-1]),
            name[-1],
            **dict(zip(PLAYINGS, own, strict=False)),
            **counted,
            causes=causes,
            mixed=differing,
        )
        for name, own, counted, causes, differing in facts
    ]
    order = _level_order({group.key for group in found})
    return sorted(found, key=lambda group: (order[group.key], group.player))


def rows_on(
    seats: pa.Table, levels: Collection[LevelKey], rules: Mapping[str, RunRules] | None = None
) -> pa.Table:
    """Return the rows of a table that are on some levels, all of one suite or of none."""
    import pyarrow as pa

    suites = any(level.suite for level in levels)
    groups, names = _grouped(_level_columns(SeatColumns(seats), rules, suites))
    inside = np.array([_key(*name) in levels for name in names], bool)
    return seats.filter(pa.array(inside[groups.of]))


def _level_columns(
    rows: SeatColumns, rules: Mapping[str, RunRules] | None, suites: bool
) -> list[Texts]:
    """Return what tells levels apart: the arguments of `_key`."""
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
    """Return what to sort levels by: suite, puzzle, and the puzzle's own order of levels."""
    return {key: (key.suite, key.puzzle, *level_place(key.puzzle, key.level)) for key in keys}


def _mixed(rows: SeatColumns, groups: Groups) -> list[tuple[str, ...]]:
    """Of each group, the settings that differ between matches with a result."""
    there = ~np.isnan(rows.numbers("score"))
    of, found = groups.of[there], [list[str]() for _ in range(len(groups))]
    for name in SETTINGS:
        codes = rows.codes(name)[there]
        if len(codes) and codes.min() < codes.max():
            first = Groups(of, codes).first
            for group in np.flatnonzero(groups.counts(of[first]) > 1).tolist():
                found[group].append(name)
    return [tuple(names) for names in found]


def _playings(rows: SeatColumns, of: Ints) -> Iterator[tuple[Any, ...]]:
    """Of each group, its playings, by start."""
    spec, repeat = rows.texts("spec").codes, rows.whole("repeat")
    who = _persons(rows)
    playings = Groups(of, rows.starts, rows.codes("run"), spec, repeat, *who)
    # Before the others: what it needs on its way takes much memory.
    moves = _wrapped_sums(_hashed(Groups(*rows.same).of), playings)
    score = rows.numbers("score")
    there = ~np.isnan(score)
    count, held = playings.counts(playings.of), playings.counts(playings.of[there])
    total = playings.sums(score, there)
    mean = total / np.where(held, held, np.nan)
    worst, best = total / count, (total + count - held) / count
    first = playings.first
    luck = spec[first].astype(np.int64) * (int(repeat.max()) + 1) + repeat[first]
    start, group = rows.starts[first], of[first]
    order = np.lexsort([start, group])
    ends = np.cumsum(np.bincount(group))[:-1]
    columns = (start, luck, mean, worst, best, moves, *(codes[first] for codes in who))
    yield from zip(*(np.split(column[order], ends) for column in columns), strict=True)


def _persons(rows: SeatColumns) -> list[Ints]:
    """Return a column with a number per person; none where no people have played."""
    player = rows.texts("player")
    return [persons(player)] if people(player).any() else []


def _hashed(numbers: Ints) -> Any:
    """Numbers whose sums differ, unless they are sums of the same numbers."""
    mixed = (numbers.astype(np.uint64) + np.uint64(1)) * MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed * MIX


def _wrapped_sums(values: Any, groups: Groups) -> Ints:
    """Return the sum of each group's values, in as many bits as they have."""
    ends = np.cumsum(groups.counts(groups.of))
    begins = np.concatenate([[0], ends[:-1]])
    ordered = values[np.argsort(groups.of, kind="stable")]
    found: Ints = np.add.reduceat(ordered, begins).view(np.int64)
    return found


def _counts(rows: SeatColumns, groups: Groups) -> Iterator[dict[str, Any]]:
    """Of each group, what is one value: numbers of matches, raw values, opponents, languages."""
    player, opponents, language = map(rows.texts, ("player", "opponents", "language"))
    of, listed = groups.of, rows.numbers("listed_starts")[groups.first]
    there = ~np.isnan(rows.numbers("score"))
    prompted = there & np.array([is_model(name) for name in player.names])[player.codes]
    distinct = there & is_first(of, *rows.same, *_persons(rows), there.astype(np.int8))
    scored, repeated = groups.counts(of[there]), groups.counts(of[there & ~distinct])
    specs = Groups(of[there], rows.texts("spec").codes[there])
    instances = groups.counts(of[there][specs.first])
    missing, raw = groups.counts(of[~there]), _raw_values(rows, groups, there)
    met = _names(groups, opponents, np.ones(len(of), bool))
    asked = _names(groups, language, prompted)
    for group in range(len(groups)):
        yield {
            "listed": None if np.isnan(listed[group]) else int(listed[group]),
            "matches": int(scored[group] - repeated[group]),
            "repeats": int(repeated[group]),
            "missing": int(missing[group]),
            "instances": int(instances[group]),
            "raw": raw[group],
            "opponents": frozenset(
                name for names in met[group] for name in names.split(" + ") if name
            ),
            "languages": frozenset(asked[group]),
        }


def _names(groups: Groups, texts: Texts, rows: Flags) -> list[list[str]]:
    """Return the texts that occur in some rows of each group."""
    found = [list[str]() for _ in range(len(groups))]
    of, codes = groups.of[rows], texts.codes[rows]
    first = Groups(of, codes).first
    for group, code in zip(of[first].tolist(), codes[first].tolist(), strict=True):
        if code >= 0:
            found[group].append(texts.names[code])
    return found


def _raw_values(rows: SeatColumns, groups: Groups, there: Flags) -> list[RawValues]:
    value = rows.numbers("value")
    valued = there & ~np.isnan(value)
    if not valued.any():
        return [RawValues()] * len(groups)
    reference = rows.numbers("reference")
    referred = valued & ~np.isnan(reference)
    bound = referred & (rows.numbers("reference_is_bound") == 1.0)
    values, references, bounds = (
        groups.counts(groups.of[rows]).tolist() for rows in (valued, referred, bound)
    )
    value_sums, reference_sums = (
        groups.sums(*each).tolist() for each in ((value, valued), (reference, referred))
    )
    return [
        RawValues()
        if not values[at]
        else RawValues(value_sums[at] / values[at])
        if references[at] < values[at]
        else RawValues(value_sums[at] / values[at], reference_sums[at] / references[at], bounds[at])
        for at in range(len(groups))
    ]


def _causes(rows: SeatColumns, groups: Groups) -> list[tuple[tuple[str, int], ...]]:
    """Return how the matches of each group ended; a failure of the opponent is called so."""
    cause, words = rows.texts("cause")
    there, fault = ~np.isnan(rows.numbers("score")), rows.whole("lost_by_failure")
    kinds = Groups(groups.of, cause, fault, there.astype(np.int8))
    found = [list[tuple[str, int]]() for _ in range(len(groups))]
    for row, count in zip(kinds.first.tolist(), kinds.counts(kinds.of).tolist(), strict=True):
        word = words[cause[row]]
        own = fault[row] or word in RULED or not there[row]
        found[groups.of[row]].append((word if own else f"opponent {word}", count))
    return [tuple(sorted(each, key=lambda one: (-one[1], one[0]))) for each in found]


def players_of(groups: Sequence[SeatGroup]) -> list[str]:
    """Return all players, sorted."""
    return sorted({group.player for group in groups})


def by_level(groups: Iterable[SeatGroup]) -> dict[LevelKey, list[SeatGroup]]:
    """Return the groups of each level."""
    found = dict[LevelKey, list[SeatGroup]]()
    for group in groups:
        found.setdefault(group.key, []).append(group)
    return found
