"""The results of `make prove` that are kept with the project."""

from __future__ import annotations

import json

import pytest
from proofs import blind_rules, resumable, splits, states

from quandary.tasks.blind_rules import ALLOWED, QUESTIONS

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


def test_a_proof_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece more of the same version; another version begins anew."""
    monkeypatch.setattr(states, "PIECE", 2)
    monkeypatch.setattr(states, "disagreements", lambda level, seed: [f"#{seed}"])
    monkeypatch.setattr(states, "unproven", lambda level, seed: [])
    first = states.prove("tidy_tower/easy", {})
    second = states.prove("tidy_tower/easy", first)

    assert ["#0", "#1", "#2", "#3"] == second["disagreements"]
    assert (4, False) == (second["states"], second["done"])
    assert 2 == states.prove("tidy_tower/easy", {**second, "version": 0})["states"]
