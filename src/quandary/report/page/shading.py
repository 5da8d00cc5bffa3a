"""Cells whose colour is a score, and that are the paler the less is known about it."""

from __future__ import annotations

from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, Ranged

SURE, UNSURE = 0.1, 0.8  # widths of intervals from full colour to the palest
PALEST = 0.25
FULL = 20  # classes of the style sheet from no colour to the full one
NONE = element("td", "–", class_="none")
STEPS = 10  # of the scale of colours, from 0 (nothing) to 10 (everything)


def shaded(score: Cell, n: int, player: str, href: str = "", *, is_score: bool = True) -> Markup:
    """Return a share between 0 and 1 with its interval and number of matches, perhaps as a link.

    `player` is the name that phones show in the cell instead of a head above it.  What is no score
    is neither good nor bad, and has no colour.
    """
    if not isinstance(score, Ranged | float):
        return NONE
    value, low, high = score if isinstance(score, Ranged) else (score, 0.0, 1.0)
    words = [
        element("b", f"{value:z.2f}"),
        element("small", f"{low:z.2f}–{high:.2f}" if isinstance(score, Ranged) else "partial"),
        element("small", f"n {n:,}"),
    ]
    inside = element("a", *words, href=href) if href else element("span", *words)
    strength = PALEST + (1 - PALEST) * (UNSURE - min(max(high - low, SURE), UNSURE)) / (
        UNSURE - SURE
    )
    step = round(STEPS * min(max(value, 0.0), 1.0)) if is_score else STEPS // 2
    kind = f"shaded s{step} sure{round(FULL * strength)}"
    return element("td", inside, class_=kind, data_player=player)
