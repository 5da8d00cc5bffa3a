"""Optimal touring: plan a day among sites with opening hours, and see as much of value as possible.

From PuzzlePlex.  Readings: whoever comes early waits, a visit must be over when its site closes,
and the tour begins anywhere at any time.  Unknown and repeated sites spoil a tour; an empty list is
a tour worth 0.  The score is the tour's value divided by the reference: the value of a best tour,
or a bound for all tours where none is proven best.  The proof takes, once per instance, about 0.1
seconds at easy, 1 second at normal (2 at most) and 4 seconds at hard (10 at most).  It succeeded
for all of 240 instances at easy, 118 of 120 at normal and 17 of 20 at hard; otherwise the bound was
at most 4 per cent above the best tour that is known.

The opponent is PuzzlePlex's annealing, with two differences: its tours may wait, and a change after
which a visit would be too late is not made.  PuzzlePlex counts such tours as worth nothing and may
keep them; on 6 of 25 instances at normal the best tour found so was worth less than a random one.
At easy it takes PuzzlePlex's 1,380 steps, at normal and hard 5,000, because there are more sites.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.answers import ListOf, Number
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Objective, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.reading import read_numbers

from .picture import sites_picture
from .solver.timetable import (
    Site,
    Visit,
    images,
    random_sites,
    random_tour,
    timetable,
    worth,
)
from .solver.tours import annealed, best_tour

BUDGET = 20_000_000  # legs looked at for the best tour and the proof that there is no better one


@dataclass(frozen=True)
class OptimalTouring(Objective, Question):
    sites: Annotated[
        tuple[Site, ...],
        Doc("the sites, site 1 first; a stay in minutes, opening hours as hours of the day"),
    ]

    version = 2
    rules_since = 2
    levels = {"easy": {"sites": 20}, "normal": {"sites": 40}, "hard": {"sites": 60}}
    house = {
        "easy": "simulated_annealing@1380",
        "normal": "simulated_annealing@5000",
        "hard": "simulated_annealing@5000",
    }

    @classmethod
    def new(cls, rng: Random, *, sites: Annotated[int, Between(1)] = 20) -> OptimalTouring:
        return cls(random_sites(rng, sites))

    def answer_shape(self) -> ListOf:
        return ListOf(Number(1, len(self.sites)))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say, ids, seen = self.say(language), read_numbers(answer), set[int]()
        if ids is None:
            return Verdict(0.0, "unreadable", _unread(say))
        for number in ids:
            if not 1 <= number <= len(self.sites):
                feedback = say(
                    "There is no site {number}; the sites are numbered from 1 to {last}.",
                    number=number,
                    last=len(self.sites),
                )
                return Verdict(0.0, "unknown_site", feedback)
            if number in seen:
                feedback = say(
                    "Site {number} is in your tour twice; each site may be visited only once.",
                    number=number,
                )
                return Verdict(0.0, "repeated_site", feedback)
            seen.add(number)
        visits = timetable(self.sites, ids)
        if visits and visits[-1].begins > self.sites[visits[-1].site - 1].latest:
            return Verdict(0.0, "closed", self._late(say, visits))
        value, feedback = worth(self.sites, ids), say("Your tour has no visits and is worth 0.")
        if visits:
            stops = say.list(_stop(say, visit) for visit in visits)
            feedback = say("Your tour is worth {value}: {stops}.", value=value, stops=stops)
        return Verdict(value / self.reference() if value else 0.0, "", feedback, float(value))

    def solution(self) -> str:
        return str(list(best_tour(self.sites, BUDGET).ids))

    strongest = {"easy": "optimal", "normal": "search", "hard": "search"}

    def sample(self, rng: Random) -> str:
        """Sites in random order, each visited if there is still time for it."""
        return str(list(random_tour(self.sites, rng)))

    def simulated_annealing(self, seat: Seat, rng: Random, budget: int) -> str:
        """PuzzlePlex's baseline: changes a tour, ever more carefully; a step per unit of budget."""
        return str(list(annealed(self.sites, rng, budget)))

    strategies = {"simulated_annealing": simulated_annealing}

    def reference(self) -> float:
        """Return the value of the best tour if that is proven, as it nearly always is; else a
        bound.
        """
        return float(best_tour(self.sites, BUDGET).bound)

    def reference_is_bound(self) -> bool:
        return not best_tour(self.sites, BUDGET).proven

    def equivalent(self, rng: Random) -> OptimalTouring:
        """With other numbers of sites, on a map turned or mirrored."""
        sites = rng.choice(images(self.sites))
        return OptimalTouring(tuple(rng.sample(sites, len(sites))))

    def canonical(self) -> Hashable:
        return min(tuple(sorted(sites)) for sites in images(self.sites))

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        rules = say(
            "You plan a day among sites. Each site lies where an avenue and a street cross, takes "
            "a number of minutes to visit, has a value, and is open between two full hours of the "
            "day.\n"
            "Going from one site to another takes as many minutes as the difference between their "
            "avenues plus the difference between their streets.\n"
            "Begin at any site, at any time you like. A visit takes exactly its minutes; it may "
            "not begin before the site opens, and it must be over when the site closes. If you "
            "arrive early, you wait.\n"
            "Visit each site at most once; you need not visit all of them. Your tour is worth the "
            "sum of the values of its sites: make it as large as you can. A tour that breaks a "
            "rule is worth nothing."
        )
        return say.lines(rules, _how(say))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        lines = [say("site  avenue  street  minutes  value  open")]
        for number, (avenue, street, stay, value, opens, closes) in enumerate(self.sites, start=1):
            numbers = f"{number:>4}  {avenue:>6}  {street:>6}  {stay:>7}  {value:>5}"
            lines.append(f"{numbers}  {opens}:00-{closes}:00")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return a map of the sites by number, and the table below it."""
        say = self.say(language)
        key = say(
            "av: avenue (across)\nst: street (down)\nmin: minutes of a visit\n"
            "open: hours of the day"
        )
        return sites_picture(self.sites, key, say("no av,st min val open"))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"blue": say("the sites; a line joins a site with its number")}

    def _late(self, say: Say, visits: Sequence[Visit]) -> str:
        """Return what is wrong with a tour whose last visit ends after closing time."""
        *before, last = visits
        times = {**last.times(), "closes": f"{self.sites[last.site - 1].closes}:00"}
        if not before:
            return say(
                "Site {site} closes at {closes}, but you arrive at {arrives} and the visit would "
                "last until {ends}.",
                **times,
            )
        return say(
            "Site {site} closes at {closes}, but you arrive at {arrives} and the visit would last "
            "until {ends}, after {stops}.",
            stops=say.list(_stop(say, visit) for visit in before),
            **times,
        )


def _how(say: Say) -> str:
    return say(
        "Answer with the numbers of the sites in the order you visit them, for example: [3, 1, 5]"
    )


def _unread(say: Say) -> str:
    """Return a phrase of its own: translations can tell that no tour was found in the answer."""
    return say(
        "Answer with the numbers of the sites in the order you visit them, for example: {tour}",
        tour="[3, 1, 5]",
    )


def _stop(say: Say, visit: Visit) -> str:
    """Return a visit of a tour with its times."""
    times = visit.times()
    if visit.begins == visit.arrives:
        return say("site {site} from {begins} to {ends}", **times)
    return say("site {site} from {begins} to {ends} (arriving at {arrives})", **times)
