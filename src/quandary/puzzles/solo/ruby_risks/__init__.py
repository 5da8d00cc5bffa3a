"""Ruby risks: ask closed boxes for rubies; a box that holds fewer than you ask for gives nothing.

From PuzzlePlex, after Dennis Shasha.  Interpretations: requests are made in turn, and each answer
is known before the next; a request lies between 0 and all rubies.  The boxes are filled exactly as
PuzzlePlex fills them, but drawn directly where it takes up to twenty million tries, and the rules
say how, for otherwise nobody could do better than guess: see `solver/boxes.py`.

The score is the share of all rubies, which somebody who saw the boxes would get; so nobody can
expect a score of 1.  What somebody who does not see them can expect is the best value in `judge` at
the start, in rubies `optimal_total` of `solver/requests.py`: 0.60 to 0.70 for three and four
boxes.  For more boxes it is not computed here, and perhaps above what the oracle gets: about
0.58 for five boxes, 0.55 for six, 0.50 for eight to twelve and 0.47 beyond.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any

from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Game,
    HiddenInformation,
    JudgedMoves,
    Language,
    Move,
    Objective,
    Options,
    Seat,
    Secret,
)
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import say_for

from .solver.boxes import GAP, Belief, Bounds, belief, random_contents
from .solver.requests import (
    FEW,
    LISTED,
    best_single_request,
    request_values,
    scattered_counts,
)

MOST_BOXES, MOST_RUBIES = 30, 300
ENOUGH = 1_000  # a smaller budget does not allow for all kinds of layouts, up to 724 in the levels
NUMBERS_PER_ROW = 12  # of the picture


@dataclass(frozen=True)
class Request:
    """What one box was asked for, and what it gave."""

    asked: Annotated[int, Doc("how many rubies the box was asked for")]
    received: Annotated[int, Doc("how many rubies it gave: as many, or 0 if it held fewer")]


@dataclass(frozen=True)
class RubyRisks(HiddenInformation, JudgedMoves, Objective, Game):
    boxes: Annotated[int, Doc("how many boxes there are")]
    rubies: Annotated[int, Doc("how many rubies are in all boxes together")]
    contents: Secret[tuple[int, ...]]  # by box
    log: Annotated[
        tuple[Request, ...],
        Doc("what the boxes opened so far were asked for, and what they gave, box 1 first"),
    ] = ()

    version = 2
    seats = 1
    levels = {
        "easy": {"boxes": (3, 7), "rubies": (30, 70)},
        "normal": {"boxes": (8, 12), "rubies": (80, 120)},
        "hard": {"boxes": (13, 16), "rubies": (100, 130)},
    }
    house = {"easy": "scattered", "normal": "scattered", "hard": "greedy"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        boxes: Annotated[Range, Between(2, MOST_BOXES)] = (3, 7),
        rubies: Annotated[Range, Between(1, MOST_RUBIES)] = (30, 70),
    ) -> RubyRisks:
        if boxes[1] + GAP > rubies[0]:
            least = boxes[1] + GAP
            raise ValueError(f"{boxes[1]} boxes need at least {least} rubies, not {rubies[0]}")
        count, total = rng.randint(*boxes), rng.randint(*rubies)
        return cls(count, total, random_contents(rng, count, total))

    def options(self) -> Options:
        return {0: _numbers(self.rubies)} if len(self.log) < self.boxes else {}

    def after(self, seat: Seat, move: Move) -> RubyRisks:
        asked = int(move)
        received = asked if asked <= self.contents[len(self.log)] else 0
        return RubyRisks(
            self.boxes, self.rubies, self.contents, (*self.log, Request(asked, received))
        )

    def scores(self) -> tuple[float]:
        return (self._received() / self.rubies,)

    def values(self) -> tuple[float]:
        return (float(self._received()),)

    def reference(self) -> float:
        return float(self.rubies)

    def notation(self) -> Notation:
        return _notation(self.rubies)

    @classmethod
    def level_notation(cls, *, rubies: Range = (30, 70), **level: Any) -> Notation:
        return _notation(rubies[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write how many rubies you ask for, as one number, for example: {rubies}", rubies=7
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Rubies are hidden in closed boxes. You are told the number of boxes and the total"
                " number of rubies. The boxes are opened in order, one per turn. In each turn you"
                " ask the next box for some rubies: any number from 0 to the total number of"
                " rubies. Another number is not allowed and loses the game. If the box holds at"
                " least as many as you ask for, you receive exactly that many and the rest is"
                " lost. If it holds fewer, you receive nothing from it. You are told what you"
                " receive, but never what the box held. The game ends when all boxes have been"
                " opened; your score is the number of rubies received divided by the total number"
                " of rubies."
            ),
            say(
                "The boxes were filled as follows. First the rubies were distributed so that each"
                " box held at least one. All ways to do so were equally likely, except for two"
                " kinds that were not used: those in which the fullest box held fewer than {gap}"
                " rubies more than the emptiest, and those in which all boxes but one held a"
                " single ruby, unless that one was the last box. Then the fullest and the emptiest"
                " box (each the first one in case of a tie) redistributed their rubies between"
                " them: the box that had been the fullest was left with {gap} more than the other,"
                " or with {odd_gap} more if their rubies were odd in number. All other boxes were"
                " left as they were.\n"
                "For example, 30 rubies in three boxes may have been distributed as 15, 5 and 10"
                " and then redistributed as 12, 8 and 10. Requests for 10, 8 and 11 then get 10, 8"
                " and nothing: 18 rubies, a score of 0.6.",
                gap=GAP,
                odd_gap=GAP + 1,
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, opened = self.say(language), len(self.log)
        sizes = say(
            "Boxes: {boxes}. Rubies in total: {rubies}.", boxes=self.boxes, rubies=self.rubies
        )
        lines = [
            _request_line(box, request.asked, request.received, language)
            for box, request in enumerate(self.log, 1)
        ]
        if opened == self.boxes:
            now = say(
                "Rubies received so far: {received}.\nAll boxes have been opened.",
                received=self._received(),
            )
        else:
            now = say(
                "Rubies received so far: {received}.\n"
                "Closed boxes: {closed}. The next one is box {next}.",
                received=self._received(),
                closed=self.boxes - opened,
                next=opened + 1,
            )
        return "\n".join([sizes, *lines, now])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the boxes with what was received from them, above all numbers to ask for."""
        say, opened = self.say(language), len(self.log)

        def look(box: int) -> Cell:
            if box >= opened:
                return Cell(f"{box + 1}: ?", "mark" if box == opened else "paper")
            asked, received = self.log[box].asked, self.log[box].received
            text = say("{received} of {asked}", received=received, asked=asked)
            return Cell(text, "good" if asked == received else "bad")

        numbers = _numbers(self.rubies) if opened < self.boxes else ()
        return stack(
            captions(
                say(
                    "{rubies} {rubies:ruby|rubies} in {boxes} boxes, {received} received",
                    rubies=self.rubies,
                    boxes=self.boxes,
                    received=self._received(),
                ),
                size=0.6,
            ),
            cards(
                [look(box) for box in range(self.boxes)], columns=NUMBERS_PER_ROW // 2, size=(2, 1)
            ),
            cards(
                [Cell(number, click={"rubies": number}) for number in numbers],
                columns=NUMBERS_PER_ROW,
                title=say("numbers to ask for") if numbers else "",
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "good": say("the box gave what it was asked for"),
            "bad": say("the box gave nothing"),
            "mark": say("the next box, and the numbers you can ask it for"),
        }

    def canonical(self) -> Hashable:
        """Return what was asked for and received, and the boxes that are still closed, in order."""
        asked = tuple((request.asked, request.received) for request in self.log)
        return self.rubies, asked, self.contents[len(self.log) :]

    def possible_position(self, rng: Random) -> RubyRisks:
        """Contents drawn from all that would have answered alike, each as likely as it is."""
        return replace(self, contents=self._belief().deal(rng))

    judge_budget = (FEW, LISTED)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the score to expect after each request under best play, where few boxes are
        closed.
        """
        ahead = request_values(self._belief()) if len(self.log) < self.boxes else None
        if ahead is None:
            return None
        received = self._received()
        return {str(asked): (received + worth) / self.rubies for asked, worth in enumerate(ahead)}

    def even(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Asks every box for an equal share of all rubies."""
        return str(self.rubies // self.boxes)

    def scattered(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The papers' baseline: the best request for this box alone if rubies fall at random.

        The papers call it Monte Carlo tree search.  It is counted here instead of estimated from
        100,000 samples, of which often none was left.
        """
        return str(best_single_request(scattered_counts(self.boxes, self.rubies, self._bounds())))

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The best request for this box alone, given how the boxes were filled."""
        if budget < ENOUGH:
            return self.scattered(seat, rng, budget)
        return str(best_single_request(self._belief().chances()))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Best play for the last boxes, with what answers tell; as `greedy` before that."""
        worth = self.judge(seat) if budget >= ENOUGH else None
        return max(worth, key=worth.__getitem__) if worth else self.greedy(seat, rng, budget)

    strategies = {"even": even, "scattered": scattered, "greedy": greedy, "oracle": oracle}
    strongest = "heuristic"

    def _received(self) -> int:
        return sum(request.received for request in self.log)

    def _bounds(self) -> tuple[Bounds, ...]:
        """Return what the answers tell of each opened box."""
        return tuple(
            (r.asked, self.rubies) if r.asked == r.received else (0, r.asked - 1) for r in self.log
        )

    def _belief(self) -> Belief:
        return belief(self.boxes, self.rubies, self._bounds())


@cache
def _numbers(most: int) -> tuple[Move, ...]:
    return tuple(str(number) for number in range(most + 1))


@cache
def _notation(highest: int) -> Notation:
    return Notation("{rubies}", rubies=Number(0, highest))


@lru_cache(maxsize=1 << 12)  # every request is told again in all later turns
def _request_line(box: int, asked: int, received: int, language: Language) -> str:
    say = say_for(RubyRisks, language)
    return say(
        "Box {box}: you asked for {asked} and received {received}.",
        box=box,
        asked=asked,
        received=received,
    )
