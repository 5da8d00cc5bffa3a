"""Facts about PuzzlePlex's own instances of ruby risks."""

from __future__ import annotations

import pytest

from quandary.published.ruby_risks import instance


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
    """Those of up to ten boxes are rebuilt, others refused with a sentence."""
    game = instance("normal", 2)

    assert (game.boxes, game.rubies) == (8, 85)
    assert (len(game.contents), sum(game.contents)) == (8, 85)
    with pytest.raises(ValueError, match="12 boxes"):
        instance("normal", 5)
