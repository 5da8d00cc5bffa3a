"""Search in imagined worlds."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from quandary.algorithms.hidden_information import information_set_mcts
from small_games import Coin, Kuhn, Matrix, TicTacToe

STRATEGY = information_set_mcts()


def test_the_hidden_card_is_never_used() -> None:
    """The choice is the same whatever the other holds, even if somebody passes the true position
    for a view."""
    for said in ("", "p", "b", "pb"):
        seat = len(said) % 2
        for mine in (1, 2, 3):
            deals = [cards for cards in permutations((1, 2, 3), 2) if cards[seat] == mine]
            for seed in range(5):
                chosen = {STRATEGY(Kuhn(cards, said), seat, Random(seed), 300) for cards in deals}
                viewed = {
                    STRATEGY(Kuhn(cards, said).seen_by(seat), seat, Random(seed), 300)
                    for cards in deals
                }

                assert len(chosen | viewed) == 1


def test_kuhn_poker_without_blunders() -> None:
    """Facing a bet it folds the lowest card and calls with the highest: the other way is worse
    against any card."""
    for seed in range(5):
        assert STRATEGY(Kuhn((3, 1), "b").seen_by(1), 1, Random(seed), 2_000) == "p"
        assert STRATEGY(Kuhn((1, 3), "b").seen_by(1), 1, Random(seed), 2_000) == "b"
        assert STRATEGY(Kuhn((1, 3), "pb").seen_by(0), 0, Random(seed), 2_000) == "p"
        assert STRATEGY(Kuhn((3, 1), "pb").seen_by(0), 0, Random(seed), 2_000) == "b"


@pytest.mark.parametrize("budget", [1, 2, 5])
def test_moves_are_legal_with_hardly_any_budget(budget: int) -> None:
    """Even a budget of 1 makes one of its options."""
    assert {STRATEGY(Kuhn((1, 2)).seen_by(0), 0, Random(seed), budget) for seed in range(10)} <= {
        "p",
        "b",
    }


def test_having_to_guess_later() -> None:
    """A world on its own would suggest a guess, as if the coin were known later; one tree over all
    worlds takes the sure 0.75."""
    view = Coin().seen_by(0)

    assert {STRATEGY(view, 0, Random(seed), 2_000) for seed in range(5)} == {"sure"}


def test_choices_made_at_once() -> None:
    """A game that hides only what is being chosen is searched by one tree: the better choice is
    found."""
    assert STRATEGY(Matrix(((0.5, 0.2), (0.9, 0.6))).seen_by(0), 0, Random(0), 2_000) == "1"


def test_games_that_hide_nothing_are_searched_as_they_are() -> None:
    """Nothing to imagine is no obstacle."""
    assert STRATEGY(TicTacToe("xx.oo...."), 0, Random(0), 2_000) == "2"
