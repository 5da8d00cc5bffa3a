"""Scores of players by level and over all levels, as plain means; they need no further package.

The score of a level is the mean over starts of the means over playings.  A playing is what a player
did in one repeat of an instance, over all seats and opponents.  The score of a player, which is the
one that every command prints, is the mean over puzzles of the means over their levels.
`quandary.scoring.leaderboard` computes the same means from tables, with intervals.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from math import fsum
from typing import NamedTuple, TypeAlias

from quandary.arena.job import Job
from quandary.catalogue.drawing import puzzle_and_level
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.record import RULED, Record
from quandary.players.people import is_person, own_name, pooled
from quandary.tasks.published_wording import Unscored

from .match_facts import MatchFacts, Reference, facts_of
from .starts import listed_starts
from .unplayed import UNPLAYED

WEIGHTS = "mean over puzzles of the means over their levels, each the mean over starts"

Level: TypeAlias = tuple[str, str]  # puzzle with its task, and level with its changes and split
Place: TypeAlias = tuple[int, str, int, str]  # start, instance, repeat, and whose if a person's


@dataclass(frozen=True)
class LevelScore:
    """How one player did on one level of one puzzle."""

    puzzle: str
    level: str  # with its changes and split, for example easy,height=2@train
    player: str
    matches: int  # scored ones; exact repeats count once
    repeats: int  # scored matches that are not counted, because they equal another one
    instances: int
    starts: int  # distinct ones among the instances
    listed: int | None  # how many starts the level has, if they are a short list
    score: float | None  # None without scored matches
    low: float | None  # of the 95 % interval; None if it is not known
    high: float | None
    value: float | None  # mean raw value of the matches that have one
    reference: float | None  # mean reference of the same matches
    bounds: int | None  # how many of those references are only bounds
    causes: tuple[tuple[str, int], ...]  # how its matches ended, most frequent first
    unscored: int  # cut off by the infrastructure
    missing: int  # these, and the matches that are not played yet


class RawValues(NamedTuple):
    """Means over the matches that have a raw value."""

    value: float | None = None
    reference: float | None = None  # None if one of them has none
    bounds: int | None = None  # how many of the references are only bounds


@dataclass
class Playings:
    """Scores of one player on one level, of which only sums are kept."""

    sums: dict[Place, tuple[float, int]] = field(default_factory=dict)

    def add(self, place: Place, score: float) -> None:
        total, count = self.sums.get(place, (0.0, 0))
        self.sums[place] = total + score, count + 1

    def mean(self) -> float | None:
        """Return the mean over starts of the means over playings; None without any."""
        by_start = defaultdict[int, list[float]](list)
        for (start, *_), (total, count) in self.sums.items():
            by_start[start].append(total / count)
        return mean_of(map(mean_of, by_start.values())) if by_start else None


@dataclass
class PlayerScores:
    """Scores of one player on all levels."""

    levels: dict[Level, Playings] = field(default_factory=lambda: defaultdict(Playings))

    def add(self, match: MatchFacts, score: float) -> None:
        level = puzzle_and_level(Spec.parse(match.name))
        self.levels[level].add(place_of(match), score)

    def headline(self) -> float | None:
        return headline((puzzle, own.mean()) for (puzzle, _), own in self.levels.items())


def place_of(match: MatchFacts, person: str = "") -> Place:
    return match.start, match.name, match.repeat, person


def headline(scores: Iterable[tuple[str, float | None]]) -> float | None:
    """Return the score of a player, from puzzle and score of each of its levels; None
    without any.
    """
    puzzles = defaultdict[str, list[float]](list)
    for puzzle, score in scores:
        if score is not None:
            puzzles[puzzle].append(score)
    return mean_of(map(mean_of, puzzles.values())) if puzzles else None


def headlines(rows: Iterable[LevelScore]) -> dict[str, float | None]:
    """Return the score of each player."""
    found = defaultdict[str, list[tuple[str, float | None]]](list)
    for row in rows:
        found[row.player].append((row.puzzle, row.score))
    return {player: headline(scores) for player, scores in found.items()}


def level_means(records: Iterable[Record], left: Iterable[Job] = ()) -> list[LevelScore]:
    """Return one row per puzzle, level and player, in the order they were played, without
    intervals.

    `left` are the matches of the run that are not played yet.
    """
    return means_of(facts_of(records), left)


def means_of(
    matches: Iterable[MatchFacts],
    left: Iterable[Job] = (),
    language_of: Callable[[str], str] = lambda name: "",
) -> list[LevelScore]:
    """Return the rows of `level_means`, from what scores need of each match.

    `language_of` gives the language in which an instance is asked, where that differs.
    """
    groups, specs = dict[tuple[Level, str], Group](), dict[Level, Spec]()
    for match in matches:
        spec = Spec.parse(match.name)
        if spec.name == Unscored.task:
            continue
        level = puzzle_and_level(spec)
        specs.setdefault(level, spec)
        for seat, player in enumerate(map(pooled, match.players)):
            groups.setdefault((level, player), Group()).add(match, seat, language_of(match.name))
    for job in left:
        if job.spec.name == Unscored.task:
            continue
        level = puzzle_and_level(job.spec)
        specs.setdefault(level, job.spec)
        for player in map(pooled, job.players):
            groups.setdefault((level, player), Group()).causes[UNPLAYED] += 1
    listed = {level: listed_starts(spec) for level, spec in specs.items()}
    return [group.row(level, player, listed[level]) for (level, player), group in groups.items()]


class Group:
    """The matches of one player on one level of one puzzle; of each, only numbers are kept."""

    def __init__(self) -> None:
        self.causes, self.unscored = Counter[str](), 0
        self.playings = Playings()
        self.moves = array("Q")  # of each scored match, equal for exact repeats
        self.values, self.references = array("d"), array("d")
        self.bounds = 0

    def add(self, match: MatchFacts, seat: Seat, language: str) -> None:
        own = match.cause in RULED or match.scores is None or match.is_at_fault(seat)
        self.causes[match.cause if own else f"opponent {match.cause}"] += 1
        if match.scores is None:
            self.unscored += 1
            return
        player = match.players[seat]
        person = own_name(player) if is_person(player) else ""
        self.playings.add(place_of(match, person), match.scores[seat])
        self.moves.append(_moves(match, seat, person, language))
        if match.values is not None and match.reference is not None:
            self._add_value(match.values[seat], match.reference)

    def _add_value(self, value: float, reference: Reference) -> None:
        self.values.append(value)
        if reference.value is not None:
            self.references.append(reference.value)
        self.bounds += reference.is_bound

    def row(self, level: Level, player: str, listed: int | None) -> LevelScore:
        matches, places, raw = len(set(self.moves)), self.playings.sums, self._raw_values()
        return LevelScore(
            puzzle=level[0],
            level=level[1],
            player=player,
            matches=matches,
            repeats=len(self.moves) - matches,
            instances=len({name for _, name, *_ in places}),
            starts=len({start for start, *_ in places}),
            listed=listed,
            score=self.playings.mean(),
            low=None,
            high=None,
            value=raw.value,
            reference=raw.reference,
            bounds=raw.bounds,
            causes=tuple(sorted(self.causes.items(), key=lambda one: (-one[1], one[0]))),
            unscored=self.unscored,
            missing=self.unscored + self.causes[UNPLAYED],
        )

    def _raw_values(self) -> RawValues:
        if not self.values:
            return RawValues()
        if len(self.references) < len(self.values):
            return RawValues(mean_of(self.values))
        return RawValues(mean_of(self.values), mean_of(self.references), self.bounds)


def _moves(match: MatchFacts, seat: Seat, person: str, language: str) -> int:
    """Equal for exact repeats of a match in the same language: a number of 64 bits."""
    others = [player for place, player in enumerate(match.players) if place != seat]
    played = repr((seat, others, match.moves, language, *([person] if person else [])))
    return int.from_bytes(blake2b(played.encode(), digest_size=8).digest(), "big")


def mean_of(values: Iterable[float]) -> float:
    """Return the mean, summed exactly; `statistics` has the same, and takes longer to load
    than it.
    """
    every = list(values)
    return fsum(every) / len(every)
