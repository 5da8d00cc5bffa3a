"""Tidy tower: random towers, and the fewest turns to one that shows a single colour.

A step is the number of quarter turns by which a cube is ahead of the cube below it, from 0 to 3.
A tower is tidy when all its steps are 0.  A turn changes the step below the chosen cube and, where
a cube is held, the step below the held cube by the opposite amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

from quandary.core.contract import Move


def random_tower(rng: Random, height: int, colours: str, turns: int, *, hold_any: bool) -> str:
    """Return a random untidy tower, with steps removed if the turns are too few for it."""
    ranks = [0] * height
    while len(set(ranks)) == 1:
        ranks = rng.choices(range(4), k=height)
    while fewest_turns(steps := steps_between(ranks), hold_any=hold_any) > turns:
        edge, step = rng.choice([(edge, step) for edge, step in enumerate(steps, 1) if step])
        ranks[edge:] = [(rank - step) % 4 for rank in ranks[edge:]]
    return "".join(colours[rank] for rank in ranks)


def ranks_of(cubes: str, colours: str) -> list[int]:
    """Return the places of front colours in the order of turning."""
    return [colours.index(front) for front in cubes]


def steps_between(ranks: Sequence[int]) -> list[int]:
    """Return the steps of a tower."""
    return [(upper - lower) % 4 for lower, upper in pairwise(ranks)]


def fewest_turns(steps: Sequence[int], *, hold_any: bool) -> int:
    """Return the fewest turns if any higher cube can be held, or only the one directly above."""
    return _fewest_holding_any(steps) if hold_any else _fewest_holding_next(steps)


def quarters_between(cubes: str, goal: str, colours: str) -> list[int]:
    """Return the quarter turns that bring each cube to its colour in another tower."""
    ranks, wanted = ranks_of(cubes, colours), ranks_of(goal, colours)
    return [(there - here) % 4 for here, there in zip(ranks, wanted, strict=True)]


def turns_for(quarters: Sequence[int], *, hold_any: bool) -> int:
    """Return the fewest turns that rotate each cube by its quarters.

    The bottom cube counts too, so it stands on one that needs no turning.
    """
    return fewest_turns(steps_between([0, *quarters]), hold_any=hold_any)


def turn_for(quarters: Sequence[int]) -> Move:
    """Return the one turn that rotates each cube by its quarters; "" if it takes none, or
    several.
    """
    turned = [cube for cube, number in enumerate(quarters) if number]
    if not turned or len(set(quarters[turned[0] : turned[-1] + 1])) > 1:
        return ""
    return _turn(turned[0], quarters[turned[0]], turned[-1] + 1, len(quarters))


def quarters_to_nearest(ranks: Sequence[int]) -> list[int]:
    """Return the quarter turns that bring each cube to the colour that needs the fewest altogether.

    No other colour gains more from such a turn, so the colour stays the same from turn to turn.
    """
    return min(([(goal - rank) % 4 for rank in ranks] for goal in range(4)), key=sum)


def single_turn(cubes: str, colours: str) -> Move:
    """Brings the lowest cube of another colour to that colour, and holds the cube above it."""
    quarters = quarters_to_nearest(ranks_of(cubes, colours))
    cube = next(cube for cube, number in enumerate(quarters) if number)
    return _turn(cube, quarters[cube], cube + 1, len(cubes))


def _turn(cube: int, quarters: int, held: int, height: int) -> Move:
    """Return a turn; the cube after the top one cannot be held."""
    return f"{cube} {quarters} hold {held}" if held < height else f"{cube} {quarters}"


def least_image(steps: Sequence[int]) -> tuple[int, ...]:
    """Equal for towers that differ in colours, in the direction of turning, or upside down."""
    there, back = tuple(steps), tuple(-step % 4 for step in steps)
    return min(there, back, there[::-1], back[::-1])


def random_image(rng: Random, cubes: str, colours: str) -> str:
    """Return the tower with other colours, which may come in the other order, perhaps
    upside down.
    """
    first, direction, end = rng.randrange(4), rng.choice((1, -1)), rng.choice((1, -1))
    names = str.maketrans(colours, (colours[first:] + colours[:first])[::direction])
    return cubes[::end].translate(names)


@cache
def all_turns(height: int, reach: int) -> tuple[Move, ...]:
    """Return every turn of a tower whose cubes can be held up to `reach` above the chosen one."""

    def holds(cube: int) -> list[str]:
        above = range(cube + 1, min(height, cube + reach + 1))
        return ["", *(f" hold {held}" for held in above)]

    cubes, quarters = range(height), (1, 2, 3)
    return tuple(f"{cube} {n}{hold}" for cube in cubes for n in quarters for hold in holds(cube))


def _fewest_holding_any(steps: Sequence[int]) -> int:
    """Return the fewest turns if a turn moves quarters from one step to any other, or off the
    tower.

    One turn per step that is not 0 is enough, and each group of steps that adds up to whole rounds
    saves one turn.
    """
    ones, twos, threes = (steps.count(step) for step in (1, 2, 3))
    rest, two = abs(ones - threes), twos % 2
    groups = min(ones, threes) + twos // 2
    groups += 1 + (rest - 2) // 4 if two and rest >= 2 else rest // 4
    return ones + twos + threes - groups


def _fewest_holding_next(steps: Sequence[int]) -> int:
    """Return the fewest turns if a turn moves quarters from one step to the next one up, or off."""
    fewest = {0: 0}  # quarters moved up to the step at hand -> turns so far
    for step in steps:
        after: dict[int, int] = {}
        for moved_up, turns in fewest.items():
            here = (step + moved_up) % 4
            turns += here > 0
            for onward in (0, here):
                after[onward] = min(turns, after.get(onward, turns))
        fewest = after
    return min(fewest.values())
