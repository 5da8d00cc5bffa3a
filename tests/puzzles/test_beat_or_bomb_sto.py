"""Beat or bomb: points, deals, what the log gives away, and open endings against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from open_hands import NAMES, Hand, hand_of, worth_by_brute_force
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.duels._shared.beat_or_bomb.solver import matrix_game as _game
from quandary.puzzles.duels.beat_or_bomb_sto import BeatOrBombSto

ALL_HANDS = [hand for count in range(5, 12) for hand in combinations(range(1, 14), count)]


def _after(game: BeatOrBombSto, first: str, second: str) -> BeatOrBombSto:
    return game.after(0, first).after(1, second)


def _random_match(seed: int, cards: int) -> Iterator[BeatOrBombSto]:
    """The positions of a random match, before each round and at the end."""
    rng = Random(seed)
    game = BeatOrBombSto.new(rng, cards=(cards, cards))
    while options := game.options():
        yield game
        game = _after(game, rng.choice(list(options[0] or ())), rng.choice(list(options[1] or ())))
    yield game


def _fits(view: BeatOrBombSto, seat: int) -> set[Hand]:
    """What the other seat may still hold, by trying all hands there are."""
    plays = [[NAMES.index(play[who].split()[0]) for play in view.rounds] for who in (0, 1)]
    start = {*view.hands[seat], *plays[seat]}
    shown = set(plays[1 - seat])
    fitting = [
        hand
        for hand in ALL_HANDS
        if len(hand) == len(start) and sum(hand) == sum(start) and set(hand) != start
    ]
    return {tuple(sorted(set(hand) - shown)) for hand in fitting if shown <= set(hand)}


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("5 compete", "K give up", (5, 0)),
        ("K give up", "5 compete", (0, 5)),
        ("K compete", "5 compete", (18, 0)),
        ("A compete", "2 compete", (0, 3)),
        ("5 compete", "5 compete", (0, 0)),
        ("5 give up", "K give up", (0, 0)),
        ("5 give up", "5 compete", (0, 5)),
    ],
)
def test_points_of_a_round(first: str, second: str, points: tuple[int, int]) -> None:
    """The paper's example first; the higher competing card takes both, equal ones earn nothing."""
    game = BeatOrBombSto((hand_of("A 5 K"), hand_of("2 5 K")))

    assert points == _after(game, first, second).values()


def test_a_round_is_settled_when_both_have_chosen() -> None:
    """A first choice waits, whoever makes it; then both cards are gone and both moves are open."""
    game = BeatOrBombSto((hand_of("A 5 K"), hand_of("2 7 10")))
    waiting = game.after(1, "10 give up")

    assert ({0}, game.hands, (0, 0)) == (set(waiting.options()), waiting.hands, waiting.values())
    assert game.seen_by(0) == waiting.seen_by(0)
    over = waiting.after(0, "5 compete")
    assert ((hand_of("A K"), hand_of("2 7")), (("5 compete", "10 give up"),)) == (
        over.hands,
        over.rounds,
    )
    assert {0, 1} == set(over.options())


def test_most_points_win() -> None:
    """A win, a loss and a draw after the last card."""
    game = BeatOrBombSto(((5,), (5,)), (("9 compete", "J give up"),))
    level = BeatOrBombSto(((2,), (2,)), ())

    assert (14.0, 0.0) == _after(game, "5 compete", "5 give up").values()
    assert (1.0, 0.0) == _after(game, "5 give up", "5 compete").scores()
    assert (0.0, 1.0) == _after(level, "2 give up", "2 compete").scores()
    assert (0.5, 0.5) == _after(level, "2 compete", "2 compete").scores()
    assert {} == _after(level, "2 compete", "2 compete").options()


def test_deals_are_all_those_of_the_paper() -> None:
    """With 11 cards: 19 totals, equally often, and all 250 ordered pairs of different hands."""
    made = [BeatOrBombSto.new(Random(seed), cards=(11, 11)).hands for seed in range(8_000)]
    totals = Counter(sum(first) for first, _ in made)
    pairs = {
        (a, b)
        for a in combinations(range(1, 14), 11)
        for b in combinations(range(1, 14), 11)
        if a != b and sum(a) == sum(b)
    }

    assert (19, 250) == (len(totals), len(pairs))
    assert pairs == set(made)
    assert min(totals.values()) > 8_000 / 19 * 0.8
    assert max(totals.values()) < 8_000 / 19 * 1.2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A 2 5 6 8 9", "2 3 4 5 7 10"),
        ("A 2 3 4 10", "2 3 4 5 6"),
        ("A 2 3 4 5 6 8 9 J Q", "A 2 3 4 5 6 7 8 Q K"),
    ],
)
def test_published_deals_could_be_drawn(first: str, second: str) -> None:
    """PuzzlePlex's easy 1 and 2 and normal 1: each hand is one that its opponent expects."""
    game = BeatOrBombSto((hand_of(first), hand_of(second)))
    for seat in (0, 1):
        view, rng = game.seen_by(seat), Random(seat)
        drawn = {view.possible_position(rng).hands[1 - seat] for _ in range(1_000)}

        assert game.hands[1 - seat] in drawn
        assert drawn == _fits(view, seat)


def test_doubt_keeps_hands_apart() -> None:
    """The hard level leaves at least twenty hands the opponent may hold."""
    for seed in range(30):
        game = BeatOrBombSto.new(Random(seed), **BeatOrBombSto.levels["hard"])

        assert len(_fits(game.seen_by(0), 0)) >= 20


@pytest.mark.parametrize(
    "level",
    [{"cards": (4, 6)}, {"cards": (9, 12)}, {"cards": (13, 13)}, {"cards": (11, 11), "doubt": 6}],
)
def test_deals_that_do_not_exist_are_refused(level: dict[str, tuple[int, int]]) -> None:
    """Twelve cards never add up alike, and 11 cards leave at most five hands in doubt."""
    with pytest.raises(ValueError, match="cards"):
        BeatOrBombSto.new(Random(0), **level)  # type: ignore[arg-type]


def test_worlds_are_all_that_fit_the_log_and_equally_likely() -> None:
    """Shown cards and the total are kept, and every hand that is left comes equally often."""
    for cards, seed in ((6, 1), (8, 2), (10, 3)):
        for game in list(_random_match(seed, cards))[1:4]:
            for seat in (0, 1):
                view, rng = game.seen_by(seat), Random(seed)
                expected = _fits(view, seat)
                drawn = Counter(
                    view.possible_position(rng).hands[1 - seat] for _ in range(100 * len(expected))
                )

                assert expected == set(drawn)
                assert all(50 < often < 160 for often in drawn.values())


def test_a_world_keeps_what_the_seat_has_chosen() -> None:
    """An own choice stays, and the other's is imagined as open, whatever it is."""
    game = next(_random_match(1, 6)).after(0, "A give up")

    assert ("A give up", None) == game.seen_by(0).possible_position(Random(1)).chosen
    assert (None, None) == game.seen_by(1).possible_position(Random(1)).chosen


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("move = ['K', 'give up']", "K give up"),
        ('move = ["10", "compete"]', "10 compete"),
        ("[Q, Compete]", "Q compete"),
        ("  j   GIVE UP \n", "J give up"),
        ("A give_up", "A give up"),
        ("1 compete", "A compete"),
        ("11 give-up", "J give up"),
        ("12, compete", "Q compete"),
        ("13: give up.", "K give up"),
        ("compete with the queen", "Q compete"),
        ("give up 7", "7 give up"),
        ('{"card": "ace", "decision": "give up"}', "A give up"),
    ],
)
def test_notations_that_are_read(said: str, move: str) -> None:
    """The papers' notation, ours, and what lies near."""
    assert move == BeatOrBombSto(((1,), (1,))).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "", "K", "compete", "give up", "14 compete", "0 give up", "K 5 compete",
        "K compete give up", "K compete 5", "1.5 compete",
        "-5 compete", "K fold", "٣ compete", "K compete, 5 give up", "10 " * 50_000,
    ],
)  # fmt: skip
def test_words_that_are_no_move(said: str) -> None:
    """One card and one decision, neither more nor less."""
    game = BeatOrBombSto(((1,), (1,)))
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)
    assert "K compete" in refusal(game, refused.value)
    assert "K 竞争" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("K 竞争", "K compete"), ("Ｋ　放弃", "K give up"), ("放弃 5", "5 give up"),
        ("我选择用 Q 参与竞争。", "Q compete"), ("打出 10，放弃", "10 give up"),
        ("A牌竞争", "A compete"), ("出 7，不竞争", "7 give up"), ("把 2 弃掉", "2 give up"),
        ("牌：J，决定：放弃竞争", "J give up"), ("决定：竞争；牌：3", "3 compete"),
    ],
)  # fmt: skip
def test_notations_that_are_read_in_chinese(said: str, move: str) -> None:
    """The card and the decision in either order, with and without their names."""
    assert move == BeatOrBombSto(((1,), (1,))).read(0, said)


@pytest.mark.parametrize(
    "said", ["K", "不放弃 K", "K 别放弃", "竞争或放弃 K", "K 竞争，5 放弃", "K 是否竞争"]
)
def test_chinese_words_that_are_no_move(said: str) -> None:
    """A decision that is denied, left open or missing is never guessed."""
    with pytest.raises(Unreadable):
        BeatOrBombSto(((1,), (1,))).read(0, said)


@pytest.mark.parametrize("decision", ["compete", "give up"])
def test_a_card_that_is_not_held_has_a_reason(decision: str) -> None:
    """The reason names the card, and is the same whatever the opponent holds."""
    own, move = hand_of("A 2 5 6 8 9"), f"10 {decision}"
    holder, other = (
        BeatOrBombSto((own, hand_of(hand))).seen_by(0) for hand in ("2 3 4 5 7 10", "A 2 3 5 9 J")
    )

    assert move not in holder.legal(0)
    for view in (holder, other):
        assert "You do not hold the card 10." == view.why_illegal(0, move)
        assert "你手里没有 10 这张牌。" == view.why_illegal(0, move, "zh")


def test_the_last_card_is_always_judged_and_right() -> None:
    """The log and the common total reveal the last card, so the last round is judged exactly."""
    for seed in range(40):
        last = list(_random_match(seed, 5 + seed % 7))[-2]
        lead = int(last.values()[0] - last.values()[1])
        worth = [last.seen_by(seat).judge(seat) for seat in (0, 1)]
        value = worth_by_brute_force(*last.hands, lead)
        assert worth[0] is not None and worth[1] is not None

        assert float(value) == pytest.approx(max(worth[0].values()), abs=1e-9)
        assert 1 - float(value) == pytest.approx(max(worth[1].values()), abs=1e-9)


def test_open_endings_are_worth_what_brute_force_says() -> None:
    """Two and three cards left, hands known from the log: all plays and replies, in fractions."""
    seen = Counter[int]()
    for seed in range(2_000):
        for game in list(_random_match(seed, 8 + seed % 4))[-4:-2]:
            left, lead = len(game.hands[0]), int(game.values()[0] - game.values()[1])
            worth = game.seen_by(0).judge(0)
            if worth is None or seen[left] >= {2: 40, 3: 4}[left] or abs(lead) > 15:
                continue
            seen[left] += 1

            assert float(worth_by_brute_force(*game.hands, lead)) == pytest.approx(
                max(worth.values()), abs=1e-9
            )
    assert {2: 40, 3: 4} == seen


def test_the_search_counts_points_as_the_game_does() -> None:
    """For every pair of plays the lead in the search's table is the one after playing them."""
    own, other = hand_of("2 5 9 K"), hand_of("A 5 10 K")
    table = _game(own, other, 3, lambda _own, _other, lead: float(lead))
    start = BeatOrBombSto((own, other))
    for first, line in zip(start.options()[0] or (), table, strict=True):
        for second, lead in zip(start.options()[1] or (), line, strict=True):
            mine, theirs = _after(start, first, second).values()

            assert 3 + mine - theirs == lead


def test_nothing_is_judged_while_a_hand_is_in_doubt() -> None:
    """A verdict is given only where both players know both hands, of at most four cards."""
    verdicts = Counter[bool]()
    for seed in range(30):
        for game in list(_random_match(seed, 7 + seed % 5))[:-1]:
            known = all(len(_fits(game.seen_by(seat), seat)) == 1 for seat in (0, 1))
            judged = known and len(game.hands[0]) <= 4
            verdicts[judged] += 1

            assert [judged, judged] == [
                game.seen_by(seat).judge(seat) is not None for seat in (0, 1)
            ]
            assert game.after(0, (game.options()[0] or [""])[0]).seen_by(0).judge(0) is None  # type: ignore[index]
    assert min(verdicts.values()) > 25


def test_the_oracle_makes_no_mistake_with_open_hands() -> None:
    """Where a position is judged, every play it makes is worth the most."""
    for seed in range(60):
        for game in list(_random_match(seed, 9 + seed % 3))[-4:-1]:
            view = game.seen_by(1)
            if (worth := view.judge(1)) is None:
                continue
            played = {view.strategies["oracle"](view, 1, Random(i), 1_000) for i in range(5)}

            assert max(worth.values()) == pytest.approx(
                min(worth[move] for move in played), abs=1e-9
            )


@pytest.mark.parametrize(
    ("own", "rounds", "expected"),
    [
        ("2 5 8 J K", [], "K compete"),
        ("2 5 8 10", [("K compete", "3 give up")], "2 give up"),
        ("5 6 9", [("10 give up", "4 give up")], "9 compete"),
        ("5 6 7", [("4 give up", "A give up")], "7 compete"),
        ("6", [("4 give up", "9 compete")], "6 compete"),
    ],
)
def test_greedy_follows_the_rules_of_thumb(
    own: str, rounds: list[tuple[str, str]], expected: str
) -> None:
    """A picture card competes first, low cards are given up next, then the highest competes."""
    game = BeatOrBombSto((hand_of(own), ()), tuple(rounds))

    assert expected == game.strategies["greedy"](game.seen_by(0), 0, Random(0), 1)


def test_greedy_sits_on_a_safe_lead() -> None:
    """Ahead by more than the opponent's cards are worth, it gives up everything and wins."""
    game = BeatOrBombSto(
        (hand_of("2 K"), hand_of("3 4")), (("Q compete", "J compete"), ("A give up", "10 give up"))
    )
    assert sum(hand_of("2 K Q A")) == sum(hand_of("3 4 J 10"))

    assert {"2 give up", "K give up"} == {
        game.strategies["greedy"](game.seen_by(0), 0, Random(i), 1) for i in range(20)
    }


def _mean_score(strategy: str, other: str, level: str, deals: int) -> float:
    """The mean score over deals that are played from both seats."""
    total = 0.0
    for seed in range(deals):
        start, rng = (
            BeatOrBombSto.new(Random(f"{level}#{seed}"), **BeatOrBombSto.levels[level]),
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


def test_strategies_beat_random_play() -> None:
    """Both win four matches in five, and more."""
    assert _mean_score("greedy", "random", "normal", 100) > 0.8
    assert _mean_score("oracle", "random", "normal", 8) > 0.8


@pytest.mark.heavy
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_the_oracle_beats_greedy(level: str) -> None:
    """Over 250 deals from both seats it scores more than half, with an error of about 0.02."""
    assert _mean_score("oracle", "greedy", level, 250) > 0.52


def test_the_text_tells_the_match_from_the_seats_side() -> None:
    """The whole log with its points, and the total that both hands began with."""
    game = _after(
        BeatOrBombSto((hand_of("A 2 5 6 8 9"), hand_of("2 3 4 5 7 10"))), "9 compete", "2 compete"
    )
    told = game.seen_by(1).text(1)

    assert "Round 1: you 2 compete (+0), opponent 9 compete (+11)" in told
    assert "Total worth of each starting hand: 31" in told
    assert "Your cards: 3 4 5 7 10" in told


def test_the_text_is_told_in_chinese() -> None:
    """Decisions have Chinese names in the log and in the own choice."""
    game = _after(
        BeatOrBombSto((hand_of("A 2 5 6 8 9"), hand_of("2 3 4 5 7 10"))), "9 compete", "2 give up"
    )

    assert game.after(1, "10 compete").seen_by(1).text(1, "zh").splitlines() == [
        "已进行 1 轮，共 6 轮",
        "得分：你 0，对手 9",
        "开局时每手牌的总分值：31",
        "你的牌：3 4 5 7 10",
        "第 1 轮：你 2 放弃（+0），对手 9 竞争（+9）",
        "你在本轮已选择：10 竞争。",
    ]
