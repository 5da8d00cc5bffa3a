"""The published items of string synthesis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_synthesis import read

from .prompts import prompts, read_prompts

# Worked out by hand, by level and family.
ANSWERS = "1 0 3|0 0 7|0 1 0 4|0 3 0 3|0 0 0 1 1 6|2 0 1 2 1 3|0 1 0 0 0 1 2 2 1|0 0 0 0 1 0 2 2 1"
STEPS = [3, 3, 6, 4, 8, 6, 10, 10]  # entries of the process


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """Of the English ones, one has turns of three of its four methods, one asks for six kinds."""
    english, refused = read_prompts(data, "en", "string_synthesis")
    chinese, none = read_prompts(data, "zh", "string_synthesis")
    made = list(chinese.values())

    assert refused == {
        14: "turns of methods 1, 2, 3 are named, of 4 methods",
        15: "its answer lists [A], [B], [C], {A}, {B}, {C}, and its kinds are [A], [B], [C], {A}, "
        "{B}, {C}, (A), (B), (C)",
    }
    assert not none and list(english.values()) == [*made[:4], made[5], made[7]]
    assert [one.family for one in made] == ["a", "b"] * 4
    assert "|".join(" ".join(one.work().answer) for one in made) == ANSWERS
    assert [len(one.work().process) for one in made] == STEPS


def test_the_published_references(data: Path) -> None:
    """One of four lacks a blank; all else agrees."""
    lines = (data / "logicgame" / "dev" / "zh_dev_10.jsonl").read_text("utf-8").splitlines()
    items = [item for item in map(json.loads, lines) if item["category"] == "字符串合成"]
    made = {item["qid"]: item for item in prompts(data, "zh", "string_synthesis")}
    assert len(items) == 4
    for item in items:
        work = read(made[item["qid"]]["contexts"][0], item["level"]).work()
        process = [entry.replace("[B][C]", "[B] [C]") for entry in item["reference"]["process"]]

        assert (work.answer, work.process) == (item["reference"]["answer"], process)
        assert (process != item["reference"]["process"]) == (item["level"] == 2)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Two [B] can", "Four [B] might", "not understood: '4. Four"),
        ("\n4. Two", "\n5. Two", r"its methods have the numbers \['1', '2', '3', '5'\]"),
        ("Method 1, 2, 3, 4 in", "Method 1, 2, 4 in", "turns of methods 1, 2, 4 are named, of 4"),
        ("Two [B] can", "Two [A] can", "no family has at level 2 a last method that takes"),
        ("executing one method at a time", "executing any", "not understood: 'Cycle through"),
        ("six different blocks", "five different blocks", "it announces five kinds and names"),
        ("order of [A], [B], [C]", "order of [A], [C], [B]", r"its answer lists \[A\], \[C\]"),
        ("have six [A], seven", "have six [A], ten", "0 places fit"),
        ("have six [A], seven [B]", "have six [A], seven [A]", r"\[A\] comes twice"),
    ],
)
def test_what_is_not_understood(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_synthesis")[5]["contexts"][0]

    assert text.count(old) == 1
    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 2)
