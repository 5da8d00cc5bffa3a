"""What attempts reach for: files, listeners on this machine, and another process."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

VICTIM = """
import ctypes, os, signal, sys
signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b"signal "))
kept = ctypes.create_string_buffer(b"victim!!")
os.write(1, b"%d " % ctypes.addressof(kept))
while True: signal.pause()
"""
SECRET = "QUANDARY_CANARY"  # a variable of the environment


class World:
    """Made afresh for each series of attempts; `harm` tells what has changed."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quandary-test-"))
        self.folder.chmod(0o777)
        (self.folder / "inner").mkdir()
        (self.folder / "planted.py").write_text("x = 1\n")
        self.write_files()
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.listeners = [self.tcp, self.udp]
        tcp6 = 0
        with suppress(OSError):
            self.listeners.append(socket.create_server(("::1", 0), family=socket.AF_INET6))
            tcp6 = self.listeners[-1].getsockname()[1]
        abstract = f"\0quandary-test-{os.getpid()}"
        path = str(self.folder / "socket")
        for name in (path, abstract):
            listener = socket.socket(socket.AF_UNIX)
            self.listeners.append(listener)
            listener.bind(name)
            listener.listen()
        self.victim = subprocess.Popen(
            [sys.executable, "-S", "-s", "-P", "-B", "-c", VICTIM],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.victim.stdout
        library = find_spec("_lsprof")  # one that no module imports which programs may use
        self.places: dict[str, Any] = {
            "folder": str(self.folder),
            "canary": str(self.folder / "canary"),
            "spare": str(self.folder / "spare"),
            "tcp": self.tcp.getsockname()[1],
            "tcp6": tcp6,
            "udp": self.udp.getsockname()[1],
            "socket": path,
            "abstract": abstract,
            "victim": self.victim.pid,
            "address": int(os.read(self.victim.stdout.fileno(), 100)),
            "asker": os.getpid(),
            "name": f"/quandary-test-{os.getpid()}",
            "path": [entry for entry in sys.path if entry],
            "library": (library and library.origin) or "",
        }
        self.at_first = self.seen()

    def write_files(self) -> None:
        """As they are at the beginning."""
        for name in ("canary", "spare"):
            file = self.folder / name
            file.write_text(name)
            file.chmod(0o666)

    def seen(self) -> dict[str, Any]:
        """All that attempts could have changed."""
        told = select.select([*self.listeners, self.victim.stdout], [], [], 0)[0]
        files = {}
        for file in self.folder.rglob("*"):
            stat = file.lstat()
            files[file.name] = (stat.st_mode, stat.st_uid, stat.st_gid, stat.st_size, stat.st_mtime)
        return {
            "files": files,
            "listeners": told,
            "victim": self.victim.poll(),
            "priority": os.getpriority(os.PRIO_PROCESS, self.victim.pid),
            "limits": Path(f"/proc/{self.victim.pid}/limits").read_text(),
        }

    def harm(self) -> list[str]:
        """What is not as it was."""
        now = self.seen()
        return [name for name, was in self.at_first.items() if now[name] != was]

    def close(self) -> None:
        self.victim.kill()
        self.victim.wait()
        assert self.victim.stdout
        self.victim.stdout.close()
        for listener in self.listeners:
            listener.close()
        shutil.rmtree(self.folder)
