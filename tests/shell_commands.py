"""The commands of documents, in a shell."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def with_commands(folder: Path, sources: Path) -> dict[str, str]:
    """An environment in which the commands of a document run with this Python."""
    shims = folder / "bin"
    shims.mkdir()
    for command in ("quandary", "pytest"):
        (shims / command).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {command} "$@"\n')
        (shims / command).chmod(0o755)
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
        "PYTHONPATH": str(sources),
        "PATH": f"{shims}:{os.environ['PATH']}",
    }
