"""Programs that models write: drawn once per puzzle, model and sample, through the run's journal.

`program/MODEL_3.py` is the third sample of MODEL, which is another program in each puzzle.  A
sample may be asked for several times until its reply holds a program; one that never does has no
code, and loses its matches as `unreadable`.
"""

from __future__ import annotations

from asyncio import run as run_async
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.errors import StopRun, UserError
from quandary.models.calls import CallKey, digest
from quandary.models.client import NoReply
from quandary.models.provider import Generation, Message, Request
from quandary.programs.extraction import code_in
from quandary.programs.library import Program, drawn_name, hash_of
from quandary.programs.prompt import CLOCK, NO_PROGRAM, program_prompt, repair_prompt
from quandary.renamed import player_in_journals, player_now

from .engines.in_loop import InLoop, in_parallel
from .interrupts import WHY
from .journal import FileJournal
from .suite import Suite
from .trial_matches import TrialMatches

if TYPE_CHECKING:
    from quandary.players.model import Model

FILE = "programs.jsonl"


class Sample(NamedTuple):
    """One program that a model is asked for."""

    puzzle: str
    model: str  # the player's name, with its settings
    number: int  # from 1

    @property
    def player(self) -> str:
        return drawn_name(self.model, self.number)


class DrawnProgram(NamedTuple):
    """A program as it is stored in the folder of a run."""

    puzzle: str
    player: str
    author: str
    hash: str
    replies: int  # that were asked for, the one with the program included
    tokens: int  # that were written
    code: str
    read: int = 0  # tokens
    repairs: int = 0  # of the replies, those that were asked for after a trial match had failed


def samples_of(specs: Iterable[Spec], models: Sequence[str], number: int) -> list[Sample]:
    """Return the samples of each model in each puzzle; UserError if one of them cannot be asked
    for.
    """
    places = dict.fromkeys((spec.task, spec.name) for spec in specs)
    named = list(dict.fromkeys(name for _, name in places))
    if tasks := [f"{task}:{name}" for task, name in places if task]:
        raise UserError(
            f"models are asked for programs that play a puzzle, not for {', '.join(tasks)}; leave "
            f"{'it' if len(tasks) == 1 else 'them'} out."
        )
    if drawing := [name for name in named if registry.load(name).drawn_rules]:
        raise UserError(
            f"the rules of {', '.join(drawing)} are drawn with each instance, so one program "
            f"cannot know them all; choose other puzzles."
        )
    numbers = range(1, number + 1)
    return [Sample(name, model, at) for name in named for model in models for at in numbers]


class ProgramDrawing:
    """Asks models for programs."""

    def __init__(
        self,
        coordinator: InLoop,
        journal: FileJournal,
        suite: Suite,
        repairs: int = 0,  # replies that a sample may have after a trial match failed
    ) -> None:
        self.registry, self.interrupts = coordinator.player_registry, coordinator.interrupts
        self.journal, self.at_once = journal, coordinator.at_once
        self.attempts, self.clock = suite.attempts, suite.clock or CLOCK
        self.repairs, self.trials = repairs, TrialMatches(suite, coordinator.player_registry)
        self.prompts = dict[str, str]()

    def draw(
        self,
        samples: Sequence[Sample],
        known: Iterable[DrawnProgram],
        tell: Callable[[int, int], None],
    ) -> tuple[list[DrawnProgram], str]:
        """Return the programs, in the order of the samples, and why drawing stopped early, or "".

        `known` are those that the run has drawn already.
        """
        earlier = {(program.puzzle, program.player): program for program in known}
        keys = {sample: (sample.puzzle, sample.player) for sample in samples}
        found = {sample: earlier[key] for sample, key in keys.items() if key in earlier}

        async def draw_one(sample: Sample) -> None:
            if self.interrupts.number:
                raise StopRun(WHY)
            found[sample] = await self._drawn(sample)
            tell(len(found), len(samples))

        tell(len(found), len(samples))
        left = [sample for sample in samples if sample not in found]
        stopped = run_async(self._play(draw_one, iter(left))) if left else ""
        return [found[sample] for sample in samples if sample in found], stopped

    async def _play(
        self, draw_one: Callable[[Sample], Awaitable[None]], samples: Iterator[Sample]
    ) -> str:
        clients = self.registry.clients
        async with clients.session(self.journal):
            with self.interrupts.handled(clients):
                return await in_parallel(draw_one, samples, self.at_once, clients.budget.stop)

    async def _drawn(self, sample: Sample) -> DrawnProgram:
        """Return a sample: its first program, or the last one that repairs have led to."""
        asked = Asking(self.registry.model(sample.model), sample)
        prompt = [Message("user", (self._prompt(sample.puzzle),))]
        code = None
        while code is None and asked.replies < self.attempts:
            code = _code_of(await asked.reply(prompt))
        repairs = 0
        while repairs < self.repairs and (why := await self._failure(sample, code)):
            repairs += 1
            reply = Message("assistant", (asked.last,))
            code = _code_of(await asked.reply([*prompt, reply, Message("user", (why,))]))
        program = Program(sample.player, code or "", sample.model)
        return DrawnProgram(
            sample.puzzle,
            program.name,
            program.author,
            program.hash,
            asked.replies,
            asked.written,
            program.code,
            asked.read,
            repairs,
        )

    async def _failure(self, sample: Sample, code: str | None) -> str:
        """Return what the model is told of a failure in trial matches; "" if there is none."""
        if code is None:
            return NO_PROGRAM
        program = Program(sample.player, code, sample.model)
        failure = await self.trials.failure(sample.puzzle, program)
        if failure is None:
            return ""
        where = f"level {failure.level}, seat {failure.seat}"
        return repair_prompt(failure.cause, failure.words, where)

    def _prompt(self, puzzle: str) -> str:
        if puzzle not in self.prompts:
            self.prompts[puzzle] = program_prompt(
                registry.load(puzzle),
                clock=self.clock,
                libraries=self.registry.programs.settings.libraries,
            )
        return self.prompts[puzzle]


class Asking:
    """The calls for one sample, and what they took."""

    def __init__(self, model: Model, sample: Sample) -> None:
        self.model, self.sample = model, sample
        self.replies = self.read = self.written = 0  # replies, and tokens
        self.last = ""  # what was said

    async def reply(self, messages: Sequence[Message]) -> Generation:
        """Return what the model replies; StopRun if no reply comes."""
        self.replies += 1
        seen = "\0".join(str(part) for message in messages for part in message.parts)
        from quandary.players.asking import seeded  # takes long to load, and few runs draw

        key = CallKey(
            f"{self.sample.puzzle} {player_in_journals(self.sample.player)}",
            0,
            str(self.replies),
            digest(seen.encode("utf-8", "surrogatepass")),
        )
        request = Request(tuple(messages), seeded(self.model.decoding, key))
        try:
            completion, _ = await self.model.client().ask(key, request)
        except NoReply as failure:
            raise StopRun(f"a program could not be drawn: {failure}") from None
        self.read += completion.usage.read or 0
        self.written += completion.usage.written or 0
        generation = completion.generations[0]
        self.last = generation.text
        return generation


def _code_of(generation: Generation) -> str | None:
    """Return the program in what a model has generated, which may have ended at its limit of
    tokens.
    """
    return code_in(generation.text, is_cut=generation.finish == "length")


def store_programs(folder: Path, programs: Sequence[DrawnProgram]) -> None:
    """Write the programs of a run, one per line."""
    encode = msgspec.json.Encoder().encode
    lines = [encode(program._asdict()) + b"\n" for program in programs]
    draft = folder / f"{FILE}.draft"
    draft.write_bytes(b"".join(lines))
    draft.replace(folder / FILE)


def stored_programs(folder: Path) -> list[DrawnProgram]:
    """Return the programs that were drawn in a run; UserError if the file is damaged."""
    path = folder / FILE
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
        found = [DrawnProgram(**msgspec.json.decode(line)) for line in lines]
        programs = [msgspec.convert(program, DrawnProgram) for program in found]
    except OSError as fault:
        raise UserError(f"{path} cannot be read: {fault.strerror}.") from None
    except (msgspec.DecodeError, UnicodeError, TypeError):
        raise UserError(f"{path} is damaged; restore it from a copy.") from None
    for program in programs:
        if hash_of(program.code) != program.hash:
            raise UserError(
                f"the code of {program.player} for {program.puzzle} in {path} has been changed, so "
                f"the records would be of another program; restore it from a copy."
            )
    return [
        each._replace(player=player_now(each.player), author=player_now(each.author))
        for each in programs
    ]


def by_player(programs: Iterable[DrawnProgram]) -> dict[tuple[str, str], Program]:
    """Return the programs by player and puzzle."""
    return {
        (each.player, each.puzzle): Program(each.player, each.code, each.author)
        for each in programs
    }


def programs_of(folders: Iterable[Path]) -> list[DrawnProgram]:
    """Return the programs that were drawn in some runs, each once."""
    drawn = [program for folder in folders for program in stored_programs(folder)]
    return list({(each.puzzle, each.player, each.hash): each for each in drawn}.values())
