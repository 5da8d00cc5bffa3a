"""Attempts to get out of the sandbox, by subject.

What each of them reaches for lies in a temporary folder, listens on loopback, or is a process that
the test has started.
"""

from __future__ import annotations

from . import clocks, files, interpreter, memory, network, processes, protocol, resources
from .attempt import Attempt

SUBJECTS = (files, network, processes, memory, clocks, interpreter, resources, protocol)
ATTEMPTS: dict[str, Attempt] = {
    f"{subject.__name__.rpartition('.')[2]}: {attempt.name}": attempt
    for subject in SUBJECTS
    for attempt in subject.ATTEMPTS
}
