"""The results of `make prove` that are kept with the project."""

from __future__ import annotations

import json
from math import exp

import numpy as np
import pytest
from proofs import blind_rules, resumable, splits, states, workings
from proofs.held_out_rules import folds_of, forest_share, single_share
from proofs.second_workings import pooling
from proofs.visible_features import visible_features

from quandary.catalogue import registry
from quandary.puzzles.questions.execution.pooling import Pooling
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.tasks.blind_rules import ALLOWED, QUESTIONS
from quandary.tasks.state_check import StateCheck

# Families and levels of which fewer than 250,000 instances exist, and how many belong to test:
# kinds that are drawn about equally often (walks that reach the trap, and walks that miss it).
COUNTED = {
    "arithmetic_sudoku/2,family=a": (30_269,),
    "combinatorial_calculation/2,family=a": (2_894,),
    "combinatorial_calculation/2,family=b": (70_157,),
    "combinatorial_calculation/3,family=b": (8_191,),
    "eight_queens/2,family=a": (10,),
    "eight_queens/2,family=b": (261,),
    "eight_queens/3,family=a": (338,),
    "letter_diagram/2,family=a": (450,),
    "letter_diagram/2,family=b": (286,),
    "mutual_restriction/2,family=b": (109,),
    "mutual_restriction/2,family=d": (108,),
    "mutual_restriction/3,family=a": (190,),
    "mutual_restriction/3,family=b": (2_281,),
    "mutual_restriction/3,family=d": (2_254,),
    "path_movement/2,family=a": (1_368,),
    "path_movement/2,family=b": (1_362,),
    "path_movement/3,family=a": (3_947, 15_345),
    "path_movement/3,family=b": (3_979, 15_344),
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
    """Over 1,000 questions of every level, of the versions of today."""
    measured = resumable.read(blind_rules.RESULTS)

    assert measured.keys() == set(resumable.state_levels())
    assert {level: resumable.version_at(f"check:{level}") for level in measured} == {
        level: found["version"] for level, found in measured.items()
    }
    assert all(found["questions"] == QUESTIONS for found in measured.values())
    assert [] == [
        level for level, found in measured.items() if max(found["highest"].values()) > ALLOWED
    ]
    assert [] == [
        level for level, found in measured.items() if found["forest"] > blind_rules.ALLOWED_FOREST
    ]


def test_a_rule_on_one_feature_would_be_found() -> None:
    """In either direction, where most follow it, on starts that it was not fitted to."""
    rng = np.random.default_rng(1)
    labels, folds = rng.random(1_000) < 0.5, np.arange(1_000) % 5
    feature = np.where(rng.random(1_000) < 0.65, labels, ~labels)

    for values in (feature.astype(float), -7.0 * feature):
        assert 0.63 <= single_share(values, labels, folds) <= 0.67
    assert single_share(rng.random(1_000), labels, folds) <= ALLOWED


def test_every_visible_thing_is_a_feature() -> None:
    """By hand: `(9 - (3 / 3))`, `3` of 3 3 3 9, from which `(9 - (3 / 3)) / 3` was tried."""
    start = GameOf24(("3", "3", "3", "9"))
    position = GameOf24(("(9 - (3 / 3))", "3"))
    tried = GameOf24(("((9 - (3 / 3)) / 3)",))
    other = GameOf24(("((3 + 3) + 3)", "9"))
    asked = [StateCheck(start, position, tried, True, 2), StateCheck(start, other, None, False, 2)]
    found = {name: list(column) for name, column in visible_features(asked).items()}

    assert [1, 0] == found["position: count of '/'"]
    assert [2, 0] == found["tried: count of '/'"]
    assert [len('["((9 - (3 / 3)) / 3)"]'), 0] == found["tried: length"]
    assert ([9, 3], [3, 9]) == (found["position: number 1"], found["position: number 4"])
    assert [9, -1] == found["tried: number 1"]
    assert [1, 0] == found["is_child_shown"]
    assert not {name for name in found if name.startswith("start")}  # which is the same for both


@pytest.mark.heavy
def test_a_rule_on_two_features_would_be_found_by_the_forest() -> None:
    """Neither of them alone tells anything."""
    rng = np.random.default_rng(1)
    table = rng.random((1_000, 8))
    labels, folds = (table[:, 0] < 0.5) != (table[:, 1] < 0.5), np.arange(1_000) % 5

    assert single_share(table[:, 0], labels, folds) <= ALLOWED
    assert forest_share(table, labels, folds) > 0.8
    assert forest_share(table, rng.permutation(labels), folds) <= blind_rules.ALLOWED_FOREST


@pytest.mark.heavy
def test_the_forest_does_not_know_the_starts_or_positions_it_is_asked_about() -> None:
    """Features that name a start say nothing of the starts that are held out."""
    rng = np.random.default_rng(1)
    starts = np.repeat(np.arange(200), 5)
    names, labels = rng.random((200, 4))[starts], (rng.random(200) < 0.5)[starts]
    mixed = rng.integers(5, size=1_000)  # folds that share starts

    assert forest_share(names, labels, mixed) > 0.9
    assert forest_share(names, labels, mixed, positions=starts) <= blind_rules.ALLOWED_FOREST
    assert forest_share(names, labels, folds_of(starts)) <= blind_rules.ALLOWED_FOREST


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
    """Of 5,000 at levels 2 and 3, 97 in 100 of what as many draws from the number of instances that
    exist would give are distinct.  That number is counted here or declared as few; where it is not,
    no number of instances would give more than 5,000.
    """
    proven = resumable.read(workings.RESULTS)
    drawn = {level: found for level, found in proven.items() if "distinct" in found}
    assert drawn

    for level, found in drawn.items():
        kinds = COUNTED.get(level) or declared(level)
        each = found["drawn"] / max(len(kinds), 1)
        uniform = sum(count * (1 - exp(-each / count)) for count in kinds) or found["drawn"]
        assert found["distinct"] >= 0.97 * uniform, level


def declared(level: str) -> tuple[int, ...]:
    """The number of instances that a puzzle knows exactly."""
    name, key = level.split("/")
    few = registry.load(name).distinct_instances.get(key)
    return (few.instances,) if few and few.known == "exactly" else ()


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
