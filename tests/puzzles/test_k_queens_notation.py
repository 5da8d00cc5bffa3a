"""How boards of queens are written and read."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.puzzles.solo.k_queens.notation import drawn, read_board


@pytest.mark.parametrize(
    "said",
    [
        ". Q . .\n. . . Q\nQ . . .\n. . Q .",
        ".Q..\n...Q\nQ...\n..Q.",
        "[[ 0 1 0 0],\n[0 0 0 1],\n[1 0 0 0],\n[0 0 1 0]]",
        "[[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]",
        "```\n_q__\n___q\nq___\n__q_\n```",
    ],
)
def test_ways_to_write_a_board(said: str) -> None:
    """Letters and dots, and lists of 0 and 1 as PuzzlePlex prints them."""
    assert ((0, 1), (1, 3), (2, 0), (3, 2)) == read_board(said, 4)
    assert [list(".Q.."), list("...Q"), list("Q..."), list("..Q.")] == drawn(read_board(said, 4))


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Q...",
        ".Q.. ...Q Q... ..Q. .",
        ".Q.. ...Q Q... ....",
        ".Q.. ...Q Q... .QQ.",
        ".Q.. ...Q Q... ..K.",
        "Q " * 90_000,
    ],
)
def test_no_board(said: str) -> None:
    """Too few or too many squares or queens, and signs that mean nothing."""
    with pytest.raises(Unreadable, match="4 rows of 4"):
        read_board(said, 4)
