"""Tiny games that the searchers are tested on, small enough to be worked out by hand or by brute
force.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

from quandary.core.contract import (
    CHANCE,
    ChanceMoves,
    Game,
    HiddenInformation,
    Language,
    Move,
    Options,
    Private,
    Seat,
    Secret,
)

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class Tiny(Game):
    """What these games do not care about, and a count of moves made."""

    looks: ClassVar[dict[str, int]] = {"play": 0}

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Tiny:
        return cls()

    def rules(self, language: Language = "en") -> str:
        return ""

    def text(self, seat: Seat, language: Language = "en") -> str:
        return ""


@dataclass(frozen=True)
class TicTacToe(Tiny):
    board: str = "........."  # x moves first

    def options(self) -> Options:
        turn = 0 if self.board.count(".") % 2 else 1
        free = [str(cell) for cell in range(9) if self.board[cell] == "."]
        return {turn: free} if free and not self.won("x") and not self.won("o") else {}

    def after(self, seat: Seat, move: Move) -> TicTacToe:
        self.looks["play"] += 1
        cell = int(move)
        return TicTacToe(self.board[:cell] + "xo"[seat] + self.board[cell + 1 :])

    def scores(self) -> tuple[float, ...]:
        return (1.0, 0.0) if self.won("x") else (0.0, 1.0) if self.won("o") else (0.5, 0.5)

    def won(self, mark: str) -> bool:
        return any(all(self.board[cell] == mark for cell in line) for line in LINES)


@dataclass(frozen=True)
class Nim(Tiny):
    """Take up to `most` stones from one pile; whoever takes the last stone wins."""

    piles: tuple[int, ...] = (3, 4, 5)
    most: int = 99
    turn: Seat = 0

    def options(self) -> Options:
        moves = (
            f"{i}-{n}"
            for i, pile in enumerate(self.piles)
            for n in range(1, min(pile, self.most) + 1)
        )
        # A Collection that is not a Sequence.
        return {self.turn: dict.fromkeys(moves, 0).keys()} if any(self.piles) else {}

    def after(self, seat: Seat, move: Move) -> Nim:
        pile, taken = map(int, move.split("-"))
        return replace(
            self,
            piles=tuple(n - taken * (i == pile) for i, n in enumerate(self.piles)),
            turn=1 - seat,
        )

    def scores(self) -> tuple[float, ...]:
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)


@dataclass(frozen=True)
class Rolls(ChanceMoves, Tiny):
    """One seat rolls a die, keeps it or rolls again; the score is a sixth of the face kept."""

    again: int = 1  # rolls left after this one
    face: int = 0  # 0 while the die rolls
    kept: bool = False
    weights: tuple[int, ...] = ()  # one a face; () is a fair die
    listed: bool = True

    seats = 1

    def options(self) -> Options:
        if self.kept:
            return {}
        if self.face:
            return {0: ["keep", "roll"] if self.again else ["keep"]}
        if not self.listed:
            return {CHANCE: None}
        return {
            CHANCE: dict(zip("123456", self.weights, strict=True)) if self.weights else "123456"
        }

    def chance(self, rng: Random) -> Move:
        return rng.choice("123456")

    def after(self, seat: Seat, move: Move) -> Rolls:
        if seat == CHANCE:
            return replace(self, face=int(move))
        return (
            replace(self, kept=True)
            if move == "keep"
            else replace(self, face=0, again=self.again - 1)
        )

    def scores(self) -> tuple[float, ...]:
        return (self.face / 6,)


@dataclass(frozen=True)
class Tree(Tiny):
    """A game written out: (seat, ((move, weight, node), ...)), or at an end the tuple of scores."""

    node: tuple[Any, ...] = (0.5, 0.5)

    def options(self) -> Options:
        if self.over:
            return {}
        seat, branches = self.node
        return {
            seat: {move: weight for move, weight, _ in branches}
            if seat == CHANCE
            else [move for move, _, _ in branches]
        }

    def after(self, seat: Seat, move: Move) -> Tree:
        return replace(self, node=next(node for name, _, node in self.node[1] if name == move))

    def scores(self) -> tuple[float, ...]:
        return self.node if self.over else (0.5, 0.5)

    @property
    def over(self) -> bool:
        return not isinstance(self.node[1], tuple)


@dataclass(frozen=True)
class Lattice(Tiny):
    """Seats in turn step right or down; where the last step leads is the score.

    Many ways lead to one place.
    """

    ends: tuple[float, ...] = (0.0, 1.0)  # scores of seat 0, by the steps made to the right
    right: int = 0
    made: int = 0

    def options(self) -> Options:
        return {self.made % 2: ["right", "down"]} if self.made + 1 < len(self.ends) else {}

    def after(self, seat: Seat, move: Move) -> Lattice:
        return replace(self, right=self.right + (move == "right"), made=self.made + 1)

    def scores(self) -> tuple[float, ...]:
        return (self.ends[self.right], 1 - self.ends[self.right])


@dataclass(frozen=True)
class Round(Tiny):
    """Walks in a circle for ever."""

    at: int = 0

    def options(self) -> Options:
        return {0: ["on"]}

    def after(self, seat: Seat, move: Move) -> Round:
        return Round((self.at + 1) % 3)

    def scores(self) -> tuple[float, ...]:
        return (0.5, 0.5)


@dataclass(frozen=True)
class Matrix(HiddenInformation, Tiny):
    """Both choose a row or column at once; the table holds the score of seat 0."""

    table: tuple[tuple[float, ...], ...] = ((0.5, 0.0), (1.0, 0.5))
    chosen: Private[tuple[Move | None, Move | None]] = (None, None)

    def options(self) -> Options:
        sizes = (len(self.table), len(self.table[0]))
        waiting = [seat for seat in range(2) if self.chosen[seat] is None]
        return {seat: [str(i) for i in range(sizes[seat])] for seat in waiting}

    def after(self, seat: Seat, move: Move) -> Matrix:
        return replace(
            self,
            chosen=tuple(move if i == seat else before for i, before in enumerate(self.chosen)),
        )

    def scores(self) -> tuple[float, ...]:
        if None in self.chosen:
            return (0.5, 0.5)
        row, column = (int(one or 0) for one in self.chosen)
        return (self.table[row][column], 1 - self.table[row][column])

    def possible_position(self, rng: Random) -> Matrix:
        return self  # nobody is asked while a choice lies face down


@dataclass(frozen=True)
class Kuhn(HiddenInformation, Tiny):
    """Kuhn poker: cards 1, 2, 3, one chip each in the pot, one more to bet; b bets or calls, p
    passes or folds.
    """

    cards: Private[tuple[int | None, int | None]] = (1, 2)
    played: str = ""

    def options(self) -> Options:
        over = self.played in ("pp", "bp", "bb", "pbp", "pbb")
        return {} if over else {len(self.played) % 2: ["p", "b"]}

    def after(self, seat: Seat, move: Move) -> Kuhn:
        return replace(self, played=self.played + move)

    def scores(self) -> tuple[float, ...]:
        """Chips won, from -2..2 to 0..1."""
        if self.options():
            return (0.5, 0.5)
        if self.played in ("bp", "pbp"):
            won = 1 if self.played == "bp" else -1
        else:
            first, second = self.cards
            assert first and second, "a showdown needs both cards"
            won = (2 if "b" in self.played else 1) * (1 if first > second else -1)
        return ((2 + won) / 4, (2 - won) / 4)

    def possible_position(self, rng: Random) -> Kuhn:
        free = [card for card in (1, 2, 3) if card not in self.cards]
        rng.shuffle(free)
        return replace(self, cards=tuple(card or free.pop() for card in self.cards))


@dataclass(frozen=True)
class Coin(HiddenInformation, Tiny):
    """Take 0.75 for sure, or guess a coin nobody shows."""

    side: Secret[str | None] = "heads"
    played: tuple[Move, ...] = ()

    seats = 1

    def options(self) -> Options:
        if not self.played:
            return {0: ["sure", "guess"]}
        return {0: ["heads", "tails"]} if self.played == ("guess",) else {}

    def after(self, seat: Seat, move: Move) -> Coin:
        return replace(self, played=(*self.played, move))

    def scores(self) -> tuple[float, ...]:
        return (0.75 if self.played == ("sure",) else float(self.played[-1:] == (self.side,)),)

    def possible_position(self, rng: Random) -> Coin:
        return replace(self, side=rng.choice(["heads", "tails"]))


def random_tree(rng: Random, depth: int, *, luck: bool = False, fair: bool = True) -> Tree:
    """A small game drawn at random; `fair` ones have scores that sum to 1."""

    def node(depth: int) -> tuple[Any, ...]:
        if depth == 0 or rng.random() < 0.15:
            score = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0])
            return (score, 1 - score if fair else rng.choice([0.0, 0.25, 0.5, 0.75, 1.0]))
        seat = rng.choice([0, 1, CHANCE] if luck else [0, 1])
        return (
            seat,
            tuple(
                (move, rng.randint(1, 3), node(depth - 1)) for move in "abc"[: rng.randint(1, 3)]
            ),
        )

    while True:
        root = node(depth)
        if root[0] == 0 and isinstance(root[1], tuple):
            return Tree(root)


def brute(position: Game) -> tuple[float, ...]:
    """The value of a position by the plainest recursion: first listed of a seat's best options,
    mean over luck.
    """
    options = position.options()
    if not options:
        return position.scores()
    [(seat, moves)] = options.items()
    assert moves is not None
    after = {move: brute(position.play(seat, move)) for move in moves}
    if seat == CHANCE:
        weights = moves if isinstance(moves, dict) else dict.fromkeys(moves, 1)
        whole = sum(weights.values())
        return tuple(
            sum(weights[move] * after[move][i] for move in after) / whole
            for i in range(position.seats)
        )
    return max(after.values(), key=lambda value: round(value[seat], 9))
