"""Puzzles whose stored fields have changed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ..puzzle import Puzzle


class EarlierVersions(Puzzle):
    """A puzzle that reads positions of earlier versions with other fields."""

    @classmethod
    @abstractmethod
    def upgraded(cls, fields: dict[str, Any], version: int) -> dict[str, Any]:
        """Return the stored fields of a position of an earlier version, with those that this one
        has.
        """
