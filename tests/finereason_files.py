"""The published files of FineReason in miniature: one row each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SOLUTION = [
    [(3 * (row % 3) + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)
]
BOARD = [[0] * 9, [0, *SOLUTION[1][1:]], SOLUTION[2], [2, 3, 0, *SOLUTION[3][3:]], *SOLUTION[4:]]
CLUES = {
    "1": {"text": "Al is 1.", "conditions": "(T[r('Al')][c('no')] == 1)"},
    "2": {"text": "Bo precedes Cy.", "conditions": "(T[r('Bo')][c('no')] < T[r('Cy')][c('no')])"},
}
TABLE = [["no", "name"], [1, ""], [2, ""], [3, ""]]
STEP = [["no", "name"], [1, "Al"], [2, ""], [3, ""]]
SOLVED = [["no", "name"], [1, "Al"], [2, "Bo"], [3, "Cy"]]
WRONG = [["no", "name"], [1, "Al"], [2, "Cy"], [3, "Bo"]]


def filled(*values: int) -> list[list[int]]:
    """The board with these digits in its first row."""
    return [[*values, *([0] * (9 - len(values)))], *BOARD[1:]]


ROWS: dict[str, dict[str, Any]] = {
    "sudoku_questions": {"inputs": {"initial": BOARD}, "outputs": {"final": SOLUTION}},
    "sudoku_states": {
        "inputs": {
            "initial": BOARD, "grandparent": BOARD, "parent": filled(1), "current": filled(1, 2),
            "unsolvable_child": filled(1, 2, 4),
        },
        "outputs": {"final": SOLUTION, "current_status": "Solvable"},
    },
    "graphcoloring_questions": {"inputs": {"graph": [[1], [0]], "chromatic_number": 2}},
    "graphcoloring_states": {
        "inputs": {
            "graph": [[1], [0]], "chromatic_number": 2, "grandparent": [0, 0], "parent": [0, 0],
            "current": [1, 0], "unsolvable_child": [1, 2],
        },
        "outputs": {"current_status": "Solvable"},
    },
    "game24_questions": {"inputs": {"initial_state": ["1", "1", "6", "4"]}},
    "game24_states": {
        "inputs": {
            "initial_state": ["1", "1", "6", "4"], "grandparent": None,
            "parent": ["1", "1", "6", "4"], "current": ["(6 * 4)", "1", "1"],
            "unsolvable_child": ["(1 + 1)", "(6 * 4)"],
        },
        "outputs": {"current_status": "Solvable"},
    },
    "gridpuzzle_questions": {
        "inputs": {"question": "", "categories": "", "clues": CLUES, "initial": TABLE},
        "outputs": {"solution": SOLVED},
    },
    "gridpuzzle_states": {
        "inputs": {
            "question": "", "categories": "", "clues": CLUES, "initial": TABLE,
            "current": STEP, "applied_clues": ["1"], "initial_to_current": [TABLE, STEP],
            "unsolvable_child": WRONG, "clue_applied_to_unsolvable_child": "1",
        },
        "outputs": {"solution": SOLVED, "current_status": "Solvable"},
    },
}  # fmt: skip


def write_files(folder: Path) -> Path:
    """All eight files in a new folder."""
    folder.mkdir()
    for name, row in ROWS.items():
        (folder / f"{name}.json").write_text(json.dumps(row) + "\n")
    return folder
