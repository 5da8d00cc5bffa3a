"""What the cocktail puzzles share in words and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from quandary.core.scene import Disc, Label, Line, Scene, Shape
from quandary.solvers.cocktails import Edge

KIND = {"maximal": "maximal", "maximum": "largest"}  # what those that count are called
MEANING = {
    "maximal": "A cocktail is a set of drugs no two of which clash. "
    "It is maximal if no other drug can be added to it; "
    "a maximal cocktail need not be as large as others.",
    "maximum": "A cocktail is a set of drugs no two of which clash. "
    "The largest cocktails are those with the most drugs, all of them if several have equally "
    "many.",
}
ROUND, MIDDLE = 4.1, 5.0  # sizes in the scene: the circle of drugs and where its middle is


def picture(
    drugs: int,
    edges: Iterable[Edge],
    captions: Sequence[str],
    last: Edge | None = None,
    clicks: bool = False,
) -> Scene:
    """Drugs, counted from 1, on a circle with clashes as lines; the last clash is highlighted."""
    angles = {drug + 1: 2 * pi * drug / drugs for drug in range(drugs)}
    at, beside = ({drug: (MIDDLE + r * sin(a), MIDDLE - r * cos(a)) for drug, a in angles.items()} for r in (ROUND, ROUND + 0.55))
    shapes: list[Shape] = [Line((at[one], at[other]), width=0.05) for one, other in edges if (one, other) != last]
    if last:
        shapes.append(Line((at[last[0]], at[last[1]]), "orange", 0.14))
    # a line between the drugs on both sides passes clear
    radius = min(0.28, 0.55 * ROUND * (1 - cos(2 * pi / max(2, drugs))))
    for drug, (x, y) in at.items():
        shapes.append(Disc(x, y, radius, "blue", click=str(drug) if clicks else ""))
        shapes.append(Label(*beside[drug], str(drug), 0.5))
    shapes += [Label(0.2, 2 * MIDDLE + 0.4 + 0.6 * line, words, 0.42, anchor="start") for line, words in enumerate(captions)]
    return Scene(2 * MIDDLE, 2 * MIDDLE + 0.2 + 0.6 * len(captions), tuple(shapes))
