"""Whether a record begins where its name says."""

from __future__ import annotations

from functools import lru_cache

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game
from quandary.core.errors import Mistake
from quandary.tasks.attempt import Attempt

from .record import Record, Unfaithful


def check_origin(record: Record) -> None:
    """Unfaithful where a record that is named after an instance starts from another position; it costs making the instance."""
    try:
        spec = Spec.parse(record.name)
    except Mistake:
        return  # a name of somebody's own
    start = record.start
    tries, language = (max(1, start.tries), start.language) if isinstance(start, Attempt) else (1, "en")
    try:
        named = _game(spec, tries, language)
    except Mistake as reason:
        raise Unfaithful(f"its name stands for nothing that can be played ({str(reason).rstrip('.')})") from None
    if start != named:
        raise Unfaithful("it does not start from the instance it is named after")


@lru_cache(maxsize=256)  # the matches of an instance stand close together
def _game(spec: Spec, tries: int, language: str) -> Game:
    return registry.game(spec, tries=tries, language=language)
