"""PuzzlePlex's instances of exclusivity probes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from quandary.papers.puzzleplex.seeds.exclusivity_probes import instance
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes


def _start(distance: int, *particles: str) -> ExclusivityProbes:
    bits = len(particles[0])
    return ExclusivityProbes(
        bits, len(particles), distance, tuple(sorted(particles)), "?" * 2**bits
    )


def test_particles() -> None:
    """Easy seeds 1 to 3."""
    starts = [
        _start(2, "0111100", "1111101"),
        _start(1, "101100", "101000"),
        _start(2, "1001100", "1001001"),
    ]

    assert starts == [instance("easy", seed) for seed in (1, 2, 3)]


@pytest.mark.parametrize(("level", "least"), [("easy", 6), ("normal", 11)])
def test_sizes(level: str, least: int) -> None:
    """The particles keep their distance, and each but the first has one at exactly that."""
    starts = [instance(level, seed) for seed in range(1, 101)]

    assert {least + i: count for i, count in enumerate((20, 22, 17, 22, 19))} == Counter(
        start.dimension for start in starts
    )
    for start in starts:
        places = [int(place, 2) for place in start.particles]
        spans = [(one ^ other).bit_count() for one, other in combinations(places, 2)]

        assert (start.count, start.distance) == (len(places), min(spans))
        assert len(places) - 1 <= spans.count(start.distance)
