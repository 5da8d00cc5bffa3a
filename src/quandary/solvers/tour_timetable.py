"""A tour of sites with opening hours: walking times, its timetable and its worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Site(NamedTuple):
    avenue: int
    street: int
    stay: int  # minutes a visit takes
    value: int
    opens: int  # hours of the day
    closes: int

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


def walk(here: Site, there: Site) -> int:
    """Minutes from one site to another."""
    return abs(here.avenue - there.avenue) + abs(here.street - there.street)


def timetable(sites: Sequence[Site], ids: Sequence[int]) -> list[Visit]:
    """The earliest visits in that order, up to the first one that is too late; ids count from 1."""
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


def worth(sites: Sequence[Site], ids: Sequence[int]) -> int:
    return sum(sites[number - 1].value for number in ids)
