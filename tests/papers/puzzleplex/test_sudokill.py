"""PuzzlePlex's instances of SudoKill."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.sudokill import instance

EASY = [
    "2000 0302 0001 1204",
    "0000 0000 3402 2140",
    "0410 0320 0000 3000",
    "0000 1024 0040 0030",
    "3000 0240 2000 4001",
]
NORMAL_1 = (
    "300765091 900400073 001009600 019306420 643027008 287041936 008002069 000874352 750000080"
)


def _cells(rows: str) -> str:
    return rows.replace(" ", "").replace("0", ".")


def test_easy_grids() -> None:
    """Seeds 1 to 5."""
    assert [_cells(rows) for rows in EASY] == [instance("easy", seed).cells for seed in range(1, 6)]


def test_a_normal_grid() -> None:
    """Seed 1."""
    assert _cells(NORMAL_1) == instance("normal", 1).cells


@pytest.mark.parametrize(
    ("level", "blanks"), [("easy", [9, 10, 11, 11, 10]), ("normal", [35, 30, 35, 37, 32])]
)
def test_blanks(level: str, blanks: list[int]) -> None:
    """Of seeds 1 to 5."""
    assert blanks == [instance(level, seed).cells.count(".") for seed in range(1, 6)]
