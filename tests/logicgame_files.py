"""The published files of LogicGame in miniature, with prompts of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quandary.papers.logicgame.readers.slide_2048 import read
from quandary.papers.logicgame.wordings import wordings

# What a reader of 2048 looks for, in both languages.
WALK = {
    "en": (
        "4 meets 4 -> 8\nMove the tile in the upper left corner according to the {way} command:\n"
        "{grid}\n\nGive a JSON object with the field 'answer'{process}."
    ),
    "zh": (
        "4遇到4 -> 8\n将左上角的数字移动{way}：\n{grid}\n\n请给出JSON对象，字段'answer'{process}。"
    ),
}
GRID = "2, 2\n4, 8"
QUEENS = {"en": "Place two queens. Field 'answer'.", "zh": "放两个皇后。字段'answer'。"}
KEY = {"answer": ["4"], "process": ["4"]}  # of the walk "r"


def walk(language: str, way: str = "r", grid: str = GRID, *, asks_process: bool = True) -> str:
    process = " and 'process'" if asks_process else ""
    return WALK[language].format(way=way, grid=grid, process=process)


def make_known(prompt: str) -> None:
    """As if a prompt of 2048 had been published with this wording."""
    wordings().update(read.digests(prompt, 0))


for own in WALK:
    make_known(walk(own))
    make_known(walk(own, asks_process=False))


def item(language: str, number: int, prompt: str, **more: Any) -> dict[str, Any]:
    qid = f"logic_string{'0801' if language == 'en' else '0625'}_{number}"
    return {"qid": qid, "contexts": [prompt], "level": 0, "category": "2048"} | more


def items(language: str) -> list[dict[str, Any]]:
    """A walk, one whose grid is damaged in English, and two queens without a board."""
    damaged = GRID.replace("4,", "44,") if language == "en" else GRID
    return [
        item(language, 9, walk(language)),
        item(language, 11, walk(language, "d", damaged)),
        item(language, 300, QUEENS[language], category="八皇后"),
    ]


def write_files(folder: Path, **changed: list[dict[str, Any]]) -> Path:
    """The four files; `changed` are the items of a language."""
    (folder / "dev").mkdir(parents=True)
    for language in ("en", "zh"):
        own = changed.get(language) or items(language)
        write(folder / f"{language}_all_304.jsonl", own)
        write(folder / "dev" / f"{language}_dev_10.jsonl", [own[0] | {"reference": KEY}])
    return folder


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
