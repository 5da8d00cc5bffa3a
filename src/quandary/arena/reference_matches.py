"""Matches that normalise scores: `random` and `oracle` in the place of a player.

For each match of a player, both play the same one in its seat: same instance, same luck, same
opponent.  `quandary.scoring.normalisations` computes scores from them.
"""

from __future__ import annotations

from asyncio import run as run_async
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.record import Record
from quandary.players.model_names import is_model
from quandary.players.people import is_person
from quandary.players.registry import PlayerRegistry

from .headers import RecordKey
from .job import Job, play_job
from .schedule import settings_in, start_of
from .store import keep, read
from .suite import Suite

REFERENCES = "references.jsonl"  # beside the records of a run
RANDOM, STRONGEST = "random", "oracle"


def play_references(
    records: Iterable[Record],
    players: Collection[str],
    suite: Suite,
    player_registry: PlayerRegistry,
    folder: Path,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> None:
    """Play the matches of the reference players in place of some players of a run.

    Matches that the run holds or that were played before are not played again.
    """
    path = folder / REFERENCES
    wanted = dict.fromkeys(chain.from_iterable(_wanted(record, players) for record in records))
    for record in chain(read(path) if path.exists() else (), records):
        wanted.pop(RecordKey(record.name, record.players, record.repeat), None)
    for done, match in enumerate(wanted):
        tell(done, len(wanted))
        spec = Spec.parse(match.name)
        job = Job(start_of(suite, spec), match.players, match.repeat, settings_in(suite, spec))
        keep(path, run_async(play_job(job, player_registry)))
    tell(len(wanted), len(wanted))


def _wanted(record: Record, players: Collection[str]) -> Iterator[RecordKey]:
    """Yield the matches in which a reference player takes the seat of one of these players."""
    if record.scores is None or STRONGEST not in record.start.strategies:
        return
    for seat, player in enumerate(record.players):
        others = [name for place, name in enumerate(record.players) if place != seat]
        is_reference = player in (RANDOM, STRONGEST)
        if is_reference or player not in players or any(map(_is_costly, others)):
            continue
        yield from (_instead(record, seat, name) for name in (RANDOM, STRONGEST))


def _is_costly(player: str) -> bool:
    """Return whether a player cannot be asked again just to compare."""
    return is_model(player) or is_person(player)


def _instead(record: Record, seat: Seat, name: str) -> RecordKey:
    """Return the key of the match in which another player takes this seat, and all else is
    equal.
    """
    players = record.players
    return RecordKey(record.name, (*players[:seat], name, *players[seat + 1 :]), record.repeat)
