"""Alpha-beta search."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from zlib import crc32

import pytest

from quandary.algorithms.alphabeta import alphabeta, search
from quandary.core.contract import Game, Move, Seat
from small_games import Kuhn, Lattice, Nim, Rolls, TicTacToe, Tree, brute, random_tree


def hopeful(position: Game, seat: Seat) -> float:
    """An estimate that is always wrong in the end: every open position is won."""
    return 1.0


def noise(position: Game, seat: Seat) -> float:
    return crc32(repr(position).encode()) / 2**32


ESTIMATES = [hopeful, noise, lambda position, seat: 0.0]


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_equals_brute_force_on_random_games(estimate: object) -> None:
    """With enough budget the worth is proven and exact, whatever the estimate, also where a seat
    moves twice.
    """
    for seed in range(50):
        game = random_tree(Random(seed), 6)
        found = search(game, 0, 100_000, estimate)  # type: ignore[arg-type]

        assert found.proven
        assert found.worth == brute(game)[0] == brute(game.play(0, found.move))[0]


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_what_is_proven_is_true_at_every_budget(estimate: object) -> None:
    """A result that calls itself proven is exact however little was looked at, and more budget
    never unproves it.
    """
    early = 0
    for seed in range(30):
        game, before = random_tree(Random(seed), 5), False
        for budget in range(1, 120, 7):
            found = search(game, 0, budget, estimate)  # type: ignore[arg-type]
            early += found.proven
            assert found.proven >= before
            if found.proven:
                assert found.worth == brute(game)[0] == brute(game.play(0, found.move))[0]
            before = found.proven

    assert early


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_places_met_again_are_remembered_rightly(estimate: object) -> None:
    """Where many ways lead to one place, what one way proved of it (a worth or only a bound)
    misleads no other.
    """
    for seed in range(50):
        rng = Random(seed)
        game = Lattice(tuple(rng.randrange(17) / 16 for _ in range(8)))
        for budget in (40, 80, 10_000):
            found = search(game, 0, budget, estimate)  # type: ignore[arg-type]
            assert found.proven or budget < 10_000
            if found.proven:
                assert found.worth == brute(game)[0] == brute(game.play(0, found.move))[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_both_seats_of_tic_tac_toe(seat: Seat) -> None:
    """From either side every middle position gets the worth brute force gives it."""
    for seed in range(15):
        rng, position = Random(seed), TicTacToe()
        while position.board.count(".") > 5 + seat:
            position = position.play(
                *next((s, rng.choice(list(m or ()))) for s, m in position.options().items())
            )
        if seat in position.options():
            found = search(position, seat, 100_000)

            assert (found.worth, found.proven) == (brute(position)[seat], True)


def test_whole_tic_tac_toe_is_proven_a_draw() -> None:
    """The empty board is proven even within 20,000 looks, less than a twentieth of its tree of
    549,946.
    """
    found = search(TicTacToe(), 0, 20_000)

    assert (found.worth, found.proven) == (0.5, True)


def test_nothing_is_proven_by_one_look() -> None:
    """A search that has seen no ending claims nothing, not even where the estimate is sure."""
    assert not search(TicTacToe(), 0, 200, hopeful).proven
    assert search(TicTacToe("xx.oo...."), 0, 200, hopeful) == ("2", 1.0, True)


@pytest.mark.parametrize("budget", [1, 2, 3, 10, 50, 333, 2000])
def test_stays_within_its_budget(budget: int) -> None:
    """It makes fewer moves than its budget, as the root costs one too, and always has a move."""
    before = TicTacToe.looks["play"]
    found = search(TicTacToe(), 0, budget)

    assert TicTacToe.looks["play"] - before < budget
    assert found.move in "012345678"


def test_a_little_budget_is_used() -> None:
    """Where the budget does not reach all options, the best of those looked at is taken."""
    scores = {"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25, "e": 1.0, "f": 0.5}
    game = Tree((0, tuple((move, 1, (score, 1 - score)) for move, score in scores.items())))

    assert search(game, 0, 6) == ("e", 1.0, True)  # nothing is worth more, so the rest need no look
    assert search(game, 0, 5) == ("a", 0.25, False)


def test_ordering_is_followed() -> None:
    """With no budget to search the move is the first of the order given, and an order changes no
    proven worth.
    """

    def backwards(position: Game, moves: Sequence[Move]) -> list[Move]:
        return sorted(moves, reverse=True)

    assert search(TicTacToe(), 0, 1, order=backwards).move == "8"
    assert search(Nim((3, 4, 5)), 0, 50_000, order=backwards)[1:] == (1.0, True)


def test_wins_as_soon_as_it_can() -> None:
    """Of two wins it takes the nearer."""
    game = Tree(
        (0, (("slow", 1, (1, (("x", 1, (0, (("y", 1, (1.0, 0.0)),))),))), ("fast", 1, (1.0, 0.0))))
    )

    assert search(game, 0, 1000) == ("fast", 1.0, True)


def test_loses_as_late_as_it_can() -> None:
    """Where all is lost it takes the option whose loss the search saw last."""
    late = (1, (("x", 1, (0, (("y", 1, (0.0, 1.0)),))),))
    game = Tree((0, (("soon", 1, (0.0, 1.0)), ("late", 1, late), ("quick", 1, (0.0, 1.0)))))

    assert search(game, 0, 1000) == ("late", 0.0, True)


def test_the_strategy_plays_by_luck_among_equals() -> None:
    """The same luck makes the same move; other luck another equal one, and never a worse one."""
    play = alphabeta()
    chosen = [play(Nim((1, 1, 1)), 0, Random(seed), 500) for seed in range(30)]

    assert set(chosen) == {"0-1", "1-1", "2-1"}
    assert chosen == [play(Nim((1, 1, 1)), 0, Random(seed), 500) for seed in range(30)]
    assert {play(TicTacToe("xx.oo...."), 0, Random(seed), 100) for seed in range(10)} == {"2"}
    assert {play(TicTacToe("x...o...x"), 1, Random(seed), 5_000) for seed in range(10)} <= set(
        "1357"
    )


def test_very_long_games_do_not_overflow() -> None:
    """A game deeper than the search may recurse is left unproven."""
    assert not search(Nim((2000,), most=1), 0, 90_000).proven
    assert search(Nim((201,), most=1), 0, 100_000) == ("0-1", 1.0, True)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Rolls(0, 3), "two seats"),
        (Tree((0, (("a", 1, (-1, (("b", 1, (0.5, 0.5)), ("c", 1, (0.5, 0.5))))),))), "luck"),
        (Tree((0, (("a", 1, (1.0, 1.0)),))), "sum to 1"),
        (Tree((1, (("a", 1, (1.0, 0.0)),))), "seat 0 is not to move"),
    ],
)
def test_refuses_other_games(game: Game, complaint: str) -> None:
    """One seat, luck, scores that do not sum to 1 and the wrong seat are refused."""
    with pytest.raises(ValueError, match=complaint):
        search(game, 0, 1000)


def test_the_strategy_refuses_hidden_cards() -> None:
    """A view with holes is not searched as if it were whole."""
    with pytest.raises(ValueError, match="hides cards"):
        alphabeta()(Kuhn().seen_by(0), 0, Random(0), 100)
