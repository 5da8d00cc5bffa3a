"""PuzzlePlex's instances of sudoku."""

from __future__ import annotations

from quandary.papers.puzzleplex.seeds.sudoku import instance
from quandary.puzzles._shared.sudoku.solver import count


def test_easy_2_is_the_older_papers_figure() -> None:
    """It is also the grid of SudoKill's easy seed 2."""
    assert "........34.2214." == instance("easy", 2).cells


def test_numbers_of_solutions() -> None:
    """Easy seeds 1 to 10; the papers did not ask for a single solution."""
    grids = [instance("easy", seed).cells for seed in range(1, 11)]

    assert [1, 4, 2, 3, 1, 5, 2, 3, 1, 3] == [count(cells) for cells in grids]
