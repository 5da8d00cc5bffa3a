"""Methods that turn some kinds of things into others: using them, and drawing those of stories."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub
from random import Random
from typing import NamedTuple

# Family -> kinds of methods, in the order in which they come with the levels:
# "make" turns goods into products, "change" goods into another good, "refine" a good and a product
# into another product, "combine" products into another product.
KINDS = {
    "a": ("make", "change", "refine"),
    "b": ("make", "change", "combine"),
    "c": ("make", "refine", "combine"),
    "d": ("make", "refine", "combine"),
}
MOST = 1_000  # steps after which methods count as endless
ONE_OR_TWO, UP_TO_THREE = (1, 1, 2), (1, 1, 2, 2, 3)
THREE_ALIKE = 0.3  # the chance that a method that takes one good takes three of it
ONE_MORE = 0.4  # the chance that a method makes a second product


class Method(NamedTuple):
    """What is taken away and what is added, one number per kind."""

    takes: tuple[int, ...]
    makes: tuple[int, ...]


class Course:
    """What methods do to counts, in circles; it is run often, so the methods are unpacked once."""

    def __init__(self, methods: Sequence[Method]) -> None:
        self._methods = [
            (
                place,
                [(kind, number) for kind, number in enumerate(takes) if number],
                [(kind, made - took) for kind, (took, made) in enumerate(pairs) if made != took],
            )
            for place, (takes, makes) in enumerate(methods)
            for pairs in [zip(takes, makes, strict=True)]
        ]

    def run(self, counts: Sequence[int], most: int = MOST) -> tuple[list[int], tuple[int, ...]]:
        """The places of the methods that are used, one after the other, and the counts at the end.

        It stops after the round in which there are more than `most`.
        """
        left, used, before = list(counts), list[int](), -1
        while before < len(used) <= most:
            before = len(used)
            for place, takes, changes in self._methods:
                for kind, number in takes:
                    if left[kind] < number:
                        break
                else:
                    for kind, change in changes:
                        left[kind] += change
                    used.append(place)
        return used, tuple(left)

    def steps(self, counts: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        """The places of the methods that are used, one after the other, and the counts after each.

        If there are more than MOST, the methods do not end.
        """
        left, done = list(counts), []
        for place in self.run(counts)[0]:
            for kind, change in self._methods[place][2]:
                left[kind] += change
            done.append((place, tuple(left)))
        return done

    def end(self, counts: Sequence[int], steps: tuple[int, int]) -> tuple[int, ...] | None:
        """The counts at the end; None if some method is not used, or in other numbers of steps."""
        used, left = self.run(counts, steps[1])
        uses_all = len(set(used)) == len(self._methods)
        return left if steps[0] <= len(used) <= steps[1] and uses_all else None


def are_different(methods: Sequence[Method]) -> bool:
    """Whether all take different things and have different effects.

    Then no method can stand in for another: whichever is used is needed.
    """
    effects = {tuple(map(sub, one.makes, one.takes)) for one in methods}
    return len({one.takes for one in methods}) == len(effects) == len(methods)


def method_of(kinds: int, takes: dict[int, int], makes: dict[int, int]) -> Method:
    """From the numbers of the kinds that are taken and made."""
    sides = [0] * kinds, [0] * kinds
    for side, numbers in zip(sides, (takes, makes), strict=True):
        for kind, number in numbers.items():
            side[kind] = number
    return Method(*map(tuple, sides))


def story_methods(
    rng: Random, family: str, wanted: Sequence[str], goods: int, products: int
) -> tuple[Method, ...] | None:
    """Try to draw different methods that use all goods and products."""
    story = _Story(rng, family, goods, products)
    drawn = [method_of(goods + products, *story.sides(kind)) for kind in wanted]
    takes, makes = (list(map(any, zip(*sides, strict=True))) for sides in zip(*drawn, strict=True))
    uses_all = all(takes[:goods]) and all(makes[goods:])
    return tuple(drawn) if uses_all and are_different(drawn) else None


class _Story:
    """Draws what methods take and make; products come after the goods.

    A method that makes products begins with a good and a product that no earlier one had.
    """

    def __init__(self, rng: Random, family: str, goods: int, products: int) -> None:
        self.rng, self.family = rng, family
        self.first, self.end = goods, goods + products
        self.order = list(range(goods))
        rng.shuffle(self.order)  # goods are changed only into later ones
        self.untaken, self.unmade = self.order[::-1], list(range(self.first, self.end))
        rng.shuffle(self.unmade)

    def sides(self, kind: str) -> tuple[dict[int, int], dict[int, int]]:
        match kind:
            case "make":
                return self._taken(), self._made()
            case "change":
                at = self.rng.randrange(1, self.first)
                chosen = self._some(self.order[:at], self.rng.randint(1, min(2, at)))
                return self._few(chosen), self._few([self.order[at]])
        made = self.rng.randrange(self.first + 1, self.end)
        before = range(self.first, made)
        if kind == "refine":
            return self._few([self.rng.choice(self.order), self.rng.choice(before)]), self._few(
                [made]
            )
        chosen = self._some(before, self.rng.randint(1, min(2, len(before))))
        return (self._few(chosen) if len(chosen) > 1 else {chosen[0]: 2}), {made: 1}

    def _taken(self) -> dict[int, int]:
        number = 1
        if self.family != "b":
            number = self.rng.choice([1, 1, 2, 2, 3][: 2 * self.first - 1])
        goods = [self.untaken.pop() if self.untaken else self.rng.choice(self.order)]
        if number == 1 and self.rng.random() < THREE_ALIKE:
            return {goods[0]: 3}
        if number > 1:
            others = [good for good in self.order if good != goods[0]]
            goods += self._some(others, number - 1)
        return self._few(goods)

    def _made(self) -> dict[int, int]:
        products = range(self.first, self.end)
        made = {self.unmade.pop() if self.unmade else self.rng.choice(products)}
        if len(products) > 1 and self.rng.random() < ONE_MORE:
            made.add(self.rng.choice([one for one in products if one not in made]))
        return {product: self.rng.choice(UP_TO_THREE) for product in sorted(made)}

    def _few(self, kinds: Sequence[int]) -> dict[int, int]:
        return {kind: self.rng.choice(ONE_OR_TWO) for kind in kinds}

    def _some(self, kinds: Sequence[int], number: int) -> list[int]:
        """Some of the kinds; one is drawn much faster than a sample of one."""
        return [self.rng.choice(kinds)] if number == 1 else self.rng.sample(kinds, number)
