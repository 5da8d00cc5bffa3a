"""Instances and canonical forms are compared with those of another process."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

import pytest

from quandary.catalogue import external, registry
from quandary.conformance.case import ALL_DRAWS, FEW_DRAWS, Case
from quandary.conformance.processes import instances_are_the_same_in_every_process

ANY_ORDER = """
\"\"\"Say a word that is drawn from a set.\"\"\"

from dataclasses import dataclass

from quandary.core.contract import Question, Verdict

print("loaded")


@dataclass(frozen=True)
class AnyOrder(Question):
    word: str

    levels = {"only": {}}

    @classmethod
    def new(cls, rng):
        number = rng.randrange(10**6)
        return cls(next(iter({f"a{number}", f"b{number}", f"c{number}"})))

    def check(self, answer, language="en"):
        return Verdict(float(answer == self.word))

    def solution(self):
        return self.word

    def sample(self, rng):
        return self.word

    def rules(self, language="en"):
        return "Say the word."

    def text(self, seat, language="en"):
        return self.word
"""


@pytest.fixture
def from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    (tmp_path / "any_order.py").write_text(ANY_ORDER)
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))
    return Case.of(registry.load("any_order"), "only", draws=ALL_DRAWS)


def test_instances_that_depend_on_the_hash_seed_are_found(from_outside: Case) -> None:
    """The order of a set of texts differs from process to process."""
    [sentence, *_] = instances_are_the_same_in_every_process(from_outside)

    assert "differs in a process with another PYTHONHASHSEED" in sentence


def test_they_are_found_on_slow_machines_too(
    from_outside: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late it is according to the clock."""
    hours = count(step=3_600)
    monkeypatch.setattr(time, "process_time", lambda: float(next(hours)))

    assert list(instances_are_the_same_in_every_process(from_outside))


def test_sound_instances_are_the_same() -> None:
    """Of a puzzle of the package; with few draws no other process is started."""
    puzzle = registry.load("card_nim")
    assert [] == list(
        instances_are_the_same_in_every_process(Case.of(puzzle, "easy", draws=ALL_DRAWS))
    )


def test_what_a_puzzle_prints_is_not_output(
    from_outside: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fixture has loaded one that prints; commands print JSON to standard output."""
    assert "" == capsys.readouterr().out


def test_they_are_found_with_fewer_instances(from_outside: Case) -> None:
    """Of which `quandary check --instances` draws as many as it is told."""
    case = Case.of(from_outside.puzzle, "only", draws=ALL_DRAWS._replace(instances=50))

    assert list(instances_are_the_same_in_every_process(case))


def test_few_draws_start_no_process(from_outside: Case) -> None:
    """So the tests of puzzles stay quick."""
    case = Case.of(from_outside.puzzle, "only", draws=FEW_DRAWS)

    assert [] == list(instances_are_the_same_in_every_process(case))
