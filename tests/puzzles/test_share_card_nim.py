"""Share card nim: the paper's example, and exact play against plain search."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.scene import Box
from quandary.puzzles.duels.share_card_nim import ShareCardNim


@cache
def _wins_by_force(cards: frozenset[int], stones: int) -> bool:
    """Whether the player to move wins; with no stones or no card that fits it has lost."""
    return any(
        not _wins_by_force(cards - {card}, stones - card) for card in cards if card <= stones
    )


def _wins(position: ShareCardNim) -> bool:
    worth = position.judge(position.turn)
    assert worth is not None
    return any(worth.values())


def test_the_papers_example() -> None:
    """Ten stones and the cards 1 to 4, played 2, 3, 4, 1: the second player wins."""
    position = ShareCardNim(10, (1, 2, 3, 4))
    left = []
    for move in ("2", "3", "4", "1"):
        assert move in (position.options()[position.turn] or ())
        position = position.play(position.turn, move)
        left.append(position.stones)

    assert [8, 5, 1, 0] == left
    assert ((0.0, 1.0), Ending("goal"), {}) == (
        position.scores(),
        position.ending(),
        position.options(),
    )


def test_the_papers_example_is_forced() -> None:
    """Its pile needs all four cards, so the second player wins in whatever order they come."""
    assert {"1": 0.0, "2": 0.0, "3": 0.0, "4": 0.0} == ShareCardNim(10, (1, 2, 3, 4)).judge(0)
    for order in permutations("1234"):
        position = ShareCardNim(10, (1, 2, 3, 4))
        for move in order:
            position = position.play(position.turn, move)

        assert (0.0, 1.0) == position.scores()


def test_cards_are_gone_for_both() -> None:
    """A card that was played is nobody's any more, and cards above the pile are no options."""
    start = ShareCardNim(6, (1, 2, 3, 5))

    assert {0: ["1", "2", "3", "5"]} == start.options()
    assert {1: ["1", "3"]} == start.play(0, "2").options()


def test_no_card_that_fits_loses() -> None:
    """A stuck player loses at once and nobody is to blame; so does one who finds no card at all."""
    stuck = ShareCardNim(3, (2, 5)).play(0, "2")
    out_of_cards = ShareCardNim(3, (2,), 1).play(1, "2")

    assert ((1.0, 0.0), Ending("no_move"), {}) == (stuck.scores(), stuck.ending(), stuck.options())
    assert ((0.0, 1.0), Ending("no_move"), {}) == (
        out_of_cards.scores(),
        out_of_cards.ending(),
        out_of_cards.options(),
    )


def test_exact_play_agrees_with_plain_search() -> None:
    """The judge's worths are those of brute force on all piles of small and random sets."""
    rng = Random(7)
    sets = [frozenset(range(1, top + 1)) for top in range(1, 8)]
    sets += [frozenset(rng.sample(range(1, 16), rng.randint(1, 9))) for _ in range(25)]
    for cards in sets:
        for stones in range(1, sum(cards) + 3):
            position = ShareCardNim(stones, tuple(sorted(cards)), rng.randrange(2))
            moves = position.options().get(position.turn) or ()
            expected = {
                move: float(not _wins_by_force(cards - {int(move)}, stones - int(move)))
                for move in moves
            }

            assert expected == position.judge(position.turn)


def test_many_cards_are_judged_where_few_fit() -> None:
    """What counts is how many sets of cards fit: of 500 cards, only a small pile is judged."""
    cards = tuple(range(1, 501))
    expected = {
        str(card): float(not _wins_by_force(frozenset(range(1, 13)) - {card}, 12 - card))
        for card in range(1, 13)
    }

    assert expected == ShareCardNim(12, cards).judge(0)
    assert ShareCardNim(5_000, cards).judge(0) is None
    assert ShareCardNim(12, cards).judge(1) is None


@pytest.mark.parametrize("level", ShareCardNim.levels)
def test_instances(level: str) -> None:
    """The pile is half the sum of the cards or more, and the cards are those of the level."""
    arguments = ShareCardNim.levels[level]
    for seed in range(30):
        start = ShareCardNim.new(Random(f"{level} {seed}"), **arguments)

        assert sum(start.cards) <= 2 * start.stones <= 2 * sum(start.cards)
        assert 1 <= start.cards[0] and start.cards[-1] <= arguments["top"][1]
        if "dealt" in arguments:
            assert arguments["dealt"][0] <= len(start.cards) <= arguments["dealt"][1]
        else:
            assert start.cards == tuple(range(1, len(start.cards) + 1))
            assert len(start.cards) >= arguments["top"][0]


@pytest.mark.parametrize("level", ShareCardNim.levels)
def test_both_seats_get_won_positions(level: str) -> None:
    """Either player can force a win in about half of the instances."""
    starts = [
        ShareCardNim.new(Random(f"{level} {seed}"), **ShareCardNim.levels[level])
        for seed in range(100)
    ]

    assert 0.35 < sum(map(_wins, starts)) / 100 < 0.65


@pytest.mark.parametrize("level", ShareCardNim.levels)
def test_play_matters(level: str) -> None:
    """In every instance a first move or a reply to one can throw the game away."""
    for seed in range(15):
        start = ShareCardNim.new(Random(f"{level} {seed}"), **ShareCardNim.levels[level])
        cards = frozenset(start.cards)
        outcomes = [
            [
                _wins_by_force(cards - {card}, start.stones - card)
                for card in cards
                if card <= start.stones
            ]
        ]
        for first in cards:
            left, stones = cards - {first}, start.stones - first
            outcomes.append(
                [_wins_by_force(left - {card}, stones - card) for card in left if card <= stones]
            )

        assert any(len(set(wins)) == 2 for wins in outcomes)


def test_sets_that_only_one_player_can_win() -> None:
    """Where no pile fits, an instance is made all the same."""
    assert {(1, 2)} == {ShareCardNim.new(Random(seed), top=(2, 2)).cards for seed in range(5)}
    assert {True} == {_wins(ShareCardNim.new(Random(seed), top=(4, 4))) for seed in range(5)}


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ({"top": (1, 4)}, "top=1..4 is out of bounds; write a range within 2 to 500"),
        ({"top": (4, 501)}, "top=4..501 is out of bounds; write a range within 2 to 500"),
        ({"dealt": (1, 3)}, "dealt=1..3 is out of bounds; write a range within 2 or more"),
        ({"top": (7, 6)}, "top=7..6 is empty"),
        ({"top": (9, 9), "dealt": (5, 4)}, "dealt=5..4 is empty"),
    ],
)
def test_sizes_that_cannot_be_made(sizes: dict[str, tuple[int, int]], reason: str) -> None:
    """Single cards, endless sets and empty ranges are refused with a sentence."""
    with pytest.raises(ValueError, match=reason):
        ShareCardNim.new(Random(1), **sizes)


@pytest.mark.parametrize(
    "said",
    [
        "7",
        " 7 ",
        "[7]",
        "Operation: [7]",
        "**Operation:** [7]",
        "Operation: List[int] = [7]",
        "`7`",
        "I play 7.",
        "07",
    ],
)
def test_the_papers_notations_are_read(said: str) -> None:
    """One number, however it is dressed."""
    assert "7" == ShareCardNim(9, (2, 7)).read(0, said)


@pytest.mark.parametrize(
    "said", ["", "seven", "3 or 4", "2.5", "-", "1 2", "[-2, 1]", "9999999999", "٧"]
)
def test_what_is_no_single_number_is_unreadable(said: str) -> None:
    """Two numbers or none are not a move."""
    game = ShareCardNim(9, (2, 7))
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "as one number, for example: 3" in refusal(game, refused.value)
    assert "例如：3" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize(
    ("said", "move"),
    [("我打出 7", "7"), ("打出７", "7"), ("牌：7", "7"), ("出 7 这张牌", "7"), ("-7", "-7")],
)
def test_moves_are_read_in_chinese_and_out_of_bounds(said: str, move: str) -> None:
    """Chinese replies name the same moves, and a card that does not exist is a readable move."""
    assert move == ShareCardNim(9, (2, 7)).read(0, said)


@pytest.mark.parametrize(
    ("move", "reason", "chinese"),
    [
        ("2", "The card 2 is not among those that are left.", "剩余的牌中没有 2。"),
        ("-7", "The card -7 is not among those that are left.", "剩余的牌中没有 -7。"),
        ("7", "The card 7 is larger than the pile.", "牌 7 大于剩余的石子数。"),
    ],
)
def test_an_illegal_card_has_a_reason(move: str, reason: str, chinese: str) -> None:
    """A card that has been played or never was there, and one that is too large."""
    position = ShareCardNim(6, (1, 2, 3, 7)).play(0, "2")

    assert move not in position.legal(1)
    assert (reason, chinese) == tuple(
        position.why_illegal(1, move, language) for language in ("en", "zh")
    )


def test_the_last_card_is_told_from_each_side() -> None:
    """Both players read who played what, the pile and the cards left."""
    start = ShareCardNim(9, (2, 7))
    position = start.play(0, "7")
    common = "Stones: 2\nCards left for both players: 2"

    assert start.text(0) == start.text(1) == "Stones: 9\nCards left for both players: 2 7"
    assert (f"You played 7.\n{common}", f"Your opponent played 7.\n{common}") == (
        position.text(0),
        position.text(1),
    )
    assert "Cards left for both players: none" in position.play(1, "2").text(0)
    assert position.text(1, "zh").splitlines() == [
        "对手打出了 7。",
        "石子：2",
        "剩余的牌（双方共用）：2",
    ]


def test_clicks_on_the_picture_are_the_legal_moves() -> None:
    """Playable cards can be clicked by the player to move, and nothing else can."""
    position = ShareCardNim(5, (2, 4, 7))

    def clicks(seat: int) -> list[object]:
        scene = position.scene(seat)
        return [shape.click for shape in scene.shapes if isinstance(shape, Box) and shape.click]

    assert clicks(0) == [{"card": "2"}, {"card": "4"}]
    assert clicks(1) == []


def test_cautious_takes_a_win_and_gives_none_away() -> None:
    """It wins at once where it can, and leaves no pile that equals a card."""
    clearing = ShareCardNim(4, (1, 2, 4))
    blocking = ShareCardNim(6, (2, 3, 4, 5))
    threatened = ShareCardNim(9, (1, 2, 3, 7))

    assert {"4"} == {clearing.cautious(0, Random(seed), 1) for seed in range(20)}
    assert {"5"} == {blocking.cautious(0, Random(seed), 1) for seed in range(20)}
    assert {"1", "3"} == {threatened.cautious(0, Random(seed), 1) for seed in range(20)}


def test_the_oracle_plays_on_where_it_cannot_win() -> None:
    """In a lost position it leaves the fewest right replies; it plays legally on huge piles."""
    lost = ShareCardNim(14, (1, 2, 3, 4, 5, 6))
    replies = {
        move: list((lost.play(0, move).judge(1) or {}).values()) for move in lost.options()[0] or ()
    }
    fewest = min(sum(worth) / len(worth) for worth in replies.values())
    chosen = {lost.oracle(0, Random(seed), 1) for seed in range(20)}
    huge = ShareCardNim(50_000, tuple(range(1, 501)))

    assert not _wins(lost)
    assert {fewest} == {sum(replies[move]) / len(replies[move]) for move in chosen}
    assert huge.oracle(0, Random(1), 1) in (huge.options()[0] or ())


def _share_won(
    strategy: str, opponent: str, arguments: dict[str, tuple[int, int]], matches: int
) -> float:
    """The share of matches won, both seats of each instance played."""
    won = 0.0
    for match in range(matches):
        rng, seat = Random(f"luck {match}"), match % 2
        position = ShareCardNim.new(Random(f"start {match // 2}"), **arguments)
        while options := position.options():
            who = strategy if position.turn == seat else opponent
            moves = list(options[position.turn] or ())
            chosen = (
                rng.choice(moves)
                if who == "random"
                else ShareCardNim.strategies[who](position, position.turn, rng, 2_000)
            )
            position = position.play(position.turn, chosen)
        won += position.scores()[seat]
    return won / matches


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("level", "over_random", "over_cautious"),
    [("easy", 0.7, 0.55), ("normal", 0.9, 0.85), ("hard", 0.95, 0.92)],
)
def test_strength_of_the_baselines(level: str, over_random: float, over_cautious: float) -> None:
    """Over 400 matches per pair, cautious beats luck, and the oracle beats both."""
    arguments = dict(ShareCardNim.levels[level])

    assert _share_won("cautious", "random", arguments, 400) > 0.6
    assert _share_won("oracle", "random", arguments, 400) > over_random
    assert _share_won("oracle", "cautious", arguments, 400) > over_cautious


@pytest.mark.heavy
def test_the_oracle_beats_the_others_beyond_its_exact_reach() -> None:
    """With 22 cards it must search at first, yet wins above 80 % of 40 matches against either."""
    assert _share_won("oracle", "random", {"top": (22, 22)}, 40) > 0.8
    assert _share_won("oracle", "cautious", {"top": (22, 22)}, 40) > 0.8
