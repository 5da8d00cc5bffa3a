"""Legal moves that are written only when somebody lists them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import overload


class LazyMoves(Sequence[str]):
    """A sequence of moves; a subclass may count and find moves without listing them."""

    @property
    @abstractmethod
    def _listed(self) -> list[str]:
        """All moves in order; cached by the subclass."""

    def __len__(self) -> int:
        return len(self._listed)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._listed[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._listed == list(other)
