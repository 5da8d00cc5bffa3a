"""Graph coloring: colour the vertices of a graph so that neighbours have different colours.

From FineReason.  Interpretations: instances are connected and have exactly as many colours as the
graph needs (its chromatic number, proven); those that FineReason published may have more than they
need and keep the published number.  Any vertex may be coloured next, with any colour that none of
its neighbours has; a coloured vertex cannot be changed.  A move is legal even if the rest can no
longer be coloured, and the game is lost once a vertex without a colour has none left.

Levels differ in the number of vertices and in `lookahead`: the most moves by which a player must
look ahead to see that a move was wrong, where a third of the vertices has colours of a solution.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import or_
from random import Random
from typing import Annotated, Any

from quandary.algorithms.graphs import Graph
from quandary.core.boards import stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    Implied,
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
from quandary.core.moves import Notation, Number, half_width
from quandary.core.scene import Scene
from quandary.puzzles._shared.reading import read_numbers

from .picture import (
    FILLS,
    MOST_DRAWN,
    OTHER_FILL,
    graph_picture,
    neighbour_table,
    palette,
)
from .solver import coloring as solver
from .solver.coloring import Colouring, Room
from .solver.moves import Moves

TRIES = 500  # graphs drawn before `new` gives up
MOVE_IN_LIST = re.compile(r"[\[(]\s{0,9}[0-9]{1,4}\s{0,9}[,:]\s{0,9}[0-9]{1,4}\s{0,9}[\])]")
LABELS = {"vertex": ("vertices", "node"), "colour": ("color",)}


@dataclass(frozen=True)
class GraphColoring(StateTasks, WholeAnswers, JudgedMoves, Game):
    neighbours: Annotated[
        tuple[tuple[int, ...], ...], Doc("the neighbours of each vertex; vertices count from 0")
    ]
    colours: Annotated[int, Doc("how many colours there are")]
    colouring: Annotated[Colouring, Doc("the colour of each vertex, from 1; 0 for none yet")]

    state_task_version = 1
    seats = 1
    levels = {
        "easy": {"vertices": (7, 9), "colours": (3, 3), "lookahead": (1, 2)},
        "medium": {"vertices": (12, 15), "colours": (3, 4), "lookahead": (3, 4)},
        "hard": {"vertices": (18, 25), "colours": (4, 5), "lookahead": (5, 25)},
    }
    distinct_instances = {
        "easy": InstanceCount(11_900, "graphs of seven vertices are often drawn again", "at least")
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        vertices: Annotated[Range, Between(4, 30)] = (12, 15),
        colours: Annotated[Range, Between(2, 8)] = (3, 4),
        lookahead: Annotated[Range, Between(0)] = (0, 30),
    ) -> GraphColoring:
        """Return a graph without colours; one more edge would need one colour more."""
        if vertices[0] <= colours[1]:
            raise ValueError(f"{vertices[0]} vertices and {colours[1]} colours make no puzzle")
        low, high = lookahead
        for _ in range(TRIES):
            size, count = rng.randint(*vertices), rng.randint(*colours)
            graph = solver.random_graph(rng, size, count)
            if graph and low <= solver.deepest_dead_end(rng, graph, count) <= high:
                return cls(solver.as_lists(graph), count, (0,) * size)
        raise ValueError(f"none of {TRIES} graphs takes looking {low} to {high} moves ahead")

    def options(self) -> Options:
        room = self._room()
        left = [vertex for vertex, colour in enumerate(self.colouring) if not colour]
        has_colours = reduce(or_, room) == sum([1 << vertex for vertex in left])
        return {0: Moves(len(self.colouring), room)} if left and has_colours else {}

    def after(self, seat: Seat, move: Move) -> GraphColoring:
        vertex, colour = map(int, move.split())
        colouring = (*self.colouring[:vertex], colour, *self.colouring[vertex + 1 :])
        return GraphColoring(self.neighbours, self.colours, colouring)

    def scores(self) -> tuple[float]:
        return (float(0 not in self.colouring and self.solvable()),)

    def ending(self) -> Ending:
        return Ending("dead_end" if 0 in self.colouring else "goal")

    def notation(self) -> Notation:
        return _notation(len(self.colouring), self.colours)

    @classmethod
    def level_notation(
        cls, *, vertices: Range = (12, 15), colours: Range = (3, 4), **level: Any
    ) -> Notation:
        return _notation(vertices[1], colours[1])

    def moves(self, text: str) -> Sequence[Move]:
        """Return a whole colouring, one move per line, or a list, read up to one move too many."""
        text = half_width(text)
        listed = MOVE_IN_LIST.findall(text)
        if listed and not MOVE_IN_LIST.sub("", text).strip(" \t\r\n,[]()"):
            return [self.read(0, move) for move in listed[: len(self.colouring) + 1]]
        try:
            return super().moves(text)
        except Unreadable:
            return self._changes(self.restate(text).colouring)

    def _changes(self, colouring: Colouring) -> Implied:
        """Return the moves that lead to a colouring; a vertex that had a colour makes an illegal
        one.
        """
        pairs = enumerate(zip(self.colouring, colouring, strict=True))
        changed = [(vertex, new) for vertex, (old, new) in pairs if old != new]
        if not all(new for _, new in changed):
            raise Unreadable("The list leaves out colours that are already there.")
        return Implied(f"{vertex} {colour}" for vertex, colour in changed)

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write your move as: vertex colour. For example, `{move}` gives vertex 3 the colour 2.",
            move="3 2",
        )

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        if outside := super().why_illegal(seat, move, language):
            return outside
        vertex, colour = map(int, move.split())
        if self.colouring[vertex]:
            return say("Vertex {vertex} already has a colour.", vertex=vertex)
        same = [near for near in self.neighbours[vertex] if self.colouring[near] == colour]
        if not same:
            return ""
        return say("The neighbours {one} and {two} would share a colour.", one=vertex, two=same[0])

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the complete colouring in one answer: a list of the colours of all vertices, "
            "vertex 0 first, such as [1, 2, 1, 2] for four vertices. Alternatively, give your "
            "moves, one per line and nothing else, in the order in which you make them."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        rules = say(
            "A graph consists of vertices, some of which are neighbours of each other. Give every "
            "vertex a colour so that no two neighbours have the same colour. Vertices and colours "
            "are numbers: vertices are numbered from 0, colours from 1. The numbers of vertices "
            "and colours are given with the graph. These colours are enough for the whole graph.\n"
            "On each turn, choose any vertex that has no colour yet, and give it any colour that "
            "none of its neighbours has. A vertex keeps its colour until the end. An illegal move "
            "loses the game at once.\n"
            "You win when all vertices have a colour. You lose as soon as some vertex without a "
            "colour has neighbours of every colour, so plan ahead: a move can be legal and still "
            "make it impossible to colour the rest."
        )
        return say.lines(rules, self.how(language))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, rows = self.say(language), enumerate(str([*near])[1:-1] for near in self.neighbours)
        return say(
            "Vertices: 0 to {last}. Colours: 1 to {colours}.\n"
            "Each vertex and its neighbours:\n{rows}\n"
            "Colours of the vertices so far, vertex 0 first, 0 for no colour yet:\n{state}",
            last=len(self.colouring) - 1,
            colours=self.colours,
            rows="\n".join(f"{vertex}: {near}" for vertex, near in rows),
            state=self.state(),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the graph; a click on a vertex and one on a colour below it make a move."""
        say, moves = self.say(language), self.options().get(0) or ()
        vertices, colours = ({int(move.split()[at]) for move in moves} for at in (0, 1))
        drawn = self.neighbours, self.colouring, vertices
        return stack(
            graph_picture(*drawn) if len(self.neighbours) <= MOST_DRAWN else None,
            neighbour_table(*drawn, say("Rows: a vertex, its colour | its neighbours")),
            palette(self.colours, colours, say("The colours")),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        named = {fill: say("colour {colour}", colour=at) for at, fill in enumerate(FILLS, 1)}
        return named | {OTHER_FILL: say("colours from {colour} on", colour=len(FILLS) + 1)}

    def state_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Below, a position is written as a list of the colours of all vertices, vertex 0 "
            "first; 0 stands for no colour yet."
        )

    def state(self) -> str:
        return str(list(self.colouring))

    def restate(self, text: str) -> GraphColoring:
        numbers = read_numbers(text)
        if numbers is None or len(numbers) != len(self.colouring):
            raise Unreadable(
                "Write a list of {count} numbers: the colour of every vertex in order, 0 for none.",
                count=len(self.colouring),
            )
        return replace(self, colouring=tuple(numbers))

    def equivalent(self, rng: Random) -> GraphColoring:
        """Vertices and colours under other numbers."""
        graph, names = solver.renamed(rng, self._graph(), self.colouring, self.colours)
        return GraphColoring(solver.as_lists(graph), self.colours, names)

    def canonical(self) -> Hashable:
        """Return what is left: vertices without a colour, and the colours that each of them can
        take.
        """
        return self.colours, solver.canonical(self._graph(), self.colouring, self.colours)

    def appearance(self) -> int:
        """Return how many colours were used: with few of them, more is left to choose."""
        return len(set(self.colouring))

    def branches(self) -> Collection[Move]:
        """Return the moves of one vertex, which are enough to search: a first one with the
        fewest.
        """
        moves = Moves(len(self.colouring), self._room()).by_vertex()
        return min(
            (some for some, colour in zip(moves, self.colouring, strict=True) if not colour),
            key=len,
            default=(),
        )

    def leads_to(self, other: GraphColoring) -> bool:
        """Return whether it gives colours to more vertices and breaks no rule: any order is then as
        good.

        The last move may leave a vertex without colours; the game would be over before.
        """
        changed = solver.extended(self._graph(), self.colouring, other.colouring, self.colours)
        return any(other.after(0, f"{vertex} 0").options() for vertex in changed)

    def gaps(self) -> int:
        return self.colouring.count(0)

    def solvable(self) -> bool:
        return self._completion() is not None

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        """Return the worth of each move: 1 if the rest can still be coloured after it,
        otherwise 0.
        """
        worth, known = dict[Move, float](), set[Move]()
        for move in self.options().get(0) or ():
            if move not in known and (full := self.after(0, move)._completion()):
                known.update(self._changes(full))
            worth[move] = float(move in known)
        return worth

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The lowest colour for the first vertex: so FineReason counted its colours."""
        return next(iter(self.options()[0] or ()))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A colour of a solution for a vertex with the fewest left; if lost, any move."""
        moves, full = list(self.branches()), self._completion()
        right = self._changes(full) if full else ()
        return next((move for move in moves if move in right), moves[0])

    strategies = {"greedy": greedy, "oracle": oracle}
    strongest = "optimal"

    def _graph(self) -> Graph:
        return solver.as_bits(self.neighbours)

    def _room(self) -> Room:
        return solver.room_for(self._graph(), self.colouring, self.colours)

    def _completion(self) -> Colouring | None:
        return solver.completion(self._graph(), self.colouring, self.colours)


@cache
def _notation(vertices: int, colours: int) -> Notation:
    vertex, colour = Number(0, vertices - 1), Number(1, colours)
    return Notation("{vertex} {colour}", labels=LABELS, vertex=vertex, colour=colour)
