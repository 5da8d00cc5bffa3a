"""A program is not waited for without end, and whose fault it is decides the status.

Time is given here; nothing waits for it.
"""

from __future__ import annotations

import pytest

from programs.asking import player, seated, turn
from quandary.programs import processes
from quandary.programs.clock import LONGEST_GAP, SLICE, WALL, Clock, Look
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox

MOST = 300.0  # seconds that the program may use
STEPS = int(2 * WALL * MOST / SLICE)


def _ended(*, computed: float, waited: float, gap: float = SLICE, told: bool = True) -> object:
    """Why a program ends of which each look finds so much more, and after how many seconds.

    Waiting for a processor is told at once, or only after the program has got one.
    """
    clock = Clock(0)
    clock.start(MOST)
    for step in range(STEPS):
        look = Look(step * gap, step * computed, step * waited if told else 0.0, sleeps=False)
        if clock.is_over(look):
            return "over", round(look.wall)
        if cause := clock.wall_is_over():
            return cause, round(look.wall)
    return "", 0


def test_a_program_that_computes_has_all_its_time() -> None:
    assert _ended(computed=SLICE, waited=0.0) == ("over", 300)
    assert _ended(computed=SLICE / 8, waited=SLICE * 7 / 8) == ("over", 2400)


def test_a_program_that_waits_without_being_seen_asleep_runs_out_of_time() -> None:
    """It computes a little before each look, and nothing else wanted its processor."""
    assert _ended(computed=SLICE / 100, waited=0.0) == ("timeout", WALL * MOST)
    assert _ended(computed=SLICE / 100, waited=SLICE / 2) == ("timeout", WALL * MOST)


def test_a_program_that_gets_no_processor_is_played_again() -> None:
    nothing_left = SLICE * 99 / 100
    assert _ended(computed=SLICE / 100, waited=nothing_left) == ("infrastructure", WALL * MOST)
    assert _ended(computed=0.0, waited=0.0, told=False) == ("infrastructure", WALL * MOST)


def test_a_machine_that_stalls_is_no_fault_of_a_program() -> None:
    """Nobody could look, and the program is found as it was."""
    ended = _ended(computed=0.01, waited=0.0, gap=100.0)
    assert ended == ("infrastructure", WALL * MOST + 100)
    assert LONGEST_GAP < 100


def test_each_match_has_wall_time_of_its_own() -> None:
    clock = Clock(0)
    for _ in range(3):
        clock.start(MOST)
        clock.asked()
        for step in range(int(0.9 * WALL * MOST)):
            assert not clock.is_over(Look(step, 0.0, 0.0, sleeps=False))
            assert not clock.wall_is_over()


@pytest.mark.parametrize(
    ("gap", "cause"), [(LONGEST_GAP, "timeout"), (30 * LONGEST_GAP, "infrastructure")]
)
def test_the_limit_holds_for_processes(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, gap: float, cause: str
) -> None:
    """On a clock on which so much time passes between two looks at an endless loop."""
    monkeypatch.setattr(processes, "SLICE", 0.001)
    process = seated(sandbox, player("while True: pass"), seconds=100)
    looks = list[float]()

    def now() -> float:
        looks.append(len(looks) * gap + 1)
        return looks[-1]

    process.clock.now = now
    with pytest.raises(ProgramFailed) as ended:
        turn(process)
    assert (ended.value.cause, "of wall time" in ended.value.words) == (cause, True)
    assert looks[-2] - looks[0] <= WALL * 100 < looks[-1] - looks[0]
    process.close()
