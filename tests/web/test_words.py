"""The words of the page of a match in other languages."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

import quandary.report.viewer
import quandary.web
from site_client import running

ASSETS = Path(quandary.web.__file__).parent / "assets"
VIEWER = Path(quandary.report.viewer.__file__).parent / "assets"
SAID = re.compile(r'\bsay\("((?:[^"\\]|\\.)*)"')
STATUS = re.compile(r'^    [a-z]+: "([^"]+)",$', re.MULTILINE)
CHOSEN = {  # not written where they are said
    "right", "wrong", "slow", "normal", "fast", "no move could be read",
    "several moves could be read",
}  # fmt: skip
KNOWN = re.compile(r'^      "([^"]+)": "([^"]+)",$', re.MULTILINE)


def test_every_phrase_of_the_scripts_is_translated() -> None:
    """None is missing, none is left over, and the values of a phrase stay."""
    stage = (VIEWER / "stage.js").read_text("utf-8")
    scripts = [(ASSETS / name).read_text("utf-8") for name in ("play.js", "replay.js")]
    phrases = set(SAID.findall("".join([*scripts, stage])))
    phrases |= set(STATUS.findall(stage)) | CHOSEN
    known = dict(KNOWN.findall((ASSETS / "words.js").read_text("utf-8")))

    assert phrases - known.keys() == set()
    assert known.keys() - phrases == set()
    for english, translated in known.items():
        values = [sorted(re.findall(r"\{\w+\}", text)) for text in (english, translated)]
        assert values[0] == values[1], english


def test_a_chinese_match_is_chinese(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path) as site:
            visitor, other = await site.visitor(), await site.visitor()
            fields = {"puzzle": "card_nim", "level": "easy", "language": "zh", "against": "human"}
            seat = await visitor.begin(**fields)
            page = (await visitor.get(seat, Accept="text/html")).text
            assert 'lang="zh"' in page and "规则" in page
            page = (await other.get(seat.rpartition("/")[0], Accept="text/html")).text
            assert "坐到 1 号座位" in page
            assert (await visitor.view(seat))["players"][1] == "空座位"
            assert (await visitor.reply(seat, text=" ")).data["error"].startswith("你没有作答")
            advice = (await visitor.post(f"{seat}/hint", {})).data["advice"]
            assert advice.startswith("最强的玩家会走：")

    asyncio.run(play())
