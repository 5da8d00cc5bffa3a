"""The examples that rules print are run through the engine."""

from __future__ import annotations

import re

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.puzzles.duels.beat_or_bomb_det import BeatOrBombDet
from quandary.puzzles.duels.bid_that import BidThat
from quandary.puzzles.duels.bid_that_vickrey import BidThatVickrey
from quandary.puzzles.duels.expanding_nim import ExpandingNim
from quandary.puzzles.duels.max_maximal_cocktails import MaxMaximalCocktails
from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails
from quandary.puzzles.solo.game_of_24 import GameOf24

GAMES = [
    (name, level, language)
    for name in registry.names()
    if issubclass(registry.load(name), Game)
    and name != "game_of_24"  # whose examples stand in a sentence: see below
    for level in registry.load(name).levels
    for language in drawing.game(f"{name}/{next(iter(registry.load(name).levels))}#1").languages
]
HOW = {"en": "\nWrite ", "zh": "\n请"}  # what the sentence on how to write a move begins with
WRITTEN = re.compile(
    r"(?:(?:for example|or|or with a reset|to the left|fourth column is): |(?:例如|或)：)"
    r"(.+?)(?=, or: |，或：|$)|`([^`]+)`",
    re.MULTILINE,
)


@pytest.mark.parametrize(("name", "level", "language"), GAMES)
def test_moves_in_the_rules_can_be_read(name: str, level: str, language: str) -> None:
    """Rules end with how a move is written, and those examples are moves in their own notation."""
    game = drawing.game(f"{name}/{level}#1")
    how = game.rules(language).rpartition(HOW[language])[2]
    moves = [plain or quoted for plain, quoted in WRITTEN.findall(how)]

    assert moves, (
        f"End the rules with an example of a move, as in: Write a number, for example: "
        f"3\n{game.rules(language)}"
    )
    for move in moves:
        assert game.translated(game.read(0, move), language).casefold() == move.casefold()


def test_steps_to_24() -> None:
    """6 + 2 and then (6 + 2) * 3, also written 8 * 3, are the steps to 24 from 2, 3 and 6."""
    start = GameOf24(("6", "3", "2"))
    first = start.read(0, "6 + 2")

    assert "6 + 2, and then perhaps (6 + 2) * 3" in start.rules()
    assert "8 * 3" in start.rules()
    assert first in (start.options()[0] or ())

    joined = start.play(0, first)
    second = joined.read(0, "(6 + 2) * 3")

    assert second == joined.read(0, "8 * 3")
    assert (1.0,) == joined.play(0, second).scores()


@pytest.mark.parametrize(("puzzle", "price"), [(BidThat, 30), (BidThatVickrey, 20)])
def test_what_a_bid_costs(puzzle: type[BidThat | BidThatVickrey], price: int) -> None:
    """With bids of 30 and 20 the first player gets the item and has so much less to spend."""
    start = puzzle((50, 40, 30), (100, 100))
    after = start.play(0, "30").play(1, "20")

    assert f"bids of 30 and 20 the first player gets the item and has {price} less" in start.rules()
    assert ((100 - price, 100), (50, 0)) == (after.funds, after.collected)


def test_what_a_round_earns() -> None:
    """5 compete against K give up earns 5 points for the first player and none for the second."""
    start = BeatOrBombDet(((5, 8), (1, 13)))

    assert "5 compete against K give up earns 5 points" in start.rules()
    assert (5.0, 0.0) == start.play(0, "5 compete").play(1, "K give up").values()


def test_how_limits_of_nim_grow() -> None:
    """The most so far is 3: up to 4; by the paper's rule, after a 1: 1 or 2."""
    course = ExpandingNim(30, (0, 0)).play(0, "3")
    paper = ExpandingNim(30, (0, 0), "paper").play(0, "1")

    assert "if the most so far is 3, you may take up to 4" in course.rules()
    assert ("1", "2", "3", "4") == tuple(course.options()[1] or ())
    assert "if your opponent has just taken 1, you may take 1 or 2" in paper.rules()
    assert ("1", "2") == tuple(paper.options()[1] or ())


@pytest.mark.parametrize("counted", ["maximal", "maximum"])
def test_cocktails_of_few_drugs(counted: str) -> None:
    """One cocktail of three drugs without a clash, two once 1 and 2 clash; and [1, 3, 4] and [2, 3,
    4] of four drugs.
    """
    start = MaxMaximalCocktails(3, counted=counted)  # type: ignore[arg-type]
    after = start.play(0, "1 2")
    question = CountMaximalCocktails(4, ((1, 2),), "list", counted)  # type: ignore[arg-type]

    assert ["1", "2"] == [
        re.findall(r"cocktails: (\d+)", position.text(0))[0] for position in (start, after)
    ]
    assert 1.0 == question.check("[1, 3, 4] and [2, 3, 4]".replace(" and", ",")).score
