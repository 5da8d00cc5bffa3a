"""Where to draw a coin: searches through what draws earn and what they tell.

`DuelSearch` is for two players, `SoloSearch` for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quandary.core.contract import Move

from .draws import Belief, Place

EXACT = 6  # draws left from which play of two is exact
CANDIDATES = 3  # bags a lookahead follows up, those that promise most first
DEEPEST = 50  # draws looked ahead at most; each takes some frames of Python's stack
TIE = 1e-9  # means closer than this are equal


def best_bag(worth: Mapping[int, float], rng: Random) -> Move:
    """Return a bag of highest worth, any of them where several are."""
    top = max(worth.values())
    return str(rng.choice([bag for bag, value in worth.items() if value > top - TIE]))


class BudgetSpent(Exception):  # no error: the ordinary end of a search
    """The budget is used up."""


class DuelSearch:
    """A search for two players through possible beliefs; its budget counts beliefs."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int | None], float] = {}

    def worth(self, belief: Belief, depth: int, lead: int | None) -> dict[int, float]:
        """Return what each bag is worth to the mover.

        With a lead: its expected score when `depth` draws end the match.  Without one: its expected
        gain over the opponent in the next `depth` draws, for the most promising bags only.
        """
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1
        means = belief.means()
        if depth == 1 and lead is None:
            return means
        worth: dict[Place, float] = {}
        for number in sorted(means, key=means.__getitem__, reverse=True):
            if belief.places[number] not in worth and (lead is not None or len(worth) < CANDIDATES):
                worth[belief.places[number]] = self.draw(belief, number, depth, lead)
        return {
            number: worth[belief.places[number]]
            for number in means
            if belief.places[number] in worth
        }

    def draw(self, belief: Belief, number: int, depth: int, lead: int | None) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            after, coin = belief.after(number, (drawn, empty)), drawn[-1]
            if lead is None:
                total += chance * (coin - self.best(after, depth - 1, None))
            else:
                total += chance * (1.0 - self.best(after, depth - 1, -lead - coin))
        return total

    def best(self, belief: Belief, depth: int, lead: int | None) -> float:
        if depth == 0:
            return 0.0 if lead is None else float(lead > 0) + 0.5 * (lead == 0)
        known = (belief, depth, lead)
        if known not in self.found:
            self.found[known] = max(self.worth(belief, depth, lead).values())
        return self.found[known]


def duel_values(belief: Belief, draws: int, lead: int, budget: int) -> dict[int, float] | None:
    """Return the worth of each bag, or each of the best, to the mover of two players.

    It is exact near the end; before, it is the gain over the next draws that the budget allows.
    None where the budget allows no search.
    """
    looks = [(draws, lead)] if draws <= EXACT else [(3, None), (2, None)]
    for depth, known in looks:
        try:
            return DuelSearch(budget // len(looks)).worth(belief, depth, known)
        except BudgetSpent:
            continue
    return None


class SoloSearch:
    """A search for a single player through possible beliefs; its budget counts beliefs."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int], float] = {}

    def worth(self, belief: Belief, draws: int, depth: int) -> dict[int, float]:
        """Return the expected total of `draws` draws by the bag of the first one, with best play
        after it.

        All that the first `depth` draws tell is used.  The result is exact, and covers all bags,
        where these are all draws but the last one; otherwise it is close to that, and covers the
        most promising bags only.
        """
        prospects = belief.prospects(draws)
        worth: dict[Place, float] = {}
        for number in sorted(prospects, key=prospects.__getitem__, reverse=True):
            if belief.places[number] not in worth and (
                depth >= draws - 1 or len(worth) < CANDIDATES
            ):
                worth[belief.places[number]] = self.draw(belief, number, draws, depth)
        return {
            number: worth[belief.places[number]]
            for number in prospects
            if belief.places[number] in worth
        }

    def draw(self, belief: Belief, number: int, draws: int, depth: int) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            total += chance * (
                drawn[-1] + self.best(belief.after(number, (drawn, empty)), draws - 1, depth - 1)
            )
        return total

    def best(self, belief: Belief, draws: int, depth: int) -> float:
        known = (belief, draws, depth)
        if known not in self.found:
            if self.left <= 0:
                raise BudgetSpent
            self.left -= 1
            self.found[known] = max(
                (self.worth(belief, draws, depth) if depth else belief.prospects(draws)).values()
            )
        return self.found[known]


def solo_values(belief: Belief, draws: int, budget: int) -> dict[int, float]:
    """Return the worth of each bag, or each of the best, to a single player.

    It comes from the deepest search that the budget seems to allow.
    """
    worth, before = belief.prospects(draws), 1
    for depth in range(1, min(draws, DEEPEST)):
        look = SoloSearch(budget)
        try:
            worth = look.worth(belief, draws, depth)
        except BudgetSpent:
            break
        spent, budget = budget - look.left, look.left
        # looks grow by much the same factor, and many bags take long
        if len(belief.shown) * spent * spent // before > budget:
            break
        before = spent
    return worth
