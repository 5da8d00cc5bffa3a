"""Plays the matches of a suite and stores them; the same command continues an interrupted run.

A command that names more players, instances or repeats adds their matches to the run.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import PUBLISHED
from quandary.core.errors import MOST_NAMED, UnknownLanguage, UnknownName, UserError
from quandary.core.translations import LIST_SEPARATORS
from quandary.players.model_names import is_model
from quandary.players.registry import PlayerRegistry
from quandary.programs.imports import versions_of
from quandary.programs.library import is_program

from .drawn_programs import (
    ProgramDrawing,
    Sample,
    by_player,
    samples_of,
    store_programs,
    stored_programs,
)
from .engines import Engine
from .engines.in_loop import AT_ONCE, InLoop
from .fresh_matches import Comparison, FreshMatches, key_of
from .headers import Collector
from .job import Job
from .journal import FileJournal
from .manifest import SPECS, as_known, manifest, schedule_of
from .pictures import drawn_in_english
from .schedule import Kind, Schedule, invited, settings_in, start_of
from .session import NOT_PLAYED, Pace, Programs, RunSession
from .store import RECORDS, Store, StoredRecords, manifest_of
from .suite import Suite
from .tally import Tally


@dataclass(frozen=True)
class RunResult:
    """The result of a run: where its records are, and what is left to play."""

    folder: Path
    schedule: Schedule = field(repr=False)
    offsets: array[int] = field(
        repr=False
    )  # of the record of each match in the file of records, or NOT_PLAYED
    stopped: str = ""  # why it stopped early
    tallies: dict[str, Tally] = field(default_factory=dict)  # of the calls to each model
    comparison: Comparison | None = None  # of matches of programs that were played again

    @property
    def matches(self) -> int:
        """The number of matches of the whole run."""
        return self.schedule.total

    @property
    def played_offsets(self) -> array[int]:
        """The offsets of the records in their file, in the order of the schedule."""
        return array("q", (offset for offset in self.offsets if offset != NOT_PLAYED))

    @property
    def records(self) -> StoredRecords:
        """The records in the order of the schedule; each is read from the folder on demand."""
        return StoredRecords(self.folder / RECORDS, self.played_offsets)

    @property
    def left(self) -> Iterator[Job]:
        """The matches that are not played yet; of a Swiss run, those of the current round."""
        for number, offset in enumerate(self.offsets):
            if offset == NOT_PLAYED:
                yield self.schedule.job(number)


def validate(
    suite: Suite, players: Sequence[str], player_registry: PlayerRegistry, samples: int = 0
) -> None:
    """Raise now what would stop the run: an unknown player, size or language, a refused seed, a
    font that is missing.

    One instance per level is checked for all of them; published seeds are checked one by one.
    """
    if samples:
        check_authors(suite, players)
        samples_of(suite.specs, players, samples)  # can be asked for
    elif suite.setting == "code":
        check_programs(players)
    drawn_in_english(suite, players)
    checked = {
        str(spec) if spec.split == PUBLISHED and not spec.problem else spec.place: spec
        for spec in suite.specs
    }
    unknown = dict[str, dict[str, UnknownName]]()  # by player and puzzle
    unspoken = dict[str, dict[str, UnknownName]]()  # by language and puzzle
    for spec in checked.values():
        for name, reason in _unknown_names(suite, spec, players, player_registry):
            if isinstance(reason, UnknownLanguage):
                unspoken.setdefault(reason.language, {}).setdefault(spec.name, reason)
            else:
                unknown.setdefault(name, {}).setdefault(spec.name, reason)
    for language, reasons in unspoken.items():
        raise _not_spoken(language, reasons)
    puzzles = dict.fromkeys(spec.name for spec in checked.values())
    for name, reasons in unknown.items():
        raise _not_everywhere(name, reasons, list(puzzles))


def check_authors(suite: Suite, players: Sequence[str]) -> None:
    """Raise UserError unless all players are models and programs play the suite."""
    if suite.setting != "code":
        raise UserError("--samples draws programs; it needs --setting code.")
    for name in players:
        if not is_model(name):
            raise UserError(
                f"--samples draws programs of models, and {name!r} is not one; write "
                f"PROVIDER/NAME, for example openai/gpt-4.1."
            )


def check_programs(players: Sequence[str]) -> None:
    """Raise UserError for a player that is no program."""
    for name in players:
        if not is_program(name):
            raise UserError(
                f"--setting code is for programs, and {name!r} is not one; write program/FILE.py, "
                f"or let models write programs with --samples N."
            )


def _unknown_names(
    suite: Suite, spec: Spec, players: Sequence[str], player_registry: PlayerRegistry
) -> Iterator[tuple[str, UnknownName]]:
    """Yield what a level does not know: players, or the language in which they are asked."""
    try:
        game = Job(start_of(suite, spec), (), settings=settings_in(suite, spec)).game()
    except UnknownLanguage as reason:
        yield "", reason
        return
    for name in invited(players, game.seats):
        try:
            player_registry.find(name, game, spec)
        except UnknownName as reason:
            yield name, reason


def _not_spoken(language: str, reasons: Mapping[str, UnknownName]) -> UserError:
    """Return the error for a language that some puzzles do not speak; its own reason if
    none does.
    """
    lacking, *_ = reasons
    if language not in LIST_SEPARATORS:
        return reasons[lacking]
    is_are, them = ("is", "it") if len(reasons) == 1 else ("are", "them")
    return UserError(
        f"{', '.join(reasons)} {is_are} not translated to {language!r}; leave {them} or the "
        f"language out."
    )


def _not_everywhere(
    name: str, reasons: Mapping[str, UnknownName], puzzles: Sequence[str]
) -> UserError:
    """Return the error for a player that only some puzzles know; the first reason if none of them
    does.
    """
    lacking, *_ = reasons
    able = [puzzle for puzzle in puzzles if puzzle not in reasons]
    if not able:
        return reasons[lacking]
    more = ", ..." if len(able) > MOST_NAMED else ""
    return UserError(
        f"{lacking} has no player {name!r}, which plays only {len(able)} of these {len(puzzles)} "
        f"puzzles ({', '.join(able[:MOST_NAMED])}{more}); choose random or house, which play all "
        f"of them, or name its puzzles with --puzzle."
    )


def run(
    suite: Suite,
    players: Sequence[str],
    folder: Path,
    player_registry: PlayerRegistry,
    tell: Callable[[int, int], None] = lambda done, of: None,
    at_once: int = AT_ONCE,
    *,
    kind: Kind | None = None,
    engine: Engine | None = None,
    collector: Collector | None = None,
    samples: int = 0,
    repairs: int = 0,
    programs_per_pair: int = 0,
    tell_drawn: Callable[[int, int], None] = lambda done, of: None,
    pace: Pace | None = None,
) -> RunResult:
    """Play the matches that are not stored yet, and store them.

    Matches of models are played in this process, `at_once` at the same time; the others by the
    engine, if there is one.  `tell` is called with the number of finished matches and their total,
    and `pace` is told who plays them.
    `kind` is the schedule; None is the usual one, or the one that the folder's run has.
    `collector` is told of every record of the folder, the new ones as they are played.
    With `samples`, each player is a model that first writes that number of programs for each
    puzzle, and these play each other and the house.  A program that fails in trial matches is
    written again, up to `repairs` times.  `programs_per_pair` pairs of programs play for
    each pair of models, or all if it is 0.
    """
    clients = player_registry.clients
    validate(suite, players, player_registry, samples)
    drawn = samples_of(suite.specs, players, samples) if samples else []
    if samples:
        players = [*dict.fromkeys(sample.player for sample in drawn), "house"]
        kind = kind or "pairs"
    schedule = _schedule_in(folder, suite, players, kind, programs_per_pair)
    players = schedule.players
    servers, files = player_registry.servers(players), player_registry.files(players)
    player_registry.programs_wait = any(map(is_model, players))
    files_of_programs = [] if samples else list(filter(is_program, players))
    programs = {name: player_registry.program(name) for name in files_of_programs}
    pool = player_registry.programs
    has_programs = any(map(is_program, players))
    session = RunSession(schedule, tell, collector, pool.settings, pace)
    if has_programs:
        pool.check()
    session.use({(name, ""): program for name, program in programs.items()})
    identity = manifest(
        schedule,
        servers,
        files,
        programs,
        pool.level if has_programs else "",
        versions_of(pool.settings.libraries) if has_programs else {},
        repairs,
    )
    listeners = [session] if collector is None else [session, collector]
    with Store(folder, identity, clients.notify, listeners) as store, ExitStack() as stack:
        journal: FileJournal | None = None
        if drawn or any(map(is_model, players)):
            journal = stack.enter_context(FileJournal(folder, clients.notify))
            for model, tally in journal.tallies.items():
                clients.add_earlier_sessions(model, tally.charged, tally.largest)
        coordinator = InLoop(player_registry, journal, at_once)
        stopped, comparison = "", None
        compares = has_programs and not pool.settings.process_per_match
        key = key_of(folder) if compares else b""
        if journal and drawn:
            drawing = ProgramDrawing(coordinator, journal, suite, repairs)
            found, stopped = _draw(drawn, drawing, folder, tell_drawn)
            session.use(found)
        if not stopped:
            stopped = session.play(store, coordinator, engine)
        if not stopped and compares:
            again = FreshMatches(session, pool, folder, key)
            stopped = again.play(engine or coordinator)
            comparison = again.compared()
    coordinator.interrupts.pass_on()
    tallies = dict(journal.tallies) if journal else {}
    return RunResult(folder, schedule, session.offsets, stopped, tallies, comparison)


def _draw(
    samples: Sequence[Sample],
    drawing: ProgramDrawing,
    folder: Path,
    tell: Callable[[int, int], None],
) -> tuple[Programs, str]:
    """Return the programs that models write, and why drawing stopped early, or ""."""
    found, stopped = drawing.draw(samples, stored_programs(folder), tell)
    try:
        store_programs(folder, found)
    except OSError as reason:
        raise UserError(f"the programs cannot be kept in {folder}: {reason.strerror}.") from None
    return by_player(found), stopped


def _schedule_in(
    folder: Path,
    suite: Suite,
    players: Sequence[str],
    kind: Kind | None,
    programs_per_pair: int,
) -> Schedule:
    """Return the schedule of a run, with players by their names in the run that the folder has."""
    known = manifest_of(folder) or {}
    players = as_known(players, known, suite.prompt_settings)
    kind = kind or (schedule_of(known) if known else None)
    stored = known.get(SPECS, ())
    return Schedule(suite, players, kind, stored=stored, programs_per_pair=programs_per_pair)
