"""Monte Carlo tree search."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from quandary.algorithms.mcts import Uct, mcts
from quandary.core.contract import Game, Move, Seat
from small_games import CHANCE, Kuhn, Matrix, Nim, Rolls, TicTacToe, Tree


@dataclass(frozen=True)
class Three(Tree):
    """A written game of three seats."""

    seats = 3


@pytest.mark.parametrize(
    ("board", "seat", "good"),
    [
        ("xx.oo....", 0, "2"),  # a win in one
        ("xx..o....", 1, "2"),  # the only block
        ("xo..x...o", 0, "36"),  # two threats at once
        ("x...o...x", 1, "1357"),  # a corner would lose
    ],
)
def test_finds_forced_wins_and_blocks(board: str, seat: Seat, good: str) -> None:
    """With 3,000 positions it finds the moves that win or hold, whatever its luck."""
    assert {mcts()(TicTacToe(board), seat, Random(seed), 3_000) for seed in range(3)} <= set(good)


def test_finds_the_only_winning_move_of_nim() -> None:
    """Piles of 1, 2 and 4 cancel only if the 4 becomes a 3."""
    assert {mcts()(Nim((1, 2, 4)), 0, Random(seed), 10_000) for seed in range(2)} == {"2-1"}


@pytest.mark.parametrize(
    "game", [TicTacToe(), Nim(), Rolls(3, 2), Rolls(3, 2, listed=False), Nim((1,))]
)
@pytest.mark.parametrize("budget", [0, 1, 2, 3])
def test_moves_are_legal_with_hardly_any_budget(game: Game, budget: int) -> None:
    """Even with nothing to look at it makes one of its options."""
    for seed in range(10):
        assert mcts()(game, 0, Random(seed), budget) in (game.options()[0] or ())


@pytest.mark.parametrize("budget", [1, 10, 500])
def test_stays_within_its_budget(budget: int) -> None:
    """No more moves are made than the budget says, in the tree and below it together."""
    before = TicTacToe.looks["play"]
    mcts()(TicTacToe(), 0, Random(0), budget)

    assert TicTacToe.looks["play"] - before == budget


def test_is_repeatable() -> None:
    """The same luck gives the same search."""
    assert Uct().worths(TicTacToe(), 0, Random(3), 2_000) == Uct().worths(
        TicTacToe(), 0, Random(3), 2_000
    )


@pytest.mark.parametrize(("weights", "move"), [((9, 1), "bold"), ((1, 9), "sure")])
def test_listed_luck_is_drawn_by_weight(weights: tuple[int, int], move: Move) -> None:
    """A gamble is worth what its weights make it."""
    gamble = (CHANCE, (("hit", weights[0], (1.0, 0.0)), ("miss", weights[1], (0.0, 1.0))))
    game = Tree((0, (("bold", 1, gamble), ("sure", 1, (0.5, 0.5)))))

    assert mcts()(game, 0, Random(1), 3_000) == move
    assert Uct(explore=9).worths(game, 0, Random(1), 20_000)["bold"] == pytest.approx(
        weights[0] / 10, abs=0.02
    )


def test_luck_without_weights_is_even() -> None:
    """A fair die is worth 3.5 on the average."""
    assert Uct(explore=9).worths(Rolls(1, 2), 0, Random(1), 20_000)["roll"] == pytest.approx(
        3.5 / 6, abs=0.02
    )


@pytest.mark.parametrize("listed", [True, False])
def test_rolls_again_when_it_pays(listed: bool) -> None:
    """With one roll left low faces are rolled again and high ones kept, whether or not luck is
    listed.
    """
    chosen = [mcts()(Rolls(1, face, listed=listed), 0, Random(5), 4_000) for face in (1, 2, 5, 6)]

    assert chosen == ["roll", "roll", "keep", "keep"]


def test_unlisted_luck_does_not_branch_the_tree() -> None:
    """After a draw too large to list what is learnt is learnt of the moves, so the tree has a place
    a move and no more.
    """
    places: list[object] = []

    def known_as(position: Game) -> Game:
        places.append(position)
        return position

    Uct().search(lambda: Rolls(1, 2, listed=False), known_as, 0, Random(0), 2_000)

    assert {position.face for position in places if isinstance(position, Rolls)} == {0, 2}


def test_every_seat_wants_its_own_score() -> None:
    """With three seats each is taken to look after itself."""
    third = (2, (("a", 1, (0.9, 0.0, 0.1)), ("b", 1, (0.0, 0.1, 0.9))))
    second = (1, (("a", 1, third), ("b", 1, (0.3, 0.4, 0.3))))
    game = Three((0, (("out", 1, (0.5, 0.2, 0.3)), ("on", 1, second), ("third", 1, third))))

    assert mcts()(game, 0, Random(0), 5_000) == "out"
    assert Uct().worths(game, 0, Random(0), 20_000)["on"] == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("seat", [0, 1])
def test_simultaneous_moves_are_weighed_apart(seat: Seat) -> None:
    """Where one choice is better against everything it is found by both seats, neither seeing the
    other's.
    """
    game = Matrix(((0.5, 0.2), (0.9, 0.6)))
    worth = Uct().worths(game, seat, Random(2), 4_000)

    assert max(worth, key=worth.__getitem__) == "1"


def test_a_choice_made_at_once_cannot_answer_the_other() -> None:
    """In matching pennies both sides are worth about a half: a search that saw the other's coin
    would think it wins.
    """
    worth = Uct().worths(Matrix(((1.0, 0.0), (0.0, 1.0))), 1, Random(0), 20_000)

    assert worth == pytest.approx({"0": 0.5, "1": 0.5}, abs=0.1)


def test_a_playout_policy_plays_below_the_tree() -> None:
    """A policy is called on views of the moving seat with a budget of 1; its moves are played."""
    asked: set[tuple[Seat, int]] = set()

    def first(view: Nim, seat: Seat, rng: Random, budget: int) -> Move:
        assert view.turn == seat
        asked.add((seat, budget))
        return next(iter(view.options()[seat] or ()))

    mcts(Uct(playout=first))(Nim((3, 4)), 0, Random(0), 300)

    assert asked == {(0, 1), (1, 1)}


@pytest.mark.parametrize(("reach", "stones"), [(0, {28, 27}), (2, {26, 25})])
def test_an_estimate_ends_a_playout(reach: int, stones: set[int]) -> None:
    """The estimate is asked `reach` steps below the tree, for every seat, and its word counts as
    the score.
    """
    asked: set[int] = set()

    def estimate(position: Nim, seat: Seat) -> float:
        asked.add(position.piles[0])
        return 0.25 + seat / 2

    worth = Uct(estimate=estimate, reach=reach).worths(
        Nim((30,), most=1), 0, Random(0), 2 + 3 + 2 * reach
    )

    assert (asked, worth) == (stones, {"0-1": 0.25})


def test_refuses_other_seats_and_hidden_cards() -> None:
    """It searches for a seat that is to move, in a game that hides nothing."""
    with pytest.raises(ValueError, match="seat 1 is not to move"):
        mcts()(TicTacToe(), 1, Random(0), 10)
    with pytest.raises(ValueError, match="hides cards"):
        mcts()(Kuhn().seen_by(0), 0, Random(0), 10)
