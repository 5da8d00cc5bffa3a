"""Search in imagined worlds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from random import Random
from typing import Any

import pytest

from quandary.algorithms import exact
from quandary.algorithms.hidden_information import (
    information_set_mcts,
    perfect_information_monte_carlo,
)
from quandary.algorithms.mcts import Uct
from quandary.core.contract import Move, Seat, Strategy
from small_games import Coin, Kuhn, Matrix, TicTacToe


def clairvoyant(world: Any, seat: Seat, rng: Random, budget: int) -> Mapping[Move, float]:
    """Exact play by players who see all cards of a world."""
    return exact.worths(world, seat)


STRATEGIES = [
    perfect_information_monte_carlo(clairvoyant),
    perfect_information_monte_carlo(Uct().worths),
    information_set_mcts(),
]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_hidden_card_is_never_used(strategy: Strategy) -> None:
    """The choice is the same whatever the other holds, even if somebody passes the true position
    for a view."""
    for said in ("", "p", "b", "pb"):
        seat = len(said) % 2
        for mine in (1, 2, 3):
            deals = [cards for cards in permutations((1, 2, 3), 2) if cards[seat] == mine]
            for seed in range(5):
                chosen = {strategy(Kuhn(cards, said), seat, Random(seed), 300) for cards in deals}
                viewed = {
                    strategy(Kuhn(cards, said).seen_by(seat), seat, Random(seed), 300)
                    for cards in deals
                }

                assert len(chosen | viewed) == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_kuhn_poker_without_blunders(strategy: Strategy) -> None:
    """Facing a bet it folds the lowest card and calls with the highest: the other way is worse
    against any card."""
    for seed in range(5):
        assert strategy(Kuhn((3, 1), "b").seen_by(1), 1, Random(seed), 2_000) == "p"
        assert strategy(Kuhn((1, 3), "b").seen_by(1), 1, Random(seed), 2_000) == "b"
        assert strategy(Kuhn((1, 3), "pb").seen_by(0), 0, Random(seed), 2_000) == "p"
        assert strategy(Kuhn((3, 1), "pb").seen_by(0), 0, Random(seed), 2_000) == "b"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("budget", [1, 2, 5])
def test_moves_are_legal_with_hardly_any_budget(strategy: Strategy, budget: int) -> None:
    """Even a budget of 1 makes one of its options."""
    assert {strategy(Kuhn((1, 2)).seen_by(0), 0, Random(seed), budget) for seed in range(10)} <= {
        "p",
        "b",
    }


def test_worlds_share_the_budget() -> None:
    """Each world gets an even share, there are never more worlds than the budget, and worlds are
    whole."""
    given: list[tuple[tuple[int | None, ...], int]] = []

    def evaluate(world: Kuhn, seat: Seat, rng: Random, budget: int) -> Mapping[Move, float]:
        given.append((world.cards, budget))
        return {"b": 0.5}

    assert (
        perfect_information_monte_carlo(evaluate, worlds=8)(
            Kuhn((1, 2)).seen_by(0), 0, Random(0), 100
        )
        == "b"
    )
    assert [budget for _, budget in given] == [12] * 8
    assert {cards for cards, _ in given} == {(1, 2), (1, 3)}
    given.clear()
    perfect_information_monte_carlo(evaluate, worlds=8)(Kuhn((1, 2)).seen_by(0), 0, Random(0), 3)
    assert [budget for _, budget in given] == [1] * 3


def test_worths_are_averaged_over_the_worlds_that_gave_one() -> None:
    """The highest mean wins, and a move left out in some worlds is judged by the others."""
    told = iter([{"p": 0.5, "b": 0.0}, {"p": 0.5, "b": 0.9}, {"p": 0.5}, {"p": 0.4}])

    def evaluate(world: Kuhn, seat: Seat, rng: Random, budget: int) -> Mapping[Move, float]:
        return next(told)

    assert (
        perfect_information_monte_carlo(evaluate, worlds=4)(
            Kuhn((1, 2)).seen_by(0), 0, Random(0), 100
        )
        == "p"
    )


def test_a_silent_evaluation_leaves_it_to_luck() -> None:
    """Where no world tells anything any option may be made."""
    chosen = {
        perfect_information_monte_carlo(lambda *_: {})(
            Kuhn((1, 2)).seen_by(0), 0, Random(seed), 100
        )
        for seed in range(20)
    }

    assert chosen == {"p", "b"}


def test_having_to_guess_later() -> None:
    """Each world on its own believes the coin will be known and guesses; one tree over all worlds
    takes the sure 0.75."""
    view = Coin().seen_by(0)

    assert {
        perfect_information_monte_carlo(clairvoyant)(view, 0, Random(seed), 2_000)
        for seed in range(5)
    } == {"guess"}
    assert {information_set_mcts()(view, 0, Random(seed), 2_000) for seed in range(5)} == {"sure"}


def test_choices_made_at_once() -> None:
    """A game that hides only what is being chosen is searched by one tree: the better choice is
    found."""
    assert (
        information_set_mcts()(Matrix(((0.5, 0.2), (0.9, 0.6))).seen_by(0), 0, Random(0), 2_000)
        == "1"
    )


def test_games_that_hide_nothing_are_searched_as_they_are() -> None:
    """Nothing to imagine is no obstacle."""
    assert (
        perfect_information_monte_carlo(clairvoyant, worlds=1)(
            TicTacToe("xx.oo...."), 0, Random(0), 10
        )
        == "2"
    )
