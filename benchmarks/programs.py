"""What programs cost: a turn, a start, and all matches of a puzzle in the second PuzzlePlex paper.

Processor time of the run, the fork server and the processes of programs together.  Two programs
play each other at random; a start includes compiling one, and stands beside Python alone.

The paper has 11 models with 32 programs each, which meet all programs of other models from both
seats: 11 x 10 x 32 x 32 = 112,640 matches on an instance.  It has 10 instances of a puzzle, and 100
of one with luck: 1,126,400 and 11,264,000 matches.  A match of ours is measured in a run of a few
programs on one instance of each of its levels, with its record stored; then

    time on 2 cores = matches x seconds of a match / 2
    disk space = matches x bytes of a record

The start of the run is part of the seconds of a match, so that they are a little too many.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, suppress
from functools import cache
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import NamedTuple

from quandary.arena.run import run
from quandary.arena.store import RECORDS
from quandary.arena.suite import read
from quandary.catalogue import drawing
from quandary.matches.drivers import play_now
from quandary.players.registry import PlayerRegistry
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool

from .limits import Limit, Measured, limit_table
from .random_player import RANDOM_PLAYER

ROUNDS, MATCHES, STARTS = 5, 500, 60
BARE = [sys.executable, "-I", "-c", "pass"]
LOCKED = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", *BARE]
TICKS = os.sysconf("SC_CLK_TCK")  # in a second
CORES = 2

PLY = Limit("a turn in card nim: 3,000 in a second of processor time", 1e6 / 3_000, "µs")
START = Limit("a start of a program", 5.0, "ms")
ALL = Limit("1,126,400 matches of card nim on 2 cores, by extrapolation", 30.0, "min")

# Plays a legal move at random in each of these puzzles.
CODE = (
    RANDOM_PLAYER
    + """
    def superply(self, view):
        board, hint = view["board"], view["hint"]
        size = range(1, len(board) + 1)
        cells = [(row, column) for row in size for column in size]
        free = [cell for cell in cells if board[cell[0] - 1][cell[1] - 1] == "."]
        return "%d %d" % random.choice([cell for cell in free if self.fits(hint, *cell)])

    def fits(self, hint, row, column):
        numbers = {"sum": row + column, "product": row * column, "difference": abs(row - column)}
        number = numbers[hint["reckoning"]]
        low, high = (*hint["limits"], 0, 0)[:2]
        return {
            "less": number < low,
            "greater": number > low,
            "digit": str(low) in str(number),
            "even": number % 2 == 0,
            "odd": number % 2 == 1,
            "between": low <= number <= high,
        }[hint["test"]]
"""
)
SUITE = """
[[puzzles]]
puzzle = "{}"
levels = ["easy", "normal"]
seeds = "1"
"""


class Kind(NamedTuple):
    """A puzzle that stands for others in the paper."""

    puzzle: str
    programs: int  # that play here; where processes play several matches, more than may wait
    matches: int  # in the paper
    puzzles: int  # of the paper that it stands for
    about: str


KINDS = (
    Kind("card_nim", 72, 1_126_400, 4, "processes play many matches"),
    Kind("superply", 10, 1_126_400, 1, "chance: two processes per match"),
    Kind("beat_or_bomb_sto", 14, 11_264_000, 2, "hidden hands: two processes per match"),
)


class Cost(NamedTuple):
    """What a match costs."""

    seconds: float
    size: float  # bytes
    turns: float


def table() -> list[str]:
    rows = measured(ROUNDS)
    costs = {kind: cost_of(kind) for kind in KINDS}
    return [
        *limit_table(rows),
        "",
        f"Beside a start: {_beside()}.",
        "",
        "| puzzle | turns | a match | matches in the paper | time on 2 cores | disk space |",
        "|---|---|---|---|---|---|",
        *(_row(kind, cost) for kind, cost in costs.items()),
        _all_row(costs),
    ]


def _row(kind: Kind, cost: Cost) -> str:
    hours, space = kind.matches * cost.seconds / CORES / 3_600, kind.matches * cost.size / 1e9
    return (
        f"| {kind.puzzle}: {kind.about} | {cost.turns:.0f} | {1e3 * cost.seconds:.2f} ms, "
        f"{cost.size:,.0f} bytes | {kind.matches:,} | {hours:.1f} h | {space:.1f} GB |"
    )


def _all_row(costs: Mapping[Kind, Cost]) -> str:
    """All two-player puzzles of the paper, each with the costs of the one that stands for it."""
    matches = sum(kind.puzzles * kind.matches for kind in costs)
    parts = [(kind.puzzles * kind.matches, cost) for kind, cost in costs.items()]
    hours = sum(count * cost.seconds for count, cost in parts) / CORES / 3_600
    space = sum(count * cost.size for count, cost in parts) / 1e9
    sums = " + ".join(f"{kind.puzzles} x {kind.matches:,}" for kind in costs)
    return f"| all: {sums} | | | {matches:,} | {hours:.1f} h | {space:.1f} GB |"


def measured(rounds: int) -> list[Measured]:
    """All rows; the rounds of turns and starts take turns."""
    turns, starts = list[float](), list[float]()
    pool = ProgramPool()
    try:
        for _ in range(rounds):
            turns.append(1e6 * _turn(pool))
            starts.append(1e3 * _start(pool))
    finally:
        pool.close()
    nim = KINDS[0]
    minutes = [nim.matches * cost_of(nim).seconds / CORES / 60]
    return [Measured(PLY, turns), Measured(START, starts), Measured(ALL, minutes)]


def _programs(count: int) -> list[Program]:
    """Programs with different texts."""
    return [
        Program(f"program/p{number}.py", f"{CODE}# {number}", f"p{number}")
        for number in range(count)
    ]


def _turn(pool: ProgramPool) -> float:
    """Seconds of a turn in card nim."""
    turns, begun = 0, spent()
    for seed in range(1, MATCHES + 1):
        spec = f"card_nim/easy#{seed}"
        game = drawing.game(spec)
        players = [ProgramPlayer(program, pool, game) for program in _programs(2)]
        turns += len(play_now(game, players, spec).log)
    return (spent() - begun) / turns


def _start(pool: ProgramPool) -> float:
    """Seconds of a new process that has loaded a program."""
    [program] = _programs(1)
    begun = spent()
    for _ in range(STARTS):
        pool.process(program, shared=False).close()
    sleep(0.3)  # until the fork server has received of the last end
    return (spent() - begun) / STARTS


def _beside() -> str:
    """What others take, by the wall clock: the processor time of a process in its own namespace
    is not counted for whoever started it.
    """
    commands = {"`python -I`": BARE}
    if shutil.which("bwrap"):
        commands["`python -I` in bubblewrap"] = LOCKED
    parts = []
    for name, command in commands.items():
        begun = perf_counter()
        for _ in range(STARTS):
            subprocess.run(command, check=True)
        parts.append(f"{name} takes {1e3 * (perf_counter() - begun) / STARTS:.1f} ms")
    missing = "" if len(parts) == 2 else "; bubblewrap is not installed here"
    return f"{', '.join(parts)} by the wall clock{missing}"


@cache
def cost_of(kind: Kind) -> Cost:
    """What a match costs in a run that stores it."""
    suite = read("paper", SUITE.format(kind.puzzle))
    with TemporaryDirectory() as name, chdir(name):
        folder, programs = Path(name), _programs(kind.programs)
        for program in programs:
            Path(program.name.removeprefix("program/")).write_text(program.code)
        begun, pool = spent(), ProgramPool()
        known = PlayerRegistry(programs=pool)
        played = run(suite, [program.name for program in programs], folder / "run", known)
        sleep(0.3)
        seconds = spent() - begun
        pool.close()
        size = (folder / "run" / RECORDS).stat().st_size
        turns = fmean(len(record.said) for record in played.records)
    return Cost(seconds / played.matches, size / played.matches, turns)


def spent() -> float:
    """Seconds of processor time of this process, and of all below it and those that they had."""
    ended = getrusage(RUSAGE_CHILDREN)
    total = process_time() + ended.ru_utime + ended.ru_stime
    for pid in _below(os.getpid()):
        with suppress(OSError, IndexError):  # it ends just now
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / TICKS
    return total


def _below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = [pid]
    for one in found:
        with suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found[1:]
