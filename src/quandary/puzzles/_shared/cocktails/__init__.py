"""What the cocktail puzzles share in words and pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from math import cos, pi, sin

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.moves import Notation, Number
from quandary.core.scene import Disc, Label, Line, Scene, Shape
from quandary.core.words import Say

from .solver import Counted, Edge

RADIUS, CENTRE = 4.1, 5.2  # of the circle of drugs in a picture
DOT = 0.33  # the radius of a drug, if there are few
LABEL_DISTANCE = 0.75  # of a number from its drug
TABLE_CELL = (0.75, 1.0)  # narrow, so that the numbers beside many rows are large
MOST_ON_CIRCLE = 12  # drugs whose clashes can be told apart as lines


def meaning(counted: Counted, say: Say) -> str:
    """Return what a cocktail is, and which cocktails count."""
    if counted == "maximal":
        return say(
            "There are some drugs, and some pairs of drugs clash. A cocktail is a set of drugs in"
            " which no two clash. It is maximal if no other drug can be added to it; a maximal"
            " cocktail can be smaller than other cocktails."
        )
    return say(
        "There are some drugs, and some pairs of drugs clash. A cocktail is a set of drugs in which"
        " no two clash. The largest cocktails are those with the most drugs; there can be several"
        " of the same size."
    )


@cache
def clash_notation(drugs: int) -> Notation:
    """Return a move that makes two drugs clash, in either order."""
    drug = Number(1, drugs)
    labels = {"drug": ("drugs",)}
    return Notation(
        "{drug} {other_drug}", unordered=True, labels=labels, drug=drug, other_drug=drug
    )


def clashes_text(drugs: int, edges: Collection[Edge], say: Say) -> str:
    """Return the drugs and the pairs that clash."""
    clashes = ", ".join([f"({one}, {other})" for one, other in edges])
    return say(
        "Drugs: {drugs}\nClashes: {clashes}",
        drugs=_numbers(drugs),
        clashes=clashes or say("none"),
    )


@cache
def _numbers(drugs: int) -> str:
    return " ".join(map(str, range(1, drugs + 1)))


def table(drugs: int, edges: Collection[Edge], caption: str) -> Scene:
    """Return a row and a column per drug, with a filled cell where two clash: legible with many
    drugs.
    """
    clashes = {*edges, *((other, one) for one, other in edges)}
    numbers = range(1, drugs + 1)
    rows = [[_table_cell(row, column, clashes) for column in numbers] for row in numbers]
    drawn = board(rows, first=1, size=TABLE_CELL)
    return stack(drawn, captions(caption, size=0.6, width=drawn.width))


def _table_cell(row: int, column: int, clashes: Collection[Edge]) -> Cell:
    if row == column:
        return Cell(fill="shade")
    return Cell("x", "blue") if (row, column) in clashes else Cell()


def picture(
    drugs: int,
    edges: Iterable[Edge],
    say: Say,
    news: str = "",
    last: Edge | None = None,
    clickable: bool = False,
) -> Scene:
    """Drugs, counted from 1, on a circle with clashes as lines; the last clash is highlighted."""

    def place(drug: int, radius: float) -> tuple[float, float]:
        angle = 2 * pi * (drug - 1) / drugs
        return CENTRE + radius * sin(angle), CENTRE - radius * cos(angle)

    at = {drug: place(drug, RADIUS) for drug in range(1, drugs + 1)}
    shapes: list[Shape] = [
        Line((at[one], at[other]), width=0.05) for one, other in edges if (one, other) != last
    ]
    if last:
        shapes.append(Line((at[last[0]], at[last[1]]), "orange", 0.14))
    # Small enough that a line between the neighbours of a drug does not touch its disc.
    radius = min(DOT, 0.55 * RADIUS * (1 - cos(2 * pi / max(2, drugs))))
    for drug, (x, y) in at.items():
        shapes.append(Disc(x, y, radius, "blue", click={"drug": str(drug)} if clickable else None))
        shapes.append(Label(*place(drug, RADIUS + LABEL_DISTANCE), str(drug), 0.5))
    circle = Scene(2 * CENTRE, 2 * CENTRE, tuple(shapes))
    return stack(
        circle, captions(news, say("Lines join drugs that clash."), size=0.5, width=2 * CENTRE)
    )
