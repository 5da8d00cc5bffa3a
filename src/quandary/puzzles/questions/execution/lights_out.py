"""Lights out: buttons are pressed, and the lamps that they control change.

From LogicGame, with its sizes.  Nothing is to be found: the presses are given, and the lamps after
each round are asked for.  Where there are two buttons or more, some lamp is changed twice in a
round.  The last grid always differs from the first one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_uppercase
from typing import Annotated, Self

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import (
    IMAGES,
    Board,
    Image,
    Place,
    board_of,
    places,
    shown,
    trace,
    with_cells,
    written,
)

STATES = {"a": (0, 1), "b": (1, 2, 3)}
FILLS = {"a": (None, "yellow"), "b": ("red", "green", "blue")}
SIZES = grown(size=(2, 3, 4, 5), buttons=(1, 1, 2, 3), rounds=(1, 1, 2, 3))
FEW = "one button on 2 x 2 cells"


@dataclass(frozen=True)
class LightsOut(Worked):
    grid: Annotated[tuple[tuple[int, ...], ...], Doc("the states of the lamps, row by row")]
    buttons: Annotated[
        tuple[tuple[Place, ...], ...],
        Doc("the lamps that A, B, ... change, as row and column from 0"),
    ]
    rounds: Annotated[
        tuple[str, ...], Doc("the letters of the buttons that are pressed in each round")
    ]

    version = 2
    families = {
        "a": "lamps that go on and off",
        "b": "lamps of three colours",
    }
    sizes = {"a": SIZES, "b": SIZES}
    distinct_instances = {
        "0": InstanceCount(109, FEW),
        "0,family=a": InstanceCount(31, FEW),
        "0,family=b": InstanceCount(78, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, 12)],
        buttons: Annotated[int, Between(1, 12)],
        rounds: Annotated[int, Between(1, 12)],
    ) -> Self | None:
        grid = tuple(tuple(rng.choices(STATES[family], k=size)) for _ in range(size))
        cells, most = list(places(grid)), min(size * size - 1, size + 3)
        lamps = (rng.sample(cells, rng.randint(min(3, size), most)) for _ in range(buttons))
        names = ascii_uppercase[:buttons]
        presses = (rng.sample(names, rng.randint(1, min(2, buttons))) for _ in range(rounds))
        laid = tuple(tuple(sorted(places)) for places in lamps)
        made = cls(family, level, grid, laid, tuple(map("".join, presses)))
        is_changed = made.work().answer != written(grid)
        return made if is_changed and made.uses_every_rule() else None

    def rules_in_play(self) -> Sequence[Hashable]:
        twice = ("twice",) if len(self.buttons) > 1 else ()
        return (*ascii_uppercase[: len(self.buttons)], *twice, *(("cycle",) * (self.family == "b")))

    def work(self, without: Hashable = None) -> Work:
        def pressed(grid: Board[int], names: str) -> Board[int]:
            lamps = [lamp for name in names if name != without for lamp in self._lamps(name)]
            changed = dict[Place, int]()
            for row, column in dict.fromkeys(lamps) if without == "twice" else lamps:
                state = changed.get((row, column), grid[row][column])
                changed[row, column] = _changed(self.family, state, without)
            return with_cells(grid, changed)

        return Work.of_steps(map(written, trace(self.grid, self.rounds, pressed)))

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "In each cell of a square grid there is a lamp: 1 is a lamp that is on, 0 is one "
                "that is off. Each button controls some of the lamps. Pressing a button switches "
                "each of its lamps once: from off to on, or from on to off. All other lamps stay "
                "as they are."
            )
            if self.family == "a"
            else say(
                "In each cell of a square grid there is a lamp of some colour: 1 is red, 2 is "
                "green, 3 is blue. Each button controls some of the lamps. Pressing a button "
                "changes the colour of each of its lamps once: red (1) becomes green (2), green "
                "(2) becomes blue (3), and blue (3) becomes red (1). All other lamps stay as they "
                "are."
            ),
            say(
                "In each round, the buttons that are listed for it are pressed, each of them once; "
                "a lamp that several of them control changes once for each of them. A lamp is "
                "written (row,column): rows count from the top, columns from the left, both from 1."
            ),
        )

    def words(self, say: Say) -> Words:
        one, *_, other = map(str, STATES[self.family])
        return Words(
            say(
                "the grid after the last round, as a list of rows from top to bottom, each of them "
                "a list of strings with one digit each, from left to right."
            ),
            say(
                "the list of the grids after each round, in order, each written in the same way: "
                "one grid per round, however many buttons are pressed in it. The grid before the "
                "first round is not included; the grid after the last round is."
            ),
            Work.of_steps([[[one, one], [other, one]], [[one, other], [other, one]]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        first = say("The grid before the first round:")
        return say.lines(first, shown(self.grid), *self._presses(say))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        states, fills = STATES[self.family], FILLS[self.family]
        cells = [
            [Cell(str(state), fills[states.index(state)]) for state in row] for row in self.grid
        ]
        presses = self._presses(self.say(language))
        return stack(board(cells, first=1), captions(*presses, width=8, indent="  "))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        if self.family == "a":
            return {"yellow": say("lamps that are on")}
        return {"red": say("red lamps"), "green": say("green lamps"), "blue": say("blue lamps")}

    def equivalent(self, rng: Random) -> Self:
        """Turned or mirrored, its buttons renamed and pressed in another order."""
        laid = self._laid(rng.choice(IMAGES))
        names = ascii_uppercase[: len(self.buttons)]
        order = "".join(rng.sample(names, len(names)))  # the old names, in order of the new ones
        renamed = str.maketrans(order, names)
        presses = ("".join(rng.sample(names, len(names))) for names in self.rounds)
        return replace(
            laid,
            buttons=tuple(laid._lamps(name) for name in order),
            rounds=tuple(names.translate(renamed) for names in presses),
        )

    def canonical(self) -> Hashable:
        """Buttons without names: what they control stands for them."""
        return self.family, min(
            (
                one.grid,
                tuple(sorted(one.buttons)),
                tuple(tuple(sorted(map(one._lamps, names))) for names in one.rounds),
            )
            for one in map(self._laid, IMAGES)
        )

    def _lamps(self, name: str) -> tuple[Place, ...]:
        return self.buttons[ascii_uppercase.index(name)]

    def _presses(self, say: Say) -> list[str]:
        """Return the buttons and the rounds, a line each."""
        lines = []
        for name, lamps in zip(ascii_uppercase, self.buttons, strict=False):
            cells = say.list([f"({row + 1},{column + 1})" for row, column in lamps])
            lines.append(say("Button {name} controls {cells}", name=name, cells=cells))
        for number, names in enumerate(self.rounds, start=1):
            lines.append(say("Round {number}: {names}", number=number, names=say.list(names)))
        return lines

    def _laid(self, image: Image) -> Self:
        size = len(self.grid)
        buttons = (sorted(image.place(lamp, size) for lamp in lamps) for lamps in self.buttons)
        return replace(self, grid=image.board(self.grid), buttons=board_of(buttons))


def _changed(family: str, state: int, without: Hashable = None) -> int:
    if family == "a":
        return 1 - state
    return min(3, state + 1) if without == "cycle" else state % 3 + 1
