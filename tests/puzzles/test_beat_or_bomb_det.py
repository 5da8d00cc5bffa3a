"""Beat or bomb with open hands: deals, what stays hidden, and worth against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from open_hands import NAMES, hand_of, worth_by_brute_force
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.duels.beat_or_bomb_det import BeatOrBombDet

ALL = tuple(range(1, 14))


def _after(game: BeatOrBombDet, first: str, second: str) -> BeatOrBombDet:
    return game.play(0, first).play(1, second)


def _random_match(seed: int, cards: int) -> Iterator[BeatOrBombDet]:
    """The positions of a random match, before each round and at the end."""
    rng = Random(seed)
    game = BeatOrBombDet.new(rng, cards=(cards, cards))
    while options := game.options():
        yield game
        game = _after(game, rng.choice(list(options[0] or ())), rng.choice(list(options[1] or ())))
    yield game


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_the_paper_deals_all_cards_to_both(level: str) -> None:
    """Ace to king for both, and so 13 rounds."""
    game = BeatOrBombDet.new(Random(5), **BeatOrBombDet.levels[level])
    options = game.options()

    assert (ALL, ALL) == game.hands
    assert [26, 26] == [len(options[seat] or ()) for seat in (0, 1)]
    assert 14 == len(list(_random_match(5, 13)))


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("5 compete", "K give up", (5, 0)),
        ("5 compete", "K compete", (0, 18)),
        ("7 compete", "7 compete", (0, 0)),
        ("7 give up", "7 compete", (0, 7)),
        ("2 give up", "K give up", (0, 0)),
    ],
)
def test_points_of_a_round(first: str, second: str, points: tuple[int, int]) -> None:
    """The paper's example first; the higher competing card takes both, equal ones earn nothing."""
    assert points == _after(BeatOrBombDet((ALL, ALL)), first, second).values()


def test_equal_play_is_a_draw() -> None:
    """Two players who play all cards alike share the match."""
    game = BeatOrBombDet((ALL, ALL))
    for name in NAMES[1:]:
        game = _after(game, f"{name} compete", f"{name} compete")

    assert ({}, (0.5, 0.5), (0.0, 0.0)) == (game.options(), game.scores(), game.values())


def test_deals_are_all_pairs_of_one_total() -> None:
    """With 11 cards: 78 hands come equally often, each beside any hand with the same total."""
    made = [BeatOrBombDet.new(Random(seed), cards=(11, 11)).hands for seed in range(8_000)]
    hands = list(combinations(ALL, 11))
    firsts = Counter(first for first, _ in made)

    assert {(a, b) for a in hands for b in hands if sum(a) == sum(b)} == set(made)
    assert 78 == len(firsts)
    assert 8_000 / 78 * 0.6 < min(firsts.values()) <= max(firsts.values()) < 8_000 / 78 * 1.4


def test_the_hard_level_deals_different_hands() -> None:
    """Seven to nine cards of one total; the same hand to both is the exception."""
    made = [
        BeatOrBombDet.new(Random(seed), **BeatOrBombDet.levels["hard"]).hands for seed in range(300)
    ]

    assert {7, 8, 9} == {len(first) for first, _ in made}
    assert all(len(first) == len(second) and sum(first) == sum(second) for first, second in made)
    assert sum(first == second for first, second in made) < 60


@pytest.mark.parametrize(
    ("cards", "words"),
    [((0, 5), "within 1 to 13"), ((9, 14), "within 1 to 13"), ((8, 7), "cards=8..7 is empty")],
)
def test_deals_that_do_not_exist_are_refused(cards: tuple[int, int], words: str) -> None:
    """There are 13 ranks."""
    with pytest.raises(ValueError, match=words):
        BeatOrBombDet.new(Random(0), cards=cards)


def test_the_text_tells_the_match_from_the_seats_side() -> None:
    """Both hands, points, and the log."""
    told = (
        _after(BeatOrBombDet((hand_of("2 9 K"), hand_of("5 8 J"))), "9 compete", "8 compete")
        .seen_by(1)
        .text(1)
    )

    assert "Rounds played: 1 of 3" in told
    assert "Points: you 0, opponent 17" in told
    assert "Your cards: 5 J" in told
    assert "Opponent's cards: 2 K" in told
    assert "Round 1: you 8 compete (+0), opponent 9 compete (+17)" in told


def test_the_text_is_told_in_chinese() -> None:
    """Both hands, points, and the log; an empty hand is named."""
    game = _after(BeatOrBombDet((hand_of("2 9"), hand_of("8 J"))), "9 compete", "8 compete")

    assert game.text(1, "zh").splitlines() == [
        "已进行 1 轮，共 2 轮",
        "得分：你 0，对手 17",
        "你的牌：J",
        "对手的牌：2",
        "第 1 轮：你 8 竞争（+0），对手 9 竞争（+17）",
    ]
    assert "你的牌：无\n对手的牌：无" in _after(game, "2 give up", "J give up").text(0, "zh")


def test_every_move_is_one_click() -> None:
    """Clicks fill in both fields of a move; a seat that has chosen has nothing to click."""
    game = BeatOrBombDet((hand_of("2 9 K"), hand_of("5 8 J")))
    waiting = game.play(1, "J compete").seen_by(1)

    assert list(game.options()[1] or ()) == sorted(_clicks(game.seen_by(1), 1), key=_by_hand)
    assert [] == _clicks(waiting, 1)


def _clicks(view: BeatOrBombDet, seat: int) -> list[str]:
    fills = [getattr(shape, "click", None) for shape in view.scene(seat).shapes]
    return [view.notation().write(fields) for fields in fills if fields]


def _by_hand(move: str) -> tuple[int, str]:
    card, _, decision = move.partition(" ")
    return NAMES.index(card), decision


def test_notations() -> None:
    """The paper's way of writing, ours, and words that are no move."""
    game = BeatOrBombDet((ALL, ALL))

    assert ["K give up", "10 compete", "A compete"] == [
        game.read(0, said) for said in ("['K', 'give up']", "10 COMPETE", "1 compete")
    ]
    assert ["K give up", "10 compete"] == [game.read(0, said) for said in ("放弃 K", "10 竞争")]
    with pytest.raises(Unreadable) as refused:
        game.read(0, "K")
    assert "K compete" in refusal(game, refused.value)
    assert "K 竞争" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize(
    ("move", "reason", "chinese"),
    [
        ("9 compete", "You do not hold the card 9.", "你手里没有 9 这张牌。"),
        ("5 give up", "You do not hold the card 5.", "你手里没有 5 这张牌。"),
        ("Q give up", "You do not hold the card Q.", "你手里没有 Q 这张牌。"),
    ],
)
def test_a_card_that_is_not_held_has_a_reason(move: str, reason: str, chinese: str) -> None:
    """A card that has been played, one of the opponent's, and one that nobody holds."""
    game = _after(BeatOrBombDet((hand_of("2 9 K"), hand_of("5 8 J"))), "9 compete", "8 compete")
    view = game.seen_by(0)

    assert move not in view.legal(0)
    assert (reason, chinese) == (view.why_illegal(0, move), view.why_illegal(0, move, "zh"))


@pytest.mark.parametrize(
    ("own", "other", "rounds", "worth"),
    [
        (
            "5",
            "5",
            (),
            {"5 compete": 0.5, "5 give up": 0.0},
        ),  # who gives up loses, and two who compete draw
        (
            "5",
            "9",
            (("9 compete", "5 give up"),),
            {"5 compete": 0.0, "5 give up": 0.5},
        ),  # the 9 just makes up the lead
        (
            "9",
            "5",
            (("5 give up", "9 compete"),),
            {"9 compete": 0.5, "9 give up": 0.0},
        ),  # the same from the other side
        (
            "K",
            "A",
            (("A give up", "K compete"),),
            {"K compete": 0.5, "K give up": 0.0},
        ),  # the ace gives up and draws
    ],
)
def test_last_cards(
    own: str, other: str, rounds: tuple[tuple[str, str], ...], worth: dict[str, float]
) -> None:
    """Worked out by hand."""
    assert worth == pytest.approx(
        BeatOrBombDet((hand_of(own), hand_of(other)), rounds).judge(0) or {}
    )


def test_endings_are_worth_what_brute_force_says() -> None:
    """Up to three cards, from both seats: all plays and replies, in fractions."""
    seen = Counter[int]()
    for seed in range(400):
        for game in list(_random_match(seed, 9 + seed % 5))[-4:-1]:
            left, lead = len(game.hands[0]), int(game.values()[0] - game.values()[1])
            if seen[left] >= {1: 60, 2: 40, 3: 4}[left] or abs(lead) > 15:
                continue
            seen[left] += 1
            value, worth = (
                float(worth_by_brute_force(*game.hands, lead)),
                [game.seen_by(seat).judge(seat) or {} for seat in (0, 1)],
            )

            assert [value, 1 - value] == pytest.approx(
                [max(worth[0].values()), max(worth[1].values())], abs=1e-9
            )
    assert {1: 60, 2: 40, 3: 4} == seen


def test_equal_hands_and_points_are_worth_half() -> None:
    """Whatever the cards, nobody has the better of an even position."""
    for cards in (2, 3, 4):
        for hand in Random(cards).sample(list(combinations(ALL, cards)), 10):
            assert max((BeatOrBombDet((hand, hand)).judge(0) or {}).values()) == pytest.approx(
                0.5, abs=1e-9
            )


def test_positions_are_judged_towards_the_end() -> None:
    """Five cards are few enough; a seat that has chosen, or has no cards, gets no verdict."""
    game = BeatOrBombDet((hand_of("A 4 6 9 Q"), hand_of("2 3 7 10 J")))

    assert BeatOrBombDet((ALL[:6], ALL[:6])).judge(0) is None
    assert game.judge(0) is not None
    assert game.play(0, "A give up").judge(0) is None
    assert BeatOrBombDet(((), ())).judge(0) is None


def test_the_oracle_makes_no_mistake_when_it_sees_the_end() -> None:
    """With budget enough for four cards, every play it makes is worth the most."""
    for seed in range(12):
        for game in list(_random_match(seed, 13))[-5:-1]:
            worth = game.seen_by(1).judge(1) or {}
            played = {
                game.strategies["oracle"](game.seen_by(1), 1, Random(i), 2_500) for i in range(5)
            }

            assert max(worth.values()) == pytest.approx(
                min(worth[move] for move in played), abs=1e-9
            )


def test_any_budget_will_do() -> None:
    """The oracle makes a legal move, also between the budgets at which it looks further."""
    for cards in (1, 2, 3, 13):
        game = BeatOrBombDet((ALL[-cards:], ALL[-cards:]))

        assert all(
            game.oracle(0, Random(0), budget) in (game.options()[0] or ())
            for budget in (*range(1, 80), 300, 700)
        )


def test_a_deeper_look_costs_less() -> None:
    """Over 25 positions of four cards the oracle gives away less as its budget grows."""
    games = [game for seed in range(25) for game in list(_random_match(seed, 13))[-5:-4]]
    given = []
    for budget in (64, 2_304, 2_500):  # one round ahead, two, and to the end
        lost = 0.0
        for game in games:
            worth = game.judge(0) or {}
            lost += sum(
                max(worth.values()) - worth[game.strategies["oracle"](game, 0, Random(i), budget)]
                for i in range(10)
            )
        given.append(lost)

    assert given[0] > given[1] > given[2]
    assert given[2] == pytest.approx(0.0, abs=1e-6)


def _mean_score(strategy: str, other: str, level: str, deals: int) -> float:
    """The mean score over deals that are played from both seats."""
    total = 0.0
    for seed in range(deals):
        start, rng = (
            BeatOrBombDet.new(Random(f"{level}#{seed}"), **BeatOrBombDet.levels[level]),
            Random(seed),
        )
        for seats in ((strategy, other), (other, strategy)):
            game = start
            while options := game.options():
                first, second = (
                    game.strategies[name](game.seen_by(seat), seat, rng, 1_000)
                    if name in game.strategies
                    else rng.choice(list(options[seat] or ()))
                    for seat, name in enumerate(seats)
                )
                game = _after(game, first, second)
            total += game.scores()[seats.index(strategy)]
    return total / (2 * deals)


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_strategies_beat_random_play(level: str) -> None:
    """Over 200 matches greedy wins four in five and more; 20 matches of the oracle must do here."""
    assert _mean_score("greedy", "random", level, 100) > 0.8
    assert _mean_score("oracle", "random", level, 10) > 0.7


@pytest.mark.heavy
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_the_house_is_strong(level: str) -> None:
    """Over 800 matches the oracle beats greedy, give or take three in a hundred.

    Over 400 and 800 matches both beat random play.
    """
    assert _mean_score("oracle", "greedy", level, 400) > 0.54
    assert _mean_score("oracle", "random", level, 200) > 0.85
    assert _mean_score("greedy", "random", level, 400) > 0.85
