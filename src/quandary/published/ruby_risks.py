"""PuzzlePlex's own instances of ruby risks."""

from __future__ import annotations

from random import Random

from quandary.puzzles.solo.ruby_risks import RubyRisks
from quandary.solvers.ruby_boxes import GAP, final_contents

SIZES = {"easy": ((3, 7), (30, 70)), "normal": ((8, 12), (80, 120))}  # boxes and rubies
QUICK = 10  # boxes: about 200,000 tries, a second or two


def instance(level: str, seed: int) -> RubyRisks:
    """The published boxes, as far as they can be found quickly; requests below 0, which cost rubies there, are not allowed in ours.

    The published code drew the number of boxes and of rubies, then what each box but the last holds, from 1 to rubies less boxes,
    over and over until the last one is left with something and the fullest holds four more than the emptiest; then these two share.
    That takes two million tries for 11 boxes and twenty million for 12, so these are refused.
    """
    rng = Random(seed)
    boxes, rubies = (rng.randint(*size) for size in SIZES[level])
    if boxes > QUICK:
        raise ValueError(
            f"seed {seed} has {boxes} boxes, and to find how they were filled takes millions of tries"
        )
    while True:
        drawn = [rng.randint(1, rubies - boxes) for _ in range(boxes - 1)]
        layout = [*drawn, rubies - sum(drawn)]
        if layout[-1] > 0 and max(layout) - min(layout) >= GAP:
            return RubyRisks(boxes, rubies, final_contents(layout))
