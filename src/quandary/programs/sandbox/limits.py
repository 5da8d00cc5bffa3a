"""Limits that the kernel sets a program, before any code of it runs."""

from __future__ import annotations

import resource
from pathlib import Path

PIPES = 2  # its descriptors
MOST_LIKELY_KILLED = "1000"  # if the machine runs out of memory


def own_size() -> int:
    """The address space of this process in bytes."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def set_limits(memory: int) -> None:
    """Limit this process, which is about to run a program."""
    most = own_size() + memory
    Path("/proc/self/oom_score_adj").write_text(MOST_LIKELY_KILLED, "ascii")
    for limit, value in (
        (resource.RLIMIT_AS, most),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NOFILE, PIPES),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(limit, (value, value))
