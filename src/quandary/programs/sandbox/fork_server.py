"""The fork server: it starts clean, imports what programs may use, and forks a child per program.

It never holds a key, a puzzle or the memory of whoever started it.  The only descriptor that it is
given is a socket: each message on it brings the two pipe ends of a new child.  It answers with the
child's id and a descriptor of its process, and tells later how each child ended:

    fork NUMBER <- the child's ends of two pipes
    child NUMBER PID -> a descriptor of the process
    failed NUMBER REASON ->  instead, if there can be no child now
    ended PID STATUS PEAK ->  its exit status as `wait` gives it, and its peak memory in KiB
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from . import inside, landlock, libc, limits, seccomp

LONGEST_MESSAGE = 1 << 16  # bytes
FAILED = 70  # exit status of a child around which the sandbox could not be built
FAULT = b'{"fault": %s}\n'
# What the sandbox itself imports; to a program that does not declare it, it is not there.
OWN_MODULES = {
    *("sandbox", "ctypes", "_ctypes", "resource", "select", "selectors", "socket", "_socket"),
}


class Settings(NamedTuple):
    """How the children are sandboxed."""

    memory: int
    filter: seccomp.Filter | None
    rules: int | None  # a descriptor
    hidden: list[str]  # modules


def main() -> None:
    """Serve until the other end of the socket is closed."""
    if not libc.has_fixed_addresses() and "again" not in sys.argv and libc.keep_addresses():
        # `hash(None)` is an address before Python 3.12, and decides the order of a set.
        os.execv(sys.executable, [*sys.orig_argv, "again"])
    given: dict[str, Any] = json.loads(sys.argv[2])
    sys.path.remove(sys.argv[1])  # only to find this package
    control = socket.socket(fileno=os.dup(given["control"]))  # a low number: see `lock_in`
    os.close(given["control"])
    missing = import_all(given["modules"], given["folders"])
    settings = Settings(
        given["memory"],
        seccomp.Filter() if given["seccomp"] else None,
        landlock.rules() if given["landlock"] else None,
        own_modules(given["modules"]),
    )
    control.send(json.dumps({"missing": missing}).encode())
    os.environ.clear()
    sys.argv, sys.path = ["program"], []
    gc.collect()
    gc.freeze()
    serve(control, settings)


def import_all(modules: list[str], folders: list[str]) -> list[str]:
    """Import what programs may use, some from further folders; the names that are not there."""
    sys.path += folders
    missing = list[str]()
    for name in modules:
        try:
            import_module(name)
        except Exception:
            missing.append(name)
    sys.path = [folder for folder in sys.path if folder not in folders]
    return missing


def own_modules(declared: list[str]) -> list[str]:
    """Those that are hidden from programs."""
    hidden = OWN_MODULES - {name.partition(".")[0] for name in declared}
    return [name for name in sys.modules if name.partition(".")[0] in hidden]


def serve(control: socket.socket, settings: Settings) -> None:
    """Fork a child per message, and tell how children ended."""
    children = set[int]()
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    libc.ignore_stops()  # of processes that wait for their next match
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whoever started it may have blocked some
    poll = select.poll()
    for descriptor in (control.fileno(), woken):
        poll.register(descriptor, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll()]
        if woken in ready:
            os.read(woken, 1 << 12)
            tell_ended(control, children)
        if control.fileno() in ready:
            try:
                message, ends, _, _ = socket.recv_fds(control, LONGEST_MESSAGE, 2)
            except ConnectionResetError:  # closed before all that it was told was read
                message = b""
            if not message:
                for pid in children:
                    os.kill(pid, signal.SIGKILL)
                os._exit(0)
            start_child(control, message.split()[1], ends, settings, children)


def start_child(
    control: socket.socket,
    number: bytes,
    ends: list[int],
    settings: Settings,
    children: set[int],
) -> None:
    """Fork a child, and hand over a descriptor of it."""
    server = os.getpid()
    try:
        pid = os.fork()
        if not pid:
            become_program(ends, server, settings)
        children.add(pid)
        process = os.pidfd_open(pid)
    except OSError as fault:  # the pipes are closed, so a child that is there ends by itself
        control.send(b"failed %s %s" % (number, str(fault).encode()))
    else:
        socket.send_fds(control, [b"child %s %d" % (number, pid)], [process])
        os.close(process)
    for descriptor in ends:
        os.close(descriptor)


def tell_ended(control: socket.socket, children: set[int]) -> None:
    while children:
        pid, status, usage = os.wait4(-1, os.WNOHANG)
        if not pid:
            return
        children.discard(pid)
        control.send(b"ended %d %d %d" % (pid, status, usage.ru_maxrss))


def become_program(ends: list[int], server: int, settings: Settings) -> NoReturn:
    """Lock this process in and run a program in it."""
    try:
        os.dup2(ends[0], inside.READ)
        os.dup2(ends[1], inside.WRITTEN)
        try:
            lock_in(server, settings)
        except Exception as fault:
            os.write(inside.WRITTEN, FAULT % json.dumps(str(fault)).encode())
        else:
            for name in settings.hidden:
                del sys.modules[name]
            inside.main()
    finally:  # signals that a program asked for can raise anywhere
        os._exit(FAILED)


def lock_in(server: int, settings: Settings) -> None:
    """Give up, step by step, all that a program does not need."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    libc.prctl(libc.PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != server:  # it died before the line above
        os._exit(FAILED)
    limits.set_limits(settings.memory)
    libc.prctl(libc.DUMPABLE, 0)  # from here on its files in /proc belong to root
    libc.drop_capabilities()
    libc.prctl(libc.NO_NEW_PRIVS, 1)
    if settings.rules is not None:
        landlock.restrict(settings.rules)
    os.closerange(inside.WRITTEN + 1, 1 << 16)
    if settings.filter is not None:
        settings.filter.lock()
