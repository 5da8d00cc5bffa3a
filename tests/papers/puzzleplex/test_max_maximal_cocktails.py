"""PuzzlePlex's instances of max maximal cocktails."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.max_maximal_cocktails import instance


@pytest.mark.parametrize(
    ("level", "drugs"), [("easy", [5, 4, 5, 5, 8]), ("normal", [9, 8, 9, 9, 12])]
)
def test_seeds(level: str, drugs: list[int]) -> None:
    """The numbers of drugs of seeds 1 to 5; there are no clashes yet."""
    starts = [instance(level, seed) for seed in range(1, 6)]

    assert drugs == [start.drugs for start in starts]
    assert all(start.edges == () and start.counted == "maximal" for start in starts)
