"""The sandbox of WebAssembly: what a program can do there, and how it ends, is as on Linux.

Heavy, since Python is translated first, which takes minutes where it has not been done.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs.asking import (
    Ask,
    blocking,
    children,
    computed,
    end_of,
    load,
    player,
    seated,
    soon,
    state,
    take_seat,
    turn,
    waiting,
)
from programs.attempts import ATTEMPTS
from programs.attempts.attempt import ESCAPED
from programs.test_other_systems import elsewhere
from programs.test_statuses import ENDS
from programs.try_attempts import MODULES, try_one
from programs.world import SECRET, World
from quandary.cli.main import main
from quandary.programs import levels, pool
from quandary.programs.failures import ProgramFailed
from quandary.programs.levels import Finding, found
from quandary.programs.wasm.sandbox import (
    COMPILING,
    WasmSandbox,
    compiled_file,
    reason_missing,
)

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(bool(reason_missing()), reason=reason_missing()),
]
both = pytest.mark.parametrize("ask", [blocking, waiting])
MEMORY = 64 << 20
BY_WASM = Finding("wasm", "not here", 0, "of this test", "installed")
DOOR = "import sys; door = sys.modules['_host'].call\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[WasmSandbox]:
    opened = WasmSandbox(MEMORY)
    yield opened
    opened.close()


# Ends whose words are not those of Linux.
OTHER_WORDS = {"segmentation fault": "it was ended by WebAssembly: "}


@both
@pytest.mark.parametrize("name", ENDS)
def test_each_end_has_the_status_that_it_has_on_linux(
    sandbox: WasmSandbox, name: str, ask: Ask
) -> None:
    program, cause, said = ENDS[name]
    ended, words = end_of(sandbox, program, ask=ask)
    assert ended == cause, words
    assert (words == said) if cause == "answer" else (OTHER_WORDS.get(name, said) in words)


@both
@pytest.mark.parametrize("body", ["while True: pass", "import time; time.sleep(10**6)"])
def test_time_runs_out(sandbox: WasmSandbox, body: str, ask: Ask) -> None:
    assert end_of(sandbox, player(body), seconds=0.5, ask=ask) == ("timeout", "more than 0.5 s")


def test_the_time_of_several_turns_is_added_up(sandbox: WasmSandbox) -> None:
    body = "import time; time.sleep(0.3)"
    assert end_of(sandbox, player(body), turns=2, seconds=2.0)[0] == "answer"
    assert end_of(sandbox, player(body), turns=9, seconds=2.0)[0] == "timeout"


def test_a_program_that_waits_for_its_turn_uses_no_time(sandbox: WasmSandbox) -> None:
    process = seated(sandbox, player("return 1"))
    try:
        turn(process)
        before = computed(process)
        os.sched_yield()
        assert not soon(lambda: computed(process) > before + 0.2, seconds=2.0)
    finally:
        process.close()


def test_a_new_match_has_all_of_its_time(sandbox: WasmSandbox) -> None:
    process = seated(sandbox, player("import time; time.sleep(0.6)"), seconds=1.0)
    try:
        for _ in range(3):
            turn(process)
            process.clock.start(1.0)
            take_seat(process)
        turn(process)
        with pytest.raises(ProgramFailed, match="more than 1 s"):
            turn(process)
    finally:
        process.close()


def test_memory_is_believed_only_if_it_was_used(sandbox: WasmSandbox) -> None:
    assert end_of(sandbox, player("raise MemoryError"))[0] == "crash"
    assert end_of(sandbox, player("k = 'x' * (40 << 20); raise MemoryError"))[0] == "memory"
    assert end_of(sandbox, player("d = {}\nwhile True: d[len(d)] = 0"))[0] == "memory"


def test_deep_recursion_is_an_error_of_the_program(sandbox: WasmSandbox) -> None:
    for body in (
        "def f(): f()\nf()",
        "import json; json.loads('[' * 10**5)",
        "x = []\nfor _ in range(10**5): x = [x]\nrepr(x)",
    ):
        ended, words = end_of(sandbox, player(body))
        assert (ended, words[:14]) == ("crash", "RecursionError")
    assert end_of(sandbox, "x = " + "-" * 10**5 + "1")[0] in ("syntax", "crash")


LIES = [
    b"",
    b"x",
    b"\n",
    b"r",
    b"r\n\n",
    b'r{"number": 3, "crash": "MemoryError"}\n',
    b'r{"number": 3, "fault": "the sandbox could not be built", "crash": "x"}\n',
    b'r{"number": 3, "syntax": "x"}\n{"number": 3, "move": 1}\n',
    b'r{"number": 4, "move": "early"}\n',
    b'r{"number": 3, "status": "infrastructure"}\n',
    b"s",
    b"snan",
    b"s-1",
]


@pytest.mark.parametrize("lie", LIES)
def test_nothing_that_goes_through_the_door_brings_another_status(
    sandbox: WasmSandbox, lie: bytes
) -> None:
    ended, words = end_of(sandbox, player(f"{DOOR}door({lie!r}); raise ValueError('own')"))
    assert ended == "crash", words


def test_a_forged_reply_is_just_a_move(sandbox: WasmSandbox) -> None:
    reply = b'r{"number": 3, "move": "forged"}\n'
    assert end_of(sandbox, player(f"{DOOR}door({reply!r})")) == ("answer", "forged")


def test_no_reply_through_the_door_is_too_long(sandbox: WasmSandbox) -> None:
    assert end_of(sandbox, player(f"{DOOR}door(b'r' * (40 << 20))"))[0] == "flood"


def test_a_long_sleep_that_is_forged_is_charged(sandbox: WasmSandbox) -> None:
    body = f"{DOOR}door(b's1e300')"
    assert end_of(sandbox, player(body), seconds=0.5)[0] == "timeout"


@pytest.mark.parametrize("number", [0, 1, 70, 137])
def test_no_exit_status_brings_another_status(sandbox: WasmSandbox, number: int) -> None:
    program = player("pass", f"import os; os._exit({number})")
    assert end_of(sandbox, program) == ("crash", "it ended by itself")


def test_whoever_ends_a_process_from_outside_is_named(sandbox: WasmSandbox) -> None:
    """It is no fault of the program, so the match is played again."""
    process = seated(sandbox, player("return 1"))
    try:
        os.kill(process.pid, signal.SIGKILL)
        assert soon(lambda: state(process.pid) == "Z")
        with pytest.raises(ProgramFailed) as ended:
            turn(process)
        assert ended.value.cause == "infrastructure"
    finally:
        process.close()


def test_a_program_may_be_given_up_while_it_thinks(sandbox: WasmSandbox) -> None:
    async def given_up() -> object:
        slow = asyncio.create_task(processes[0].ask_async(b'{"view": 1'))
        await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        processes[0].close()
        processes.append(seated(sandbox, player("return 2")))
        return (await processes[1].ask_async(b'{"view": 1')).move

    processes = [seated(sandbox, player("while True: pass"))]
    assert asyncio.run(given_up()) == 2
    processes[1].close()


@both
def test_long_requests_and_replies(sandbox: WasmSandbox, ask: Ask) -> None:
    process = seated(sandbox, player("return view[::-1]"), ask=ask)
    for length in (1, 1 << 16, (1 << 20) - 99):
        view = "a" + "b" * length
        assert turn(process, view, ask).move == view[::-1]
    process.close()


def test_all_declared_modules_are_there(sandbox: WasmSandbox) -> None:
    body = f"for name in {levels.wasm.MODULES!r}: __import__(name)"
    assert end_of(sandbox, player(body)) == ("answer", None)


def test_a_program_plays_alike_in_each_process(sandbox: WasmSandbox) -> None:
    body = """
import random
return [hash("a"), hash((1, "b")), list({str(n) for n in range(99)}), hash(None), random.random()]
"""
    first, second = (end_of(sandbox, player(body)) for _ in range(2))
    assert first == second
    assert first[0] == "answer"


def test_luck_is_that_of_linux(sandbox: WasmSandbox) -> None:
    body = """
import random
return [random.random(), random.randrange(10**9), random.sample(range(99), 9), random.gauss(0, 1)]
"""
    from quandary.programs.host import Sandbox

    on_linux = Sandbox()
    try:
        assert end_of(sandbox, player(body)) == end_of(on_linux, player(body))
    finally:
        on_linux.close()


# What attempts find in the guest is the guest's own.
ITS_OWN = {
    "files: getcwd": "ESCAPED /",  # where it sees nothing
    "files: chmod": "ESCAPED",  # there are no rights of files, so it does nothing
    "network: name of the machine": "ESCAPED (none)",
    "memory: descriptors": "ESCAPED [2, 3]",  # a closed stream, and its library
    "memory: secrets in memory": "ESCAPED",  # the name that the program itself looks for
    "protocol: read ahead": "ESCAPED b''",  # its standard input, which is empty
    "clocks: clocks of neighbours": "ESCAPED 1",  # the time of day
}


def test_no_attempt_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some end earlier than on Linux, because what they need is not in the guest."""
    monkeypatch.setenv(SECRET, "secret")
    world, sandbox = World(), WasmSandbox(MEMORY, MODULES)
    wrong = []
    try:
        for name, attempt in ATTEMPTS.items():
            cause, words = try_one(sandbox, attempt.program(world.places))
            harm = world.harm()
            has_escaped = ESCAPED in words and not words.startswith(ITS_OWN.get(name, "-"))
            if has_escaped or harm or cause == "infrastructure":
                wrong.append(f"{name}: {cause}, {words}, {harm}")
    finally:
        sandbox.close()
        world.close()
    assert not wrong


FILES = """
import os
def reached(path):
    try: os.stat(path)
    except OSError: return ""
    return path
return [*filter(None, map(reached, P))], dict(os.environ), os.listdir("/usr/local/lib")
"""


def test_a_guest_sees_its_library_alone_and_no_environment(
    sandbox: WasmSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "secret")
    (tmp_path / "canary").write_text("canary")
    there = ["/", "/proc", "/usr", ".", "..", str(tmp_path), str(tmp_path / "canary")]
    up = ["/usr/local/lib/../../../" + str(tmp_path / "canary"), "/usr/local/lib/.."]
    program = player(FILES, f"P = {[*there, *up, str(compiled_file())]!r}")
    ended, (reached, environment, listed) = end_of(sandbox, program)
    assert (ended, reached, environment) == ("answer", [], {"PYTHONHASHSEED": "0"})
    assert "python-stdlib.zip" in listed
    for attempt in ("open('/usr/local/lib/new', 'w')", "os.remove('/usr/local/lib/MANIFEST')"):
        ended, words = end_of(sandbox, player(f"import os; {attempt}"))
        assert (ended, words[:15]) == ("crash", "PermissionError")


PARENT = """
import sys
from quandary.programs.wasm.sandbox import WasmSandbox
sandbox = WasmSandbox()
processes = [sandbox.start() for _ in range(2)]
print(*(process.pid for process in processes), flush=True)
processes[0].ask(b'{"load": "class Player:\\\\n def __init__(self):\\\\n  while True: pass"')
processes[0].ask(b'{"luck": ""')
"""


def test_a_killed_parent_leaves_no_process() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    assert parent.stdout
    started = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(started) == 2
    assert soon(lambda: Path(f"/proc/{started[0]}/stat").read_text().split()[2] == "S")
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert soon(lambda: not any(map(state, started)))


def test_programs_leave_no_process_file_or_descriptor(
    sandbox: WasmSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    kept = {*compiled_file().parent.iterdir()}
    before, open_files = children(os.getpid()), len([*Path("/proc/self/fd").iterdir()])
    for body in ("return 1", "while True: pass", "import os; os._exit(0)", "return 'x' * 2**21"):
        end_of(sandbox, player(body), seconds=0.5)
    running = WasmSandbox(MEMORY)
    seated(running, player("return 1"))
    running.close()
    assert children(os.getpid()) == before
    assert len([*Path("/proc/self/fd").iterdir()]) == open_files
    assert {*compiled_file().parent.iterdir()} == kept
    assert not [*tmp_path.iterdir()]


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before minutes are spent."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr(levels, "sleep", lambda seconds: None)
    finding = found.__wrapped__()
    assert finding.level == "none"
    assert "Darwin has no seccomp, and the sandbox does not start: [Errno 20]" in finding.why
    assert capsys.readouterr().err == ""


def test_code_of_another_machine_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """This takes minutes, which is said."""
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path))
    compiled_file().parent.mkdir()
    compiled_file().write_bytes(b"other code")
    sandbox = WasmSandbox()
    assert capsys.readouterr().err == COMPILING + "\n"
    sandbox.start().close()
    assert [*compiled_file().parent.iterdir()] == [compiled_file()]
    WasmSandbox()
    assert capsys.readouterr().err == ""


PROGRAMS = {
    "card_nim/easy#7": player(
        "import random\n"
        "hand = [card for card in view['hands'][view['seat']] if card <= view['stones']]\n"
        "return random.choice(hand)"
    ),
    "islands/easy#1": player("return '\\n'.join(['#' * 6] * 6)"),
}


@pytest.mark.parametrize("spec", PROGRAMS)
def test_records_equal_those_of_linux_but_for_the_level(
    spec: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tried.py").write_text(PROGRAMS[spec])
    monkeypatch.chdir(tmp_path)
    others = ["program/tried.py", "house"] if spec.startswith("card_nim") else []
    records = []
    for finding in (found(), BY_WASM):
        for module in (levels, pool):
            monkeypatch.setattr(module, "found", lambda finding=finding: finding)
        for players in (["program/tried.py", *others[1:]], others[::-1] or ["program/tried.py"]):
            assert main(["match", spec, "--players", *players, "--json"]) == 0
            records.append(json.loads(capsys.readouterr().out))
    assert [record.pop("sandbox") for record in records] == [*[found().level] * 2, *["wasm"] * 2]
    assert records[:2] == records[2:]
    assert all(record["log"] for record in records)


def test_programs_play_on_a_system_without_the_calls_of_linux(tmp_path: Path) -> None:
    (tmp_path / "tried.py").write_text(PROGRAMS["card_nim/easy#7"])
    played = ["--player", "program/tried.py", "--player", "house", "--out", "out", "--seeds", "1"]
    for command in (
        ["match", "card_nim/easy#7", "--players", "program/tried.py", "house"],
        ["run", "--suite", "quick", "--puzzle", "card_nim", *played],
        ["run", "--suite", "quick", "--puzzle", "card_nim", *played, "--player", "random"],
        ["replay", "out"],
    ):
        done = elsewhere(*command, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    records = [
        json.loads(line) for line in (tmp_path / "out/records.jsonl").read_text().splitlines()
    ]
    with_programs = [one for one in records if "program/tried.py" in one["players"]]
    assert {record.get("sandbox") for record in with_programs} == {"wasm"}
    assert not {record["cause"] for record in with_programs} & {"crash", "infrastructure"}


def test_the_level_is_found_by_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    reason = "Darwin has no seccomp"
    assert found.__wrapped__() == Finding("wasm", reason, 0, reason, "installed")


def test_a_loaded_program_runs_no_code(sandbox: WasmSandbox) -> None:
    process = sandbox.start()
    try:
        assert load(process, "import os; os._exit(0)\nclass Player: pass").has_player
        with pytest.raises(ProgramFailed, match="it ended by itself"):
            take_seat(process)
    finally:
        process.close()
