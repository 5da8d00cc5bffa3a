"""Servers that people run themselves: they queue, say how many calls they take, and may be gone."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from math import inf
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from aiohttp import web
from benchmarks.models import server

from fault_server import serving
from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS
from quandary.arena.suite import read as read_suite
from quandary.core.errors import StopRun
from quandary.models import client, pool, self_hosted
from quandary.models.calls import CallKey
from quandary.models.client import ModelClient, RetryPolicy
from quandary.models.journal import NoJournal
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Message, ProviderError, Request
from quandary.models.rate_limiter import RateLimiter
from quandary.players.registry import PlayerRegistry
from queueing_server import QueueingServer, queueing_server
from virtual_time import Clock, run_without_waiting

SUITE = read_suite("few", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-300"\n')
HELLO = Request((Message("user", ("Hello!",)),))


async def _ask(client: ModelClient, calls: int) -> None:
    await asyncio.gather(
        *(client.ask(CallKey(f"match {i}", 0, "1", ""), HELLO) for i in range(calls))
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which a pool of clients decides how many calls it makes at once."""
    clock = Clock()
    monkeypatch.setattr(pool, "RateLimiter", partial(RateLimiter, now=clock))
    return clock


async def _ask_all(server: QueueingServer, provider: str, calls: int) -> None:
    clients = ClientPool(base_url=server.address, timeout=5.0)
    client = clients.client(provider, "any")
    async with clients.session(NoJournal()):
        await _ask(client, calls)


@pytest.mark.parametrize("provider", ["llamacpp", "vllm", "openai"])
def test_three_hundred_calls_to_a_server_that_queues(provider: str, clock: Clock) -> None:
    """Four slots of a quarter of a second, and a timeout of five: nearly as quick as it can be, and
    no generation for nobody.
    """

    async def scene() -> tuple[float, int]:
        async with queueing_server(4, 0.25) as queueing:
            begun = clock()
            await _ask_all(queueing, provider, 300)
            return clock() - begun, queueing.generations - queueing.answered

    seconds, wasted = run_without_waiting(clock, scene())

    assert seconds < 1.15 * 300 / 4 * 0.25
    assert 0 == wasted


def test_a_server_that_queues_is_not_flooded(clock: Clock) -> None:
    """No call waits in its queue until it is given up."""

    async def scene() -> QueueingServer:
        async with queueing_server(4, 0.02) as server:
            await _ask_all(server, "llamacpp", 120)
            return server

    server = run_without_waiting(clock, scene())

    assert server.most <= 16
    assert 120 == server.generations == server.answered


def test_a_server_that_tells_its_slots_is_believed() -> None:
    """The first calls fill them, and no more."""

    async def scene(connections: int | None) -> int:
        async with queueing_server(7, 0.05, tells=True) as server:
            clients = ClientPool(base_url=server.address, connections=connections)
            client = clients.client("llamacpp", "any")
            async with clients.session(NoJournal()):
                await _ask(client, 14)
            return server.most

    assert 7 == asyncio.run(scene(None))
    assert 3 == asyncio.run(scene(3))  # what the user says counts


def _play(address: str, folder: Path, **settings: object) -> tuple[RunResult, list[str], float]:
    said, begun = list[str](), monotonic()
    clients = ClientPool(base_url=address, notify=said.append, **settings)  # type: ignore[arg-type]
    played = run(SUITE, ["ollama/any,list_moves=yes"], folder, PlayerRegistry(clients=clients))
    return played, said, monotonic() - begun


def test_a_server_that_is_not_there_is_reported_at_once(tmp_path: Path) -> None:
    """Once, for all matches, and nobody has lost."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        played, said, seconds = _play(address, tmp_path)

    assert f"there is no server at {address}; start the server" in played.stopped
    assert ([], []) == (list(played.records), said)
    assert seconds < 10


@pytest.mark.parametrize(("dropped", "slots"), [(1, 7), (2, 7), (1_000, 4)])
def test_a_server_that_drops_its_first_connections_is_there(
    dropped: int, slots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It accepts them, so it is asked again; one that never says its slots may still answer.

    aiohttp asks twice by itself.
    """
    monkeypatch.setattr(self_hosted, "PAUSE", 0.01)

    async def scene() -> tuple[int, float]:
        asked = 0

        async def properties(request: web.Request) -> web.StreamResponse:
            nonlocal asked
            asked += 1
            if asked <= dropped and request.transport:
                request.transport.close()
            return web.json_response({"total_slots": 7})

        queueing = QueueingServer(7, 0.01)
        async with serving(queueing.handle, {"/props": properties}) as address:
            clients = ClientPool(base_url=address)
            client = clients.client("llamacpp", "any")
            async with clients.session(NoJournal()):
                await _ask(client, 2)
        return asked, client.limiter.concurrency.limit

    asked, limit = asyncio.run(scene())

    assert min(dropped + 1, 6) == asked
    assert slots == limit


def test_a_server_that_never_answers_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It accepts connections, and that is all."""
    monkeypatch.setattr(self_hosted, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        played, _, seconds = _play(f"http://127.0.0.1:{silent.getsockname()[1]}/v1", tmp_path)

    assert "gives no answer; start the server" in played.stopped
    assert seconds < 10


def test_a_server_that_dies_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was reached is kept."""
    monkeypatch.setattr(self_hosted, "PATIENCE", 0.3)
    found = list[tuple[RunResult, list[str], float]]()
    with server(latency=0.02) as address:
        thread = Thread(target=lambda: found.append(_play(address, tmp_path)))
        thread.start()
        deadline = monotonic() + 60
        while not (tmp_path / RECORDS).exists() or (tmp_path / RECORDS).stat().st_size < 5_000:
            assert monotonic() < deadline
            sleep(0.002)
    thread.join(60)
    [(played, _, _)] = found

    assert "is gone; start it again" in played.stopped
    assert 0 < len(played.records) < played.matches
    assert all(record.scores is not None for record in played.records)


def test_a_providers_server_that_cannot_be_reached_is_tried_again() -> None:
    """It may come back, and is not the user's to start."""
    clients = ClientPool(base_url="https://model.invalid/v1")

    assert clients.client("vllm", "any").self_hosted is not None  # without a key it is the user's
    assert ClientPool().client("ollama", "any").self_hosted is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-some-key")
        client = ClientPool(base_url="https://model.invalid/v1").client("openai", "any")

    assert client.self_hosted is None


class Away:
    """A provider's server that does not answer the first calls."""

    def __init__(self, calls: float) -> None:
        self.calls = calls  # that are not answered
        self.asked = 0

    async def ask(self, request: Request) -> Completion:
        self.asked += 1
        await asyncio.sleep(0.005)
        if self.asked <= self.calls:
            raise ProviderError("model.invalid cannot be found", connected=False)
        return Completion((Generation("I do not know."),))

    async def close(self) -> None:
        pass


def _play_away(server: Away, folder: Path, *told: list[int]) -> RunResult:
    retry = RetryPolicy(1_000, 0.002, 0.02)
    clients = ClientPool(open_provider=lambda *names: server, retry=retry)
    registry = PlayerRegistry(clients=clients)
    return run(
        SUITE,
        ["openai/any"],
        folder,
        registry,
        lambda done, of: [each.append(done) for each in told],
    )


def test_a_run_that_never_gets_an_answer_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the last error, and no match counts as played."""
    monkeypatch.setattr(client, "UNREACHED", 0.2)
    told = list[int]()
    played = _play_away(Away(inf), tmp_path, told)

    assert (
        "no call to openai/any has got an answer: model.invalid cannot be found" in played.stopped
    )
    assert not list(played.records)
    assert {0} == set(told)


def test_a_server_that_was_away_at_first_is_waited_for(tmp_path: Path) -> None:
    server = Away(40)
    played = _play_away(server, tmp_path)

    assert not played.stopped and len(played.records) == played.matches
    assert server.asked > 40


def test_a_server_that_has_answered_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it comes back, however long it is away."""

    class Pausing(Away):
        async def ask(self, request: Request) -> Completion:
            if self.asked == 20:
                self.calls = 400
            return await super().ask(request)

    monkeypatch.setattr(client, "UNREACHED", 0.0)
    played = _play_away(Pausing(0), tmp_path)

    assert not played.stopped and len(played.records) == played.matches


def test_matches_without_a_result_are_no_progress(tmp_path: Path) -> None:
    class Failing(Away):
        async def ask(self, request: Request) -> Completion:
            raise ProviderError("model.invalid is overloaded", retry=False)

    told = list[int]()
    played = _play_away(Failing(0), tmp_path, told)

    assert any(record.scores is None for record in played.records)
    assert {0} == set(told)


def test_one_dead_server_is_asked_once() -> None:
    """Calls that wait for the same answer do not ask for themselves."""

    async def scene() -> int:
        asked = 0

        class Dead:
            base_url = "http://127.0.0.1/v1"

            async def slots(self, timeout: float) -> int | None:
                nonlocal asked
                asked += 1
                raise self_hosted.ProviderError("there is no server")

            async def listens(self, timeout: float) -> bool:
                return False

        clients = ClientPool()
        client = clients.client("ollama", "any")
        client.self_hosted = self_hosted.SelfHostedServer(Dead(), client.limiter, ask_slots=True)
        with pytest.raises(StopRun, match="there is no server"):
            await _ask(client, 20)
        return asked

    assert 1 == asyncio.run(scene())
