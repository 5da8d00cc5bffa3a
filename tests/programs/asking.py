"""Asking programs, in short."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent
from typing import Any

from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.processes import Process
from quandary.programs.replies import ProgramReply

SECONDS = 20.0  # of processor time, unless a test is about time
Ask = Callable[[Process, bytes], ProgramReply]
# The end of a `play` that never returns, so that signals are handled between turns as well.
ANSWER_ITSELF = """
number = 3
while True:
    os.write(1, b'{"number": %d, "move": 1}\\n' % number)
    os.read(0, 1 << 16)
    number += 1
"""


def blocking(process: Process, request: bytes) -> ProgramReply:
    return process.ask(request)


def waiting(process: Process, request: bytes) -> ProgramReply:
    return asyncio.run(process.ask_async(request))


def player(body: str, before: str = "") -> str:
    """A program that plays by these lines."""
    lines = indent(body.strip("\n"), " " * 8)
    return f"{before}\nclass Player:\n    def play(self, view):\n{lines}\n"


def load(process: Process, program: str, ask: Ask = blocking) -> ProgramReply:
    return ask(process, b'{"load": %s' % json.dumps(program).encode())


def take_seat(process: Process, luck: str = "luck", ask: Ask = blocking) -> ProgramReply:
    return ask(process, b'{"luck": %s' % json.dumps(luck).encode())


def turn(process: Process, view: Any = None, ask: Ask = blocking) -> ProgramReply:
    return ask(process, b'{"view": %s' % json.dumps(view).encode())


def seated(
    sandbox: Sandbox, program: str, seconds: float = SECONDS, ask: Ask = blocking
) -> Process:
    """A process that plays a program; it is closed if that fails."""
    process = sandbox.start()
    try:
        load(process, program, ask)
        process.clock.start(seconds)
        take_seat(process, ask=ask)
    except BaseException:
        process.close()
        raise
    return process


def end_of(
    sandbox: Sandbox, program: str, turns: int = 1, seconds: float = SECONDS, ask: Ask = blocking
) -> tuple[str, Any]:
    """How a program ends within so many turns: `answer` and its last move, or a cause and words."""
    process = None
    try:
        process = seated(sandbox, program, seconds, ask)
        for _ in range(turns):
            said = turn(process, ask=ask)
        return "answer", said.move
    except ProgramFailed as failure:
        return failure.cause, failure.words
    finally:
        if process:
            process.close()


def computed(process: Process) -> float:
    """The seconds for which a process has computed."""
    return time.clock_gettime((~process.pid << 3) | 2)


def state(pid: int) -> str:
    """The letter of a process in /proc; "" if it is not there."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid: int) -> set[int]:
    """The processes that a process has started, and that are there, perhaps as zombies."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if int(file.read_text().rpartition(") ")[2].split()[1]) == pid:
                found.add(int(file.parent.name))
    return found


def soon(condition: Callable[[], object], seconds: float = 30.0) -> bool:
    """Whether something comes true, on a machine that may be very busy."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
