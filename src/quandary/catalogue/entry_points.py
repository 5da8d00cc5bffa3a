"""Entry points of installed distributions, read without running any of their code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

METADATA = (".dist-info", ".egg-info")


class Entry(NamedTuple):
    """An offer of a distribution under a name; it may turn out broken."""

    name: str
    distribution: str
    metadata: str  # the folder of the distribution's metadata
    value: str = ""  # "package.module:Name"
    unreadable: str = ""  # why the entry points of the distribution cannot be read

    def __str__(self) -> str:
        if self.unreadable:
            return f"the distribution {self.distribution}"
        return f"{self.name} of the distribution {self.distribution}"


def entries(paths: Sequence[str], group: str) -> Iterator[Entry]:
    """Yield the entry points of a group, of all distributions on the paths, in a fixed order."""
    seen = set[str]()
    for metadata in _metadata_with(group, paths):
        offered = _offered(metadata, group)
        if offered and offered[0].distribution not in seen:  # the first on the path is imported
            seen.add(offered[0].distribution)
            yield from offered


def _offered(metadata: str, group: str) -> list[Entry]:
    """Return the entry points of one distribution."""
    from importlib.metadata import PathDistribution  # slow, and needed by few

    folder = Path(metadata)
    distribution, name = PathDistribution(folder), folder.stem.partition("-")[0]
    try:
        name = distribution.metadata["Name"] or name
        found = distribution.entry_points.select(group=group)
    except Exception as reason:  # the file may hold anything
        fault = f"{type(reason).__name__}: {reason}"
        return [Entry(folder.name, name, metadata, unreadable=fault)]
    return [Entry(each.name, name, metadata, each.value) for each in found]


def _metadata_with(group: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield the folders of metadata that name the group."""
    for path in paths:
        try:
            with os.scandir(path or ".") as files:
                folders = sorted(file.path for file in files if file.name.endswith(METADATA))
        except OSError:
            continue
        for folder in folders:
            try:
                text = Path(folder, "entry_points.txt").read_bytes()
            except OSError:
                continue
            if group.encode() in text:
                yield folder
