"""How a program ends is found from outside: it cannot choose, whatever it writes."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal

import pytest

from programs.asking import (
    Ask,
    blocking,
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
from quandary.programs import processes
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Locks, Sandbox
from quandary.programs.processes import MOST_BYTES
from quandary.programs.replies import DEEPEST
from quandary.programs.sandbox import fork_server

both = pytest.mark.parametrize("ask", [blocking, waiting])

ENDS = {
    "move": (player("return '3 4'"), "answer", "3 4"),
    "number": (player("return 7"), "answer", 7),
    "data": (player("return {'row': 1, 'words': ['a']}"), "answer", {"row": 1, "words": ["a"]}),
    "printing": (player("print('hm' * 10**6); return 1"), "answer", 1),
    "warning": (player(r"import warnings; warnings.warn('x'); return '\d'"), "answer", "\\d"),
    "caught": (
        player("import traceback\ntry: 1 / 0\nexcept Exception: return traceback.format_exc()[:9]"),
        "answer",
        "Traceback",
    ),
    "no input": (player("return input()"), "crash", "EOFError: "),
    "does not compile": (
        "class Player:\n  def play(\n",
        "syntax",
        "SyntaxError: '(' was never closed (line 2)",
    ),
    "error": (player("return 1 / 0"), "crash", "ZeroDivisionError: division by zero (line 4)"),
    "error of its module": (player("pass", "{}[1]"), "crash", "KeyError: 1 (line 1)"),
    "no Player": ("x = 1", "crash", "KeyError: 'Player'"),
    "no play": ("class Player: pass", "crash", "AttributeError"),
    "undeclared module": (player("import turtle"), "crash", "ModuleNotFoundError: No module named"),
    "module of the sandbox": (player("import ctypes"), "crash", "ModuleNotFoundError"),
    "thread": (
        player("import threading; threading.Thread(target=int).start()"),
        "crash",
        "RuntimeError: can't start new thread",
    ),
    "exit": (player("raise SystemExit"), "crash", "SystemExit"),
    "exit at once": (player("import os; os._exit(0)"), "crash", "it ended by itself"),
    "segmentation fault": (
        player("f.__code__ = f.__code__.replace(co_code=bytes([100, 255] * 9)); f()", "def f(): 0"),
        "crash",
        "it was ended by a signal: Segmentation fault",
    ),
    "much memory": (player("k = []\nwhile 1: k.append('x' * 10**6 + str(len(k)))"), "memory", ""),
    "much output": (player("return 'x' * 2**20"), "flood", "a reply of more than 1,048,576 bytes"),
}


@both
@pytest.mark.parametrize("name", ENDS)
def test_each_end_has_its_status(sandbox: Sandbox, name: str, ask: Ask) -> None:
    program, cause, said = ENDS[name]
    ended, words = end_of(sandbox, program, ask=ask)
    assert ended == cause, words
    assert (words == said) if cause == "answer" else (said in words)


@both
def test_a_program_that_leaves_no_memory_for_its_reply_has_run_out(
    sandbox: Sandbox, ask: Ask
) -> None:
    """Though it catches the error.  In WebAssembly, some memory is left, and the reply comes."""
    program = player(
        "while True:\n try: kept.append([])\n except MemoryError: return 1", "kept = []"
    )
    assert end_of(sandbox, program, ask=ask)[0] == "memory"


@both
def test_a_program_that_leaves_no_memory_for_its_next_turn_has_run_out(
    sandbox: Sandbox, ask: Ask
) -> None:
    """There was some for its reply, as it had caught the error."""
    program = player(
        """
kept = []
for size in (1 << 20, 1 << 10):
    try:
        while True: kept.append(bytearray(size))
    except MemoryError: self.kept = kept
return 1
"""
    )
    assert end_of(sandbox, program, turns=3, ask=ask)[0] == "memory"


@pytest.mark.parametrize("levels", [DEEPEST - 1, DEEPEST, 500, 900, 980, 990, 10**5])
@pytest.mark.parametrize("within", [0, 200])
def test_a_value_that_is_nested_too_deeply_is_no_move(
    sandbox: Sandbox, levels: int, within: int
) -> None:
    """However deep the calls already are within which it is read."""

    def called_within(calls: int) -> tuple[str, object]:
        return called_within(calls - 1) if calls else end_of(sandbox, program)

    program = player(f"x = '[' * 999\nfor _ in range({levels}): x = [x]\nreturn x")
    ended, said = called_within(within)
    if levels < DEEPEST:
        assert ended == "answer" and isinstance(said, list)
    else:
        assert ended == "unreadable" or said is None  # the sandbox could not write it


def test_brackets_in_a_text_are_not_nested(sandbox: Sandbox) -> None:
    for text in ("[" * 60_000, '"' + "{" * 60_000, "\\" + "[" * 60_000 + '"\\'):
        assert end_of(sandbox, player(f"return {text!r}")) == ("answer", text)


@both
@pytest.mark.parametrize("body", ["while True: pass", "import time; time.sleep(10**6)"])
def test_time_runs_out(sandbox: Sandbox, body: str, ask: Ask) -> None:
    assert end_of(sandbox, player(body), seconds=0.1, ask=ask)[0] == "timeout"


# What a losing program might write, so that its match is not counted.
LIES = [
    *(
        {key: value}
        for key in ("status", "cause", "kind")
        for value in ("infrastructure", "timeout")
    ),
    *(
        {"crash": words}
        for words in ("MemoryError", "MemoryError: x", "infrastructure", "TimeoutError")
    ),
    {"fault": "the sandbox could not be built"},
    {"fault": "x", "syntax": "x", "crash": "", "move": None},
    {"syntax": "SyntaxError: invalid syntax"},
    {"has_player": False, "uses": ["time"]},
    {"infrastructure": True},
    {"ended": "9 9 999999999"},
]


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_no_line_brings_a_status_that_the_program_chooses(
    sandbox: Sandbox, lie: dict[str, object]
) -> None:
    """With the number of the turn or without, alone, before the reply, or as last words."""
    for number in ({}, {"number": 3}):
        written = f"import os; os.write(1, {(json.dumps(number | lie)).encode()!r} + b'\\n')"
        for ending in ("return 1", "os._exit(70)", "while True: pass"):
            ended, _ = end_of(sandbox, player(f"{written}\n{ending}"), turns=2, seconds=0.1)
            assert ended == "crash" or (ended == "timeout" and "while" in ending)


def test_a_line_that_no_program_has_is_not_recorded(sandbox: Sandbox) -> None:
    lie = b'{"number": 3, "crash": "x", "line": %s}\n' % (b"9" * 4_000)
    ended, words = end_of(sandbox, player(f"import os; os.write(1, {lie!r}); return 1"))
    assert "crash" == ended and len(words) < 100


@pytest.mark.parametrize("number", [0, 1, 70, 127, 137, 255])
def test_no_exit_status_brings_another_status(sandbox: Sandbox, number: int) -> None:
    assert end_of(sandbox, player(f"import os; os._exit({number})"))[0] == "crash"
    assert end_of(sandbox, player("pass", f"import os; os._exit({number})"))[0] == "crash"


@pytest.mark.parametrize("number", [1, 2, 9, 10, 15, 17, 19, 24, 31, 34, 35, 64])
def test_no_signal_that_it_sends_itself_brings_another_status(
    sandbox: Sandbox, number: int
) -> None:
    ways = (
        "os.kill(os.getpid(), {})",
        "signal.raise_signal({})",
        "signal.pthread_kill(__import__('threading').get_ident(), {})",
    )
    for way in ways:
        body = f"import os, signal\nsignal.signal(14, signal.SIG_DFL)\n{way.format(number)}"
        assert end_of(sandbox, player(body)) == (
            "crash",
            "PermissionError: [Errno 1] Operation not permitted (line 6)",
        )


def test_a_forged_reply_is_just_a_move(sandbox: Sandbox) -> None:
    body = """import os; os.write(1, b'{"number": 3, "move": "forged"}\\n'); os.read(0, 9)"""
    assert end_of(sandbox, player(body)) == ("answer", "forged")


def test_a_reply_may_come_in_pieces(sandbox: Sandbox) -> None:
    body = """
import os, time
for byte in b'{"number": 3, "move": "slow"}\\n':
    os.write(1, bytes([byte]))
    time.sleep(0.001)
os.read(0, 9)
"""
    assert end_of(sandbox, player(body)) == ("answer", "slow")


@pytest.mark.parametrize("extra", ["{}", "x", " ", '{"number": 4, "move": "next"}'])
def test_nothing_may_stand_around_a_reply(sandbox: Sandbox, extra: str) -> None:
    reply = '{"number": 3, "move": "x"}'
    for line in (
        f"{extra}\\n{reply}\\n",
        f"{reply}\\n{extra}\\n",
        f"{reply}\\n{extra}",
        f"\\n{reply}\\n",
    ):
        body = f"import os; os.write(1, b'{line}'); os.read(0, 9)"
        ended, words = end_of(sandbox, player(body))
        assert ended == "crash", (line, words)


def test_what_is_written_before_a_turn_is_no_reply_to_it(sandbox: Sandbox) -> None:
    body = """
import os, signal
signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b'{"number": 4, "move": "early"}\\n'))
return "first"
"""
    process = seated(sandbox, player(body))
    try:
        assert turn(process).move == "first"
        os.kill(process.pid, signal.SIGUSR1)
        assert select.select([process.read], [], [], 60)[0]
        with pytest.raises(ProgramFailed, match="without being asked") as ended:
            turn(process)
        assert ended.value.cause == "crash"
    finally:
        process.close()


@pytest.mark.parametrize(("more", "cause"), [(0, "answer"), (1, "flood"), (100, "flood")])
def test_the_longest_reply_is_a_mebibyte(sandbox: Sandbox, more: int, cause: str) -> None:
    rest = len(json.dumps({"number": 3, "move": ""})) + 1
    assert end_of(sandbox, player(f"return 'x' * {MOST_BYTES - rest + more}"))[0] == cause


def test_the_parent_reads_small_pieces_at_a_small_price(sandbox: Sandbox) -> None:
    """No byte is copied again for each byte that follows."""
    body = """
import os
for _ in range(200_000): os.write(1, b' ')
os.write(1, b'{"number": 3, "move": "x"}\\n')
os.read(0, 9)
"""
    process = seated(sandbox, player(body))
    try:
        exchange = process._begin(b'{"view": null')
        received = exchange.received
        while not (said := exchange.whole_reply()):
            pass
        assert exchange.received is received
        assert said.move == "x"
    finally:
        process.close()


def test_words_of_errors_are_short_and_can_be_printed(sandbox: Sandbox) -> None:
    words = [
        player("raise ValueError('\\x1b[2J\\n\\r\\x00\\u202e' + 'x' * 10**5)"),
        player(
            "import os; x = b'x' * 10**5\n"
            'os.write(1, b\'{"number": 3, "crash": "\\\\u001b[2J%b"}\\n\' % x)'
        ),
        player("raise type('\\x1b' + 'X' * 10**5, (Exception,), {})"),
    ]
    for program in words:
        cause, said = end_of(sandbox, program)
        assert cause == "crash"
        assert said.isprintable()
        assert len(said) < 450


def test_the_name_of_a_value_is_short_and_can_be_printed(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("return type('\\x1b' + 'X' * 10**5, (), {})()"))
    try:
        said = turn(process)
        assert said.kind.isprintable()
        assert len(said.kind) < 450
    finally:
        process.close()


def test_memory_is_believed_only_if_it_was_used(sandbox: Sandbox) -> None:
    assert end_of(sandbox, player("raise MemoryError"))[0] == "crash"
    assert end_of(sandbox, player("k = 'x' * (40 << 20); raise MemoryError"))[0] == "memory"
    assert end_of(sandbox, player("d = {}\nwhile True: d[len(d)] = 0"))[0] == "memory"


def test_loading_runs_no_code(sandbox: Sandbox) -> None:
    program = "import os; os._exit(0)\n@os._exit(0)\nclass Player(os._exit(0)): x = os._exit(0)"
    process = sandbox.start()
    try:
        said = load(process, program)
        assert (said.has_player, said.crash, said.move) == (True, "", None)
        with pytest.raises(ProgramFailed, match="it ended by itself"):
            take_seat(process)
    finally:
        process.close()


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, 40]
)
def test_whoever_ends_a_program_from_outside_is_named(sandbox: Sandbox, number: int) -> None:
    """It is no fault of the program, so the match is played again."""
    process = seated(sandbox, player("return 1", "import signal; signal.signal(2, signal.SIG_DFL)"))
    try:
        os.kill(process.pid, number)
        assert soon(lambda: state(process.pid) in ("", "Z"))
        with pytest.raises(ProgramFailed) as ended:
            turn(process)
        assert ended.value.cause == "infrastructure"
    finally:
        process.close()


@both
def test_a_sandbox_that_cannot_be_built_is_no_fault_of_a_program(ask: Ask) -> None:
    sandbox = Sandbox(memory=1 << 80)
    try:
        for _ in range(20):
            process = sandbox.start()
            with pytest.raises(ProgramFailed) as ended:
                load(process, "x = 1", ask)
            process.close()
            assert ended.value.cause == "infrastructure"
            assert "too large" in ended.value.words
    finally:
        sandbox.close()


class NoLock:
    """A filter that the kernel does not take."""

    def lock(self) -> None:
        raise OSError("the kernel takes no filter")


def test_a_lock_that_cannot_be_set_is_told_to_whoever_asks() -> None:
    """No program starts, although the descriptors of the child are closed already."""
    read, theirs = os.pipe()
    child = os.fork()
    if not child:
        settings = fork_server.Settings(1 << 30, NoLock(), None, [])  # type: ignore[arg-type]
        fork_server.become_program(
            [os.open("/dev/null", os.O_RDONLY), theirs], os.getppid(), settings
        )
    os.close(theirs)
    assert json.loads(os.read(read, 999)) == {"fault": "the kernel takes no filter"}
    os.close(read)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == fork_server.FAILED


@both
def test_long_requests_and_replies(sandbox: Sandbox, ask: Ask) -> None:
    """Longer than a pipe holds, in both directions."""
    process = seated(sandbox, player("return view[::-1]"), ask=ask)
    for length in (1, 1 << 16, (1 << 20) - 99):
        view = "a" + "b" * length
        assert turn(process, view, ask).move == view[::-1]
    process.close()


def test_a_program_may_be_given_up_while_it_thinks(sandbox: Sandbox) -> None:
    async def given_up() -> object:
        slow = asyncio.create_task(processes[0].ask_async(b'{"view": 1'))
        await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        processes[0].close()
        processes.append(seated(sandbox, player("return 2")))  # perhaps with the same numbers
        return (await processes[1].ask_async(b'{"view": 1')).move

    processes = [seated(sandbox, player("while True: pass"))]
    assert asyncio.run(given_up()) == 2
    processes[1].close()


@both
def test_a_program_that_can_close_its_pipes_gains_nothing(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The filter does not let it; without the filter it is ended."""
    monkeypatch.setattr(processes, "ENDING", 0.3)
    sandbox = Sandbox(Locks(seccomp=False))
    try:
        for closed in ("os.close(1)", "os.close(0); os.close(1)", "os.dup2(0, 1); os.close(0)"):
            body = f"import os, time; {closed}; time.sleep(10**6)"
            assert end_of(sandbox, player(body), ask=ask) == ("crash", "it closed its pipes")
    finally:
        sandbox.close()
