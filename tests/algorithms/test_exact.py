"""Exact play."""

from __future__ import annotations

from random import Random

import pytest

from quandary.algorithms import exact
from quandary.algorithms.exact import best, shares, value, worths
from quandary.tasks.question_game import QuestionGame
from small_games import CHANCE, Kuhn, Matrix, Nim, Rolls, Round, TicTacToe, Tree, brute, random_tree


def test_tic_tac_toe_is_a_draw() -> None:
    """The empty board is worth half a point to both, wherever the first cross goes."""
    assert value(TicTacToe()) == (0.5, 0.5)
    assert worths(TicTacToe(), 0) == {str(cell): 0.5 for cell in range(9)}


def test_tic_tac_toe_is_searched_whole() -> None:
    """The game has 5478 positions, and every one of them is worth what brute force says."""
    seen, waiting = {TicTacToe()}, [TicTacToe()]
    while waiting:
        position = waiting.pop()
        for seat, moves in position.options().items():
            fresh = {position.play(seat, move) for move in moves or ()} - seen
            seen |= fresh
            waiting += fresh
    late = [position for position in seen if position.board.count(".") <= 4]

    assert len(seen) == 5478
    assert all(value(position) == brute(position) for position in late)


def test_nim_is_lost_where_the_piles_cancel() -> None:
    """Bouton: the mover loses exactly where the exclusive or of the piles is 0."""
    for piles in [(a, b, c) for a in range(5) for b in range(5) for c in range(5)]:
        lost = piles[0] ^ piles[1] ^ piles[2] == 0

        assert value(Nim(piles)) == ((0.0, 1.0) if lost else (1.0, 0.0))


@pytest.mark.parametrize("luck", [False, True])
@pytest.mark.parametrize("fair", [False, True])
def test_equals_brute_force_on_random_games(luck: bool, fair: bool) -> None:
    """With and without luck, zero-sum or not, the value is that of the plain recursion."""
    for seed in range(150):
        game = random_tree(Random(seed), 5, luck=luck, fair=fair)

        assert value(game) == pytest.approx(brute(game))
        assert worths(game, 0) == pytest.approx(
            {move: brute(game.play(0, move))[0] for move in game.options()[0] or ()}
        )


def test_each_seat_wants_its_own_score_only() -> None:
    """A seat neither hurts nor favours the other: of equal options it takes the first listed."""
    spite = (1, (("mean", 1, (0.0, 0.5)), ("kind", 1, (0.9, 0.5))))
    favour = (1, (("kind", 1, (0.9, 0.5)), ("mean", 1, (0.0, 0.5))))
    game = Tree(
        (
            0,
            (
                ("to mean", 1, spite),
                ("to kind", 1, favour),
                ("greedy", 1, (1, (("x", 1, (0.3, 0.2)),))),
            ),
        )
    )

    assert worths(game, 0) == {"to mean": 0.0, "to kind": 0.9, "greedy": 0.3}
    assert value(game) == (0.9, 0.5)


def test_luck_is_weighed() -> None:
    """One roll is worth 3.5, a second chance 4.25 and a third 14/3; weights change that."""
    assert value(Rolls(0)) == pytest.approx((3.5 / 6,))
    assert value(Rolls(1)) == pytest.approx((4.25 / 6,))
    assert value(Rolls(2)) == pytest.approx((14 / 18,))
    assert value(Rolls(0, weights=(3, 0, 0, 0, 0, 1))) == pytest.approx((2.25 / 6,))
    assert worths(Rolls(2, 4), 0) == pytest.approx({"keep": 4 / 6, "roll": 4.25 / 6})


def test_shares_of_luck() -> None:
    """Weights become probabilities, outcomes without weights are equally likely, impossible ones
    are left out.
    """
    assert shares({"hit": 9, "miss": 1, "never": 0}) == [("hit", 0.9), ("miss", 0.1)]
    assert shares("abcd") == [(letter, 0.25) for letter in "abcd"]


def test_long_games_do_not_overflow() -> None:
    """Two thousand plies are no deeper a recursion than one."""
    assert value(Nim((2000,), most=1)) == (0.0, 1.0)
    assert worths(Nim((501,), most=3), 0) == {"0-1": 1.0, "0-2": 0.0, "0-3": 0.0}


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for ten positions the values stay right, and no more than ten are kept."""
    monkeypatch.setattr(exact, "KEPT", 10)
    monkeypatch.setattr(exact, "_known", type(exact._known)())

    assert value(TicTacToe("xox.o....")) == brute(TicTacToe("xox.o...."))
    assert len(exact._known) == 10


def test_best_takes_any_best_option() -> None:
    """The strategy makes winning moves only, and by luck each of them; the same luck makes the same
    move.
    """
    winning = {move for move, worth in worths(Nim((1, 1, 1)), 0).items() if worth == 1.0}
    chosen = [best(Nim((1, 1, 1)), 0, Random(seed), 1) for seed in range(30)]

    assert winning == {"0-1", "1-1", "2-1"} == set(chosen)
    assert chosen == [best(Nim((1, 1, 1)), 0, Random(seed), 1) for seed in range(30)]


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Rolls(listed=False), "CHANCE: None"),
        (Matrix(), "one seat to move at a time"),
        (Round(), "positions can repeat"),
        (QuestionGame(None), "free text"),  # type: ignore[arg-type]
    ],
)
def test_refuses_what_it_cannot_weigh(game: Tree, complaint: str) -> None:
    """Unlisted luck, simultaneous moves, endless play and free text are refused by name."""
    with pytest.raises(ValueError, match=complaint):
        value(game)


def test_refuses_other_seats_and_hidden_cards() -> None:
    """Worths are for the seat to move, and the strategy is not for games that hide something."""
    with pytest.raises(ValueError, match="seat 1 is not to move"):
        worths(TicTacToe(), 1)
    with pytest.raises(ValueError, match="seat 0 is not to move"):
        worths(Tree((CHANCE, (("a", 1, (0.0, 1.0)),))), 0)
    with pytest.raises(ValueError, match="hides cards"):
        best(Kuhn().seen_by(0), 0, Random(0), 100)
