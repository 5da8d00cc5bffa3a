"""Full-width signs become ASCII, each by itself."""

from __future__ import annotations

from random import Random

from quandary.core.moves import HALF_WIDTH, half_width


def test_every_sign_by_the_table() -> None:
    """In any mixture with other characters, as `str.translate` does it."""
    rng, others = Random(1), "aZ9 ,\n一可解。é\u200b𝟙"
    signs = "".join(map(chr, HALF_WIDTH))
    assert len(signs) == 100
    for length in (0, 1, 2, 5, 40) * 50:
        text = "".join(rng.choice(rng.choice((signs, others))) for _ in range(length))
        assert half_width(text) == text.translate(HALF_WIDTH)
    assert half_width(signs) == signs.translate(HALF_WIDTH)
