"""The site by its requests: playing, watching, and everything that must be refused."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from yarl import URL

from quandary.arena.store import records
from quandary.web import guard, play_routes, server, tasks, workers
from quandary.web import site as web_site
from quandary.web.workers import Overloaded, TooSlow, Workers, asker
from site_client import Running, Visitor, running


def on_site(data: Path, play: Callable[[Running], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        async with running(data, **options) as site:
            await play(site)

    asyncio.run(run())


async def until(condition: Callable[[], Awaitable[Any]]) -> Any:
    """What is awaited arrives in the end: opponents move by themselves."""
    for _ in range(400):
        if found := await condition():
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")


async def play_to_end(visitor: Visitor, seat: str) -> Any:
    """Play the first legal move, or the one that is given, until the match is over."""
    for _ in range(200):

        async def turn() -> Any:
            view = await visitor.view(seat)
            return view if view["over"] or view["turn"] is not None else None

        view = await until(turn)
        if view["over"]:
            return view
        move = view["input"]["legal"][0]["move"]
        found = await visitor.post(f"{seat}/reply", {"turn": view["turn"], "text": move})
        assert found.status == 200, found.text
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("puzzle", ["sudokill", "beat_or_bomb_sto", "superply", "sudoku"])
def test_a_match_against_the_house(tmp_path: Path, puzzle: str) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle=puzzle, level="easy", own_name="anna")
        view = await play_to_end(visitor, seat)
        assert view["result"] and "human/anna" in view["players"]
        match = seat.rpartition("/")[0]
        whole = (await visitor.get(f"{match}/whole")).data
        assert whole["name"] == view["name"] and whole["steps"]
        costs = (await visitor.get(f"{match}/costs")).data
        assert isinstance(costs, list)

    on_site(tmp_path, play)
    [record] = records(tmp_path / "runs" / "play-en")
    assert record.players[0] == "human/anna" and record.scores is not None


def test_two_people_play_a_hidden_game(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        anna, ben, eve = [await site.visitor() for _ in range(3)]
        seat = await anna.begin(
            puzzle="beat_or_bomb_sto", level="easy", against="human", own_name="anna"
        )
        match, _, place = seat.rpartition("/")
        page = await ben.get(match, Accept="text/html")
        assert "Take seat 1" in page.text
        assert (await ben.get(f"{match}/1", Accept="text/html")).status == 200  # led to the match
        assert (await ben.post(f"{match}/1/take")).status == 303
        await eve.get("/runs/")
        assert (await eve.post(f"{match}/1/take")).status == 409
        for path in (f"{match}/0", f"{match}/1"):
            assert (await eve.get(f"{path}/view")).status == 403
            assert (await eve.post(f"{path}/reply", {"turn": 0, "text": "K compete"})).status == 403
            assert (await eve.get(path, Accept="text/html")).status == 403
        assert "match" not in (await eve.get(f"{match}/view")).data
        other = f"{match}/1"
        for _ in range(30):
            views = [await anna.view(seat), await ben.view(other)]
            if views[0]["over"]:
                break
            before = await ben.get(f"{other}/view")
            move = views[0]["input"]["legal"][0]["move"]
            assert (await anna.reply(seat, text=move)).status == 200
            assert (await ben.get(f"{other}/view")).text == before.text
            move = views[1]["input"]["legal"][0]["move"]
            assert (await ben.reply(other, text=move)).status == 200
        assert (await anna.view(seat))["over"] and place == "0"
        assert "match" in (await eve.get(f"{match}/view")).data

    on_site(tmp_path, play)


def test_events_tell_of_changes_and_of_nothing_else(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        seat = await anna.begin(puzzle="bid_that", level="easy", against="human")
        match = seat.rpartition("/")[0]
        await ben.get("/runs/")
        await ben.post(f"{match}/1/take")
        id = match.rpartition("/")[2]
        received = list[Any]()

        async def listen() -> None:
            topics = f"on=m.{id}.0&on=m.{id}.1&on=m.{id}"
            async with anna.session.get(f"{anna.base}/events?{topics}") as stream:
                async for line in stream.content:
                    if line.startswith(b"data: "):
                        received.append(json.loads(line[6:]))

        listening = asyncio.create_task(listen())
        await until(lambda: _true(len(received) == 2))  # not of seat 1, which is another's
        assert {each["topic"] for each in received} == {f"m.{id}.0", f"m.{id}"}
        received.clear()
        assert (await ben.reply(f"{match}/1", text="1")).status == 200
        await asyncio.sleep(0.3)
        assert received == []  # the round is open
        assert (await anna.reply(seat, text="2")).status == 200
        await until(lambda: _true(len(received) >= 2))
        version = {each["topic"]: each["version"] for each in received}[f"m.{id}.0"]
        assert version == (await anna.view(seat))["version"]
        listening.cancel()

    on_site(tmp_path, play)


async def _true(value: bool) -> bool:
    return value


def test_a_stale_reply_gets_the_current_view(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy", seed="3")
        view = await visitor.view(seat)
        move = view["input"]["legal"][0]["move"]
        body = {"turn": view["turn"], "text": move}
        first, second = [await visitor.post(f"{seat}/reply", body) for _ in range(2)]
        assert (first.status, second.status) == (200, 409)
        assert second.data["turn"] == first.data["turn"] and second.data["error"]

    on_site(tmp_path, play)


def test_forbidden_moves_may_be_made_again(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy", seed="3")
        for text in ("0 0 99", "nonsense", "", "   "):
            found = await visitor.reply(seat, text=text)
            assert found.status == 422 and found.data["error"]
        view = await visitor.view(seat)
        assert view["update"]["steps"][-1].get("replies") is None
        values = view["input"]["legal"][0]["fields"]
        assert (await visitor.reply(seat, values=values)).status == 200

    on_site(tmp_path, play)


def test_help_is_counted(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy", seed="3", own_name="anna")
        assert "would play" in (await visitor.post(f"{seat}/hint", {})).data["advice"]
        move = (await visitor.view(seat))["input"]["legal"][0]["move"]
        await visitor.reply(seat, text=move)
        assert (await visitor.post(f"{seat}/cost", {})).data["advice"]
        assert (await visitor.post(f"{seat}/undo", {})).status == 200
        assert (await visitor.post(f"{seat}/undo", {})).status == 409
        assert (await visitor.post(f"{seat}/resign", {})).data["over"]

    on_site(tmp_path, play)
    [record] = records(tmp_path / "runs" / "play-en")
    assert record.players == ("human/anna,hints=1,costs=1,undos=1",)
    assert record.cause == "resigned"


@pytest.mark.parametrize("puzzle", ["letter_diagram", "standard_sudoku", "arithmetic_sudoku"])
def test_a_board_with_empty_cells_costs_no_try(tmp_path: Path, puzzle: str) -> None:
    """From the form; what is typed is taken as it is."""

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle=puzzle)
        fields = (await visitor.view(seat))["input"]["fields"]
        values = {each["name"]: each["given"] for each in fields}
        assert all("*" in given for given in values.values())
        refused = await visitor.reply(seat, values=values)
        assert refused.status == 422 and "still empty" in refused.data["error"]
        assert (await visitor.view(seat))["turn"] == 0
        assert (await visitor.reply(seat, text=values[fields[0]["name"]])).status == 200

    on_site(tmp_path, play)


def test_questions_are_answered_in_a_form(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="text_sudoku", level="easy", seed="1")
        fields = (await visitor.view(seat))["input"]["fields"]
        given = {each["name"]: each["given"] for each in fields if "given" in each}
        assert len(given) == 12
        assert (await visitor.reply(seat, values=given)).status == 422  # no try is lost
        full = {each["name"]: each.get("given", each["choices"][0][0]) for each in fields}
        first = await visitor.reply(seat, values=full)
        assert first.status == 200 and not first.data["over"] and first.data["feedback"]
        solution = (await visitor.post(f"{seat}/solution", {})).data["advice"]
        rows = solution.split("\n")
        values = {
            f"answer.{row}.{column}": letter
            for row, line in enumerate(rows, 1)
            for column, letter in enumerate(line.replace(" ", ""), 1)
        }
        last = await visitor.reply(seat, values=values)
        assert last.data["over"] and last.data["scores"] == [1.0]

    on_site(tmp_path, play)


def test_families_and_splits_can_be_played(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        for spec in ("logic_puzzle/1,family=a#1", "sudoku/easy@train#1"):
            assert (await visitor.view(await visitor.begin(spec=spec)))["name"] == spec

    on_site(tmp_path, play)


def test_watching_does_not_keep_the_site_from_answering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole match is drawn by a worker, once for all who watch."""

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy", seed="3")
        asked = list[Any]()
        run = site.site.workers.run

        async def noted(task: Any, *arguments: Any, **options: Any) -> Any:
            asked.append(task)
            return await run(task, *arguments, **options)

        monkeypatch.setattr(site.site.workers, "run", noted)
        path = f"{seat.rpartition('/')[0]}/view"
        for _ in range(3):
            assert len((await visitor.get(path)).data["match"]["steps"]) == 1
        assert asked == [tasks.whole]
        await visitor.reply(seat, text=(await visitor.view(seat))["input"]["legal"][0]["move"])
        assert len((await visitor.get(path)).data["match"]["steps"]) == 2

    on_site(tmp_path, play)


def test_a_match_is_judged_once_for_all_who_look_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        seat = await visitor.begin(puzzle="card_nim", level="easy")
        await visitor.reply(seat, text="1")
        await visitor.post(f"{seat}/resign", {})
        asked = list[Any]()
        run = site.site.workers.run

        async def noted(task: Any, *arguments: Any, **options: Any) -> Any:
            asked.append(task)
            return await run(task, *arguments, **options)

        monkeypatch.setattr(site.site.workers, "run", noted)
        path = f"{seat.rpartition('/')[0]}/costs"
        found = [(await one.get(path)).data for one in (visitor, other, visitor)]
        assert found[0] and found[0] == found[1] == found[2]
        assert asked == [tasks.costs]

    on_site(tmp_path, play)


def test_a_state_task_is_played(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy", task="check", language="zh")
        view = await visitor.view(seat)
        assert view["question"] and view["input"]["kind"] == "answer"
        assert (await visitor.reply(seat, text="solvable")).data["over"]

    on_site(tmp_path, play)


@pytest.mark.parametrize(("puzzle", "is_offered"), [("card_nim", True), ("superply", False)])
def test_what_a_move_cost_is_offered_where_it_can_be_known(
    tmp_path: Path, puzzle: str, is_offered: bool
) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle=puzzle, level="easy")
        legal = (await visitor.view(seat))["input"]["legal"]
        await visitor.reply(seat, text=legal[0]["move"])
        assert ("cost" in (await visitor.view(seat))["may"]) == is_offered

    on_site(tmp_path, play)


def test_the_puzzle_of_the_day_counts_its_matches(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        page = (await visitor.get("/daily", Accept="text/html")).text
        assert "Nobody has played it here." in page
        spec = page.split('name="spec" value="')[1].split('"')[0]
        for words in ("It was played once here.", "It was played 2 times here."):
            await visitor.post(f"{await visitor.begin(spec=spec)}/resign", {})
            assert words in (await visitor.get("/daily", Accept="text/html")).text

    on_site(tmp_path, play)


def test_a_rematch_changes_seats(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="card_nim", level="easy")
        await visitor.post(f"{seat}/resign", {})
        again = (await visitor.post(f"{seat}/rematch", {})).data["to"]
        assert again.endswith("/1") and again.rpartition("/")[0] != seat.rpartition("/")[0]
        assert (await visitor.view(again))["players"] == ["house", "human"]

    on_site(tmp_path, play)


def test_only_a_match_against_another_person_is_claimed(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        await other.get("/runs/")
        said = list[str]()
        for fields in ({"puzzle": "sudoku"}, {"puzzle": "card_nim", "against": "human"}):
            seat = await visitor.begin(level="easy", **fields)
            for _ in range(2):  # before and after somebody comes
                answer = await visitor.post(f"{seat}/claim", {})
                assert answer.status == 409
                said.append(answer.data["error"])
                await other.post(f"{seat.rpartition('/')[0]}/1/take")
        alone = "Only a match against another person can be claimed."
        assert said == [alone, alone, *["This is not possible now."] * 2]

    on_site(tmp_path, play)


def test_a_turn_is_a_number(tmp_path: Path) -> None:
    """False and 0.0 equal the number of the first turn."""

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        view = await visitor.view(seat)
        move = view["input"]["legal"][0]["move"]
        assert view["turn"] == 0
        for turn in (False, 0.0, "0", [0]):
            answer = await visitor.post(f"{seat}/reply", {"turn": turn, "text": move})
            assert answer.status == 400
        assert (await visitor.view(seat))["turn"] == 0

    on_site(tmp_path, play)


def test_another_person_who_is_gone_loses(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        seat = await anna.begin(puzzle="card_nim", level="easy", against="human", seat="1")
        await ben.get("/runs/")
        assert (await ben.post(f"{seat.rpartition('/')[0]}/0/take")).status == 303
        assert (await anna.post(f"{seat}/claim", {})).status == 409
        later = site.site.tables.now() + 700
        site.site.tables.now = lambda: later
        assert "claim" in (await anna.view(seat))["may"]
        assert (await anna.post(f"{seat}/claim", {})).data["scores"] == [0.0, 1.0]

    on_site(tmp_path, play)


def test_a_match_that_nobody_joined_has_no_result(tmp_path: Path) -> None:
    """It is not recorded, and its seat is not offered any more."""

    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        seat = await anna.begin(puzzle="card_nim", level="easy", against="human")
        match = seat.rpartition("/")[0]
        await ben.get("/runs/")
        assert (await anna.post(f"{seat}/resign", {})).data["over"]
        view = (await ben.get(f"{match}/view")).data
        assert view["open"] == [] and view["players"] == ["human", "nobody"]
        assert view["match"]["result"] == "given up before anybody came"
        assert "Take seat" not in (await ben.get(match, Accept="text/html")).text
        found = await ben.post(f"{match}/1/take")
        assert (found.status, found.data["error"]) == (409, "This match is over.")
        await site.site.keeping.keep()
        assert (await ben.get("/runs/play-en/")).status == 404

    on_site(tmp_path, play)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/p/sudko", 404, "Did you mean sudoku"),
        ("/p/sudoku?language=xx", 404, "xx"),
        ("/m/nothing", 404, "no such match"),
        ("/m/nothing/0/view", 404, "no such match"),
        ("/runs/nothing/", 404, "no run 'nothing'"),
        ("/runs/nothing/1", 404, "no run 'nothing'"),
        ("/nothing", 404, "no such page"),
        ("/assets/../server.py", 404, ""),
        ("/assets/%2e%2e/server.py", 404, ""),
        ("/runs/..%2f..%2fetc/1", 404, ""),
        ("/pictures/sudoku.svg?level=nothing", 404, "no level"),
        ("/pictures/sudoku.svg?daily=today", 404, "not a date"),
        ("/compare?a=x", 400, "Name two matches"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, path: str, status: int, words: str) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        found = await visitor.get(path)
        assert found.status == status and words in found.text
        page = await visitor.get(path, Accept="text/html")
        assert page.status == status
        assert page.headers["Content-Type"].startswith(("text/html", "application/json"))

    on_site(tmp_path, play)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"puzzle": "nothing"}, 404),
        ({"puzzle": "sudoku", "level": "nothing"}, 404),
        ({"puzzle": "bid_that", "level": "easy,values=7", "against": "human"}, 404),
        ({"puzzle": "card_nim", "against": "human/anna"}, 400),
        ({"puzzle": "card_nim", "against": "human,hints=9"}, 400),
        ({"puzzle": "card_nim", "against": "x" * 1_000}, 400),
        ({"puzzle": "card_nim", "seat": "²"}, 400),
        ({"puzzle": "sudoku", "seed": "x"}, 404),
        ({"puzzle": "sudoku", "language": "xx"}, 400),
        ({"puzzle": "card_nim", "against": "nobody"}, 400),
        ({"puzzle": "card_nim", "against": "openai/gpt"}, 400),
        ({"puzzle": "card_nim", "against": "program/x.py"}, 400),
        ({"puzzle": "card_nim", "seat": "7"}, 400),
        ({"puzzle": "card_nim", "own_name": "<b>"}, 400),
        ({"puzzle": "beat_or_bomb_sto", "against": "human", "seed": "7"}, 400),
        ({"spec": "paper x/y 1"}, 404),
        ({"spec": "optimal_touring/hard,sites=200#1"}, 400),
        ({"spec": "sudoku/easy,blanks=20@train#1"}, 400),
        ({}, 404),
    ],
)
def test_matches_that_cannot_begin_are_refused(
    tmp_path: Path, fields: dict[str, str], status: int
) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        await visitor.get("/runs/")
        async with visitor.session.post(
            f"{site.base}/matches", data=fields, headers={"Origin": site.base}
        ) as found:
            assert found.status == status and (await found.json())["error"].endswith((".", "?"))
        assert site.site.tables.unfinished() == 0

    on_site(tmp_path, play)


def test_bodies_that_are_no_replies_are_refused(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        turn = (await visitor.view(seat))["turn"]
        for body, status in (
            ([], 400),
            ({"turn": turn, "text": 7}, 400),
            ({"turn": turn, "text": "x" * 30_000}, 413),
            ({"turn": turn, "text": "x" * 300_000}, 413),
            ({"turn": turn, "values": {"row": {"a": []}}}, 422),
            ({"turn": "0"}, 400),
            ({"turn": 99}, 409),
            ({"turn": None}, 409),
        ):
            found = await visitor.post(f"{seat}/reply", body)
            assert found.status == status, body
        async with visitor.session.post(
            f"{site.base}{seat}/reply", data=b"{\xff", headers={"Origin": site.base}
        ) as found:
            assert found.status == 400
        assert (await visitor.view(seat))["turn"] == turn

    on_site(tmp_path, play)


def test_markup_in_names_and_replies_stays_text(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="anagram_scribble", level="easy")
        found = await visitor.reply(seat, text="<script>alert(1)</script>")
        assert found.headers["Content-Type"].startswith("application/json")
        assert found.headers["X-Content-Type-Options"] == "nosniff"
        page = await visitor.get(seat, Accept="text/html")
        assert "<script>alert" not in page.text

    on_site(tmp_path, play)


@pytest.mark.parametrize("puzzle", ["text_sudoku", "anagram_scribble"])
def test_nobody_is_shown_the_solution_before_the_end(tmp_path: Path, puzzle: str) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle=puzzle, level="easy")
        match = seat.rpartition("/")[0]
        watched = (await visitor.get(f"{match}/view")).data["match"]
        assert watched["steps"] and not {"solution", "label"} & watched.keys()
        assert (await visitor.get(f"{match}/whole")).status == 409
        await visitor.post(f"{seat}/resign", {})
        assert (await visitor.get(f"{match}/whole")).data["solution"]

    on_site(tmp_path, play)


def test_a_seed_is_not_told_by_an_error(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        seat = await anna.begin(puzzle="bid_that", level="easy", against="human")
        await ben.get("/runs/")
        await ben.post(f"{seat.rpartition('/')[0]}/1/take")
        first, second = [await anna.post(f"{seat}/resign", {}) for _ in range(2)]
        assert (first.status, second.status) == (200, 409)
        assert "#" not in second.text and "resign" not in first.data["may"]

    on_site(tmp_path, play)


def test_both_find_the_rematch(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        seat = await anna.begin(puzzle="card_nim", level="easy", against="human")
        other = f"{seat.rpartition('/')[0]}/1"
        await ben.get("/runs/")
        await ben.post(f"{other}/take")
        assert (await anna.post(f"{seat}/rematch", {})).status == 409  # not over yet
        await anna.post(f"{seat}/resign", {})
        to = (await anna.post(f"{seat}/rematch", {})).data["to"]
        assert to.endswith("/1")
        view = await ben.view(other)
        assert view["rematch"] == to.rpartition("/")[0]
        assert (await ben.post(f"{other}/rematch", {})).data["to"] == view["rematch"]
        assert "Take seat 0" in (await ben.get(view["rematch"], Accept="text/html")).text

    on_site(tmp_path, play)


def test_a_crash_between_a_record_and_its_mark_makes_no_second_record(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        for _ in range(2):
            seat = await visitor.begin(puzzle="sudoku", level="easy", seed="3")
            await visitor.post(f"{seat}/resign", {})
            await site.site.keeping.keep()
        site.site.database.write("update matches set recorded = 0")
        await site.site.keeping.keep()

    on_site(tmp_path, play)
    assert [each.repeat for each in records(tmp_path / "runs" / "play-en")] == [0, 1]


def test_one_match_that_cannot_be_kept_does_not_stop_the_others(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seats = [await visitor.begin(puzzle="sudoku", level="easy") for _ in range(3)]
        first = seats[0].split("/")[2]
        for seat in seats:
            await visitor.post(f"{seat}/resign", {})
        site.site.database.write("update matches set players = '{' where id = ?", first)
        site.site.tables.open.clear()
        await site.site.keeping.keep()
        assert (await visitor.get(f"/m/{first}", Accept="text/html")).status == 500

    on_site(tmp_path, play)
    assert len(records(tmp_path / "runs" / "play-en")) == 2


def test_runs_may_have_any_name_and_damaged_records(tmp_path: Path) -> None:
    from quandary.cli.main import main

    runs = [tmp_path / "my run", tmp_path / "läuf #1?%41", tmp_path / "empty"]
    for run in runs[:2]:
        command = ["run", "--puzzle", "card_nim", "--seeds", "1-2", "--player", "random"]
        assert 0 == main([*command, "--player", "house", "--out", str(run)])
    runs[2].mkdir()
    (runs[2] / "manifest.json").write_bytes((runs[0] / "manifest.json").read_bytes())
    lines = (runs[0] / "records.jsonl").read_bytes().splitlines(keepends=True)
    (runs[0] / "records.jsonl").write_bytes(b"".join([lines[0], b'{"name": 7}\n', *lines[1:]]))

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        page = (await visitor.get("/runs/", Accept="text/html")).text
        for link in ("/runs/my%20run/", "/runs/l%C3%A4uf%20%231%3F%2541/", "/runs/empty/"):
            assert f'href="{link}"' in page
            async with visitor.session.get(URL(f"{site.base}{link}", encoded=True)) as found:
                assert found.status == 200
        shown = (await visitor.get("/runs/my run/2.json")).data
        assert "damaged" in shown["problem"] and shown["steps"] == [] and shown["players"]
        assert str(tmp_path) not in shown["problem"]
        assert (await visitor.get("/runs/my run/3.json")).data["steps"]
        assert "card_nim" in (await visitor.get("/runs/my run/matches/list.js")).text
        assert (await visitor.get("/runs/empty/1")).status == 404

    on_site(tmp_path / "data", play, runs=runs)


def test_runs_are_found_by_names_that_are_nearly_right(tmp_path: Path) -> None:
    run = tmp_path / "games"
    run.mkdir()
    (run / "manifest.json").write_text("{}")

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        assert (await visitor.get("/runs", Accept="text/html")).status == 200
        assert "Did you mean games?" in (await visitor.get("/runs/gamse/")).text
        assert "/runs/ lists" in (await visitor.get("/runs/nothing/")).text

    on_site(tmp_path / "data", play, runs=[run])


def test_requests_that_are_no_text_are_refused(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        for path, kind in (
            (f"{seat}/reply", "application/json; charset=nope"),
            ("/matches", "application/x-www-form-urlencoded; charset=nope"),
            ("/matches", "multipart/form-data"),
            ("/matches", "multipart/form-data; boundary=x"),
        ):
            async with visitor.session.post(
                site.base + path,
                data=b"--y\r\n\xff",
                headers={"Origin": site.base, "Content-Type": kind},
            ) as found:
                assert found.status in (400, 404) and (await found.json())["error"]

    on_site(tmp_path, play)


# Who may come in.


def test_cookies_are_ours(tmp_path: Path) -> None:
    """Nobody makes visitors of their own, each with limits of its own."""

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        cookie = {"Cookie": f"{site.site.guard.cookie}=a-visitor-that-i-made-up"}
        found = await visitor.get("/runs/", Accept="text/html", **cookie)
        assert site.site.guard.cookie in found.headers["Set-Cookie"]

    on_site(tmp_path, play)


def test_other_hosts_and_origins_are_refused(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        for host in ("evil.example", "127.0.0.1.evil.example", "[::1", "localhost@evil"):
            assert (await visitor.get("/runs/", Host=host)).status in (400, 403)
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        for origin in ("null", "http://evil.example", "http://127.0.0.1:1", ""):
            found = await visitor.post(f"{seat}/resign", {}, Origin=origin)
            assert found.status == 403
        assert not (await visitor.view(seat))["over"]

    on_site(tmp_path, play)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:1", 200), ("[::1]", 200), ("LOCALHOST", 200),
        ("evil.com@127.0.0.1", 403), ("127.0.0.1@evil.com", 403), ("127.0.0.1/x", 403),
        ("127.0.0.1:x", 403), ("a 127.0.0.1", 403), ("", 403),
    ],
)  # fmt: skip
def test_only_plain_names_of_hosts_are_known(tmp_path: Path, host: str, status: int) -> None:
    async def play(site: Running) -> None:
        assert (await sent(site, f"GET /runs/ HTTP/1.1\r\nHost: {host}\r\n\r\n"))[0] == status

    on_site(tmp_path, play)


async def sent(site: Running, text: str, *, seconds: float = 20.0) -> tuple[int, str]:
    """Status and headers of the answer to a request as it is written; 0 if there is none."""
    port = int(site.base.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text.encode())
    try:
        async with asyncio.timeout(seconds):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return 0, ""
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return int(head.split()[1]), head


def test_what_is_no_request_is_answered_with_all_headers(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        status, head = await sent(site, "GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n")
        assert status == 400
        for name, value in guard.HEADERS.items():
            assert f"{name}: {value}\r\n" in head

    on_site(tmp_path, play)


def test_a_method_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        await visitor.get("/runs/")
        found = await visitor.post("/runs/", {})
        assert found.status == 405 and found.headers["Allow"] == "GET,HEAD"

    on_site(tmp_path, play)


def test_whoever_sends_slowly_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the head of a request nor its body may take for ever."""
    monkeypatch.setattr(server, "IDLE", 0.3)
    monkeypatch.setattr(play_routes, "BODY", 0.3)

    async def play(site: Running) -> None:
        for begun in ("", "GET / HT", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "):
            assert (await sent(site, begun))[0] == 0
        visitor = await site.visitor()
        await visitor.get("/runs/")
        [cookie] = visitor.session.cookie_jar
        for path, kind in (("/matches", "application/x-www-form-urlencoded"), ("/m/x/0/x", "x")):
            status, head = await sent(
                site,
                f"POST {path} HTTP/1.1\r\nHost: {site.base[7:]}\r\nOrigin: {site.base}\r\n"
                f"Cookie: {cookie.key}={cookie.value}\r\nContent-Type: {kind}\r\n"
                "Content-Length: 100\r\n\r\na=",
            )
            assert status == (408 if path == "/matches" else 404)
            assert status == 404 or "Connection: close" in head

    on_site(tmp_path, play)


def test_cookies_are_secure_where_the_operator_has_tls(tmp_path: Path) -> None:
    hosts = [*guard.LOOPBACK, "https://puzzles.example"]

    async def play(site: Running) -> None:
        for host, is_secure in (("puzzles.example", True), ("127.0.0.1", False)):
            status, head = await sent(site, f"GET /runs/ HTTP/1.1\r\nHost: {host}\r\n\r\n")
            assert status == 200 and ("; Secure" in head) == is_secure
        visitor = await site.visitor()
        await visitor.get("/runs/")
        name = {"Host": "puzzles.example"}
        for origin, status in (("http://puzzles.example", 403), ("https://puzzles.example", 404)):
            found = await visitor.post("/m/x/0/resign", {}, Origin=origin, **name)
            assert found.status == status

    on_site(tmp_path, play, hosts=hosts)


def test_new_visitors_are_limited_together(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        known = await site.visitor()
        await known.get("/runs/")
        site.site.guard.every_new.take = lambda now: 3.0  # type: ignore[method-assign]
        found = await (await site.visitor()).get("/runs/")
        assert found.status == 429 and found.headers["Retry-After"] == "4"
        assert (await known.get("/runs/")).status == 200

    on_site(tmp_path, play)


def test_pages_forbid_what_they_do_not_need(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        found = await visitor.get("/runs/", Accept="text/html")
        policy = found.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        cookie = found.headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        assert " style=" not in found.text and "<script>" not in found.text
        assert "Set-Cookie" not in (await visitor.get("/runs/", Accept="text/html")).headers

    on_site(tmp_path, play)


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    token = "a-secret-of-many-letters"

    async def play(site: Running) -> None:
        stranger, guest = await site.visitor(), await site.visitor()
        for path in ("/", "/runs/", "/events", "/?token=wrong"):
            assert (await stranger.get(path)).status == 403
        # The page that says so has its styles, which hold no secret.
        assert (await stranger.get("/assets/web.css")).status == 200
        for path, leads in (("//evil.example/", "/evil.example/"), ("/%0d%0ax/", "/%0D%0Ax/")):
            url = URL(f"{site.base}{path}?token={token}", encoded=True)
            async with guest.session.get(url, allow_redirects=False) as found:
                assert (found.status, found.headers["Location"]) == (303, leads)
        async with guest.session.get(
            f"{site.base}/runs/?a=b&token={token}", allow_redirects=False
        ) as found:
            assert found.status == 303 and found.headers["Location"] == "/runs/?a=b"
            assert token in found.headers["Set-Cookie"]
        assert (await guest.get("/runs/")).status == 200
        seat = await guest.begin(puzzle="card_nim", level="easy", against="human")
        link = (await guest.view(seat))["link"]
        assert (await stranger.get(link, Accept="text/html")).status == 200

    on_site(tmp_path, play, token=token)


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        answers = [await visitor.post(f"{seat}/reply", {"turn": 99}) for _ in range(200)]
        assert {answer.status for answer in answers} == {409, 429} and answers[0].status == 409
        refused = [answer for answer in answers if answer.status == 429]
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
        assert (await other.begin(puzzle="sudoku", level="easy")).startswith("/m/")

    on_site(tmp_path, play)


def test_nobody_gets_around_the_limits_without_a_cookie(tmp_path: Path) -> None:
    """Streams and changes need it, and who comes without is counted by address."""

    async def play(site: Running) -> None:
        known = await site.visitor()
        await known.get("/runs/")

        async def without_cookie(method: str, path: str) -> tuple[int, Any]:
            visitor = await site.visitor()
            headers = {"Origin": site.base, "Accept": "text/html"}
            async with visitor.session.request(
                method, site.base + path, data={"puzzle": "sudoku"}, headers=headers
            ) as found:
                return found.status, found.headers

        assert (await without_cookie("GET", "/events?on=r.x"))[0] == 403
        assert (await without_cookie("POST", "/matches"))[0] == 403
        assert site.site.tables.unfinished() == 0
        [bucket] = site.site.guard.new.values()
        bucket.left = 0.0
        status, headers = await without_cookie("GET", "/runs/")
        assert status == 429 and int(headers["Retry-After"]) >= 1
        assert "Set-Cookie" not in headers  # cookies are not given away faster than this
        assert (await known.get("/runs/")).status == 200

    on_site(tmp_path, play)


def test_too_many_reads_are_refused(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        await visitor.get("/runs/")
        found = await asyncio.gather(*(visitor.get("/runs/") for _ in range(700)))
        assert found[0].status == 200
        refused = [each for each in found if each.status == 429]
        assert refused and int(refused[-1].headers["Retry-After"]) >= 1
        assert (await other.get("/runs/")).status == 200
        assert (await visitor.get("/assets/web.css")).status == 200

    on_site(tmp_path, play)


def test_nobody_has_all_workers(tmp_path: Path) -> None:
    """Six slow tasks of one visitor do not make another one wait."""

    async def compute() -> None:
        pool = Workers(2)
        pool.start()
        try:
            for who in ("anna", "ben"):  # the processes are there
                asker.set(who)
                await asyncio.gather(*(pool.run(time.sleep, 0.1) for _ in range(2)))
            asker.set("anna")
            slow = [asyncio.create_task(pool.run(time.sleep, 1.0)) for _ in range(6)]
            slow[-1].cancel()
            await asyncio.sleep(0.1)
            asker.set("ben")
            begun = time.perf_counter()
            assert await pool.run(sum, (1, 2)) == 3
            assert time.perf_counter() - begun < 0.8
            await asyncio.gather(*slow, return_exceptions=True)
            asker.set("anna")
            assert await pool.run(sum, (1, 2)) == 3
        finally:
            pool.close()

    asyncio.run(compute())


def test_no_process_is_left_behind() -> None:
    """Neither when a task fails at the moment when the site ends, nor when a task is too slow."""

    async def compute() -> list[subprocess.Popen[bytes]]:
        pool = Workers(2)
        pool.start()
        processes = [worker.process for worker in pool._all]
        with pytest.raises(TooSlow):
            await pool.run(time.sleep, 5, seconds=0.1)
        processes += [worker.process for worker in pool._all]
        pool.close()
        for worker in pool._all:
            worker._replace()  # by a thread that has just received that its process is gone
        return [*processes, *(worker.process for worker in pool._all)]

    for process in asyncio.run(compute()):
        assert process.poll() is not None


def test_a_site_ends_whatever_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nothing keeps its folder from the next one."""

    processes = list[subprocess.Popen[bytes]]()

    async def end() -> None:
        async with running(tmp_path) as site:
            processes.extend(worker.process for worker in site.site.workers._all)

            async def fail() -> None:
                raise RuntimeError("for example")

            monkeypatch.setattr(site.site.judging, "close", fail)

    async def again() -> None:
        async with running(tmp_path):
            pass

    with pytest.raises(RuntimeError, match="for example"):
        asyncio.run(end())
    assert all(process.poll() is not None for process in processes)
    asyncio.run(again())


def test_whoever_has_used_the_workers_least_is_next() -> None:
    """So nobody waits for all others who have asked before and had their turn."""

    async def compute() -> list[str]:
        pool = Workers(1)
        pool.start()
        order = list[str]()

        async def ask(who: str, seconds: float) -> None:
            asker.set(who)
            await pool.run(time.sleep, seconds)
            order.append(who)

        try:
            await ask("anna", 0.3)
            await ask("ben", 0.1)
            order.clear()
            waiting = [
                asyncio.create_task(ask(who, 0.05)) for who in ("anna", "anna", "ben", "new")
            ]
            await asyncio.gather(*waiting)
        finally:
            pool.close()
        return order

    assert asyncio.run(compute()) == ["anna", "new", "ben", "anna"]


@pytest.mark.parametrize(("full", "of_one"), [(3, 10), (10, 3)])
def test_too_many_tasks_are_refused(
    monkeypatch: pytest.MonkeyPatch, full: int, of_one: int
) -> None:
    monkeypatch.setattr(workers, "FULL", full)
    monkeypatch.setattr(workers, "MOST_OF_ONE", of_one)

    async def compute() -> None:
        pool = Workers(1)
        pool.start()
        try:
            tasks = [asyncio.create_task(pool.run(time.sleep, 0.1)) for _ in range(6)]
            found = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            pool.close()
        assert [type(each) for each in found] == [type(None)] * 4 + [Overloaded] * 2

    asyncio.run(compute())


def test_two_who_play_again_at_the_same_moment_meet(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        seat = await visitor.begin(puzzle="card_nim", level="easy", against="human")
        match = seat.rpartition("/")[0]
        await other.get(match, Accept="text/html")
        await other.post(f"{match}/1/take")
        await visitor.post(f"{seat}/resign", {})
        asked = [one.post(f"{place}/rematch", {}) for one, place in
                 ((visitor, seat), (other, f"{match}/1"), (visitor, seat))]  # fmt: skip
        found = await asyncio.gather(*asked)
        assert len({each.data["to"].split("/")[2] for each in found}) == 1
        assert site.site.tables.unfinished() == 1

    on_site(tmp_path, play)


def test_matches_that_begin_at_the_same_moment_are_all_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "MATCHES", 3)

    async def play(site: Running) -> None:
        visitor = await site.visitor()
        await visitor.get("/runs/")

        async def begin() -> int:
            async with visitor.session.post(
                f"{site.base}/matches",
                data={"puzzle": "sudoku"},
                headers={"Origin": site.base},
                allow_redirects=False,
            ) as found:
                return found.status

        codes = await asyncio.gather(*(begin() for _ in range(8)))
        assert sorted(codes) == [303] * 3 + [429] * 5
        assert site.site.tables.unfinished() == 3

    on_site(tmp_path, play)


def test_a_site_that_is_half_full_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "MANY_MATCHES", 3)
    monkeypatch.setattr(web_site, "FEW_MATCHES", 1)

    async def play(site: Running) -> None:
        visitor, other = await site.visitor(), await site.visitor()
        for _ in range(3):
            await visitor.begin(puzzle="sudoku")
        with pytest.raises(AssertionError, match="too many unfinished"):
            await visitor.begin(puzzle="sudoku")
        await other.begin(puzzle="sudoku")
        with pytest.raises(AssertionError, match="too many unfinished"):
            await other.begin(puzzle="sudoku")

    on_site(tmp_path, play)


def test_nobody_is_locked_out_by_those_with_many_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "ALL_STREAMS", 4)

    async def play(site: Running) -> None:
        anna, ben = await site.visitor(), await site.visitor()
        for visitor in (anna, ben):
            await visitor.get("/runs/")
        path = f"{site.base}/events?on=r.x"
        first, *others = [await anna.session.get(path) for _ in range(4)]
        one, two = [await ben.session.get(path) for _ in range(2)]
        assert [each.status for each in (*others, one, two)] == [200] * 5
        assert await asyncio.wait_for(first.read(), 5) == b""  # it is closed
        third = await ben.session.get(path)
        assert third.status == 429
        for stream in (*others, one, two):
            stream.close()

    on_site(tmp_path, play)


def test_streams_are_bounded(tmp_path: Path) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        await visitor.get("/runs/")
        streams = [await visitor.session.get(f"{site.base}/events?on=r.x") for _ in range(14)]
        assert [each.status for each in streams].count(429) == 2
        for stream in streams:
            stream.close()
        await until(lambda: _true(not site.site.guard.streams))

    on_site(tmp_path, play)


def test_a_body_that_cannot_be_unpacked_is_one_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(site: Running) -> None:
        visitor = await site.visitor()
        seat = await visitor.begin(puzzle="sudoku", level="easy")
        headers = {"Origin": site.base, "Content-Encoding": "gzip"}
        async with visitor.session.post(
            f"{site.base}{seat}/reply", data=b"junk that is not packed", headers=headers
        ) as found:
            assert found.status == 400

    on_site(tmp_path, play)
    [entry] = [entry for entry in caplog.records if entry.name == "aiohttp.server"]
    assert entry.getMessage().startswith("a request cannot be read: 400, message: Can not decode")
    assert entry.exc_info is None and "\n" not in entry.getMessage()


def test_no_address_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not even of a request that is none."""

    async def ask() -> None:
        async with running(tmp_path) as site:
            port = int(site.base.rpartition(":")[2])
            for start in (b"FOO /", b"GET /" + b"a" * 9_000):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(start + b" HTTP/1.1\r\n\r\n")
                assert b" 400 " in await reader.readline()
                writer.close()

    asyncio.run(ask())
    assert "a request cannot be read" in caplog.text
    assert "127.0.0.1" not in caplog.text and "Traceback" not in caplog.text


def test_other_sites_cannot_read_what_is_sent(tmp_path: Path) -> None:
    """Lists of matches are scripts, which any page could load."""

    async def ask() -> None:
        async with running(tmp_path) as site:
            visitor = await site.visitor()
            for path in ("/", "/assets/web.js", "/nothing"):
                async with visitor.session.get(f"{site.base}{path}") as found:
                    assert "same-origin" == found.headers["Cross-Origin-Resource-Policy"]

    asyncio.run(ask())
