"""The schedule of a run: who plays whom on which instance.

All schedules have every player meet the same instances with the same luck, which follows from the
spec (common random numbers), and play each instance of a two-player game from both seats.  Matches
are counted, not listed: a schedule finds a match by its number, and its number by its name.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias, get_args

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError, unknown
from quandary.players.model_names import without_language
from quandary.programs.library import author_of, is_program

from .job import Job, JobSettings, StoredPosition
from .program_pairs import chosen_pairs
from .suite import Suite
from .swiss import Pairings, Standings

TILE = 16  # players who meet first; for these, one process of each program is kept
# "free": people play what they like, as on the site, so nothing is scheduled.
Kind: TypeAlias = Literal["alone", "house", "pairs", "swiss", "free"]
KINDS: tuple[Kind, ...] = get_args(Kind)[:-1]  # that a command can ask for
Seating: TypeAlias = tuple[str, ...]  # one player per seat


def usual(players: Sequence[str]) -> Kind:
    """Return the schedule of a run that names none.

    One model in several languages meets the house, so that all of them meet the same opponent.
    """
    return "house" if _apart(players) == 1 else "pairs"


def seats_of(spec: Spec) -> int:
    """Return the seats of an instance."""
    return _seats_of(spec.name, spec.task)


def _seats_of(puzzle: str, task: str) -> int:
    """Return the seats of a puzzle; a question about positions of a game has one."""
    return 1 if task else getattr(registry.load(puzzle), "seats", 1)


def invited(players: Sequence[str], seats: int) -> list[str]:
    """Return the players, with an opponent for a single one: the house, or `random` for the
    house.
    """
    more = [name for name in ("house", "random") if name not in players]
    return [*players, *more[: max(0, seats - _apart(players))]]


def _apart(players: Sequence[str]) -> int:
    """Return how many of some players could sit at one table.

    A model does not meet itself in another language: the two would not have the same opponents.
    Nor do the programs of one author meet.
    """
    return len(set(map(_who, players)))


def _who(player: str) -> str:
    return author_of(player) if is_program(player) else without_language(player)


def seatings(
    kind: Kind, players: Sequence[str], seats: int, programs_per_pair: int = 0
) -> list[Seating]:
    """Return who sits where on each instance of a puzzle with this number of seats.

    `programs_per_pair` is the number of pairs of programs that two authors have; 0 for all.
    """
    if kind == "free":
        return []
    if seats == 1:
        return [(player,) for player in players]
    every = _seatings(kind, players, seats)
    if not programs_per_pair:
        return every
    chosen = chosen_pairs(players, programs_per_pair)
    return [each for each in every if not all(map(is_program, each)) or frozenset(each) in chosen]


def _seatings(kind: Kind, players: Sequence[str], seats: int) -> list[Seating]:
    groups = [[player] for player in players] if kind == "house" else [players]
    tables = (_tables(invited(group, seats), seats) for group in groups)
    seated = (each for table in tables for each in table if _apart(each) == seats)
    return list(dict.fromkeys(seated))


def _tables(players: Sequence[str], seats: int) -> Iterable[Seating]:
    """Return all ways to seat some players; a few of them meet before others do.

    So a process of a program plays many matches before it must make room for others.
    """
    tile = {player: place // TILE for place, player in enumerate(players)}
    return sorted(permutations(players, seats), key=lambda each: [tile[one] for one in each])


class Round(NamedTuple):
    """Matches that can be played in any order."""

    seatings: Mapping[int, Sequence[Seating]]  # by the number of seats
    places: Mapping[int, Mapping[Seating, int]]  # the place of each seating among them
    first: array[int]  # number of the first match on each instance; at the end, of the next round


class Schedule:
    """The matches of a run, numbered; a Swiss one grows by a round when the last one is over.

    `stored` are the instances of a run that exists and has this schedule.  `programs_per_pair` is
    the number of pairs of programs that two authors have; 0 for all.
    """

    def __init__(
        self,
        suite: Suite,
        players: Sequence[str],
        kind: Kind | None = None,
        *,
        stored: Collection[str] = (),
        programs_per_pair: int = 0,
    ) -> None:
        self.programs_per_pair = programs_per_pair
        self.suite, self.players = suite, list(dict.fromkeys(players))
        self.kind: Kind = kind or usual(self.players)
        self.specs, self.repeats = suite.specs, suite.repeats
        seats = cache(_seats_of)
        self.seats = array("B", (seats(spec.name, spec.task) for spec in self.specs))
        self._duels = self.seats.count(2)
        self._check()
        if self.kind == "pairs" and _apart(self.players) == 1:
            self._check_lone_player(frozenset(stored))
        self._instances = {str(spec): place for place, spec in enumerate(self.specs)}
        self._rounds = list[Round]()
        self.total = 0  # how many matches there are, with those of later rounds
        self._pairings = Pairings(self.players) if self.kind == "swiss" else None
        if self._pairings:
            self.pair({})
        else:
            of = self.kind, self.players
            self._add({n: seatings(*of, n, programs_per_pair) for n in set(self.seats)})

    def _check(self) -> None:
        if self.kind not in get_args(Kind):
            raise unknown("schedule", self.kind, KINDS)
        most = max(self.seats)
        largest = self.specs[self.seats.index(most)].name
        if self.programs_per_pair and (most > 2 or self.kind != "pairs"):
            raise UserError(
                "--programs-per-pair is for games of two seats, and for --schedule pairs."
            )
        if self.kind == "alone" and most > 1:
            raise UserError(f"{largest} is not played alone; use --schedule house.")
        if self.kind == "swiss" and most > 2:
            raise UserError(f"{largest} has more than two seats; use --schedule pairs.")
        if self.kind == "swiss" and len(self.players) < 2:
            raise UserError("--schedule swiss needs two or more players.")
        if self.kind == "swiss" and self._duels and _apart(self.players) < len(self.players):
            raise UserError(
                "--schedule swiss pairs players by their results, so the languages of a model "
                "would not meet the same opponents; use --schedule pairs or house."
            )

    def _check_lone_player(self, stored: Collection[str]) -> None:
        """Refuse a lone player in two-player games: `pairs` has no matches with the house.

        They would count as pairs once a second player is added.  Runs of earlier versions have
        them, and can still be read and continued.
        """
        for spec, seats in zip(self.specs, self.seats, strict=True):
            if seats > 1 and str(spec) not in stored:
                raise UserError(
                    f"--schedule pairs needs two or more players for {spec.name}; name a second "
                    f"player, or use --schedule house."
                )

    def pair(self, standings: Standings) -> bool:
        """Add the next round of a Swiss run, by the points of each player so far, and return
        whether there is one.
        """
        if not self._pairings or (self._rounds and not self._rounds_left):
            return False
        pairs = self._pairings.next_round(standings)
        alone = [] if self._rounds else seatings("alone", self.players, 1)
        self._add({1: alone, 2: [seated for pair in pairs for seated in permutations(pair)]})
        return True

    @property
    def _rounds_left(self) -> int:
        if not self._pairings or not self._duels:
            return 0
        return self._pairings.rounds - len(self._rounds)

    def _add(self, seated: Mapping[int, Sequence[Seating]]) -> None:
        first = array("q", [len(self)])
        for seats in self.seats:
            first.append(first[-1] + len(seated[seats]) * self.repeats)
        places = {n: {each: place for place, each in enumerate(seated[n])} for n in seated}
        self._rounds.append(Round(seated, places, first))
        a_round = 2 * (len(self.players) // 2) * self.repeats * self._duels
        self.total = len(self) + self._rounds_left * a_round

    def __len__(self) -> int:
        """How many matches are known so far."""
        return self._rounds[-1].first[-1] if self._rounds else 0

    def __iter__(self) -> Iterator[Job]:
        return map(self.job, range(len(self)))

    def job(self, number: int) -> Job:
        """Return the match with a number."""
        seated, _, first = next(each for each in self._rounds if number < each.first[-1])
        place = bisect_right(first, number) - 1
        spec = self.specs[place]
        seating, repeat = divmod(number - first[place], self.repeats)
        players = seated[self.seats[place]][seating]
        return Job(start_of(self.suite, spec), players, repeat, settings_in(self.suite, spec))

    def number(self, name: str, players: Seating, repeat: int) -> int | None:
        """Return the number of a match; None if it is not one of the schedule."""
        place = self._instances.get(name)
        if place is None or not 0 <= repeat < self.repeats:
            return None
        for _, places, first in self._rounds:
            seating = places[self.seats[place]].get(players)
            if seating is not None:
                return first[place] + seating * self.repeats + repeat
        return None


def start_of(suite: Suite, spec: Spec) -> Spec | StoredPosition:
    """Return where a match on an instance starts: a problem of an import is stored in the suite."""
    stored = suite.problems.get(str(spec)) if suite.problems else None
    return spec if stored is None else StoredPosition(str(spec), spec, stored)


def settings_in(suite: Suite, spec: Spec) -> JobSettings:
    """Return how the matches of a suite on an instance are played."""
    return _settings(
        suite.attempts,
        suite.tries,
        suite.count_unreadable,
        suite.language_in(spec),
        suite.modality_of(spec),
        suite.clock,
    )


_settings = lru_cache(maxsize=64)(JobSettings)  # most matches of a suite share them
