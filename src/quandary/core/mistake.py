"""What a user got wrong, said in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class Mistake(Exception):
    """A wrong name, level, seed, player, file or flag.  The message says what to do; no traceback is shown."""


def unknown(kind: str, name: str, known: Iterable[str]) -> Mistake:
    """The mistake of naming a `kind` that is not there, with the nearest right name."""
    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    advice = f"did you mean {near[0]!r}?" if near else f"choose one of: {', '.join(names)}."
    return Mistake(f"there is no {kind} {name!r}; {advice}")
