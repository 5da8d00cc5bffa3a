"""Programs with equal text play alike, so one of their matches is played and stored for all.

Luck follows from the start and the seat, not from who plays.  Of the matches in which equal
programs would play alike, the first one that the run has is played; its record is stored once more
for every other one, under the names of its own players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

import msgspec

from quandary.programs.library import Program

from .job import Job

encode = msgspec.json.Encoder().encode


class EqualPrograms:
    """Programs of a run that have equal text, by player and puzzle."""

    def __init__(
        self,
        programs: Mapping[tuple[str, str], Program],
        is_scheduled: Callable[[Job], bool],
    ) -> None:
        self._is_scheduled = is_scheduled
        groups = dict[tuple[str, str], list[str]]()  # by puzzle and hash, in the order of programs
        for (player, puzzle), program in programs.items():
            groups.setdefault((puzzle, program.hash), []).append(player)
        self._equal = {
            (player, puzzle): players
            for (puzzle, _), players in groups.items()
            for player in players
            if len(players) > 1
        }

    def who_plays(self, job: Job) -> tuple[str, ...]:
        """Return the players whose record is that of this match too; perhaps its own.

        Programs of several authors may be equal, and no run has matches within one author's.
        """
        return next(
            (players for players in product(*self._all(job)) if self._has(job, players)),
            job.players,
        )

    def others(self, job: Job) -> Iterator[Job]:
        """Yield the matches of the run to which the record of this one belongs too."""
        for players in product(*self._all(job)):
            if players != job.players and self._has(job, players):
                yield job._replace(players=players)

    def _has(self, job: Job, players: tuple[str, ...]) -> bool:
        return self._is_scheduled(job._replace(players=players))

    def _all(self, job: Job) -> list[list[str]]:
        """Return for each seat the players that would play alike."""
        puzzle = job.spec.name
        return [
            self._equal.get((name, puzzle)) or self._equal.get((name, "")) or [name]
            for name in job.players
        ]


def renamed(record: str, players: tuple[str, ...], others: tuple[str, ...]) -> str:
    """Return the JSON of a record with other names of its players."""
    return record.replace(
        f'"players":{encode(players).decode()}', f'"players":{encode(others).decode()}', 1
    )
