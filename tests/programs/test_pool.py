"""Which process plays: what a pool keeps, and what it does when something is missing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs import another_user
from programs.asking import ANSWER_ITSELF, children, player, soon, state, turn
from quandary.catalogue import drawing
from quandary.matches.drivers import play_match
from quandary.players.strategy import strategy_player
from quandary.programs import clock, pool
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool
from quandary.programs.processes import Process
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.programs.settings import ProgramSettings

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

ONE = Program("program/one.py", player("return 1"), "one")
# Computes all the time, by a timer, also while nobody asks it.
TICKING = Program(
    "program/ticking.py",
    player(
        f"signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n{ANSWER_ITSELF}",
        "import os, signal\nsignal.signal(14, lambda *_: [None for _ in range(1000)])",
    ),
    "ticking",
)


class Opened:
    """Opens sandboxes, and counts them."""

    def __init__(self) -> None:
        self.sandboxes = list[Sandbox]()

    def __call__(self, settings: ProgramSettings) -> Sandbox:
        self.sandboxes.append(Sandbox(memory=64 << 20))
        return self.sandboxes[-1]


@pytest.fixture
def opened() -> Opened:
    return Opened()


@pytest.fixture
def programs(opened: Opened) -> Iterator[ProgramPool]:
    made = ProgramPool(opened=opened)
    yield made
    made.close()


def _seated(programs: ProgramPool, program: Program, shared: bool = True) -> Process:
    process = programs.process(program, shared=shared)
    process.clock.start(20)
    process.ask(b'{"luck": ""')
    return process


def _is_soon(process: Process, *states: str) -> bool:
    return soon(lambda: state(process.pid) in states)


def test_a_process_that_waits_for_its_next_match_does_not_run(programs: ProgramPool) -> None:
    process = _seated(programs, TICKING)
    assert turn(process).move == 1
    programs.release(TICKING, process, shared=True)

    assert _is_soon(process, "T")
    assert _seated(programs, TICKING) is process
    assert turn(process).move == 1
    assert _is_soon(process, "R", "S")
    programs.release(TICKING, process, shared=True)


def test_it_is_stopped_beside_other_matches_too(programs: ProgramPool) -> None:
    """Where matches of models go on in the same event loop."""
    game = drawing.game("card_nim/easy#7")
    player_one = ProgramPlayer(ONE, programs, game, waits=True)
    house = strategy_player("house", game, "easy")
    for _ in range(2):
        record = asyncio.run(play_match(game, [player_one, house], "card_nim/easy#7"))
        assert record.log[0] == (0, "1")
        [(_, process, _)] = programs._idle.values()
        assert _is_soon(process, "T")
    assert process.sandbox.asked == 1


def test_other_tasks_go_on_while_a_program_is_compiled(programs: ProgramPool) -> None:
    long = ONE._replace(code=ONE.code + "a = 1\n" * 20_000)

    async def ticks_meanwhile() -> int:
        loading, ticks = asyncio.create_task(programs.process_async(long, shared=True)), 0
        while not loading.done():
            await asyncio.sleep(0)
            ticks += 1
        loading.result().close()
        return ticks

    assert asyncio.run(ticks_meanwhile()) > 20


def test_a_program_may_be_given_up_while_it_is_compiled(programs: ProgramPool) -> None:
    async def given_up() -> None:
        loading = asyncio.create_task(programs.process_async(ONE, shared=True))
        await asyncio.sleep(0)
        loading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await loading

    asyncio.run(given_up())
    assert programs._sandbox
    server = programs._sandbox.process.pid
    assert soon(lambda: not children(server))
    assert turn(_seated(programs, ONE)).move == 1


@pytest.mark.parametrize(("share", "kept"), [(1, 8), (10**9, 2)])
def test_so_many_processes_wait_as_fit_into_memory(
    programs: ProgramPool, monkeypatch: pytest.MonkeyPatch, share: int, kept: int
) -> None:
    """By what they fill, not by what they may; those that played last stay, two at least."""
    monkeypatch.setattr(pool, "SHARE", share)
    several = [ONE._replace(code=f"{ONE.code}# {number}") for number in range(8)]
    for each in several:
        programs.release(each, _seated(programs, each), shared=True)
    assert programs._sandbox
    assert [each.hash for each in several[-kept:]] == [
        idle.program for idle in programs._idle.values()
    ]
    assert all(1 << 20 < idle.memory < 64 << 20 for idle in programs._idle.values())
    assert soon(lambda: len(children(programs._sandbox.process.pid)) == kept)


# Lets processes wait for their next match, and is killed.
KILLED = """
import json, sys, time
from programs.asking import player
from quandary.programs.library import Program
from quandary.programs.pool import ProgramPool
programs, one = ProgramPool(), Program("program/one.py", player("return 1"), "one")
running = [programs.process(one, shared=True) for _ in range(3)]
for process in running:
    programs.release(one, process, shared=True)
print(json.dumps([process.pid for process in running]), flush=True)
time.sleep(1000)
"""


def test_processes_that_wait_end_with_whoever_started_them() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED], env=another_user.environment(), stdout=subprocess.PIPE
    )
    assert parent.stdout
    try:
        pids = json.loads(parent.stdout.readline())
        assert soon(lambda: {state(pid) for pid in pids} == {"T"})
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    assert soon(lambda: {state(pid) for pid in pids} <= {"", "Z"})


def test_the_fork_server_sleeps_while_processes_stop_and_go_on(
    programs: ProgramPool, opened: Opened
) -> None:
    def woken() -> int:
        told = Path(f"/proc/{opened.sandboxes[0].process.pid}/status").read_text()
        return int(told.partition("\nvoluntary_ctxt_switches:")[2].split()[0])

    programs.release(ONE, _seated(programs, ONE), shared=True)
    before = woken()
    for _ in range(50):
        process = _seated(programs, ONE)
        programs.release(ONE, process, shared=True)
        assert _is_soon(process, "T")
    assert woken() <= before + 1


def test_a_process_that_ended_while_it_waited_costs_no_match(programs: ProgramPool) -> None:
    first, second = (_seated(programs, ONE) for _ in range(2))
    for process in (first, second):
        programs.release(ONE, process, shared=True)
        os.kill(process.pid, signal.SIGKILL)
        assert _is_soon(process, "", "Z")
    third = _seated(programs, ONE)
    assert turn(third).move == 1
    programs.release(ONE, third, shared=False)


def test_a_fork_server_that_is_gone_is_replaced_at_once(
    programs: ProgramPool, opened: Opened
) -> None:
    first = _seated(programs, ONE)
    programs.release(ONE, first, shared=True)
    opened.sandboxes[0].process.kill()
    assert _is_soon(first, "", "Z")
    second = _seated(programs, ONE)
    assert turn(second).move == 1
    assert len(opened.sandboxes) == 2
    programs.release(ONE, second, shared=True)


def test_a_fork_that_fails_once_is_tried_again(
    programs: ProgramPool, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same sandbox, whose other processes play on; those that wait make room."""
    playing, waiting = _seated(programs, ONE), _seated(programs, ONE)
    programs.release(ONE, waiting, shared=True)
    start, tried = Sandbox.start, list[int]()

    def failing(sandbox: Sandbox) -> Process:
        tried.append(1)
        if len(tried) == 1:
            raise ProgramFailed("infrastructure", "no process is free")
        return start(sandbox)

    monkeypatch.setattr(Sandbox, "start", failing)
    process = _seated(programs, ONE, shared=False)
    server = opened.sandboxes[0].process.pid
    assert soon(lambda: children(server) == {playing.pid, process.pid})
    assert (len(tried), len(opened.sandboxes)) == (2, 1)
    for each in (playing, process):
        assert turn(each).move == 1
        programs.release(ONE, each, shared=False)


# An ordinary user may have so many processes, and no more: the matches beyond fail alone.
SHORTAGE = """
import resource
from programs.asking import player, turn
from quandary.programs import pool
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.library import Program
pool.PAUSES = (0.0, 0.01)
programs, opened = pool.ProgramPool(opened=lambda settings: opened), Sandbox(memory=64 << 20)
one = Program("program/one.py", player("return 1"), "one")
def seated():
    process = programs.process(one, shared=False)
    process.clock.start(20)
    process.ask(b'{"luck": ""')
    return process
limit = resource.RLIMIT_NPROC
before = resource.prlimit(opened.process.pid, limit)
resource.prlimit(opened.process.pid, limit, (8, before[1]))
playing, failed = [], []
while len(failed) < 3:
    try:
        playing.append(seated())
    except ProgramFailed as failure:
        failed.append(failure.cause)
assert failed == ["infrastructure"] * 3, failed
assert playing
for process in playing:
    assert turn(process).move == 1
resource.prlimit(opened.process.pid, limit, before)
playing.append(seated())
for process in playing:
    assert turn(process).move == 1
    programs.release(one, process, shared=False)
programs.close()
print("played", len(playing))
"""


def test_a_shortage_of_processes_ends_only_the_matches_that_begin() -> None:
    told = another_user.run("-c", SHORTAGE, user=another_user.ALONE)
    assert int(told.removeprefix("played ")) >= 2


@pytest.mark.parametrize(("code", "cause"), [("class Player(:", "syntax"), ("x = 1", "unreadable")])
def test_a_program_that_cannot_be_loaded_is_loaded_once(
    programs: ProgramPool, opened: Opened, code: str, cause: str
) -> None:
    words = set[str]()
    for name in ("first", "again", "a program with the same text"):
        with pytest.raises(ProgramFailed) as ended:
            programs.process(Program(name, code, ""), shared=name == "again")
        assert ended.value.cause == cause
        words.add(ended.value.words)
    assert opened.sandboxes[0].asked == len(words) == 1


def test_a_program_that_takes_too_long_to_compile_is_loaded_once(
    programs: ProgramPool, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "LOADING", -1.0)  # which every program exceeds
    for _ in range(3):
        with pytest.raises(ProgramFailed, match="to compile") as ended:
            programs.process(ONE, shared=True)
        assert ended.value.cause == "timeout"
    assert opened.sandboxes[0].asked == 1


def test_a_program_that_was_killed_while_it_was_loaded_is_loaded_again(
    programs: ProgramPool, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Process.ask

    def killed(process: Process, request: bytes) -> object:
        process.kill()
        return ask(process, request)

    with monkeypatch.context() as patch:
        patch.setattr(Process, "ask", killed)
        with pytest.raises(ProgramFailed) as ended:
            programs.process(ONE, shared=True)
        assert ended.value.cause == "infrastructure"
    programs.release(ONE, _seated(programs, ONE), shared=False)
    assert opened.sandboxes[0].asked == 2


def test_attempts_to_start_end(programs: ProgramPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(sandbox: Sandbox) -> Process:
        tried.append(1)
        raise ProgramFailed("infrastructure", "no process is free")

    tried, slept = list[int](), list[float]()
    monkeypatch.setattr(Sandbox, "start", failing)
    monkeypatch.setattr(pool, "sleep", slept.append)
    with pytest.raises(ProgramFailed) as ended:
        programs.process(ONE, shared=True)
    assert ended.value.cause == "infrastructure"
    assert (len(tried), slept) == (len(pool.PAUSES) + 1, [*pool.PAUSES])
