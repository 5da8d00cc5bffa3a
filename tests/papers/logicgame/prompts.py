"""LogicGame's published prompts, read; the n-th of a category and level is the same item in both
languages.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from quandary.papers.logicgame.categories import CATEGORIES
from quandary.papers.logicgame.prompts import NotRead


def prompts(data: Path, language: str, name: str) -> list[dict[str, Any]]:
    """The items of a category of ours, by level and number."""
    lines = (data / "logicgame" / f"{language}_all_304.jsonl").read_text("utf-8").splitlines()
    items = [item for item in map(json.loads, lines) if CATEGORIES[item["category"]] == name]
    return sorted(items, key=lambda item: (item["level"], _number(item["qid"])))


def read_prompts(data: Path, language: str, name: str) -> tuple[dict[int, Any], dict[int, str]]:
    """By the numbers of items: the instances, and why others are not read."""
    reader = import_module(f"quandary.papers.logicgame.readers.{name}")
    instances, refused = dict[int, Any](), dict[int, str]()
    for item in prompts(data, language, name):
        number, text = _number(item["qid"]), item["contexts"][0]
        try:
            made = reader.read(text, item["level"])
        except NotRead as reason:
            refused[number] = str(reason)
            continue
        named = re.search(r"\bprocess\b", text.split("Please note")[0])  # not "text processing"
        assert made.asks_process == bool(named)
        instances[number] = made
    return instances, refused


def _number(qid: str) -> int:
    return int(qid.rpartition("_")[2])
