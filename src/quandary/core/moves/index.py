"""Numbers for the moves of a notation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import comb, prod

from quandary.core.errors import UserError

from .fields import Flag, Move, Value
from .notation import Notation

MOST_MOVES = 100_000  # per index; a game with more moves is played by text only


class MoveIndex:
    """A number for every combination of values, for environments with a fixed set of actions."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self._absent = {  # optional fields, whose absence has a number too
            name
            for name, field in notation.fields.items()
            if name not in notation.required and not isinstance(field, Flag)
        }
        sizes = {n: field.size + (n in self._absent) for n, field in notation.fields.items()}
        self._sizes = sizes
        one, *_ = sizes.values()
        self.size = comb(one, 2) if notation.unordered else prod(sizes.values())
        if self.size > MOST_MOVES:
            raise ValueError(
                f"an index has at most {MOST_MOVES:,} moves; {notation.template!r} with these "
                f"bounds has {self.size:,}"
            )

    def index(self, move: Move) -> int:
        """Return the number of a move; UserError if it is not a move within the bounds."""
        try:
            return self._number(move)
        except (TypeError, ValueError) as reason:
            raise UserError(f"{move!r} has no number at this level: {reason}.") from None

    def _number(self, move: Move) -> int:
        values = self.notation.parse(move)
        if self.notation.unordered:
            low, high = (self.notation.fields[name].rank(value) for name, value in values.items())
            if low == high:
                raise ValueError(f"{move!r} names the same value twice")
            return comb(high, 2) + low
        index = 0
        for name, size in self._sizes.items():
            index = index * size + self._rank(name, values)
        return index

    def _rank(self, name: str, values: Mapping[str, Value]) -> int:
        if name not in values:
            return 0
        return self.notation.fields[name].rank(values[name]) + (name in self._absent)

    def move(self, index: int) -> Move:
        """Return the move with a number; UserError if there is none."""
        is_whole = hasattr(index, "__index__") and not isinstance(index, bool)
        if not is_whole or not 0 <= index < self.size:
            raise UserError(
                f"{index!r} is not the number of a move; write a whole number from 0 to "
                f"{self.size - 1}."
            )
        if self.notation.unordered:
            return self._pair(index)
        values: dict[str, Value] = {}
        for name, size in reversed(self._sizes.items()):
            index, rank = divmod(index, size)
            rank -= name in self._absent
            if rank >= 0:
                values[name] = self.notation.fields[name].value(rank)
        return self.notation.write(values)

    def _pair(self, index: int) -> Move:
        high = next(high for high in range(1, index + 2) if comb(high + 1, 2) > index)
        ranks = (index - comb(high, 2), high)
        fields = self.notation.fields.items()
        return self.notation.write({n: f.value(r) for (n, f), r in zip(fields, ranks, strict=True)})

    def mask(self, options: Collection[Move]) -> list[bool]:
        """Return for every index whether its move is among the options."""
        mask = [False] * self.size
        for move in options:
            mask[self.index(move)] = True
        return mask
