"""Ruby risks: ask closed boxes for rubies, one after the other; whoever asks a box for more than it holds gets nothing from it.

From PuzzlePlex, after Dennis Shasha.  Readings: requests are made in turn, and each answer is known before the next; a request
lies between 0 and all rubies.  The boxes are filled just as PuzzlePlex fills them, but drawn directly where it takes up to twenty
million tries, and the rules tell how, for otherwise nobody could do better than guess: see `quandary.solvers.ruby_boxes`.

The score is the share of all rubies, all of which somebody who saw the boxes would get; so nobody is to expect a score of 1.
What somebody who does not see them may expect is the best worth in `judge` at the start, in rubies
`quandary.solvers.ruby_requests.optimal_total`:
0.60 to 0.70 for three and four boxes.  For more it is not found out here, but it is hardly above what the oracle gets:
about 0.58 for five boxes, 0.55 for six, 0.50 for eight to twelve and 0.47 beyond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from quandary.core.contract import Game, Language, Move, Options, Seat, Secret
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.reading import read_number
from quandary.solvers.ruby_boxes import GAP, Belief, Bounds, belief, random_contents
from quandary.solvers.ruby_requests import best_single_request, request_values, scattered_counts

MOST_BOXES, MOST_RUBIES = 30, 300
ENOUGH = 1_000  # a smaller budget buys no look at all kinds of layouts, of which the levels have up to 724
PAD = 16  # numbers in a row of the picture
HOW = "Write how many rubies you ask for as one number, for example: 7"


@dataclass(frozen=True)
class Request:
    """What one box was asked for, and what it gave."""

    asked: int
    received: int


@dataclass(frozen=True)
class RubyRisks(Game):
    boxes: int
    rubies: int  # in all boxes together
    contents: Secret[tuple[int, ...]]  # by box
    log: tuple[Request, ...] = ()  # of the boxes opened, in order

    seats = 1
    levels = {
        "easy": {"boxes": (3, 7), "rubies": (30, 70)},
        "normal": {"boxes": (8, 12), "rubies": (80, 120)},
        "hard": {"boxes": (13, 16), "rubies": (100, 130)},
    }
    house = {"easy": "scattered", "normal": "scattered", "hard": "greedy"}

    @classmethod
    def new(
        cls, rng: Random, *, boxes: tuple[int, int] = (3, 7), rubies: tuple[int, int] = (30, 70)
    ) -> RubyRisks:
        if (
            not 2 <= boxes[0] <= boxes[1] <= MOST_BOXES
            or not boxes[1] + GAP <= rubies[0] <= rubies[1] <= MOST_RUBIES
        ):
            raise ValueError(
                f"2 to {MOST_BOXES} boxes can be filled, with at most {MOST_RUBIES} rubies and at least {GAP} more than boxes"
            )
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

    def canonical(self) -> tuple[int, ...]:
        return self.contents

    def world(self, rng: Random) -> RubyRisks:
        """Contents drawn from all that would have answered alike, each as likely as it is."""
        return replace(self, contents=self._belief().deal(rng))

    def read(self, seat: Seat, said: str) -> Move:
        return read_number(said, HOW)

    def rules(self, language: Language = "en") -> str:
        return (
            "Rubies are hidden in closed boxes. You are told how many boxes there are and how many rubies in all. "
            "The boxes are opened in order, one a turn. In each turn you ask for some rubies from the next box, "
            "for any number from 0 to that of all rubies; another number is not allowed and loses the game. "
            "If the box holds at least as many as you ask for, you receive exactly that many and the rest is lost. "
            "If it holds fewer, you receive nothing from it. "
            "You are told what you receive, but never what the box held. The game ends when all boxes are opened; "
            "your score is the number of rubies received divided by that of all rubies.\n"
            "The boxes were filled like this. First the rubies were spread so that each box held at least one. "
            "All ways to do so were equally likely, save two kinds that were not used: those whose fullest box held fewer than "
            f"{GAP} rubies more than the emptiest, and those in which all boxes but one held a single ruby, "
            "unless that one was the last box. Then the fullest and the emptiest box, the first ones of equals, "
            f"shared their rubies anew: the one that had been the fullest was left with {GAP} more than the other, "
            f"or with {GAP + 1} more if their rubies were odd in number. All other boxes stayed as they were.\n"
            "For example, 30 rubies in three boxes may have been spread as 15, 5 and 10 and then lie as 12, 8 and 10. "
            "Requests for 10, 8 and 11 get 10, 8 and nothing: 18 rubies, a score of 0.6.\n" + HOW
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = [f"Boxes: {self.boxes}. Rubies in all: {self.rubies}."]
        for box, request in enumerate(self.log, start=1):
            lines.append(
                f"Box {box}: you asked for {request.asked} and received {request.received}."
            )
        closed = self.boxes - len(self.log)
        lines.append(f"Rubies received so far: {self._received()}.")
        lines.append(
            f"Boxes still closed: {closed}. The next one is box {len(self.log) + 1}."
            if closed
            else "All boxes are opened."
        )
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The boxes with what was received from them, and below all numbers to ask for."""
        title = f"{self.rubies} rubies in {self.boxes} boxes, received {self._received()}"
        shapes: list[Shape] = [Label(0, 0.5, title, 0.7, anchor="start")]
        for box in range(self.boxes):
            row, column = divmod(box, 8)
            x, y = 2 * column, 1.2 + 2.6 * row
            fill, words, below = (
                ("mark" if box == len(self.log) else "paper"),
                "?",
                f"box {box + 1}",
            )
            if box < len(self.log):
                asked, received = self.log[box].asked, self.log[box].received
                fill, words, below = (
                    ("good" if asked == received else "bad"),
                    f"{received}",
                    f"ask {asked}",
                )
            shapes += [
                Box(x, y, 1.8, 1.5, fill, words, size=0.8),
                Label(x + 0.9, y + 1.85, below, 0.45),
            ]
        top = 1.4 + 2.6 * ((self.boxes - 1) // 8 + 1)
        for number in range(self.rubies + 1):
            row, column = divmod(number, PAD)
            click = str(number) if len(self.log) < self.boxes else ""
            shapes.append(
                Box(
                    column,
                    top + row,
                    fill="mark" if click else "shade",
                    text=str(number),
                    size=0.4,
                    click=click,
                )
            )
        return Scene(16, top + self.rubies // PAD + 1, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """The score to expect after each request under best play, where the boxes still closed are few."""
        ahead = request_values(self._belief()) if len(self.log) < self.boxes else None
        if ahead is None:
            return None
        received = self._received()
        return {str(asked): (received + worth) / self.rubies for asked, worth in enumerate(ahead)}

    def even(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Asks every box for an equal share of all rubies."""
        return str(self.rubies // self.boxes)

    def scattered(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The papers' baseline, there called Monte Carlo tree search: the request that is worth most in its own turn, by the belief
        that each ruby fell into any box alike; counted here in place of 100,000 samples, of which often none was left."""
        return str(best_single_request(scattered_counts(self.boxes, self.rubies, self._bounds())))

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The request that is worth most in its own turn, by the way the boxes were filled."""
        if budget < ENOUGH:
            return self.scattered(seat, rng, budget)
        return str(best_single_request(self._belief().chances()))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Best play for the last boxes, which also weighs what an answer tells; before, as `greedy`, which is nearly as good."""
        worth = self.judge(seat) if budget >= ENOUGH else None
        return max(worth, key=worth.__getitem__) if worth else self.greedy(seat, rng, budget)

    strategies = {"even": even, "scattered": scattered, "greedy": greedy, "oracle": oracle}

    def _received(self) -> int:
        return sum(request.received for request in self.log)

    def _bounds(self) -> tuple[Bounds, ...]:
        """What the answers tell of each opened box."""
        return tuple(
            (r.asked, self.rubies) if r.asked == r.received else (0, r.asked - 1) for r in self.log
        )

    def _belief(self) -> Belief:
        return belief(self.boxes, self.rubies, self._bounds())


@cache
def _numbers(most: int) -> tuple[Move, ...]:
    return tuple(str(number) for number in range(most + 1))
