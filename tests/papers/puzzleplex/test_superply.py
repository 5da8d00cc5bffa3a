"""PuzzlePlex's instances of superply."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.superply import instance
from quandary.puzzles.duels.superply.solver.hints import allowed_cells


def test_first_hints() -> None:
    """Easy seeds 1 to 5."""
    hints = [instance("easy", seed).hint for seed in range(1, 6)]

    assert [
        ("sum", "odd", ()),
        ("sum", "less", (5,)),
        ("sum", "odd", ()),
        ("sum", "digit", (1,)),
        ("difference", "digit", (5,)),
    ] == [(hint.reckoning, hint.test, hint.limits) for hint in hints if hint]


@pytest.mark.parametrize(("level", "size"), [("easy", 6), ("normal", 9)])
def test_the_first_player_can_claim_a_cell(level: str, size: int) -> None:
    """The board is empty, and the first hint matches some cell of it."""
    for seed in range(1, 6):
        start = instance(level, seed)

        assert ("." * size,) * size == start.board
        assert start.hint is not None and allowed_cells(size, start.hint)
        assert len(start.legal(0)) > 0
