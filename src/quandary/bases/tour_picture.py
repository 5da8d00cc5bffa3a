"""The picture of sites with opening hours: a map, and a table below it."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.core.boards import beside, captions, stack
from quandary.core.scene import Scene
from quandary.solvers.tour_timetable import Site

from .site_map import site_map

SMALL, COLUMNS = 0.58, 3  # size of letters in the table, and its columns


def sites_picture(sites: Sequence[Site], key: str, heading: str) -> Scene:
    """The map with its key, and the sites by number under the heading of each column."""
    title = captions(heading, size=SMALL, colour="quiet", mono=True)
    lines = [
        f"{number:>2} {avenue:>3} {street:>3} {stay:>3} {value:>3} {opens}-{closes}"
        for number, (avenue, street, stay, value, opens, closes) in enumerate(sites, 1)
    ]
    height = -(-len(lines) // COLUMNS)
    columns = [lines[start : start + height] for start in range(0, len(lines), height)]
    tables = [captions(*column, size=SMALL, mono=True) for column in columns]
    places = tuple((site.avenue, site.street) for site in sites)
    return stack(
        beside(site_map(places), captions(key, size=0.6, colour="quiet")),
        beside(*(stack(title, table, gap=0.1) for table in tables)),
    )
