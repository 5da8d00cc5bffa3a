"""PuzzlePlex's instances of tidy tower."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.tidy_tower import instance
from quandary.puzzles.solo.tidy_tower import COLOURS
from quandary.puzzles.solo.tidy_tower.solver import fewest_turns, steps_between


@pytest.mark.parametrize(
    ("level", "towers"),
    [
        ("easy", "YRBRGR RRRBYR YYBGRY YBRGGR BBRGYR RGBRRY BYGRRY YBGYYR GBBYYR RGGRYR"),
        (
            "normal",
            (
                "YRBRGGGGYR RRRBYBBYRY YYBGRRGBYR YBRGGYRRRY BBRGYRYRBR RGBRRYGBBR BYGRRRBRYR "
                "YBGYYRRYYR GBBYYRBGRY RGGRYGGBYR"
            ),
        ),
    ],
)
def test_towers(level: str, towers: str) -> None:
    """Seeds 1 to 10, bottom cube first."""
    assert towers.split() == [instance(level, seed).cubes for seed in range(1, 11)]


@pytest.mark.parametrize(("level", "turns"), [("easy", "3233333332"), ("normal", "4443544444")])
def test_fewest_turns(level: str, turns: str) -> None:
    """Of seeds 1 to 10, if any higher cube can be held."""
    towers = [instance(level, seed).cubes for seed in range(1, 11)]
    steps = [steps_between([COLOURS.index(cube) for cube in cubes]) for cubes in towers]

    assert [int(digit) for digit in turns] == [
        fewest_turns(edges, hold_any=True) for edges in steps
    ]
