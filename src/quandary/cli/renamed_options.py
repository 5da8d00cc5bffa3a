"""Names of earlier versions that somebody types: they work for one version, with a warning."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from quandary.renamed import COMMAND_OPTIONS, OPTIONS, RenamedWarning, warn


def by_new_names(command: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command with the names that options have now."""
    renamed, found = OPTIONS | COMMAND_OPTIONS.get(command, {}), list[str]()
    for argument in arguments:
        name, sign, value = argument.partition("=")
        new = renamed.get(name)
        if new:
            warn(name, new)
        found.append(f"{new}{sign}{value}" if new else argument)
    return found


@contextmanager
def showing_renamed() -> Iterator[None]:
    """Tell on stderr, once each, what is named as in an earlier version."""
    shown = set[str]()

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, RenamedWarning):
            usual(message, category, *where, **more)
        elif str(message) not in shown:
            shown.add(str(message))
            print(f"quandary: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RenamedWarning)
        usual, warnings.showwarning = warnings.showwarning, show
        yield
