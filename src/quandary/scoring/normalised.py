"""Normalised means: 0 for random play, 1 for the strongest player, on the same instances and luck.

A normalised mean is (mean - random) / (strongest - random).  For each match of a player, `random`
and `oracle` play the same one in its place: same instance, same luck, same opponent.  The interval
is Fieller's for a ratio of two means that are observed together, with starts as its units; see
`quandary.scoring.intervals`.  It may lie outside 0..1, as the mean may: another player can be worse
than random play, or better than the strongest that the puzzle has.
"""

from __future__ import annotations

from asyncio import run as run_async
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeAlias

from quandary.arena.headers import RecordKey
from quandary.arena.job import Job, play_job
from quandary.arena.schedule import settings_in, start_of
from quandary.arena.store import keep, read
from quandary.arena.suite import Suite
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat, Strongest, strongest_at
from quandary.matches.record import Record
from quandary.players.model_names import is_model
from quandary.players.registry import PlayerRegistry
from quandary.results.starts import Starts, listed_starts

from .intervals import interval_over_starts, moments, ratio_interval
from .summary import level_of

REFERENCES = "references.jsonl"  # matches of the reference players, beside the records of a run
RANDOM, STRONGEST = "random", "oracle"


@dataclass(frozen=True)
class NormalisedRow:
    """How one player did on one level of one puzzle, between random play and the strongest."""

    puzzle: str
    level: str
    player: str
    matches: int
    starts: int
    score: float
    random: float
    strongest: float
    kind: Strongest | None  # what the strongest player is at this level
    # None, as are its limits, if the strongest player is not separated from random play.
    normalised: float | None
    low: float | None
    high: float | None


class Compared(NamedTuple):
    """A scored match of a player, and the matches of those who play it instead."""

    spec: Spec
    start: int  # equal for equal starts
    repeat: int
    player: str
    seat: Seat
    score: float
    random: RecordKey
    strongest: RecordKey


Scores: TypeAlias = Mapping[RecordKey, tuple[float, ...]]  # of scored matches, one per seat


def compared(records: Iterable[Record], players: Collection[str]) -> Iterator[Compared]:
    """The matches of some players that can be played again: all opponents are strategies."""
    starts = Starts()
    for record in records:
        if record.scores is None or STRONGEST not in record.start.strategies:
            continue
        for seat, player in enumerate(record.players):
            others = [name for place, name in enumerate(record.players) if place != seat]
            is_reference = player in (RANDOM, STRONGEST)
            if is_reference or player not in players or any(map(_is_costly, others)):
                continue
            yield Compared(
                Spec.parse(record.name),
                starts.of(record),
                record.repeat,
                player,
                seat,
                record.scores[seat],
                *(_instead(record, seat, name) for name in (RANDOM, STRONGEST)),
            )


def _is_costly(player: str) -> bool:
    """Whether a player cannot be asked again just to compare."""
    return is_model(player) or player == "human"


def _instead(record: Record, seat: Seat, name: str) -> RecordKey:
    """The key of the match in which another player takes this seat, and all else is equal."""
    players = record.players
    return RecordKey(record.name, (*players[:seat], name, *players[seat + 1 :]), record.repeat)


def references(
    records: Iterable[Record],
    players: Collection[str],
    suite: Suite,
    player_registry: PlayerRegistry,
    folder: Path,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Scores:
    """The scores of the reference players in the matches of some players of a run.

    Matches that the run holds or that were played before are not played again.
    """
    wanted = dict.fromkeys(
        match for one in compared(records, players) for match in (one.random, one.strongest)
    )
    path = folder / REFERENCES
    earlier = read(path) if path.exists() else ()
    kept = {
        key: record.scores for record in chain(earlier, records) if (key := _key(record)) in wanted
    }
    left = [match for match in wanted if match not in kept]
    for done, match in enumerate(left):
        tell(done, len(left))
        spec = Spec.parse(match.name)
        settings = settings_in(suite, spec)
        job = Job(start_of(suite, spec), match.players, match.repeat, settings)
        record = run_async(play_job(job, player_registry))
        keep(path, record)
        kept[match] = record.scores
    tell(len(left), len(left))
    return {match: scores for match in wanted if (scores := kept[match]) is not None}


def _key(record: Record) -> RecordKey:
    return RecordKey(record.name, record.players, record.repeat)


def normalise(
    records: Iterable[Record], players: Collection[str], references: Scores
) -> list[NormalisedRow]:
    """One row per puzzle, level and player, from a run's records and the reference matches."""
    groups = defaultdict[tuple[str, str, str], list[Compared]](list)
    for one in compared(records, players):
        if one.random in references and one.strongest in references:
            groups[*level_of(one.spec), one.player].append(one)
    return [_row(*key, found, references) for key, found in groups.items()]


def _row(
    puzzle: str, level: str, player: str, found: Sequence[Compared], references: Scores
) -> NormalisedRow:
    playings = defaultdict[tuple[int, Spec, int], list[tuple[float, ...]]](list)
    for one in found:
        others = (references[match][one.seat] for match in (one.random, one.strongest))
        playings[one.start, one.spec, one.repeat].append((one.score, *others))
    by_start = defaultdict[int, list[tuple[float, ...]]](list)
    for (start, *_), scores in playings.items():
        by_start[start].append(tuple(fmean(column) for column in zip(*scores, strict=True)))
    groups = list(by_start.values())
    spec = found[0].spec
    own, lowest, highest = moments(groups).means
    limits = _limits(groups, listed_starts(spec))
    return NormalisedRow(
        puzzle,
        level,
        player,
        len(found),
        len(groups),
        own,
        lowest,
        highest,
        strongest_at(registry.load(spec.name), spec.level),
        (own - lowest) / (highest - lowest) if limits else None,
        *(limits or (None, None)),
    )


def _limits(
    groups: Sequence[Sequence[tuple[float, ...]]], listed: int | None
) -> tuple[float, float] | None:
    """The interval of a normalised mean, from own, random and strongest scores by start."""
    gains = [[(score - least, most - least) for score, least, most in group] for group in groups]
    limits = ratio_interval(moments(gains, listed))
    if limits is None or limits[1] - limits[0] > 1e-9:
        return limits
    # The player did as one of the others on every start.  That tells nothing about how it may
    # differ from them elsewhere, so the interval is that of its own score.
    own = interval_over_starts([[score for score, *_ in group] for group in groups], listed)
    _, least, most = moments(groups).means
    low, high = ((limit - least) / (most - least) for limit in own)
    return low, high
