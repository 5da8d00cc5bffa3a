"""TextGames: making instances and grading right answers, beside the published generator and grader.

Theirs was measured once, in processor time on a machine of this kind (making an instance as its
runner does, and grading
answers that are right); ours is measured now.  Word lists are loaded before the clock starts.
"""

from __future__ import annotations

from random import Random
from time import process_time

from quandary.catalogue import registry
from quandary.core.contract import Question

from .clock import rate

PUBLISHED = {  # instances and graded answers a second: easy, medium, hard
    "anagram_scribble": ((9.3, 6.7, 5.7), (6_700, 2_900, 1_500)),
    "password_game": ((3.3, 3.4, 3.4), (215_000, 100_000, 62_000)),
    "bracket_game": ((2.1, 2.3, 2.3), (34_000, 23_000, 10_000)),
    "string_search": ((14.2, 14.0, 13.7), (820_000, 780_000, 225_000)),
    "crossword_arranger": ((138, 50, 1.7), (135_000, 108_000, 85_000)),
    "text_sudoku": ((5_450, 4_810, 65), (47_000, 46_000, 13_000)),
    "islands": ((13_800, 12_300, 12_400), (31_500, 24_900, 25_800)),
    "ordering_text": ((1_460, 2_040, 1_350), (513_000, 434_000, 376_000)),
}
INSTANCES = 300


def table() -> list[str]:
    rows = [
        (
            "| puzzle | level | made a second | published | ratio | graded a second | published | "
            "ratio |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, (making, grading) in PUBLISHED.items():
        puzzle = registry.load(name)
        for level, theirs_made, theirs_graded in zip(puzzle.levels, making, grading, strict=True):
            made, graded = measured(name, level)
            rows.append(
                f"| {name} | {level} | {made:,.0f} | {theirs_made:,g} | {made / theirs_made:,.1f} "
                f"x "
                f"| {graded:,.0f} | {theirs_graded:,} | {graded / theirs_graded:,.1f} x |"
            )
    return rows


def measured(name: str, level: str) -> tuple[float, float]:
    """Instances and graded answers a second."""
    puzzle = registry.load(name)
    luck, arguments = Random(f"{name}/{level}"), puzzle.levels[level]
    for _ in range(INSTANCES // 3):  # whatever is loaded once
        puzzle.new(luck, **arguments)
    begun = process_time()
    made = [puzzle.new(luck, **arguments) for _ in range(INSTANCES)]
    spent = process_time() - begun
    answered = [
        (question, question.solution()) for question in made if isinstance(question, Question)
    ]

    def grade(number: int) -> int:
        return sum(question.check(answer).score == 1.0 for question, answer in answered)

    assert INSTANCES == grade(0)
    return INSTANCES / spent, rate(grade)
