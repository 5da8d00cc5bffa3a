"""Files as they were published: unpacked, packed one by one, or in archives."""

from __future__ import annotations

import gzip
import json
import tarfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.errors import UserError

ARCHIVES, PACKED = (".tar.gz", ".tgz"), ".gz"
DAMAGE = (tarfile.TarError, zlib.error, EOFError, OSError, UnicodeError)
POINTER = b"version https://git-lfs.github.com/spec/"  # what Git LFS puts in place of a large file


class Skipped(NamedTuple):
    """A file that may contain what is imported, and why it was not read."""

    path: Path
    reason: str


Skip = Callable[[Path, str], None]  # is told of a file that is not read, and why


def files(
    folder: Path, begins: str, ends: str, skip: Skip = lambda path, reason: None
) -> Iterator[tuple[str, str]]:
    """Names and texts of matching files in the folder, its subfolders and archives, in order."""
    found: dict[str, Path] = {}
    for path in listed(folder):
        if not path.name.startswith(begins):
            continue
        for name, text in _opened(path, ends, skip):
            file = Path(name).name
            if file in found:
                raise UserError(
                    f"{found[file]} and {path} both contain {file}; remove one of them, or it "
                    f"would count twice."
                )
            found[file] = path
            yield name, text


def below(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and below it, sorted, without hidden ones."""
    for path in listed(folder):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from below(path)
        else:
            yield path


def listed(folder: Path) -> list[Path]:
    """Return the contents of a folder, sorted."""
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder; give the one with the published files.")
    try:
        return sorted(folder.iterdir())
    except OSError as reason:
        raise unreadable(folder, reason) from None


def parsed(text: str, what: str) -> Any:
    """Return the data of a JSON text of any kind."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise UserError(f"{what} is not JSON.") from None


def unreadable(path: Path, reason: BaseException) -> UserError:
    """Return the error for a file that is missing or damaged."""
    if isinstance(reason, UnicodeError):
        why = "its text is not UTF-8"
    elif isinstance(reason, OSError) and reason.strerror:
        why = reason.strerror
    else:
        why = "it is damaged or incomplete"
    return UserError(f"{path} cannot be read: {why}.")


def _opened(path: Path, ends: str, skip: Skip) -> Iterator[tuple[str, str]]:
    """Name and text of a file, or of each file in a folder or an archive."""
    if path.is_dir():
        for inner in listed(path):
            if inner.name.endswith(ends) and _is_meant(inner.name):
                yield from _opened(inner, ends, skip)
    elif not path.name.endswith((ends, ends + PACKED, *ARCHIVES)):
        return
    elif _is_pointer(path):
        skip(path, "Git LFS has not downloaded it; run `git lfs pull` there")
    elif path.name.endswith(ARCHIVES):
        yield from _unpacked(path, ends)
    else:
        yield str(path).removesuffix(PACKED), _text(path)


def _is_pointer(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(POINTER)) == POINTER
    except OSError as reason:
        raise unreadable(path, reason) from None


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return _decoded(gzip.decompress(content) if path.name.endswith(PACKED) else content)
    except DAMAGE as reason:
        raise unreadable(path, reason) from None


def _unpacked(path: Path, ends: str) -> Iterator[tuple[str, str]]:
    try:
        content = gzip.decompress(path.read_bytes())  # in full, so that truncation is detected
        with tarfile.open(fileobj=BytesIO(content)) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                name = Path(member.name).name
                file = (
                    archive.extractfile(member) if name.endswith(ends) and _is_meant(name) else None
                )
                if file:
                    yield str(path / name), _decoded(file.read())
    except (*DAMAGE, KeyError) as reason:  # KeyError: a link to a file outside the archive
        raise unreadable(path, reason) from None


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig")


def _is_meant(name: str) -> bool:
    """Return whether a file is not one that some systems add: metadata of `a` is stored in
    `._a`.
    """
    return not name.startswith("._")
