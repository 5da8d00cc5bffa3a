"""The suite `core`: chosen by a computation that can be repeated, and what it costs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="plans need scipy: pip install 'quandary[report]'")

from tools.choose_core import BANDS, MOST, SKILLS, Candidate, best, candidates, chosen, suite

from quandary.arena.suite import load
from quandary.models import prices
from quandary.planning.plan import plan
from quandary.planning.power import power_of

ROOT = Path(__file__).parent.parent.parent
MODEL = "openai/gpt-5-mini"
COMMANDS = {
    "quick": "--suite quick",
    "core, small": "--suite core --small",
    "core": "--suite core",
    "puzzleplex, small": "--suite puzzleplex --small",
    "puzzleplex": "--suite puzzleplex",
    "finereason, small": "--suite finereason --small",
    "finereason": "--suite finereason",
    "logicgame": "--suite logicgame",
    "logicgame-large": "--suite logicgame-large",
    "textgames, small": "--suite textgames --small",
    "textgames": "--suite textgames",
}


def test_the_suite_is_what_the_measurements_say() -> None:
    """`python tools/choose_core.py` writes it again after new measurements."""
    own = (ROOT / "src" / "quandary" / "suites" / "core.toml").read_text("utf-8")

    assert own == "\n".join(suite(chosen()))


def test_skills_and_difficulties_are_balanced() -> None:
    """Every skill has a level of each difficulty, except where none separates players."""
    taken = chosen()
    possible = candidates()

    assert {skill for skill, _ in taken} == set(SKILLS.values())
    assert len(taken) >= 23
    for skill in SKILLS.values():
        for band in BANDS:
            assert ((skill, band) in taken) == bool(possible[skill, band])
    by_band = Counter(band for _, band in taken)
    assert max(by_band.values()) - min(by_band.values()) <= 1
    assert all(one.calls <= MOST for one in taken.values())


def test_the_cheapest_choice_of_most_puzzles_is_taken() -> None:
    """By hand: two puzzles are better than one, then fewer calls, then fewer tokens."""
    a1, a2 = Candidate("a", "1", 6, 10.0, 5.0), Candidate("a", "2", 6, 10.0, 5.0)
    b2, c2 = Candidate("b", "2", 6, 30.0, 9.0), Candidate("c", "2", 6, 30.0, 8.0)

    assert best([[a1], [a2]]) == (a1, a2)
    assert best([[a1], [a2, b2]]) == (a1, b2)
    assert best([[a1], [a2, b2, c2]]) == (a1, c2)


def test_core_shows_as_much_as_puzzleplex_with_few_calls() -> None:
    """It is the reason to recommend it: a fifth of the calls, nearly the same interval."""
    by = prices.load()
    core, whole = (plan(load(name).only(), [MODEL], None, by) for name in ("core", "puzzleplex"))

    assert 5 * core.players[0].calls < whole.players[0].calls
    assert power_of(core).half < 1.25 * power_of(whole).half


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.heavy] if "textgames" in name else [])
        for name in COMMANDS
    ],
)
def test_the_page_states_what_each_suite_costs(name: str) -> None:
    """By `quandary plan`, with the prices that come along."""
    page = (ROOT / "docs" / "which-suite.md").read_text("utf-8")

    assert row(name) in page.splitlines()


def row(name: str) -> str:
    """A line of the table: one model that plays the suite against the house."""
    title, _, small = name.partition(", ")
    found = plan(load(title).only(small=bool(small)), [MODEL], None, prices.load())
    [player], power = found.players, power_of(found)
    assert found.dollars is not None
    dollars = f"${found.dollars:,.2f}" if found.dollars >= 0.005 else "below $0.01"
    return (
        f"| {name} | `{COMMANDS[name]}` | {found.matches:,} | {player.calls:,.0f} | "
        f"{player.read / 1e6:,.2f} | {player.written / 1e6:,.2f} | {dollars} | "
        f"±{power.half:.3f} | {power.detectable:.3f} |"
    )


def test_the_page_is_dated_as_the_prices_are() -> None:
    page = (ROOT / "docs" / "which-suite.md").read_text("utf-8")

    assert re.search(rf"prices of {prices.load().date}", page)
