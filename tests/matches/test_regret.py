"""How good a move was."""

from __future__ import annotations

from asyncio import run

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Game
from quandary.matches.drivers import play_match
from quandary.matches.player import Scripted
from quandary.matches.regret import Judged, judged, regrets
from quandary.players.strategy import strategy_player
from quandary.puzzles.duels.card_nim import CardNim


def test_a_move_that_throws_a_win_away_loses_all_its_worth() -> None:
    """Five stones, cards 1 to 3 each: the second player wins, so no first move loses anything; a
    bad reply loses all.
    """
    start = CardNim(5, ((1, 2, 3), (1, 2, 3)))

    cards = ("1", "2", "3")
    assert [Judged(0.0, 0.0, card) for card in cards] == [judged(start, 0, card) for card in cards]

    after = start.play(0, "1")

    # After 3, one stone is left and no card takes it; after 1 or 2, the rest is taken by one card.
    assert {Judged(1.0, 0.0, "3"), Judged(1.0, 1.0, "3")} == {
        judged(after, 1, card) for card in cards
    }


def test_an_illegal_move_that_loses_is_regretted_wholly() -> None:
    """It costs all that could still be won."""
    won = CardNim(3, ((1, 2, 3), (1, 2, 3)))

    assert Judged(1.0, 1.0, "3") == judged(won, 0, "9")


@pytest.mark.parametrize("spec", ["card_nim/normal#3", "sudokill/easy#2"])
def test_exact_players_regret_nothing(spec: str) -> None:
    """A perfect player gives nothing away, and between two of them the worth of a position only
    changes sides.
    """
    game = drawing.game(spec)
    oracle = strategy_player("oracle@100000", game)
    record = run(play_match(game, [oracle, oracle], spec))
    found = [entry for entry in regrets(record) if entry is not None]

    assert record.scores is not None
    assert len(record.log) == len(found)
    assert {0.0} == {entry.regret for entry in found}
    assert [record.scores[seat] for seat, _ in record.log] == [entry.worth for entry in found]


def test_a_thrown_game_is_somebody_s_regret() -> None:
    """Where the worth of the start is not the result, the regrets along the way make up the
    difference.
    """

    def thrown(game: Game, name: str) -> list[Judged | None]:
        player = Scripted("random", lambda turn, rng: rng.choice(list(turn.options or ())))
        return regrets(run(play_match(game, [player, player], name)))

    entries = [
        entry
        for seed in range(20)
        for entry in thrown(drawing.game(f"card_nim/easy#{seed}"), f"card_nim/easy#{seed}")
    ]

    assert {0.0, 1.0} == {entry.regret for entry in entries if entry}
