"""Where the pages of the site lead, on a server and in files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .assets import address


class Links(NamedTuple):
    """The addresses that pages name."""

    home: str
    navigation: Mapping[str, str]  # with their words
    asset: Callable[[str], str]
    puzzle: Callable[[str], str]
    picture: Callable[..., str]  # of a puzzle, and perhaps a level


def _picture(name: str, level: str = "") -> str:
    return f"/pictures/{name}.svg{f'?level={level}' if level else ''}"


SITE_LINKS = Links(
    "/",
    {"/": "Library", "/daily": "Puzzle of the day", "/runs/": "Runs"},
    address,
    lambda name: f"/p/{name}",
    _picture,
)


def file_links(to_root: str, *, has_report: bool) -> Links:
    """In a folder: `to_root` leads from the page to it, "" or "../"."""
    navigation = {f"{to_root}library.html": "Library"}
    if has_report:
        navigation[f"{to_root}index.html"] = "Report"
    return Links(
        f"{to_root}library.html",
        navigation,
        lambda name: f"{to_root}site/{name}",
        lambda name: f"{to_root}puzzles/{name}.html",
        lambda name, level="": f"{to_root}puzzles/{name}{f'-{level}' if level else ''}.svg",
    )
