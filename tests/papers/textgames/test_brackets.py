"""The published grading of brackets, which counts in a way of its own after a surplus bracket."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from quandary.papers.textgames.archive import files
from quandary.papers.textgames.grading import Lists, solved
from quandary.papers.textgames.problems import load
from quandary.puzzles.questions.words.bracket_game import BracketGame, Kind

NO_LISTS = Lists(frozenset(), {})
PAIRS: dict[Kind, str] = {"block": "[]", "curly": "{}", "round": "()", "angle": "<>"}
RED = (("red", "round"),)  # the demand of most cases below
BOX = (("box", "round"),)


@pytest.mark.parametrize(
    ("answer", "depth", "inside", "accepted"),
    [
        ("(red)box", 1, RED, True),
        ("(red))box", 1, RED, True),  # one surplus closing bracket of a kind is not detected
        ("(red)))box", 1, RED, False),  # the second one is
        ("(red)]}>)box", 1, RED, True),  # each kind has one of its own
        # After a surplus bracket no opener of that kind counts for words ...
        ("red)(box", 1, BOX, False),
        ("red)((box", 1, BOX, False),
        ("red)(((box", 2, BOX, False),
        ("{red)((box", 2, (("red", "curly"),), True),
        ("red)[[box", 1, (("box", "block"),), True),  # openers of other kinds still do
        # ... so that a bracket that closes one of them is the second surplus one ...
        ("(red))(box)", 1, RED, False),
        ("(red))((box)", 1, RED, False),
        ("(red))[box]", 1, RED, True),
        # ... but all openers count for the depth.
        ("(red))(box", 1, RED, True),
        ("(red))(((box", 2, RED, True),
        ("(red))(((box", 1, RED, False),
        ("(red))({[box]}", 2, RED, True),
        ("(red)](([[box]", 3, RED, False),
        ("(red)](([[box", 3, RED, True),
    ],
)
def test_hand_written_cases(
    answer: str, depth: int, inside: tuple[tuple[str, Kind], ...], accepted: bool
) -> None:
    """Each verdict follows from the description of the released grader."""
    assert accepted is solved(BracketGame("redbox", depth, inside), answer, NO_LISTS)


def test_published_messages_hold_for_other_demands(data: Path) -> None:
    """A published message names the first check that failed, so it says more than the verdict.

    Brackets come first, then the depth, then the demands; so the same reply is judged alike
    without demands if a bracket is at fault, and accepted without them if a demand is.
    """
    questions = {
        problem.name: problem.question
        for problem in load(data / "textgames")
        if isinstance(problem.question, BracketGame)
    }
    seen = Counter[str]()
    for name, answer, message in _published(data):
        asked = questions[name]
        free = replace(asked, inside=())
        deep = re.match(r"The depth of the bracket is (\d+)\.", message)
        if message.startswith("There is a closing bracket without"):
            kind, depths = "bracket", range(12)
            assert not any(
                solved(replace(free, depth=depth), answer, NO_LISTS) for depth in depths
            ), answer
        elif deep:
            kind = "depth"
            assert solved(replace(free, depth=int(deep[1])), answer, NO_LISTS), answer
        elif message.startswith("The text "):
            kind = "demand"
            assert solved(free, answer, NO_LISTS), answer
            assert not solved(asked, answer, NO_LISTS), answer
        elif message:
            kind = "letters"
            assert message.startswith("You are not allowed to change"), message
            assert not solved(free, answer, NO_LISTS), answer
        else:
            kind = "accepted"
            assert solved(asked, answer, NO_LISTS), answer
        seen[kind] += 1

    assert {"bracket", "depth", "demand", "letters", "accepted"} == set(seen)
    assert 16_172 == seen.total()


def _published(data: Path) -> Iterator[tuple[str, str, str]]:
    """Problem, answer and message of every published reply to a bracket game."""
    levels = {"1": "easy", "2": "medium", "3": "hard"}
    for _, text in files(data / "textgames", "results", ".jsonl"):
        for line in filter(None, text.split("\n")):
            row = json.loads(line)
            game, _, level = row["game"].rpartition("_")
            if game == "Bracket Game":
                name = f"textgames bracket_game/{levels[level]} {row['session']}"
                yield name, row["response"] or "", row["val_msg"] or ""


def test_random_brackets_are_graded_as_described() -> None:
    """20,000 texts, most of them with surplus brackets, by a second reading of the description."""
    rng, verdicts = Random(1), Counter[bool]()
    kinds: list[Kind] = list(PAIRS)
    for _ in range(20_000):
        drawn = rng.sample(kinds, 2)  # few kinds, so that brackets of one kind meet often
        signs = "".join(PAIRS[kind] for kind in drawn)
        gaps = ["".join(rng.choices(signs, k=rng.randrange(3))) for _ in range(4)]
        answer = gaps[0] + "red" + gaps[1] + "box" + gaps[2] + "hat" + gaps[3]
        inside = tuple((word, rng.choice(drawn)) for word in rng.sample(["red", "box", "hat"], 1))
        game = BracketGame("redboxhat", rng.choice((1, 2)), inside)
        verdict = _described(game, answer)
        verdicts[verdict] += 1
        assert verdict is solved(game, answer, NO_LISTS), (answer, game)

    assert min(verdicts.values()) > 1_000


def _described(game: BracketGame, answer: str) -> bool:
    """The verdict on an answer with the right letters, worked out kind by kind."""
    steps = {kind: [(sign == o) - (sign == c) for sign in answer] for kind, (o, c) in PAIRS.items()}
    depths = dict[str, list[int]]()
    for kind, changes in steps.items():
        counted = list(accumulate(changes))
        if -1 in counted:
            surplus = counted.index(-1)
            if -1 in changes[surplus + 1 :]:
                return False  # another closing bracket of a kind that has a surplus one
            counted[surplus:] = [-1] * (len(counted) - surplus)
        depths[kind] = counted
    pooled = accumulate(map(sum, zip(*steps.values(), strict=True)))
    return max(0, *pooled) == game.depth and all(
        depths[kind][answer.index(word)] > 0 for word, kind in game.inside
    )
