"""Records to numbers: mean scores with 95 % intervals, raw values and their references."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple, TypeAlias

from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.record import Record
from quandary.results.starts import Starts, listed_starts

from .intervals import interval_over_starts

Played: TypeAlias = tuple[Record, Seat]  # a match from the point of view of one seat


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
    puzzle, _, level = str(replace(spec, seed=0)).removesuffix("#0").partition("/")
    return puzzle, level


def summarise(records: Iterable[Record]) -> list[SummaryRow]:
    """One row per puzzle, level and player, in the order they were played."""
    starts, listed = Starts(), dict[tuple[str, str], int | None]()
    groups: dict[tuple[str, str, str], list[Played]] = defaultdict(list)
    for record in records:
        spec = Spec.parse(record.name)
        puzzle, level = level_of(spec)
        if (puzzle, level) not in listed:
            listed[puzzle, level] = listed_starts(spec)
        for seat, player in enumerate(record.players):
            groups[puzzle, level, player].append((record, seat))
    return [_row(*key, listed[key[:2]], played, starts) for key, played in groups.items()]


def _row(
    puzzle: str, level: str, player: str, listed: int | None, played: list[Played], starts: Starts
) -> SummaryRow:
    scored = [(record, seat) for record, seat in played if record.scores is not None]
    by_start = defaultdict[Hashable, list[Played]](list)
    for record, seat in scored:
        by_start[starts.of(record)].append((record, seat))
    distinct = len({_moves(record) for record, _ in scored})
    causes = Counter(
        record.cause if record.offender in (None, seat) else f"opponent {record.cause}"
        for record, seat in played
    )
    score, low, high = _mean_and_interval(list(by_start.values()), listed)
    raw = _raw_values(scored)
    return SummaryRow(
        puzzle,
        level,
        player,
        distinct,
        len(scored) - distinct,
        len({record.name for record, _ in scored}),
        len(by_start),
        listed,
        score,
        low,
        high,
        *raw,
        tuple(causes.most_common()),
        len(played) - len(scored),
    )


def _moves(record: Record) -> Hashable:
    """Equal for matches that are exact repeats."""
    return record.start, record.players, record.log, record.scores


def _mean_and_interval(
    by_start: Sequence[Sequence[Played]], listed: int | None
) -> tuple[float | None, float | None, float | None]:
    if not by_start:
        return None, None, None
    playings = [playings_of(played) for played in by_start]
    groups = [[score for score, _ in group] for group in playings]
    # A player is seen to be deterministic if it repeats itself on every start.
    repeated = all(len(group) > 1 and len({how for _, how in group}) == 1 for group in playings)
    mean = fmean(fmean(group) for group in groups)
    return mean, *interval_over_starts(groups, listed, repeated=repeated)


def playings_of(played: Sequence[Played]) -> list[tuple[float, Hashable]]:
    """The mean score and the moves of each playing of a start, over all seats and opponents.

    A playing is a repeat of an instance; instances that have the same start are playings of it.
    """
    groups = defaultdict[tuple[str, int], list[Played]](list)
    for record, seat in played:
        groups[record.name, record.repeat].append((record, seat))
    return [
        (
            fmean(record.scores[seat] for record, seat in group if record.scores is not None),
            frozenset(_moves(record) for record, _ in group),
        )
        for group in groups.values()
    ]


def _raw_values(scored: Sequence[Played]) -> RawValues:
    """Mean raw values, and mean references of one-seat games."""
    valued = [(record, record.values[seat]) for record, seat in scored if record.values is not None]
    if not valued:
        return RawValues()
    value = fmean(value for _, value in valued)
    references = [record.start.reference() for record, _ in valued]
    known = [reference for reference in references if reference is not None]
    if len(known) < len(valued):
        return RawValues(value)
    bounds = sum(record.start.reference_is_bound() for record, _ in valued)
    return RawValues(value, fmean(known), bounds)
