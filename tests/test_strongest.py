"""What puzzles say about their strongest players, and whether it is true."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from quandary.api.listing import built_in
from quandary.catalogue import drawing, registry
from quandary.core.contract import CHANCE, Game, JudgedMoves, Move, Seat
from quandary.core.naming import name_of
from quandary.core.puzzle import strongest_at
from quandary.matches.drivers import play_now
from quandary.players.strategy import BUDGET, strategy_player
from quandary.puzzle_docs.puzzle_page import page
from quandary.puzzles.duels.card_nim import CardNim
from quandary.puzzles.duels.expanding_nim import ExpandingNim
from quandary.puzzles.duels.share_card_nim import ShareCardNim

LEVELS = [(name, level) for name in registry.names() for level in registry.load(name).levels]
# Levels of one seat on which the strongest player is called optimal, and so must always succeed.
ALONE = [
    (name, level)
    for name, level in LEVELS
    if strongest_at(registry.load(name), level) == "optimal"
    and getattr(registry.load(name), "seats", 1) == 1
]
DUELS = [
    (name, level)
    for name, level in LEVELS
    if strongest_at(registry.load(name), level) in ("optimal", "equilibrium")
    and (name, level) not in ALONE
]


def test_every_level_says_what_its_strongest_player_is() -> None:
    """The list and the pages say it too."""
    listed = {row["name"]: row["strongest"] for row in built_in()}

    for name, level in LEVELS:
        assert strongest_at(registry.load(name), level) is not None
        assert strongest_at(registry.load(name), level) == listed[name][level]
    assert {"search"} == set(listed["beat_or_bomb_det"].values())
    assert "`oracle`: search with a budget. It is not an upper bound" in page("beat_or_bomb_det")
    assert "search with a budget (normal)" in page("bid_that")


@pytest.mark.parametrize(("name", "level"), ALONE, ids=[f"{name}/{level}" for name, level in ALONE])
def test_optimal_players_of_one_seat_always_score_one(name: str, level: str) -> None:
    """No score is higher, so that is the proof; instances that no other test uses."""
    for seed in range(101, 104):
        spec = f"{name}/{level}#{seed}"
        game = drawing.game(spec)

        assert (1.0,) == play_now(game, [strategy_player("oracle", game, level)], spec).scores


@pytest.mark.parametrize(("name", "level"), DUELS, ids=[f"{name}/{level}" for name, level in DUELS])
def test_proven_players_lose_nothing_with_their_usual_budget(name: str, level: str) -> None:
    """In every position of two random matches the judge, itself proven, knows no better move."""
    if not issubclass(registry.load(name), JudgedMoves):
        pytest.skip("nothing judges its moves")
    for seed in range(2):
        position, rng = drawing.game(f"{name}/{level}#{seed}"), Random(seed)
        while options := position.options():
            for seat in options.keys() - {CHANCE}:
                seen = position.seen_by(seat)
                worth = seen.judge(seat)
                assert worth is not None
                move = seen.strategies["oracle"](seen, seat, rng, BUDGET)
                assert worth[move] == pytest.approx(max(worth.values()), abs=1e-9)
            seat = min(options)
            position = position.after(seat, rng.choice(list(options[seat] or ())))


@cache
def _wins(position: Game) -> bool:
    """Whether the player to move wins, by trying everything."""
    options = position.options()
    if not options:
        return position.scores()[position.turn] == 1.0  # type: ignore[attr-defined]
    [(seat, moves)] = options.items()
    return any(_wins_after(position, seat, move) for move in moves or ())


def _wins_after(position: Game, seat: Seat, move: Move) -> bool:
    return not _wins(position.after(seat, move))


@pytest.mark.parametrize("puzzle", [CardNim, ExpandingNim, ShareCardNim], ids=name_of)
def test_optimal_duellists_win_whatever_brute_force_says_is_won(puzzle: type[Game]) -> None:
    """Small instances, every position that random play of the opponent leads to."""
    sizes = {
        CardNim: {"stones": (8, 14)},
        ExpandingNim: {"stones": (6, 14)},
        ShareCardNim: {"top": (4, 5)},
    }
    won = 0
    for seed in range(30):
        rng = Random(seed)
        position: Game = puzzle.new(rng, **sizes[puzzle])  # type: ignore[index]
        while options := position.options():
            [(seat, moves)] = options.items()
            move = position.strategies["oracle"](position, seat, rng, BUDGET)
            if _wins(position):
                assert _wins_after(position, seat, move)
                won += 1
            other = rng.choice(list(moves or ()))
            position = position.after(seat, move if rng.random() < 0.5 else other)

    assert won > 20
