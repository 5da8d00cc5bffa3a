"""Limits that the kernel sets a program, before any code of it runs."""

from __future__ import annotations

import os
import resource

PIPES = 2  # its descriptors
MOST_LIKELY_KILLED = b"1000"  # if the machine runs out of memory
LONGEST = 1 << 10  # bytes of a file in /proc


def own_size() -> int:
    """Return the address space of this process in bytes."""
    # Not by a file object, which takes a tenth of the start of a program.
    descriptor = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        return int(os.read(descriptor, LONGEST).split()[0]) * resource.getpagesize()
    finally:
        os.close(descriptor)


def set_limits(memory: int) -> None:
    """Limit this process, which is about to run a program."""
    most = own_size() + memory
    descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    try:
        os.write(descriptor, MOST_LIKELY_KILLED)
    finally:
        os.close(descriptor)
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
