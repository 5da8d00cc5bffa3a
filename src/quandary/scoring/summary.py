"""Records to numbers: mean scores with 95 % intervals, raw values and their references."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from statistics import fmean
from typing import NamedTuple

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.record import Record
from quandary.results.starts import Starts, listed_starts

from .intervals import interval_over_starts


@dataclass(frozen=True)
class SummaryRow:
    """How one player did on one level of one puzzle."""

    puzzle: str
    level: str  # with its changes and split, for example easy,height=2@train
    player: str
    matches: int  # scored ones; those with the same start, players and moves count once
    repeats: int  # scored matches that are not counted, because they equal another one
    instances: int
    starts: int  # distinct ones among the instances
    listed: int | None  # how many starts the level has, if they are a short list
    # Mean over starts of the mean over their matches; None without scored matches.
    score: float | None
    low: float | None  # of the 95 % interval
    high: float | None
    value: float | None  # mean raw value of the matches that have one
    reference: float | None  # mean reference of the same matches
    bounds: int  # how many of those references are only bounds
    causes: tuple[tuple[str, int], ...]  # how its matches ended, most frequent first
    unscored: int  # cut off by the infrastructure
    missing: int = 0  # matches of a run that are not played, or cut off; see `partial`


class RawValues(NamedTuple):
    value: float | None = None
    reference: float | None = None
    bounds: int = 0


def level_of(spec: Spec) -> tuple[str, str]:
    """Puzzle and level of an instance, with its task, changes and split."""
    task = f"{spec.task}:" if spec.task else ""
    split = "" if spec.split == "test" else f"@{spec.split}"
    return f"{task}{spec.name}", f"{drawing.level_name(spec)}{split}"


class Playing:
    """What one player did in one repeat of an instance, over all seats and opponents."""

    __slots__ = ("matches", "moves", "score")

    def __init__(self) -> None:
        self.matches, self.score = 0, 0.0  # the sum of the scores
        self.moves = 0  # equal for exact repeats

    def add(self, score: float, moves: int) -> None:
        self.matches += 1
        self.score += score
        self.moves ^= moves


class Group:
    """The matches of one player on one level of one puzzle; of each, only numbers are kept."""

    def __init__(self) -> None:
        self.causes, self.unscored = Counter[str](), 0
        self.playings = dict[tuple[int, str, int], Playing]()  # by start, instance and repeat
        self.moves = array("Q")  # of each scored match, equal for exact repeats
        self.values, self.references = array("d"), array("d")
        self.bounds = 0

    def add(self, record: Record, seat: Seat, starts: Starts) -> None:
        own = record.offender in (None, seat)
        self.causes[record.cause if own else f"opponent {record.cause}"] += 1
        if record.scores is None:
            self.unscored += 1
            return
        moves = _moves(record, starts)
        self.moves.append(moves)
        place = starts.of(record), record.name, record.repeat
        self.playings.setdefault(place, Playing()).add(record.scores[seat], moves)

    def add_value(self, value: float, reference: float | None, is_bound: bool) -> None:
        self.values.append(value)
        if reference is not None:
            self.references.append(reference)
        self.bounds += is_bound

    def raw_values(self) -> RawValues:
        """Mean raw values, and mean references of one-seat games."""
        if not self.values:
            return RawValues()
        if len(self.references) < len(self.values):
            return RawValues(fmean(self.values))
        return RawValues(fmean(self.values), fmean(self.references), self.bounds)


def summarise(records: Iterable[Record]) -> list[SummaryRow]:
    """One row per puzzle, level and player, in the order they were played."""
    starts, references = Starts(), References()
    groups, specs = dict[tuple[str, str, str], Group](), dict[tuple[str, str], Spec]()
    for record in records:
        if not record.start.is_scored:
            continue
        spec = Spec.parse(record.name)
        level = level_of(spec)
        specs.setdefault(level, spec)
        for seat, player in enumerate(record.players):
            group = groups.setdefault((*level, player), Group())
            group.add(record, seat, starts)
            if record.scores is not None and record.values is not None:
                group.add_value(record.values[seat], *references.of(record))
    listed = {level: listed_starts(spec) for level, spec in specs.items()}
    return [_row(*key, listed[key[:2]], group) for key, group in groups.items()]


class References:
    """The references of raw values, computed once for each instance."""

    def __init__(self) -> None:
        self.known = dict[str, tuple[float | None, bool]]()

    def of(self, record: Record) -> tuple[float | None, bool]:
        if record.name not in self.known:
            reference = record.start.reference()
            is_bound = reference is not None and record.start.reference_is_bound()
            self.known[record.name] = reference, is_bound
        return self.known[record.name]


def _row(puzzle: str, level: str, player: str, listed: int | None, group: Group) -> SummaryRow:
    distinct = len(set(group.moves))
    score, low, high = _mean_and_interval(group, listed)
    return SummaryRow(
        puzzle,
        level,
        player,
        distinct,
        len(group.moves) - distinct,
        len({name for _, name, _ in group.playings}),
        len({start for start, *_ in group.playings}),
        listed,
        score,
        low,
        high,
        *group.raw_values(),
        tuple(group.causes.most_common()),
        group.unscored,
    )


def _moves(record: Record, starts: Starts) -> int:
    """Equal for matches that are exact repeats: a number of 64 bits."""
    played = starts.exact(record), record.players, record.log, record.scores
    return int.from_bytes(blake2b(repr(played).encode(), digest_size=8).digest(), "big")


def _mean_and_interval(
    group: Group, listed: int | None
) -> tuple[float | None, float | None, float | None]:
    if not group.playings:
        return None, None, None
    by_start = defaultdict[int, list[Playing]](list)
    for (start, *_), playing in group.playings.items():
        by_start[start].append(playing)
    scores = [
        [playing.score / playing.matches for playing in playings] for playings in by_start.values()
    ]
    # A player is seen to be deterministic if it repeats itself on every start.
    repeated = all(
        len(playings) > 1 and len({playing.moves for playing in playings}) == 1
        for playings in by_start.values()
    )
    mean = fmean(map(fmean, scores))
    return mean, *interval_over_starts(scores, listed, repeated=repeated)
