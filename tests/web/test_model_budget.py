"""Models on the site: what they cost in all, and what becomes of matches when they fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from quandary.arena.store import records
from quandary.core.errors import UserError
from quandary.models.budget import Budget
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Request, Usage
from quandary.players.registry import PlayerRegistry
from site_client import Running, running

MODEL = "openai/gpt-5-nano"
REFUSAL = "http://10.0.0.7:8080 refuses the key (401); set SECRET_KEY_NAME to one that may."
MILLION = 1_000_000  # tokens, which cost 0.40 dollars if they are written


class Speaker:
    """A provider that says the same move, or refuses every call."""

    def __init__(self) -> None:
        self.refusal = ""
        self.asked = 0

    async def ask(self, request: Request) -> Completion:
        self.asked += 1
        if self.refusal:
            raise UserError(self.refusal)
        return Completion((Generation("```\n1\n```"),), Usage(0, MILLION))

    async def close(self) -> None: ...


def on_site(
    data: Path,
    play: Callable[[Running, Speaker], Awaitable[None]],
    dollars: float | None = None,
) -> None:
    async def run() -> None:
        speaker = Speaker()
        clients = ClientPool(open_provider=lambda *names: speaker, budget=Budget(dollars))
        registry = PlayerRegistry(clients=clients)
        async with running(data, registry=registry, players=[MODEL]) as site:
            await play(site, speaker)

    asyncio.run(run())


async def begun(site: Running, visitor: Any) -> str:
    """A match in which the model moves first."""
    return str(await visitor.begin(puzzle="card_nim", level="easy", against=MODEL, seat="1"))


async def moved(visitor: Any, seat: str) -> Any:
    """The view of a seat after the model's first reply, or after it failed."""
    for _ in range(200):
        view = await visitor.view(seat)
        if view["over"] or view["turn"] is not None:
            return view
        await asyncio.sleep(0.02)
    raise AssertionError("the model does not move")


def test_a_wrong_key_cuts_off_one_match_and_is_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(site: Running, speaker: Speaker) -> None:
        visitor = await site.visitor()
        first = await begun(site, visitor)
        assert not (await moved(visitor, first))["over"]
        speaker.refusal = REFUSAL
        seat = await begun(site, visitor)
        with caplog.at_level(logging.WARNING):
            view = await moved(visitor, seat)
        assert view["result"] == (
            f"The match was cut off and does not count, because {MODEL} gave no reply."
        )
        assert "SECRET_KEY_NAME" in caplog.text  # the operator learns why
        whole = (await visitor.get(f"{seat.rpartition('/')[0]}/whole")).text
        assert "10.0.0.7" not in whole and "SECRET_KEY_NAME" not in whole
        assert "the operator can find out why" in whole
        speaker.refusal = ""
        assert not (await moved(visitor, await begun(site, visitor)))["over"]
        # The match that was under way goes on.
        legal = (await visitor.view(first))["input"]["legal"]
        await visitor.reply(first, text=legal[0]["move"])
        assert "cut off" not in (await moved(visitor, first)).get("result", "")

    on_site(tmp_path, play)
    [cut_off] = [
        each for each in records(tmp_path / "runs" / "play-en") if each.cause == "infrastructure"
    ]
    assert "SECRET_KEY_NAME" in cut_off.said[-1].words


def test_replays_do_not_tell_what_only_the_operator_may_know(tmp_path: Path) -> None:
    async def fail(site: Running, speaker: Speaker) -> None:
        speaker.refusal = REFUSAL
        visitor = await site.visitor()
        await moved(visitor, await begun(site, visitor))
        await site.site.keeping.keep()
        found = await visitor.get("/runs/play-en/1.json")
        files = await visitor.get("/runs/play-en/matches/1-0.js")
        assert found.status == files.status == 200
        for text in (found.text, files.text):
            assert "10.0.0.7" not in text and "SECRET_KEY_NAME" not in text

    on_site(tmp_path, fail)


def test_a_model_whose_budget_is_used_up_is_not_offered(tmp_path: Path) -> None:
    """Neither in the same server, nor in the next one: what was spent is kept."""

    async def spend(site: Running, speaker: Speaker) -> None:
        visitor = await site.visitor()
        seats = [await begun(site, visitor), await begun(site, visitor)]
        assert MODEL in (await visitor.get("/p/card_nim", Accept="text/html")).text
        views = [await moved(visitor, seat) for seat in seats]
        seats.append(await begun(site, visitor) if not any(v["over"] for v in views) else "")
        view = await moved(visitor, seats[2]) if seats[2] else next(v for v in views if v["over"])
        assert "the budget for models on this site is used up" in view["result"]
        await refused(site, speaker)

    async def refused(site: Running, speaker: Speaker) -> None:
        visitor = await site.visitor()
        assert MODEL not in (await visitor.get("/p/card_nim", Accept="text/html")).text
        fields = {"puzzle": "card_nim", "level": "easy", "against": MODEL}
        async with visitor.session.post(
            f"{site.base}/matches", data=fields, headers={"Origin": site.base}
        ) as found:
            assert found.status == 400 and "used up" in (await found.json())["error"]

    async def more(site: Running, speaker: Speaker) -> None:
        visitor = await site.visitor()
        assert not (await moved(visitor, await begun(site, visitor)))["over"]

    on_site(tmp_path, spend, dollars=1.0)
    on_site(tmp_path, refused, dollars=1.0)
    on_site(tmp_path, more, dollars=2.0)


def test_programs_are_shown_without_their_path(tmp_path: Path) -> None:
    async def play() -> None:
        name = f"program/{tmp_path}/secret folder/mine.py"
        async with running(tmp_path / "data", players=[name]) as site:
            visitor = await site.visitor()
            page = (await visitor.get("/p/card_nim", Accept="text/html")).text
            assert "program/mine.py" in page and "secret folder" not in page
            assert site.site.opponents.full_name("program/mine.py") == name

    asyncio.run(play())
