"""Published items of counting, operators and ciphers: read alike in both languages, or left out."""

from __future__ import annotations

import json
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from quandary.core.worked import Worked
from quandary.papers.logicgame.categories import CATEGORIES
from quandary.papers.logicgame.prompts import NotRead, parts

from .prompts import prompts

# Category -> number in the English or Chinese file -> why it is left out.
LEFT_OUT = {
    "statistical_counting": dict.fromkeys(
        ("en 85", "zh 15"), "its process counts A, B, C; its rules are about A, B, D"
    ),
    "new_operator": {
        "en 31": "it asks for results on the way, and its reference has the coefficients",
        **dict.fromkeys(("en 259", "zh 79"), "no exact number: log_2(625)"),
    },
    "character_search": {},
}
DIFFERENT = {"character_search": ["en 2"]}  # English items that ask for another word
FAMILIES = {"statistical_counting": "ab", "new_operator": "abc", "character_search": "abc"}


def number(item: dict[str, Any]) -> int:
    return int(item["qid"].rpartition("_")[2])


def read(name: str, item: dict[str, Any]) -> Worked | str:
    """The question, or why there is none."""
    reader = import_module(f"quandary.papers.logicgame.readers.{name}")
    try:
        made = reader.read(item["contexts"][0], item["level"])
    except NotRead as reason:
        return str(reason)
    assert isinstance(made, Worked)
    return made


@pytest.mark.parametrize("name", LEFT_OUT)
def test_items_are_read_alike_in_both_languages(data: Path, name: str) -> None:
    second = import_module(f"proofs.second_workings.{name}")
    left_out, different, families = {}, [], set()
    pairs = zip(prompts(data, "en", name), prompts(data, "zh", name), strict=True)
    for pair in pairs:
        made = [read(name, item) for item in pair]
        for language, item, one in zip(("en", "zh"), pair, made, strict=True):
            if isinstance(one, str):
                left_out[f"{language} {number(item)}"] = one
                continue
            assert second.work(one) == tuple(one.work())
            families.add((one.level, one.family))
        if len({type(one) for one in made}) == 1 and made[0] != made[1]:
            different.append(f"en {number(pair[0])}")

    assert left_out == LEFT_OUT[name]
    assert different == DIFFERENT.get(name, [])
    assert {family for _, family in families} == set(FAMILIES[name])


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_process_is_asked_for_as_published(data: Path, name: str) -> None:
    for language in ("en", "zh"):
        for item in prompts(data, language, name):
            made, (_, asked) = read(name, item), parts(item["contexts"][0])
            if isinstance(made, Worked):
                asked = asked.partition("Please note")[0]  # which always names the process
                assert made.asks_process == ("process" in asked)


# Worked out by hand: category -> number in the English file -> its answer and process.
BY_HAND = {
    ("statistical_counting", 4): ("1", ""),
    ("statistical_counting", 6): ("18", "3 2 1 2"),
    ("statistical_counting", 7): ("29", "3 2 1 2 1 1"),
    ("statistical_counting", 86): ("16", "2 2 1 3"),
    ("statistical_counting", 87): ("10", "4 2 1 2 1 2"),
    ("character_search", 0): ("u", ""),
    ("character_search", 1): ("u k x", "u k x"),
    ("character_search", 3): ("i n g e l d o f s t u d", "i n g e l d o f s t u d"),
    ("character_search", 80): ("b", ""),
    ("character_search", 81): ("f d w", "f d w"),
    ("character_search", 252): ("n", "n"),
    ("character_search", 254): ("g l j z u v", "g l j z u v"),
    ("new_operator", 28): ("2", ""),
    ("new_operator", 29): ("2.6", ""),
    ("new_operator", 30): ("29", "7 29"),
    ("new_operator", 118): ("26", "8 26"),
    ("new_operator", 119): ("1", "35 6 8 64 1"),
    ("new_operator", 257): ("25", ""),
    ("new_operator", 258): ("24", "4 24"),
}


@pytest.mark.parametrize(("name", "place"), BY_HAND)
def test_answers_by_hand(data: Path, name: str, place: int) -> None:
    item = next(one for one in prompts(data, "en", name) if number(one) == place)
    made = read(name, item)

    assert isinstance(made, Worked)
    answer, process = (
        json.loads(made.solution()).values()
        if made.asks_process
        else (
            made.work().answer,
            [],
        )
    )
    assert (" ".join(answer), " ".join(process)) == BY_HAND[name, place]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_published_references(data: Path, language: str) -> None:
    """Only statistical counting has some."""
    lines = (data / "logicgame" / "dev" / f"{language}_dev_10.jsonl").read_text(encoding="utf-8")
    judged = 0
    for item in map(json.loads, lines.splitlines()):
        if CATEGORIES[item["category"]] in LEFT_OUT:
            made = read(CATEGORIES[item["category"]], item)
            assert isinstance(made, Worked)
            assert json.loads(made.solution()) == item["reference"]
            judged += 1
    assert judged == 2


@pytest.mark.parametrize(
    ("name", "place", "old", "new", "why"),
    [
        ("statistical_counting", 5, "add 3 to", "triple", 'not understood: "If there are two or'),
        ("statistical_counting", 5, "front to back", "back to front", "0 places fit"),
        ("statistical_counting", 5, "score is 0", "score is 5", "its score starts at 5"),
        ("statistical_counting", 5, "of A, B, and C", "of A and C", "its process counts A, C;"),
        ("character_search", 1, "backward", "sideways", "not understood: 'The encrypted"),
        ("character_search", 1, "z is before a", "z is before b", "0 places fit"),
        ("character_search", 253, "start from 1", "start from 0", "not understood: .Given a"),
        ("new_operator", 30, "a×b", "a?b", "not understood: .* in 'x.y - "),
        ("new_operator", 30, "a×b", "a×z", "not understood: 'z'"),
        ("new_operator", 31, "1*2=5", "1*2=1", "its known results do not leave one value"),
        ("new_operator", 31, "1*2=5", "m=1*2=5", "not understood: 'm=1"),
        ("new_operator", 30, "6 ◎", "6 ◎ ◎", "not understood: "),
        ("new_operator", 30, "of length 2", "of length 3", "its process should have 3 entries"),
    ],
)
def test_what_is_not_understood_is_refused(
    data: Path, name: str, place: int, old: str, new: str, why: str
) -> None:
    item = next(one for one in prompts(data, "en", name) if number(one) == place)
    reader = import_module(f"quandary.papers.logicgame.readers.{name}")

    assert old in item["contexts"][0]
    with pytest.raises(NotRead, match=why):
        reader.read(item["contexts"][0].replace(old, new), item["level"])


def test_natural_numbers_are_known_whatever_their_size(data: Path) -> None:
    """1*2 = 5 bounds m and n, and (2*3)△4 = 64 bounds k; 0 does not fit either."""
    item = next(one for one in prompts(data, "zh", "new_operator") if number(one) == 77)
    made = read("new_operator", item)
    fitting = [
        (m, n, k)
        for m, n, k in product(range(6), range(6), range(65))
        if m + 2 * n == 5 and k * (2 * m + 3 * n) * 4 == 64
    ]

    assert isinstance(made, Worked)
    assert [list(map(str, one)) for one in fitting] == [made.work().process]
    assert made.work().answer == ["10"]
