"""PuzzlePlex's instances of tidy tower."""

from __future__ import annotations

import pytest

from quandary.published.tidy_tower import instance


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
