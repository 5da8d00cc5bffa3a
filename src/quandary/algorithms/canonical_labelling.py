"""The least image of a structure whose points are only names: equal for isomorphic ones alone.

Points are told apart by refining their colours.  Where some stay tied, each point of the first tie
is singled out in turn and the rest refined again, until all points differ; the least image over all
these orders is canonical.  An order whose image is known already shows an automorphism, and points
that automorphisms exchange are tried only once (McKay 1981, "Practical graph isomorphism").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence, Set
from typing import Any, Generic, TypeAlias, TypeVar

Image = TypeVar("Image", bound=Any)  # hashable, and any two can be compared
Colours: TypeAlias = Sequence[int]  # by point; equal colours mark a tie
Order: TypeAlias = Sequence[int]  # the points, first to last


class Structure(ABC, Generic[Image]):
    """Points with relations; no method may depend on how the points are numbered."""

    @abstractmethod
    def refined(self, colours: Colours, fixed: Order) -> list[int]:
        """Colours that split ties without reordering colours; `fixed` points were singled out."""

    @abstractmethod
    def image(self, order: Order) -> Image:
        """Return the whole structure if its points were numbered in this order."""

    @abstractmethod
    def interchangeable(self, one: int, other: int) -> bool:
        """Return whether exchanging these two points changes nothing."""


def least_image(structures: Iterable[Structure[Image]], points: int) -> Image:
    """Return the least image over all orders of points that the refinement allows.

    Several structures stand for one that can be described in these ways; one whose image is also
    that of an earlier one is not searched further.
    """
    images = set[Image]()
    for structure in structures:
        search = _Search(structure, points, images)
        search.explore(structure.refined([0] * points, ()), ())
        images.update(search.leaves)
    return min(images)


class _Search(Generic[Image]):
    """Visits the orders of the points of one structure; `images` are those of earlier ones."""

    def __init__(self, structure: Structure[Image], points: int, images: Set[Image]) -> None:
        self.structure, self.points, self.images = structure, range(points), images
        self.leaves: dict[Image, tuple[Order, Order]] = {}  # image -> its order and fixed points
        self.automorphisms: list[list[int]] = []  # for each point where it goes

    def explore(self, colours: Colours, fixed: tuple[int, ...]) -> int:
        """Visit the orders below; how many of the fixed points are worth keeping afterwards."""
        tied = _first_tie(colours)
        if not tied:
            return self._leaf(colours, fixed)
        if all(self.structure.interchangeable(tied[0], point) for point in tied[1:]):
            return self._descend(colours, fixed, tied)  # every order of them is as good
        tried = list[int]()
        for point in tied:
            if self._is_like_another(point, tried, fixed):
                continue
            tried.append(point)
            kept = self._descend(colours, fixed, [point])
            if kept < len(fixed):
                return kept
        return len(fixed)

    def _descend(self, colours: Colours, fixed: tuple[int, ...], points: Order) -> int:
        """Single out some points of one tie, in this order, and go on below."""
        spread = [len(self.points) * colour for colour in colours]
        for place, point in enumerate(points):
            spread[point] += place - len(points)
        fixed = (*fixed, *points)
        return self.explore(self.structure.refined(spread, fixed), fixed)

    def _leaf(self, colours: Colours, fixed: Order) -> int:
        order = sorted(self.points, key=colours.__getitem__)
        image = self.structure.image(order)
        if image in self.images:
            return -1  # an earlier structure has all the images of this one
        known, path = self.leaves.setdefault(image, (order, fixed))
        if known is order:
            return len(fixed)
        moved = [0] * len(self.points)
        for point, goal in zip(known, order, strict=True):
            moved[point] = goal
        self.automorphisms.append(moved)
        # It takes a part that was searched before to this one, from where the two paths part.
        shared = (one == other for one, other in zip(path, fixed, strict=False))
        return next((depth for depth, same in enumerate(shared) if not same), len(fixed))

    def _is_like_another(self, point: int, others: Order, fixed: Order) -> bool:
        """Return whether an automorphism that keeps the fixed points takes one of the
        others to it.
        """
        if any(self.structure.interchangeable(point, other) for other in others):
            return True
        keeping = [
            moved for moved in self.automorphisms if all(moved[other] == other for other in fixed)
        ]
        orbit, left = set(others), list(others)
        while left:
            here = left.pop()
            reached = {moved[here] for moved in keeping} - orbit
            orbit |= reached
            left += reached
        return point in orbit


def _first_tie(colours: Colours) -> list[int]:
    """Return the points of the lowest colour that several points have; [] if all differ."""
    points = dict[int, list[int]]()
    for point, colour in enumerate(colours):
        points.setdefault(colour, []).append(point)
    ties = [colour for colour, tied in points.items() if len(tied) > 1]
    return points[min(ties)] if ties else []


def ranked(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different ones."""
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]
