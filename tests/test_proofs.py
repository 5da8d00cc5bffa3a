"""The results of `make prove` that are kept with the project."""

from __future__ import annotations

import json
from math import exp

import pytest
from proofs import blind_rules, resumable, splits, states, workings
from proofs.second_workings import pooling

from quandary.puzzles.questions.execution.pooling import Pooling
from quandary.tasks.blind_rules import ALLOWED, QUESTIONS

# Families and levels of which fewer than 250,000 instances exist, and how many belong to test.
COUNTED = {
    "path_movement/2,family=a": 1_368,
    "path_movement/2,family=b": 1_362,
    "path_movement/3,family=a": 3_947,
    "path_movement/3,family=b": 3_979,
}
PROVEN = json.loads(splits.RESULTS.read_text("utf-8"))


def test_no_split_was_found_to_share_an_instance() -> None:
    assert [] == [level for level, found in PROVEN.items() if found["shared"]]
    assert all(found["same_in_another_process"] for found in PROVEN.values())


def test_every_proof_is_of_a_level_that_exists() -> None:
    assert PROVEN.keys() <= set(splits.levels())


def test_a_shared_instance_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof looks at canonical forms, so it does not depend on what the catalogue claims."""
    monkeypatch.setattr(splits, "forms", lambda level, split, seeds: iter([b"same"]))

    assert splits.prove("sudokill/easy", {})["shared"] == 3


def test_no_blind_rule_was_found_to_tell_the_labels() -> None:
    """Over 1,000 questions each, of the versions of today."""
    measured = resumable.read(blind_rules.RESULTS)

    assert measured.keys() <= set(resumable.state_levels())
    assert all(found["questions"] == QUESTIONS for found in measured.values())
    assert [] == [
        level for level, found in measured.items() if max(found["shares"].values()) > ALLOWED
    ]


def test_the_second_solver_was_not_found_to_disagree() -> None:
    proven = resumable.read(states.RESULTS)

    assert proven.keys() <= set(resumable.state_levels())
    assert [] == [level for level, found in proven.items() if found["disagreements"]]


def test_no_second_working_was_found_to_disagree() -> None:
    """Nor was a rule without use from level 2 on."""
    proven = resumable.read(workings.RESULTS)

    assert proven and proven.keys() <= set(workings.levels())
    assert [] == [level for level, found in proven.items() if found["disagreements"]]
    assert [] == [level for level, found in proven.items() if found.get("unused")]


def test_worked_questions_rarely_repeat() -> None:
    """Of 5,000 at levels 2 and 3 at least 4,900 are distinct, or 97 in 100 of what as many draws
    from the number of instances that exist would give.
    """
    proven = resumable.read(workings.RESULTS)
    few = {
        level: found["distinct"]
        for level, found in proven.items()
        if found.get("distinct", 5_000) < 4_900
    }

    assert few.keys() <= COUNTED.keys()
    for level, distinct in few.items():
        count = COUNTED[level]
        assert distinct >= 0.97 * count * (1 - exp(-5_000 / count))


def test_a_disagreement_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORKED", "RULES", "DRAWN"):
        monkeypatch.setattr(workings, name, 3)
    monkeypatch.setattr(pooling, "work", lambda instance: ([], []))
    monkeypatch.setattr(Pooling, "rules_in_play", lambda instance: ["none"])
    found = workings.prove("pooling/2,family=a", {})

    assert ([0, 1, 2], [0, 1, 2], 3) == (
        found["disagreements"], found["unused"], found["distinct"]
    )  # fmt: skip


def test_a_proof_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece more of the same version; another version begins anew."""
    monkeypatch.setattr(states, "PIECE", 2)
    monkeypatch.setattr(states, "disagreements", lambda tasks: [f"#{tasks.seed}"])
    monkeypatch.setattr(states, "unproven", lambda level, seed: [])
    first = states.prove("tidy_tower/easy", {})
    second = states.prove("tidy_tower/easy", first)

    assert ["#0", "#1", "#2", "#3"] == second["disagreements"]
    assert (4, False) == (second["states"], second["done"])
    assert 2 == states.prove("tidy_tower/easy", {**second, "version": 0})["states"]
