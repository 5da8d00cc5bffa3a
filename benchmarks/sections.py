"""The sections of the page on speed, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from . import (
    calls,
    engines,
    generation,
    graphs,
    logic_grids,
    models,
    past_release,
    plies,
    programs,
    ratings,
    report,
    startup,
    state_tasks,
    sudoku,
    tables,
    textgames,
    web,
    worked_answers,
)

SECTIONS: dict[str, ModuleType] = {
    "Plies": plies,
    "Sudoku": sudoku,
    "State tasks": state_tasks,
    "Graphs": graphs,
    "Logic grids": logic_grids,
    "TextGames": textgames,
    "Worked answers": worked_answers,
    "Language models": models,
    "Model calls": calls,
    "Tables": tables,
    "Starting": startup,
    "Making instances": generation,
    "Engines": engines,
    "Programs": programs,
    "Past release": past_release,
    "Ratings": ratings,
    "Report": report,
    "Site": web,
}


def chosen(words: Sequence[str]) -> list[str]:
    """The titles that contain one of some words; all without any."""
    return [
        title for title in SECTIONS if not words or any(word in title.lower() for word in words)
    ]
