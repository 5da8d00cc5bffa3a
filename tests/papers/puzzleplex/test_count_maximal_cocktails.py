"""PuzzlePlex's instances of count maximal cocktails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quandary.papers.puzzleplex.seeds.count_maximal_cocktails import instance

DRUGS = (5, 3, 6, 6, 7, 4, 8, 6, 10, 3)
CLASHES = (4, 0, 2, 4, 5, 3, 2, 5, 19, 1)
MAXIMAL = (4, 1, 2, 4, 5, 3, 4, 6, 12, 2)
LARGEST = (1, 1, 1, 1, 4, 3, 4, 4, 5, 2)


@pytest.mark.parametrize("seed", range(1, 11))
def test_seeds(seed: int) -> None:
    """Drugs, clashes, maximal cocktails and largest ones of seeds 1 to 10; both levels draw the
    same graph.
    """
    easy, normal = instance("easy", seed), instance("normal", seed)
    largest = replace(easy, counted="maximum")
    expected = (DRUGS[seed - 1], CLASHES[seed - 1], str(MAXIMAL[seed - 1]), str(LARGEST[seed - 1]))

    assert expected == (easy.drugs, len(easy.edges), easy.solution(), largest.solution())
    assert (easy.drugs, easy.edges, "list") == (normal.drugs, normal.edges, normal.asked)
    assert MAXIMAL[seed - 1] == normal.solution().count("[") - 1


def test_seed_1_is_the_older_papers_figure() -> None:
    """Also in the order of its clashes."""
    assert ((1, 3), (2, 3), (4, 5), (1, 5)) == instance("easy", 1).edges


def test_the_two_meanings_agree_on_four_of_ten() -> None:
    """Whoever counts maximal cocktails gets 0.40 by the released key."""
    asked = [instance("easy", seed) for seed in range(1, 11)]

    assert 4.0 == sum(
        replace(puzzle, counted="maximum").check(puzzle.solution()).score for puzzle in asked
    )
