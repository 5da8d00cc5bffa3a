"""A real server of the site on loopback, and a client that behaves as a browser does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from quandary.web.server import application, listen
from quandary.web.site import SITE, Options, Site


class Answer(NamedTuple):
    status: int
    text: str
    headers: Any

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Visitor:
    """One browser: it keeps cookies and names the site as the origin of what it sends."""

    def __init__(self, base: str, session: aiohttp.ClientSession) -> None:
        self.base, self.session = base, session

    async def get(self, path: str, **headers: str) -> Answer:
        async with self.session.get(self.base + path, headers=headers) as found:
            return Answer(found.status, await found.text(), found.headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {"Origin": self.base, **headers}
        options: dict[str, Any] = {"json": body} if body is not None else {}
        async with self.session.post(
            self.base + path, headers=sent, allow_redirects=False, **options
        ) as found:
            return Answer(found.status, await found.text(), found.headers)

    async def begin(self, **fields: str) -> str:
        """Start a match; returns the path of the own seat."""
        await self.get("/runs/")  # a page gives the cookie
        async with self.session.post(
            f"{self.base}/matches",
            data=fields,
            headers={"Origin": self.base},
            allow_redirects=False,
        ) as found:
            assert found.status == 303, await found.text()
            return found.headers["Location"]

    async def view(self, seat: str) -> Any:
        found = await self.get(f"{seat}/view")
        assert found.status == 200, found.text
        return found.data

    async def reply(self, seat: str, **body: Any) -> Answer:
        """Reply, and wait until the reply is judged."""
        view = await self.view(seat)
        found = await self.post(f"{seat}/reply", {"turn": view["turn"], **body})
        while found.status == 200 and found.data.get("judging"):
            await asyncio.sleep(0.05)
            found = await self.get(f"{seat}/view")
        return found


class Running(NamedTuple):
    base: str
    site: Site
    visitor: Callable[[], Awaitable[Visitor]]


@asynccontextmanager
async def running(data: Path, **options: Any) -> AsyncIterator[Running]:
    """A site for the time of a test."""
    app = application(Options(data, processes=1, **options))
    runner, port = await listen(app, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{port}"
    sessions = list[aiohttp.ClientSession]()

    async def visitor() -> Visitor:
        jar = aiohttp.CookieJar(unsafe=True)  # keeps cookies of addresses
        sessions.append(aiohttp.ClientSession(cookie_jar=jar))
        return Visitor(base, sessions[-1])

    try:
        yield Running(base, app[SITE], visitor)
    finally:
        for session in sessions:
            await session.close()
        await runner.cleanup()
