"""Figures: well-formed whatever players are called, and nothing hides behind something else."""

from __future__ import annotations

from pathlib import Path
from xml.dom.minidom import parse

import pytest

pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report]'")

from matplotlib.figure import Figure as Canvas

from quandary.report.figures.of_tables import accuracies
from quandary.report.figures.ratings import Rated, ratings
from quandary.report.scores import TitledTables
from quandary.scoring.score_table import Ranged, score_table

SPREAD = Ranged(1_000.0, 999.0, 1_001.0)


def test_names_with_control_characters_give_well_formed_svg(tmp_path: Path) -> None:
    """They are shown as Python writes them, in one line."""
    names = ("vllm/a\x1b[31m\nb", "vllm/\x00\ufffe", "vllm/\ud800", "vllm/<b>&amp;$x_1$")
    drawn = ratings("elo", "Elo", [Rated(name, 1_000.0, SPREAD, SPREAD) for name in names])
    texts = set[str]()
    for path in drawn.write(tmp_path):
        if path.suffix == ".svg":
            found = parse(str(path)).getElementsByTagName("text")
            texts |= {each.firstChild.data for each in found if each.firstChild}

    shown = {r"vllm/a\x1b[31m b", r"vllm/\x00\ufffe", r"vllm/\ud800", "vllm/<b>&amp;$x_1$"}
    assert shown <= texts


def test_the_deviation_of_elo_is_beside_its_diamond() -> None:
    """Also where it is narrower than the diamond."""
    canvas = Canvas()
    rows = [Rated(name, 1_000.0, SPREAD, None) for name in ("one", "two")]
    ratings("elo", "Elo", rows).draw(canvas)
    lines = canvas.axes[0].lines
    diamonds = {float(y) for line in lines if line.get_marker() == "D" for y in line.get_ydata()}
    others = {float(y) for line in lines if line.get_marker() != "D" for y in line.get_ydata()}

    assert len(diamonds) == len(others) == 2
    assert all(0.2 < abs(one - other) for one in diamonds for other in others)


def test_answers_about_positions_are_drawn_by_their_difficulty() -> None:
    """A drawing for each task and puzzle of which two ranges are known, in their order."""
    known = [("sudoku", "0-9", 1.0), ("sudoku", "10-19", 0.2), ("takuzu", "0-9", 0.4)]
    rows = [
        ["check", puzzle, "a", cells, 5, Ranged(share, 0.0, 1.0)] for puzzle, cells, share in known
    ]
    head = ("task", "puzzle", "player", "empty cells", "n", "accuracy")
    told = "finereason_gaps", "Accuracy by empty cells", "Shares."
    tables = [
        score_table(*told, head, rows, difficulty="empty cells"),
        score_table("finereason_others", *told[1:], head, rows),
    ]
    [figure] = accuracies([TitledTables("FineReason", tables)], ["a"])

    assert figure and figure.key == "finereason_gaps"
    assert figure.title == "Accuracy by empty cells (FineReason)"
    assert "check:sudoku, a: 0-9 1.00, 10-19 0.20" in figure.words and "takuzu" not in figure.words
