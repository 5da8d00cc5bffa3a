"""Max maximal cocktails: players make drugs clash in turn; maximal cocktails must not become fewer.

From PuzzlePlex.  Interpretations: maximal means that no drug can be added, not that no cocktail is
larger (`counted=maximum` is that other game: from the start it only ever allows clashes of two
drugs that have none); no drug clashes with itself; a clash that leaves fewer cocktails is not
allowed, and a player without an allowed clash loses at once.  The papers begin without clashes; a
hard match has begun already, so that starts differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from quandary.algorithms.alphabeta import alphabeta
from quandary.algorithms.graphs import canonical_form
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, JudgedMoves, Language, Move, Options, Seat
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.cocktails import clash_notation, clashes_text, meaning, picture
from quandary.puzzles._shared.cocktails.solver import Counted, renumbered
from quandary.puzzles.duels._shared.normal_play import NormalPlay

from .solver import JUDGED, SOLVED, TOO_OPEN, ClashGame, edge_of, random_game

MOST_DRUGS = 20


@dataclass(frozen=True)
class MaxMaximalCocktails(
    JudgedMoves, NormalPlay, speaks_with=("quandary.puzzles._shared.cocktails",)
):
    drugs: Annotated[int, Doc("how many drugs there are, numbered from 1")]
    edges: Annotated[
        tuple[tuple[int, int], ...], Doc("the pairs of drugs that clash, the lower number first")
    ] = ()
    counted: Annotated[
        Counted, Doc("which sets are counted: maximal, or maximum as in the paper's code")
    ] = "maximal"
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0
    last: Annotated[
        tuple[int, int] | None, Doc("the clash that was added last, null at the start")
    ] = None

    version = 2
    levels = {
        "easy": {"drugs": (4, 8)},
        "normal": {"drugs": (8, 12)},
        "hard": {"drugs": (10, 14), "begun": (6, 10)},
    }
    house = {"easy": "random", "normal": "brute_force", "hard": "oracle"}
    distinct_instances = {
        **dict.fromkeys(("easy", "normal"), InstanceCount(5, "only the number of drugs differs")),
        "hard": InstanceCount(4_300, "few clashes make few graphs that differ", "at least"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        drugs: Annotated[Range, Between(2, MOST_DRUGS)] = (4, 8),
        begun: Annotated[Range, Between(0)] = (0, 0),
        counted: Counted = "maximal",
    ) -> MaxMaximalCocktails:
        """Return a match without clashes, or after `begun` random moves; there is always a move
        left.
        """
        return cls(*random_game(rng, rng.randint(*drugs), rng.randint(*begun), counted))

    def options(self) -> Options:
        moves = self._game().moves()
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> MaxMaximalCocktails:
        after = self._game().after(move)
        return MaxMaximalCocktails(*after, turn=1 - seat, last=edge_of(move))

    def notation(self) -> Notation:
        return clash_notation(self.drugs)

    @classmethod
    def level_notation(cls, *, drugs: Range = (4, 8), **level: Any) -> Notation:
        return clash_notation(drugs[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write one drug and the other drug it is to clash with, for example: 1 2")

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
        """Return how many cocktails count, and what was done last."""
        count = self._game().cocktail_count()
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
        say, clickable = self.say(language), seat in self.options()
        return picture(self.drugs, self.edges, say, self._news(seat, say), self.last, clickable)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"blue": say("the drugs"), "orange": say("the latest clash")}

    def equivalent(self, rng: Random) -> MaxMaximalCocktails:
        """With other numbers of drugs, and with either seat to move."""
        numbers = rng.sample(range(1, self.drugs + 1), self.drugs)
        [last] = renumbered([self.last], numbers) if self.last else [None]
        edges, mover = renumbered(self.edges, numbers), rng.choice((0, 1))
        return MaxMaximalCocktails(self.drugs, edges, self.counted, mover, last)

    def canonical(self) -> Hashable:
        return canonical_form(self._game().graph), self.counted

    judge_budget = (SOLVED, JUDGED, TOO_OPEN)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the worth of each clash under perfect play, where few enough positions
        decide it.
        """
        return self._game().values() if seat == self.turn else None

    def first(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays the first allowed clash in order, as the released brute force does."""
        return self._game().moves()[0]

    brute_force = alphabeta()

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays a move proven to win, or the one closest to a proof; exact with few drugs.

        If all moves lose, it plays the one with the smallest share of winning replies.
        """
        return rng.choice(self._game().best_moves(budget))

    strategies = {"first": first, "brute_force": brute_force, "oracle": oracle}
    strongest = "search"

    def _game(self) -> ClashGame:
        return ClashGame(self.drugs, self.edges, self.counted)
