"""Programs that models write: drawn once per puzzle, model and sample, through the run's journal.

`program/MODEL_3.py` is the third sample of MODEL, which is another program in each puzzle.  A
sample may be asked for several times until its reply holds a program; one that never does has no
code, and loses its matches as `unreadable`.
"""

from __future__ import annotations

from asyncio import run as run_async
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.catalogue import registry
from quandary.core.errors import StopRun, UserError
from quandary.models.calls import CallKey, digest
from quandary.models.client import NoReply
from quandary.models.provider import Message, Request
from quandary.players.asking import seeded
from quandary.programs.extraction import code_in
from quandary.programs.library import Program, drawn_name
from quandary.programs.prompt import program_prompt

from .engines.in_loop import InLoop, in_parallel
from .interrupts import WHY
from .journal import FileJournal

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


def samples_of(puzzles: Iterable[str], models: Sequence[str], number: int) -> list[Sample]:
    """The samples of each model in each puzzle; UserError if a puzzle cannot be asked for."""
    named = list(dict.fromkeys(puzzles))
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
        driver: InLoop,
        journal: FileJournal,
        attempts: int,  # replies of a sample that may hold no program
        clock: int,  # seconds per match, which the prompt names
    ) -> None:
        self.registry, self.interrupts = driver.player_registry, driver.interrupts
        self.journal, self.at_once = journal, driver.at_once
        self.attempts, self.clock = attempts, clock
        self.prompts = dict[str, str]()

    def draw(
        self, samples: Sequence[Sample], tell: Callable[[int, int], None]
    ) -> tuple[list[DrawnProgram], str]:
        """The programs, in the order of the samples, and why drawing stopped early, or ""."""
        found = dict[Sample, DrawnProgram]()

        async def draw_one(sample: Sample) -> None:
            if self.interrupts.number:
                raise StopRun(WHY)
            found[sample] = await self._drawn(sample)
            tell(len(found), len(samples))

        stopped = run_async(self._play(draw_one, iter(samples)))
        return [found[sample] for sample in samples if sample in found], stopped

    async def _play(
        self, draw_one: Callable[[Sample], Awaitable[None]], samples: Iterator[Sample]
    ) -> str:
        clients = self.registry.clients
        async with clients.session(self.journal):
            with self.interrupts.handled(clients):
                return await in_parallel(draw_one, samples, self.at_once, clients.budget.stop)

    async def _drawn(self, sample: Sample) -> DrawnProgram:
        model, prompt, tokens = self.registry.model(sample.model), self._prompt(sample.puzzle), 0
        code, replies = None, 0
        while code is None and replies < self.attempts:
            replies += 1
            key = CallKey(
                f"{sample.puzzle} {sample.player}", 0, str(replies), digest(prompt.encode())
            )
            request = Request((Message("user", (prompt,)),), seeded(model.decoding, key))
            try:
                completion, _ = await model.client().ask(key, request)
            except NoReply as failure:
                raise StopRun(f"a program could not be drawn: {failure}") from None
            tokens += completion.usage.written or 0
            code = code_in(completion.generations[0].text)
        program = Program(sample.player, code or "", sample.model)
        return DrawnProgram(
            sample.puzzle, program.name, program.author, program.hash, replies, tokens, program.code
        )

    def _prompt(self, puzzle: str) -> str:
        if puzzle not in self.prompts:
            self.prompts[puzzle] = program_prompt(
                registry.load(puzzle),
                clock=self.clock,
                libraries=self.registry.programs.settings.libraries,
            )
        return self.prompts[puzzle]


def store_programs(folder: Path, programs: Sequence[DrawnProgram]) -> None:
    """Write the programs of a run, one per line."""
    encode = msgspec.json.Encoder().encode
    lines = [encode(program._asdict()) + b"\n" for program in programs]
    (folder / FILE).write_bytes(b"".join(lines))


def by_player(programs: Iterable[DrawnProgram]) -> dict[tuple[str, str], Program]:
    """The programs by player and puzzle."""
    return {
        (each.player, each.puzzle): Program(each.player, each.code, each.author)
        for each in programs
    }
