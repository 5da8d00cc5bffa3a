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
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from quandary.arena.run import ScheduledMatch, play
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
    """A scored match of a player, and who played it instead."""

    record: Record
    seat: Seat
    random: ScheduledMatch
    strongest: ScheduledMatch


def compared(records: Iterable[Record], players: Collection[str]) -> Iterator[Compared]:
    """The matches of some players that can be played again: all opponents are strategies."""
    for record in records:
        spec = Spec.parse(record.name)
        if record.scores is None or STRONGEST not in record.start.strategies:
            continue
        for seat, player in enumerate(record.players):
            others = [name for place, name in enumerate(record.players) if place != seat]
            is_reference = player in (RANDOM, STRONGEST)
            if is_reference or player not in players or any(map(_is_costly, others)):
                continue
            yield Compared(
                record,
                seat,
                *(
                    ScheduledMatch(spec, _seated(record.players, seat, name), record.repeat)
                    for name in (RANDOM, STRONGEST)
                ),
            )


def _is_costly(player: str) -> bool:
    """Whether a player cannot be asked again just to compare."""
    return is_model(player) or player == "human"


def _seated(players: Sequence[str], seat: Seat, name: str) -> tuple[str, ...]:
    return tuple(name if place == seat else player for place, player in enumerate(players))


def references(
    records: Sequence[Record],
    players: Collection[str],
    suite: Suite,
    player_registry: PlayerRegistry,
    folder: Path,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Record]:
    """The matches of the reference players for the matches of some players of a run.

    Those that the run holds or that were played before are not played again.
    """
    wanted = dict.fromkeys(
        match for one in compared(records, players) for match in (one.random, one.strongest)
    )
    path = folder / REFERENCES
    kept = {_key(record): record for record in (*_kept(path), *records)}
    left = [match for match in wanted if match not in kept]
    for done, match in enumerate(left):
        tell(done, len(left))
        kept[match] = run_async(play(match, suite, player_registry))
        keep(path, kept[match])
    tell(len(left), len(left))
    return [kept[match] for match in wanted]


def _kept(path: Path) -> list[Record]:
    return list(read(path)) if path.exists() else []


def _key(record: Record) -> ScheduledMatch:
    return ScheduledMatch(Spec.parse(record.name), record.players, record.repeat)


def normalise(
    records: Sequence[Record], players: Collection[str], played: Sequence[Record]
) -> list[NormalisedRow]:
    """One row per puzzle, level and player, from a run's records and the reference matches."""
    instead = {_key(record): record for record in (*records, *played)}
    groups = defaultdict[tuple[str, str, str], list[Compared]](list)
    for one in compared(records, players):
        if all(_is_scored(instead.get(match)) for match in one[2:]):
            puzzle, level = level_of(Spec.parse(one.record.name))
            groups[puzzle, level, one.record.players[one.seat]].append(one)
    return [_row(*key, found, instead) for key, found in groups.items()]


def _is_scored(record: Record | None) -> bool:
    return record is not None and record.scores is not None


def _row(
    puzzle: str,
    level: str,
    player: str,
    found: Sequence[Compared],
    instead: dict[ScheduledMatch, Record],
) -> NormalisedRow:
    starts = Starts()
    playings = defaultdict[tuple[Hashable, str, int], list[tuple[float, ...]]](list)
    for one in found:
        place = (starts.of(one.record), one.record.name, one.record.repeat)
        matches = (one.record, instead[one.random], instead[one.strongest])
        playings[place].append(tuple((match.scores or ())[one.seat] for match in matches))
    by_start = defaultdict[Hashable, list[tuple[float, ...]]](list)
    for (start, *_), scores in playings.items():
        by_start[start].append(tuple(fmean(column) for column in zip(*scores, strict=True)))
    groups = list(by_start.values())
    spec = Spec.parse(found[0].record.name)
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
