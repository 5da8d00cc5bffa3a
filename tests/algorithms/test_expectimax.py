"""Expectimax."""

from __future__ import annotations

from functools import partial
from random import Random
from zlib import crc32

import pytest

from quandary.algorithms.expectimax import expectimax, search, worths
from quandary.core.contract import Game, Seat
from small_games import CHANCE, Kuhn, Matrix, Nim, Rolls, TicTacToe, Tree, brute, random_tree


def noise(position: Game, seat: Seat) -> float:
    return crc32(repr(position).encode()) / 2**32


def test_dice_by_hand() -> None:
    """A roll to come is worth 3.5, with one more after it 4.25, with two more 14/3."""
    assert search(Rolls(1, 3), 0, 1000) == (pytest.approx({"keep": 3 / 6, "roll": 3.5 / 6}), True)
    assert search(Rolls(2, 4), 0, 1000) == (pytest.approx({"keep": 4 / 6, "roll": 4.25 / 6}), True)
    assert search(Rolls(3, 5), 0, 1000) == (pytest.approx({"keep": 5 / 6, "roll": 14 / 18}), True)


def test_weighted_dice_by_hand() -> None:
    """Three ones and a six: 2.25 a roll; with a second chance the six is kept and a one rolled
    again, 3/4 x 2.25 + 6/4.
    """
    loaded = (3, 0, 0, 0, 0, 1)

    assert search(Rolls(1, 1, weights=loaded), 0, 1000).worths == pytest.approx(
        {"keep": 1 / 6, "roll": 2.25 / 6}
    )
    assert search(Rolls(2, 3, weights=loaded), 0, 1000).worths == pytest.approx(
        {"keep": 3 / 6, "roll": 3.1875 / 6}
    )


def test_two_seats_by_hand() -> None:
    """The other seat takes what is worst for us, before luck and after it."""
    after = (1, (("mild", 1, (0.6, 0.4)), ("harsh", 1, (0.2, 0.8))))
    before = (
        1,
        (("x", 1, (CHANCE, (("a", 1, (1.0, 0.0)), ("b", 3, (0.0, 1.0))))), ("y", 1, (0.3, 0.7))),
    )
    game = Tree(
        (
            0,
            (
                ("first", 1, (CHANCE, (("a", 1, after), ("b", 1, (1.0, 0.0))))),
                ("second", 1, before),
            ),
        )
    )

    assert search(game, 0, 1000) == (pytest.approx({"first": 0.6, "second": 0.25}), True)


def test_what_is_proven_is_true_at_every_budget() -> None:
    """Proven worths equal brute force, and a budget of 10,000 proves all of these games."""
    for seed in range(60):
        game = random_tree(Random(seed), 5, luck=True)
        truth = {move: brute(game.play(0, move))[0] for move in game.options()[0] or ()}
        for budget in (1, 2, 5, 10, 20, 50, 100, 200, 10_000):
            found = search(game, 0, budget, noise)
            assert found.proven or budget < 10_000
            if found.proven:
                assert found.worths == pytest.approx(truth)


def test_estimates_stand_where_the_search_stops() -> None:
    """With budget for one move the estimate is asked after the roll that follows it."""
    asked: list[Rolls] = []

    def estimate(position: Rolls, seat: Seat) -> float:
        asked.append(position)
        return position.face / 10

    found = search(Rolls(2, 3), 0, 9, estimate)  # the root, two moves and six faces

    assert found == (pytest.approx({"keep": 0.5, "roll": 0.35}), False)
    assert [position.face for position in asked] == [1, 2, 3, 4, 5, 6]


def test_depth_counts_moves_and_not_draws() -> None:
    """Two moves deep, two rolls are weighed: a 1 or a 2 is rolled again, for 0.35 of the estimate,
    and the rest is kept.
    """
    found = search(Rolls(2, 3), 0, 35, lambda position, seat: position.face / 10)

    assert found == (pytest.approx({"keep": 3 / 6, "roll": (0.35 + 0.35 + 18 / 6) / 6}), False)


@pytest.mark.parametrize("budget", [1, 2, 5, 50, 700])
def test_stays_within_its_budget(budget: int) -> None:
    """It makes fewer moves than its budget, as the root costs one too, and always has a move."""
    before = TicTacToe.looks["play"]
    move = expectimax()(TicTacToe(), 0, Random(0), budget)

    assert TicTacToe.looks["play"] - before < budget
    assert move in "012345678"


def test_the_strategy_plays_by_luck_among_equals() -> None:
    """It makes best moves only, each of them, and the same one with the same luck."""
    play = expectimax()
    chosen = [play(Nim((1, 1, 1)), 0, Random(seed), 500) for seed in range(30)]

    assert set(chosen) == {"0-1", "1-1", "2-1"}
    assert chosen == [play(Nim((1, 1, 1)), 0, Random(seed), 500) for seed in range(30)]
    assert [play(Rolls(1, face), 0, Random(0), 100) for face in range(1, 7)] == ["roll"] * 3 + [
        "keep"
    ] * 3


def test_worths_in_the_form_of_an_evaluation() -> None:
    """The same worths are given to whoever searches imagined worlds, with the estimate bound
    beforehand.
    """
    evaluate = partial(worths, estimate=noise)

    assert evaluate(Rolls(1, 3), 0, Random(0), 1000) == pytest.approx(
        {"keep": 3 / 6, "roll": 3.5 / 6}
    )


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Rolls(1, 3, listed=False), "CHANCE: None"),
        (Rolls(1), "seat 0 is not to move"),
        (Matrix(), "one seat to move at a time"),
        (Tree((0, (("a", 1, (1.0, 1.0)),))), "sum to 1"),
    ],
)
def test_refuses_other_games(game: Game, complaint: str) -> None:
    """Unlisted luck, the wrong seat, simultaneous moves and two scores that do not sum to 1 are
    refused.
    """
    with pytest.raises(ValueError, match=complaint):
        search(game, 0, 1000)


def test_the_strategy_refuses_hidden_cards() -> None:
    """A view with holes is not searched as if it were whole."""
    with pytest.raises(ValueError, match="hides cards"):
        expectimax()(Kuhn().seen_by(0), 0, Random(0), 100)
