"""The rows of seats, grouped by puzzle, level and player, of each suite or over all.

What a player did in one repeat of an instance, over all seats and opponents, is one observation: a
playing.  Playings on the same start belong together.  Everything is computed on whole columns, so
that a million matches take about a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quandary.matches.record import RULED
from quandary.players.model_names import is_model
from quandary.results import table
from quandary.results.unplayed import UNPLAYED, with_unplayed
from quandary.statistics.estimates import Floats, Ints

from .level_order import level_place
from .seat_columns import SeatColumns, first_rows, is_first, numbered

if TYPE_CHECKING:
    import pyarrow as pa

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
    level: str  # with its changes, and its split unless that is `test`


class RawValues(NamedTuple):
    """Means over the matches that have a raw value."""

    value: float | None
    reference: float | None  # None if one of them has none
    bounds: int | None  # how many of the references are only bounds


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
    return grouped_seats(with_unplayed(table.seats(*folders, columns=COLUMNS), folders))


def grouped_seats(seats: pa.Table) -> SeatGroups:
    """The groups of a table of seats."""
    found = seat_groups(seats)
    several = len({group.key.suite for group in found}) > 1
    return SeatGroups(found, seat_groups(seats, suites=False) if several else found)


def seat_groups(seats: pa.Table, *, suites: bool = True) -> list[SeatGroup]:
    """One group per puzzle, level and player, of each suite; levels in the order of their puzzle.

    A match that is in several runs counts once in a group.
    """
    if not len(seats):
        return []
    rows = SeatColumns(seats)
    columns = [
        rows.texts(name) for name in ((*LEVEL, "player") if suites else (*LEVEL[1:], "player"))
    ]
    of = numbered(*(codes for codes, _ in columns))
    names = [
        tuple(words[codes[row]] for codes, words in columns) for row in first_rows(of).tolist()
    ]
    mixed = _mixed(rows, of, len(names))
    first = is_first(numbered(of, rows.copies))
    if not first.all():
        rows, of = rows.only(first), of[first]
    found = [
        SeatGroup(
            _key(*name[:-1]) if suites else _key("", *name[:-1]),
            name[-1],
            **dict(zip(PLAYINGS, own, strict=True)),
            **counted,
            mixed=differing,
        )
        for name, own, counted, differing in zip(
            names, _playings(rows, of), _counts(rows, of, len(names)), mixed, strict=True
        )
    ]
    order = _level_order({group.key for group in found})
    return sorted(found, key=lambda group: (order[group.key], group.player))


def _key(suite: str, task: str, puzzle: str, level: str, split: str) -> LevelKey:
    named = f"{task}:{puzzle}" if task else puzzle
    return LevelKey(suite, named, level if split == "test" else f"{level}@{split}")


def _level_order(keys: Iterable[LevelKey]) -> dict[LevelKey, tuple[object, ...]]:
    """What to sort levels by: suite, puzzle, and the puzzle's own order of levels."""
    return {key: (key.suite, key.puzzle, *level_place(key.puzzle, key.level)) for key in keys}


def _playings(rows: SeatColumns, of: Ints) -> Iterator[tuple[Any, ...]]:
    """Of each group, its playings, by start."""
    starts, run, spec = rows.starts, rows.codes("run"), rows.codes("spec")
    playing = numbered(of, starts, run, spec, rows.whole("repeat"))
    first = first_rows(playing)
    score = rows.numbers("score")
    there = ~np.isnan(score)
    count = np.bincount(playing)
    held = np.bincount(playing, there)
    total = np.bincount(playing, np.where(there, score, 0.0))
    with np.errstate(invalid="ignore"):
        mean = total / np.where(held, held, np.nan)
    repeat = rows.whole("repeat")
    luck = rows.texts("spec").codes * (int(repeat.max()) + 1) + repeat
    columns = (starts[first], luck[first], mean, total / count, (total + count - held) / count)
    moves = _moves(rows, playing)
    order = np.lexsort((starts[first], of[first]))
    ends = np.cumsum(np.bincount(of[first]))[:-1]
    yield from zip(*(np.split(column[order], ends) for column in (*columns, moves)), strict=True)


def _moves(rows: SeatColumns, playing: Ints) -> Ints:
    """The same number for playings in which everything was the same."""
    mixed = (rows.same.astype(np.uint64) + np.uint64(1)) * MIX
    mixed ^= mixed >> np.uint64(29)
    sums = np.zeros(int(playing.max()) + 1, np.uint64)
    np.add.at(sums, playing, mixed * MIX)
    return sums.view(np.int64)


def _counts(rows: SeatColumns, of: Ints, groups: int) -> Iterator[dict[str, Any]]:
    """Of each group, what is no array."""
    there = ~np.isnan(rows.numbers("score"))
    same = numbered(of[there], rows.same[there])
    matches = np.bincount(of[there][first_rows(same)], minlength=groups)
    scored = np.bincount(of, there, groups).astype(np.int64)
    missing = np.bincount(of, minlength=groups) - scored
    listed = rows.numbers("listed")[first_rows(of)]
    raw, causes = _raw_values(rows, of, there, groups), _causes(rows, of, there, groups)
    opponents, languages = _opponents(rows, of, groups), _languages(rows, of, there, groups)
    for at in range(groups):
        few = None if np.isnan(listed[at]) else int(listed[at])
        own = int(matches[at])
        yield {
            "listed": few,
            "matches": own,
            "repeats": int(scored[at]) - own,
            "missing": int(missing[at]),
            "raw": raw[at],
            "causes": causes[at],
            "opponents": opponents[at],
            "languages": languages[at],
        }


def _raw_values(rows: SeatColumns, of: Ints, there: Any, groups: int) -> list[RawValues]:
    value, reference = rows.numbers("value"), rows.numbers("reference")
    valued = there & ~np.isnan(value)
    referred = valued & ~np.isnan(reference)
    bound = referred & (rows.numbers("reference_is_bound") == 1.0)
    counts, refers, bounds = (np.bincount(of, kind, groups) for kind in (valued, referred, bound))
    sums = np.bincount(of[valued], value[valued], groups)
    reference_sums = np.bincount(of[referred], reference[referred], groups)
    found = []
    for at in range(groups):
        if not counts[at]:
            found.append(RawValues(None, None, None))
        elif refers[at] < counts[at]:
            found.append(RawValues(float(sums[at] / counts[at]), None, None))
        else:
            mean = float(reference_sums[at] / counts[at])
            found.append(RawValues(float(sums[at] / counts[at]), mean, int(bounds[at])))
    return found


def _causes(
    rows: SeatColumns, of: Ints, there: Any, groups: int
) -> list[tuple[tuple[str, int], ...]]:
    """How the matches of each group ended; a failure of the opponent is called so."""
    cause, words = rows.texts("cause")
    fault = rows.whole("at_fault")
    kinds = numbered(of, cause, fault, there.astype(np.int64))
    counts = np.bincount(kinds)
    found = [list[tuple[str, int]]() for _ in range(groups)]
    for row, count in zip(first_rows(kinds).tolist(), counts.tolist(), strict=True):
        word = words[cause[row]]
        own = fault[row] or word in RULED or not there[row]
        found[of[row]].append((word if own else f"opponent {word}", count))
    return [tuple(sorted(each, key=lambda one: (-one[1], one[0]))) for each in found]


def _opponents(rows: SeatColumns, of: Ints, groups: int) -> list[frozenset[str]]:
    codes, words = rows.texts("opponents")
    found = [set[str]() for _ in range(groups)]
    for row in first_rows(numbered(of, codes)).tolist():
        found[of[row]].update(words[codes[row]].split(" + ") if words[codes[row]] else ())
    return [frozenset(each) for each in found]


def _languages(rows: SeatColumns, of: Ints, there: Any, groups: int) -> list[frozenset[str]]:
    codes, words = rows.texts("language")
    players, names = rows.texts("player")
    found, played = [set[str]() for _ in range(groups)], np.flatnonzero(there)
    for row in played[first_rows(numbered(of[there], codes[there]))].tolist():
        if is_model(names[players[row]]):
            found[of[row]].add(words[codes[row]])
    return [frozenset(each) for each in found]


def _mixed(rows: SeatColumns, of: Ints, groups: int) -> list[tuple[str, ...]]:
    there = ~np.isnan(rows.numbers("score"))
    found = [list[str]() for _ in range(groups)]
    for name in SETTINGS:
        codes = rows.codes(name)[there]
        if not len(codes) or codes.min() == codes.max():
            continue
        kinds = np.bincount(of[there][first_rows(numbered(of[there], codes))], minlength=groups)
        for at in np.flatnonzero(kinds > 1).tolist():
            found[at].append(name)
    return [tuple(each) for each in found]


def players_of(groups: Sequence[SeatGroup]) -> list[str]:
    """All players, sorted."""
    return sorted({group.player for group in groups})


def by_level(groups: Iterable[SeatGroup]) -> dict[LevelKey, list[SeatGroup]]:
    """The groups of each level."""
    found = dict[LevelKey, list[SeatGroup]]()
    for group in groups:
        found.setdefault(group.key, []).append(group)
    return found
