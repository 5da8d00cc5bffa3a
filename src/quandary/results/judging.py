"""The regret of moves, for a bounded and fixed choice of matches.

Judging a move can take seconds, so at most the first forty moves of twenty matches are judged per
puzzle, level and player: the first ones by seed, then by repeat, then in the order of the file.
Results are cached beside the tables, each with what judged it.  What takes long is judged on all
cores.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from heapq import heappush, heapreplace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec

from quandary.arena.engines.chunks import QUEUED
from quandary.arena.engines.processes import ProcessWorkers, cores
from quandary.arena.headers import Header
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, JudgedMoves, Seat
from quandary.core.errors import UnknownName
from quandary.core.source import source_of
from quandary.matches.record import NO_RESULT
from quandary.matches.regret import Judged, judged
from quandary.version import VERSION

from .lines import RecordLine, header_of, line_at, positions_in, record_in

KEPT = "judged_moves.jsonl"  # beside the tables of a run
MATCHES = 20  # judged per puzzle, level and player
TURNS = 40  # judged per seat of a match
ALONE = 2.0  # seconds after which it is worth while to start processes
BLUNDER = 0.5  # regret from which a move is a blunder: it turns a win into a tie, or a tie around


class Choice(NamedTuple):
    """A seat of a match that is judged."""

    match: int
    seat: Seat
    begin: int  # offset of the record in its file


class Judge(NamedTuple):
    """What moves are judged by: another one may judge them differently."""

    version: int  # of the puzzle
    budget: tuple[int, ...]  # the puzzle's `judge_budget`
    source: str = ""  # hash of a puzzle from outside


class SeatJudged(msgspec.Struct, frozen=True):
    """How good the moves of one seat of one match were, turn by turn; None if not known."""

    match: int
    seat: Seat
    record: str  # digest of its line and of quandary's version, to tell that it still holds
    judge: Judge
    turns: list[Judged | None]

    @property
    def regrets(self) -> list[float]:
        return [turn.regret for turn in self.turns if turn is not None]

    @property
    def blunders(self) -> int:
        return sum(regret >= BLUNDER for regret in self.regrets)


class Selection:
    """Chooses the seats to judge; it must see every record of a run."""

    def __init__(self) -> None:
        # The last of the chosen ones comes first, by signs, in each heap.
        self.heaps = defaultdict[tuple[str, str], list[tuple[int, int, int, int, int]]](list)
        self.has_judge = cache(has_judge)

    def see(self, line: RecordLine, header: Header) -> None:
        level, _, seed = header.name.rpartition("#")
        try:
            is_judged = header.cause not in NO_RESULT and self.has_judge(level)
        except UnknownName:
            record_in(line)  # its error says where the missing puzzle was loaded from
            raise
        if not is_judged:
            return
        for seat, player in enumerate(header.players):
            heap = self.heaps[level, player]
            entry = (-int(seed), -header.repeat, -line.match, -seat, line.begin)
            if len(heap) < MATCHES:
                heappush(heap, entry)
            elif entry > heap[0]:
                heapreplace(heap, entry)

    def chosen(self) -> list[Choice]:
        """In the order of the file."""
        return sorted(
            Choice(-match, -seat, begin)
            for heap in self.heaps.values()
            for _, _, match, seat, begin in heap
        )


def has_judge(level: str) -> bool:
    """Return whether moves can be judged at a level, which is named as a spec without its seed.

    A problem of an import has no seed, and is a question.
    """
    if not level:
        return False
    spec = Spec.parse(f"{level}#0")
    puzzle = registry.load(spec.name)
    return not spec.task and issubclass(puzzle, JudgedMoves)


class Task(NamedTuple):
    """A seat that is not judged yet."""

    path: Path  # of the records
    choice: Choice
    record: str  # as in SeatJudged
    judge: Judge


class Judging(NamedTuple):
    """Whether moves are judged, and who is told how many seats are and how many there are."""

    is_on: bool = True
    tell: Callable[[int, int], None] = lambda done, of: None


USUAL = Judging()
_judging = ContextVar("judging", default=USUAL)


@contextmanager
def judging(*, is_on: bool = True, tell: Callable[[int, int], None]) -> Iterator[None]:
    """How moves are judged within; if they are not, tables and transcripts have no regrets."""
    token = _judging.set(Judging(is_on, tell))
    try:
        yield
    finally:
        _judging.reset(token)


def judge_all(path: Path, chosen: Iterable[Choice], tables: Path) -> list[SeatJudged]:
    """Return the chosen seats, judged, in the order of the file.

    Results are cached in the folder of the tables, if there is one.  What another judge said is
    not used again, unless the puzzle is missing.
    """
    if not _judging.get().is_on:
        return []
    kept, judge_here = tables / KEPT, cache(judge_of)
    known = {(one.match, one.seat, one.record): one for one in _kept(kept)}
    found, tasks = dict[Choice, SeatJudged](), list[Task]()
    for choice in chosen:
        line = line_at(path, choice.match, choice.begin)
        judge = judge_here(Spec.parse(header_of(line).name).name)
        digest = blake2b(VERSION.encode() + line.text.rstrip(), digest_size=8).hexdigest()
        one = known.get((choice.match, choice.seat, digest))
        if one is not None and judge in (None, one.judge):
            found[choice] = one
        elif judge is None:
            record_in(line)  # its error says where the missing puzzle was loaded from
        else:
            tasks.append(Task(path, choice, digest, judge))
    for done, (task, one) in enumerate(_judged_tasks(tasks), start=1):
        _keep(kept, one)  # at once: whoever stops it loses nothing
        found[task.choice] = one
        _judging.get().tell(done, len(tasks))
    return [found[choice] for choice in sorted(found)]


def _judged_tasks(tasks: Sequence[Task]) -> Iterator[tuple[Task, SeatJudged]]:
    """Yield every task with its result, as they become known: by this process alone for a while,
    then by one on each core.
    """
    begun, waiting = monotonic(), deque(tasks)
    while waiting and (monotonic() - begun < ALONE or cores() == 1):
        task = waiting.popleft()
        yield task, _judge(task)
    if not waiting:
        return
    with ProcessWorkers(min(cores(), len(waiting)), judge_some) as workers:
        judged_now = dict[int, Task]()
        while waiting or judged_now:
            while waiting and len(judged_now) < QUEUED * workers.number:
                task = waiting.popleft()
                judged_now[workers.submit([task])] = task
            for ticket, done in workers.wait(judged_now):
                task = judged_now.pop(ticket)
                yield task, done[0] if done else _judge(task)  # the worker died: memory, perhaps


def judge_some(tasks: Sequence[Task]) -> list[SeatJudged]:
    """In a worker: judge seats."""
    return list(map(_judge, tasks))


def _judge(task: Task) -> SeatJudged:
    match, seat, begin = task.choice
    turns = _turns(line_at(task.path, match, begin), seat)
    return SeatJudged(match, seat, task.record, task.judge, turns)


def judge_of(name: str) -> Judge | None:
    """Return the judge of a game; None if its puzzle is missing."""
    try:
        puzzle = registry.load(name)
    except UnknownName:
        return None
    assert issubclass(puzzle, Game)
    budget = puzzle.judge_budget if issubclass(puzzle, JudgedMoves) else ()
    source = source_of(puzzle)
    return Judge(puzzle.version, budget, source.hash if source else "")


def _turns(line: RecordLine, seat: Seat) -> list[Judged | None]:
    record = record_in(line)
    moves = zip(positions_in(line, record), record.log, strict=False)
    own = ((position, move) for position, (who, move) in moves if who == seat)
    return [judged(position, seat, move) for position, move in islice(own, TURNS)]


def _kept(path: Path) -> Iterator[SeatJudged]:
    decoder = msgspec.json.Decoder(SeatJudged)
    for text in path.read_bytes().splitlines() if path.exists() else ():
        with suppress(msgspec.DecodeError, UnicodeError):  # cut off: it is judged again
            yield decoder.decode(text)


def _keep(path: Path, one: SeatJudged) -> None:
    with suppress(OSError), path.open("ab") as file:
        file.write(b"\n" + msgspec.json.encode(one))
