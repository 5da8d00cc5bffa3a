"""The same instance in every language: solutions, scores and legal moves are equal."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.case import pick
from quandary.core.contract import CHANCE, Game, Question
from quandary.core.mixins.answers import translated
from quandary.core.words import languages_of

MATRIX = Path(__file__).parent.parent / "docs" / "matrix.md"
# A puzzle that is being added may not be translated yet: it is not in the matrix either.
LEVELS = [
    f"{name}/{level}"
    for name in registry.names()
    if "zh" in languages_of(registry.load(name))
    for level in registry.load(name).levels
]
MOVES = 20  # that are read in each position
PLIES = 12
SEEDS = [range(1, 2), pytest.param(range(1, 51), marks=pytest.mark.heavy)]
pytestmark = pytest.mark.usefixtures("short_searches")


def test_no_translation_is_lost() -> None:
    """Every puzzle of the matrix speaks Chinese."""
    named = re.findall(r"^\| \[(\w+)\]", MATRIX.read_text("utf-8"), re.M)

    assert len(named) >= 54
    assert [] == [name for name in named if "zh" not in languages_of(registry.load(name))]


@pytest.mark.parametrize("seeds", SEEDS, ids=["one", "fifty"])
@pytest.mark.parametrize("level", LEVELS)
def test_languages_ask_for_the_same(level: str, seeds: range) -> None:
    for seed in seeds:
        puzzle, rng = drawing.instance(f"{level}#{seed}"), Random(seed)
        if isinstance(puzzle, Question):
            judged_alike(puzzle, rng)
        else:
            assert isinstance(puzzle, Game)
            played_alike(puzzle, rng)


def judged_alike(question: Question, rng: Random) -> None:
    """The solution as each language writes it, and answers of a guesser."""
    solution = question.solution()
    written = [translated(question, solution, language) for language in question.languages]
    for answer in (solution, *written, *(question.sample(rng) for _ in range(2)), "", "?"):
        verdicts = [question.check(answer, language) for language in question.languages]

        assert 1 == len({(one.score, one.kind, one.value) for one in verdicts}), answer
        assert all(one.parts == verdicts[0].parts for one in verdicts)
    assert 1 == len({question.check(one).score for one in (solution, *written)})


@pytest.mark.parametrize("level", LEVELS)
def test_chinese_feedback_quotes_as_chinese_does(level: str) -> None:
    """Not as Python: “9”, not '9'."""
    question, rng = drawing.instance(f"{level}#1"), Random(1)
    if not isinstance(question, Question):
        return
    right = question.solution()
    answers = [right[:-1] + "9", right[::-1], f"{right}\n{right}", "\n".join(right.split()[::-1])]
    for answer in (*answers, *(question.sample(rng) for _ in range(4))):
        assert "'" not in question.check(answer, "zh").feedback


@pytest.mark.parametrize("level", LEVELS)
def test_coordinates_are_written_in_one_way(level: str) -> None:
    """(4,3) as in answers, not （4,3）."""
    puzzle = drawing.instance(f"{level}#1")
    asked = f"{puzzle.rules('zh')}\n{puzzle.seen_by(0).text(0, 'zh')}"

    assert [] == re.findall("（[^（），]{1,2},[^（），]{1,2}）", asked)


def played_alike(game: Game, rng: Random) -> None:
    """Moves that are shown in a language are read as the same moves."""
    for _ in range(PLIES):
        options = game.options()
        if not options:
            return
        seat = min(options)
        some = [pick(game, seat, rng) for _ in range(1 if seat == CHANCE else MOVES)]
        for language in game.languages if seat != CHANCE else ():
            assert some == [game.read(seat, game.translated(move, language)) for move in some]
        game = game.after(seat, some[0])
