"""When descriptors, processes or patience run out, programs play on, and others start later."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from programs import another_user
from programs.asking import children, end_of, load, player, seated, soon, turn
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.processes import Process

# Starts programs until there can be no more; then those that are there play on.
UNTIL_NONE = """
import resource, sys
from pathlib import Path
from programs.asking import end_of, player, seated, soon, turn
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
sandbox = Sandbox()
def descriptors(): return len(list(Path("/proc/self/fd").iterdir()))
running, begun = [], descriptors()
limit = {"descriptors": resource.RLIMIT_NOFILE, "processes": resource.RLIMIT_NPROC}[sys.argv[1]]
if sys.argv[1] == "descriptors":
    resource.setrlimit(limit, (int(sys.argv[2]), int(sys.argv[2])))
else:
    resource.prlimit(sandbox.process.pid, limit, (int(sys.argv[2]), int(sys.argv[2])))
failures = 0
while failures < 5:
    try:
        running.append(seated(sandbox, player("return view")))
    except ProgramFailed as failure:
        assert failure.cause == "infrastructure", failure
        failures += 1
assert len(running) >= 2, len(running)
for number, process in enumerate(running):
    assert turn(process, number).move == number
for process in running[:2]:
    process.close()
for _ in range(20):  # each as soon as the last one is gone
    assert soon(lambda: end_of(sandbox, player("return 5")) == ("answer", 5))
for process in running[2:]:
    process.close()
assert descriptors() == begun, (descriptors(), begun)
sandbox.close()
print("went on with", len(running))
"""


@pytest.mark.parametrize("most", range(41, 44))  # so that each step of a start is the one to fail
def test_no_more_descriptors(sandbox: Sandbox, most: int) -> None:
    command = [sys.executable, "-c", UNTIL_NONE, "descriptors", str(most)]
    done = subprocess.run(
        command, env=another_user.environment(), capture_output=True, text=True, check=False
    )
    assert "went on" in done.stdout, done.stderr


NO_SANDBOX = """
import resource
from pathlib import Path
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
def descriptors(): return len(list(Path("/proc/self/fd").iterdir()))
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
begun, failed = descriptors(), 0
for most in range(begun - 1, 30):
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        Sandbox().close()
        break
    except ProgramFailed as failure:
        assert failure.cause == "infrastructure", failure
        failed += 1
resource.setrlimit(resource.RLIMIT_NOFILE, (99, hard))
assert descriptors() == begun, (descriptors(), begun)
print("failed", failed)
"""


@pytest.mark.skipif(sys.version_info < (3, 11, 4), reason="subprocess leaks descriptors: gh-87474")
def test_no_sandbox_without_descriptors(sandbox: Sandbox) -> None:
    """At each number of descriptors too few, opening one fails cleanly."""
    command = [sys.executable, "-W", "error", "-c", NO_SANDBOX]
    done = subprocess.run(
        command, env=another_user.environment(), capture_output=True, text=True, check=False
    )
    assert int(done.stdout.partition("failed ")[2] or 0) >= 4, done.stderr
    assert not done.stderr


def test_no_more_processes(sandbox: Sandbox) -> None:
    """As an ordinary user: root has no such limit."""
    told = another_user.run("-c", UNTIL_NONE, "processes", "12", user=another_user.NOBODY_ELSE)
    assert "went on" in told


def test_high_numbers_of_descriptors() -> None:
    """`select` knows no numbers from 1,024 on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1400:
        pytest.skip("this machine allows few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1400), hard))
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
    try:
        sandbox = Sandbox()
        assert sandbox.control.fileno() > 1024
        assert end_of(sandbox, player("return 1")) == ("answer", 1)
        assert end_of(sandbox, player("import os; os._exit(0)")) == ("crash", "it ended by itself")
        sandbox.close()
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_fork_server_that_answers_late_confuses_nobody() -> None:
    sandbox = Sandbox()
    sandbox.control.settimeout(0.2)
    os.kill(sandbox.process.pid, signal.SIGSTOP)
    for _ in range(3):
        with pytest.raises(ProgramFailed) as ended:
            sandbox.start()
        assert ended.value.cause == "infrastructure"
    sandbox.control.settimeout(60)
    os.kill(sandbox.process.pid, signal.SIGCONT)
    running = [seated(sandbox, player("return view")) for _ in range(2)]
    for number, process in enumerate(running):
        assert turn(process, number).move == number
    # The three that nobody wanted have ended, and how is not kept.
    assert soon(lambda: children(sandbox.process.pid) == {process.pid for process in running})
    assert end_of(sandbox, player("import os; os._exit(0)")) == ("crash", "it ended by itself")
    assert not sandbox.ended
    for process in running:
        process.close()
    sandbox.close()


def test_signals_that_are_blocked_here_are_not_blocked_there() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGALRM})
    try:
        sandbox = Sandbox()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert end_of(sandbox, player("import os; os._exit(0)")) == ("crash", "it ended by itself")
    sandbox.close()


@pytest.mark.heavy
def test_nobody_listens_while_many_programs_end() -> None:
    """More messages than a socket holds wait for the parent; then it starts another program."""
    sandbox = Sandbox()
    for _ in range(3):
        running = [sandbox.start() for _ in range(400)]
        for process in running:
            process.close()
        assert end_of(sandbox, player("return 1")) == ("answer", 1)
    assert soon(lambda: not children(sandbox.process.pid))
    sandbox.close()


def _next_id(pid: int) -> bool:
    """Let the next process have this id, if the machine allows that."""
    try:
        Path("/proc/sys/kernel/ns_last_pid").write_text(str(pid - 1))
    except OSError:
        return False
    return True


def _started_as(sandbox: Sandbox, pid: int) -> Process:
    for _ in range(300):
        if not _next_id(pid):
            pytest.skip("the next id of a process cannot be set here")
        process = sandbox.start()
        if process.pid == pid:
            return process
        process.close()
    pytest.skip("other processes always come in between")


def test_an_id_that_returns_brings_nothing_of_its_first_process(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("import os; os._exit(0)"))
    pid = process.pid
    for _ in range(3):
        with pytest.raises(ProgramFailed) as ended:
            turn(process)
        assert (ended.value.cause, ended.value.words) == ("crash", "it ended by itself")
        process.close()
        assert soon(lambda: not children(sandbox.process.pid))
        process = _started_as(sandbox, pid)
        process.clock.start(20)
        load(process, player("import os; os._exit(0)"))
        process.ask(b'{"luck": ""')
    process.close()


def test_each_has_only_the_descriptors_that_it_needs(sandbox: Sandbox) -> None:
    """The fork server keeps no pipe of a program, and a program has nothing but its pipes."""
    process = seated(sandbox, player("return 1"))
    server = Path(f"/proc/{sandbox.process.pid}/fd")
    inside = Path(f"/proc/{process.pid}/fd")
    try:
        ours = {Path(f"/proc/self/fd/{end}").readlink() for end in (process.read, process.write)}
        assert {link.readlink() for link in inside.iterdir()} == ours
        assert not ours & {link.readlink() for link in server.iterdir()}
    except PermissionError:
        pytest.skip("only root sees the open files of a program")
    finally:
        process.close()
