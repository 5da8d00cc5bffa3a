"""The seats of runs as columns, from what was collected while they were played: with them, a run
ends with its scores without a table on disk, and without the time that importing pyarrow takes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quandary.arena.store import manifest_of
from quandary.catalogue import drawing
from quandary.players.model_names import is_model
from quandary.results.run_columns import BOUND, NONE, InstanceKind, PlayedRun, RunColumns
from quandary.results.run_context import RunContext, Seated, context_of
from quandary.results.run_folders import run_names
from quandary.results.run_rules import rules_of
from quandary.results.starts import listed_starts
from quandary.results.unplayed import UNPLAYED
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.tasks.published_wording import Unscored

from .groups import SeatColumns, Texts, first_rows
from .level_groups import SeatGroups, grouped_seats

Codes: TypeAlias = NDArray[np.int32]
ONE = np.uint64(1)


class Coded(NamedTuple):
    """A column as places in a list of values, which may have one twice."""

    codes: Codes
    values: Sequence[Any]


Column: TypeAlias = Coded | NDArray[Any]


class Seats(Protocol):
    """Some rows of the table of seats."""

    size: int

    def column(self, name: str) -> Column:
        """Return a column of texts and of what has few values is coded, one of numbers an array."""


class SeatsOfMatches:
    """The seats of the matches of one run that have a record."""

    def __init__(self, run: str, context: RunContext, columns: RunColumns) -> None:
        self.run, self.context, self.columns = run, context, columns
        kinds = columns.kind.values
        scored = np.array([kind.puzzle != Unscored.task for kind in kinds], bool)
        counted = scored[_array(columns.kinds)][_array(columns.instances)]
        counted[list(columns.superseded)] = False
        matches = np.flatnonzero(counted)
        tables = columns.seating.values
        seats = np.array(list(map(len, tables)), np.int64)[_array(columns.seatings)[matches]]
        self._match = np.repeat(matches, seats).astype(np.int32)
        self.size = len(self._match)
        before = np.repeat(np.cumsum(seats) - seats, seats)
        self._at = (np.arange(self.size) - before).astype(np.int8)  # the seat of each row
        most = max(map(len, tables), default=1)
        self._seated = (_array(columns.seatings)[self._match] * most + self._at).astype(np.int32)
        self._sitters = [
            (table, seat) if seat < len(table) else ((), 0)
            for table in tables
            for seat in range(most)
        ]  # of each seated: the players, and which of them it is

    @cached_property
    def _instances(self) -> Codes:
        return _array(self.columns.instances)[self._match].astype(np.int32)

    def _of_kind(self, name: str) -> Coded:
        kinds = self.columns.kind.values
        codes = _array(self.columns.kinds).astype(np.int32)[self._instances]
        return Coded(codes, [getattr(kind, name) for kind in kinds])

    def _of_seat(self, value: Callable[[tuple[str, ...], int], Any]) -> Coded:
        return Coded(
            self._seated,
            [value(*sitter) if sitter[0] else None for sitter in self._sitters],
        )

    def _of_seats(self, numbers: Any) -> Floats:
        first = _array(self.columns.first_seats)[self._match]
        found: Floats = _array(numbers)[first + self._at]
        return found

    def _constant(self, value: str) -> Coded:
        return Coded(np.zeros(self.size, np.int32), [value])

    def column(self, name: str) -> Column:
        columns, match = self.columns, self._match
        if name in InstanceKind._fields:
            return self._of_kind(name)
        if name in Seated._fields:
            return self._setting_of(name)
        made: dict[str, Callable[[], Column]] = {
            "run": lambda: self._constant(self.run),
            "suite": lambda: self._constant(self.context.name),
            "spec": lambda: Coded(self._instances, columns.names),
            "instance": self._starts,
            "seat": lambda: self._at,
            "player": lambda: self._of_seat(lambda players, seat: players[seat]),
            "opponents": lambda: self._of_seat(_opponents),
            "repeat": lambda: _array(columns.repeats)[match],
            "score": lambda: self._of_seats(columns.scores),
            "value": lambda: (
                self._of_seats(columns.values) if columns.values else np.full(self.size, np.nan)
            ),
            "reference": lambda: _array(columns.references)[self._instances],
            "reference_is_bound": self._bounds,
            "cause": lambda: Coded(
                _array(columns.causes)[match].astype(np.int32), columns.cause.values
            ),
            "lost_by_failure": lambda: (
                _array(columns.faults)[match] >> self._at.astype(np.uint64) & ONE
            ).astype(np.int8),
            "moves": lambda: _array(columns.moves)[match],
        }
        return made[name]()

    def _starts(self) -> Coded:
        ids, codes = np.unique(_array(self.columns.starts), return_inverse=True)
        texts = [f"{start:016x}" for start in ids.tolist()]
        return Coded(codes.astype(np.int32)[self._instances], texts)

    def _bounds(self) -> Floats:
        kinds = np.frombuffer(self.columns.reference_kinds, np.uint8)
        return np.where(kinds <= NONE, np.nan, kinds == BOUND)[self._instances]

    def _setting_of(self, name: str) -> Coded:
        """Return a setting of each player on each instance; both have few kinds of them."""
        asked = self._asked
        kinds = len(asked.values)
        codes = self._seated.astype(np.int64) * kinds + asked.codes[self._instances]
        used, rows = np.unique(codes, return_inverse=True)
        values = list[Any]()
        for code in used.tolist():
            (players, seat), (shown, language) = (
                self._sitters[code // kinds],
                asked.values[code % kinds],
            )
            seated = self.context.take_seats(players[seat], shown, language)
            value = getattr(seated, name)
            values.append(value or language if name == "language" else value)
        return Coded(rows.astype(np.int32), values)

    @cached_property
    def _asked(self) -> Coded:
        """How each instance is shown, and in which language."""
        context, names = self.context, self.columns.names
        if not context.pictures and not context.languages:
            return Coded(np.zeros(len(names), np.int32), [(context.modality(""), context.language)])
        asked = [(context.modality(name), context.language_of(name)) for name in names]
        known = {each: code for code, each in enumerate(dict.fromkeys(asked))}
        return Coded(np.array([known[each] for each in asked], np.int32), list(known))


class SeatsLeft:
    """The seats of matches that are not played yet, as far as they are known."""

    def __init__(self, run: str, suite: str, played: PlayedRun) -> None:
        versions = (manifest_of(played.folder) or {}).get("versions", {})
        starts = dict(zip(played.columns.names, played.columns.starts, strict=True))
        self.rows = list[dict[str, Any]]()
        for job in played.left:
            spec, name = job.spec, str(job.spec)
            known = {
                "run": run,
                "suite": suite,
                "task": spec.task,
                "puzzle": spec.name,
                "level": drawing.level_name(spec),
                "split": spec.split,
                "spec": name,
                # On an instance that nobody has played yet, its name stands for its start.
                "instance": f"{starts[name]:016x}" if name in starts else name,
                "listed_starts": listed_starts(spec),
                "version": versions.get(spec.name),
                "repeat": job.repeat,
                "cause": UNPLAYED,
            }
            for seat, player in enumerate(job.players):
                own = {"seat": seat, "player": player, "opponents": _opponents(job.players, seat)}
                self.rows.append(known | own)
        self.size = len(self.rows)

    def column(self, name: str) -> Column:
        if name in ("score", "value", "reference", "reference_is_bound"):
            return np.full(self.size, np.nan)
        if name in ("lost_by_failure", "moves"):
            return np.zeros(self.size, np.int8 if name == "lost_by_failure" else np.uint64)
        values = [row.get(name) for row in self.rows]
        if name in ("seat", "repeat"):
            return np.array(values, np.int32)
        known = {value: code for code, value in enumerate(dict.fromkeys(values))}
        return Coded(np.array([known[value] for value in values], np.int32), list(known))


class PlayedSeats(SeatColumns):
    """The seats of some runs, first those that were played, then those that are left."""

    def __init__(self, parts: Sequence[Seats], kept: Flags | None = None) -> None:
        self.parts, self.kept = parts, kept
        self._texts, self._numbers = {}, {}

    def __len__(self) -> int:
        return sum(part.size for part in self.parts) if self.kept is None else int(self.kept.sum())

    def only(self, rows: Flags) -> PlayedSeats:
        if self.kept is not None:
            kept = self.kept.copy()
            kept[kept] = rows
            rows = kept
        return PlayedSeats(self.parts, rows)

    def _sorted(self, name: str) -> Texts:
        codes, values = self._coded(name)
        names = [text for text, _ in groupby(sorted(text for text in values if text is not None))]
        places = [-1 if text is None else bisect_left(names, text) for text in values]
        return Texts(_small(places)[codes], names)

    def codes(self, name: str) -> Ints:
        if name in ("score", "moves"):
            numbers = self._array(name)
            found: Any = np.unique(numbers, return_inverse=True)[1].astype(np.int32)
            if name == "score":
                found[np.isnan(numbers)] = -1
            return found  # type: ignore[no-any-return]
        codes, values = self._coded(name)
        known = {value: code for code, value in enumerate(dict.fromkeys(values))}
        known[None] = -1
        return _small([known[value] for value in values])[codes]

    def numbers(self, name: str) -> Floats:
        if name in ("listed_starts", "version"):
            codes, values = self._coded(name)
            return np.array([np.nan if one is None else one for one in values], np.float64)[codes]
        return self._array(name)

    def whole(self, name: str) -> Ints:
        return self._array(name)

    def _array(self, name: str) -> NDArray[Any]:
        return self._chosen(np.concatenate([part.column(name) for part in self.parts]))

    def _coded(self, name: str) -> Coded:
        codes, values = list[Codes](), list[Any]()
        for part in self.parts:
            own, its = part.column(name)
            codes.append(own + np.int32(len(values)))
            values += its
        return Coded(self._chosen(np.concatenate(codes)), values)

    def _chosen(self, column: NDArray[Any]) -> NDArray[Any]:
        return column if self.kept is None else column[self.kept]


def played_seats(runs: Sequence[PlayedRun]) -> PlayedSeats:
    """Return the seats of some runs; UserError if a record cannot be scored."""
    played, left = list[Seats](), list[Seats]()
    by_folder = {run.folder: run for run in runs}
    for name, folder in run_names(by_folder).items():
        run, context = by_folder[folder], context_of(folder)
        run.columns.check()
        played.append(SeatsOfMatches(name, context, run.columns))
        if run.left:
            left.append(SeatsLeft(name, context.name, run))
    return PlayedSeats([*played, *left])


def groups_of_played(runs: Sequence[PlayedRun]) -> SeatGroups:
    """Return the groups of some runs; matches that are left to play are missing results."""
    return grouped_seats(played_seats(runs), rules_of([run.folder for run in runs]))


def in_several_languages(seats: PlayedSeats) -> bool:
    """Return whether a model was asked in several languages."""
    player, language = seats.texts("player"), seats.texts("language")
    asked = dict[str, str]()
    for row in first_rows(player.codes, language.codes).tolist():
        name, own = player.names[player.codes[row]], language.at(row)
        if own and is_model(name) and asked.setdefault(name.partition(",")[0], own) != own:
            return True
    return False


def _opponents(players: Sequence[str], seat: int) -> str:
    return " + ".join(other for at, other in enumerate(players) if at != seat)


def _small(codes: Sequence[int]) -> NDArray[Any]:
    """Numbers in as few bytes each as all of them fit into."""
    return np.array(codes, np.result_type(np.int8, *map(np.min_scalar_type, (-1, len(codes)))))


def _array(column: Any) -> NDArray[Any]:
    """Return a column of `array` as one of numpy, without a copy."""
    return np.frombuffer(column, column.typecode) if column else np.zeros(0, column.typecode)
