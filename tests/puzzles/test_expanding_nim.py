"""Expanding nim: both rules, the known losing piles, and exact play against plain search."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Literal

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.scene import Box
from quandary.puzzles.duels.expanding_nim import ExpandingNim

Rule = Literal["course", "paper"]


@cache
def _wins_by_force(rule: Rule, stones: int, taken: int, reset: bool, own: int, other: int) -> bool:
    """Whether the player to move wins; `taken` is the most so far or, in the paper, the last."""
    usual = 3 if taken == 0 else max(3, taken + 1) if rule == "course" else min(3, taken + 1)
    for take in range(1, min(stones, 3 if reset else usual) + 1):
        after = max(taken, take) if rule == "course" else take
        for used in (0, 1) if own else (0,):
            if not _wins_by_force(rule, stones - take, after, used == 1, other, own - used):
                return True
    return False


def _loses(position: ExpandingNim) -> bool:
    worth = position.judge(position.turn)
    assert worth is not None
    return not any(worth.values())


def _played(position: ExpandingNim, *moves: str) -> ExpandingNim:
    for move in moves:
        assert move in (position.options()[position.turn] or ())
        position = position.play(position.turn, move)
    return position


@pytest.mark.parametrize(
    ("resets", "lost"),
    [
        (0, [4, 7, 10, 13, 17, 21, 25, 28, 31, 35, 38, 41, 44, 48, 52, 56, 60]),
        (1, [4, 8, 11, 14, 17, 21, 25, 29, 32, 35, 39, 42, 45, 48, 52, 56, 60]),
        (4, [4, 8, 12, 16, 20, 23, 26, 29, 33, 37, 41, 44, 47, 51, 54, 57, 60]),
    ],
)
def test_losing_piles_of_the_course_rule(resets: int, lost: list[int]) -> None:
    """The piles up to 60 that the first player loses, by the number of resets."""
    assert lost == [pile for pile in range(1, 61) if _loses(ExpandingNim(pile, (resets, resets)))]


@pytest.mark.parametrize("resets", [0, 1, 4])
def test_losing_piles_of_the_paper_rule(resets: int) -> None:
    """Multiples of five: under the paper's rule resets are worth nothing."""
    lost = [pile for pile in range(1, 61) if _loses(ExpandingNim(pile, (resets, resets), "paper"))]

    assert list(range(5, 61, 5)) == lost


@pytest.mark.parametrize("rule", ["course", "paper"])
def test_the_papers_example(rule: Rule) -> None:
    """Eight stones, taken by 1, 2, 3 and 2 under both rules: the second player wins."""
    over = _played(ExpandingNim(8, (1, 1), rule), "1", "2", "3", "2")

    assert ((0.0, 1.0), Ending("goal"), {}) == (over.scores(), over.ending(), over.options())


def test_the_courses_example() -> None:
    """Eight stones: after 1 and 3, the first player may take the last 4 and win."""
    over = _played(ExpandingNim(8, (4, 4)), "1", "3", "4")

    assert ((1.0, 0.0), 0) == (over.scores(), over.stones)


def _most(position: ExpandingNim) -> int:
    return max(int(move.split()[0]) for move in position.options()[position.turn] or ())


def test_the_limit_of_the_course_rule_grows_with_the_most_so_far() -> None:
    """It is never below 3 and never shrinks; a reset brings it to 3 for one move."""
    small = _played(ExpandingNim(50, (4, 4)), "1")
    grown = _played(small, "3", "4", "5", "1")
    reset = _played(grown, "2 reset")

    assert (3, 6, 3) == (_most(small), _most(grown), _most(reset))
    assert 6 == _most(_played(reset, "3"))


def test_the_limit_of_the_paper_rule_follows_the_move_before() -> None:
    """One more than the move before and at most 3; after a reset it is 3 whatever was taken."""
    one = _played(ExpandingNim(50, (1, 1), "paper"), "1")

    assert (2, 3, 3) == (_most(one), _most(_played(one, "2")), _most(_played(one, "2", "3")))
    assert 3 == _most(_played(ExpandingNim(50, (1, 1), "paper"), "1 reset"))


def test_resets_run_out() -> None:
    """Each reset is counted for the player who used it, and nobody can use more than that."""
    first = _played(ExpandingNim(20, (1, 1)), "1 reset")
    both = _played(first, "3 reset")

    assert ((0, 1), (0, 0)) == (first.resets, both.resets)
    assert {0: ("1", "2", "3")} == both.options()


@pytest.mark.parametrize("rule", ["course", "paper"])
def test_exact_play_agrees_with_plain_search(rule: Rule) -> None:
    """The judge's worths are those of brute force at small positions of every kind."""
    for stones, taken, reset, own, other in product(
        range(1, 31), range(9), (False, True), range(3), range(3)
    ):
        if (rule == "paper" and taken > 3) or (reset and not taken):
            continue
        position = ExpandingNim(stones, (other, own), rule, taken, taken, reset, 1)
        expected = {}
        for move in position.options()[1] or ():
            take, used = int(move.split()[0]), int(move.endswith("reset"))
            after = max(taken, take) if rule == "course" else take
            expected[move] = float(
                not _wins_by_force(rule, stones - take, after, used == 1, other, own - used)
            )

        assert expected == position.judge(1)


def test_exact_play_agrees_with_plain_search_on_larger_piles() -> None:
    """The same for the winner of piles of the hard level, with many resets and few."""
    for resets in (1, 3, 6):
        expected = [
            not _wins_by_force("course", pile, 0, False, resets, resets) for pile in range(1, 121)
        ]

        assert expected == [_loses(ExpandingNim(pile, (resets, resets))) for pile in range(1, 121)]


def test_more_resets_than_moves_change_nothing() -> None:
    """A player makes at most half as many moves as there are stones; more resets do not count."""
    few, many = ExpandingNim(12, (6, 6)), ExpandingNim(12, (100, 100))

    assert few.judge(0) == many.judge(0) is not None


def test_no_verdict_on_piles_that_are_too_large() -> None:
    """A huge pile is not judged, its last stones are, and only for the player to move."""
    assert ExpandingNim(10_000, (4, 4)).judge(0) is None
    assert ExpandingNim(5, (4, 4), "course", 20, 3, False, 0).judge(0) is not None
    assert ExpandingNim(5, (4, 4)).judge(1) is None


@pytest.mark.parametrize("rule", ["course", "paper"])
def test_both_seats_get_won_positions(rule: Rule) -> None:
    """Either player can force a win in about half of the instances of each level."""
    for level, arguments in ExpandingNim.levels.items():
        starts = [
            ExpandingNim.new(Random(f"{level} {seed}"), **arguments, rule=rule)
            for seed in range(300)
        ]

        assert 0.4 < sum(map(_loses, starts)) / 300 < 0.6


def test_the_rules_own_numbers_of_resets() -> None:
    """Four each under the course rule and one under the paper's, unless it is said otherwise."""
    assert (4, 4) == ExpandingNim.new(Random(1)).resets
    assert (1, 1) == ExpandingNim.new(Random(1), rule="paper").resets
    assert (2, 2) == ExpandingNim.new(Random(1), rule="paper", resets=(2, 2)).resets


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ({"stones": (0, 5)}, "stones=0..5 is out of bounds; write a range within 1 to 10000"),
        ({"stones": (5, 10_001)}, "stones=5..10001 is out of bounds"),
        ({"resets": (-1, 2)}, "resets=-1..2 is out of bounds; write a range within 0 to 100"),
        ({"resets": (0, 101)}, "resets=0..101 is out of bounds"),
    ],
)
def test_sizes_that_cannot_be_made(sizes: dict[str, tuple[int, int]], reason: str) -> None:
    """Empty and endless piles are refused with a sentence."""
    with pytest.raises(ValueError, match=reason):
        ExpandingNim.new(Random(1), **sizes)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("2", "2"), (" 2 ", "2"), ("[2]", "2"), ("Take 2.", "2"), ("I take 2 stones", "2"),
        ("002", "2"), ("12", "12"),
        ("[2, 0]", "2"), ("move = [2, 0]", "2"), ("Operation: [2, 0]", "2"), ("(2, False)", "2"),
        ("2, no reset", "2"),
        ("2 without a reset", "2"), ('{"take": 2, "reset": false}', "2"),
        ("[2, 0] # I keep my reset", "2"),
        ("2 reset", "2 reset"), ("2 RESET", "2 reset"), ("2, reset", "2 reset"),
        ("2 with reset", "2 reset"),
        ("take 2 and use a reset", "2 reset"), ("[2, 1]", "2 reset"), ("move = [2, 1]", "2 reset"),
        ("**Operation:** [2,1]", "2 reset"), ("[2, reset]", "2 reset"), ("[1, 1]", "1 reset"),
        ('{"take": 2, "reset": true}', "2 reset"), ("-2", "-2"), ("[-2, 1]", "-2 reset"),
    ],
)  # fmt: skip
def test_ways_to_write_a_move(said: str, move: str) -> None:
    """A number with or without the word reset, and pairs of a number and a flag."""
    assert move == ExpandingNim(20, (4, 4)).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "", "reset", "two", "2 or 3", "2 2", "2.5", "2 1", "[2, 2]", "1 1", "[2, 0] or [2, 1]",
        "[1, true] [1, false]", "2, but I do not reset", "2; should I reset?", "2 resets",
        "no, 2 and reset", "9999999999", "٢",
    ],
)  # fmt: skip
def test_no_move(said: str) -> None:
    """Several numbers or none are no move, and what is said of a reset is never guessed."""
    game = ExpandingNim(20, (4, 4))
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "for example: 2, or: 2 reset" in refusal(game, refused.value)
    assert "例如：2，或：2 重置" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("2", "2"), ("取２", "2"), ("我取 2 颗石子", "2"), ("石子数：2", "2"), ("取走 2 颗。", "2"),
        ("2 重置", "2 reset"), ("2，重置", "2 reset"), ("取 2 颗，使用重置", "2 reset"),
        ("取走2颗石子并使用一次重置", "2 reset"), ("拿 2 颗，同时使用重置。", "2 reset"),
        ("石子数：2，重置：是", "2 reset"), ("2，不重置", "2"), ("2 颗，不使用重置", "2"),
        ("2，重置：否", "2"),
    ],
)  # fmt: skip
def test_ways_to_write_a_move_in_chinese(said: str, move: str) -> None:
    """A number of stones, with or without a reset."""
    assert move == ExpandingNim(20, (4, 4)).read(0, said)


@pytest.mark.parametrize("said", ["2，要重置吗？", "2 个重置", "2，不，重置", "2，不重置：否"])
def test_what_chinese_replies_say_of_a_reset_is_never_guessed(said: str) -> None:
    """A reset in a question, denied apart or twice is not clear, and two are no two stones."""
    with pytest.raises(Unreadable):
        ExpandingNim(20, (4, 4)).read(0, said)


@pytest.mark.parametrize(
    ("position", "move", "reason", "chinese"),
    [
        (
            ExpandingNim(20, (4, 4)), "0",
            "You must take at least one stone.", "每次至少要取一颗石子。",
        ),
        (
            ExpandingNim(20, (4, 4)), "-2 reset",
            "You must take at least one stone.", "每次至少要取一颗石子。",
        ),
        (
            ExpandingNim(20, (4, 4)), "4 reset",
            "You may now take up to 3.", "你现在最多可以取 3 颗。",
        ),
        (
            ExpandingNim(20, (4, 4), largest=4, last=4), "21",
            "You may now take up to 5.", "你现在最多可以取 5 颗。",
        ),
        (
            ExpandingNim(2, (4, 4)), "3",
            "There are only 2 stones left.", "只剩 2 颗石子。",
        ),
        (
            ExpandingNim(1, (4, 4)), "9",
            "There is only 1 stone left.", "只剩 1 颗石子。",
        ),
        (
            ExpandingNim(20, (0, 4)), "3 reset",
            "You have no resets left.", "你的重置次数已经用完。",
        ),
    ],
)  # fmt: skip
def test_an_illegal_move_has_a_reason(
    position: ExpandingNim, move: str, reason: str, chinese: str
) -> None:
    """Too few stones, more than the limit, more than there are, and a reset that is not there."""
    assert move not in position.legal(0)
    assert (reason, chinese) == tuple(
        position.why_illegal(0, move, language) for language in ("en", "zh")
    )


def test_the_position_is_told_from_each_side() -> None:
    """Both players read the last move, the pile, what may be taken now and the resets left."""
    start = ExpandingNim(9, (1, 2))
    played = start.play(0, "3 reset")
    over = ExpandingNim(2, (0, 0), "paper", 3, 1).play(0, "2")

    assert start.text(0).splitlines() == [
        "Stones: 9",
        "You may now take up to 3.",
        "Resets left: you 1, your opponent 2",
    ]
    assert played.text(1).splitlines() == [
        "Your opponent took 3 and used a reset.",
        "Stones: 6",
        "Most taken at once so far: 3",
        "You may now take up to 3.",
        "Resets left: you 2, your opponent 0",
    ]
    assert played.text(1, "zh").splitlines() == [
        "对手取走了 3 颗，并使用了一次重置。",
        "石子：6",
        "到目前为止单次最多取走：3 颗",
        "你现在最多可以取 3 颗。",
        "剩余的重置次数：你 2，对手 0",
    ]
    assert played.text(0).splitlines()[0] == "You took 3 and used a reset."
    assert played.text(0).splitlines()[3] == "Your opponent may now take up to 3."
    assert over.text(0).splitlines() == [
        "You took 2.",
        "Stones: 0",
        "Resets left: you 0, your opponent 0",
    ]


def test_clicks_on_the_picture_are_the_legal_moves() -> None:
    """Every option is one click of the player to move, with and without a reset."""
    position = ExpandingNim(2, (1, 0))

    def clicks(seat: int) -> list[object]:
        scene = position.scene(seat)
        return [shape.click for shape in scene.shapes if isinstance(shape, Box) and shape.click]

    plain = [{"stones": "1"}, {"stones": "2"}]

    assert clicks(0) == [*plain, *({**move, "reset": "true"} for move in plain)]
    assert clicks(1) == []


def test_cautious_looks_one_round_ahead() -> None:
    """It takes a win, leaves none, and uses a reset only where nothing else helps."""
    winning = ExpandingNim(4, (1, 1), "course", 3, 2, False, 0)
    careful = ExpandingNim(8, (1, 1), "course", 4, 2, False, 0)
    only_a_reset = ExpandingNim(6, (1, 1), "course", 4, 2, False, 0)

    assert {"4"} == {winning.cautious(0, Random(seed), 1) for seed in range(20)}
    assert {"1", "2"} == {careful.cautious(0, Random(seed), 1) for seed in range(20)}
    assert {"1 reset", "2 reset"} == {
        only_a_reset.cautious(0, Random(seed), 1) for seed in range(40)
    }


def test_the_oracle_plays_on_where_it_cannot_win() -> None:
    """In a lost position it leaves the fewest right replies; it plays legally on huge piles."""
    lost = ExpandingNim(12, (4, 4))
    replies = {
        move: list((lost.play(0, move).judge(1) or {}).values()) for move in lost.options()[0] or ()
    }
    fewest = min(sum(worth) / len(worth) for worth in replies.values())
    chosen = {lost.oracle(0, Random(seed), 1) for seed in range(20)}

    assert not any((lost.judge(0) or {}).values())
    assert {fewest} == {sum(replies[move]) / len(replies[move]) for move in chosen}
    assert ExpandingNim(10_000, (4, 4)).oracle(0, Random(1), 1) in ("1", "2", "3")


def _share_won(strategy: str, opponent: str, level: str, matches: int) -> float:
    """The share of matches won, both seats of each instance played."""
    won = 0.0
    for match in range(matches):
        rng, seat = Random(f"{level} {match}"), match % 2
        position = ExpandingNim.new(Random(f"{level} {match // 2}"), **ExpandingNim.levels[level])
        while options := position.options():
            who = strategy if position.turn == seat else opponent
            moves = list(options[position.turn] or ())
            chosen = (
                rng.choice(moves)
                if who == "random"
                else ExpandingNim.strategies[who](position, position.turn, rng, 100)
            )
            position = position.play(position.turn, chosen)
        won += position.scores()[seat]
    return won / matches


@pytest.mark.heavy
@pytest.mark.parametrize("level", ExpandingNim.levels)
def test_strength_of_the_baselines(level: str) -> None:
    """Over 400 matches per pair, cautious clearly beats luck, and the oracle beats both."""
    assert _share_won("cautious", "random", level, 400) > 0.8
    assert _share_won("oracle", "random", level, 400) > 0.95
    assert _share_won("oracle", "cautious", level, 400) > 0.95
