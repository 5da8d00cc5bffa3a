"""PuzzlePlex's instances of optimal touring."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.optimal_touring import instance
from quandary.puzzles.questions.optimal_touring.solver.timetable import Site


def test_the_first_site() -> None:
    """Easy and normal seed 1 begin alike: the level is only the number of sites."""
    easy, normal = instance("easy", 1), instance("normal", 1)

    assert Site(avenue=97, street=8, stay=66, value=31, opens=2, closes=21) == easy.sites[0]
    assert (20, 40, easy.sites) == (len(easy.sites), len(normal.sites), normal.sites[:20])


@pytest.mark.parametrize(
    ("seed", "optimum"),
    list(enumerate((1296, 1446, 1308, 1350, 1204, 1193, 1118, 1068, 1507, 1553), 1)),
)
def test_optima(seed: int, optimum: int) -> None:
    """The value of the best tour tells the sites of easy seeds apart."""
    assert optimum == instance("easy", seed).reference()


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_impossible_sites(level: str) -> None:
    """Up to eight sites are open for less time than a visit takes."""
    impossible = [
        sum(site.stay > 60 * (site.closes - site.opens) for site in instance(level, seed).sites)
        for seed in range(1, 11)
    ]

    assert 0 <= min(impossible) <= max(impossible) <= 8
