"""Matches, runs and records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from quandary.arena import suite as suites
from quandary.arena.engines.choice import engine_named
from quandary.arena.run import RunResult
from quandary.arena.run import run as run_suite
from quandary.arena.schedule import Kind
from quandary.arena.store import RECORDS, read
from quandary.catalogue import drawing, registry
from quandary.conformance import Violation
from quandary.conformance import check as check_puzzle
from quandary.core.contract import Game, Language, Puzzle
from quandary.core.errors import StopRun, UserError, unknown
from quandary.core.naming import name_of
from quandary.matches.drivers import play_match
from quandary.matches.match import ATTEMPTS
from quandary.matches.record import Record
from quandary.matches.record import replay as replay_record
from quandary.models.journal import NoJournal
from quandary.models.provider import Decoding
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry
from quandary.renamed import typed_player
from quandary.report.tables import counted

from .arguments import check_counts, check_flags, check_names, check_texts, path_of

T = TypeVar("T")


def match(
    spec: str,
    *players: str,
    tries: int = 1,
    attempts: int = ATTEMPTS,
    count_unreadable: bool = False,
    language: Language = "en",
    repeat: int = 0,
) -> Record:
    """Play one match: `match("sudokill/easy#7", "greedy", "openai/gpt-4.1,shots=1")`.

    **Parameters:**

    * **spec** - The instance, such as `"sudokill/easy#7"`.
    * **players** - One per seat: a strategy, `random`, `house`, `human`, a model as PROVIDER/NAME,
      or a program as program/FILE.py.
    * **tries** - Answers that may be given to a question.
    * **attempts** - Replies per turn, after which a player without a readable move loses.
    * **count_unreadable** - Whether unreadable replies to a question use up its tries.
    * **language** - The language in which models and people are asked, `"en"` or `"zh"`.
    * **repeat** - Which playing of the same match this is, from 0; each has luck of its own.
    """
    check_texts(spec=spec, language=language)
    check_flags(count_unreadable=count_unreadable)
    for number, player in enumerate(players, start=1):
        check_texts(**{f"player {number}": player})
    check_counts(tries=tries, attempts=attempts)
    check_counts(least=0, repeat=repeat)
    named = drawing.named(spec)
    game = drawing.game(named, tries=tries, language=language)
    if len(players) != game.seats:
        raise UserError(f"{named} needs {counted(game.seats, 'player')}, not {len(players)}.")
    found = PlayerRegistry(PromptSettings(language=language), attempts=attempts)
    seated = [found.find(typed_player(name), game, named) for name in players]

    async def played() -> Record:
        async with found.clients.session(NoJournal()):
            record = await play_match(
                game,
                seated,
                str(named),
                attempts=attempts,
                count_unreadable=count_unreadable,
                repeat=repeat,
            )
            return found.with_level(record)

    try:
        return _finished(played())
    except StopRun as reason:
        raise UserError(f"{reason}.") from None


def run(
    suite: str | Path,
    players: Sequence[str],
    out: str | Path,
    *,
    small: bool = False,
    schedule: Kind | None = None,
    engine: str = "asyncio",
    workers: int | None = None,
) -> RunResult:
    """Play a suite and keep its records in a folder; the same call continues an unfinished run.

    With more players it adds them to the run.  A script that chooses the engine `processes` is
    imported by each worker, so it keeps its own calls under `if __name__ == "__main__":`.

    **Parameters:**

    * **suite** - The name of a suite, or the path of its file.
    * **players** - Their names, as `match` takes them.
    * **out** - The folder of the run.
    * **small** - Whether to play the small version of the suite.
    * **schedule** - Who meets whom: `"alone"`, `"house"`, `"pairs"` or `"swiss"`; by default what
      fits the suite and the number of players.
    * **engine** - What plays the matches: `"asyncio"`, `"processes"` or `"ray"`.
    * **workers** - How many processes play, for the engines that have some.
    """
    check_names("players", players)
    check_flags(small=small)
    check_texts(engine=engine, **({} if schedule is None else {"schedule": schedule}))
    if workers is not None:
        check_counts(workers=workers)
    chosen_engine = engine_named(engine, workers)
    if not players:
        raise UserError("players must be a list of one or more names.")
    folder, chosen = path_of("out", out), suites.load(str(path_of("suite", suite)))
    chosen = chosen.only(small=small)
    decoding = Decoding(**dict(chosen.decoding))
    found = PlayerRegistry(chosen.prompt_settings, decoding, chosen.attempts)
    budget = found.clients.budget
    named = [typed_player(name) for name in players]
    return _called(
        lambda: run_suite(chosen, named, folder, found, kind=schedule, engine=chosen_engine),
        lambda: budget.refuse_calls("it was interrupted"),
    )


def load(path: str | Path) -> Iterator[Record]:
    """The records of a run's folder, or of a file of records."""
    file = path_of("path", path)
    return read(file / RECORDS if file.is_dir() else file)


def replay(record: Record) -> list[Game]:
    """Return every position of a recorded match, from the first to the last.

    `ReplayMismatch` is raised where the log does not lead to the recorded scores.
    """
    if not isinstance(record, Record):
        raise UserError(f"replay takes a Record, not a {type(record).__name__}; see load.")
    return replay_record(record)


def check(puzzle: type[Puzzle] | str, levels: Sequence[str] | None = None) -> list[Violation]:
    """The promises of the contract that a puzzle breaks, by its name or its class."""
    found = registry.load(puzzle) if isinstance(puzzle, str) else puzzle
    if not isinstance(found, type) or not issubclass(found, Puzzle):
        raise UserError("check takes the name of a puzzle, or its class.")
    if levels is not None:
        check_names("levels", levels)
    for level in levels or ():
        if level not in found.levels:
            raise unknown("level", level, found.levels, of=name_of(found))
    return check_puzzle(found, levels)


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also while an event loop is running, as it is in notebooks."""
    return _called(lambda: asyncio.run(work))


def _called(work: Callable[[], T], interrupt: Callable[[], None] = lambda: None) -> T:
    """The result of `work`, from another thread while an event loop is running in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(work).result()
        except KeyboardInterrupt:
            interrupt()  # leaving this block waits for the thread
            raise
