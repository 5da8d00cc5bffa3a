"""Tables of scores as text, Markdown, LaTeX and CSV; leaderboards as short text."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from quandary.core.csv_cells import csv_cell
from quandary.scoring.score_table import Cell, Ranged, ScoreTable

from .tables import one_line, table

NOISE = 1e-15  # what is smaller is left of rounding
SMALLEST = 0.0005  # that three digits after the point do not show as zero
# The columns of a short leaderboard.
LEADERBOARD = ("player", "score", "missing", "worst", "best", "ranks", "group", "n")
LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)
MARKDOWN = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "\\`*_[]|$~"},
        **{"&": "&amp;", "<": "&lt;", ">": "&gt;"},  # not all readers know a backslash before them
    }
)


def shown(cell: Cell) -> str:
    """Return a cell as people read it: three digits after the point are enough for a score."""
    match cell:
        case None:
            return "-"
        case Ranged():
            value, low, high = shown_parts(cell)
            return f"{value} ({low} to {high})"
        case float():
            return _number(cell)
        case int():
            return f"{cell:,}"
        case _:
            return one_line(cell)


def shown_parts(cell: Ranged) -> tuple[str, str, str]:
    """Return a number and the ends of its interval as people read them."""
    value, low, high = cell
    return _number(value), _end(low, value), _end(high, value)


def _number(value: float) -> str:
    if value != value:  # not a number
        return "-"
    if NOISE < abs(value) < SMALLEST:  # as many values of p are
        return f"{value:.0e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:z.3f}"


def _end(end: float, value: float) -> str:
    """Return an end of the interval of a value: beside a larger value, a tiny one is shown
    as zero.
    """
    return "0.000" if abs(end) < SMALLEST <= abs(value) else _number(end)


def text(found: ScoreTable) -> str:
    """For a terminal: title, table, formula and notes."""
    rows = [[shown(cell) for cell in row] for row in found.short_rows()]
    body = table(found.head, rows) if rows else "(no rows)"
    title, *below = _texts(found)
    return "\n".join([title, "", *_lead(found), body, "", *below])


def _texts(found: ScoreTable) -> list[str]:
    """Return the title and what stands below a table, which may name players."""
    return [one_line(text) for text in (found.title, found.formula, *found.notes)]


def _lead(found: ScoreTable) -> list[str]:
    """Return what stands above a table, with a blank line after it."""
    return [one_line(found.lead), ""] if found.lead else []


def leaderboards(found: Sequence[ScoreTable]) -> str:
    """Leaderboards with few columns; what is true of all of them is said once, at the end."""
    notes = [dict.fromkeys(_texts(each)[1:]) for each in found]
    of_all = [line for line in notes[0] if all(line in lines for lines in notes)]
    parts = list[str]()
    for each, lines in zip(found, notes, strict=True):
        own = [line for line in lines if line not in of_all]
        parts += [one_line(each.title), "", *_lead(each), _leaderboard(each), ""]
        parts += [*own, ""] if own else []
    return "\n".join([*parts, *of_all])


def _leaderboard(found: ScoreTable) -> str:
    kept = [at for at, name in enumerate(found.head) if name in LEADERBOARD]
    head = [found.head[at] for at in kept]
    rows = [[_leaderboard_cell(row[at]) for at in kept] for row in found.short_rows()]
    return table(head, rows)


def _leaderboard_cell(cell: Cell) -> Cell:
    """Whole numbers stay numbers, so that they are aligned on the right."""
    return cell if isinstance(cell, int) else shown(cell)


def markdown(found: ScoreTable) -> str:
    """Return a section of a Markdown page."""
    numeric = _numeric(found)
    lines = [
        _markdown_row(found.head),
        "|" + "|".join(" ---: " if right else " --- " for right in numeric) + "|",
        *(_markdown_row([shown(cell) for cell in row]) for row in found.rows),
    ]
    title, *below = (text.translate(MARKDOWN) for text in _texts(found))
    lead = [line.translate(MARKDOWN) for line in _lead(found) if line]
    return "\n\n".join([f"## {title}", *lead, "\n".join(lines), *below]) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(one_line(cell).translate(MARKDOWN) for cell in cells)} |"


def latex(found: ScoreTable) -> str:
    """Return a table for a paper; it needs the package booktabs."""
    columns = "".join("r" if right else "l" for right in _numeric(found))
    title, *below = (text.translate(LATEX) for text in _texts(found))
    lead = [line.translate(LATEX) for line in _lead(found) if line]
    caption = " ".join([f"{title}.", *lead, *below])
    lines = [
        r"\begin{table}",
        rf"\caption{{{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row(found.head),
        r"\midrule",
        *(_latex_row([shown(cell) for cell in row]) for row in found.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(one_line(cell).translate(LATEX) for cell in cells) + r" \\"


def comma_separated(found: ScoreTable) -> str:
    """Full precision; a number with an interval takes three columns."""
    ranged = [
        any(isinstance(row[at], Ranged) for row in found.rows) for at in range(len(found.head))
    ]
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        csv_cell(name)
        for head, wide in zip(found.head, ranged, strict=True)
        for name in ((head, f"{head} low", f"{head} high") if wide else (head,))
    )
    for row in found.rows:
        writer.writerow(
            csv_cell(value)
            for cell, wide in zip(row, ranged, strict=True)
            for value in (_three(cell) if wide else (cell,))
        )
    return out.getvalue()


def _three(cell: Cell) -> tuple[Cell, Cell, Cell]:
    return cell if isinstance(cell, Ranged) else (cell, None, None)


def _numeric(found: ScoreTable) -> list[bool]:
    """Return which columns hold numbers and nothing else."""
    return [
        any(row[at] is not None for row in found.rows)
        and not any(isinstance(row[at], str) for row in found.rows)
        for at in range(len(found.head))
    ]
