"""The page on what the PuzzlePlex suite costs a model."""

from __future__ import annotations

import re

import pytest
from benchmarks.costs import PAGE, SEEDS, entries, every_entry, row

from quandary.arena.suite import load, names
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.planning.game_costs import costs, entry_name, game_cost, measure, measured

SUITE = load("puzzleplex")
AFFORDABLE = 60  # calls per game
QUICK = ("tidy_tower", "card_nim", "share_card_nim", "exclusivity_probes", "superply")


def _rows() -> dict[str, str]:
    lines = PAGE.read_text("utf-8").splitlines()
    return {line.split(" | ")[0].strip("| "): line for line in lines if re.match(r"\| \S+/", line)}


def test_every_entry_of_the_suite_has_its_costs_on_the_page() -> None:
    """Calls and tokens per game, in the setting of models and in that of programs."""
    names = {str(specs[0]).rpartition("#")[0] for specs in entries(SUITE).values()}

    assert set(_rows()) == names


@pytest.mark.parametrize("name", QUICK)
def test_the_costs_on_the_page_are_those_measured_now(name: str) -> None:
    """`make costs` renews the page."""
    asked = entries(SUITE.only(setting="instruction"))
    for specs in asked.values():
        if specs[0].name == name and not specs[0].task:
            kept = _rows()[str(specs[0]).rpartition("#")[0]]
            assert row(specs, measure(specs[:SEEDS])) == kept, "is this meant? then run make costs"


def test_no_game_of_the_instruction_setting_takes_hundreds_of_calls() -> None:
    """Whoever runs the suite with a model can afford every entry."""
    rows = _rows()
    for specs in entries(SUITE.only(setting="instruction")).values():
        most = int(rows[str(specs[0]).rpartition("#")[0]].split(" | ")[3])

        assert most <= AFFORDABLE


def test_probes_are_affordable() -> None:
    """The suite asks models for fewer probes than the normal level takes."""
    asked = [
        spec
        for spec in SUITE.only(setting="instruction").specs
        if spec.name == "exclusivity_probes"
    ]

    assert {spec.level for spec in asked} == {"easy", "normal"}
    assert Spec("exclusivity_probes", "normal", 1) not in asked
    assert all(costs(spec)[0].calls <= 128 for spec in asked)


def test_a_conversation_costs_more_than_single_questions() -> None:
    """With history every call repeats what was said before, but not every position in full; the
    first call is the same.
    """
    [cost] = costs(Spec("takuzu", "easy", 1))
    [single] = costs(Spec("optimal_touring", "easy", 1))

    assert cost.without_history < cost.tokens < 2 * cost.without_history
    assert single.tokens == single.without_history


def test_every_entry_of_a_suite_is_measured_at_its_present_version() -> None:
    """`quandary plan` need not play anything first; `make costs` renews the data."""
    known = measured()
    asked = {entry_name(spec) for name in names() for spec in load(name).specs}

    assert asked - set(known) == set()
    for name, cost in known.items():
        puzzle = name.rpartition(":")[2].partition("/")[0]
        assert cost.version == registry.load(puzzle).version, f"run `make costs` for {name}"


def test_what_is_not_stored_is_measured_when_it_is_asked_for() -> None:
    """As for a puzzle from outside, or changed arguments."""
    changed = Spec.parse("card_nim/easy,stones=20..20#5")
    two = [Spec.parse(f"card_nim/easy,stones=20..20#{seed}") for seed in (1, 2)]

    assert entry_name(changed) not in measured()
    assert game_cost(changed) == measure(two)


@pytest.mark.parametrize("name", ["card_nim/easy", "whole:k_queens/easy", "islands/easy"])
def test_the_stored_costs_are_those_measured_now(name: str) -> None:
    now = measure(every_entry()[name])
    assert now == measured()[name], "is this meant? then run make costs"
