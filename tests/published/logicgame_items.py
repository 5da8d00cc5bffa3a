"""LogicGame's published prompts, by category; the n-th of a level in one language is that of the
other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quandary.published.logicgame.prompts import NotRead


def items(data: Path, language: str, category: str) -> list[dict[str, Any]]:
    lines = (data / "logicgame" / f"{language}_all_304.jsonl").read_text(encoding="utf-8")
    found = [item for item in map(json.loads, lines.splitlines()) if item["category"] == category]
    return sorted(found, key=lambda item: (item["level"], int(item["qid"].rpartition("_")[2])))


def read_all(
    data: Path, language: str, category: str, read: Callable[[str, str], Any]
) -> list[Any]:
    """The instances, or the reasons why items are left out."""
    found = []
    for item in items(data, language, category):
        try:
            found.append(read(item["contexts"][0], language))
            assert found[-1].level == item["level"]
        except NotRead as reason:
            found.append(str(reason))
    return found
