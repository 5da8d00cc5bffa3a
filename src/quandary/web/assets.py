"""The style sheets and scripts of the site, each compressed once."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from quandary.report.page.layout import ASSETS as OF_REPORT

FOLDERS = (*OF_REPORT, Path(__file__).parent / "assets")
TYPES = {".js": "text/javascript", ".css": "text/css"}


class Asset(NamedTuple):
    """A file as it is sent."""

    type: str
    text: bytes
    compressed: bytes
    version: str  # changes with its text, so that browsers may keep it


@cache
def assets() -> dict[str, Asset]:
    """Return all files by name; those of the stage and of the report are the same as in a
    report.
    """
    found = dict[str, Asset]()
    for folder in FOLDERS:
        for path in sorted(folder.iterdir()):
            if path.suffix in TYPES:
                text = path.read_bytes()
                version = blake2b(text, digest_size=6).hexdigest()
                found[path.name] = Asset(
                    TYPES[path.suffix], text, gzip.compress(text, mtime=0), version
                )
    return found


def address(name: str) -> str:
    return f"/assets/{name}?v={assets()[name].version}"
