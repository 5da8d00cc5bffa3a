"""The instances that the papers' own seeds stand for: `card_nim/easy@published#3`."""

from __future__ import annotations

from quandary.core.contract import Puzzle
from quandary.core.errors import UserError

from .spec import Spec


def published_instance(spec: Spec, puzzle: type[Puzzle]) -> Puzzle:
    """The instance of a published seed; UserError for a puzzle or a level without any."""
    raise UserError(f"{spec.name} has no published seeds; leave @published out.")
