"""The promises of `docs/statistics.md`; `make coverage` renews it."""

from __future__ import annotations

import re
import subprocess
import sys
from statistics import fmean

import numpy as np
import pytest
from benchmarks import coverage, simulated_levels, simulated_means, simulated_ratings

from quandary.statistics.ratings import ratings


def test_rates_are_covered() -> None:
    """Exact, over the whole grid: rates from 0.01 to 0.99, 10 to 300 starts."""
    points = list(simulated_means.rates(0))

    assert len(points) == 36
    assert 0.94 <= fmean(point.share for point in points) <= 0.96


def test_the_page_keeps_its_promises() -> None:
    """Every kind of interval and test is listed, with an average where it must lie."""
    page = coverage.PAGE.read_text("utf-8")
    for regime in coverage.REGIMES:
        line = next(line for line in page.splitlines() if line.startswith(f"| {regime.title} |"))
        average, lowest, _ = (float(number) / 100 for number in re.findall(r"([\d.]+)%", line))
        assert regime.grid in line
        assert regime.share[0] <= average <= regime.share[1], line
        assert lowest >= regime.lowest, line


def test_the_page_has_every_case_of_levels_with_few_seeds() -> None:
    """Nine shapes with 10 and 40 levels and 1, 2, 3 and 5 seeds, and widths as promised."""
    page = coverage.PAGE.read_text("utf-8")
    _, _, table = page.partition("## Few seeds per level")
    lines = [
        line.split(" | ")
        for line in table.partition("\n## ")[0].splitlines()
        if line.startswith("| ") and "%, " in line
    ]
    first = lines[: 2 * len(simulated_levels.SHAPES)]
    numbers = [[[float(one.strip("% |")) for one in cell.split(", ")] for cell in line[2:]]
               for line in first]  # fmt: skip

    assert [line[0].removeprefix("| ") for line in first[::2]] == list(simulated_levels.SHAPES)
    assert [line[1] for line in first] == ["10", "40"] * 9
    assert {len(cell) for line in numbers for cell in line} == {4}
    assert min(min(shares) for shares, _, _ in numbers) >= 100 * coverage.LOWEST
    assert fmean(fmean(widths) for _, widths, _ in numbers) <= coverage.WIDTH
    assert fmean(fmean(wide) for _, _, wide in numbers) <= coverage.WIDE


@pytest.mark.parametrize("shape", list(simulated_levels.SHAPES))
def test_levels_with_two_seeds_are_covered(shape: str) -> None:
    """Ten levels, on other samples than those of the page."""
    point = simulated_levels.sampled(f"{shape}, tested", simulated_levels.SHAPES[shape](10), 2)

    assert point.share >= 0.91
    assert (point.wide or 1.0) <= 0.53


def test_simulated_tournaments_have_the_strengths_they_claim() -> None:
    """With and without luck that is shared on a start, many starts lead to the true values."""
    truth = np.array([1.0, 0.0, -1.0])
    for correlation in (0.0, 0.5):
        rng = np.random.default_rng(2)
        played = simulated_ratings.tournament(rng, truth, 4_000, correlation)
        found = ratings(played, rng, draws=50)
        assert found.fit.strengths == pytest.approx(truth, abs=0.05)
        assert float(found.fit.seat) == pytest.approx(simulated_ratings.SEAT, abs=0.05)
        assert float(found.fit.tie) == pytest.approx(simulated_ratings.TIE, abs=0.03)


def test_without_numpy_one_sentence_says_what_to_install() -> None:
    """The package alone cannot be imported; everything else can."""
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import quandary.scoring.plain_scores\n"
        "from quandary.core.errors import UserError\n"
        "try:\n    import quandary.statistics\n"
        "except UserError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "statistics need numpy and scipy: pip install 'quandary[report]'.\n"
