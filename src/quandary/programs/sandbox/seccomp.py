"""The first lock: an allow-list of system calls, as a BPF program that is assembled here.

A call that is not listed fails with EPERM; one of another architecture, or of x32, kills.  No call
is listed that opens, makes or looks at a file, makes a process, a thread or a socket, or sends a
signal, so what a program needs is imported before the lock is set.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable
from typing import NamedTuple

from . import libc

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000  # added to the numbers of that foreign interface of x86-64
# Calls that are allowed whatever their arguments: name -> numbers on x86-64 and on aarch64.
CALLS: dict[str, tuple[int | None, int | None]] = {
    # its two pipes, which it cannot close: once they are closed, it has ended
    "read": (0, 63), "write": (1, 64), "lseek": (8, 62), "fstat": (5, 80),
    # memory; see CHECKED for the rest
    "munmap": (11, 215), "mremap": (25, 216), "brk": (12, 214),
    # signals and timers that reach only the program itself
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "setitimer": (38, 103), "getitimer": (36, 102), "alarm": (37, None),
    "pause": (34, None),
    # time
    "gettimeofday": (96, 169), "time": (201, None), "nanosleep": (35, 101), "times": (100, 153),
    "getrusage": (98, 165), "sched_yield": (24, 124), "restart_syscall": (219, 128),
    # itself
    "getpid": (39, 172), "gettid": (186, 178), "getrandom": (318, 278), "rseq": (334, 293),
    "set_robust_list": (273, 99), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip


class Check(NamedTuple):
    """A call that is allowed if the lower half of one of its arguments is right."""

    numbers: tuple[int, int]
    argument: int
    mask: int  # the bits that are compared
    allowed: tuple[int, ...]


# Higher numbers of clocks are those of other processes, by their ids.
CLOCKS = tuple(range(12))
NO_EXECUTION = 4  # PROT_EXEC
HUGE_OR_LOCKED = 0x40000 | 0x2000  # MAP_HUGETLB, MAP_LOCKED: memory that others would lack
MEMORY_ADVICE = (4, 8, 14, 15)  # DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE
FUTEX_OPTION = 256  # CLOCK_REALTIME
# WAIT, WAKE and both with a bit set, all PRIVATE: otherwise programs could wake each other by
# addresses in the files that they have in common.
FUTEX_OPERATIONS = (128, 129, 137, 138)
ALL = 0xFFFFFFFF
CHECKED: dict[str, list[Check]] = {
    "clock_gettime": [Check((228, 113), 0, ALL, CLOCKS)],
    "clock_getres": [Check((229, 114), 0, ALL, CLOCKS)],
    "clock_nanosleep": [Check((230, 115), 0, ALL, CLOCKS)],
    "madvise": [Check((28, 233), 2, ALL, MEMORY_ADVICE)],
    "futex": [Check((202, 98), 1, ALL & ~FUTEX_OPTION, FUTEX_OPERATIONS)],
    "mmap": [
        Check((9, 222), 2, NO_EXECUTION, (0,)),
        Check((9, 222), 3, HUGE_OR_LOCKED, (0,)),
    ],
    "mprotect": [Check((10, 226), 2, NO_EXECUTION, (0,))],
}
CLONE3 = 435  # "not there" rather than "forbidden", so that the C library asks for clone instead

ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in what a filter is given

Line = tuple[int, int, int, int]  # operation, lines skipped if true, if false, value


def assembled(machine: str) -> bytes:
    """Return the filter for a machine; KeyError if there is none."""
    architecture = ARCHITECTURES[machine]
    column = list(ARCHITECTURES).index(machine)
    lines: list[Line] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        lines += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, KILL)]
    for numbers in CALLS.values():
        if (number := numbers[column]) is not None:
            lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    for checks in CHECKED.values():
        lines += _checked(checks, column)
    lines += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, FAIL | errno.ENOSYS)]
    lines += [(RETURN, 0, 0, FAIL | errno.EPERM)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _checked(checks: Iterable[Check], column: int) -> list[Line]:
    """Allow one call if all of its checks hold."""
    body = list[Line]()
    number = 0
    for check in checks:
        number = check.numbers[column]
        body += [(LOAD, 0, 0, ARGUMENTS + 8 * check.argument), (AND, 0, 0, check.mask)]
        for place, value in enumerate(check.allowed):
            body.append((EQUAL, len(check.allowed) - place, 0, value))
        body.append((RETURN, 0, 0, FAIL | errno.EPERM))
    body.append((RETURN, 0, 0, ALLOW))
    return [(EQUAL, 0, len(body), number), *body]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_void_p)]


class Filter:
    """A filter that is ready to be set, so that a child has nothing left to do."""

    def __init__(self, machine: str | None = None) -> None:
        code = assembled(machine or platform.machine())
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._code))

    def lock(self) -> None:
        """Forbid this process all other calls, for ever; `no_new_privs` must be set."""
        libc.prctl(libc.SECCOMP, 2, ctypes.byref(self._program))


def reason_missing(machine: str | None = None) -> str:
    """Return why programs cannot be filtered here; "" if they can."""
    machine = machine or platform.machine()
    if platform.system() != "Linux":
        return f"{platform.system()} has no seccomp"
    if machine not in ARCHITECTURES:
        return f"there is no list of system calls for {machine}"
    return ""
