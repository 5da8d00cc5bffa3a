"""Max maximal cocktails: two players make drugs clash in turn, and the maximal cocktails must not become fewer.

From PuzzlePlex.  Readings: maximal means that no drug can be added, not that no cocktail is larger (`counted=maximum` is that
other game: from the start it only ever allows clashes of two drugs that have none); no drug clashes with itself;
a clash that leaves fewer cocktails is not allowed, and a player without an allowed clash loses at once.
The papers begin without clashes; a hard match has begun already, so that starts differ.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Scene
from quandary.families.cocktails import KIND, MEANING, picture
from quandary.kit.alphabeta import alphabeta
from quandary.kit.reading import outside_brackets
from quandary.solvers.cocktails import (
    ClashSearch,
    Counted,
    Edge,
    Position,
    complete_search,
    counted_cocktails,
    graph_of,
    invariant,
    maximal,
    safe_edges,
)

MOST_DRUGS = 20
SOLVED = 8  # as many drugs make 12,346 graphs: few enough to look at all that matter, once and for all
JUDGED = 2_000  # positions a verdict on more drugs may cost
TOO_OPEN = 30  # allowed moves beyond which such a verdict is out of reach
HOW_TO_WRITE = "Write the two drugs that shall clash, for example: 1 2"
NUMBER = re.compile(r"(?<![\d.])-?[0-9]{1,9}(?!\d|\.\d)")
DASH = re.compile(r"(?<=[0-9])(?:[-–—]|\s{1,9}[-–—]\s{1,9})(?=[0-9])")  # not the sign of a number
PAIR = re.compile(r"[(\[{]\s{0,9}([0-9]{1,9})\s{0,9}[,;\s]\s{0,9}([0-9]{1,9})\s{0,9}[)\]}]")


@dataclass(frozen=True)
class MaxMaximalCocktails(Game):
    drugs: int  # numbered from 1
    edges: tuple[tuple[int, int], ...] = ()  # the drugs that clash, the lower one first, in order
    counted: Counted = "maximal"
    turn: Seat = 0
    last: tuple[int, int] | None = None  # the clash added last

    levels = {"easy": {"drugs": (4, 8)}, "normal": {"drugs": (8, 12)}, "hard": {"drugs": (10, 14), "begun": (6, 10)}}
    house = {"easy": "random", "normal": "brute_force", "hard": "oracle"}
    small = dict.fromkeys(("easy", "normal"), "5: a match begins without clashes, so that only the number of drugs differs")

    @classmethod
    def new(
        cls, rng: Random, *, drugs: tuple[int, int] = (4, 8), begun: tuple[int, int] = (0, 0), counted: Counted = "maximal"
    ) -> MaxMaximalCocktails:
        """A match without clashes, or with some that allowed moves by luck have made; there is always a move left."""
        if not 2 <= drugs[0] <= drugs[1] <= MOST_DRUGS or begun[0] < 0:
            raise ValueError(f"there are 2 to {MOST_DRUGS} drugs, and a match cannot have begun with fewer than 0 clashes")
        start = cls(rng.randint(*drugs), counted=counted)
        for _ in range(rng.randint(*begun)):
            after = start.after(0, rng.choice(start._moves()))
            if not after._moves():
                break
            start = after
        return cls(start.drugs, start.edges, counted)

    def options(self) -> Options:
        moves = self._moves()
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> MaxMaximalCocktails:
        one, other = move.split()
        edge, edges = (int(one), int(other)), list(self.edges)
        insort(edges, edge)
        return MaxMaximalCocktails(self.drugs, tuple(edges), self.counted, 1 - seat, edge)

    def scores(self) -> tuple[float, float]:
        """Whoever is to move when no clash is allowed has lost."""
        if self._moves():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move")

    def read(self, seat: Seat, said: str) -> Move:
        pairs, numbers = PAIR.findall(said), NUMBER.findall(DASH.sub(" ", outside_brackets(said, PAIR)))
        edges = {tuple(sorted(map(int, pair))) for pair in (*pairs, numbers) if len(pair) == 2}
        if len(edges) != 1:
            raise Unreadable(HOW_TO_WRITE)
        return "{} {}".format(*edges.pop())

    def canonical(self) -> Hashable:
        """Numbers of drugs are only names."""
        return invariant(graph_of(self.drugs, self.edges)), self.counted, self.turn

    def rules(self, language: Language = "en") -> str:
        kind = KIND[self.counted]
        return (
            f"There are some drugs, and some of them clash. {MEANING[self.counted]}\n"
            f"For example, of three drugs without a clash there is one {kind} cocktail, all three; "
            "when 1 and 2 clash there are two, drugs 1 and 3 and drugs 2 and 3.\n"
            "Two players take turns. In your turn you make two different drugs clash that do not clash yet. "
            f"After that there must be as many {kind} cocktails as before, or more: a clash that leaves fewer is not allowed, "
            "and a move that is not allowed loses at once. A player who has no allowed move loses.\n" + HOW_TO_WRITE
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        clashes = ", ".join(f"({one}, {other})" for one, other in self.edges)
        lines = [f"Drugs: {' '.join(map(str, range(1, self.drugs + 1)))}", f"Clashes: {clashes or 'none yet'}"]
        return "\n".join([*lines, *self._news(seat)])

    def _news(self, seat: Seat) -> list[str]:
        """How many cocktails count, and what was done last."""
        lines = [f"{KIND[self.counted].capitalize()} cocktails: {_count(self.drugs, self.edges, self.counted)}"]
        if self.last:
            who = "Your opponent" if self.turn == seat else "You"
            lines.append(f"{who} just made {self.last[0]} and {self.last[1]} clash.")
        return lines

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return picture(self.drugs, self.edges, self._news(seat), self.last, clicks=self.turn == seat)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each clash's worth under perfect play, where few enough positions decide it."""
        if seat != self.turn or (self.drugs > SOLVED and self.counted == "maximal" and len(self._moves()) > TOO_OPEN):
            return None
        search = self._search(JUDGED)
        worth = {}
        for move, node in self._after(search, self._root(search)).items():
            search.prove(node)
            if node.win and node.loss:
                return None
            worth[move] = float(node.loss == 0)
        return worth

    def first(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The first allowed clash in order: how the released brute force plays."""
        return self._moves()[0]

    brute_force = alphabeta()

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A move proven to win, or the one closest to that; exact with few drugs.  Where all lose, the one hardest to answer."""
        search = self._search(budget)
        root = self._root(search)
        after = self._after(search, root)
        for node in after.values() if self.drugs <= SOLVED else [root]:
            search.prove(node)
        if all(node.win == 0 for node in after.values()):
            hardship = {node: _winning_replies(search, node) for node in after.values()}
        else:
            hardship = {node: node.loss / node.win if node.win else inf for node in after.values()}
        least = min(hardship.values())
        return rng.choice([move for move, node in after.items() if hardship[node] == least])

    strategies = {"first": first, "brute_force": brute_force, "oracle": oracle}

    def _moves(self) -> tuple[Move, ...]:
        return _moves(self.drugs, self.edges, self.counted)

    def _search(self, budget: int) -> ClashSearch:
        return complete_search(self.counted) if self.drugs <= SOLVED else ClashSearch(self.counted, budget)

    def _root(self, search: ClashSearch) -> Position:
        return search.root(graph_of(self.drugs, self.edges))

    def _after(self, search: ClashSearch, root: Position) -> dict[Move, Position]:
        return {_written(edge): node for edge, node in zip(root.edges, search.children(root), strict=True)}


def _winning_replies(search: ClashSearch, node: Position) -> float:
    """The share of the opponent's moves that are known to win."""
    replies = search.children(node)
    for reply in replies:
        search.prove(reply)
    return sum(reply.loss == 0 for reply in replies) / len(replies)


@lru_cache(maxsize=1 << 12)
def _moves(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> tuple[Move, ...]:
    graph = graph_of(drugs, edges)
    return tuple(_written(edge) for edge in safe_edges(graph, maximal(graph), counted))


def _written(edge: Edge) -> Move:
    return f"{edge[0] + 1} {edge[1] + 1}"


@lru_cache(maxsize=1 << 12)
def _count(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> int:
    return len(counted_cocktails(maximal(graph_of(drugs, edges)), counted))
