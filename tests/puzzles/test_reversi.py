"""Reversi: which pieces turn under either reading, and what the generator plants."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.core.scene import Box, Disc, Label
from quandary.papers.imports import unusable
from quandary.puzzles.questions.execution.reversi import Reversi
from quandary.puzzles.questions.execution.reversi.solver.games import boards_after

OPENING = ("****", "*10*", "*01*", "****")


def boards(text: str) -> tuple[str, ...]:
    return tuple(text.split("/"))


def after_rounds(question: Reversi) -> list[tuple[str, ...]]:
    """The board after each round."""
    return boards_after(question.board, question.first, question.places, question.flips)


def differences(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return sum(a != b for a, b in zip("".join(one), "".join(other), strict=True))


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize(
    ("level", "sizes", "rounds"),
    [("0", "4 4", "1 1"), ("1", "4 6", "2 2"), ("2", "6 8", "7 2"), ("3", "8 10", "7 2")],
)
def test_levels_have_their_sizes_and_use_their_rules(
    level: str, sizes: str, rounds: str, family: str
):
    """Sizes and rounds of family b are the paper's; family a starts with the centre; pieces turn,
    and from level 2 on some turn others.
    """
    for seed in range(8):
        question = instance(f"reversi/{level},family={family}#{seed}")
        assert isinstance(question, Reversi)
        n, steps = int(sizes.split()["ab".index(family)]), int(rounds.split()["ab".index(family)])
        pieces = sum(row.count("0") + row.count("1") for row in question.board)
        found = after_rounds(question)
        classic = after_rounds(replace(question, flips="classic"))

        assert (len(question.board), len(question.places), len(set(question.places))) == (
            n,
            steps,
            steps,
        )
        assert all(question.board[y - 1][x - 1] == "*" for y, x in question.places)
        assert pieces == 4 if family == "a" else pieces > 4
        assert sum(
            changes > 1 for changes in map(differences, (question.board, *found), found)
        ) >= max(1, steps // 2)
        assert level < "2" or classic != found


def test_the_answer_is_the_last_board_of_the_process():
    """The process has one board a round, without the first position, and ends with the answer."""
    question = instance("reversi/3,family=a#3")
    solution = json.loads(question.solution())

    assert len(solution["process"]) == 7
    assert solution["answer"] == solution["process"][-1]
    assert [list(row) for row in question.board] not in solution["process"]


@pytest.mark.parametrize(
    ("first", "places", "after"),
    [
        ("0", ((3, 4), (4, 2)), "****/*10*/*000/**** ****/*10*/*100/*1**"),
        (
            "0",
            ((3, 4), (2, 4), (1, 2)),
            "****/*10*/*000/**** ****/*111/*000/**** *0**/*001/*000/****",
        ),
        (
            "0",
            ((2, 1), (1, 3), (2, 4), (3, 1)),
            "****/000*/*01*/**** **1*/001*/*01*/**** **1*/0000/*01*/**** **1*/0100/111*/****",
        ),
        ("1", ((3, 1),), "****/*10*/111*/****"),
    ],
)
def test_published_boards_by_hand(first: str, places: tuple[tuple[int, int], ...], after: str):
    """The small published boards; both readings agree on them."""
    for flips in ("cascade", "classic"):
        question = Reversi("a", 0, flips, OPENING, first, first, places)

        assert after_rounds(question) == list(map(boards, after.split()))


def test_check_judges_rounds_and_final_board():
    """A right final board with a wrong round on the way is a right answer with a wrong process."""
    question = Reversi("a", 0, "cascade", OPENING, "0", "0", ((3, 4), (4, 2)))
    first, last = boards("****/*10*/*000/****"), boards("****/*10*/*100/*1**")
    said = json.dumps(
        {
            "answer": list(map(list, last)),
            "process": [list(map(list, board)) for board in (first, last)],
        }
    )
    astray = json.dumps(
        {
            "answer": list(map(list, last)),
            "process": [list(map(list, board)) for board in (OPENING, last)],
        }
    )

    assert question.check(said).score == 1.0
    assert question.check(astray).kind == "wrong_process"
    assert question.check(json.dumps({"answer": list(map(list, last))})).kind == "missing_process"
    assert (
        question.check(json.dumps({"answer": last, "process": [first, last]})).kind
        == "wrong_answer"
    )  # rows must be lists


def test_readings_differ_in_words_and_results():
    """`flips` changes both the rules that are told and the boards that are right."""
    seen = [
        Reversi("b", 0, flips, ("****", "011*", "**1*", "**0*"), "0", "0", ((2, 4),))
        for flips in ("cascade", "classic")
    ]

    assert seen[0].rules() != seen[1].rules() and seen[0].rules("zh") != seen[1].rules("zh")
    assert seen[0].check(seen[1].solution()).score == 0.0
    assert {instance(f"reversi/3,flips=classic#{seed}").flips for seed in range(5)} == {"classic"}


def test_text_says_who_plays_where():
    """Rounds belong to you or your opponent by colour and turn."""
    question = Reversi("b", 0, "cascade", OPENING, "1", "0", ((3, 4), (4, 2)))

    assert question.text(0).splitlines()[-2:] == [
        "Round 1: your opponent at (3,4)",
        "Round 2: you at (4,2)",
    ]
    assert question.text(0, "zh").splitlines()[-2:] == [
        "第 1 轮：对方落子于 (3,4)",
        "第 2 轮：你落子于 (4,2)",
    ]


def test_siblings_keep_family_and_reading():
    """A worked example follows the same drawn rules as the question."""
    question = instance("reversi/2,family=a,flips=classic#1")
    level = Reversi.levels["2"]

    assert {
        (s.family, s.flips) for s in (question.sibling(Random(seed), **level) for seed in range(10))
    } == {("a", "classic")}


def test_canonical_knows_turned_boards_and_swapped_colours():
    """Turning the board, swapping the colours or naming the other player you gives the same
    instance; another place does not.
    """
    question = Reversi("a", 0, "cascade", OPENING, "0", "0", ((3, 4), (4, 2)))
    turned = Reversi(
        "b", 0, "cascade", ("****", "*01*", "*10*", "****"), "0", "0", ((4, 2), (2, 1))
    )
    swapped = Reversi(
        "a", 0, "cascade", ("****", "*01*", "*10*", "****"), "1", "1", ((3, 4), (4, 2))
    )
    other = Reversi("a", 0, "cascade", OPENING, "0", "0", ((3, 4), (4, 1)))

    assert question.canonical() == turned.canonical() == swapped.canonical() != other.canonical()


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"size": 5}, "take an even size"),
        ({"size": 2}, "size=2 is out of bounds; write 4 to 26"),
        ({"size": 28}, "size=28 is out of bounds"),
        ({"rounds": 13}, "take fewer than 13 rounds"),
        ({"rounds": 0}, "rounds=0 is out of bounds; write 1 or more"),
        ({"rounds": 2, "chained": True}, "1,000 tries with size=4, rounds=2, .* sizes that do are"),
        ({"level": 4}, "level=4 is out of bounds; write 0 to 3"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, int], advice: str):
    """Odd boards, boards without room, and cascades where none can be, are refused with a
    sentence.
    """
    with pytest.raises(ValueError, match=advice):
        Reversi.new(Random(0), family="a", **level)


def test_sizes_and_rounds_can_be_set_for_either_family():
    """A size or a number of rounds in a spec replaces the one of the level."""
    for family, rounds in (("a", 7), ("b", 2)):
        larger = instance(f"reversi/3,family={family},size=6#1")
        longer = instance(f"reversi/0,family={family},rounds=5#1")

        assert (larger.family, len(larger.board), len(larger.places)) == (family, 6, rounds)
        assert (longer.family, len(longer.board), len(longer.places)) == (family, 4, 5)


def test_the_picture_shows_pieces_and_rounds():
    """Pieces stand where they are, and the number of a round where its piece will be placed."""
    question = Reversi("a", 0, "cascade", OPENING, "0", "0", ((3, 4), (4, 2)))
    discs = {(disc.text, disc.fill) for disc in question.scene(0).shapes if isinstance(disc, Disc)}
    boxes = [box for box in question.scene(0).shapes if isinstance(box, Box)]

    assert discs == {("0", "ink"), ("1", "paper"), ("R1", "ink"), ("R2", "paper")}
    assert sum(box.fill == "mark" for box in boxes) == 2
    assert any(
        "黄色" in shape.text for shape in question.scene(0, "zh").shapes if isinstance(shape, Label)
    )


@pytest.mark.parametrize("rows", [3, 20, 160])
def test_boards_that_are_not_square_are_no_questions(rows: int) -> None:
    """Imports that were changed by hand may have them."""
    question = instance("reversi/3,family=a#1")
    assert isinstance(question, Reversi)
    changed = replace(question, board=(question.board * rows)[:rows])

    assert "a board is square" in unusable(changed)
    assert unusable(question) == ""
    wide = replace(question, board=tuple("*" * 40 for _ in range(40)))
    assert "at most 26 squares per side" in unusable(wide)
