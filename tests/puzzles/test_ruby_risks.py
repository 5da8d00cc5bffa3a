"""Facts about ruby risks."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.solo.ruby_risks import Request, RubyRisks
from quandary.puzzles.solo.ruby_risks.solver.requests import optimal_total


def filled(*contents: int) -> RubyRisks:
    return RubyRisks(len(contents), sum(contents), contents)


def after(game: RubyRisks, *requests: int) -> RubyRisks:
    for asked in requests:
        game = game.play(0, str(asked))
    return game


def all_contents(boxes: int, rubies: int) -> Counter[tuple[int, ...]]:
    """In how many draws of the published generator the boxes come to hold what."""
    found: Counter[tuple[int, ...]] = Counter()
    for drawn in product(range(1, rubies - boxes + 1), repeat=boxes - 1):
        held = [*drawn, rubies - sum(drawn)]
        top, bottom = max(held), min(held)
        if bottom > 0 and top - bottom >= 4:
            full, empty, odd = held.index(top), held.index(bottom), (top + bottom) % 2
            held[full], held[empty] = (top + bottom) // 2 + 2 + odd, (top + bottom) // 2 - 2
            found[tuple(held)] += 1
    return found


def played(game: RubyRisks, name: str, rng: Random, budget: int = 1_000) -> float:
    while options := game.options():
        view, listed = game.seen_by(0), list(options[0] or ())
        game = game.play(
            0,
            rng.choice(listed)
            if name == "random"
            else RubyRisks.strategies[name](view, 0, rng, budget),
        )
    return game.values()[0]


def test_the_papers_example() -> None:
    """Boxes of 11, 9 and 10, asked for 10, 8 and 12, give 10, 8 and nothing: 18 of 30."""
    game = after(filled(11, 9, 10), 10, 8, 12)

    assert game.log == (Request(10, 10), Request(8, 8), Request(12, 0))
    assert (game.values(), game.scores(), game.reference()) == ((18.0,), (0.6,), 30.0)
    assert (game.options(), game.ending()) == ({}, Ending("goal"))


def test_the_example_of_the_rules() -> None:
    """Boxes of 12, 8 and 10 can be met, and give 18 for 10, 8 and 11."""
    assert all_contents(3, 30)[12, 8, 10] > 0
    assert after(filled(12, 8, 10), 10, 8, 11).scores() == (0.6,)


def test_exactly_all_can_be_had() -> None:
    """Whoever asks each box for what it holds gets all rubies, and one more in each box gets
    none."""
    game = filled(18, 17, 8, 23)

    assert after(game, 18, 17, 8, 23).scores() == (1.0,)
    assert after(game, 19, 18, 9, 24).scores() == (0.0,)
    assert after(game, 18, 18, 0, 23).values() == (41.0,)


def test_requests_lie_between_nothing_and_all() -> None:
    """A number below 0 or above all rubies can be read but is not allowed."""
    game = filled(3, 8)
    allowed = list(game.options()[0] or ())

    assert allowed == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert (game.read(0, "-3"), game.read(0, "12")) == ("-3", "12")


def test_the_position_in_words() -> None:
    """All answers are told each turn; what the boxes held is not."""
    assert after(filled(6, 17, 12), 7, 15).seen_by(0).text(0).splitlines() == [
        "Boxes: 3. Rubies in total: 35.",
        "Box 1: you asked for 7 and received 0.",
        "Box 2: you asked for 15 and received 15.",
        "Rubies received so far: 15.",
        "Closed boxes: 1. The next one is box 3.",
    ]


@pytest.mark.parametrize(
    "said",
    ["7", " 7 ", "07", "[7]", "[ 7 ]", "List[int] = [7]", "Operation: List[int] = [7]",
     "I ask for 7 rubies.", "Turn 2: 10 of 30 received. 'List[int]' = [7]", "7 rubies, yes, 7"],
)  # fmt: skip
def test_requests_are_read(said: str) -> None:
    """One number, or the one in brackets."""
    assert filled(3, 8).read(0, said) == "7"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "seven",
        "7.5",
        "[7, 8]",
        "7 or 8",
        "first [9], no: [7]",
        "٧",
        "7" * 50,
        "1e9",
        "[]",
        "½",
        "7/8",
        "1,000",
    ],
)
def test_other_words_are_unreadable(said: str) -> None:
    """What is not a whole number, or more than one, is refused with an example."""
    game = filled(3, 8)
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)
    assert "for example: 7" in refusal(game, refused.value)


def test_instances_keep_their_promises() -> None:
    """Sizes lie within the level, every box holds something, and some two boxes are four or five
    apart."""
    for level, sizes in RubyRisks.levels.items():
        for seed in range(100):
            game = RubyRisks.new(Random(f"{level}{seed}"), **sizes)

            assert sizes["boxes"][0] <= game.boxes == len(game.contents) <= sizes["boxes"][1]
            assert sizes["rubies"][0] <= game.rubies == sum(game.contents) <= sizes["rubies"][1]
            assert min(game.contents) > 0
            assert any(one - other in (4, 5) for one in game.contents for other in game.contents)


def test_the_columns_own_size() -> None:
    """Three boxes of 30 rubies, as in the older paper, are a matter of arguments; all contents
    come as often as they are likely."""
    counts, rng = all_contents(3, 30), Random(5)
    drawn = Counter(
        RubyRisks.new(rng, boxes=(3, 3), rubies=(30, 30)).contents
        for _ in range(20 * sum(counts.values()))
    )
    distance = sum((drawn[held] - 20 * count) ** 2 / (20 * count) for held, count in counts.items())

    assert set(drawn) == set(counts)
    assert distance < len(counts) + 4 * (2 * len(counts)) ** 0.5


@pytest.mark.parametrize("requests", [(), (4,), (4, 0), (12, 5), (1, 3), (2, 6)])
def test_worlds_follow_the_answers(requests: tuple[int, ...]) -> None:
    """Worlds are drawn from the contents that would have answered alike, each as often as it is
    likely."""
    rng, game = Random(6), after(filled(3, 7, 2), *requests)
    counts = {
        held: count
        for held, count in all_contents(3, 12).items()
        if after(filled(*held), *requests).log == game.log
    }
    drawn = Counter(
        game.seen_by(0).possible_position(rng).contents for _ in range(30 * sum(counts.values()))
    )
    distance = sum((drawn[held] - 30 * count) ** 2 / (30 * count) for held, count in counts.items())

    assert (3, 7, 2) in counts
    assert set(drawn) == set(counts)
    assert distance < len(counts) + 4 * (2 * len(counts)) ** 0.5


def test_judge_weighs_what_an_answer_tells() -> None:
    """Two boxes of 11 rubies hold 3 and 8 in three of five cases, else 8 and 3: the worths can be
    worked out by hand."""
    worth = filled(3, 8).seen_by(0).judge(0) or {}
    blind = 0.6 * 8  # what the second box is worth to who learnt nothing

    assert all_contents(2, 11) == {(3, 8): 3, (8, 3): 2}
    assert len(worth) == 12
    assert worth["0"] == worth["9"] == worth["11"] == pytest.approx(blind / 11)
    assert worth["3"] == pytest.approx((3 + blind) / 11)
    assert worth["4"] == pytest.approx((0.4 * (4 + 3) + 0.6 * 8) / 11)
    assert worth["8"] == pytest.approx((0.4 * (8 + 3) + 0.6 * 8) / 11)
    assert after(filled(3, 8), 8).seen_by(0).judge(0) == pytest.approx(
        {str(asked): asked * (asked <= 8) / 11 for asked in range(12)}
    )
    assert after(filled(3, 8), 8, 8).seen_by(0).judge(0) is None


@pytest.mark.parametrize(("boxes", "rubies"), [(2, 11), (3, 14), (3, 20), (4, 13)])
def test_the_oracle_gets_what_is_to_be_expected(boxes: int, rubies: int) -> None:
    """Played out on all contents it gets the best worth of the start on average, and no other
    strategy gets more."""
    counts = all_contents(boxes, rubies)
    total, rng = sum(counts.values()), Random(0)
    mean = {
        name: sum(count * played(filled(*held), name, rng) for held, count in counts.items())
        / total
        for name in RubyRisks.strategies
    }
    start = filled(*next(iter(counts)))
    best = max((start.seen_by(0).judge(0) or {}).values())

    assert mean["oracle"] == pytest.approx(best * start.reference())
    assert mean["oracle"] == pytest.approx(optimal_total(boxes, rubies))
    assert max(mean.values()) <= mean["oracle"] + 1e-9


def test_strategies_of_the_start() -> None:
    """An equal share, and the best single request of rubies scattered one by one, with which a
    small budget makes do."""
    view = filled(10, 6, 14, 19).seen_by(0)
    odds = Counter(sum(dropped) for dropped in product((0, 0, 1), repeat=6))
    single = max(range(1, 7), key=lambda asked: asked * sum(odds[held] for held in range(asked, 7)))

    assert view.even(0, Random(0), 1) == "12"
    assert filled(1, 4, 1).seen_by(0).scattered(0, Random(0), 1) == str(single)
    assert (
        view.greedy(0, Random(0), 1)
        == view.oracle(0, Random(0), 1)
        == view.scattered(0, Random(0), 1)
    )


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"boxes": (1, 1)}, "boxes=1 is out of bounds"),
        ({"boxes": (31, 31)}, "boxes=31 is out of bounds"),
        ({"rubies": (0, 0)}, "rubies=0 is out of bounds"),
        ({"rubies": (301, 301)}, "rubies=301 is out of bounds"),
        ({"boxes": (5, 5), "rubies": (8, 8)}, "5 boxes need at least 9 rubies, not 8"),
    ],
)
def test_impossible_sizes_are_refused(sizes: dict[str, tuple[int, int]], sentence: str) -> None:
    """What cannot be made raises with a sentence."""
    with pytest.raises(ValueError, match=sentence):
        RubyRisks.new(Random(0), **sizes)


def test_other_sizes_stay_correct() -> None:
    """With four rubies to spare there is one way to fill the boxes, however rare; and thirty boxes
    can be filled and imagined."""
    tight = RubyRisks.new(Random(0), boxes=(30, 30), rubies=(34, 34))
    large = RubyRisks.new(Random(0), boxes=(30, 30), rubies=(150, 150))

    assert tight.contents == (*[1] * 29, 5)
    assert sum(large.seen_by(0).possible_position(Random(1)).contents) == sum(large.contents) == 150


@pytest.mark.heavy
@pytest.mark.parametrize(("level", "matches"), [("easy", 100), ("normal", 30), ("hard", 10)])
def test_strengths(level: str, matches: int) -> None:
    """Over the same instances the house gets at least 0.25 more than `random`, and no strategy
    0.02 more than the oracle."""
    starts = [
        RubyRisks.new(Random(f"strengths/{level}/{match}"), **RubyRisks.levels[level])
        for match in range(matches)
    ]
    mean = {
        name: sum(
            played(start, name, Random(match)) / start.rubies for match, start in enumerate(starts)
        )
        / matches
        for name in ("random", *RubyRisks.strategies)
    }

    assert mean[RubyRisks.house[level]] > mean["random"] + 0.25
    assert all(share < mean["oracle"] + 0.02 for share in mean.values())
