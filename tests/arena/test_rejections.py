"""Servers that reject what they are sent: the run ends before it asks in every match."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from aiohttp import web

from fault_server import FAULTS, FaultServer
from quandary.arena.run import RunResult, run
from quandary.arena.suite import read as read_suite
from quandary.models.client import RetryPolicy
from quandary.models.pool import ClientPool
from quandary.players.registry import PlayerRegistry
from server_thread import served, some_move

SUITE = read_suite("many", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-60"\n')


def _play(server: FaultServer, folder: Path, player: str = "openai/any") -> RunResult:
    clients = ClientPool(
        base_url=server.address, timeout=60.0, retry=RetryPolicy(30, 0.002, 0.05), connections=40
    )
    return run(SUITE, [player], folder, PlayerRegistry(clients=clients))


def _rejecting(monkeypatch: pytest.MonkeyPatch, message: Callable[[int], str]) -> None:
    numbers = count()

    async def reject(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        error = {"message": message(next(numbers)), "type": "invalid_request_error"}
        return web.json_response({"error": error}, status=400)

    monkeypatch.setitem(FAULTS, "reject", reject)


def test_equal_rejections_end_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After three calls, with the server's sentence; so does the same command; nobody loses."""

    def message(number: int) -> str:  # as servers name their requests
        return f"Unsupported value: 'temperature' (request req_{number:x}9f)."

    _rejecting(monkeypatch, message)
    with served({"reject": 1.0}, speak=some_move) as server:
        first = _play(server, tmp_path)
        made = sum(server.calls.values())
        second = _play(server, tmp_path)
        again = sum(server.calls.values()) - made
        server.shares = {}
        mended = _play(server, tmp_path)

    assert (3, 3) == (made, again)
    for stopped in (first.stopped, second.stopped):
        assert "answered 400: Unsupported value: 'temperature'" in stopped
        assert "temperature=none" in stopped
    assert {"infrastructure"} == {record.cause for record in first.records}
    assert (60, "") == (len(mended.records), mended.stopped)
    assert "infrastructure" not in {record.cause for record in mended.records}
    assert 6 == mended.tallies["openai/any"].rejected


def test_rejections_that_repeat_the_prompt_end_a_run_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No two are equal, so more of them are needed."""
    words = [f"{one}{two}" for one in "abcdefghijklmnopqrst" for two in "abcdefghijklmnopqrst"]
    _rejecting(monkeypatch, lambda number: f"cannot read {words[number]}")
    with served({"reject": 1.0}) as server:
        stopped = _play(server, tmp_path)

    assert "rejects every call" in stopped.stopped
    assert 10 <= sum(server.calls.values()) <= 12


def test_a_rejection_after_a_reply_concerns_its_match_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that answers is not given up, also by the next command."""
    _rejecting(monkeypatch, lambda number: "no such luck")
    with served({"reject": 0.3}, speak=some_move, seed=3) as server:
        first = _play(server, tmp_path)
        server.shares = {"reject": 1.0}
        before = sum(server.calls.values())
        second = _play(server, tmp_path)
        made = sum(server.calls.values()) - before
    cut_off = [record for record in first.records if record.cause == "infrastructure"]

    assert ("", 60) == (first.stopped, len(first.records))
    assert 10 < len(cut_off) < 30
    assert ("", len(cut_off)) == (second.stopped, made)
