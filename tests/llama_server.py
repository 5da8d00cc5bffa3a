"""llama.cpp's own HTTP server with SmolLM2, as a peer on loopback.

Run as a program, it serves the model file it is given until its input ends, so that it cannot
outlive its test.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from quandary.core.errors import UserError
from quandary.models.providers.weights import find

PATIENCE = 60.0  # seconds for the server to load its model
CONTEXT = 2048
SONG = (
    ("user", "Sing."),
    ("assistant", "la " * 20),
)  # which the model, at temperature 0, never ends


def smollm2() -> Path:
    """The weights, or a skip that says what is missing."""
    pytest.importorskip(
        "xllamacpp", reason="llama.cpp is not installed; pip install 'quandary[local]'"
    )
    try:
        return find("smollm2")
    except UserError as mistake:
        pytest.skip(str(mistake))


@contextmanager
def llama_server(model: Path, slots: int = 2, key: str = "") -> Iterator[str]:
    """The address under which the model answers."""
    command = [sys.executable, __file__, str(model), str(slots), key]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        watch = Timer(PATIENCE, process.kill)
        watch.start()
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:")
            watch.cancel()
            yield address + "/v1"
        finally:
            watch.cancel()
            process.kill()


def serve(model: str, slots: str, key: str) -> None:
    """Serve until there is no more input."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = model
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    wanted.api_keys = [key] if key else []
    wanted.n_ctx, wanted.n_parallel = CONTEXT * int(slots), int(slots)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.verbosity = 0
    wanted.cache_prompt = False  # earlier requests must not change a reply
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(*sys.argv[1:])
