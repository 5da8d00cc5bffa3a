"""A chat completions server on loopback that answers calls at once, or after a fixed time, and
costs next to nothing itself.  It may refuse calls beyond a number at once.
"""

from __future__ import annotations

import asyncio
import json
import sys
from math import inf

CONTENT = "Let me think.\n```\n......\n......\n##....\n##....\n......\n......\n```"
USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
CHOICE = {"index": 0, "message": {"role": "assistant", "content": CONTENT}, "finish_reason": "stop"}
BODY = json.dumps(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "any",
        "choices": [CHOICE],
        "usage": USAGE,
    }
).encode()
HEAD = b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
ANSWER = HEAD % (b"200 OK", len(BODY)) + BODY
REFUSAL = HEAD % (b"429 Too Many Requests", 2) + b"{}"
NO_PAGE = HEAD % (b"404 Not Found", 2) + b"{}"
LIFETIME = 600  # seconds, then it ends by itself


class Load:
    """The calls of all connections."""

    def __init__(self, latency: float, takes: float) -> None:
        self.latency, self.takes, self.in_flight = latency, takes, 0

    def answer(self, transport: asyncio.Transport) -> None:
        if self.in_flight >= self.takes:
            transport.write(REFUSAL)
            return
        self.in_flight += 1
        asyncio.get_running_loop().call_later(self.latency, self._end, transport)

    def _end(self, transport: asyncio.Transport) -> None:
        self.in_flight -= 1
        transport.write(ANSWER)


class Answering(asyncio.Protocol):
    """One connection: every call that is whole gets the answer, and no other page is there."""

    def __init__(self, load: Load) -> None:
        self.load, self.received = load, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self._end_of_request()) is not None:
            if self.received.startswith(b"POST"):
                self.load.answer(self.transport)
            else:
                self.transport.write(NO_PAGE)
            self.received = self.received[end:]

    def _end_of_request(self) -> int | None:
        head, gap, body = self.received.partition(b"\r\n\r\n")
        if not gap:
            return None
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        return len(head) + 4 + length if len(body) >= length else None


async def main(latency: float, takes: float = inf) -> None:
    load = Load(latency, takes)
    server = await asyncio.get_running_loop().create_server(
        lambda: Answering(load), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(LIFETIME)


if __name__ == "__main__":
    asyncio.run(main(*map(float, sys.argv[1:])))
