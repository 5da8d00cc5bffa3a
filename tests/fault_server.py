"""A chat completions server on loopback that goes wrong as often and in such ways as it is told.

    async with fault_server({"broken": 0.1, "reset": 0.1}) as server:
        provider = HttpProvider("m", server.address, timeout=1)

Every error repeats the key it was sent, as rude servers do.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def last_line(body: Mapping[str, Any]) -> str:
    """The last line of what was asked, so that answers can be told apart."""
    content = body["messages"][-1]["content"]
    if isinstance(content, list):
        content = "\n".join(part["text"] for part in content if part["type"] == "text")
    return str(content).rstrip().rpartition("\n")[2]


@dataclass
class FaultServer:
    """What such a server is told, and what it has seen; calls are known by a digest of their
    bodies.
    """

    shares: Mapping[str, float]
    seed: int = 0
    speak: Callable[[Mapping[str, Any]], str] = last_line
    reason: Callable[[str], str] = lambda text: "stop"  # why a reply ended
    latency: float = 0.0  # seconds before a right answer
    slow: float = 0.5  # seconds before the headers of a slow one
    wait: str = "0.05"  # what it asks for in Retry-After
    address: str = ""
    bodies: dict[str, bytes] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(
        default_factory=Counter
    )  # calls with a completely sent right answer
    faults: Counter[str] = field(default_factory=Counter)
    needless: int = 0  # calls that came although their answer had been sent whole before

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        digest = sha256(body).hexdigest()
        self.bodies[digest] = body
        self.calls[digest] += 1
        self.needless += self.whole[digest] > 0
        fault = self.fault_of(digest)
        if fault:
            self.faults[fault] += 1
            return await FAULTS[fault](self, request, body)
        await asyncio.sleep(self.latency)
        return await self.answer(request, body)

    def fault_of(self, digest: str) -> str:
        """What goes wrong with this call, by the seed and the call itself, whatever else is under
        way; "" for nothing.
        """
        draw = Random(f"{self.seed}/{digest}/{self.calls[digest]}").random()
        for fault, share in self.shares.items():
            if draw < share:
                return fault
            draw -= share
        return ""

    async def answer(self, request: web.Request, body: bytes) -> web.StreamResponse:
        response = web.Response(body=self.completion(body), content_type="application/json")
        if _gone(request):
            return response
        await response.prepare(request)
        await response.write_eof()
        self.whole[sha256(body).hexdigest()] += 1
        return response

    def completion(self, body: bytes) -> bytes:
        asked = json.loads(body)
        text = self.speak(asked)
        choices = [
            {
                "index": index,
                "message": {"role": "assistant", "content": text},
                "finish_reason": self.reason(text),
            }
            for index in range(asked.get("n", 1))
        ]
        read, written = len(body) // 4, len(choices) * max(1, len(text) // 4)
        usage = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        }
        return json.dumps(
            {
                "object": "chat.completion",
                "model": asked["model"],
                "choices": choices,
                "usage": usage,
            }
        ).encode()


@asynccontextmanager
async def serving(
    handler: Handler, pages: Mapping[str, Handler] | None = None
) -> AsyncIterator[str]:
    """The address of a server in which `handler` answers every call, and others answer pages."""
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", handler)
    for path, page in (pages or {}).items():
        app.router.add_get(path, page)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.01)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}/v1"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def fault_server(
    shares: Mapping[str, float] | None = None, **settings: Any
) -> AsyncIterator[FaultServer]:
    """A server with faults in these shares of all calls; see FAULTS for their names."""
    server = FaultServer(shares or {}, **settings)
    async with serving(server.handle) as server.address:
        yield server


def _gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _error(request: web.Request, status: int, **headers: str) -> web.Response:
    message = f"no luck with {request.headers.get('Authorization')}"
    return web.json_response(
        {"error": {"message": message, "type": "server_error"}}, status=status, headers=headers
    )


async def _busy(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    return _error(request, 429, **{"Retry-After": server.wait})


async def _busy_silently(
    server: FaultServer, request: web.Request, body: bytes
) -> web.StreamResponse:
    return _error(request, 429)


async def _broken(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    return _error(request, 500)


async def _gateway(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    text = f"<html><h1>Bad Gateway</h1>{request.headers.get('Authorization')}</html>"
    return web.Response(status=502, text=text, content_type="text/html")


async def _slow(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    await asyncio.sleep(server.slow)
    return await server.answer(request, body)


async def _cut(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    reply = server.completion(body)
    response = web.StreamResponse(
        headers={"Content-Type": "application/json", "Content-Length": str(len(reply))}
    )
    await response.prepare(request)
    await response.write(reply[: len(reply) // 2])
    _hang_up(request)
    return response


async def _garbled(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(body=server.completion(body)[:-5], content_type="application/json")


async def _empty(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.json_response({"object": "chat.completion", "choices": []})


async def _mistyped(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(
        text=f"<html>Log in, {request.headers.get('Authorization')}</html>",
        content_type="text/html",
    )


async def _reset(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    if request.transport:
        request.transport.abort()
    return web.Response()


async def _endless(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    with suppress(ConnectionError):
        for _ in range(3_000):  # a minute: endless for all who use it
            if _gone(request):
                break
            await response.write(b" " * 1_000)
            await asyncio.sleep(0.02)
    _hang_up(request)
    return response


def _hang_up(request: web.Request) -> None:
    if request.transport:
        request.transport.close()


FAULTS: Mapping[str, Callable[[FaultServer, web.Request, bytes], Awaitable[web.StreamResponse]]] = {
    "busy": _busy,  # 429 with Retry-After
    "busy silently": _busy_silently,  # 429 without
    "broken": _broken,  # 500
    "gateway": _gateway,  # 502 in HTML
    "slow": _slow,  # headers that take their time
    "cut": _cut,  # less than Content-Length says
    "garbled": _garbled,  # JSON that ends too early
    "empty": _empty,  # no choices
    "mistyped": _mistyped,  # HTML where JSON should be
    "reset": _reset,
    "endless": _endless,  # a body that never ends
}
