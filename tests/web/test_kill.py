"""`kill -9` amid many matches: every match goes on, and no acknowledged move is missing."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

PUZZLES = ("sudoku", "card_nim", "sudokill", "beat_or_bomb_sto", "takuzu")


class Server:
    """A site as a process of its own, which is killed and started again on the same data."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, "0"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "quandary", "web", "--port", self.port]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        found = re.search(r"http://[^:]+:(\d+)", self.process.stdout.readline())
        assert found
        self.base, self.port = found[0], found[1]

    def end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()


class Player:
    """Plays one match, and remembers which of its moves were acknowledged."""

    def __init__(self, session: Any, puzzle: str, number: int) -> None:
        self.session, self.puzzle, self.rng = session, puzzle, Random(number)
        self.seat, self.acknowledged = "", list[str]()

    async def begin(self, base: str) -> None:
        fields = {"puzzle": self.puzzle, "level": "easy", "against": "random"}
        async with self.session.get(f"{base}/runs/"):
            pass
        async with self.session.post(
            f"{base}/matches", data=fields, headers={"Origin": base}, allow_redirects=False
        ) as found:
            assert found.status == 303
            self.seat = found.headers["Location"]

    async def view(self, base: str) -> Any:
        async with self.session.get(f"{base}{self.seat}/view") as found:
            assert found.status == 200, await found.text()
            return await found.json()

    async def play(self, base: str) -> None:
        """Move until the server is gone or the match is over."""
        while True:
            try:
                view = await self.view(base)
                if view["over"]:
                    return
                if view["turn"] is None:
                    await asyncio.sleep(0.01)
                    continue
                move = self.rng.choice(view["input"]["legal"])["move"]
                async with self.session.post(
                    f"{base}{self.seat}/reply",
                    json={"turn": view["turn"], "text": move},
                    headers={"Origin": base},
                ) as found:
                    await found.read()
                    if found.status == 200:
                        self.acknowledged.append(move)
            except (aiohttp.ClientError, OSError, AssertionError):
                return


@pytest.mark.parametrize(
    ("kills", "matches"), [(2, 6), pytest.param(20, 50, marks=pytest.mark.heavy)], ids=["few", "20"]
)
def test_no_acknowledged_move_is_missing(tmp_path: Path, kills: int, matches: int) -> None:
    async def run() -> None:
        server, rng = Server(tmp_path / "data"), Random(1)
        sessions = [
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) for _ in range(matches)
        ]
        try:
            for kill in range(kills):
                players = [
                    Player(session, PUZZLES[number % len(PUZZLES)], number)
                    for number, session in enumerate(sessions)
                ]
                await asyncio.gather(*(player.begin(server.base) for player in players))
                playing = [asyncio.create_task(player.play(server.base)) for player in players]
                await asyncio.sleep(rng.uniform(0.05, 1.0))
                server.end(signal.SIGKILL)
                await asyncio.gather(*playing)
                server.start()
                for player in players:
                    view = await player.view(server.base)
                    steps = view["update"]["steps"]
                    kept = [step["moves"][0]["move"] for step in steps if "moves" in step]
                    own = player.acknowledged
                    assert kept[: len(own)] == own, (kill, player.puzzle)
                    assert len(kept) <= len(own) + 1  # the last one may be stored, but not answered
                await asyncio.wait_for(
                    asyncio.gather(*(one.play(server.base) for one in players[:5])), 60
                )
                for player in players[:5]:
                    assert (await player.view(server.base))["over"], player.puzzle
        finally:
            for session in sessions:
                await session.close()
            server.end(signal.SIGKILL)

    asyncio.run(run())
