"""Where axe-core is, which tests pages for readers with disabilities."""

from __future__ import annotations

import os
from pathlib import Path


def axe_script() -> Path | None:
    """axe-core's script: `make axe` puts it here, or AXE_CORE names it."""
    usual = Path(__file__).parents[1] / ".venv/npm/node_modules/axe-core/axe.min.js"
    found = Path(os.environ.get("AXE_CORE", usual))
    return found if found.is_file() else None
