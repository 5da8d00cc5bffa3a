"""What a process of the sandbox is before any line of a program runs in it."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs.asking import children, end_of, load, player, seated, turn
from programs.system_calls import ALWAYS, SOMETIMES, numbers
from quandary.programs.host import Locks, Sandbox
from quandary.programs.processes import Process
from quandary.programs.sandbox import landlock

# Calls of x86-64 that seccomp does not see, and that end a program that makes them: 335 and 336
# are for probes that the kernel has put into it.
PASSED_BY = {335, 336} if platform.machine() == "x86_64" else set[int]()


@pytest.fixture
def process(sandbox: Sandbox) -> Iterator[Process]:
    started = seated(sandbox, player("return 1"))
    yield started
    started.close()


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_it_has_no_rights_and_a_filter(process: Process) -> None:
    status = _status(process.pid)
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert os.getuid() or status["CapBnd"] == "0" * 16
    assert (status["NoNewPrivs"], status["Seccomp"], status["Threads"]) == ("1", "2", "1")


def test_it_leads_a_session_of_its_own(process: Process) -> None:
    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
    assert os.getsid(process.pid) != os.getsid(process.sandbox.process.pid) != os.getsid(0)


def test_the_kernel_limits_it(process: Process) -> None:
    def limits(of: int) -> tuple[int, int]:
        return resource.prlimit(process.pid, of)

    assert limits(resource.RLIMIT_NPROC) == (0, 0)
    assert limits(resource.RLIMIT_FSIZE) == (0, 0)
    assert limits(resource.RLIMIT_CORE) == (0, 0)
    assert limits(resource.RLIMIT_NOFILE) == (2, 2)
    soft, hard = limits(resource.RLIMIT_AS)
    assert soft == hard < (1 << 30)
    assert Path(f"/proc/{process.pid}/oom_score_adj").read_text() == "1000\n"


def test_others_cannot_read_it(process: Process) -> None:
    """Not even those of the same user: its files in /proc belong to root."""
    assert Path(f"/proc/{process.pid}/mem").stat().st_uid == 0
    if os.getuid():
        with pytest.raises(PermissionError):
            Path(f"/proc/{process.pid}/maps").read_text()


def test_it_has_no_memory_to_write_code_into_or_to_share(process: Process) -> None:
    try:
        maps = Path(f"/proc/{process.pid}/maps").read_text()
    except PermissionError:
        pytest.skip("only root sees the memory of a program")
    rights = {line.split()[1] for line in maps.splitlines()}
    assert rights
    assert not {right for right in rights if "w" in right and "x" in right}
    assert not {right for right in rights if "w" in right and "s" in right}


def test_it_ends_with_the_fork_server_that_started_it(process: Process) -> None:
    assert process.pid in children(process.sandbox.process.pid)


def test_the_kernel_refuses_all_calls_but_those_that_are_allowed() -> None:
    """The filter is at work: each other call fails before the kernel looks at its arguments."""
    there = numbers()
    allowed = {there[name] for name in (*ALWAYS, *SOMETIMES) if name in there} | PASSED_BY
    body = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
reached = []
for number in view:
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    if result != -1 or ctypes.get_errno() != 1:
        reached.append([number, result, ctypes.get_errno()])
return reached
"""
    sandbox = Sandbox(Locks(landlock=False), modules=["ctypes"])
    process = seated(sandbox, player(body))
    tried = [number for number in range(600) if number not in allowed]
    assert turn(process, tried).move == [[there["clone3"], -1, 38]]
    process.close()
    sandbox.close()


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[Sandbox]:
    """Under Landlock alone."""
    opened = Sandbox(Locks(seccomp=False), modules=["socket", "encodings.idna"])
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("body", "since"),
    [
        ("os.close(0); return open(CANARY).read()", 1),
        ("os.close(0); return os.listdir('/')", 1),
        ("os.close(0); return open('/proc/self/environ').read()", 1),
        ("os.unlink(CANARY)", 1),
        ("os.mkdir(CANARY + '2')", 1),
        ("os.symlink(CANARY, CANARY + '2')", 1),
        ("os.rename(CANARY, CANARY + '2')", 1),
        ("os.truncate(CANARY, 0)", 3),
        ("os.close(0); socket.socket().connect(('127.0.0.1', 9))", 4),
        ("os.close(0); socket.socket().bind(('127.0.0.1', 0))", 4),
        ("os.kill(ASKER, 0)", 6),
    ],
)
def test_landlock_holds_alone(unfiltered: Sandbox, tmp_path: Path, body: str, since: int) -> None:
    """The second lock, should the first one ever have a gap."""
    if landlock.version() < since:
        pytest.skip(f"this needs version {since} of Landlock")
    canary = tmp_path / "canary"
    canary.write_text("canary")
    before = f"import os, socket\nCANARY, ASKER = {str(canary)!r}, {os.getpid()}"
    cause, words = end_of(unfiltered, player(body, before))
    assert (cause, words.partition(":")[0]) == ("crash", "PermissionError")
    assert [file.name for file in tmp_path.iterdir()] == ["canary"]
    assert canary.read_text() == "canary"


def test_the_fork_server_has_descriptors_of_low_numbers_only() -> None:
    """Up to a number its children close all of theirs; here a socket has a high one."""
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(300)]
    try:
        sandbox = Sandbox()
        assert sandbox.control.fileno() > 300
        there = Path(f"/proc/{sandbox.process.pid}/fd")
        assert max(int(file.name) for file in there.iterdir()) < 20
        sandbox.close()
    finally:
        for descriptor in held:
            os.close(descriptor)


@pytest.mark.parametrize("body", ["from timeit import default_timer", "signal.alarm(9)"])
def test_clocks_under_other_names_are_recognised(sandbox: Sandbox, body: str) -> None:
    process = sandbox.start()
    assert load(process, player(body, "import signal")).uses
    assert not load(process, player("signal.SIGALRM", "import signal")).uses
    process.close()


def test_loading_says_nothing_of_the_machine(sandbox: Sandbox) -> None:
    process = sandbox.start()
    said = load(process, player("import time; return time.time()"))
    assert (said.has_player, said.uses) == (True, ["time"])
    assert (said.move, said.crash, said.fault, said.line) == (None, "", "", None)
    process.close()
