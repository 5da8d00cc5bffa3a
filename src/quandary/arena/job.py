"""A match of a run as a job: plain data that any process can play, with a record as its result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Language, Puzzle
from quandary.matches.drivers import play_match
from quandary.matches.match import ATTEMPTS
from quandary.matches.player import Player, Scripted
from quandary.matches.record import Record
from quandary.players.clock import Clocked
from quandary.players.model_names import is_model
from quandary.players.people import is_person
from quandary.players.prompts.settings import Modality
from quandary.players.registry import PlayerRegistry
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.settings import ProgramSettings
from quandary.renamed import player_in_journals


class StoredPosition(NamedTuple):
    """A position to start from that no spec describes."""

    name: str  # of the match; its luck follows from it
    spec: Spec  # the instance it comes from, which decides who is the house
    position: str  # or a question, as JSON, secrets included; see `quandary.core.codec.to_json`

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class JobSettings:
    """The settings of a match, whoever plays it."""

    attempts: int = ATTEMPTS  # replies per turn that may be unreadable
    tries: int = 1  # answers per question
    count_unreadable: bool = False  # whether an unreadable reply to a question uses up a try
    language: str = "en"
    modality: Modality = "text"  # how positions are shown to models
    clock: int | None = None  # seconds per match for strategies


class Job(NamedTuple):
    """A match to be played."""

    start: Spec | StoredPosition
    players: tuple[str, ...]  # one per seat
    repeat: int = 0
    settings: JobSettings = JobSettings()
    programs: tuple[Program, ...] = ()  # those that play, so that a worker needs no file
    running: ProgramSettings | None = None  # how they run; None: as the player registry says

    @property
    def spec(self) -> Spec:
        return self.start.spec if isinstance(self.start, StoredPosition) else self.start

    @property
    def name(self) -> str:
        """The name in the journal, unique in a run."""
        return match_name(str(self.start), self.players, self.repeat)

    def game(self) -> Game:
        """Return the first position."""
        known = None if isinstance(self.start, StoredPosition) else registry.load(self.start.name)
        return _game(self.start, known, self.settings.tries, self.settings.language)


@lru_cache(maxsize=1)
def _game(
    start: Spec | StoredPosition, puzzle: type[Puzzle] | None, tries: int, language: Language
) -> Game:
    """Return the first position, made once for all seatings and players that follow each other.

    `puzzle` is the one that the spec names now; another one may have had that name before.
    """
    if isinstance(start, StoredPosition):
        drawn = registry.from_json(start.position)
    else:
        drawn = drawing.instance(start, puzzle)
    return drawing.as_game(drawn, tries=tries, language=language)


async def play_job(job: Job, player_registry: PlayerRegistry) -> Record:
    """Play a match of a run; this is the only place where one is played."""
    game, settings, match = job.game(), job.settings, job.name
    player_registry.know(job.programs, job.running)
    seated = [
        _timed(
            player_registry.find(name, game, job.spec, match, settings.modality, settings.language),
            settings.clock,
        )
        for name in job.players
    ]
    record = await play_match(
        game,
        seated,
        str(job.start),
        attempts=settings.attempts,
        count_unreadable=settings.count_unreadable,
        repeat=job.repeat,
    )
    return player_registry.with_level(record)


def need_coordinator(players: Iterable[str]) -> bool:
    """Return whether some of them are models or people, whom only the process of the run asks."""
    return any(is_model(player) or is_person(player) for player in players)


def match_name(start: str, players: Sequence[str], repeat: int) -> str:
    """Return the name of a match in the journal, unique in a run."""
    return f"{start} {' '.join(map(player_in_journals, players))} {repeat}"


def _timed(player: Player, seconds: int | None) -> Player:
    """Limit programs and built-in strategies by the suite's clock, if it has one."""
    if seconds and isinstance(player, ProgramPlayer):
        player.seconds = seconds
    return Clocked(player, seconds) if seconds and isinstance(player, Scripted) else player
