"""Running Python as an ordinary user, where the tests run as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest

import quandary

NOBODY = 65534
NOBODY_ELSE, ALONE = 65533, 65532  # for tests that count the processes of a user, each its own
PATHS = [
    Path(quandary.__file__).parents[1],
    Path(__file__).parents[1],
    Path(msgspec.__file__).parents[1],
]


def environment() -> dict[str, str]:
    """In which Python finds what the tests import."""
    return {"PYTHONPATH": ":".join(map(str, PATHS)), "PATH": os.defpath}


@cache
def interpreter() -> str | None:
    """A Python like this one that an ordinary user can start, with what the tests import."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    found = [sys.executable, shutil.which(name, path=os.defpath)]
    for python in filter(None, found):
        try:
            _run(python, ["-c", "import quandary.programs.host, programs.try_attempts"])
        except (OSError, AssertionError):
            continue
        return python
    return None


def run(*arguments: str, user: int = NOBODY) -> str:
    """What Python prints as an ordinary user; the test is skipped if there is none."""
    if os.getuid():
        pytest.skip("only root can become another user; the other tests run as an ordinary user")
    python = interpreter()
    if not python:
        pytest.skip("an ordinary user cannot start a Python of this version with quandary here")
    return _run(python, [*arguments], user)


def _run(python: str, arguments: list[str], user: int = NOBODY) -> str:
    done = subprocess.run(
        [python, "-B", *arguments],
        env=environment(),
        user=user,
        group=user,
        extra_groups=(),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout
