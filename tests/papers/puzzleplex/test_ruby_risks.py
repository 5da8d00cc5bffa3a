"""Facts about PuzzlePlex's own instances of ruby risks."""

from __future__ import annotations

from random import Random

import pytest

from quandary.papers.puzzleplex.seeds import ruby_risks
from quandary.papers.puzzleplex.seeds.ruby_risks import instance


@pytest.mark.parametrize(
    ("seed", "contents"),
    [
        (1, (18, 17, 8, 23)),
        (2, (6, 17, 12)),
        (3, (22, 15, 13, 17)),
        (4, (10, 6, 14, 19)),
        (5, (14, 8, 10, 2, 6, 4, 2)),
    ],
)
def test_easy_seeds(seed: int, contents: tuple[int, ...]) -> None:
    """The first five seeds of the easy level."""
    game = instance("easy", seed)

    assert game.contents == contents
    assert (game.boxes, game.rubies, game.log) == (len(contents), sum(contents), ())


def test_normal_seeds() -> None:
    """Sizes of a seed whose tries are made, and of one whose tries in vain are passed over."""
    for seed, boxes, rubies in ((2, 8, 85), (99, 11, 104)):
        game = instance("normal", seed)

        assert (boxes, rubies) == (game.boxes, game.rubies)
        assert (boxes, rubies) == (len(game.contents), sum(game.contents))


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [99, 93, 88])
def test_passing_over_tries_gives_what_trying_gives(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the seeds of 11 boxes that are found soonest."""
    passed_over = ruby_risks.instance.__wrapped__("normal", seed)
    monkeypatch.setattr(ruby_risks, "PASSED", {})

    assert passed_over == ruby_risks.instance.__wrapped__("normal", seed)


def test_every_long_search_is_passed_over() -> None:
    """The table has all normal seeds of more than ten boxes, and no other ones."""
    boxes = {seed: Random(seed).randint(8, 12) for seed in range(1, 101)}

    assert {seed for seed, count in boxes.items() if count > 10} == set(ruby_risks.PASSED)
