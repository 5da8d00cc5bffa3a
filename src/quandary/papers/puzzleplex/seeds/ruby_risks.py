"""PuzzlePlex's own instances of ruby risks."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from quandary.puzzles.solo.ruby_risks import RubyRisks
from quandary.puzzles.solo.ruby_risks.solver.boxes import GAP, final_contents

SEEDS = {"easy": 100, "normal": 100}
SIZES = {"easy": ((3, 7), (30, 70)), "normal": ((8, 12), (80, 120))}  # boxes and rubies
# Normal seed of 11 or 12 boxes -> the generator's words of 32 bits that are spent on tries in vain.
# Trying takes minutes for most of these seeds; passing over the words takes seconds.
PASSED = {
    5: 66_853_849, 6: 519_321_614, 9: 59_312_198, 10: 681_147_891, 11: 8_601_648, 12: 4_231_570,
    17: 505_136_881, 24: 23_236_517, 25: 84_224_796, 27: 70_772_664, 29: 222_368_230,
    30: 13_764_006, 33: 387_491_673, 34: 1_100_886_232, 35: 57_607_293, 37: 141_765_567,
    38: 28_253_394, 40: 86_562_263, 41: 72_237_882, 44: 25_443_500, 48: 590_582_267,
    50: 27_021_062, 53: 635_751_721, 56: 1_207_818_862, 58: 214_844_801, 61: 50_441_021,
    62: 91_860_097, 63: 7_053_496, 64: 63_987_997, 65: 8_237_203, 68: 58_586_522, 74: 665_111_931,
    75: 22_727_272, 81: 241_755_044, 83: 14_413_815, 88: 3_897_169, 92: 10_521_109, 93: 2_657_157,
    94: 71_596_278, 95: 382_425_328, 99: 2_233_464,
}  # fmt: skip
PASSED_AT_ONCE = 1 << 12  # words, so that they stay in the processor's cache


@lru_cache(maxsize=256)  # some take seconds, and every match of a run needs its instance
def instance(level: str, seed: int) -> RubyRisks:
    """Return the published boxes.

    Requests below 0, which cost rubies in the published game, are not allowed in ours.
    The published code drew the numbers of boxes and rubies, then the contents of each box but the
    last, from 1 to rubies less boxes, until the last one was not empty and the fullest had four
    more than the emptiest; then these two shared their rubies.
    That takes two million tries for 11 boxes and twenty million for 12.
    """
    rng = Random(seed)
    boxes, rubies = (rng.randint(*size) for size in SIZES[level])
    if level == "normal":
        _pass_over(rng, PASSED.get(seed, 0))
    while True:
        drawn = [rng.randint(1, rubies - boxes) for _ in range(boxes - 1)]
        layout = [*drawn, rubies - sum(drawn)]
        if layout[-1] > 0 and max(layout) - min(layout) >= GAP:
            return RubyRisks(boxes, rubies, final_contents(layout))


def _pass_over(rng: Random, words: int) -> None:
    for _ in range(words // PASSED_AT_ONCE):
        rng.getrandbits(32 * PASSED_AT_ONCE)
    rng.getrandbits(32 * (words % PASSED_AT_ONCE))
