"""Tidy tower: turn the cubes of a stack until all of them show the same colour.

From PuzzlePlex.  Readings: any higher cube may be held; a turn is 1 to 3 quarters, since 0 and 4 would change nothing;
the game ends as soon as the tower is tidy or the turns are used up, in one answer as well as turn by turn.
The papers' list [cube, quarters, flag] is read too: flag 1 holds the cube right above, and on the top cube it makes no difference.
`variant=published` plays the rule of the released engine, whose prompt said otherwise: only the cube right above can be held,
and the flag is inverted, so that 0 turns the chosen cube alone and 1 turns all above along.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Literal

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Label, Scene, Shape

COLOURS = "RYBG"  # in the order in which quarter turns bring them to the front
FILLS = {"R": "red", "Y": "yellow", "B": "blue", "G": "green"}
TURNED = {quarters: str.maketrans(COLOURS, COLOURS[quarters:] + COLOURS[:quarters]) for quarters in (1, 2, 3)}
TALLEST = 100  # a taller tower has more than 15,000 moves

NUMBER, COMMA = r"([0-9]{1,3})", r"(?: ?, ?| )"
MOVE = re.compile(rf"{NUMBER}{COMMA}{NUMBER}(?:{COMMA}hold ?[:=]? ?{NUMBER})?")
ENTRY = r"\[ ?([0-9]{1,3}) ?, ?([0-9]{1,3}) ?, ?([01]) ?\]"
FLAGGED = re.compile(rf"(?:operation ?[:=] ?)?{ENTRY}")
NAMED_LIST = r"(?:operations? ?[:=] ?)?(?:list\[(?:int|list\[int\])\] ?[:=]? ?)?"
FLAGGED_LIST = re.compile(rf"{NAMED_LIST}\[ ?{ENTRY}(?: ?, ?{ENTRY})*+ ?\]")
STATE = re.compile(r"((?:[rybg] ?)+),? ?(?:turns left:? ?)?([0-9]{1,9})")
HOLDS = {
    "standard": "one of the cubes above it meanwhile: then the held cube and all above that stand still, "
    "and only the chosen cube and those between it and the held one turn",
    "published": "the cube right above it meanwhile, and no other: then only the chosen cube turns",
}
EXAMPLES = {"standard": "`1 1 hold 3` gives R R G Y", "published": "`1 1 hold 2` gives R R B Y"}
FLAGS = {
    "standard": "flag 0 holds nothing, and flag 1 holds the cube right above",
    "published": "flag 0 holds the cube right above, so that only the chosen cube turns, and flag 1 holds nothing",
}
HOW_TO_WRITE = "Write the cube, the quarter turns and perhaps the held cube, for example: 1 1 or 1 1 hold 2"


@dataclass(frozen=True)
class TidyTower(Game):
    cubes: str  # front colours, bottom cube first
    left: int = 20  # turns
    variant: Literal["standard", "published"] = "standard"

    seats = 1
    levels = {"easy": {"height": 6}, "normal": {"height": 10}, "hard": {"height": 16}}
    house = {"easy": "dp", "normal": "dp", "hard": "dp"}
    small = {"easy": "six cubes make 4,092 untidy towers, 287 if colours are renamed and towers stood on their heads"}

    @classmethod
    def new(
        cls, rng: Random, *, height: int = 10, turns: int = 20, variant: Literal["standard", "published"] = "standard"
    ) -> TidyTower:
        """Colours are drawn until the tower is untidy; if the turns are too few for it, steps between cubes are levelled."""
        if not 2 <= height <= TALLEST:
            raise ValueError(f"a tower has 2 to {TALLEST} cubes, not {height}")
        if turns < 1:
            raise ValueError("at least one turn is needed to tidy a tower")
        cubes = COLOURS[0] * height
        while len(set(cubes)) == 1:
            cubes = "".join(rng.choices(COLOURS, k=height))
        tower = cls(cubes, turns, variant)
        while not tower.solvable():
            edge, step = rng.choice([(i, step) for i, step in enumerate(_steps(tower.cubes), start=1) if step])
            tower = replace(tower.after(0, f"{edge} {4 - step}"), left=turns)
        return tower

    def options(self) -> Options:
        if not self.left or _tidy(self.cubes):
            return {}
        height = len(self.cubes)
        return {0: _turns(height, 1 if self.variant == "published" else height)}

    def after(self, seat: Seat, move: Move) -> TidyTower:
        words = move.split()
        cube, end = int(words[0]), int(words[3]) if len(words) > 2 else len(self.cubes)
        turned = self.cubes[cube:end].translate(TURNED[int(words[1])])
        return TidyTower(self.cubes[:cube] + turned + self.cubes[end:], self.left - 1, self.variant)

    def scores(self) -> tuple[float]:
        return (1.0 if _tidy(self.cubes) else 0.0,)

    def ending(self) -> Ending:
        return Ending("goal" if _tidy(self.cubes) else "limit")

    def read(self, seat: Seat, said: str) -> Move:
        plain = _plain(said)
        if found := FLAGGED.fullmatch(plain):
            return self._flagged(*found.groups())
        found = MOVE.fullmatch(plain.strip("()"))
        if not found:
            raise Unreadable(HOW_TO_WRITE)
        cube, quarters, held = found.groups()
        return f"{int(cube)} {int(quarters)}" + (f" hold {int(held)}" if held else "")

    def moves(self, said: str) -> Sequence[Move]:
        plain = _plain(said)
        if FLAGGED_LIST.fullmatch(plain):
            return [self._flagged(*entry) for entry in re.findall(ENTRY, plain)]
        return super().moves(said)

    def _flagged(self, cube: str, quarters: str, flag: str) -> Move:
        """The papers' list as a move."""
        above = int(cube) + 1
        holds = flag == ("0" if self.variant == "published" else "1")
        return f"{int(cube)} {int(quarters)}" + (f" hold {above}" if holds and above < len(self.cubes) else "")

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give all your turns in one answer: one a line in the order they are made, "
            "or all as one list of [cube, quarters, flag] entries, such as [[1, 1, 0], [2, 3, 1]].\n"
            "The tower must become tidy with the last turn and not before, and there may be no more turns than are left."
        )

    def rules(self, language: Language = "en") -> str:
        return (
            "Cubes stand on each other and form a tower; they are numbered from 0 at the bottom. "
            "Only the front side of each cube counts. A quarter turn brings the cube's next colour to the front, "
            "in the order R (red), Y (yellow), B (blue), G (green), and then R again.\n"
            "The tower is tidy when all cubes show the same colour, no matter which.\n"
            f"In a turn you choose a cube and turn it by 1, 2 or 3 quarters. All cubes above it turn along by as much. "
            f"You may hold {HOLDS[self.variant]}.\n"
            "You win as soon as the tower is tidy, and lose if it is not when your turns are used up. "
            "A turn that is not allowed loses, too. The tower is shown with the number of turns left.\n"
            "Write the number of the cube and the quarters, and if you hold a cube the word hold and its number. "
            f"For example, from the tower R G B Y, bottom cube first, `1 1` gives R R G B, and {EXAMPLES[self.variant]}.\n"
            f"A list [cube, quarters, flag] is understood too: {FLAGS[self.variant]}. On the top cube the flag makes no difference."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        fronts = "  ".join(self.cubes)
        return f"The tower from bottom to top:\ncube {_numbers(len(self.cubes))}\nfront  {fronts}\nTurns left: {self.left}"

    def state(self) -> str:
        return f"{self.cubes}, turns left: {self.left}"

    def restate(self, said: str) -> TidyTower:
        found = STATE.fullmatch(_plain(said))
        cubes = found[1].replace(" ", "").upper() if found else ""
        if not found or len(cubes) != len(self.cubes):
            raise Unreadable(
                f"Write the {len(self.cubes)} front colours from bottom to top and the turns left: {COLOURS}..., turns left: 5"
            )
        return replace(self, cubes=cubes, left=int(found[2]))

    def canonical(self) -> Hashable:
        """Which colour shows does not matter, nor the sense of turning, nor which end of the tower is the bottom."""
        steps = _steps(self.cubes)
        back = [-step % 4 for step in steps]
        return self.variant, self.left, tuple(min(steps, back, steps[::-1], back[::-1]))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        height = len(self.cubes)
        shapes: list[Shape] = [Label(0, 0.4, f"{self.left} turns left", anchor="start", size=0.5)]
        clickable = bool(self.options())
        for cube, front in enumerate(self.cubes):
            y = height - cube
            shapes.append(Label(0.4, y + 0.5, str(cube), colour="quiet"))
            shapes.append(Box(0.9, y, 1.6, 1, FILLS[front], front, "ink" if front == "Y" else "paper", 0.6))
            if clickable:
                shapes += [
                    Box(2.1 + 0.8 * quarters, y + 0.15, 0.7, 0.7, text=f"+{quarters}", size=0.35, click=f"{cube} {quarters}")
                    for quarters in TURNED
                ]
            if clickable and cube:
                shapes.append(Box(5.5, y + 0.15, 1.2, 0.7, text="hold", size=0.35, click=f"hold {cube}"))
        return Scene(6.8, height + 1, tuple(shapes))

    def solvable(self) -> bool:
        return _fewest_turns(self.cubes, self.variant) <= self.left

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        return {move: float(self.after(0, move).solvable()) for move in self.options().get(0) or ()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A turn of a shortest solution."""
        fewest = _fewest_turns(self.cubes, self.variant)
        moves = self.options()[0] or ()
        return next(move for move in moves if _fewest_turns(self.after(0, move).cubes, self.variant) < fewest)

    def dp(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: bring each cube on its own to the colour that takes the fewest quarters altogether."""

        def quarters(front: str, colour: str) -> int:
            return (COLOURS.index(colour) - COLOURS.index(front)) % 4

        # a turn saves no other colour more quarters than this one, so the goal stays the same from turn to turn
        goal = min(COLOURS, key=lambda colour: sum(quarters(front, colour) for front in self.cubes))
        cube = next(i for i, front in enumerate(self.cubes) if front != goal)
        hold = f" hold {cube + 1}" if cube + 1 < len(self.cubes) else ""
        return f"{cube} {quarters(self.cubes[cube], goal)}{hold}"

    strategies = {"dp": dp, "oracle": oracle}


@cache
def _turns(height: int, reach: int) -> tuple[Move, ...]:
    """Every turn of a tower whose cubes can be held up to `reach` above the chosen one."""
    return tuple(
        f"{cube} {quarters}{hold}"
        for cube in range(height)
        for quarters in TURNED
        for hold in ("", *(f" hold {held}" for held in range(cube + 1, min(height, cube + reach + 1))))
    )


@cache
def _numbers(height: int) -> str:
    return "".join(f"{cube:>3}" for cube in range(height))


def _plain(said: str) -> str:
    return " ".join(said.casefold().split()).strip(" `*'\".;")


def _tidy(cubes: str) -> bool:
    return cubes == cubes[0] * len(cubes)


def _steps(cubes: str) -> list[int]:
    """By how many quarters each cube is ahead of the one below it; all 0 in a tidy tower."""
    ranks = [COLOURS.index(front) for front in cubes]
    return [(upper - lower) % 4 for lower, upper in pairwise(ranks)]


def _fewest_turns(cubes: str, variant: str) -> int:
    steps = _steps(cubes)
    return _fewest_holding_next(steps) if variant == "published" else _fewest_holding_any(steps)


def _fewest_holding_any(steps: list[int]) -> int:
    """A turn moves quarters from one step to any other, or off the tower: a group that adds up to whole rounds saves one turn."""
    ones, twos, threes = (steps.count(step) for step in (1, 2, 3))
    rest, two = abs(ones - threes), twos % 2
    groups = min(ones, threes) + twos // 2
    groups += 1 + (rest - 2) // 4 if two and rest >= 2 else rest // 4
    return ones + twos + threes - groups


def _fewest_holding_next(steps: list[int]) -> int:
    """A turn moves quarters from one step to the next one up, or off the tower."""
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
