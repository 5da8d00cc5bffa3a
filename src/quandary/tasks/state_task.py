"""The base of the two tasks on positions of a search tree.

A task asks about one of a pair of positions (see `search_tree`), so that whether it can be solved
follows from the puzzle alone.  An instance may have no such pair: then the task is
about another instance of the level, and `check:sudoku/easy#7` need not be about `sudoku/easy#7`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Annotated, Any, Literal, Self, TypeAlias

from quandary.core.bounds import Between, Range
from quandary.core.contract import Game, Language, Puzzle, Question, Seat, StateTasks
from quandary.core.scene import Scene
from quandary.core.secrecy import hidden_fields

from .delegation import Delegating, Fits, anything
from .search_tree import Pair, child_at, pairs, random_dead_place, tree_size

Label: TypeAlias = Literal["solvable", "unsolvable", "either"]
SIBLINGS = 200  # how many instances are tried to find a worked example
STATE_TASK_VERSION = 2  # how often the names of state tasks on all games changed their meaning
TREE_CAP = 1_000  # positions below a dead end that are counted


@dataclass(frozen=True)
class Difficulty:
    """The features of a state task that make it hard."""

    depth: int | None  # moves from the start; None if the record does not say
    moves: int  # legal moves in the position
    dead_tree: int | None  # distinct positions below a dead end, up to TREE_CAP; None if solvable
    gaps: int | None  # empty cells in the position; None if the puzzle has no cells to fill


class StateTask(Delegating, Question):
    """A question about one position of a game: it is shown, and it tells instances apart."""

    start: StateTasks
    position: StateTasks
    tried: StateTasks | None  # a child of the position that is shown as unsolvable
    depth: int | None

    @classmethod
    def on(cls, pair: Pair, position: StateTasks, tried: StateTasks | None) -> Self:
        """Return the task on one position of a pair; `tried` is a dead child of it that is
        shown.
        """
        raise NotImplementedError

    @classmethod
    def drawn(
        cls,
        rng: Random,
        start: Game,
        fits: Fits = anything,
        is_alike: bool = True,
        *,
        label: Label = "either",
        depth: Annotated[Range, Between(1)] | None = None,
    ) -> Iterator[Self]:
        """Yield tasks on one instance; both labels are equally likely unless one is asked for."""
        assert isinstance(start, StateTasks)
        for pair in pairs(start, rng, fits, depth, is_alike):
            yield cls.on(*_asked(pair, rng, label))

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Self:
        [start] = args
        for task in cls.drawn(rng, start):
            return task
        raise ValueError("this instance has no pair of positions to ask about; take another seed")

    def sibling(self, rng: Random, **level: Any) -> Self:
        starts = (self.start.sibling(rng, **level) for _ in range(SIBLINGS))
        return next(task for start in starts for task in islice(type(self).drawn(rng, start), 1))

    def difficulty(self) -> Difficulty:
        """Compute the difficulty on request: as a field it would tell the label."""
        moves = len(self.position.options().get(0) or ())
        dead_tree = None if self.position.solvable() else tree_size(self.position, TREE_CAP)
        return Difficulty(self.depth, moves, dead_tree, self.position.gaps())

    @property
    def inner(self) -> StateTasks:
        return self.start

    @classmethod
    def version_increment(cls, inner: type[Puzzle]) -> int:
        own = inner.state_task_version if issubclass(inner, StateTasks) else 0
        return STATE_TASK_VERSION + own

    @property
    def split_by(self) -> tuple[Puzzle, ...]:
        return (self.start, self.position)

    def reference(self) -> float | None:
        return None

    def equivalent(self, rng: Random) -> Self:
        """Return all positions turned in the same way, for which their luck must be equal."""
        luck = rng.getrandbits(64)
        shown = {
            name: getattr(self, name)
            for name, mark in hidden_fields(type(self))
            if mark == "nested"
        }
        turned = {
            name: position and position.equivalent(Random(luck)) for name, position in shown.items()
        }
        return replace(self, **turned)  # type: ignore[type-var]

    def canonical(self) -> Hashable:
        """Return the position that is asked about; two tasks on it are called the same."""
        return self.position.canonical()

    def asked_after_rules(self, asked: str, language: Language) -> str:
        """Return the rules of the game, how its positions are written, and what is asked about
        them.

        How a move is written is left out, because no move is asked for.
        """
        rules, form = self.start.rules(language), self.start.state_form(language)
        rules = rules.removesuffix(self.start.how(language)).rstrip()
        return "\n\n".join(filter(None, (rules, form, asked)))

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        return self.position.scene(seat, language)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return self.position.legend(seat, language)


def _asked(pair: Pair, rng: Random, label: Label) -> tuple[Pair, StateTasks, StateTasks | None]:
    """Return the position of a pair that is asked about, and a dead child of it, if both have one.

    Both have equally many moves, and the child is that of a move at the same place among them, so
    that which move was tried does not tell the label.  Children of a dead end are dead.
    """
    place = random_dead_place(pair.solvable, rng)
    is_dead = label == "unsolvable" if label != "either" else rng.random() < 0.5
    asked = pair.dead if is_dead else pair.solvable
    return pair, asked, None if place is None else child_at(asked, place)


def titled(shown: Iterable[tuple[str, str]]) -> str:
    """Join texts below each other, each with a title."""
    return "\n\n".join(f"{title}\n{text}" for title, text in shown)
