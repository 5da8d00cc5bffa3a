"""Cells whose colour is a score, and that are the paler the less is known about it."""

from __future__ import annotations

from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, Ranged

SURE, UNSURE = 0.1, 0.8  # widths of intervals from full colour to the palest
PALEST = 0.25
FULL = 20  # classes of the style sheet from no colour to the full one
STEPS = 10  # of the scale of colours, from 0 (nothing) to 10 (everything)


def shaded(score: Cell, n: int, href: str = "") -> Markup:
    """A score between 0 and 1 with its interval and number of matches, perhaps as a link."""
    if not isinstance(score, Ranged | float):
        return element("td", "–", class_="none")
    value, low, high = score if isinstance(score, Ranged) else (score, 0.0, 1.0)
    words = [
        element("b", f"{value:.2f}"),
        element("small", f"{low:.2f}–{high:.2f}" if isinstance(score, Ranged) else "partial"),
        element("small", f"n {n:,}"),
    ]
    inside = element("a", *words, href=href) if href else element("span", *words)
    strength = PALEST + (1 - PALEST) * (UNSURE - min(max(high - low, SURE), UNSURE)) / (
        UNSURE - SURE
    )
    step = round(STEPS * min(max(value, 0.0), 1.0))
    return element("td", inside, class_=f"shaded s{step} sure{round(FULL * strength)}")
