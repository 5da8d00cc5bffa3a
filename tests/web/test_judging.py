"""Answers to questions: stored at once, and judged by workers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from quandary.arena.store import records
from quandary.tasks.question_game import QuestionGame
from quandary.web import judging
from site_client import Running, Visitor, running

ANSWERS = {"text_sudoku": "A B C D", "anagram_scribble": "word"}


@pytest.fixture
def only_workers_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging here, in the process that answers requests, fails; workers are other processes."""

    def refuse(*arguments: Any) -> Any:
        raise AssertionError("judged in the event loop")

    monkeypatch.setattr(QuestionGame, "after", refuse)
    monkeypatch.setattr(QuestionGame, "feedback", lambda self, _: refuse() if self.said else "")


async def wrong(visitor: Visitor, puzzle: str) -> tuple[str, Any]:
    """Begin a match, and give a wrong answer; the seat, and what its page is told."""
    seat = await visitor.begin(puzzle=puzzle, seed="1")
    found = await visitor.reply(seat, text=ANSWERS[puzzle])
    assert found.status == 200, found.text
    return seat, found.data


@pytest.mark.parametrize("puzzle", ANSWERS)
@pytest.mark.usefixtures("only_workers_judge")
def test_the_event_loop_judges_nothing(tmp_path: Path, puzzle: str) -> None:
    """Neither a reply, nor what is taken back, nor a match that is read again."""
    seats = list[str]()
    cookies = list[Any]()

    async def play() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            seat, data = await wrong(visitor, puzzle)
            assert data["feedback"] and not data["over"]
            assert data["update"]["steps"][0]["replies"][0]["checked"]["judgement"] == "wrong"
            await wrong_again(visitor, seat, puzzle)
            taken = await visitor.post(f"{seat}/undo", {})
            assert taken.status == 200 and len(taken.data["update"]["steps"]) == 2
            seats.append(seat)
            cookies.append(visitor.session.cookie_jar)

    async def go_on() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            visitor.session.cookie_jar.update_cookies({each.key: each.value for each in cookies[0]})
            assert len((await visitor.view(seats[0]))["update"]["steps"]) == 2
            await wrong_again(visitor, seats[0], puzzle)
            last = await wrong_again(visitor, seats[0], puzzle)
            assert last["over"] and last["scores"] == [0.0]
            await site.site.keeping.keep()

    async def wrong_again(visitor: Visitor, seat: str, puzzle: str) -> Any:
        return (await visitor.reply(seat, text=f"{ANSWERS[puzzle]} again")).data

    asyncio.run(play())
    asyncio.run(go_on())
    [record] = records(tmp_path / "runs" / "play-en")
    assert record.players == ("human,undos=1",) and len(record.said) == 3


@pytest.mark.usefixtures("only_workers_judge")
def test_an_answer_that_ends_a_match_is_judged_by_a_worker(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            seat = await visitor.begin(puzzle="optimal_touring", level="easy", seed="1")
            data = (await visitor.reply(seat, text="1")).data
            assert data["over"] and "value" in data["result"]
            match = seat.rpartition("/")[0]
            assert (await visitor.get(f"{match}/whole")).data["steps"]

    asyncio.run(play())
    [record] = records(tmp_path / "runs" / "play-en")
    assert record.values is not None


def test_an_answer_that_takes_too_long_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            seat = await visitor.begin(puzzle="text_sudoku", seed="1")
            monkeypatch.setattr(judging, "SECONDS", 0.0)
            data = (await visitor.reply(seat, text="A B C D")).data
            assert "does not count" in data["refused"] and data["turn"] == 0
            assert site.site.database.rows("select * from heard") == []
            monkeypatch.setattr(judging, "SECONDS", 60.0)
            data = (await visitor.reply(seat, text="A B C D")).data
            assert "refused" not in data and data["turn"] == 1

    asyncio.run(play())


def test_nothing_else_happens_while_an_answer_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is acknowledged at once, and not lost if the site ends before it is judged."""
    cookies = list[Any]()
    seats = list[str]()

    async def play() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            seat = await visitor.begin(puzzle="anagram_scribble", seed="1")
            never = asyncio.Event()

            async def wait(*arguments: Any, **options: Any) -> None:
                await never.wait()

            monkeypatch.setattr(site.site.workers, "run", wait)
            monkeypatch.setattr(judging, "SOON", 0.1)
            found = await visitor.post(f"{seat}/reply", {"turn": 0, "text": "word"})
            assert found.status == 200 and found.data["judging"] and found.data["turn"] is None
            assert "resign" not in found.data["may"]
            for action in ("resign", "undo"):
                refused = await visitor.post(f"{seat}/{action}", {})
                assert refused.status == 409 and "being judged" in refused.data["error"]
            again = await visitor.post(f"{seat}/reply", {"turn": 0, "text": "word"})
            assert again.status == 409
            seats.append(seat)
            cookies.append(visitor.session.cookie_jar)

    async def go_on() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            visitor.session.cookie_jar.update_cookies({each.key: each.value for each in cookies[0]})
            data = await visitor.view(seats[0])
            assert data["turn"] == 1 and data["feedback"]

    asyncio.run(play())
    monkeypatch.undo()
    asyncio.run(go_on())


def test_only_questions_are_judged_by_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves of games take no time."""

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku")
        move = (await visitor.view(seat))["input"]["legal"][0]["move"]

        async def refuse(*arguments: Any, **options: Any) -> None:
            raise AssertionError("a worker was asked")

        monkeypatch.setattr(site.site.workers, "run", refuse)
        assert (await visitor.reply(seat, text=move)).status == 200

    async def run() -> None:
        async with running(tmp_path) as site:
            await play(site)

    asyncio.run(run())
