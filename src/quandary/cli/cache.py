"""Caches results that depend on the files of this package, and on what else is named."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from quandary.core.caches import cache_folder

HOME = Path(__file__).parent.parent


def kept(
    name: str,
    find: Callable[[], Any],
    depends_on: object = None,
    worth_keeping: Callable[[Any], bool] = lambda found: True,
) -> Any:
    """Return the result of `find`, from the cache if no file of the package has changed.

    `depends_on` is what else it follows from; its `repr` is compared.
    """
    path, state = cache_folder() / f"{name}.json", f"{_state()} {depends_on!r}"
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(path.read_text("utf-8"))
        if known["state"] == state:
            return known["found"]
    found = find()
    if not worth_keeping(found):
        return found
    with suppress(OSError):  # no cache folder: computed again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"state": state, "found": found}), "utf-8")
        draft.replace(path)
    return found


def _state() -> str:
    """Return a fingerprint of the package's files: paths, sizes and modification times."""
    files = sorted(
        (entry.path, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in _files(str(HOME))
    )
    return repr((sys.version, files))  # not hashed: importing `hashlib` takes longer than comparing


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            else:
                yield entry
