"""What runs inside the sandbox: loads a program, seats a fresh player per match, answers turns.

One JSON object per line, in and out.  Every request has a number, which its reply repeats:

    {"load": "class Player: ..."}  ->  {"has_player": true, "uses": ["time"]} or {"syntax": "..."}
    {"luck": "the luck of the seat"}   ->  {} or {"crash": "NameError: ...", "line": 3}
    {"view": {...}}                ->  {"move": ...} or {"crash": "...", "line": 3}

The reply to `load` is sent before any code of the program runs, so it can be believed.
"""

from __future__ import annotations

import builtins
import gc
import json
import operator
import os
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from io import TextIOBase
from types import CodeType, ModuleType
from typing import Any

ENTRY = "Player"  # the class that a program defines
NAME, FILE = "program", "program.py"
READ, WRITTEN = 0, 1  # descriptors
LONGEST_ERROR = 400  # characters
RESERVE = 4 << 20  # bytes that are kept for saying that no memory is left
# Names of what is different in every run: clocks, and luck that is not seeded.
UNREPEATABLE = {
    *("time", "datetime", "perf_counter", "monotonic", "process_time", "thread_time"),
    *("timeit", "default_timer", "setitimer", "getitimer", "alarm"),
    *("getrusage", "times", "urandom", "getrandom", "SystemRandom", "secrets"),
    *("uuid", "uuid1", "uuid4", "default_rng", "RandomState", "SeedSequence"),
    *("getpid", "getppid", "getpgid", "getpgrp", "getsid", "get_native_id"),
}
# Kept here, since a program may change its own modules.
_write, _read, _dumps, _loads, _seed = os.write, os.read, json.dumps, json.loads, random.seed
_collect = gc.collect
_signal: Any = import_module("_signal")  # `signal` makes enumerations, which takes time
_set_timer: Any = getattr(_signal, "setitimer", None)
_set_mask: Any = getattr(_signal, "pthread_sigmask", None)
_handle: Any = _signal.signal
TIMERS = {  # by their signals; there are none in WebAssembly
    getattr(_signal, f"SIG{name}"): getattr(_signal, f"ITIMER_{timer}")
    for name, timer in (("ALRM", "REAL"), ("VTALRM", "VIRTUAL"), ("PROF", "PROF"))
    if hasattr(_signal, "setitimer")
}
# All that can reach a program: its timers, and what wakes it after a rest between two matches.
SIGNALS = {*TIMERS, _signal.SIGCONT} if TIMERS else set[int]()


class Nothing(TextIOBase):
    """Standard streams of a program: nothing to read, and what is printed is dropped."""

    def read(self, size: int | None = -1) -> str:
        return ""

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        return ""

    def write(self, text: str) -> int:
        return len(text)


def main() -> None:
    """Answer requests until there are no more."""
    sys.stdin, sys.stdout, sys.stderr = Nothing(), Nothing(), Nothing()
    hold_signals()
    gc.freeze()  # what is here already is never garbage, and need not be looked at
    program, requests = Program(), Requests()
    reserve = bytes(RESERVE)  # address space alone: a bytearray would touch every page
    number = 0
    while True:
        number += 1  # of the next request, should there be no memory for reading it
        try:
            request = _loads(requests.next())
            number = request["number"]
            try:
                reply = program.answer(request)
            except BaseException as fault:
                reply = {"crash": _in_words(fault, fault), "line": _line_of(fault)}
            _send({"number": number, **reply})
        except MemoryError:
            del reserve
            requests.skip()
            _send({"number": number, "crash": "MemoryError: no memory is left for a reply"})
            _read(READ, 1)  # lives until the parent has seen how much memory it has had
            os._exit(0)


class Program:
    """A program, and its player in the match that is being played."""

    def __init__(self) -> None:
        self.code: CodeType | None = None
        self.player: Any = None
        self.luck, self.turns = "", 0

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if "view" in request:
            self.turns += 1
            seed(f"{self.luck}/{self.turns}")
            handle_signals()
            try:
                return {"move": self.player.play(request["view"])}
            finally:
                hold_signals()
        if "luck" in request:
            self._forget_player()
            self.luck, self.turns = request["luck"], 0
            stop_timers()
            seed(self.luck)
            handle_signals()
            try:
                self.player = self._new_player()
            finally:
                hold_signals()
            return {}
        return self.load(request["load"])

    def load(self, text: str) -> dict[str, Any]:
        """Compile the program, and say what can be seen without running it."""
        try:
            self.code = compile(text, FILE, "exec", dont_inherit=True)
        except SyntaxError as fault:  # whose line is told apart, not once more in its words
            return {"syntax": _in_words(fault, fault.msg), "line": fault.lineno}
        except (ValueError, OverflowError, RecursionError) as fault:
            return {"syntax": _in_words(fault, fault), "line": None}
        except MemoryError:
            return {"syntax": "MemoryError: it is too long, or nested too deeply", "line": None}
        used = {name for code in _codes(self.code) for name in code.co_names}
        return {"has_player": ENTRY in self.code.co_names, "uses": sorted(used & UNREPEATABLE)}

    def _forget_player(self) -> None:
        """Give back the memory of the match before, so that each match may fill all of it."""
        if self.player is not None:
            self.player = None
            sys.modules.pop(NAME, None)
            _collect()

    def _new_player(self) -> Any:
        """Return an object of its class, in a namespace that no other match has seen."""
        module = ModuleType(NAME)
        module.__dict__["__builtins__"] = builtins
        sys.modules[NAME] = module  # where dataclasses and others look for it
        assert self.code is not None
        exec(self.code, module.__dict__)
        return module.__dict__[ENTRY]()


def hold_signals() -> None:
    """Keep signals back while no code of the program runs: what handles them may raise."""
    if SIGNALS:
        _set_mask(_signal.SIG_BLOCK, SIGNALS)


def handle_signals() -> None:
    """Let the program handle signals, those that were kept back first."""
    if SIGNALS:
        _set_mask(_signal.SIG_UNBLOCK, SIGNALS)


def stop_timers() -> None:
    """Stop the timers of the match before, and forget what they were to do."""
    for timer in TIMERS.values():
        _set_timer(timer, 0)
    for number in SIGNALS:
        _handle(number, _signal.SIG_IGN)  # drops one that was kept back
        _handle(number, _signal.SIG_DFL)


def seed(luck: str) -> None:
    """Let `random`, and numpy's if it is there, continue from the luck of a turn."""
    _seed(luck)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(random.getrandbits(32))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a module's code, and that of everything it defines."""
    waiting = [code]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]


def _in_words(fault: BaseException, words: object) -> str:
    """Return the error in one line, even if its `__str__` fails."""
    try:
        line = f"{type(fault).__name__}: {words}".removesuffix(": ")[:LONGEST_ERROR]
        return line.encode("utf-8", "replace").decode()
    except BaseException:
        return type(fault).__name__


def _line_of(fault: BaseException) -> int | None:
    """Return the last line of the program that an error went through."""
    trace, line = fault.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


_index = operator.index  # of the whole numbers of a library


def _send(reply: dict[str, Any]) -> None:
    try:
        data = _dumps(reply, allow_nan=False, ensure_ascii=False, default=_index).encode()
    except MemoryError:
        raise
    except Exception:  # a value that JSON does not have: the parent finds that it is no move
        kind = type(reply.get("move")).__name__
        data = _dumps({"number": reply["number"], "move": None, "kind": kind}).encode()
    data += b"\n"
    while data:
        try:
            data = data[_write(WRITTEN, data) :]
        except BrokenPipeError:
            os._exit(0)


class Requests:
    """What is asked, one line after another; the process ends with the last one."""

    def __init__(self) -> None:
        self.buffer = self.data = b""
        self.is_read = True  # to its end

    def next(self) -> bytes:
        self.is_read = False
        while b"\n" not in self.buffer:
            self._read(1 << 16)
            self.buffer += self.data
        line, _, self.buffer = self.buffer.partition(b"\n")
        self.is_read = True
        return line

    def skip(self) -> None:
        """Read the rest of a request for which there was no memory."""
        self.buffer = b""
        while not self.is_read and not self.data.endswith(b"\n"):
            self._read(1 << 12)

    def _read(self, size: int) -> None:
        self.data = b""
        self.data = _read(READ, size)
        if not self.data:
            os._exit(0)
