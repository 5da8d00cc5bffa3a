"""Max maximal cocktails: players make drugs clash in turn; maximal cocktails must not become fewer.

From PuzzlePlex.  Interpretations: maximal means that no drug can be added, not that no cocktail is
larger (`counted=maximum` is that other game: from the start it only ever allows clashes of two
drugs that have none); no drug clashes with itself; a clash that leaves fewer cocktails is not
allowed, and a player without an allowed clash loses at once.  The papers begin without clashes; at
the hard level some moves have been made already, so that starts differ.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf
from random import Random
from typing import Annotated, Any

from quandary.bases.cocktails import clashes_text, meaning, picture
from quandary.core.bounds import Between, Range
from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.kit.alphabeta import alphabeta
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
SOLVED = 8  # drugs; their 12,346 graphs are few enough to keep all results
JUDGED = 2_000  # positions that may be searched to judge moves with more drugs
TOO_OPEN = 30  # with more allowed moves than this they are not judged


@dataclass(frozen=True)
class MaxMaximalCocktails(Game):
    drugs: int  # numbered from 1
    edges: tuple[tuple[int, int], ...] = ()  # the drugs that clash, the lower one first, in order
    counted: Counted = "maximal"
    turn: Seat = 0
    last: tuple[int, int] | None = None  # the clash added last

    speaks_with = ("quandary.bases.cocktails",)
    levels = {
        "easy": {"drugs": (4, 8)},
        "normal": {"drugs": (8, 12)},
        "hard": {"drugs": (10, 14), "begun": (6, 10)},
    }
    house = {"easy": "random", "normal": "brute_force", "hard": "oracle"}
    small = dict.fromkeys(
        ("easy", "normal"), "5: matches begin without clashes, so only the number of drugs differs"
    )

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        drugs: Annotated[Range, Between(2, MOST_DRUGS)] = (4, 8),
        begun: Annotated[Range, Between(0)] = (0, 0),
        counted: Counted = "maximal",
    ) -> MaxMaximalCocktails:
        """A start without clashes, or after `begun` random moves; there is always a move left."""
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
        """The player to move when no clash is allowed has lost."""
        if self._moves():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move")

    def notation(self) -> Notation:
        return _notation(self.drugs)

    @classmethod
    def level_notation(cls, *, drugs: Range = (4, 8), **level: Any) -> Notation:
        return _notation(drugs[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write one drug and the other drug it is to clash with, for example: {move}",
            move="1 2",
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        if self.counted == "maximal":
            limit = say(
                "After your move there must be at least as many maximal cocktails as before: a"
                " clash that leaves fewer is not allowed."
            )
        else:
            limit = say(
                "After your move there must be at least as many largest cocktails as before: a"
                " clash that leaves fewer is not allowed."
            )
        return say.lines(
            meaning(self.counted, say),
            say(
                "For example, three drugs without a clash have one such cocktail: all three. If 1"
                " and 2 clash, there are two: drugs 1 and 3, and drugs 2 and 3.\n"
                "Two players take turns. On your turn, make two different drugs clash that do not"
                " clash yet."
            ),
            limit,
            say(
                "A move that is not allowed loses at once. A player who has no allowed move on "
                "their turn loses."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(clashes_text(self.drugs, self.edges, say), self._news(seat, say))

    def _news(self, seat: Seat, say: Say) -> str:
        """The number of cocktails that count, and the last move."""
        count = _count(self.drugs, self.edges, self.counted)
        if self.counted == "maximal":
            counted = say("Maximal cocktails: {count}", count=count)
        else:
            counted = say("Largest cocktails: {count}", count=count)
        if self.last is None:
            return counted
        one, other = self.last
        if self.turn == seat:
            last = say("Your opponent just made {one} and {other} clash.", one=one, other=other)
        else:
            last = say("You just made {one} and {other} clash.", one=one, other=other)
        return say.lines(counted, last)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        news, clickable = self._news(seat, self.say(language)), seat in self.options()
        return picture(self.drugs, self.edges, news, self.last, clickable)

    def canonical(self) -> Hashable:
        """Equal for instances that differ only in the numbers of drugs."""
        return invariant(graph_of(self.drugs, self.edges)), self.counted, self.turn

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """The worth of each clash under perfect play, if few enough positions decide it."""
        large = self.drugs > SOLVED and self.counted == "maximal"
        if seat != self.turn or (large and len(self._moves()) > TOO_OPEN):
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
        """Plays the first allowed clash in order, as the released brute force does."""
        return self._moves()[0]

    brute_force = alphabeta()

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays a move proven to win, or the one closest to a proof; exact with few drugs.

        If all moves lose, it plays the one with the smallest share of winning replies.
        """
        search = self._search(budget)
        root = self._root(search)
        after = self._after(search, root)
        for node in after.values() if self.drugs <= SOLVED else [root]:
            search.prove(node)
        if all(node.win == 0 for node in after.values()):
            hardship = {node: search.winning_replies(node) for node in after.values()}
        else:
            hardship = {node: node.loss / node.win if node.win else inf for node in after.values()}
        least = min(hardship.values())
        return rng.choice([move for move, node in after.items() if hardship[node] == least])

    strategies = {"first": first, "brute_force": brute_force, "oracle": oracle}

    def _moves(self) -> tuple[Move, ...]:
        return _moves(self.drugs, self.edges, self.counted)

    def _search(self, budget: int) -> ClashSearch:
        small = self.drugs <= SOLVED
        return complete_search(self.counted) if small else ClashSearch(self.counted, budget)

    def _root(self, search: ClashSearch) -> Position:
        return search.root(graph_of(self.drugs, self.edges))

    def _after(self, search: ClashSearch, root: Position) -> dict[Move, Position]:
        return dict(zip(map(_written, root.edges), search.children(root), strict=True))


@cache
def _notation(drugs: int) -> Notation:
    drug = Number(1, drugs)
    return Notation(
        "{drug} {other_drug}",
        unordered=True,
        labels={"drug": ("drugs",)},
        drug=drug,
        other_drug=drug,
    )


@lru_cache(maxsize=1 << 12)
def _moves(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> tuple[Move, ...]:
    graph = graph_of(drugs, edges)
    return tuple(_written(edge) for edge in safe_edges(graph, maximal(graph), counted))


def _written(edge: Edge) -> Move:
    return f"{edge[0] + 1} {edge[1] + 1}"


@lru_cache(maxsize=1 << 12)
def _count(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> int:
    return len(counted_cocktails(maximal(graph_of(drugs, edges)), counted))
