"""Methods that turn some kinds of things into others: using them, and drawing those of stories."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub
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
ONE_OR_TWO, UP_TO_THREE = (1, 1, 2), (1, 1, 2, 2, 3)
THREE_ALIKE = 0.3  # the chance that a method that takes one good takes three of it


class Method(NamedTuple):
    """What is taken away and what is added, one number per kind."""

    takes: tuple[int, ...]
    makes: tuple[int, ...]


def applied(method: Method, counts: tuple[int, ...]) -> tuple[int, ...] | None:
    """The counts after a method; None if there is not enough of what it takes."""
    left = tuple(map(sub, counts, method.takes))
    return None if min(left) < 0 else tuple(map(add, left, method.makes))


def method_of(kinds: int, takes: dict[int, int], makes: dict[int, int]) -> Method:
    """From the numbers of the kinds that are taken and made."""
    places = range(kinds)
    return Method(
        tuple(takes.get(at, 0) for at in places), tuple(makes.get(at, 0) for at in places)
    )


def story_methods(
    rng: Random, family: str, wanted: Sequence[str], goods: int, products: int
) -> tuple[Method, ...] | None:
    """Try to draw different methods that use all goods and products."""
    order = rng.sample(range(goods), goods)  # goods are changed only into later ones
    drawn = [
        method_of(goods + products, *_sides(rng, family, kind, order, products)) for kind in wanted
    ]
    taken = [method.takes for method in drawn]
    takes_all = all(any(takes[kind] for takes in taken) for kind in range(goods))
    makes_all = all(any(one.makes[kind + goods] for one in drawn) for kind in range(products))
    return tuple(drawn) if takes_all and makes_all and len(set(taken)) == len(drawn) else None


def _sides(
    rng: Random, family: str, kind: str, order: Sequence[int], products: int
) -> tuple[dict[int, int], dict[int, int]]:
    """What a method of a kind takes and makes; products come after the goods."""
    first, end = len(order), len(order) + products
    if kind == "make":
        number = 1 if family == "b" else rng.choice([1, 1, 2, 2, 3][: 2 * first - 1])
        takes = {good: rng.choice(ONE_OR_TWO) for good in rng.sample(order, number)}
        if number == 1 and rng.random() < THREE_ALIKE:
            takes = dict.fromkeys(takes, 3)
        made = rng.sample(range(first, end), rng.randint(1, min(2, products)))
        return takes, {product: rng.choice(UP_TO_THREE) for product in made}
    if kind == "change":
        at = rng.randrange(1, first)
        chosen = rng.sample(order[:at], rng.randint(1, min(2, at)))
        takes = {good: rng.choice(ONE_OR_TWO) for good in chosen}
        return takes, {order[at]: rng.choice(ONE_OR_TWO)}
    made_at = rng.randrange(first + 1, end)
    before = rng.sample(range(first, made_at), rng.randint(1, min(2, made_at - first)))
    if kind == "refine":
        takes = {rng.choice(order): rng.choice(ONE_OR_TWO), before[0]: rng.choice(ONE_OR_TWO)}
        return takes, {made_at: rng.choice(ONE_OR_TWO)}
    takes = {product: 2 if len(before) == 1 else rng.choice(ONE_OR_TWO) for product in before}
    return takes, {made_at: 1}
