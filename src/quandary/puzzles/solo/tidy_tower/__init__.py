"""Tidy tower: turn the cubes of a stack until all of them show the same colour.

From PuzzlePlex.  Interpretations: any higher cube may be held; a turn is 1 to 3 quarters, since 0
and 4 would change nothing; the game ends as soon as the tower is tidy or the turns are used up.
The papers' list [cube, quarters, flag] is read too: flag 1 holds the cube directly above.
`variant=published` follows the released code, which differs from its prompt: only the cube directly
above can be held, and the flag is inverted.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
    StateTasks,
    WholeAnswers,
)
from quandary.core.errors import Unreadable
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import say_in
from quandary.puzzles._shared.reading import plain_text

from . import solver

Variant: TypeAlias = Literal["standard", "published"]

COLOURS = "RYBG"  # in the order in which quarter turns bring them to the front
FILLS = {"R": "red", "Y": "yellow", "B": "blue", "G": "green"}
TURNED = {n: str.maketrans(COLOURS, COLOURS[n:] + COLOURS[:n]) for n in (1, 2, 3)}
SIZE = (1.25, 1.0)  # of a cell in the picture
TALLEST = 100  # a taller tower has more than 15,000 moves

ENTRY = r"\[ ?([0-9]{1,3}) ?, ?([0-9]{1,3}) ?, ?([01]) ?\]"
FLAGGED = re.compile(rf"(?:operation ?[:=] ?)?{ENTRY}")
NAMED_LIST = r"(?:operations? ?[:=] ?)?(?:list\[(?:int|list\[int\])\] ?[:=]? ?)?"
FLAGGED_LIST = re.compile(rf"{NAMED_LIST}\[ ?{ENTRY}(?: ?, ?{ENTRY})*+ ?\]")
STATE = re.compile(r"((?:[rybg] ?)+)[,，]? ?(?:(?:turns left|剩余步数)[:：]? ?)?([0-9]{1,9})")


@dataclass(frozen=True)
class TidyTower(StateTasks, WholeAnswers, JudgedMoves, Game):
    cubes: Annotated[str, Doc("the front colours of the cubes, the bottom cube first")]
    left: Annotated[int, Doc("how many turns are left")] = 20
    variant: Annotated[
        Variant, Doc("which rules hold: standard, or published as in the paper's code")
    ] = "standard"

    version = 2
    state_task_version = 1
    seats = 1
    levels = {"easy": {"height": 6}, "normal": {"height": 10}, "hard": {"height": 16}}
    house = {"easy": "dp", "normal": "dp", "hard": "dp"}
    distinct_instances = {
        "easy": InstanceCount(287, "4,092 towers; other colours or upside down count as one")
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        height: Annotated[int, Between(2, TALLEST)] = 10,
        turns: Annotated[int, Between(1)] = 20,
        variant: Variant = "standard",
    ) -> TidyTower:
        """Return a random untidy tower, with steps removed if the turns are too few for it."""
        hold_any = variant == "standard"
        cubes = solver.random_tower(rng, height, COLOURS, turns, hold_any=hold_any)
        return cls(cubes, turns, variant)

    def options(self) -> Options:
        if not self.left or self._is_tidy():
            return {}
        height = len(self.cubes)
        return {0: solver.all_turns(height, 1 if self.variant == "published" else height)}

    def after(self, seat: Seat, move: Move) -> TidyTower:
        words = move.split()
        cube, end = int(words[0]), int(words[3]) if len(words) > 2 else len(self.cubes)
        turned = self.cubes[cube:end].translate(TURNED[int(words[1])])
        cubes = self.cubes[:cube] + turned + self.cubes[end:]
        return TidyTower(cubes, self.left - 1, self.variant)

    def scores(self) -> tuple[float]:
        return (1.0 if self._is_tidy() else 0.0,)

    def ending(self) -> Ending:
        return Ending("goal" if self._is_tidy() else "limit")

    def notation(self) -> Notation:
        return _notation(len(self.cubes))

    @classmethod
    def level_notation(cls, *, height: int = 10, **level: Any) -> Notation:
        return _notation(height)

    def read(self, seat: Seat, text: str) -> Move:
        found = FLAGGED.fullmatch(plain_text(text, ";"))
        return self._flagged(*found.groups()) if found else super().read(seat, text)

    def moves(self, text: str) -> Sequence[Move]:
        plain = plain_text(text, ";")
        if FLAGGED_LIST.fullmatch(plain):
            return [self._flagged(*entry) for entry in re.findall(ENTRY, plain)]
        return super().moves(text)

    def _flagged(self, cube: str, quarters: str, flag: str) -> Move:
        """Return the papers' list as a move."""
        above = int(cube) + 1
        holds = flag == ("0" if self.variant == "published" else "1")
        hold = f" hold {above}" if holds and above < len(self.cubes) else ""
        return f"{int(cube)} {int(quarters)}{hold}"

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write the number of the cube and the number of quarter turns; if you hold a cube, "
            "add the word hold and the number of the held cube, for example: 0 2, or: 0 2 hold 1"
        )

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give all your turns in one answer: one per line in the order they are made, or all of "
            "them as one list of [cube, quarters, flag] entries, such as [[1, 1, 0], [2, 3, 1]].\n"
            "The tower must become tidy with the last turn and not before, and you may not make "
            "more turns than are left."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Cubes stand on top of each other and form a tower; they are numbered from 0 at "
                "the bottom. Only the front side of each cube counts. A quarter turn brings the "
                "next colour of a cube to the front, in the order R (red), Y (yellow), B (blue), "
                "G (green), and then R again.\n"
                "The tower is tidy when all cubes show the same colour, no matter which.\n"
                "In each turn you choose a cube and rotate it by 1, 2 or 3 quarter turns. All "
                "cubes above it rotate with it by the same amount, unless you hold a cube."
            ),
            self._hold_rules(language),
            say(
                "You win as soon as the tower is tidy, and lose if it is not tidy when your turns "
                "are used up. A turn that is not allowed also loses. The number of turns left is "
                "shown with the tower."
            ),
            self.how(language),
        )

    def _hold_rules(self, language: Language) -> str:
        """Return what holding a cube does, an example of it, and the papers' flag for it."""
        say = self.say(language)
        if self.variant == "published":
            return say(
                "You may hold the cube directly above the chosen one, and no other: then only the "
                "chosen cube rotates.\n"
                "For example, from the tower R G B Y, bottom cube first, `1 1` gives R R G B, and "
                "`1 1 hold 2` gives R R B Y.\n"
                "A list [cube, quarters, flag] is accepted too: flag 0 holds the cube directly "
                "above, so that only the chosen cube rotates, and flag 1 holds no cube. On the top "
                "cube the flag makes no difference."
            )
        return say(
            "You may hold any one of the cubes above the chosen one: then the held cube and all "
            "cubes above it stay still, and only the chosen cube and those between it and the held "
            "cube rotate.\n"
            "For example, from the tower R G B Y, bottom cube first, `1 1` gives R R G B, and "
            "`1 1 hold 3` gives R R G Y.\n"
            "A list [cube, quarters, flag] is accepted too: flag 0 holds no cube, and flag 1 holds "
            "the cube directly above. On the top cube the flag makes no difference."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        before, after = _words_around(language, len(self.cubes), self.left)
        return f"{before}  {'  '.join(self.cubes)}\n{after}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say, clickable = self.say(language), bool(self.options())
        hold = say("hold")

        def row(cube: int, front: str) -> list[Cell]:
            at = {"cube": str(cube)}
            turns = [Cell(f"+{n}", click=at | {"quarters": str(n)}) for n in TURNED]
            holds = [Cell(hold, click={"held": str(cube)})] if cube else []
            return [Cell(front, FILLS[front]), *(turns + holds if clickable else [])]

        rows = [row(cube, front) for cube, front in enumerate(self.cubes)]
        names = [str(cube) for cube in range(len(rows))]
        left = say("{left} {left:turn|turns} left", left=self.left)
        return stack(captions(left, size=0.5), board(rows[::-1], row_names=names[::-1], size=SIZE))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "red": say("the front of the cube is R"),
            "yellow": say("the front of the cube is Y"),
            "blue": say("the front of the cube is B"),
            "green": say("the front of the cube is G"),
            "mark": say("the quarter turns you can make, and the cubes you can hold"),
        }

    def state_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Below, a tower is written as its front colours from bottom to top and the number of "
            "turns left."
        )

    def state(self) -> str:
        return f"{self.cubes}, {self.left}"

    def restate(self, text: str) -> TidyTower:
        found, height = STATE.fullmatch(plain_text(text, ";")), len(self.cubes)
        cubes = found[1].replace(" ", "").upper() if found else ""
        if not found or len(cubes) != height:
            raise Unreadable(
                "Write the {height} front colours from bottom to top and the turns left, for "
                "example: {example}",
                height=height,
                example=f"{(COLOURS * height)[:height]}, 5",
            )
        return replace(self, cubes=cubes, left=int(found[2]))

    def equivalent(self, rng: Random) -> TidyTower:
        return replace(self, cubes=solver.random_image(rng, self.cubes, COLOURS))

    def appearance(self) -> str:
        """Return the colours: a tower with many cubes of one colour is rarely far from tidy."""
        return "".join(sorted(self.cubes))

    def canonical(self) -> Hashable:
        return self.variant, self.left, solver.least_image(self._steps())

    def leads_to(self, other: TidyTower) -> bool:
        """Any number of turns is possible from the fewest on: a turn can be made in two parts."""
        ahead = solver.quarters_between(self.cubes, other.cubes, COLOURS)
        fewest = solver.turns_for(ahead, hold_any=self.variant == "standard")
        return bool(self.options()) and self.left - other.left >= (fewest or 2)

    def move_to(self, other: TidyTower) -> Move | None:
        turn = solver.turn_for(solver.quarters_between(self.cubes, other.cubes, COLOURS))
        is_next = other.left == self.left - 1 and turn in (self.options().get(0) or ())
        return turn if is_next else None

    def solvable(self) -> bool:
        return self._fewest_turns() <= self.left

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        return {move: float(self.after(0, move).solvable()) for move in self.options().get(0) or ()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A turn of a shortest solution."""
        fewest, moves = self._fewest_turns(), self.options()[0] or ()
        return next(move for move in moves if self.after(0, move)._fewest_turns() < fewest)

    def dp(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: turns single cubes to the colour that needs the fewest turns."""
        return solver.single_turn(self.cubes, COLOURS)

    strategies = {"dp": dp, "oracle": oracle}
    strongest = "optimal"

    def _is_tidy(self) -> bool:
        return self.cubes == self.cubes[0] * len(self.cubes)

    def _steps(self) -> list[int]:
        return solver.steps_between(solver.ranks_of(self.cubes, COLOURS))

    def _fewest_turns(self) -> int:
        return solver.fewest_turns(self._steps(), hold_any=self.variant == "standard")


@cache
def _notation(height: int) -> Notation:
    return Notation(
        "{cube} {quarters}[ hold {held}]",
        labels={"quarters": ("quarter", "quarter turn", "quarter turns", "turns")},
        cube=Number(0, height - 1),
        quarters=Number(1, 3),
        held=Number(1, height - 1),
    )


@lru_cache(maxsize=1 << 12)
def _words_around(language: Language, height: int, left: int) -> tuple[str, str]:
    """Return the words before and after the colours in `text`, cached for all turns."""
    say = say_in(__name__, language)
    cubes = "".join(f"{cube:>3}" for cube in range(height))
    before = say("The tower from bottom to top:\ncube {cubes}\nfront", cubes=cubes)
    return before, say("Turns left: {left}", left=left)
