"""Lines a person types, awaited without a thread, so that Ctrl-C and clocks can interrupt."""

from __future__ import annotations

import asyncio
import os
import sys

CHUNK = 65_536  # bytes read at a time


class Keyboard:
    """Standard input line by line; input beyond a line is kept for the next one."""

    def __init__(self) -> None:
        self.typed = bytearray()
        self.turns = asyncio.Lock()  # people who move simultaneously type one after the other

    async def ask(self, prompt: str) -> str:
        """The next line; EOFError at the end of the input."""
        async with self.turns:
            print(prompt, end="", flush=True)
            while b"\n" not in self.typed and (chunk := await _chunk()):
                self.typed += chunk
            line, end, rest = self.typed.partition(b"\n")
            if not line and not end:
                raise EOFError
            self.typed = rest
            return line.decode("utf-8", errors="replace").removesuffix("\r")


KEYBOARD = Keyboard()  # shared, so that buffered lines are not lost


async def _chunk() -> bytes:
    """Bytes of standard input as soon as there are any; b"" at its end or if it is closed."""
    try:
        descriptor = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # no standard input, or a closed one
        return b""
    try:
        await _readable(descriptor)
        return os.read(descriptor, CHUNK)
    except NotImplementedError:  # this system's event loop cannot watch files
        return await asyncio.to_thread(os.read, descriptor, CHUNK)
    except BlockingIOError:  # another reader was faster
        return await _chunk()
    except OSError:
        return b""


async def _readable(descriptor: int) -> None:
    """Return when a read would not block; at once for files that cannot be watched."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except OSError:
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
