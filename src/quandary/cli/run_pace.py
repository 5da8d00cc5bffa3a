"""How long a run with models will still take.

Strategies play thousands of matches while a model plays one, so the matches of each set of models
count by their own pace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import TypeAlias

from quandary.players.model_names import is_model

Models: TypeAlias = frozenset[str]  # that play a match; none where strategies are among themselves


class RunPace:
    """Learns which matches are left, and of each when it begins and when it is stored."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.now = now
        self.begun = dict[Models, float]()  # when the first of these matches began
        self.left, self.done = Counter[Models](), Counter[Models]()

    def plan(self, seatings: Iterable[Sequence[str]]) -> None:
        """Who plays each of the matches that are left."""
        self.left = Counter(map(_models, seatings))

    def begin(self, players: Sequence[str]) -> None:
        self.begun.setdefault(_models(players), self.now())

    def end(self, players: Sequence[str]) -> None:
        models = _models(players)
        self.done[models] += 1
        self.left[models] -= 1

    def seconds_left(self) -> float | None:
        """None until each model has finished a match."""
        found, now = [0.0], self.now()
        for models, left in list(self.left.items()):
            done = self.done[models]
            if left <= 0:
                continue
            if done and models in self.begun:
                found.append(left * (now - self.begun[models]) / done)
            elif models:
                return None
        return max(found)  # those of several models are played at the same time


def _models(players: Sequence[str]) -> Models:
    return frozenset(filter(is_model, players))
