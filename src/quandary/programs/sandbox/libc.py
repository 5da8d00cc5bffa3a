"""Calls of the C library that Python does not offer."""

from __future__ import annotations

import ctypes
import os
import signal

_libc = ctypes.CDLL(None, use_errno=True)

NO_NEW_PRIVS, SECCOMP, DUMPABLE, PARENT_DEATH_SIGNAL, DROP_BOUNDING = 38, 22, 4, 1, 24  # prctl
ADDR_NO_RANDOMIZE, CURRENT_PERSONALITY = 0x0040000, 0xFFFFFFFF
CAPABILITY_VERSION = 0x20080522
# `struct sigaction` on x86-64 and aarch64: the handler, 1,024 bits of signals, the flags.
FLAGS_OF_SIGACTION, SIZE_OF_SIGACTION, NO_STOPPED_CHILDREN = 8 + 128, 256, 1


def prctl(option: int, *values: object) -> None:
    """Set something of this process; OSError if that fails."""
    if _libc.prctl(option, *values, *[0] * (4 - len(values))):
        _fail(f"prctl {option}")


def syscall(number: int, *values: object) -> int:
    """Return a call by its number; OSError if it fails."""
    result: int = _libc.syscall(ctypes.c_long(number), *values)
    if result < 0:
        _fail(f"system call {number}")
    return result


def keep_addresses() -> bool:
    """Return whether addresses are the same in each program that this process becomes from
    now on.
    """
    before: int = _libc.personality(ctypes.c_ulong(CURRENT_PERSONALITY))
    wanted = ctypes.c_ulong(before | ADDR_NO_RANDOMIZE)
    return before >= 0 and int(_libc.personality(wanted)) >= 0


def has_fixed_addresses() -> bool:
    """Return whether the addresses of this program are not drawn at random."""
    now: int = _libc.personality(ctypes.c_ulong(CURRENT_PERSONALITY))
    return now >= 0 and bool(now & ADDR_NO_RANDOMIZE)


def ignore_stops() -> None:
    """Send this process no SIGCHLD for children that are stopped or go on, but do not end."""
    action = (ctypes.c_char * SIZE_OF_SIGACTION)()
    _libc.sigaction(signal.SIGCHLD, None, action)
    flags = ctypes.c_int.from_buffer(action, FLAGS_OF_SIGACTION)
    flags.value |= NO_STOPPED_CHILDREN
    if _libc.sigaction(signal.SIGCHLD, action, None):
        _fail("sigaction")


def drop_capabilities() -> None:
    """Give up all rights of root, for ever."""
    capability = 0
    while _libc.prctl(DROP_BOUNDING, capability, 0, 0, 0) == 0:
        capability += 1  # until one that the kernel does not know
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if _libc.capset(header, (ctypes.c_uint32 * 6)()):
        _fail("capset")


def _fail(what: str) -> None:
    number = ctypes.get_errno()
    raise OSError(number, f"{what}: {os.strerror(number)}")
