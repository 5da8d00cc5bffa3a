"""A process that plays several matches: each begins as the first one did."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs.asking import load, player, seated, soon, state, take_seat, turn
from quandary.arena.store import RECORDS
from quandary.cli.main import main
from quandary.programs.host import Sandbox
from quandary.programs.processes import Process

RANDOM = player("return [self.first, random.random(), random.random()]", "import random")
RANDOM += "    def __init__(self): self.first = random.random()\n"


def _match(process: Process, luck: str) -> list[object]:
    take_seat(process, luck)
    return [turn(process).move for _ in range(3)]


def test_luck_depends_on_the_match_and_the_turn_alone(sandbox: Sandbox) -> None:
    process = seated(sandbox, RANDOM)
    first = _match(process, "a")
    others = [_match(process, luck) for luck in ("b", "c")]
    again = _match(process, "a")
    fresh = seated(sandbox, RANDOM)
    assert first == again == _match(fresh, "a")
    drawn = [repr(move) for match in (first, *others) for move in match]
    assert len({*drawn}) == len(drawn)
    for used in (process, fresh):
        used.close()


def test_luck_is_that_of_the_seat_even_if_random_was_changed(sandbox: Sandbox) -> None:
    program = player(
        "state = random.random(); random.seed = lambda *_: None; return state", "import random"
    )
    process = seated(sandbox, program)
    assert _match(process, "a") == _match(process, "a")
    process.close()


def test_a_match_has_a_namespace_of_its_own(sandbox: Sandbox) -> None:
    program = """
seen = []
class Player:
    kept = []
    def play(self, view):
        seen.append(view)
        self.kept.append(view)
        self.own = [*getattr(self, 'own', ()), view]
        import program
        return [seen, self.kept, self.own, program.seen]
"""
    process = seated(sandbox, program)
    for match in range(3):
        take_seat(process)
        for number in range(2):
            numbers = [10 * match + so_far for so_far in range(number + 1)]
            assert turn(process, 10 * match + number).move == [numbers] * 4
    process.close()


def test_processes_of_one_sandbox_share_nothing(sandbox: Sandbox) -> None:
    program = """
import builtins, os, random, sys
class Player:
    def play(self, view):
        found = [getattr(place, 'mark', None) for place in (builtins, os, random, sys)]
        for place in (builtins, os, random, sys): place.mark = view
        return found
"""
    first, second = (seated(sandbox, program) for _ in range(2))
    assert turn(first, 1).move == [None] * 4
    assert turn(second, 2).move == [None] * 4
    assert turn(first, 3).move == [1] * 4
    assert turn(second, 4).move == [2] * 4
    for process in (first, second):
        process.close()
    third = sandbox.start()
    load(third, program)
    take_seat(third)
    assert turn(third, 5).move == [None] * 4
    third.close()


def test_timers_end_with_their_match(sandbox: Sandbox) -> None:
    """And so does what was to happen then."""
    program = player(
        """
found = [[signal.getitimer(timer)[0] > 0, signal.getsignal(number) != signal.SIG_DFL]
         for number, timer in TIMERS]
for number, timer in TIMERS:
    signal.signal(number, lambda *_: None)
    signal.setitimer(timer, 10**6)
return found
""",
        """
import signal
TIMERS = [(signal.SIGALRM, signal.ITIMER_REAL), (signal.SIGVTALRM, signal.ITIMER_VIRTUAL),
          (signal.SIGPROF, signal.ITIMER_PROF)]
""",
    )
    process = seated(sandbox, program)
    for _ in range(2):
        assert turn(process).move == [[False, False]] * 3
        assert turn(process).move == [[True, True]] * 3
        take_seat(process)
    process.close()


LATE_ALARM = """
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
signal.setitimer(signal.ITIMER_REAL, 0.001)
"""


@pytest.mark.parametrize(("number", "lines"), [("SIGALRM", LATE_ALARM), ("SIGCONT", "")])
def test_a_signal_between_two_matches_does_not_end_the_next(
    sandbox: Sandbox, number: str, lines: str
) -> None:
    """That of a timer that has run out, or the one that lets the process go on."""
    handle = f"signal.signal(signal.{number}, lambda *_: 1 / 0)"
    found = f"""
if view:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.{number}])
    return signal.getsignal(signal.{number}) == signal.SIG_DFL
"""
    process = seated(sandbox, player(f"{found}{handle}{lines}\nreturn 1", "import signal"))
    assert turn(process, 0).move == 1
    if lines:
        assert soon(lambda: _waiting_signals(process.pid))
    process.rest()
    assert soon(lambda: state(process.pid) == "T")
    assert process.wake()
    for _ in range(2):
        take_seat(process)
        assert turn(process, 1).move is True
    process.close()


def _waiting_signals(pid: int) -> int:
    told = Path(f"/proc/{pid}/status").read_text()
    return int(told.partition("ShdPnd:")[2].split()[0], 16)


HALF = """
TABLE = {(number, number + 1): [number] for number in range(600_000)}
class Player:
    def __init__(self):
        self.me = self
    def play(self, view):
        return min(view["hands"][view["seat"]])
"""
LEAKING = """
import math
math.__dict__.setdefault("kept", []).append(bytearray(60_000_000))
class Player:
    def play(self, view):
        math.kept.append(bytearray(20_000_000))
        return min(view["hands"][view["seat"]])
"""


@pytest.mark.parametrize("code", [HALF, LEAKING], ids=["half of it", "never given back"])
@pytest.mark.parametrize("engine", ["asyncio", "processes"])
def test_memory_of_earlier_matches_loses_none(tmp_path: Path, code: str, engine: str) -> None:
    """Each match may fill all memory, whatever its process played before: records are those of a
    process per match.
    """
    path = tmp_path / "program.py"
    path.write_text(code)

    def lines(out: Path, *options: str) -> list[str]:
        command = ["run", "--puzzle", "card_nim", "--level", "easy", "--seeds", "1-6", *options]
        players = ["--player", f"program/{path}", "--player", "random"]
        assert 0 == main([*command, *players, "--out", str(out)])
        return sorted((out / RECORDS).read_text().splitlines())

    shared = lines(tmp_path / "shared", "--engine", engine)
    alone = lines(tmp_path / "alone", "--process-per-match")
    assert shared == alone
    assert not any('"memory"' in line for line in shared)
