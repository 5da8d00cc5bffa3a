"""A study: who takes part, in which order, and what is left of somebody who leaves."""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from yarl import URL

from quandary.arena import suite as suites
from quandary.arena.manifest import PLAYERS
from quandary.arena.store import manifest_of, records
from quandary.catalogue.spec import Spec
from quandary.web import tasks
from quandary.web.database import Database, Unwritable
from quandary.web.study import Study, StudySettings
from site_client import Running, Visitor, running

SUITE = """
tries = 3
count_unreadable = true

[[puzzles]]
puzzle = "text_sudoku"
levels = ["easy", "medium"]
seeds = "1-5"

[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy", "medium"]
seeds = "1-5"
"""


def settings(sessions: int = 2, text: str = SUITE) -> StudySettings:
    return StudySettings(suites.read("small", text), sessions, "us@example.org", "for one year")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    database = Database(tmp_path)
    yield Study(settings(), database)
    database.close()


def test_each_place_and_each_order_occurs_equally_often(study: Study) -> None:
    orders = [study.order(number) for number in range(study.length)]

    assert all(sorted(order) == list(range(study.length)) for order in orders)
    for place in range(study.length):
        assert len({order[place] for order in orders}) == study.length
    following = Counter(pair for order in orders for pair in pairwise(order))
    assert set(following.values()) == {1}


def test_the_study_of_the_paper(tmp_path: Path) -> None:
    """One instance of each of the 24 games and levels per session."""
    database = Database(tmp_path)
    found = Study(
        StudySettings(suites.load("textgames"), 3, "us@example.org", "for one year"), database
    )
    people = [found.agree(f"visitor-of-the-study-{number}") for number in range(5)]
    assert found.length == 24
    for person in people:
        items = [found.item(person, number) for number in range(found.total)]
        assert len(items) == 72 == len({item.spec for item in items})
        for session in range(3):
            own = [item.spec for item in items if item.session == session]
            assert len({(spec.name, spec.level) for spec in own}) == 24
    every = [found.item(one, number).spec for one in people for number in range(found.total)]
    assert len(set(every)) == len(every)  # nobody has an instance of another one
    database.close()


def test_the_order_follows_from_the_pseudonym(study: Study) -> None:
    person = study.agree("a-visitor-with-a-long-key")
    again = study.person("a-visitor-with-a-long-key")
    assert again is not None and person.pseudonym == again.pseudonym
    assert [study.item(person, at) for at in range(8)] == [study.item(again, at) for at in range(8)]
    assert study.agree("a-visitor-with-a-long-key") == again
    assert study.person("nobody-at-all-is-this-one") is None


def test_nothing_is_kept_before_somebody_agrees(tmp_path: Path) -> None:
    async def visit() -> None:
        async with running(tmp_path, study=settings()) as site:
            visitor = await site.visitor()
            page = await visitor.get("/study", Accept="text/html")
            assert "us@example.org" in page.text and "for one year" in page.text
            for path in ("/study/next", "/study/stop", "/study/delete", "/study/answers"):
                assert (await visitor.post(path)).status == 403
            assert (await visitor.post("/study/agree")).status == 409  # the text was not sent back
            assert site.site.database.rows("select * from people") == []

    asyncio.run(visit())


def test_the_consent_says_how_many_puzzles_there_are(study: Study) -> None:
    assert "solve 8 puzzles, in 2 sessions of 4 each," in study.consent()[0]
    one = Study(settings(1), study.database)
    assert "solve 4 puzzles, as well" in one.consent()[0]


@pytest.mark.parametrize("change", ["text", "suite"])
def test_other_terms_are_asked_for_again(tmp_path: Path, change: str) -> None:
    """Nothing more is kept until the person agrees; what they agreed to stays on the page."""
    seats = list[str]()

    async def agree() -> None:
        async with running(tmp_path, study=settings()) as site:
            assert site.site.study
            visitor = await site.visitor()
            await agreed(visitor, site.site.study)
            seats.append(await following(visitor))
            page = (await visitor.get("/study", Accept="text/html")).text
            seats.append(page.split("/study/back/")[1].split("<")[0])

    def kept(site: Running) -> list[Any]:
        tables = ("people", "matches", "heard", "shown")
        return [site.site.database.rows(f"select * from {table}") for table in tables]

    async def look() -> None:
        changed = replace(settings(1), contact="others@example.org")
        if change == "suite":
            changed = settings(text=SUITE.replace("tries = 3", "tries = 2"))
        seat, key = seats
        async with running(tmp_path, study=changed) as site:
            visitor = await site.visitor()
            await visitor.get("/study", Accept="text/html")
            assert (await visitor.post(f"/study/back/{key}")).status == 303
            before = kept(site)
            page = (await visitor.get("/study", Accept="text/html")).text
            assert "The terms of the study have changed" in page
            assert "us@example.org" in page and "2 sessions" in page
            assert ("others@example.org" in page) == (change == "text")
            assert (await visitor.reply(seat, text="x")).status == 409
            for path in ("/study/next", "/study/answers", f"{seat}/resign"):
                assert (await visitor.post(path, {})).status == 409
            assert kept(site) == before
            assert site.site.study
            await agreed(visitor, site.site.study)
            page = (await visitor.get("/study", Accept="text/html")).text
            assert "Begin" in page or "Go on" in page
            await following(visitor)
            assert kept(site) != before

    asyncio.run(agree())
    asyncio.run(look())


async def agreed(visitor: Visitor, study: Study) -> None:
    await visitor.get("/study", Accept="text/html")
    async with visitor.session.post(
        f"{visitor.base}/study/agree",
        data={"version": study.consent_version()},
        headers={"Origin": visitor.base},
        allow_redirects=False,
    ) as found:
        assert found.status == 303


async def following(visitor: Visitor) -> str:
    return str((await visitor.post("/study/next")).headers["Location"])


def test_people_are_treated_as_models_are(tmp_path: Path) -> None:
    """Three tries with feedback, unreadable replies count, and there is no help."""

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            assert site.site.study
            visitor = await site.visitor()
            await agreed(visitor, site.site.study)
            seat = await following(visitor)
            assert seat == await following(visitor)  # the same until it is over
            view = await visitor.view(seat)
            assert view["study"] and view["may"] == ["resign"]
            for what in ("hint", "undo", "cost", "solution", "rematch"):
                assert (await visitor.post(f"{seat}/{what}", {})).status == 409
            # Neither is there help around the study.
            assert "match" not in (await visitor.get(f"{seat.rpartition('/')[0]}/view")).data
            async with visitor.session.post(
                f"{site.base}/matches", data={"spec": view["name"]}, headers={"Origin": site.base}
            ) as found:
                assert found.status == 403
            last: Any = None
            for text in ("", "nonsense", "wrong again"):
                last = await visitor.reply(seat, text=text)
                assert last.status == 200
            assert last.data["over"] and last.data["scores"] == [0.0]
            assert await following(visitor) != seat
            assert (await visitor.get("/runs/study-small/")).status == 404

    asyncio.run(play())
    [record] = records(tmp_path / "runs" / "study-small")
    assert len(record.said) == 3 and record.players[0].startswith("human/p0001-")
    manifest = manifest_of(tmp_path / "runs" / "study-small") or {}
    assert (manifest["suite"]["name"], manifest["suite"]["tries"]) == ("small", 3)


def test_no_task_tells_of_an_instance_of_the_study(tmp_path: Path) -> None:
    """Its solution is that of the instance, or of positions in it."""
    text = '[[puzzles]]\npuzzle = "sudoku"\nlevels = ["easy"]\nseeds = "1-2"\n'

    async def play() -> None:
        async with running(tmp_path, study=settings(1, text)) as site:
            visitor, statuses = await site.visitor(), []
            await visitor.get("/", Accept="text/html")  # for the cookie
            for spec in (
                "sudoku/easy#1",
                "whole:sudoku/easy#1",
                "check:sudoku/easy#2",
                "next:sudoku/easy#2",
                "whole:sudoku/easy#3",
            ):
                async with visitor.session.post(
                    f"{site.base}/matches",
                    data={"spec": spec},
                    headers={"Origin": site.base},
                    allow_redirects=False,
                ) as found:
                    statuses.append(found.status)
            assert [403] * 4 + [303] == statuses

    asyncio.run(play())


def test_no_picture_shows_an_instance_of_the_study(tmp_path: Path) -> None:
    """A study has the seeds 1 to 5 of its levels, and the library usually shows seed 1."""
    from quandary.web.library import WIDTH

    def drawn(seed: int) -> str:
        return tasks.thumbnail(f"text_sudoku/easy#{seed}", WIDTH)

    async def look() -> None:
        async with running(tmp_path, study=settings()) as site:
            visitor = await site.visitor()
            shown = await visitor.get("/pictures/text_sudoku.svg?level=easy")
            assert shown.text == drawn(6) != drawn(1)
            assert (await visitor.get("/p/text_sudoku", Accept="text/html")).status == 200
            site.site.library.studied = {Spec("sudoku", "easy", 20261119)}
            day = "/pictures/sudoku.svg?level=easy&daily="
            assert (await visitor.get(f"{day}2026-11-19")).status == 403
            assert (await visitor.get(f"{day}2026-11-20")).status == 200
        async with running(tmp_path / "ordinary") as site:
            visitor = await site.visitor()
            shown = await visitor.get("/pictures/text_sudoku.svg?level=easy")
            assert shown.text == drawn(1)

    asyncio.run(look())


def test_no_run_shows_a_match_of_the_study(tmp_path: Path) -> None:
    """Nor what its moves cost; other matches of the run are shown."""
    from quandary.cli.main import main

    text = '[[puzzles]]\npuzzle = "sudoku"\nlevels = ["easy"]\nseeds = "{}"\n'
    (tmp_path / "suite.toml").write_text(text.format("1-2"))
    run, suite = tmp_path / "q", str(tmp_path / "suite.toml")
    assert 0 == main(["run", "--suite", suite, "--player", "oracle", "--out", str(run)])
    names = [record.name for record in records(run)]
    hidden, shown = names.index("sudoku/easy#1") + 1, names.index("sudoku/easy#2") + 1

    async def look() -> None:
        studied = settings(1, text.format("1"))
        async with running(tmp_path / "site", study=studied, runs=[run]) as site:
            visitor = await site.visitor()
            for end in ("", ".json", "/costs.json"):
                assert (await visitor.get(f"/runs/q/{shown}{end}")).status == 200
                answer = await visitor.get(f"/runs/q/{hidden}{end}")
                assert answer.status == 403 and "part of the study" in answer.data["error"]
            answer = await visitor.get(f"/compare?a=q/{shown}&b=q/{hidden}")
            assert answer.status == 403
            listed = (await visitor.get("/runs/q/matches/list.js")).text
            assert "sudoku/easy#2" in listed and "sudoku/easy#1" not in listed
            script = (await visitor.get("/runs/q/matches/1-0.js")).text
            packed = script.partition(",")[2].rpartition('"')[0].strip(' "')
            file = zlib.decompress(base64.b64decode(packed)).decode()
            assert "sudoku/easy#2" in file and "sudoku/easy#1" not in file
            assert "part of the study" in file
            page = await visitor.get("/runs/q/", Accept="text/html")
            assert "Those on instances of the study on this site are not shown." in page.text

    asyncio.run(look())


def test_nobody_comes_back_whose_match_was_being_made(tmp_path: Path) -> None:
    """A deletion may be finished while an instance is computed."""

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study, make = site.site.study, site.site.instance
            assert study
            visitor = await site.visitor()
            await agreed(visitor, study)

            async def instance(*of: Any) -> Any:
                made = await make(*of)
                headers = {"Origin": site.base}
                address = f"{site.base}/study/delete"
                async with visitor.session.post(address, data={"sure": "yes"}, headers=headers):
                    return made

            site.site.instance = instance  # type: ignore[method-assign]
            assert (await visitor.post("/study/next")).status == 410
            assert site.site.database.rows("select * from matches") == []

    asyncio.run(play())


@asynccontextmanager
async def slow_post(visitor: Visitor, path: str, body: str, kind: str) -> AsyncIterator[list[str]]:
    """Send a request whose body ends after what is done within; then the answer is in the list."""
    at = URL(visitor.base)
    cookies = visitor.session.cookie_jar.filter_cookies(at)
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {at.host}:{at.port}",
        f"Origin: {visitor.base}",
        "Cookie: " + "; ".join(f"{name}={each.value}" for name, each in cookies.items()),
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    reader, writer = await asyncio.open_connection(at.host, at.port)
    writer.write("\r\n".join([*lines, "", body[:3]]).encode())
    await writer.drain()
    await asyncio.sleep(0.2)  # its handler waits for the rest
    answer = list[str]()
    try:
        yield answer
        writer.write(body[3:].encode())
        answer.append((await reader.read()).decode())
    finally:
        writer.close()


FORM, JSON = "application/x-www-form-urlencoded", "application/json"


@pytest.mark.parametrize("what", ["answers", "agree", "delete", "begin", "take", "reply", "resign"])
def test_a_slow_request_keeps_nothing_of_who_is_deleted(tmp_path: Path, what: str) -> None:
    """It is received in part, then the person deletes everything, and then its rest comes."""

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study = site.site.study
            assert study
            anna, ben = await site.visitor(), await site.visitor()
            open_seat = await ben.begin(puzzle="card_nim", level="easy", against="human")
            await agreed(anna, study)
            seat = await following(anna)
            path, body, kind = {
                "answers": ("/study/answers", "languages=SECRETWORD", FORM),
                "agree": ("/study/agree", f"version={study.consent_version()}", FORM),
                "delete": ("/study/delete", "sure=yes", FORM),
                "begin": ("/matches", "puzzle=sudoku&level=easy&own_name=SECRETWORD", FORM),
                "take": (f"{open_seat[:-2]}/1/take", "own_name=SECRETWORD", FORM),
                "reply": (f"{seat}/reply", '{"turn": 0, "text": "SECRETWORD"}', JSON),
                "resign": (f"{seat}/resign", "{   }", JSON),
            }[what]
            async with slow_post(anna, path, body, kind) as answer:
                assert (await delete(anna))[0] == 303
                tables = ("people", "matches", "heard", "deletions")
                before = [site.site.database.rows(f"select * from {each}") for each in tables]
            assert answer[0].startswith("HTTP/1.1 410 ") and "has been deleted" in answer[0]
            after = [site.site.database.rows(f"select * from {each}") for each in tables]
            assert after == before

    asyncio.run(play())
    assert files_with(tmp_path, "SECRETWORD") == []


def test_nothing_is_written_to_who_is_deleted(study: Study) -> None:
    """Whoever still holds the person writes nowhere."""
    person = study.agree("a-visitor-with-a-long-key")
    other = "update people set visitor = 'deleted-1' where number = ?"
    study.database.write(other, person.number)
    before = study.database.rows("select * from people")
    study.answer(person, {"languages": "SECRETWORD"})
    study.stop(person)
    assert study.database.rows("select * from people") == before


def test_help_is_not_counted_in_a_match_that_is_deleted(tmp_path: Path) -> None:
    """While the hint is computed, whoever asked for it deletes everything."""

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study, run = site.site.study, site.site.workers.run
            assert study
            anna, ben = await site.visitor(), await site.visitor()
            await agreed(anna, study)
            seat = await anna.begin(puzzle="card_nim", level="easy", against="human")
            await ben.get("/runs/")
            assert (await ben.post(f"{seat[:-2]}/1/take")).status == 303

            async def slow(task: Any, *of: Any, **options: Any) -> Any:
                found = await run(task, *of, **options)
                if task is tasks.hint:
                    assert (await delete(anna))[0] == 303
                return found

            site.site.workers.run = slow  # type: ignore[method-assign]
            assert (await anna.post(f"{seat}/hint", {})).status == 409
            [(used,)] = site.site.database.rows("select used from matches")
            assert json.loads(used) == [{}, {}]

    asyncio.run(play())


def test_a_rematch_has_no_name_of_the_other_person(tmp_path: Path) -> None:
    """They give it again when they come, and may be deleted before."""

    async def play() -> None:
        async with running(tmp_path) as site:
            anna, ben = await site.visitor(), await site.visitor()
            seat = await anna.begin(
                puzzle="card_nim", level="easy", against="human", own_name="anna"
            )
            await ben.get("/runs/")
            async with ben.session.post(
                f"{site.base}{seat[:-2]}/1/take",
                data={"own_name": "ben"},
                headers={"Origin": site.base},
            ):
                pass
            await anna.post(f"{seat}/resign", {})
            to = (await anna.post(f"{seat}/rematch", {})).data["to"]
            id = to.split("/")[2]
            [(players,)] = site.site.database.rows("select players from matches where id = ?", id)
            assert json.loads(players) == ["human", "human/anna"]

    asyncio.run(play())


def test_whoever_stops_is_asked_nothing(tmp_path: Path) -> None:
    """Until they go on; and two clicks at once begin one match."""

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            assert site.site.study
            visitor = await site.visitor()
            await agreed(visitor, site.site.study)
            seats = await asyncio.gather(*(following(visitor) for _ in range(4)))
            assert len(set(seats)) == 1
            assert (await visitor.post("/study/stop")).status == 303
            assert (await visitor.reply(seats[0], text="anything")).status == 409
            view = await visitor.view(seats[0])
            assert view["paused"].startswith("You have stopped taking part;")
            assert view["turn"] is view["input"] is None and view["may"] == []
            assert await following(visitor) == seats[0]
            assert "paused" not in await visitor.view(seats[0])
            assert (await visitor.reply(seats[0], text="anything")).status == 200

    asyncio.run(play())


def test_a_link_leads_back_after_a_question(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            assert site.site.study
            anna, device = await site.visitor(), await site.visitor()
            await agreed(anna, site.site.study)
            page = (await anna.get("/study", Accept="text/html")).text
            link = page.split("<code>")[1].split("</code>")[0].removeprefix(site.base)
            before = await device.begin(puzzle="sudoku", level="easy")
            assert "that is me" in (await device.get(link, Accept="text/html")).text
            assert (await device.view(before))["turn"] is not None  # nothing has changed
            assert (await device.post(link)).status == 303
            assert "pseudonym" in (await device.get("/study", Accept="text/html")).text
            assert (await device.get("/study/back/somebody-else-altogether")).status == 404

    asyncio.run(play())


def test_who_deletes_leaves_nothing(tmp_path: Path) -> None:
    names = list[str]()

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study = site.site.study
            assert study
            anna, ben = await site.visitor(), await site.visitor()
            for visitor in (anna, ben):
                await agreed(visitor, study)
                seat = await following(visitor)
                await visitor.reply(seat, text="SECRETWORD")
                await visitor.post(f"{seat}/resign", {})
                names.append((await visitor.view(seat))["players"][0])
            await site.site.keeping.keep()
            run = tmp_path / "runs" / "study-small"
            assert len(records(run)) == 2
            async with anna.session.post(
                f"{site.base}/study/delete", data={"sure": "yes"}, headers={"Origin": site.base}
            ) as found:
                assert found.status == 200
            assert [record.players for record in records(run)] == [(names[1],)]
            seat = await following(ben)  # the run goes on
            await ben.post(f"{seat}/resign", {})
            await site.site.keeping.keep()
            assert len(records(run)) == 2

    asyncio.run(play())
    manifest = manifest_of(tmp_path / "runs" / "study-small") or {}
    assert manifest[PLAYERS] == [names[1]]
    pseudonym = names[0].removeprefix("human/").encode()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert pseudonym not in path.read_bytes(), path


async def delete(visitor: Visitor) -> tuple[int, str]:
    async with visitor.session.post(
        f"{visitor.base}/study/delete",
        data={"sure": "yes"},
        headers={"Origin": visitor.base},
        allow_redirects=False,
    ) as found:
        return found.status, await found.text()


def files_with(folder: Path, word: str) -> list[Path]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in paths if word.encode() in path.read_bytes()]


async def resigned(visitor: Visitor, study: Study) -> str:
    """Play one match of the study; returns the pseudonym."""
    await agreed(visitor, study)
    seat = await following(visitor)
    await visitor.post(f"{seat}/resign", {})
    return str((await visitor.view(seat))["players"][0]).removeprefix("human/")


def test_a_deletion_that_fails_is_finished_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wish is noted first, and the person is told that it waits."""
    names = list[str]()

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study = site.site.study
            assert study
            visitor = await site.visitor()
            names.append(await resigned(visitor, study))
            await site.site.keeping.keep()

            def full(player: str) -> None:
                raise OSError(28, "No space left on device")

            monkeypatch.setattr(site.site.keeping.kept, "forget_in_studies", full)
            status, words = await delete(visitor)
            assert status == 507 and "stored and will be completed" in words
            page = await visitor.get("/study", Accept="text/html")
            assert "I agree" in page.text  # takes part no more
            assert len(records(tmp_path / "runs" / "study-small")) == 1
            await agreed(visitor, study)  # as another person

    async def start() -> None:
        async with running(tmp_path):  # there need not be a study any more
            pass

    asyncio.run(play())
    monkeypatch.undo()
    assert files_with(tmp_path, names[0])
    asyncio.run(start())
    assert files_with(tmp_path, names[0]) == []
    assert len(records(tmp_path / "runs" / "study-small")) == 0


def test_a_wish_that_cannot_be_noted_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study = site.site.study
            assert study
            visitor = await site.visitor()
            await agreed(visitor, study)

            def full(command: str, *values: object) -> None:
                raise Unwritable("database or disk is full")

            monkeypatch.setattr(site.site.database, "write", full)
            status, words = await delete(visitor)
            monkeypatch.undo()
            assert status == 507 and "nothing is deleted yet" in words
            assert (await delete(visitor))[0] == 303

    asyncio.run(play())


def test_damaged_lines_with_the_name_go_too(tmp_path: Path) -> None:
    """Whether they are in the run or were set aside; other damaged lines stay."""
    run = tmp_path / "runs" / "study-small"

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            study = site.site.study
            assert study
            visitor = await site.visitor()
            name = await resigned(visitor, study)
            await site.site.keeping.keep()
            damaged = f'{{"players": ["human/{name}\n{{"other": 7}}\n'
            for path in (run / "records.jsonl", run / "records.damaged.jsonl"):
                path.write_text((path.read_text() if path.exists() else "") + damaged)
            assert (await delete(visitor))[0] == 303
            assert files_with(run, name) == []
            assert len(files_with(run, '{"other": 7}')) == 2

    asyncio.run(play())


def test_people_are_scored_beside_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("pyarrow")
    from quandary.cli.main import main

    async def play() -> None:
        async with running(tmp_path, study=settings(1)) as site:
            study = site.site.study
            assert study
            for _ in range(3):
                visitor = await site.visitor()
                await agreed(visitor, study)
                for _ in range(study.length):
                    seat = await following(visitor)
                    await visitor.post(f"{seat}/resign", {})

    asyncio.run(play())
    assert 0 == main(["results", str(tmp_path / "runs" / "study-small")])
    assert "human" in capsys.readouterr().out
