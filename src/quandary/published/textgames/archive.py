"""Files as they were published, unpacked or in archives."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

from quandary.core.mistake import Mistake

ARCHIVES = (".tar.gz", ".tgz")


def files(folder: Path, begins: str, ends: str) -> Iterator[tuple[str, str]]:
    """Name and text of all files that begin and end so: in the folder, in one below it, and in archives there, in order."""
    if not folder.is_dir():
        raise Mistake(f"{folder} is no folder; give the one that holds the published files.")
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(begins):
            continue
        if path.is_dir():
            yield from ((str(inner), inner.read_text("utf-8")) for inner in sorted(path.glob(f"*{ends}")))
        elif path.name.endswith(ARCHIVES):
            yield from _packed(path, ends)
        elif path.name.endswith(ends):
            yield str(path), path.read_text("utf-8")


def _packed(path: Path, ends: str) -> Iterator[tuple[str, str]]:
    """The same within an archive; a name that begins with ._ is what some systems keep beside a file."""
    try:
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                name = Path(member.name).name
                content = archive.extractfile(member) if name.endswith(ends) and not name.startswith("._") else None
                if content:
                    yield name, content.read().decode("utf-8")
    except (tarfile.TarError, OSError, UnicodeError) as reason:
        raise Mistake(f"{path} cannot be read: {reason}.") from None
