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
        self.hung_up = False
        self.ready: asyncio.Event | None = None  # while somebody waits for input

    def hang_up(self) -> None:
        """End the input: who asks for a line, or waits for one, gets EOFError."""
        self.hung_up = True
        if self.ready:
            print()  # leave the line of the prompt
            self.ready.set()

    async def ask(self, prompt: str) -> str:
        """Return the next line; EOFError at the end of the input."""
        async with self.turns:
            print(prompt, end="", flush=True)
            while b"\n" not in self.typed and (chunk := await self._chunk()):
                self.typed += chunk
            line, end, rest = self.typed.partition(b"\n")
            if self.hung_up or (not line and not end):
                raise EOFError
            self.typed = rest
            return line.decode("utf-8", errors="replace").removesuffix("\r")

    async def _chunk(self) -> bytes:
        """Return bytes of standard input once there are any; b"" at its end or if it is closed."""
        try:
            descriptor = sys.stdin.fileno()
        except (AttributeError, OSError, ValueError):  # no standard input, or a closed one
            return b""
        try:
            await self._readable(descriptor)
            return b"" if self.hung_up else os.read(descriptor, CHUNK)
        except NotImplementedError:  # this system's event loop cannot watch files
            return await asyncio.to_thread(os.read, descriptor, CHUNK)
        except BlockingIOError:  # another reader was faster
            return await self._chunk()
        except OSError:
            return b""

    async def _readable(self, descriptor: int) -> None:
        """Return when a read would not block; at once for files that cannot be watched."""
        if self.hung_up:
            return
        loop, self.ready = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(descriptor, self.ready.set)
        except OSError:
            return
        try:
            await self.ready.wait()
        finally:
            self.ready = None
            loop.remove_reader(descriptor)


KEYBOARD = Keyboard()  # shared, so that buffered lines are not lost
