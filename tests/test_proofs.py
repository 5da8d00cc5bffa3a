"""The results of `make prove` that are kept with the project."""

from __future__ import annotations

import json

import pytest
from proofs import splits

PROVEN = json.loads(splits.RESULTS.read_text("utf-8"))


def test_no_split_was_found_to_share_an_instance() -> None:
    assert [] == [level for level, found in PROVEN.items() if found["shared"]]
    assert all(found["same_in_another_process"] for found in PROVEN.values())


def test_every_proof_is_of_a_level_that_exists() -> None:
    assert PROVEN.keys() <= set(splits.levels())


def test_a_shared_instance_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof looks at canonical forms, so it does not depend on what the catalogue claims."""
    monkeypatch.setattr(splits, "forms", lambda level, split, seeds: iter([b"same"]))

    assert splits.prove("sudokill/easy")["shared"] == 3
