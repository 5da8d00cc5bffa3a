"""Logic grids of 4 x 4 with one proven solution, compared with reasoning-gym's zebra puzzles.

Ours have no clue to spare.
"""

from __future__ import annotations

from random import Random

from quandary.puzzles.solo.logic_grid import LogicGrid

from .clock import rate


def table() -> list[str]:
    """Both make tables of four rows and four columns; the first column of ours is given."""
    from reasoning_gym.logic.zebra_puzzles import ZebraConfig, ZebraDataset

    theirs = ZebraDataset(ZebraConfig(num_people=4, num_characteristics=4, seed=1, size=1_000_000))

    def ours(seed: int) -> int:
        return int(LogicGrid.new(Random(f"grid#{seed}"), rows=4, columns=(4, 4)).solvable())

    def gym(seed: int) -> int:
        return len([theirs[seed]["answer"]])

    mine, other = rate(ours), rate(gym)
    return [
        "| generator | grids a second | ratio |",
        "|---|---|---|",
        f"| quandary (and solved once more) | {mine:,.0f} | {mine / other:.1f} x |",
        f"| reasoning-gym | {other:,.1f} | 1 |",
    ]
