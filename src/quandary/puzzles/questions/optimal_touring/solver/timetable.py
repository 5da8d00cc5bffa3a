"""Sites with opening hours, and tours of them: walking times, timetables and their worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Annotated, NamedTuple

from quandary.core.descriptions import Doc


class Site(NamedTuple):
    """A site: where it lies, how long a visit takes, what it is worth, and when it is open."""

    avenue: Annotated[int, Doc("the number of the avenue on which it lies")]
    street: Annotated[int, Doc("the number of the street on which it lies")]
    stay: Annotated[int, Doc("how many minutes a visit takes")]
    value: Annotated[int, Doc("what a visit adds to the worth of a tour")]
    opens: Annotated[int, Doc("the full hour of the day, from 0, from which a visit may begin")]
    closes: Annotated[int, Doc("the full hour of the day by which a visit must be over")]

    @property
    def earliest(self) -> int:
        """The minute from which a visit may begin."""
        return self.opens * 60

    @property
    def latest(self) -> int:
        """The minute by which a visit must begin."""
        return self.closes * 60 - self.stay


class Visit(NamedTuple):
    """One stop of a tour, in minutes of the day."""

    site: int
    arrives: int
    begins: int
    ends: int

    def times(self) -> dict[str, object]:
        """Return the site, and the times as a clock shows them, by name."""
        arrives, begins, ends = _clock(self.arrives), _clock(self.begins), _clock(self.ends)
        return {"site": self.site, "arrives": arrives, "begins": begins, "ends": ends}


def random_sites(rng: Random, count: int) -> tuple[Site, ...]:
    """Some sites may be open for less time than a visit takes, but never all."""
    sites: tuple[Site, ...] = ()
    while not ceiling(sites):
        sites = tuple(_random_site(rng) for _ in range(count))
    return sites


def _random_site(rng: Random) -> Site:
    opens = rng.randint(0, 12)
    closes = rng.randint(opens + 1, 21)
    avenue, street = rng.randint(0, 100), rng.randint(0, 100)
    stay, value = rng.randint(1, 200), rng.randint(1, 200)
    return Site(avenue, street, stay, value, opens, closes)


def images(sites: Sequence[Site]) -> list[tuple[Site, ...]]:
    """Return the sites on the map turned and mirrored in eight ways, with the map's corner at 0."""
    found = []
    for swap, flip_avenues, flip_streets in product((False, True), repeat=3):
        avenues = _from_edge([site.avenue for site in sites], flip_avenues)
        streets = _from_edge([site.street for site in sites], flip_streets)
        if swap:
            avenues, streets = streets, avenues
        found.append(
            tuple(
                site._replace(avenue=avenue, street=street)
                for site, avenue, street in zip(sites, avenues, streets, strict=True)
            )
        )
    return found


def _from_edge(places: Sequence[int], flipped: bool) -> list[int]:
    """Return how far each place is from the lowest one, or from the highest one."""
    edge = max(places) if flipped else min(places)
    return [abs(place - edge) for place in places]


def ceiling(sites: Sequence[Site]) -> int:
    """Return the value of all sites that can be visited at all; no tour is worth more."""
    return sum(site.value for site in sites if site.earliest <= site.latest)


def walk(here: Site, there: Site) -> int:
    """Minutes from one site to another."""
    return abs(here.avenue - there.avenue) + abs(here.street - there.street)


def timetable(sites: Sequence[Site], ids: Sequence[int]) -> list[Visit]:
    """Return the earliest visits in that order, up to the first one that is too late; ids count
    from 1.
    """
    visits: list[Visit] = []
    for number in ids:
        site = sites[number - 1]
        arrives = (
            visits[-1].ends + walk(sites[visits[-1].site - 1], site) if visits else site.earliest
        )
        begins = max(arrives, site.earliest)
        visits.append(Visit(number, arrives, begins, begins + site.stay))
        if begins > site.latest:
            break
    return visits


def feasible(sites: Sequence[Site], ids: Sequence[int]) -> bool:
    return all(visit.begins <= sites[visit.site - 1].latest for visit in timetable(sites, ids))


def random_tour(sites: Sequence[Site], rng: Random) -> tuple[int, ...]:
    """Return the sites in random order, without those that come too late."""
    ids: tuple[int, ...] = ()
    for number in rng.sample(range(1, len(sites) + 1), len(sites)):
        if feasible(sites, (*ids, number)):
            ids = (*ids, number)
    return ids


def worth(sites: Sequence[Site], ids: Sequence[int]) -> int:
    return sum(sites[number - 1].value for number in ids)


def _clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02}"
