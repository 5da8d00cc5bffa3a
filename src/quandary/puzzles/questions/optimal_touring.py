"""Optimal touring: plan a day among sites with opening hours, and see as much of value as possible.

From PuzzlePlex.  Readings: whoever comes early waits, a visit must be over when its site closes, and the tour begins anywhere
at any time.  Unknown and repeated sites spoil a tour; an empty list is a tour worth 0.
The score is the tour's share in the value of all sites that could be visited at all; the raw value is the sum itself.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Disc, Label, Line, Scene, Shape
from quandary.solvers.optimal_touring import annealed, best_tour
from quandary.solvers.tour_timetable import Site, Visit, timetable, worth

QUICK, THOROUGH = 250_000, 20_000_000  # legs looked at for the solution, and for the reference
GUESS = 300  # steps of annealing
HOW_TO_WRITE = "Answer with the numbers of the sites in the order you visit them, for example: [3, 1, 5]"
NAMED = re.compile(r"(?:operation ?[:=] ?)?(?:list\[int\] ?[:=]? ?)?")
BETWEEN = re.compile(r" ?(?:,|->|→) ?| ")
MAP, ROW, BLOCK = 16, 0.8, 8.6  # sizes in the scene: of the map, of a line of the table, of one of its three columns


@dataclass(frozen=True)
class OptimalTouring(Question):
    sites: tuple[Site, ...]  # site 1 first

    levels = {"easy": {"sites": 20}, "normal": {"sites": 40}, "hard": {"sites": 60}}

    @classmethod
    def new(cls, rng: Random, *, sites: int = 20) -> OptimalTouring:
        """Some sites may be open for less time than a visit takes, but never all."""
        if sites < 1:
            raise ValueError("there must be at least one site")
        drawn: tuple[Site, ...] = ()
        while not _ceiling(drawn):
            drawn = tuple(_drawn(rng) for _ in range(sites))
        return cls(drawn)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        ids = _ids(answer)
        if ids is None:
            return Verdict(0.0, "unreadable", HOW_TO_WRITE)
        seen: set[int] = set()
        for number in ids:
            if not 1 <= number <= len(self.sites):
                return Verdict(
                    0.0, "unknown_site", f"There is no site {number}; the sites are numbered from 1 to {len(self.sites)}."
                )
            if number in seen:
                return Verdict(0.0, "repeated_site", f"Site {number} stands in your tour twice; each site may be visited once.")
            seen.add(number)
        visits = timetable(self.sites, ids)
        if visits and visits[-1].begins > self.sites[visits[-1].site - 1].latest:
            return Verdict(0.0, "closed", self._late(visits))
        value = worth(self.sites, ids)
        feedback = f"Your tour is worth {value}: {_schedule(visits) or 'no visits'}."
        return Verdict(value / max(1, _ceiling(self.sites)), "", feedback, float(value))

    def solution(self) -> str:
        return str(list(best_tour(self.sites, QUICK).ids))

    def sample(self, rng: Random) -> str:
        """What a little annealing finds: a tour that keeps the rules."""
        return str(list(annealed(self.sites, rng, GUESS)))

    def reference(self) -> float:
        """The value of the best tour where that is proven, as it nearly always is at these levels; else a bound close above it."""
        return float(best_tour(self.sites, THOROUGH).bound)

    def canonical(self) -> Hashable:
        """Numbers of sites are only names."""
        return tuple(sorted(self.sites))

    def rules(self, language: Language = "en") -> str:
        return (
            "You plan a day among sites. Each site lies where an avenue and a street cross, takes a number of minutes to visit, "
            "has a value, and is open between two full hours of the day.\n"
            "Going from one site to another takes as many minutes as their avenues and their streets differ, added up.\n"
            "Begin at any site, at any time you like. A visit takes exactly its minutes; it may not begin before the site opens, "
            "and it must be over when the site closes. If you arrive early, you wait.\n"
            "Visit each site at most once; you need not visit all of them. "
            "Your tour is worth the values of its sites together: make that as much as you can. "
            "A tour that breaks a rule is worth nothing.\n" + HOW_TO_WRITE
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = ["site  avenue  street  minutes  value  open"]
        for number, site in enumerate(self.sites, start=1):
            hours = f"{site.opens}:00-{site.closes}:00"
            lines.append(f"{number:>4}  {site.avenue:>6}  {site.street:>6}  {site.stay:>7}  {site.value:>5}  {hours}")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """A map of the sites by number, and the table below it."""
        corners = ((0, 0), (MAP, 0), (MAP, MAP), (0, MAP), (0, 0))
        shapes: list[Shape] = [Line(tuple((x + 1.0, y + 1.0) for x, y in corners), "line")]
        for tick in (0, 50, 100):
            at = 1 + tick * MAP / 100
            shapes += [Label(at, 0.6, str(tick), 0.5, "quiet"), Label(0.8, at, str(tick), 0.5, "quiet", "end")]
        key = ("across: avenue", "down: street", "min: minutes of a visit", "open: hours of the day")
        shapes += [Label(MAP + 1.8, 1.5 + i, line, 0.6, "quiet", "start") for i, line in enumerate(key)]
        rows = -(-len(self.sites) // 3)
        for column in range(3):
            shapes.append(Label(column * BLOCK, MAP + 2, "no ave  st min val open", 0.58, "quiet", "start", mono=True))
        for index, site in enumerate(self.sites):
            x, y = 1 + site.avenue * MAP / 100, 1 + site.street * MAP / 100
            shapes.append(Disc(x, y, 0.38, "blue", str(index + 1), click=str(index + 1)))
            column, row = divmod(index, rows)
            line = f"{index + 1:>2} {site.avenue:>3} {site.street:>3} {site.stay:>3} {site.value:>3} {site.opens}-{site.closes}"
            shapes.append(Label(column * BLOCK, MAP + 2 + (row + 1) * ROW, line, 0.58, "ink", "start", mono=True))
        return Scene(3 * BLOCK, MAP + 2.5 + (rows + 0.5) * ROW, tuple(shapes))

    def _late(self, visits: Sequence[Visit]) -> str:
        """What is wrong with a tour whose last visit ends after closing time."""
        *before, last = visits
        closes = self.sites[last.site - 1].closes
        way = f", after {_schedule(before)}" if before else ""
        return (
            f"Site {last.site} closes at {closes}:00, but you arrive at {_clock(last.arrives)} "
            f"and the visit would last until {_clock(last.ends)}{way}."
        )


def _drawn(rng: Random) -> Site:
    opens = rng.randint(0, 12)
    closes = rng.randint(opens + 1, 21)
    avenue, street = rng.randint(0, 100), rng.randint(0, 100)
    stay, value = rng.randint(1, 200), rng.randint(1, 200)
    return Site(avenue, street, stay, value, opens, closes)


def _ceiling(sites: Sequence[Site]) -> int:
    """The value of all sites that can be visited at all; no tour is worth more."""
    return sum(site.value for site in sites if site.earliest <= site.latest)


def _ids(answer: str) -> list[int] | None:
    """The sites of a list or of bare numbers; None for anything else."""
    plain = " ".join(answer.casefold().split()).strip(" `*'\".")
    named = NAMED.match(plain)
    body = plain[named.end() if named else 0 :]
    if body.startswith("[") and body.endswith("]"):
        body = body[1:-1].strip()
        if not body:
            return []
    words = BETWEEN.split(body)
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        return None
    return [int(word) for word in words]


def _schedule(visits: Sequence[Visit]) -> str:
    return ", ".join(_stop(visit) for visit in visits)


def _stop(visit: Visit) -> str:
    wait = f" (arriving at {_clock(visit.arrives)})" if visit.begins > visit.arrives else ""
    return f"site {visit.site} from {_clock(visit.begins)} to {_clock(visit.ends)}{wait}"


def _clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02}"
