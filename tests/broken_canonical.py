"""Puzzles whose canonical form leaves out something that matters, in each of another kind."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from itertools import groupby
from random import Random
from typing import Annotated, Self

from broken_puzzles import Sound, SoundQuestion, SoundSolo
from quandary.core.contract import (
    Doc,
    Fouls,
    HiddenInformation,
    InstanceCount,
    Language,
    Move,
    Options,
    Seat,
    Secret,
    Verdict,
)
from quandary.puzzles.duels.bid_that import BidThat
from quandary.puzzles.duels.card_nim import CardNim
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes


@dataclass(frozen=True)
class ForgottenHand(CardNim):
    """Leaves out the hand of the opponent."""

    def after(self, seat: Seat, move: Move) -> ForgottenHand:
        made = super().after(seat, move)
        return ForgottenHand(made.stones, made.hands, made.turn, made.last)

    def equivalent(self, rng: Random) -> ForgottenHand:
        return self

    def canonical(self) -> Hashable:
        return self.stones, self.hands[self.turn]


@dataclass(frozen=True)
class ForgottenPoints(Sound):
    """Whoever has taken more stones wins; leaves out how many each has taken."""

    taken: tuple[int, int] = (0, 0)

    def after(self, seat: Seat, move: Move) -> ForgottenPoints:
        count, (first, second) = int(move), self.taken
        taken = (first + count, second) if seat == 0 else (first, second + count)
        return replace(self, stones=self.stones - count, turn=1 - seat, taken=taken)

    def scores(self) -> tuple[float, ...]:
        lead = self.taken[0] - self.taken[1]
        return (0.5, 0.5) if not lead else (float(lead > 0), float(lead < 0))

    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones; whoever has taken more in the end wins."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones; taken: {self.taken[seat]} and {self.taken[1 - seat]}"

    def canonical(self) -> Hashable:
        return self.stones, self.turn


@dataclass(frozen=True)
class ForgottenPointsBesideASecret(HiddenInformation, ForgottenPoints):
    """A hidden number of stones counts for seat 0 too; leaves out what each has taken.

    What depends on a secret is not known, so no list is taken from another position.
    """

    hidden: Secret[int] = 0

    distinct_instances = {"only": InstanceCount(30, "one for each pile size and hidden number")}

    @classmethod
    def new(cls, rng: Random) -> ForgottenPointsBesideASecret:
        return cls(rng.randint(6, 15), hidden=rng.randint(1, 3))

    def possible_position(self, rng: Random) -> ForgottenPointsBesideASecret:
        return replace(self, hidden=rng.randint(1, 3))

    def scores(self) -> tuple[float, ...]:
        lead = self.taken[0] + self.hidden - self.taken[1]
        return (0.5, 0.5) if not lead else (float(lead > 0), float(lead < 0))

    def canonical(self) -> Hashable:
        return self.stones, self.turn, self.hidden


@dataclass(frozen=True)
class ForgottenSecret(HiddenInformation, Sound):
    """Whether the last stone wins or loses is hidden; leaves that out."""

    hidden: Secret[bool] = False

    @classmethod
    def new(cls, rng: Random) -> ForgottenSecret:
        return cls(rng.randint(5, 900), hidden=rng.random() < 0.5)

    def possible_position(self, rng: Random) -> ForgottenSecret:
        return replace(self, hidden=rng.random() < 0.5)

    def scores(self) -> tuple[float, ...]:
        won = super().scores()
        return won[::-1] if self.hidden else won

    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones; the last one wins, or it loses: nobody knows."

    def canonical(self) -> Hashable:
        return self.stones, self.turn


@dataclass(frozen=True)
class ForgottenMoves(SoundSolo):
    """Ends after some moves; leaves out how many are left."""

    moves_left: int = 7

    @classmethod
    def new(cls, rng: Random) -> ForgottenMoves:
        return cls(rng.randrange(10**9), moves_left=rng.randint(4, 6))

    def options(self) -> Options:
        return super().options() if self.moves_left else {}

    def after(self, seat: Seat, move: Move) -> ForgottenMoves:
        return replace(self, left=self.left - int(move), moves_left=self.moves_left - 1)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.left} left, {self.moves_left} moves"

    def canonical(self) -> Hashable:
        return self.start, self.left


@dataclass(frozen=True)
class ForgottenLimitBesideASecret(HiddenInformation, SoundSolo):
    """Which of two ends counts is hidden; leaves out after how many moves it is over.

    A match never changes the limit, and no two starts have the same number, so only a position
    that is given the limit of another one, beside a secret, has the form of one that occurs.
    """

    moves: int = 0
    limit: int = 7
    hidden: Secret[int] = 0

    @classmethod
    def new(cls, rng: Random) -> ForgottenLimitBesideASecret:
        return cls(rng.randrange(10**9), limit=rng.randint(3, 6), hidden=rng.randrange(2))

    def possible_position(self, rng: Random) -> ForgottenLimitBesideASecret:
        return replace(self, hidden=rng.randrange(2))

    def options(self) -> Options:
        return super().options() if self.moves < self.limit else {}

    def after(self, seat: Seat, move: Move) -> ForgottenLimitBesideASecret:
        return replace(self, left=self.left - int(move), moves=self.moves + 1)

    def scores(self) -> tuple[float, ...]:
        return (float(self.left == -self.hidden),)

    def rules(self, language: Language = "en") -> str:
        return "Take one or two stones a turn; end with none left, or one too many: nobody knows."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.left} left, {self.moves} of {self.limit} moves"

    def canonical(self) -> Hashable:
        return self.start, self.left, self.moves, self.hidden


@dataclass(frozen=True)
class ForgottenFactor(SoundQuestion):
    """Leaves out by how much the number is multiplied."""

    factor: int = 2

    @classmethod
    def new(cls, rng: Random) -> ForgottenFactor:
        return cls(rng.randrange(10_000, 49_999), rng.randint(2, 9))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == self.solution()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the product.")

    def solution(self) -> str:
        return str(self.factor * self.number)

    def rules(self, language: Language = "en") -> str:
        return "Multiply the number."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.number} times {self.factor}"

    def canonical(self) -> Hashable:
        return self.number


@dataclass(frozen=True)
class SoundSum(SoundQuestion):
    """Add numbers, which may be given in any order.  Nothing is wrong with it."""

    others: Annotated[tuple[int, ...], Doc("further numbers")] = ()

    @classmethod
    def new(cls, rng: Random) -> Self:
        drawn = [rng.randrange(10_000, 19_999) for _ in range(4)]
        return cls(drawn[0], tuple(drawn[1:]))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == self.solution()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the sum.")

    def solution(self) -> str:
        return str(self.number + sum(self.others))

    def rules(self, language: Language = "en") -> str:
        return "Add the numbers."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return " ".join(map(str, (self.number, *self.others)))

    def equivalent(self, rng: Random) -> Self:
        first, *others = rng.sample((self.number, *self.others), 1 + len(self.others))
        return replace(self, number=first, others=tuple(others))

    def canonical(self) -> Hashable:
        return tuple(sorted((self.number, *self.others)))


@dataclass(frozen=True)
class SoundDifference(SoundSum):
    """Take numbers away from each other, one after the other.  Nothing is wrong with it."""

    def solution(self) -> str:
        found = self.number
        for other in self.others:
            found = abs(found - other)
        return str(found)

    def rules(self, language: Language = "en") -> str:
        return "Write how far the first two numbers are apart, then that and the third, and so on."

    def equivalent(self, rng: Random) -> Self:
        return self

    def canonical(self) -> Hashable:
        return self.number, self.others


@dataclass(frozen=True)
class ForgottenOrderOfAQuestion(SoundDifference):
    """Leaves out the order of the numbers, which decides what the answer is."""

    def canonical(self) -> Hashable:
        return self.number, tuple(sorted(self.others))


@dataclass(frozen=True)
class ForgottenOrderOfPairs(SoundDifference):
    """Leaves out the order of pairs, both of whose numbers are taken away."""

    pairs: tuple[tuple[int, int], ...] = ()

    @classmethod
    def new(cls, rng: Random) -> Self:
        first, *drawn = [rng.randrange(10_000, 19_999) for _ in range(7)]
        return cls(first, pairs=tuple(zip(drawn[::2], drawn[1::2], strict=True)))

    def solution(self) -> str:
        return SoundDifference(self.number, sum(self.pairs, start=())).solution()

    def text(self, seat: Seat, language: Language = "en") -> str:
        return " ".join(map(str, (self.number, *sum(self.pairs, start=()))))

    def canonical(self) -> Hashable:
        return self.number, tuple(sorted(self.pairs))


@dataclass(frozen=True)
class ForgottenNumber(SoundSum):
    """Leaves out the largest number, which any of them may be."""

    def canonical(self) -> Hashable:
        return tuple(sorted((self.number, *self.others)))[:-1]


@dataclass(frozen=True)
class SoundRuns(SoundQuestion):
    """Write how often each letter is repeated; a and b may change names.  Nothing is wrong."""

    letters: Annotated[str, Doc("the letters")] = ""

    @classmethod
    def new(cls, rng: Random) -> Self:
        return cls(0, "".join(rng.choice("ab") for _ in range(16)))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == self.solution()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "Those are not the runs.")

    def solution(self) -> str:
        return "".join(f"{len(list(run))}{letter}" for letter, run in groupby(self.letters))

    def rules(self, language: Language = "en") -> str:
        return "Write aaabb as 3a2b."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.letters

    def equivalent(self, rng: Random) -> Self:
        return replace(self, letters=rng.choice(self._images()))

    def canonical(self) -> Hashable:
        return min(self._images())

    def _images(self) -> tuple[str, str]:
        return self.letters, self.letters.translate(str.maketrans("ab", "ba"))


@dataclass(frozen=True)
class ForgottenRuns(SoundRuns):
    """Leaves out the second half of the letters.

    Under other names it has another right answer, so only the lengths of these can be compared.
    """

    def canonical(self) -> Hashable:
        return min(letters[:8] for letters in self._images())


@dataclass(frozen=True)
class ForgottenOrder(BidThat):
    """Leaves out the order in which the items are sold."""

    levels = {"easy": BidThat.levels["easy"]}
    house = {"easy": BidThat.house["easy"]}

    def canonical(self) -> Hashable:
        items, *sides = super().canonical()  # type: ignore[misc]
        return tuple(sorted(items)), *sides


@dataclass(frozen=True)
class ForgottenProbes(ExclusivityProbes):
    """Leaves out how many probes have been made, beside hidden particles."""

    levels = {"easy": ExclusivityProbes.levels["easy"]}
    house = {"easy": ExclusivityProbes.house["easy"]}
    distinct_instances = {"easy": ExclusivityProbes.distinct_instances["easy"]}

    def after(self, seat: Seat, move: Move) -> ForgottenProbes:
        made = super().after(seat, move)
        return ForgottenProbes(*(getattr(made, field.name) for field in fields(made)))

    def canonical(self) -> Hashable:
        dimension, count, distance, _, *image = super().canonical()  # type: ignore[misc]
        return dimension, count, distance, *image


@dataclass(frozen=True)
class SoundFouls(Fouls, Sound):
    """Whoever takes as many as were just taken fouls, and loses by doing so twice.

    Nothing is wrong with it.
    """

    fouls: Annotated[tuple[int, int], Doc("fouls of each seat")] = (0, 0)
    last: Annotated[str, Doc("the last move")] = ""

    def options(self) -> Options:
        if max(self.fouls) > 1:
            return {}
        listed = super().options()
        left = [move for move in listed.get(self.turn) or () if move != self.last]
        return {self.turn: left} if left else {}

    def after(self, seat: Seat, move: Move) -> Self:
        return replace(self, stones=self.stones - int(move), turn=1 - seat, last=move)

    def foul(self, seat: Seat, move: Move) -> Self:
        first, second = self.fouls
        fouls = (first + 1, second) if seat == 0 else (first, second + 1)
        return replace(self, fouls=fouls, turn=1 - seat)

    def scores(self) -> tuple[float, ...]:
        if max(self.fouls) > 1:
            return (0.0, 1.0) if self.fouls[0] > 1 else (1.0, 0.0)
        return super().scores()

    def canonical(self) -> Hashable:
        return self.stones, self.turn, self.last, self.fouls


@dataclass(frozen=True)
class ForgottenFouls(SoundFouls):
    """Leaves out who has fouled how often; matches of legal moves do not tell."""

    def canonical(self) -> Hashable:
        return self.stones, self.turn, self.last


@dataclass(frozen=True)
class ForgottenReuse(AnagramScribble):
    """Leaves out whether tiles may be used again, which differs between levels only."""

    def canonical(self) -> Hashable:
        return self.length, "".join(sorted(self.tiles))


FORGOTTEN = {  # broken puzzle -> how the two positions differ that are found
    ForgottenHand: "`hands[",
    ForgottenPoints: "`taken",
    ForgottenPointsBesideASecret: "`taken` is",
    ForgottenSecret: "`hidden` is",
    ForgottenMoves: "`moves_left` is",
    ForgottenLimitBesideASecret: "`limit` is",
    ForgottenFactor: "`factor` is",
    ForgottenNumber: "`number` is",
    ForgottenOrderOfAQuestion: "`others` is",
    ForgottenOrderOfPairs: "`pairs` is",
    ForgottenRuns: "`letters` is",
    ForgottenOrder: "`items` is",
    ForgottenProbes: "`probes` is",
    ForgottenFouls: "`fouls",
    ForgottenReuse: "`reuse` is",
}
