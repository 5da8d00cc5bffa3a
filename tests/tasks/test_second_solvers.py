"""Labels of state tasks, and the next states that are accepted, judged by a second solver."""

from __future__ import annotations

from dataclasses import replace

import pytest
from proofs import states
from proofs.resumable import state_levels
from proofs.second_solvers import is_solvable
from proofs.second_solvers.graph_coloring import chromatic_number
from proofs.second_solvers.logic_grid import grid_solutions

from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.logic_grid.solver.clues import Earlier, Thing
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.puzzles.solo.takuzu import Takuzu
from quandary.puzzles.solo.tidy_tower import TidyTower
from second_opinions import faults_of

LEVELS = list(state_levels())


@pytest.mark.parametrize("level", LEVELS)
def test_a_second_solver_agrees(level: str) -> None:
    """On five states; `test_many_states.py` has three hundred."""
    assert [] == [fault for seed in range(5) for fault in faults_of(states.drawn(level, seed), 2)]


@pytest.mark.parametrize("answer", [False, True])
def test_wrong_labels_would_be_found(answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that says the same of all positions contradicts half of the labels."""
    monkeypatch.setattr(states, "is_solvable", lambda position: answer)

    assert any(list(faults_of(states.drawn("sudoku/easy", seed), 3)) for seed in range(5))


def test_the_second_solver_knows_the_rules() -> None:
    """Positions by hand."""
    row, tower = "12" + "." * 14, "RRYB"
    queens = ((0, 1), (1, 3), (2, 0), (3, 2))

    assert is_solvable(Sudoku(row, row)) and not is_solvable(Sudoku(row, "11" + "." * 14))
    assert is_solvable(Takuzu("." * 16, "." * 16)) and not is_solvable(Takuzu("", "000" + "." * 13))
    assert not is_solvable(Takuzu("", "0011" * 2 + "." * 8))  # two equal rows
    assert is_solvable(KQueens(queens, 0))
    assert is_solvable(KQueens(((0, 0), *queens[1:]), 1))
    assert not is_solvable(KQueens(((0, 0), *queens[1:]), 0))
    assert is_solvable(TidyTower(tower, 2)) and not is_solvable(TidyTower(tower, 1))
    assert is_solvable(GameOf24(("8", "8", "3", "3")))
    assert not is_solvable(GameOf24(("(8 - 3)", "8", "3")))
    path = ((1,), (0, 2), (1, 3), (2,))
    assert is_solvable(GraphColoring(path, 2, (1, 0, 0, 2)))
    assert not is_solvable(GraphColoring(path, 2, (1, 0, 0, 1)))
    names = LogicGrid.start(
        ("no", "name"), ((1, 2), ("Al", "Bo")), (Earlier(Thing(1, 0), Thing(1, 1)),)
    )
    assert is_solvable(names) and [[0, 1, 0, 1]] == grid_solutions(names, 2)
    assert 2 == len(grid_solutions(replace(names, clues=()), 3))
    assert not is_solvable(replace(names, table=((0, 1), (1, -1))))
    assert 3 == chromatic_number([[1, 4], [0, 2], [1, 3], [2, 4], [3, 0]])  # a ring of five
