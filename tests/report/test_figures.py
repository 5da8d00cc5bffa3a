"""Figures: well-formed whatever players are called, and nothing hides behind something else."""

from __future__ import annotations

from pathlib import Path
from xml.dom.minidom import parse

import pytest

pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report]'")

from matplotlib import rc_context
from matplotlib.figure import Figure as Canvas

from quandary.report.figures.figure import STYLE, wrapped
from quandary.report.figures.heatmap import heatmap
from quandary.report.figures.of_tables import accuracies, head_to_head
from quandary.report.figures.ratings import Rated, ratings
from quandary.report.page.win_matrix import win_matrix
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


def test_names_break_at_separators_only() -> None:
    name = "vllm/Qwen3-235B-A22B-Instruct-2507-FP8-long-context,language=en,max_tokens=64"
    lines = wrapped(name, 20).split("\n")

    assert "".join(lines) == name and len(lines) > 3
    assert all(line[-1] in "/,-_" for line in lines[:-1])
    assert wrapped("local/smollm2,max_tokens=64") == "local/smollm2,\nmax_tokens=64"
    assert wrapped("m" * 80) == "m" * 80


@pytest.mark.parametrize("count", [2, 6, 20])
def test_long_names_do_not_overlap_on_the_axes_of_a_heatmap(count: int) -> None:
    names = [f"vllm/Qwen3-235B-A22B-Instruct-2507,language=en,repeat={at}" for at in range(count)]
    drawn = heatmap("wins", "Wins", names, [[0.5] * count] * count, "share", "even")
    canvas = Canvas(figsize=(drawn.width, drawn.height), layout="constrained")
    with rc_context(STYLE):
        drawn.draw(canvas)
    canvas.draw_without_rendering()
    [axes] = canvas.axes
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        boxes = [each.get_window_extent() for each in labels]
        assert len(boxes) == count
        assert not any(
            one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[at + 1 :]
        )


def test_players_who_all_met_one_opponent_are_compared_with_it() -> None:
    """Also where a share has no interval, because matches are left to play."""
    names = ("house", "b", "a")
    shares = {"b": Ranged(0.5, 0.2, 0.8), "a": 1.0}
    wins = [("house", None, 0.0, 0.0)] + [(name, shares[name], None, None) for name in "ba"]
    counts = [("house", None, 4, 4), ("b", 4, None, 0), ("a", 4, 0, None)]
    elo = ("player", "in order", "mean", "deviation"), [(name, 1.0, 1.0, 0.0) for name in names]
    tables = [
        score_table("ratings", "", "", ("player", "points"), [(name, 1.0) for name in names]),
        score_table("elo", "", "", *elo),
        score_table("wins", "Wins", "", ("player", *names), wins),
        score_table("ties", "Ties", "", ("player", *names), wins),
        score_table("meetings", "", "", ("player", *names), counts),
    ]
    _, figure, _ = head_to_head(tables)
    html = win_matrix(tables, {})

    assert figure and figure.title == "Wins against house"
    assert "b 0.500 (0.200 to 0.800); a 1.000" in figure.words
    assert "won against house" in html and "won against b" not in html
    assert "<b>1.00</b>" in html and "0.20–0.80" in html and "n 4" in html

    counts[1:] = [("b", 4, None, 1), ("a", 4, 1, None)]
    everyone = [*tables[:-1], score_table("meetings", "", "", ("player", *names), counts)]
    assert "won against house" not in win_matrix(everyone, {})
    assert "<b>1.00</b>" in win_matrix(everyone, {})  # as in the figure


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
    names = "finereason_gaps", "Accuracy by empty cells", "Shares."
    tables = [
        score_table(*names, head, rows, difficulty="empty cells"),
        score_table("finereason_others", *names[1:], head, rows),
    ]
    [figure] = accuracies([TitledTables("FineReason", tables)], ["a"])

    assert figure and figure.key == "finereason_gaps"
    assert figure.title == "Accuracy by empty cells (FineReason)"
    assert "check:sudoku, a: 0-9 1.00, 10-19 0.20" in figure.words and "takuzu" not in figure.words
