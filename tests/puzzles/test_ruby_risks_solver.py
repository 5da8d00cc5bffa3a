"""Facts about hidden rubies and what requests tell about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest

from quandary.puzzles.solo.ruby_risks.solver.boxes import (
    Belief,
    Bounds,
    belief,
    final_contents,
    random_contents,
)
from quandary.puzzles.solo.ruby_risks.solver.requests import (
    ClosedBoxes,
    best_single_request,
    optimal_total,
    request_values,
    scattered_counts,
)

SIZES = [(2, 6), (2, 11), (3, 7), (3, 12), (3, 15), (4, 9), (4, 14), (5, 13), (6, 12)]


def all_contents(boxes: int, rubies: int) -> dict[tuple[int, ...], int]:
    """In how many of its draws the published generator ends with which contents, every draw
    tried."""
    found: Counter[tuple[int, ...]] = Counter()
    for drawn in product(range(1, rubies - boxes + 1), repeat=boxes - 1):
        held = [*drawn, rubies - sum(drawn)]
        top, bottom = max(held), min(held)
        if bottom <= 0 or top < bottom + 4:
            continue
        full, empty, average = held.index(top), held.index(bottom), (top + bottom) // 2
        odd = (top + bottom) % 2
        held[full], held[empty] = (average + 3, average - 2) if odd else (average + 2, average - 2)
        found[tuple(held)] += min(held) > 0
    return found


def fitting(
    contents: Mapping[tuple[int, ...], int], bounds: Iterable[Bounds]
) -> dict[tuple[int, ...], int]:
    limits = list(bounds)
    return {
        held: count
        for held, count in contents.items()
        if all(least <= rubies <= most for rubies, (least, most) in zip(held, limits, strict=False))
    }


def answers(rng: Random, held: tuple[int, ...], rubies: int) -> list[Bounds]:
    """What is known after requests by luck to the first boxes."""
    bounds = list[Bounds]()
    for inside in held[: rng.randrange(len(held))]:
        asked = rng.randint(0, inside + 4)
        bounds.append((asked, rubies) if asked <= inside else (0, asked - 1))
    return bounds


def expected(contents: Mapping[tuple[int, ...], int], box: int) -> dict[int, Fraction]:
    """What the boxes from this one on bring after each request that can matter, under best play,
    every line of play tried."""
    total = sum(contents.values())
    worth = {}
    for asked in range(max(held[box] for held in contents) + 2):
        worth[asked] = Fraction(0)
        for enough in (True, False):
            part = {
                held: count for held, count in contents.items() if (held[box] >= asked) == enough
            }
            if part:
                later = (
                    max(expected(part, box + 1).values())
                    if box + 1 < len(next(iter(part)))
                    else Fraction(0)
                )
                worth[asked] += Fraction(sum(part.values()), total) * (asked * enough + later)
    return worth


def assert_likely(drawn: Counter[tuple[int, ...]], counts: Mapping[tuple[int, ...], int]) -> None:
    """Chi squared, with four standard deviations of luck allowed."""
    share = sum(drawn.values()) / sum(counts.values())
    assert set(drawn) <= set(counts)
    assert (
        sum((drawn[held] - share * count) ** 2 / (share * count) for held, count in counts.items())
        < len(counts) + 4 * (2 * len(counts)) ** 0.5
    )


def test_the_ends_share_anew() -> None:
    """They come to differ by four, or by five; of equals the first ones share; the others stay."""
    assert final_contents((15, 5, 10)) == (12, 8, 10)
    assert final_contents((14, 5, 11)) == (12, 7, 11)
    assert final_contents((1, 10, 1, 10)) == (3, 8, 1, 10)
    assert final_contents((1, 1, 5)) == (1, 1, 5)


@pytest.mark.parametrize(("boxes", "rubies"), SIZES)
def test_rubies_are_hidden_as_published(boxes: int, rubies: int) -> None:
    """Contents come up as often as in the published generator, though nearly none of its draws
    are made."""
    counts, rng = all_contents(boxes, rubies), Random(1)

    assert_likely(
        Counter(random_contents(rng, boxes, rubies) for _ in range(60 * len(counts))), counts
    )


@pytest.mark.parametrize(("boxes", "rubies"), SIZES)
def test_layouts_are_counted(boxes: int, rubies: int) -> None:
    """What the next box may hold, and all closed ones, is counted as if all layouts were listed,
    whatever was answered."""
    contents, rng = all_contents(boxes, rubies), Random(2)
    for _ in range(25):
        bounds = answers(rng, rng.choice(sorted(contents)), rubies)
        left, now = fitting(contents, bounds), belief(boxes, rubies, tuple(bounds))
        chances, ahead = [0] * (rubies + 1), Counter[tuple[int, ...]]()
        for held, count in left.items():
            chances[held[len(bounds)]] += count
            ahead[held[len(bounds) :]] += count

        assert now.chances() == chances
        assert ClosedBoxes(now).contents() == ahead


@pytest.mark.parametrize(("boxes", "rubies"), [(3, 12), (4, 14), (5, 13)])
def test_deals_follow_the_answers(boxes: int, rubies: int) -> None:
    """Contents are dealt from those that fit the answers, each as often as it is likely."""
    contents, rng = all_contents(boxes, rubies), Random(3)
    for _ in range(5):
        bounds = answers(rng, rng.choice(sorted(contents)), rubies)
        left, now = fitting(contents, bounds), belief(boxes, rubies, tuple(bounds))

        assert_likely(Counter(now.deal(rng) for _ in range(min(2_000, 40 * len(left)))), left)


def test_answers_that_cannot_be() -> None:
    """Both boxes of two cannot hold more than half of the rubies, so nothing can be dealt."""
    now = Belief(2, 11).opened(8, 11).opened(8, 11)

    with pytest.raises(ValueError, match="no contents of the boxes fit"):
        now.deal(Random(0))
    assert request_values(Belief(3, 12).opened(11, 12)) is None


@pytest.mark.parametrize(("boxes", "rubies"), [(7, 70), (12, 120)])
def test_large_counts(boxes: int, rubies: int) -> None:
    """All layouts but the two kinds left out; enough and not enough together are all; what boxes
    hold on average adds up."""

    def within(low: int, high: int) -> int:
        ways = [1] + [0] * rubies
        for _ in range(boxes):
            ways = [
                sum(ways[max(0, total - high) : max(0, total - low + 1)])
                for total in range(rubies + 1)
            ]
        return ways[rubies]

    nearly_even = sum(
        within(low, low + 3) - within(low + 1, low + 3) for low in range(1, rubies // boxes + 1)
    )
    now, means = Belief(boxes, rubies), Fraction(0)
    total = sum(now.chances())

    assert total == comb(rubies - 1, boxes - 1) - nearly_even - (boxes - 1)
    for _ in range(boxes):
        chances = now.chances()
        means += Fraction(sum(held * count for held, count in enumerate(chances)), total)
        asked = rubies // boxes + 2
        enough, short = now.opened(asked, rubies), now.opened(0, asked - 1)
        now = now.opened(0, rubies)

        assert sum(chances) == total
        assert sum(chances[:asked]) == short.total
        assert sum(chances[asked:]) == enough.total
    assert means == rubies


@pytest.mark.parametrize(
    ("boxes", "rubies"), [(2, 11), (2, 30), (3, 12), (3, 16), (3, 30), (4, 10), (4, 13)]
)
def test_requests_are_weighed_from_the_start(boxes: int, rubies: int) -> None:
    """Every request is worth what trying every line of play gives."""
    worth, found = expected(all_contents(boxes, rubies), 0), request_values(Belief(boxes, rubies))

    assert found is not None
    assert [found[asked] for asked in worth] == pytest.approx(
        [float(value) for value in worth.values()]
    )
    assert found[len(worth) :] == [found[0]] * (rubies + 1 - len(worth))
    assert optimal_total(boxes, rubies) == pytest.approx(float(max(worth.values())))


@pytest.mark.parametrize(("boxes", "rubies"), [(3, 15), (4, 14), (5, 13), (6, 12)])
def test_requests_are_weighed_on_the_way(boxes: int, rubies: int) -> None:
    """The same after some answers, with up to three boxes left."""
    contents, rng, seen = all_contents(boxes, rubies), Random(4), Counter[int]()
    for _ in range(25):
        bounds = answers(rng, rng.choice(sorted(contents)), rubies)
        if boxes - len(bounds) > 3:
            continue
        worth = expected(fitting(contents, bounds), len(bounds))
        found = request_values(belief(boxes, rubies, tuple(bounds)))
        seen[boxes - len(bounds)] += 1

        assert found is not None
        assert [found[asked] for asked in worth] == pytest.approx(
            [float(value) for value in worth.values()]
        )
    assert sum(seen.values()) > 8 and len(seen) > 1


def test_what_is_too_much() -> None:
    """Four boxes of 70 rubies can be weighed, five boxes cannot, nor can four boxes late in a
    long match."""
    assert optimal_total(5, 30) is None
    assert optimal_total(4, 71) is None
    assert optimal_total(4, 30) is not None
    assert request_values(belief(12, 120, ((10, 120),) * 2)) is None


def test_the_best_single_request_is_nearly_best() -> None:
    """In three boxes of 30 rubies always taking it gives away something, but less than one per
    cent."""

    def taken(contents: Mapping[tuple[int, ...], int], bounds: tuple[Bounds, ...]) -> Fraction:
        if not contents or len(bounds) == 3:
            return Fraction(0)
        asked, total = best_single_request(belief(3, 30, bounds).chances()), Fraction(0)
        for enough, bound in ((True, (asked, 30)), (False, (0, asked - 1))):
            part = fitting(contents, (*bounds, bound))
            total += sum(part.values()) * asked * enough + taken(part, (*bounds, bound))
        return total

    contents = all_contents(3, 30)
    mean = float(taken(contents, ()) / sum(contents.values()))

    assert 0.99 * (optimal_total(3, 30) or 0) < mean < (optimal_total(3, 30) or 0)


@pytest.mark.parametrize("bounds", [(), ((3, 7),), ((0, 2),), ((0, 2), (3, 7))])
def test_scattered_rubies(bounds: tuple[Bounds, ...]) -> None:
    """If every ruby fell into any box alike, boxes fill as they do when all ways to drop seven
    rubies are tried."""
    counts = [0] * 8
    for dropped in product(range(3), repeat=7):
        held = [dropped.count(box) for box in range(3)]
        if all(least <= held[box] <= most for box, (least, most) in enumerate(bounds)):
            counts[held[len(bounds)]] += 1

    assert scattered_counts(3, 7, bounds) == counts


def test_the_best_single_request() -> None:
    """Three rubies for sure are better than four in two cases of three, four in one case of two
    better than one; or the lower."""
    assert best_single_request([0, 0, 0, 1, 1, 1]) == 3
    assert best_single_request([0, 1, 0, 0, 1]) == 4
    assert best_single_request([0, 1, 1]) == 1
