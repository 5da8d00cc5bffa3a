"""A chat completions server on loopback that answers at once, or after a fixed time, and costs next
to nothing itself.
"""

from __future__ import annotations

import asyncio
import json
import sys

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
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
    BODY
)
LIFETIME = 600  # seconds, then it ends by itself


class Answering(asyncio.Protocol):
    """One connection: every request that is whole gets the answer."""

    def __init__(self, latency: float) -> None:
        self.latency, self.heard = latency, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.heard += data
        while (end := self._end_of_request()) is not None:
            self.heard = self.heard[end:]
            asyncio.get_running_loop().call_later(self.latency, self.transport.write, HEAD + BODY)

    def _end_of_request(self) -> int | None:
        head, gap, body = self.heard.partition(b"\r\n\r\n")
        if not gap:
            return None
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        return len(head) + 4 + length if len(body) >= length else None


async def main(latency: float) -> None:
    server = await asyncio.get_running_loop().create_server(
        lambda: Answering(latency), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(LIFETIME)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
