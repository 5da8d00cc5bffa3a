"""What programs may import."""

from __future__ import annotations

from pathlib import Path

from .sandbox import limits

MODULES = tuple(Path(limits.__file__).with_name("modules.txt").read_text("ascii").split())
