"""PuzzlePlex's instances of exclusivity particles."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.exclusivity_particles import instance


@pytest.mark.parametrize(
    ("level", "sizes"),
    [
        ("easy", [(4, 1), (3, 1), (4, 1), (4, 1), (7, 3)]),
        ("normal", [(9, 3), (8, 1), (9, 3), (9, 1), (12, 6)]),
    ],
)
def test_sizes(level: str, sizes: list[tuple[int, int]]) -> None:
    """Dimension and distance of seeds 1 to 5, with nothing placed."""
    starts = [instance(level, seed) for seed in range(1, 6)]

    assert sizes == [(start.dimension, start.distance) for start in starts]
    assert all(not start.particles for start in starts)


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_distances_stay_below_the_dimension(level: str) -> None:
    """So two particles always find a place."""
    assert all(
        1 <= start.distance < start.dimension
        for start in (instance(level, seed) for seed in range(1, 101))
    )
