"""What a program computes is charged to it, whenever that is; waiting for a processor is not."""

from __future__ import annotations

import asyncio
import itertools
import os
import select
import signal
import time
from contextlib import suppress

import pytest

from programs.asking import (
    ANSWER_ITSELF,
    Ask,
    blocking,
    computed,
    end_of,
    load,
    player,
    seated,
    soon,
    take_seat,
    turn,
    waiting,
)
from quandary.programs import clock
from quandary.programs.clock import SLICE, Clock, Look
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.processes import Process

both = pytest.mark.parametrize("ask", [blocking, waiting])
BURN = """
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""

# Computes now and then while it is not asked, and answers at once when it is.
BETWEEN = player(
    f"ring()\n{ANSWER_ITSELF}",
    f"""
import os, signal, time{BURN}
def ring(*_):
    burn(0.01)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
signal.signal(signal.SIGALRM, ring)
""",
)


def _turns(process: Process, most: int = 1000) -> int:
    """How many turns a program plays before its clock runs out."""
    for number in range(most):
        try:
            turn(process)
        except ProgramFailed as failure:
            return number if failure.cause == "timeout" else -1
    return most


def test_all_turns_of_a_match_share_its_clock(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("burn(0.05); return 1", "import time" + BURN), seconds=0.22)
    assert 1 <= _turns(process) <= 4
    process.close()


def test_the_module_and_the_constructor_are_charged(sandbox: Sandbox) -> None:
    for burning in (
        f"import time{BURN}\nburn(0.15)\n{player('return 1')}",
        f"import time{BURN}\n{player('return 1')}    def __init__(self): burn(0.15)\n",
    ):
        assert end_of(sandbox, burning, seconds=0.1)[0] == "timeout"


def test_each_match_has_a_clock_of_its_own(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("burn(0.12); return 1", "import time" + BURN), seconds=0.2)
    for _ in range(3):
        turn(process)
        process.clock.start(0.2)
        take_seat(process)
    process.close()


@both
def test_the_time_between_turns_is_charged(sandbox: Sandbox, ask: Ask) -> None:
    process = seated(sandbox, BETWEEN, seconds=0.15)
    turn(process, ask=ask)
    assert soon(lambda: computed(process) > 0.3)
    with pytest.raises(ProgramFailed) as ended:
        turn(process, ask=ask)
    assert ended.value.cause == "timeout"
    process.close()


def test_the_time_between_matches_is_charged(sandbox: Sandbox) -> None:
    process = seated(sandbox, BETWEEN, seconds=1.0)
    turn(process)
    assert soon(lambda: computed(process) > 0.3)
    process.clock.start(0.15)
    with pytest.raises(ProgramFailed) as ended:
        take_seat(process)
    assert ended.value.cause == "timeout"
    process.close()


def test_a_program_that_waits_for_its_turn_is_not_charged(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("return 1"), seconds=0.2)
    for _ in range(2):
        turn(process)
        time.sleep(0.5)
    assert turn(process).move == 1
    process.close()


@both
@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(10**6)",
        "while True: time.sleep(0.01)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); time.sleep(10**6)",
        "os.read(0, 1)",
        "while True: os.write(1, b' '); time.sleep(0.05)",
        "while True: os.write(1, b' '); burn(0.01)",
        "os.write(1, b'{'); time.sleep(10**6)",
    ],
)
def test_a_program_that_does_not_answer_is_ended(sandbox: Sandbox, body: str, ask: Ask) -> None:
    program = player(body, "import os, signal, time" + BURN)
    assert end_of(sandbox, program, seconds=0.1, ask=ask)[0] == "timeout"


def test_compiling_has_a_limit_before_any_match_begins(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "LOADING", 0.2)
    process = sandbox.start()
    with pytest.raises(ProgramFailed) as ended:
        load(process, "x = f'" + "{x}" * 200_000 + "'")  # takes a time that is quadratic in this
    assert ended.value.cause in ("timeout", "syntax")  # newer compilers are quick, or refuse it
    process.close()


def test_an_answer_that_is_there_counts_however_late_it_is_read(sandbox: Sandbox) -> None:
    """This process may have had to wait for a processor, or have done other things."""
    process = seated(sandbox, player("return 1"), seconds=0.2)
    exchange = process._begin(b'{"view": null')
    assert select.select([process.read], [], [], 60)[0]
    process.clock.next_look = 0.0
    process.clock.seen = Look(time.monotonic() - 1000, computed(process), 0.0)
    said = process._go_on(exchange)
    assert said and said.move == 1
    process.close()


def test_a_busy_event_loop_is_not_charged(sandbox: Sandbox) -> None:
    """Another task holds up the loop, while the program has answered long ago."""

    async def hold_up() -> None:
        for seconds in (SLICE * 1.5, 2.0, SLICE * 1.5):
            await asyncio.sleep(0)
            time.sleep(seconds)

    async def asked() -> object:
        others = asyncio.create_task(hold_up())
        said = await process.ask_async(b'{"view": null')
        await others
        return said.move

    process = seated(sandbox, player("time.sleep(0.5); return 1", "import time"), seconds=1.0)
    assert asyncio.run(asked()) == 1
    process.close()


def test_several_programs_are_asked_beside_each_other(sandbox: Sandbox) -> None:
    """The first one answers when it is signalled, after all others have answered."""

    async def asked() -> list[object]:
        first = asyncio.create_task(running[0].ask_async(b'{"view": null'))
        others = [await process.ask_async(b'{"view": null') for process in running[1:]]
        assert not first.done()
        os.kill(running[0].pid, signal.SIGALRM)
        return [said.move for said in (await first, *others)]

    before = "import signal, time\nrung = []\nsignal.signal(14, lambda *_: rung.append(1))"
    slow = player("while not rung: time.sleep(0.001)\nreturn 0", before)
    running = [seated(sandbox, slow)]
    running += [seated(sandbox, player("return 1")) for _ in range(5)]
    assert asyncio.run(asked()) == [0, 1, 1, 1, 1, 1]
    for process in running:
        process.close()


def _looks(*looks: tuple[float, float, float] | Look, most: float) -> list[bool]:
    clock = Clock(os.getpid())
    clock.start(most)
    clock.begun = 0.0
    return [clock.is_over(Look(*look)) for look in looks]


def test_waiting_for_a_processor_is_not_charged() -> None:
    """Looks at a program: wall time, what it has computed, how long no processor was free."""
    assert _looks((0, 0, 0), (100, 1, 99), (200, 2, 198), most=5) == [False, False, False]
    assert _looks((0, 0, 0), (100, 4.9, 0), most=5) == [False, True]  # it slept
    assert _looks((0, 0, 0), (6, 6, 0), most=5) == [False, True]  # it computed
    assert _looks((0, 0, 0), (3, 1, 0), (6, 2, 0), most=5) == [False, False, True]  # both
    assert _looks((0, 3, 0), (1, 3, 0), (2, 3, 0), (3, 3, 0), most=5) == [False] * 3 + [True]
    assert (
        _looks((0, 0, 0), (1, 1.5, 0), (2, 3, 0), most=5) == [False] * 3
    )  # clocks differ a little


def test_a_wait_for_a_processor_that_has_not_ended_is_not_charged() -> None:
    """The kernel tells how long a process waited after it has got a processor."""
    waits, had_waited = Look(100, 0, 0, sleeps=False), Look(101, 0.1, 100)
    assert _looks((0, 0, 0), waits, had_waited, most=5) == [False] * 3
    assert _looks((0, 0, 0), Look(9, 0, 0, sleeps=False), (15, 0, 0), most=5)[1:] == [False, True]


def test_a_program_is_seen_asleep_or_not(sandbox: Sandbox) -> None:
    for body, sleeps in (("time.sleep(10**6)", True), ("while True: pass", False)):
        process = seated(sandbox, player(body, "import time"))
        process._begin(b'{"view": null')
        assert soon(lambda wanted=sleeps, clock=process.clock: clock._sleeps() == wanted)
        process.close()


@pytest.mark.heavy
def test_a_program_that_gets_little_of_a_processor_has_its_full_time(sandbox: Sandbox) -> None:
    """Three others compute on the same processor, with a higher priority."""
    (one, *_) = os.sched_getaffinity(0)
    hogs = []
    process = seated(sandbox, player("burn(1.5); return 1", "import time" + BURN), seconds=2.0)
    try:
        for _ in range(3):
            if not (pid := os.fork()):
                with suppress(OSError):
                    os.sched_setaffinity(0, {one})
                for _ in itertools.count():
                    pass
            hogs.append(pid)
        os.sched_setaffinity(process.pid, {one})
        os.setpriority(os.PRIO_PROCESS, process.pid, 10)
        begun = time.monotonic()
        assert turn(process).move == 1
        assert time.monotonic() - begun > 2.2  # more than its clock has
    finally:
        for pid in hogs:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        process.close()
