"""PuzzlePlex's own instances of ruby risks."""

from __future__ import annotations

from random import Random

from quandary.puzzles.solo.ruby_risks import RubyRisks
from quandary.solvers.ruby_boxes import GAP, final_contents

SEEDS = {"easy": 100, "normal": 100}
SIZES = {"easy": ((3, 7), (30, 70)), "normal": ((8, 12), (80, 120))}  # boxes and rubies
QUICK = 10  # boxes: about 200,000 tries, a second or two


def instance(level: str, seed: int) -> RubyRisks:
    """The published boxes, if they can be found quickly.

    Requests below 0, which cost rubies in the published game, are not allowed in ours.
    The published code drew the numbers of boxes and rubies, then the contents of each box but the
    last, from 1 to rubies less boxes, until the last one was not empty and the fullest had four
    more than the emptiest; then these two shared their rubies.
    That takes two million tries for 11 boxes and twenty million for 12, so these are refused.
    """
    rng = Random(seed)
    boxes, rubies = (rng.randint(*size) for size in SIZES[level])
    if boxes > QUICK:
        raise ValueError(
            f"seed {seed} has {boxes} boxes, and finding their contents takes millions of tries"
        )
    while True:
        drawn = [rng.randint(1, rubies - boxes) for _ in range(boxes - 1)]
        layout = [*drawn, rubies - sum(drawn)]
        if layout[-1] > 0 and max(layout) - min(layout) >= GAP:
            return RubyRisks(boxes, rubies, final_contents(layout))
