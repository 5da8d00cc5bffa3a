"""Which cell to claim in superply: every cell is estimated, and the best ones are played out.

Sets of cells are bits, as in `Race`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .hints import draw, drawn_hint
from .race import Race

FORESEEN = 64  # hints drawn to estimate how often a cell can be claimed
FINALISTS = 8  # cells that are played out
TRUST = 100  # the number of playouts that an estimate is worth
PLAYED_OUT = 10_000  # most positions of playouts


def best_claim(race: Race, cells: Sequence[int], rng: Random, budget: int) -> int:
    """Return the cell whose claim most likely wins the race, after searching about `budget`
    positions.
    """

    def draw_allowed(rng: Random) -> int:
        return drawn_hint(draw(rng, race.size), race.size)[1]

    hints = [draw_allowed(rng) for _ in range(FORESEEN)]
    looked_at = rng.sample(cells, min(len(cells), max(1, budget)))
    chances = {cell: race.claim(cell).chance(hints) for cell in looked_at}
    best = sorted(chances, key=chances.__getitem__, reverse=True)[:FINALISTS]
    if len(best) == 1 or chances[best[0]] == 1.0:
        return best[0]
    won, tried = {cell: TRUST * chances[cell] for cell in best}, dict.fromkeys(best, TRUST)
    share = min(budget - len(chances), PLAYED_OUT) // (len(best) - 1).bit_length()
    while len(best) > 1:  # each round uses its share of the budget and drops the worse half
        left = share
        while left > 0:
            for cell in best:
                wins, steps = race.claim(cell).play_out(rng, draw_allowed)
                won[cell], tried[cell], left = won[cell] + wins, tried[cell] + 1, left - steps
        best.sort(key=lambda cell: won[cell] / tried[cell], reverse=True)
        best = best[: (len(best) + 1) // 2]
    return best[0]
