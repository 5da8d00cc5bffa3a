"""The second lock: no file, no TCP port, no abstract socket and no signal beyond the sandbox.

The first lock suffices; this one holds should a system call ever be listed that it must not be.
"""

from __future__ import annotations

import ctypes
import os

from . import libc

CREATE, RESTRICT = 444, 446  # the same numbers on x86-64 and aarch64
GET_VERSION = 1
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many there are, by version; then no more
NEWEST = max(FILE_RIGHTS)
NETWORK_SINCE, SCOPES_SINCE = 4, 6
NETWORK, SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals


def version() -> int:
    """Return the version of Landlock in this kernel; 0 without it."""
    try:
        return libc.syscall(CREATE, None, ctypes.c_size_t(0), GET_VERSION)
    except OSError:
        return 0


def rules() -> int | None:
    """Return a descriptor of rules that allow nothing; None without Landlock."""
    known = version()
    if not known:
        return None
    handled = (ctypes.c_uint64 * 3)((1 << FILE_RIGHTS[min(known, NEWEST)]) - 1, 0, 0)
    used = 1
    if known >= NETWORK_SINCE:
        handled[1], used = NETWORK, 2
    if known >= SCOPES_SINCE:
        handled[2], used = SCOPES, 3
    descriptor = libc.syscall(CREATE, ctypes.byref(handled), ctypes.c_size_t(8 * used), 0)
    os.set_inheritable(descriptor, True)
    return descriptor


def restrict(descriptor: int) -> None:
    """Bind this process by rules, for ever; `no_new_privs` must be set."""
    libc.syscall(RESTRICT, descriptor, 0)
