"""Path movement: a piece walks over a grid by commands, around its edges, perhaps into a trap.

From LogicGame, with its sizes and its two meanings of the four commands.  In the last level a cell
is a trap.  The paper does not say how the grid shows a piece in the trap; here the piece covers it.
At levels 2 and 3 every walk crosses an edge.  At level 3 about half of the walks end in the trap:
the last command but one leads into it, so the piece moves as often as at level 2, and one more
command comes too late.  The others pass close by it, so the trap does not tell where a walk ends.
Walks that are alike when the grid is turned or mirrored count as one.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Self

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
    places_of,
    shown,
    stepped,
    with_cells,
    written,
)

COMMANDS = {
    "a": {"i": "up", "j": "left", "k": "down", "l": "right"},
    "b": {"i": "up", "j": "down", "k": "left", "l": "right"},
}
EMPTY, PIECE, TRAP = "A", "B", "X"
FEW = "few walks on a small grid, which can be turned and mirrored"


@dataclass(frozen=True)
class PathMovement(Worked):
    grid: Annotated[Board[str], Doc("the rows of the grid before the first command")]
    commands: Annotated[str, Doc("the letters of the commands in order")]

    version = 3
    families = {
        "a": "i, j, k, l are up, left, down, right",
        "b": "i, j, k, l are up, down, left, right",
    }
    sizes = {
        family: grown(size=(2, 4, 7, 7), commands=(1, 5, 5, 6), trap=(False, False, False, True))
        for family in "ab"
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        level + family: InstanceCount(number if family else 2 * number, FEW)
        for level, number in {"0": 2, "1": 2_048, "2": 2_746, "3": 38_841}.items()
        for family in ("", ",family=a", ",family=b")
        if level + family != "3"  # both families together have enough
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, 12)],
        commands: Annotated[int, Between(1, 30)],
        trap: bool,
    ) -> Self | None:
        start = (rng.randrange(size), rng.randrange(size))
        plain = with_cells(((EMPTY,) * size,) * size, {start: PIECE})
        made = cls(family, level, plain, "".join(rng.choices("ijkl", k=commands)))
        if trap:
            reached, missed = made._trap_places()
            if not reached or not missed:
                return None
            place = rng.choice(reached if rng.random() < 0.5 else missed)
            made = replace(made, grid=with_cells(plain, {place: TRAP}))
        return made if level < 2 or made.uses_every_rule() else None

    def redraw(self, rng: Random, **sizes: Any) -> Self | None:
        """With a trap where this one has one, of which its rules speak."""
        return super().redraw(rng, **{**sizes, "trap": self._has_trap})

    def _trap_places(self) -> tuple[Sequence[Place], Sequence[Place]]:
        """Return where a trap is reached as late as a command can come after it, and where it is
        missed.

        An early trap would end the walk.  Missed ones are next to the places before and after the
        late one: as far from the start, so the distance does not tell whether a trap is reached.
        """
        (start,), size = places_of(self.grid, PIECE), (len(self.grid), len(self.grid[0]))
        way = [start, *self._walked()]
        *before, late = way[: max(2, len(way) - 1)]
        directions = COMMANDS[self.family].values()
        near = {walked(place, [one], size)[0] for place in way[-3::2] for one in directions}
        return [] if late in before else [late], sorted(near.difference(way))

    @property
    def _has_trap(self) -> bool:
        return bool(places_of(self.grid, TRAP))

    def rules_in_play(self) -> Sequence[Hashable]:
        """Return the trap only where it is reached: one that is missed changes nothing."""
        return ("edge", "trap") if self._walked("trap") != self._walked() else ("edge",)

    def uses_every_rule(self) -> bool:
        """Told by the ways alone, because drawing all their grids takes long."""
        way = self._walked()
        return all(self._walked(rule) != way for rule in self.rules_in_play())

    def work(self, without: Hashable = None) -> Work:
        (start,) = places_of(self.grid, PIECE)
        left = with_cells(self.grid, {start: EMPTY})
        way = self._walked(without)
        return Work.of_steps(written(with_cells(left, {place: PIECE})) for place in way)

    def _walked(self, without: Hashable = None) -> list[Place]:
        """Return where the piece stands after each command."""
        (start,), size = places_of(self.grid, PIECE), (len(self.grid), len(self.grid[0]))
        directions = [COMMANDS[self.family][command] for command in self.commands]
        traps = () if without == "trap" else places_of(self.grid, TRAP)
        return walked(start, directions, size, traps, joined=without != "edge")

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "The piece B stands in one cell of a grid. The letter A marks an empty cell. "
                "Commands are carried out one after the other, from left to right."
            ),
            say("The command i moves B up, j left, k down, l right, each by one cell.")
            if self.family == "a"
            else say("The command i moves B up, j down, k left, l right, each by one cell."),
            say(
                "If a move would take B off the grid, B re-enters at the opposite edge, in the "
                "same row or column: up from the top row leads to the bottom row, left from the "
                "first column leads to the last column, and vice versa. The cell that B leaves "
                "becomes an empty cell A."
            ),
            self._has_trap
            and say(
                "The letter X is a trap, which does not move. Once B reaches the cell of X, it "
                "stays there, and all further commands change nothing. The grid then shows B in "
                "that cell and no X; before that, it shows both B and X."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the grid after the last command, as a list of rows from top to bottom, each of "
                "them a list of letters written as strings, from left to right."
            ),
            say(
                "the list of the grids after each command, in order, each written in the same way, "
                "one entry per command; a grid that does not change is listed again. The grid "
                "before the first command is not included."
            ),
            Work.of_steps([[["A", "B", "A"], ["A", "A", "A"]], [["A", "A", "A"], ["A", "B", "A"]]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        commands = say("Commands: {commands}", commands=self.commands)
        return say.lines(say("The grid:"), shown(self.grid), commands)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say, fills = self.say(language), {PIECE: "mark", TRAP: "quiet"}
        cells = [[Cell(letter, fills.get(letter)) for letter in row] for row in self.grid]
        commands = say("Commands: {commands}", commands=self.commands)
        return stack(board(cells), captions(commands, width=max(len(cells), 5)))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the piece that moves"), "quiet": say("the trap")}

    def equivalent(self, rng: Random) -> Self:
        return self._laid(rng.choice(IMAGES))

    def canonical(self) -> Hashable:
        images = map(self._laid, IMAGES)
        return self.family, self.asks_process, min((one.grid, one.commands) for one in images)

    def _laid(self, image: Image) -> Self:
        commands = image.commands(self.commands, COMMANDS[self.family])
        return replace(self, grid=image.board(self.grid), commands=commands)


def walked(
    start: Place,
    directions: Iterable[str],
    size: tuple[int, int],
    traps: Collection[Place] = (),
    *,
    joined: bool = True,
) -> list[Place]:
    """Return where a piece stands after each step on a board of so many rows and columns.

    A piece in a trap stays there.  If the edges are not joined, a step off the board does nothing.
    """
    (rows, columns), place, way = size, start, list[Place]()
    for direction in directions:
        if place not in traps:
            row, column = stepped(place, direction)
            if joined or (0 <= row < rows and 0 <= column < columns):
                place = row % rows, column % columns
        way.append(place)
    return way
