"""Where there is no seccomp: what commands say there, and what runs and records keep of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quandary.arena.manifest import differences
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.programs import levels
from quandary.programs.clock import LONGEST_GAP, WALL
from quandary.programs.levels import Finding, open_sandbox
from quandary.programs.settings import ProgramSettings
from quandary.programs.wasm import sandbox as wasm
from quandary.programs.wasm.sandbox import GuestClock

# A system without what only Linux or only Unix has, as far as imports and calls can tell.
ELSEWHERE = """
import ctypes, os, platform, select, signal, sys
from importlib import util
platform.system = lambda: "Windows"
for name in ("resource", "fcntl", "termios", "pwd"):
    sys.modules[name] = None
for module, names in {
    os: ("sysconf", "pipe2", "fork", "pidfd_open", "getuid"),
    select: ("poll", "epoll"),
    signal: ("pidfd_send_signal", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGSYS", "SIGTRAP"),
}.items():
    for name in names:
        delattr(module, name)
def refuse(name, *more, **others):
    raise TypeError(name)
ctypes.CDLL = refuse
"""
WITHOUT_EXTRA = """
find_spec = util.find_spec
util.find_spec = lambda name, *more: None if name == "wasmtime" else find_spec(name, *more)
"""
MAIN = """
from quandary.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def elsewhere(
    *arguments: str, before: str = "", **settings: str | Path
) -> subprocess.CompletedProcess[str]:
    """What a command does on such a system."""
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE + before + MAIN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        **settings,  # type: ignore[call-overload]
    )


def _elsewhere(*arguments: str) -> subprocess.CompletedProcess[str]:
    return elsewhere(*arguments, before=WITHOUT_EXTRA)


def test_the_doctor_says_what_to_install() -> None:
    done = _elsewhere("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    missing = "the extra wasm is not installed (pip install 'quandary[wasm]')"
    assert "sandbox:     none\n" in done.stdout
    assert f"WebAssembly: {missing}\n" in done.stdout
    assert (
        f"The level is not higher because Windows has no seccomp, and {missing}.\n" in done.stdout
    )
    assert "--unsafe" not in done.stdout  # which does nothing here


@pytest.mark.parametrize("more", [(), ("--unsafe",)])
def test_a_program_is_refused_in_a_sentence(tmp_path: Path, more: tuple[str, ...]) -> None:
    (tmp_path / "tried.py").write_text("class Player: pass")
    program = f"program/{tmp_path}/tried.py"
    done = _elsewhere("match", "card_nim/easy#7", "--players", program, "house", *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "programs cannot be sandboxed here: Windows has no seccomp, and the extra wasm is" in (
        done.stderr
    )


def test_strategies_play_there() -> None:
    done = _elsewhere("match", "card_nim/easy#7", "--players", "house", "random", "--json")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_by_webassembly_is_not_continued_by_locks_or_without() -> None:
    known = {level: {"sandbox": [level]} for level in ("strong", "safe", "wasm", "none")}
    told = {
        (one, other): [*differences(known[one], known[other], ("a", "b"))]
        for one in known
        for other in known
    }
    assert not told["wasm", "wasm"]
    assert told["wasm", "strong"] == [
        "how programs run, in a sandbox of WebAssembly in a and in a sandbox in b"
    ]
    assert told["none", "wasm"] == [
        "how programs run, without a sandbox in a and in a sandbox of WebAssembly in b"
    ]
    assert not told["strong", "safe"]


def test_libraries_are_refused_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr(
        levels, "found", lambda: Finding("wasm", "not here", 0, "of this test", "installed")
    )
    with pytest.raises(UserError) as refused:
        open_sandbox(ProgramSettings(libraries=("numpy",)))
    assert str(refused.value) == (
        "--library numpy: the sandbox of WebAssembly has the modules of Python alone; leave it out."
    )


def test_the_doctor_names_webassembly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for installed, words in ((True, "installed"), (False, wasm.MISSING)):
        monkeypatch.setattr(wasm, "find_spec", lambda name, is_there=installed: is_there)
        levels.found.cache_clear()
        assert main(["doctor"]) == 0
        assert f"WebAssembly: {words}\n" in capsys.readouterr().out
    levels.found.cache_clear()


def test_a_guest_has_its_seconds_and_ten_times_as_many_of_wall_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1000.0]
    monkeypatch.setattr(wasm.time, "monotonic", lambda: now[0])
    clock = GuestClock()
    clock.begun = clock.answered_at = 5.0
    clock.start(1.0)
    clock.asked()
    assert not clock.is_over(5.9)
    assert clock.is_over(6.1) == "more than 1 s"
    clock.start(1.0)
    assert not clock.is_over(7.0)  # a new match, which begins with what was used before it
    waited = 0.0
    while not (words := clock.is_over(7.0)):
        now[0] += 100.0  # the machine stood still, for the most part
        waited += LONGEST_GAP
    assert WALL < waited <= WALL + LONGEST_GAP
    assert words == "it did not use its time in 10 s of wall time"
