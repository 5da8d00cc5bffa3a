"""No program gets out of its sandbox: not as root, as an ordinary user, or without Landlock."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from programs import another_user, try_attempts
from programs.attempts import ATTEMPTS
from programs.attempts.attempt import ESCAPED, Twin
from quandary.programs.host import Locks
from quandary.programs.imports import libraries
from quandary.programs.sandbox.seccomp import reason_missing

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

BOTH, SECCOMP = Locks(), Locks(landlock=False)
# Those that are not ended by their clock, which takes its time.
QUICK = [name for name, attempt in ATTEMPTS.items() if not {"timeout", "memory"} & {*attempt.ends}]


def _wrong(ended: dict[str, tuple[str, str]], names: Iterable[str]) -> list[str]:
    assert list(ended) == list(names)
    return [
        f"{name}: {cause}, {words}"
        for name, (cause, words) in ended.items()
        if cause not in ATTEMPTS[name].ends
    ]


@pytest.mark.parametrize(
    ("locks", "names"),
    [
        pytest.param(SECCOMP, QUICK, id="quick ones without Landlock"),
        pytest.param(BOTH, ATTEMPTS, id="both locks", marks=pytest.mark.heavy),
        pytest.param(SECCOMP, ATTEMPTS, id="without Landlock", marks=pytest.mark.heavy),
    ],
)
def test_no_attempt_escapes(locks: Locks, names: Iterable[str]) -> None:
    assert not _wrong(try_attempts.in_sandbox(locks, names), names)


@pytest.mark.parametrize(
    ("locks", "names"),
    [
        pytest.param(SECCOMP, QUICK, id="quick ones without Landlock"),
        pytest.param(BOTH, ATTEMPTS, id="both locks", marks=pytest.mark.heavy),
        pytest.param(SECCOMP, ATTEMPTS, id="without Landlock", marks=pytest.mark.heavy),
    ],
)
def test_no_attempt_escapes_from_a_sandbox_with_a_library(
    locks: Locks, names: Iterable[str]
) -> None:
    """What numpy brings with it opens no way out."""
    pytest.importorskip("numpy")
    assert not _wrong(try_attempts.in_sandbox(locks, names, libraries(["numpy"])), names)


@pytest.mark.parametrize(
    ("locks", "names"),
    [
        pytest.param(SECCOMP, QUICK, id="quick ones without Landlock"),
        pytest.param(BOTH, ATTEMPTS, id="both locks", marks=pytest.mark.heavy),
        pytest.param(SECCOMP, ATTEMPTS, id="without Landlock", marks=pytest.mark.heavy),
    ],
)
def test_no_attempt_escapes_as_an_ordinary_user(locks: Locks, names: Iterable[str]) -> None:
    told = another_user.run(
        try_attempts.__file__, "sandbox", json.dumps(locks._asdict()), json.dumps([*names])
    )
    assert not _wrong(json.loads(told), names)


def _fails(ended: dict[str, str], must_work: set[Twin]) -> list[str]:
    return [
        f"{name}: {said}"
        for name, said in ended.items()
        if ATTEMPTS[name].twin in must_work and ESCAPED not in said
    ]


def test_twins_work_outside_the_sandbox() -> None:
    """Otherwise a refusal would show nothing."""
    must_work = {Twin.WORKS} if os.getuid() else {Twin.WORKS, Twin.ROOT}
    ended = try_attempts.outside()
    assert not _fails(ended, must_work)
    assert len(ended) - len(_fails(ended, {*Twin})) >= 100


@pytest.mark.heavy
def test_twins_work_as_an_ordinary_user() -> None:
    ended = json.loads(another_user.run(try_attempts.__file__, "outside"))
    assert not _fails(ended, {Twin.WORKS})


def test_there_are_attempts_of_each_kind() -> None:
    assert len(ATTEMPTS) >= 250
    assert len({attempt.body for attempt in ATTEMPTS.values()}) == len(ATTEMPTS)


def test_no_address_appears_but_those_of_this_machine() -> None:
    for file in Path(__file__).parent.rglob("*.py"):
        text = file.read_text("utf-8")
        assert {*re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", text)} <= {"127.0.0.1"}
        assert not re.search(r"https?:" + "//", text)
