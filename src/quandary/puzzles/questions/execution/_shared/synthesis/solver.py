"""Methods that turn some kinds of things into others: using them, and drawing those of stories.

Drawing tries many methods and starts, so both are packed there: the counts of all kinds are fields
of one number, and one subtraction tells whether there is enough of everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from struct import Struct
from typing import Annotated, NamedTuple, TypeAlias

from quandary.core.bounds import Range
from quandary.core.descriptions import Doc

Packed: TypeAlias = int  # counts of all kinds
PackedMethod: TypeAlias = tuple[Packed, Packed]  # what is taken away and what is added

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
BITS = 16  # of a packed count; the highest is 0, and set by taking more than there is
KINDS_AT_MOST = 9
UNITS = [1 << BITS * kind for kind in range(KINDS_AT_MOST)]  # one thing of each kind, packed
FIELDS = [Struct(f"<{kinds}H") for kinds in range(KINDS_AT_MOST + 1)]  # by the number of kinds
OTHERS = 2  # methods are taken if there are so many other starts near the chosen one
PATIENCE = 6  # starts of which one must be good
ONE_OR_TWO, UP_TO_THREE = (1, 1, 2), (1, 1, 2, 2, 3)
THREE_ALIKE = 0.3  # the chance that a method that takes one good takes three of it
ONE_MORE = 0.4  # the chance that a method makes a second product


class Method(NamedTuple):
    """A method: what one use of it takes away and what it adds.

    The kinds have the order in which an answer lists them.
    """

    takes: Annotated[tuple[int, ...], Doc("how many of each kind one use takes away")]
    makes: Annotated[tuple[int, ...], Doc("how many of each kind one use adds")]


def packed(counts: Sequence[int]) -> Packed:
    return int.from_bytes(FIELDS[len(counts)].pack(*counts), "little")


def unpacked(counts: Packed, kinds: int) -> tuple[int, ...]:
    return FIELDS[kinds].unpack(counts.to_bytes(kinds * BITS // 8, "little"))


class Course:
    """What methods do to counts, in circles."""

    def __init__(self, methods: Sequence[PackedMethod], kinds: int) -> None:
        self.kinds = kinds
        self._packed = methods
        self._turns = [(at, takes, makes - takes) for at, (takes, makes) in enumerate(methods)]
        self._missing = sum(UNITS[:kinds]) << (BITS - 1)  # the highest bit of each count

    @classmethod
    def of(cls, methods: Sequence[Method], kinds: int) -> Course:
        return cls([(packed(takes), packed(makes)) for takes, makes in methods], kinds)

    @property
    def methods(self) -> tuple[Method, ...]:
        return tuple(
            Method(unpacked(takes, self.kinds), unpacked(makes, self.kinds))
            for takes, makes in self._packed
        )

    def run(self, counts: Packed, most: int = MOST) -> tuple[list[int], Packed]:
        """Return the places of the methods that are used, one after the other, and the counts at
        the end.

        It stops after the round in which there are more than `most`.
        """
        used: list[int] = []
        left, before, missing = counts, -1, self._missing
        while before < len(used) <= most:
            before = len(used)
            for place, takes, change in self._turns:
                if not (left - takes) & missing:
                    left += change
                    used.append(place)
        return used, left

    def states(self, counts: Packed, used: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the counts after each use of a method."""
        left, found = counts, []
        for place in used:
            left += self._turns[place][2]
            found.append(unpacked(left, self.kinds))
        return found

    def end(self, counts: Packed, steps: Range) -> Packed | None:
        """Return the counts at the end; None if some method is not used, or in other numbers of
        steps.
        """
        used, left = self.run(counts, steps[1])
        uses_all = len(set(used)) == len(self._turns)
        return left if uses_all and steps[0] <= len(used) <= steps[1] else None

    def start(self, rng: Random, given: int, amounts: Range, steps: Range) -> Packed | None:
        """Try to draw a start with things of the first kinds that is good, as others near it are.

        The others are siblings: each has an end of its own.
        """
        for _ in range(PATIENCE):
            start = drawn_start(rng, given, amounts)
            if (end := self.end(start, steps)) is not None:
                break
        else:
            return None
        others = 0
        for other in near(start, given, amounts):
            others += self.end(other, steps) not in (None, end)
            if others == OTHERS:
                return start
        return None


def drawn_start(rng: Random, given: int, amounts: Range) -> Packed:
    """Draw numbers of the first kinds, as fast as `pick` does."""
    low, span, start = amounts[0], amounts[1] - amounts[0] + 1, 0
    for unit in UNITS[:given]:
        start += unit * (low + int(rng.random() * span))
    return start


def near(start: Packed, given: int, amounts: Range) -> Iterator[Packed]:
    """Yield the starts with one thing more or less."""
    for unit, number in zip(UNITS, unpacked(start, given), strict=False):
        if number < amounts[1]:
            yield start + unit
        if number > amounts[0]:
            yield start - unit


def are_different(methods: Sequence[PackedMethod]) -> bool:
    """Return whether all take different things and have different effects.

    Then no method can stand in for another: whichever is used is needed.
    """
    effects = {makes - takes for takes, makes in methods}
    return len({takes for takes, _ in methods}) == len(effects) == len(methods)


def method_of(kinds: int, takes: dict[int, int], makes: dict[int, int]) -> Method:
    """From the numbers of the kinds that are taken and made."""
    sides = [0] * kinds, [0] * kinds
    for side, numbers in zip(sides, (takes, makes), strict=True):
        for kind, number in numbers.items():
            side[kind] = number
    return Method(*map(tuple, sides))


def drawn_kinds(rng: Random, known: Sequence[str], number: int) -> list[str]:
    """Return each of the known kinds of methods, and more of them, the first twice as often."""
    wanted = [*known, *rng.choices([known[0], *known], k=number - len(known))]
    if len(known) > 1:
        rng.shuffle(wanted)
    return wanted


def story_course(
    rng: Random, family: str, wanted: Sequence[str], goods: int, products: int
) -> Course | None:
    """Try to draw different methods that use all goods and products."""
    story = _Story(rng, family, goods, products)
    drawn = [story.method(kind) for kind in wanted]
    rng.shuffle(drawn)  # the first drawn ones are special
    uses_all = not story.untaken and not story.unmade
    return Course(drawn, goods + products) if uses_all and are_different(drawn) else None


def pick(rng: Random, items: Sequence[int]) -> int:
    """Return one of a few items, in half the time of `rng.choice`."""
    return items[int(rng.random() * len(items))]


def some_of(rng: Random, kinds: Sequence[Packed], number: int) -> Sequence[Packed]:
    """Different ones of the kinds; one and all are drawn much faster than samples."""
    if number == 1:
        return [pick(rng, kinds)]
    return kinds if number == len(kinds) else rng.sample(kinds, number)


class _Story:
    """Draws what methods take and make; products come after the goods.

    Methods begin with goods and products that no earlier one had.  The last good and the first
    product come first, because no other methods than those that "make" take and make them.
    """

    def __init__(self, rng: Random, family: str, goods: int, products: int) -> None:
        self.rng, self.family = rng, family
        self.order = UNITS[:goods]
        rng.shuffle(self.order)  # goods are changed only into later ones
        self.products = UNITS[goods : goods + products]
        later = self.products[1:]
        rng.shuffle(later)
        self.untaken, self.unmade = self.order[:], [*later, self.products[0]]

    def method(self, kind: str) -> PackedMethod:
        rng = self.rng
        match kind:
            case "make":
                return self._goods(), self._made()
            case "change":
                at = pick(rng, range(1, len(self.order)))
                taken = self._taken(self.order[:at], pick(rng, range(1, min(2, at) + 1)))
                return self._few(taken), self._few([self.order[at]])
        at = pick(rng, range(1, len(self.products)))
        before, made = self.products[:at], self.products[at]
        _drop(made, self.unmade)
        if kind == "refine":
            taken = [*self._taken(self.order, 1), pick(rng, before)]
            return self._few(taken), self._few([made])
        chosen = some_of(rng, before, pick(rng, range(1, min(2, at) + 1)))
        return (self._few(chosen) if len(chosen) > 1 else 2 * chosen[0]), made

    def _goods(self) -> Packed:
        number = 1
        if self.family != "b":
            number = pick(self.rng, UP_TO_THREE[: 2 * len(self.order) - 1])
        taken = self._taken(self.order, number)
        if number == 1 and self.rng.random() < THREE_ALIKE:
            return 3 * taken[0]
        return self._few(taken)

    def _taken(self, goods: Sequence[Packed], number: int) -> list[Packed]:
        """So many of the goods, the first of which no earlier method takes, if there is one."""
        untaken = [good for good in self.untaken if good in goods]
        taken = [untaken[-1] if untaken else pick(self.rng, goods)]
        if number > 1:
            others = [good for good in goods if good != taken[0]]
            taken += some_of(self.rng, others, number - 1)
        for good in taken:
            _drop(good, self.untaken)
        return taken

    def _made(self) -> Packed:
        rng = self.rng
        first = self.unmade.pop() if self.unmade else pick(rng, self.products)
        made = first * pick(rng, UP_TO_THREE)
        if len(self.products) > 1 and rng.random() < ONE_MORE:
            other = pick(rng, [product for product in self.products if product != first])
            _drop(other, self.unmade)
            made += other * pick(rng, UP_TO_THREE)
        return made

    def _few(self, kinds: Sequence[Packed]) -> Packed:
        return sum([kind * pick(self.rng, ONE_OR_TWO) for kind in kinds])


def _drop(kind: Packed, kinds: list[Packed]) -> None:
    if kind in kinds:
        kinds.remove(kind)
