"""The folder of large files that can be made or downloaded again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder that QUANDARY_CACHE names, or else one by the XDG convention."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("QUANDARY_CACHE") or Path(caches, "quandary"))
