"""Cells whose colour is a score: the less is known about it, the nearer to the colour of the page.

The middle of the scale is a colour too, so that it does not look like what is not known.
"""

from __future__ import annotations

from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, Ranged

SURE, UNSURE = 0.1, 0.8  # widths of intervals from full colour to the faintest
FAINTEST = 0.4
FULL = 20  # classes of the style sheet from no colour to the full one
NONE = element("td", "–", class_="none")
STEPS = 10  # of the scale of colours, from 0 (nothing) to 10 (everything)


def shaded(score: Cell, n: int, player: str, href: str = "", *, is_score: bool = True) -> Markup:
    """Return a share between 0 and 1 with its interval and number of matches, perhaps as a link.

    `player` is the name that phones show in the cell instead of a head above it.  What is no score
    is neither good nor bad, and is grey.
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
    strength = FAINTEST + (1 - FAINTEST) * (UNSURE - min(max(high - low, SURE), UNSURE)) / (
        UNSURE - SURE
    )
    tone = f"s{round(STEPS * min(max(value, 0.0), 1.0))}" if is_score else "even"
    kind = f"shaded {tone} sure{round(FULL * strength)}"
    return element("td", inside, class_=kind, data_player=player)
