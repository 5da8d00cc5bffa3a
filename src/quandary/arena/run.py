"""Plays the matches of a suite and stores them; the same command continues an interrupted run."""

from __future__ import annotations

from asyncio import FIRST_COMPLETED, Task, create_task, gather, sleep, wait
from asyncio import run as run_async
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import PUBLISHED
from quandary.core.errors import StopRun, UserError
from quandary.matches.drivers import play_match
from quandary.matches.player import Player, Scripted
from quandary.matches.record import Record
from quandary.models.journal import NoJournal
from quandary.players.clock import Clocked
from quandary.players.model_names import is_model, is_program
from quandary.players.registry import PlayerRegistry
from quandary.version import VERSION

from .interrupts import WHY, Interrupts
from .journal import FileJournal
from .store import SERVERS, Store
from .suite import Suite
from .tally import Tally

AT_ONCE = 256  # matches played at the same time if models play


class ScheduledMatch(NamedTuple):
    spec: Spec
    players: tuple[str, ...]  # one per seat
    repeat: int

    @property
    def name(self) -> str:
        """Its name in the journal, unique in a run."""
        return match_name(str(self.spec), self.players, self.repeat)


class RunResult(NamedTuple):
    """The result of a run."""

    records: list[Record]
    matches: int  # of the whole run
    stopped: str = ""  # why it stopped early
    tallies: dict[str, Tally] = {}  # totals of the calls to each model
    left: tuple[ScheduledMatch, ...] = ()  # not played yet


def schedule(suite: Suite, players: Sequence[str]) -> Iterator[ScheduledMatch]:
    """Every match: each player alone, or each pair in both orders; one player meets the house."""
    for spec in suite.specs:
        seats = getattr(registry.load(spec.name), "seats", 1)
        for seated in permutations(_invited(players, seats), seats):
            for repeat in range(suite.repeats):
                yield ScheduledMatch(spec, tuple(seated), repeat)


def _invited(players: Sequence[str], seats: int) -> list[str]:
    """The players; for two seats, one player meets the house, and the house meets `random`."""
    return list(dict.fromkeys([*players, "house", "random"]))[: max(seats, len(players))]


def validate(suite: Suite, players: Sequence[str], player_registry: PlayerRegistry) -> None:
    """Raise now what would stop the run: an unknown player, size or language, a refused seed.

    One instance per level stands for all, but each published seed can be refused for its own sake.
    """
    if suite.setting == "code":
        for name in players:
            if not is_program(name):
                raise UserError(
                    f"--setting code is for programs, and {name!r} is not one; programs cannot "
                    f"play yet, so use --setting instruction."
                )
    checked = {
        spec if spec.split == PUBLISHED else replace(spec, seed=0): spec for spec in suite.specs
    }
    for spec in checked.values():
        game = registry.game(spec, tries=suite.tries, language=suite.language)
        for name in _invited(players, game.seats):
            player_registry.find(name, game, spec)


def manifest(
    suite: Suite,
    players: Sequence[str],
    servers: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What identifies a run: records of another one are never mixed into it."""
    puzzles = dict.fromkeys(spec.name for spec in suite.specs)
    settings = {
        field.name: getattr(suite, field.name)
        for field in fields(suite)
        if field.name not in ("entries", "small", "averages")
    }
    settings["decoding"] = msgspec.to_builtins(dict(suite.decoding))
    pictures = (
        [] if suite.shown else [str(spec) for spec in suite.specs if suite.shown_in(spec) != "text"]
    )
    sources = {name: registry.load(name).loaded_from for name in puzzles}
    hashes = {name: source.hash for name, source in sources.items() if source}
    manifest = {
        "quandary": VERSION,
        "suite": settings,
        "specs": [str(spec) for spec in suite.specs],
        "players": list(players),
        "versions": {name: registry.load(name).version for name in puzzles},
    }
    averages = {games: list(puzzles) for games, puzzles in suite.averages}
    # Hashes are of puzzles from outside.
    optional = {"pictures": pictures, "hashes": hashes, "averages": averages}
    optional["files"] = dict(files or {})  # named by players' settings
    optional |= {SERVERS: {provider: [address] for provider, address in (servers or {}).items()}}
    return manifest | {key: value for key, value in optional.items() if value}


def run(
    suite: Suite,
    players: Sequence[str],
    folder: Path,
    player_registry: PlayerRegistry,
    tell: Callable[[int, int], None] = lambda done, of: None,
    at_once: int = AT_ONCE,
) -> RunResult:
    """Play the matches that are not stored yet, `at_once` at the same time, and return all records.

    `tell` is called with the number of finished matches and their total.
    """
    players, clients = list(dict.fromkeys(players)), player_registry.clients
    budget, interrupts = clients.budget, Interrupts()
    validate(suite, players, player_registry)
    matches = list(schedule(suite, players))
    servers, files = player_registry.servers(players), player_registry.files(players)
    identity = manifest(suite, players, servers, files)
    with (
        Store(folder, identity, clients.notify) as store,
        ExitStack() as stack,
    ):
        kept = {
            _key(record): record for record in store.earlier if record.cause != "infrastructure"
        }
        done = sum(match in kept for match in matches)
        journal: FileJournal | NoJournal = NoJournal()
        if any(map(is_model, players)):
            journal = stack.enter_context(FileJournal(folder, clients.notify))
            for model, tally in journal.tallies.items():
                clients.add_earlier_sessions(model, tally.charged, tally.largest)

        async def play_the_rest() -> str:
            tell(done, len(matches))
            left = (match for match in matches if match not in kept)
            if not any(map(is_model, players)):
                return await in_parallel(keep_one, left, 1, budget.stop)
            async with clients.session(journal):
                with interrupts.handled(budget.refuse_calls, drain):
                    return await in_parallel(keep_one, left, at_once, budget.stop)

        def drain(why: str) -> None:
            if budget.in_flight:
                calls = "1 call" if budget.in_flight == 1 else f"{budget.in_flight} calls"
                clients.notify(f"waiting for {calls} in flight; a second signal ends at once.")
            budget.stop(why)

        async def keep_one(match: ScheduledMatch) -> None:
            nonlocal done
            async with budget.match(match.name):
                if interrupts.number:  # strategies alone make no call that would be refused
                    raise StopRun(WHY)
                record = await play(match, suite, player_registry)
            try:
                store.append(record)
            except OSError as reason:
                raise StopRun(
                    f"a record could not be written: {reason.strerror or reason}"
                ) from None
            kept[match] = record
            done += 1
            tell(done, len(matches))

        stopped = run_async(play_the_rest())
    interrupts.pass_on()
    tallies = dict(journal.tallies) if isinstance(journal, FileJournal) else {}
    records = [kept[match] for match in matches if match in kept]
    left = tuple(match for match in matches if match not in kept)
    return RunResult(records, len(matches), stopped, tallies, left)


async def in_parallel(
    work: Callable[[ScheduledMatch], Awaitable[None]],
    matches: Iterator[ScheduledMatch],
    at_once: int,
    stop: Callable[[str], object],
) -> str:
    """Play all matches, `at_once` at the same time; returns why it stopped early, or "".

    After a StopRun, calls in flight are awaited, because they are paid for, and `stop` prevents
    further ones.  Any other error ends the run at once.
    """
    stopped = ""

    async def worker() -> None:
        for match in matches:  # one iterator for all workers
            if stopped:
                break
            await work(match)

    left = set[Task[None]]()
    try:
        for _ in range(at_once):
            left.add(create_task(worker()))
            # One by one, so that the first call is sent before the last worker starts.
            await sleep(0)
        while left:
            done, left = await wait(left, return_when=FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if isinstance(error, StopRun):
                    stopped = stopped or str(error)
                    stop(stopped)
                elif error:
                    raise error
    finally:
        for task in left:
            task.cancel()
        await gather(*left, return_exceptions=True)
    return stopped


async def play(match: ScheduledMatch, suite: Suite, player_registry: PlayerRegistry) -> Record:
    game = registry.game(match.spec, tries=suite.tries, language=suite.language)
    shown = suite.shown_in(match.spec)
    seated = [
        _timed(player_registry.find(player, game, match.spec, match.name, shown), suite.clock)
        for player in match.players
    ]
    return await play_match(
        game,
        seated,
        str(match.spec),
        attempts=suite.attempts,
        count_unreadable=suite.count_unreadable,
        repeat=match.repeat,
    )


def match_name(spec: str, players: Sequence[str], repeat: int) -> str:
    """The name of a match in the journal, unique in a run."""
    return f"{spec} {' '.join(players)} {repeat}"


def _timed(player: Player, seconds: int | None) -> Player:
    """Built-in strategies are limited by the suite's clock, if it has one."""
    return Clocked(player, seconds) if seconds and isinstance(player, Scripted) else player


def _key(record: Record) -> ScheduledMatch:
    return ScheduledMatch(Spec.parse(record.name), record.players, record.repeat)
