"""Checks that a record begins where its name says."""

from __future__ import annotations

from functools import lru_cache

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.core.wrapper import version_of

from .record import Record, ReplayMismatch


def check_origin(record: Record) -> None:
    """Raise ReplayMismatch if a record is named after an instance but starts elsewhere.

    This generates the instance.  A record of an earlier version is not compared, because its name
    stood for another instance then.
    """
    if is_earlier(record):
        return
    try:
        spec = Spec.parse(record.name)
    except UserError:
        return  # the name is not a spec
    if spec.problem:
        return  # only the import has it
    start = record.start
    try:
        named = _game(spec, max(1, getattr(start, "tries", 1)))
    except UserError as reason:
        raise ReplayMismatch(
            f"its name is not that of an instance ({str(reason).rstrip('.')})"
        ) from None
    if start != named:
        raise ReplayMismatch("it does not start from the instance it is named after")


def is_earlier(record: Record) -> bool:
    """Return whether a record was made with an earlier version of its puzzle or task."""
    return record.version is not None and record.version < version_of(record.start)


@lru_cache(maxsize=256)  # matches of the same instance are close together
def _game(spec: Spec, tries: int) -> Game:
    return drawing.game(spec, tries=tries)
