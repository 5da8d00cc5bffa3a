"""What is left of somebody who is deleted, in matches outside the study."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from quandary.arena import suite as suites
from quandary.arena.manifest import PLAYERS
from quandary.arena.store import manifest_of, records
from quandary.core.errors import UserError
from quandary.players.people import person
from quandary.web.study import StudySettings
from site_client import Running, Visitor, running

SUITE = '[[puzzles]]\npuzzle = "text_sudoku"\nlevels = ["easy"]\nseeds = "1-5"\n'


def settings() -> StudySettings:
    return StudySettings(suites.read("small", SUITE), 1, "us@example.org", "for one year")


async def send(visitor: Visitor, path: str, **data: str) -> int:
    async with visitor.session.post(
        visitor.base + path, data=data, headers={"Origin": visitor.base}, allow_redirects=False
    ) as found:
        return found.status


async def against_another(anna: Visitor, ben: Visitor, own: str, bens: str) -> str:
    """A match of two people on one instance; the path of the match."""
    seat = await anna.begin(spec="card_nim/easy#5", against="human", own_name=own)
    match = seat.rpartition("/")[0]
    await ben.get(match, Accept="text/html")
    assert await send(ben, f"{match}/1/take", own_name=bens) == 303
    return match


async def agree(visitor: Visitor, site: Running) -> None:
    assert site.site.study
    await visitor.get("/study", Accept="text/html")
    version = site.site.study.consent_version()
    assert await send(visitor, "/study/agree", version=version) == 303


def files_with(folder: Path, word: str) -> list[Path]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in paths if word.encode() in path.read_bytes()]


def test_nothing_is_left_but_matches_with_others(tmp_path: Path) -> None:
    """Neither the key of the browser nor a name; what others have played stays."""
    run = tmp_path / "runs" / "play-en"
    keys, views = list[str](), list[list[str]]()

    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            anna, ben = await site.visitor(), await site.visitor()
            alone = await anna.begin(puzzle="sudoku", own_name="anna-alone")
            await anna.post(f"{alone}/resign", {})
            house = await anna.begin(puzzle="card_nim", own_name="anna-house")
            await anna.post(f"{house}/resign", {})
            first = await against_another(anna, ben, "anna-first", "ben")
            await anna.post(f"{first}/0/resign", {})
            again = await against_another(anna, ben, "anna-again", "ben")
            await ben.post(f"{again}/1/resign", {})
            under_way = await against_another(anna, ben, "anna-still", "ben")
            others = await ben.begin(puzzle="sudoku", own_name="ben")
            await ben.post(f"{others}/resign", {})
            await site.site.keeping.keep()
            assert len(records(run)) == 5
            [(key,)] = site.site.database.rows("select json_extract(takers, '$[0]') from matches "
                                               "where players like '%anna-alone%'")  # fmt: skip
            keys.append(key)
            await agree(anna, site)
            assert await send(anna, "/study/delete", sure="yes") == 303
            assert (await ben.get(alone.rpartition("/")[0])).status == 404
            for match in (first, again, under_way):
                views.append((await ben.view(f"{match}/1"))["players"])
            assert (await ben.view(f"{under_way}/1"))["over"]
            assert (await anna.get(f"{first}/0")).status == 403

    asyncio.run(play())
    assert views == [["human/deleted", "human/ben"]] * 3
    assert files_with(tmp_path, "anna") == [] == files_with(tmp_path, keys[0])
    found = [(record.players, record.repeat) for record in records(run)]
    both = ("human/deleted", "human/ben")
    assert sorted(found) == [(("human/ben",), 0), (both, 0), (both, 1), (both, 2)]
    manifest = manifest_of(run) or {}
    assert set(manifest[PLAYERS]) == {"house", "human/ben", "human/deleted"}
    assert manifest["suite"]["repeats"] == 3


def test_nothing_is_left_when_both_are_deleted(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            anna, ben = await site.visitor(), await site.visitor()
            match = await against_another(anna, ben, "anna", "ben")
            await anna.post(f"{match}/0/resign", {})
            await site.site.keeping.keep()
            for visitor in (anna, ben):
                await agree(visitor, site)
                assert await send(visitor, "/study/delete", sure="yes") == 303
            assert site.site.database.rows("select * from matches") == []

    asyncio.run(play())
    assert len(records(tmp_path / "runs" / "play-en")) == 0


def test_what_is_read_of_runs_is_read_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path, study=settings()) as site:
            anna, ben = await site.visitor(), await site.visitor()
            match = await against_another(anna, ben, "anna", "ben")
            await anna.post(f"{match}/0/resign", {})
            await site.site.keeping.keep()
            for path in ("/runs/play-en/1.json", f"{match}/whole", "/runs/"):
                assert "anna" in (await ben.get(path)).text
            await agree(anna, site)
            assert await send(anna, "/study/delete", sure="yes") == 303
            for path in ("/runs/play-en/1.json", f"{match}/whole", "/runs/"):
                assert "anna" not in (await ben.get(path)).text

    asyncio.run(play())


def test_nobody_takes_the_name_of_those_who_were_deleted(tmp_path: Path) -> None:
    for name in ("deleted", "Deleted"):
        with pytest.raises(UserError, match="choose another name"):
            person(name)

    async def play() -> None:
        async with running(tmp_path) as site:
            visitor, other = await site.visitor(), await site.visitor()
            await visitor.get("/runs/")
            assert await send(visitor, "/matches", puzzle="sudoku", own_name="deleted") == 400
            seat = await visitor.begin(puzzle="card_nim", against="human")
            match = seat.rpartition("/")[0]
            await other.get(match, Accept="text/html")
            assert await send(other, f"{match}/1/take", own_name="DELETED") == 400

    asyncio.run(play())
