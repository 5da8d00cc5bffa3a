"""Published items of LogicGame on grids: read alike in both languages, or left out for a defect."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead

from .prompts import prompts, read_prompts

READINGS = "its words allow readings in which other pieces flip"
# Category -> number in the English or Chinese file -> why it is left out.
LEFT_OUT = {
    "pooling": {"en 301": "it defines max pooling and asks for average pooling"},
    "matrix_transformation": {},
    "lights_out": {},
    "reversi": {
        "en 278": "its rounds are 1, 2, 2",
        **dict.fromkeys(("en 279", "zh 214"), READINGS),
        **dict.fromkeys(("en 281", "zh 211"), READINGS),
        **dict.fromkeys(("en 282", "zh 213"), READINGS),
        **dict.fromkeys(
            ("en 283", "zh 215"),
            "its rows have 10, 10, 10, 9, 10, 10, 10, 10, 10, 10 cells, not 10",
        ),
    },
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_items_are_read_alike_in_both_languages(data: Path, name: str) -> None:
    second = import_module(f"proofs.second_workings.{name}")
    told = {language: read_prompts(data, language, name) for language in ("en", "zh")}
    refused = {
        f"{language} {number}": why
        for language in told
        for number, why in told[language][1].items()
    }
    families = set()
    pairs = zip(prompts(data, "en", name), prompts(data, "zh", name), strict=True)
    for place, pair in enumerate(pairs):
        numbers = [int(item["qid"].rpartition("_")[2]) for item in pair]
        both = [told[language][0].get(one) for language, one in zip(told, numbers, strict=True)]
        for made in filter(None, both):
            assert {*both} <= {made, None}
            assert (made.level, made.family) == (place // 2, "ab"[place % 2])
            assert second.work(made) == tuple(made.work())
            families.add(made.family)

    assert refused == LEFT_OUT[name]
    assert families == {"a", "b"}


# Worked out by hand: category -> the place of an English item -> its answer.
BY_HAND = {
    ("pooling", 0): "5 8/6 9",
    ("pooling", 2): "4 6 8/8 6 7/8 6 4",
    ("pooling", 3): "1 1 3/3 4 7/5 6 8",
    ("pooling", 4): "100 99 98/100 99 98/95 94 93",
    ("pooling", 5): "4 4 5/4 5 5/2 3 4",
    ("pooling", 6): "32 9 10 44/32 9 9 14/2 2 2 2/56 83 83 83",
    ("pooling", 7): "4 3 2 4/4 3 2 3/5 5 4 3/5 6 4 4",
    ("matrix_transformation", 0): "H A/G B",
    ("matrix_transformation", 1): "B A/G H",
    ("matrix_transformation", 2): "P I H A/N K G B/E O F C/M L E D",
    ("matrix_transformation", 3): "J G D A/N B C Z/R E W Q",
    ("lights_out", 0): "0 1/0 0",
    ("lights_out", 1): "2 1/1 3",
    ("lights_out", 4): "1 0 0 0/0 1 0 1/0 0 1 1/1 1 1 0",
    ("lights_out", 5): "1 1 3 2/1 2 2 2/2 3 1 3/3 1 1 2",
    ("reversi", 0): "* * * */* 1 0 */* 0 0 0/* * * *",
    ("reversi", 1): "* * * */* 1 0 */1 1 1 */* * * *",
    ("reversi", 2): "* * * */* 1 0 */* 1 0 0/* 1 * *",
}


@pytest.mark.parametrize(("name", "place"), BY_HAND)
def test_answers_by_hand(data: Path, name: str, place: int) -> None:
    item = prompts(data, "en", name)[place]
    reader = import_module(f"quandary.papers.logicgame.readers.{name}")
    made = reader.read(item["contexts"][0], item["level"])

    assert "/".join(" ".join(row) for row in made.work().answer) == BY_HAND[name, place]


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        ("pooling", "2*2 sliding", "2*3 sliding", "not understood: 'Now, please"),
        ("pooling", "3, 6, 9", "3, 6", "its rows have 3, 3, 2 cells"),
        ("pooling", "perform max", "perform median", "not understood: 'Now, please"),
        ("pooling", "\n1, 4, 7", "\nSkip 5.\n1, 4, 7", "not understood: 'Skip 5.'"),
        ("matrix_transformation", "clockwise", "", "not understood: 'Given a 2D"),
        ("matrix_transformation", "H G", "H G F", "its rows have 2, 3 letters"),
        ("matrix_transformation", "H G", "H 7", "not understood: 'H 7.'"),
        ("lights_out", "Round 1: Button A", "Round 2: Button A", "its rounds are 2"),
        ("lights_out", "Round 1: Button A", "Round 1: Button B", "button B is not described"),
        ("lights_out", "Round 1: Button A", "Round 1: Button A twice", "not understood: 'Round 1"),
        ("lights_out", "an unlit light is", "a dim light is", "not understood: 'There is an n"),
        ("lights_out", '["2", "2"]', '["2", "3"]', "a button controls"),
        ("lights_out", "\n01", "\n011", "its rows have 3, 2 cells, not 2"),
        ("lights_out", "\n01", "\n02", "no lamp is 2"),
        (
            "reversi",
            "Your landing position is (3,4)",
            "You pass",
            "not understood: 'Round 1: You pass",
        ),
        ("reversi", "(3,4)", "(3,3)", r"\(3,3\) is not an empty square"),
        ("reversi", "(3,4)", "(3,5)", r"\(3,5\) is not an empty square"),
        ("reversi", "Round 1:", "Round 2:", "its rounds are 2"),
    ],
)
def test_what_is_not_understood_is_refused(
    data: Path, name: str, old: str, new: str, why: str
) -> None:
    item = prompts(data, "en", name)[0]
    reader = import_module(f"quandary.papers.logicgame.readers.{name}")

    assert old in item["contexts"][0]
    with pytest.raises(NotRead, match=why):
        reader.read(item["contexts"][0].replace(old, new), 0)
