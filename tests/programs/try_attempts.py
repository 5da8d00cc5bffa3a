"""Makes attempts, inside the sandbox and outside; run as a program, it does so as another user.

    python try_attempts.py sandbox LOCKS ATTEMPTS
    python try_attempts.py outside

Both print JSON: by attempt how it ended, and what was harmed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable

from programs.attempts import ATTEMPTS
from programs.attempts.attempt import ESCAPED, Twin
from programs.world import SECRET, World
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Locks, Sandbox
from quandary.programs.imports import Library

SECONDS = 0.5  # of each program
MEMORY = 64 << 20
# So that it is the locks that refuse, not a module that is missing.
MODULES = (
    *("asyncio", "concurrent.futures.process", "concurrent.futures.thread", "ctypes", "fcntl"),
    *("encodings.idna", "glob", "http.client", "importlib.machinery", "mmap", "multiprocessing"),
    *("multiprocessing.popen_fork", "multiprocessing.synchronize", "resource", "select", "socket"),
    *("subprocess", "tempfile", "_posixshmem"),
)
# Runs each program in a process of its own, and mends the files afterwards.
OUTSIDE = """
import json, os, signal, sys
programs, folder = json.load(sys.stdin)
ended = {}
for name, text in programs.items():
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        for descriptor, end in zip((0, 1), os.pipe()):
            os.dup2(end, descriptor)
        signal.alarm(20)
        try:
            made = {"__name__": "program"}
            exec(text, made)
            said = str(made["Player"]().play({}))
        except BaseException as fault:
            said = repr(fault)
        os.write(write, said.encode("utf-8", "replace")[:1000])
        os._exit(0)
    os.close(write)
    said = b""
    while part := os.read(read, 1000):
        said += part
    os.close(read)
    status = os.waitpid(child, 0)[1]
    ended[name] = said.decode("utf-8", "replace") or "ended with %d" % status
    new = folder + "/new"
    if os.path.lexists(new):
        os.rmdir(new) if os.path.isdir(new) else os.unlink(new)
    for file in ("canary", "spare"):
        with open(folder + "/" + file, "w") as opened:
            opened.write(file)
print(json.dumps(ended))
"""


def in_sandbox(
    locks: Locks, names: Iterable[str], allowed: Iterable[Library] = ()
) -> dict[str, tuple[str, str]]:
    """By attempt how it ended, by `answer`, `escape` or a cause, and in which words."""
    modules, folders = list(MODULES), list[str]()
    for library in allowed:
        modules += library.modules
        folders.append(library.folder)
    os.environ[SECRET] = "secret"
    world = World()
    sandbox = Sandbox(locks, MEMORY, modules, folders)
    ended = {}
    try:
        for name in names:
            ended[name] = try_one(sandbox, ATTEMPTS[name].program(world.places))
            if ESCAPED in ended[name][1] or world.harm():
                ended[name] = ("escape", f"{ended[name]} {world.harm()}")
    finally:
        sandbox.close()
        world.close()
        del os.environ[SECRET]
    return ended


def try_one(sandbox: Sandbox, program: str) -> tuple[str, str]:
    """How a program ends on its first turn."""
    process = sandbox.start()
    try:
        process.clock.start(SECONDS)
        process.ask(b'{"load": %s' % json.dumps(program).encode())
        process.ask(b'{"luck": "luck"')
        return "answer", str(process.ask(b'{"view": {}').move)
    except ProgramFailed as failure:
        return failure.cause, failure.words
    finally:
        process.close()


def outside() -> dict[str, str]:
    """What the attempts with a twin return without any lock."""
    world = World()
    programs = {
        name: attempt.program(world.places)
        for name, attempt in ATTEMPTS.items()
        if attempt.twin is not Twin.NONE
    }
    try:
        done = subprocess.run(
            [sys.executable, "-S", "-s", "-P", "-B", "-c", OUTSIDE],
            env={SECRET: "secret", "PATH": os.defpath},
            input=json.dumps([programs, world.places["folder"]]),
            capture_output=True,
            text=True,
            check=True,
            start_new_session=True,
        )
        found: dict[str, str] = json.loads(done.stdout)
        return found
    finally:
        world.close()


if __name__ == "__main__":
    if sys.argv[1] == "outside":
        print(json.dumps(outside()))
    else:
        locks, names = json.loads(sys.argv[2]), json.loads(sys.argv[3])
        print(json.dumps(in_sandbox(Locks(**locks), names)))
