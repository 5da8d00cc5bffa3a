"""Programs leave no process, no file and no open descriptor, whoever of them is killed."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep

import pytest

from programs.asking import children, end_of, load, player, seated, soon, state, turn
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.processes import Process

ENDS = [
    player("return 1"),
    player("while True: pass"),
    player("import time; time.sleep(10**6)"),
    player("import os\nwhile True: os.write(1, b'x' * 9999)"),
    player("import os; os._exit(0)"),
    player("k = []\nwhile True: k.append('x' * 10**6 + str(len(k)))"),
    "x = 1",
    "x = (",
]
PARENT = """
import json, os, sys
from quandary.programs.host import Sandbox
programs = json.loads(sys.argv[1])
sandbox = Sandbox(memory=64 << 20)
processes = [sandbox.start() for _ in range(int(sys.argv[2]))]
print(json.dumps([sandbox.process.pid, *(process.pid for process in processes)]), flush=True)
for number, process in enumerate(processes):
    program = programs[number % len(programs)]
    for request in ({"load": program}, {"luck": "x"}, {"view": 1}):
        try:
            process._begin(json.dumps(request).encode()[:-1])
        except Exception:
            break
print("asked", flush=True)
import time; time.sleep(1000)
"""


def _descriptors() -> int:
    gc.collect()  # what earlier tests have left
    return len(list(Path("/proc/self/fd").iterdir()))


def _gone(pids: list[int] | set[int]) -> bool:
    return soon(lambda: all(state(pid) in ("", "Z") for pid in pids))


def test_200_programs_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMPDIR", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    before, ours = _descriptors(), children(os.getpid())
    sandbox = Sandbox()
    (server,) = children(os.getpid()) - ours
    opened = _descriptors()
    running = [sandbox.start() for _ in range(200)]
    assert children(server) == {process.pid for process in running}
    for process in running:
        load(process, "class Player: pass")
    for process in running:
        process.close()
    assert _descriptors() == opened
    assert soon(lambda: not children(server))  # not even a zombie
    sandbox.start().close()
    assert not sandbox.ended
    sandbox.close()
    assert _descriptors() == before
    assert children(os.getpid()) == ours
    assert not [*tmp_path.iterdir()]


def test_programs_that_fail_leave_nothing(sandbox: Sandbox) -> None:
    assert end_of(sandbox, player("return 1"))[0] == "answer"
    before = _descriptors()
    for program in ENDS:
        end_of(sandbox, program, turns=2, seconds=0.1)
    assert _descriptors() == before
    assert soon(lambda: not children(sandbox.process.pid))
    end_of(sandbox, player("return 1"))
    assert soon(lambda: not children(sandbox.process.pid))
    sandbox.how_ended(0, 0.2)  # hear what there is to hear
    assert not sandbox.ended
    assert not sandbox.forgotten


def test_closing_twice_closes_nothing_else(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("return 1"))
    process.close()
    others = os.pipe()
    process.close()
    os.write(others[1], b"x")
    assert os.read(others[0], 1) == b"x"
    for end in others:
        os.close(end)


def _killed_at_random(rng: Random, count: int, whom: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, json.dumps(ENDS), str(count)],
        stdout=subprocess.PIPE,
    )
    assert parent.stdout
    server, *programs = json.loads(parent.stdout.readline())
    try:
        sleep(rng.choice([0, 0, rng.random() * 0.3]))
        match whom:
            case "parent":
                os.kill(parent.pid, signal.SIGKILL)
                assert _gone({server, *programs})
            case "fork server":
                os.kill(server, signal.SIGKILL)
                assert _gone({*programs})
            case "program":
                for pid in rng.sample(programs, count // 2):
                    with suppress(ProcessLookupError):  # some end by themselves
                        os.kill(pid, signal.SIGKILL)
                assert parent.poll() is None
                assert state(server) not in ("", "Z")
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    assert _gone({server, *programs})


@pytest.mark.parametrize("whom", ["parent", "fork server", "program"])
def test_whoever_is_killed_leaves_nothing(sandbox: Sandbox, whom: str) -> None:
    _killed_at_random(Random(whom), 16, whom)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("whom", ["parent", "fork server", "program"])
def test_whoever_is_killed_whenever_leaves_nothing(sandbox: Sandbox, whom: str, seed: int) -> None:
    _killed_at_random(Random(f"{whom}/{seed}"), 40, whom)


@pytest.mark.heavy
def test_a_fork_server_that_is_killed_while_it_starts_programs_leaves_none() -> None:
    """A child may not yet know that it must end with its parent."""
    for number in range(40):
        sandbox, running = Sandbox(), list[Process]()
        killer = os.fork()
        if not killer:
            sleep(0.02 + number * 0.002)
            os.kill(sandbox.process.pid, signal.SIGKILL)
            os._exit(0)
        cause = ""
        while not cause:
            try:
                running.append(sandbox.start())
            except ProgramFailed as failure:
                cause = failure.cause
        assert cause == "infrastructure"
        os.waitpid(killer, 0)
        assert _gone({process.pid for process in running})
        for process in running:
            process.close()
        sandbox.close()


def test_a_program_that_is_killed_harms_no_other(sandbox: Sandbox) -> None:
    running = [seated(sandbox, player("return view")) for _ in range(8)]
    for process in running[::2]:
        os.kill(process.pid, signal.SIGKILL)
    for number, process in enumerate(running):
        if number % 2:
            assert turn(process, number).move == number
        else:
            with pytest.raises(ProgramFailed) as ended:
                turn(process)
            assert ended.value.cause == "infrastructure"
        process.close()


def test_a_fork_server_that_is_killed_is_no_fault_of_a_program() -> None:
    before = _descriptors()
    sandbox = Sandbox()
    running = [seated(sandbox, player("return 1")) for _ in range(3)]
    sandbox.process.kill()
    assert _gone({process.pid for process in running})
    for process in running:
        with pytest.raises(ProgramFailed) as ended:
            turn(process)
        assert ended.value.cause == "infrastructure"
        process.close()
    for _ in range(2):
        with pytest.raises(ProgramFailed) as ended:
            sandbox.start()
        assert ended.value.cause == "infrastructure"
    sandbox.close()
    sandbox.close()
    assert _descriptors() == before


def test_a_sandbox_that_is_closed_is_no_fault_of_a_program() -> None:
    before = _descriptors()
    sandbox = Sandbox()
    running = [seated(sandbox, player("return 1")) for _ in range(3)]
    sandbox.close()
    assert _gone({process.pid for process in running})
    for process in running:
        with pytest.raises(ProgramFailed) as ended:
            turn(process)
        assert ended.value.cause == "infrastructure"
        process.close()
    with pytest.raises(ProgramFailed) as ended:
        sandbox.start()
    assert ended.value.cause == "infrastructure"
    assert _descriptors() == before


@pytest.mark.parametrize(
    "text",
    [
        "raise RuntimeError('no')",
        "import os; os._exit(3)",
        "import os; os.kill(os.getpid(), 9)",
    ],
)
def test_a_sandbox_that_does_not_start_leaves_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.py").write_text(text)
    before, ours = _descriptors(), children(os.getpid())
    with pytest.raises((ProgramFailed, ModuleNotFoundError)):
        Sandbox(modules=["broken"], folders=[str(tmp_path)])
    assert _descriptors() == before
    assert children(os.getpid()) == ours


def test_many_modules_may_be_missing() -> None:
    names = [f"there_is_no_such_module_{number}" for number in range(300)]
    before = _descriptors()
    with pytest.raises(ModuleNotFoundError, match=r"_0, .* others cannot be imported"):
        Sandbox(modules=names)
    assert _descriptors() == before
