"""What programs may import: modules of the standard library, and libraries that a user allows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quandary.core.errors import UserError

DECLARED = Path(__file__).with_name("sandbox") / "modules.txt"
MODULES = tuple(DECLARED.read_text("ascii").split())
# Modules that a library imports when they are used first, which no program could do.
LAZY = {"numpy": ("numpy.fft", "numpy.linalg", "numpy.random")}
OURS = "quandary"  # has strategies that a program could ask


class Library(NamedTuple):
    """A library that programs may import."""

    name: str
    folder: str  # in which it is found

    @property
    def modules(self) -> tuple[str, ...]:
        """What is imported before any program starts."""
        return (self.name, *LAZY.get(self.name, ()))

    @property
    def version(self) -> str:
        """Of its distribution; "" if it has none."""
        distributions = metadata.packages_distributions().get(self.name, [self.name])
        try:
            return metadata.version(distributions[0])
        except metadata.PackageNotFoundError:
            return ""


def libraries(names: Iterable[str]) -> list[Library]:
    """Libraries by their names; UserError if one is not there, or not for programs."""
    return list(map(_library, dict.fromkeys(names)))


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of libraries, by their names."""
    return {library.name: library.version for library in libraries(names)}


def _library(name: str) -> Library:
    if name in sys.stdlib_module_names:
        raise UserError(
            f"--library {name}: {name} is a module of Python, not a library; programs may import "
            f"what `quandary prompt NAME --code` lists."
        )
    if name == OURS:
        raise UserError(
            f"--library {OURS}: programs must not ask the strategies they play against."
        )
    found = find_spec(name) if name.isidentifier() else None
    places = list(_folders(found.submodule_search_locations, found.origin)) if found else []
    if not places:
        raise UserError(
            f"--library {name}: there is no such library here; install it, or leave it out."
        )
    return Library(name, str(places[0].resolve().parent))


def _folders(packages: Iterable[str] | None, file: str | None) -> Iterator[Path]:
    yield from map(Path, packages or ())
    if file:
        yield Path(file)
