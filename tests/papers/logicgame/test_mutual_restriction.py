"""The published items of mutual restriction: read alike in both languages, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from proofs.second_workings.mutual_restriction import work

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.mutual_restriction import read

from .prompts import prompts, read_prompts

TABLES = "its tables of the five elements do not fit together"
THREE = "3 rows of cards fit all results"
# By English number: family, own cards, results, and the last two entries of the process.
READ = {
    196: ("a", "A", "D", ["A"]),
    197: ("a", "AE", "WD", ["*", "CE"]),
    198: ("a", "AEC", "WLD", ["**", "EAC"]),  # by the rules of the prompt, not by the reference
    200: ("b", "H", "L", ["G"]),
    201: ("b", "BG", "LW", ["*", "AH"]),
    202: ("b", "FGB", "WWL", ["GH", "GHA"]),
    203: ("b", "GCBA", "DLLL", ["G**", "GBAH"]),
    220: ("c", "A", "W", ["B"]),
    221: ("c", "AB", "DW", ["*", "AC"]),
    222: ("c", "ABD", "WDW", ["BD", "BDA"]),
    223: ("c", "ABCD", "WDDL", ["BD*", "BDAC"]),
    224: ("d", "H", "W", ["A"]),
    225: ("d", "FA", "WL", ["*", "GH"]),
    226: ("d", "DCH", "LLW", ["**", "CBA"]),
    227: ("d", "EHBC", "LWDD", ["*AB", "DABC"]),
}


def told(made: Any) -> tuple[str, str, str, list[str]]:
    results = "".join(result[0].upper() for result in made.results)
    return made.family, made.own, results, ["".join(entry) for entry in made.work().process[-2:]]


def test_all_english_items_but_one_are_read(data: Path) -> None:
    instances, refused = read_prompts(data, "en", "mutual_restriction")

    assert {number: told(made) for number, made in instances.items()} == READ
    assert refused == {199: THREE}
    assert all(tuple(made.work()) == work(made) for made in instances.values())


def test_chinese_items_ask_the_same(data: Path) -> None:
    """But for the five elements, whose tables have two typing errors in three of four items."""
    instances, refused = read_prompts(data, "zh", "mutual_restriction")
    pairs = zip(
        *(
            [
                int(item["qid"].rpartition("_")[2])
                for item in prompts(data, language, "mutual_restriction")
            ]
            for language in ("en", "zh")
        ),
        strict=True,
    )
    english = {chinese: number for number, chinese in pairs}

    assert refused == {272: TABLES, 276: TABLES, 280: TABLES, 284: THREE}
    assert {english[number]: told(made) for number, made in instances.items()} == {
        number: row for number, row in READ.items() if row[0] != "a"
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Round 1: B, lost.", "Round 1: J, lost.", "not understood: 'J, lost'"),
        ("Round 1: B, lost.", "Round 1: B, tired.", "not understood: 'B, tired'"),
        ("Round 1: B, lost.", "Round 1: G, lost.", "a card is put down twice"),
        ("Round 1: B, lost.", "Round 1: C, lost.", "2 rows of cards fit all results"),
        ("Round 1: B, lost.", "Round 2: B, lost.", "its rounds are not numbered from 1 on"),
        ("Round 2: G, won.", "", "2 rows of cards fit all results"),
        ("Round 1: B, lost.", "Round 1: A, lost.", "0 rows of cards fit all results"),
        ("landmine", "pit", "not understood: 'Both parties, A and B, play a game"),
    ],
)
def test_what_is_not_read(data: Path, old: str, new: str, reason: str) -> None:
    [prompt] = [
        item["contexts"][0]
        for item in prompts(data, "en", "mutual_restriction")
        if item["qid"].endswith("_201")
    ]

    assert old in prompt
    with pytest.raises(NotRead, match=f"^{reason}"):
        read(prompt.replace(old, new), 1)


def test_tables_that_contradict_each_other_are_not_read(data: Path) -> None:
    for item in prompts(data, "en", "mutual_restriction"):
        if item["qid"].endswith("_196"):
            wrong = item["contexts"][0].replace(
                "Wood A overcomes Earth C", "Wood A overcomes Fire B"
            )
            with pytest.raises(NotRead, match=TABLES):
                read(wrong, 0)
