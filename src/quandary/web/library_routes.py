"""The library, the pages of puzzles, and the puzzle of the day."""

from __future__ import annotations

from aiohttp import web

from quandary.catalogue import drawing
from quandary.core.errors import unknown_language
from quandary.players.strategy import player_names

from . import pages
from .guard import Refused
from .library import load, usual_level
from .site import SITE

ROUTES = web.RouteTableDef()
DAY = 24 * 3600


@ROUTES.get("/")
async def library(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    rows = await site.library.rows()
    return _page(pages.library_page(rows, has_study=site.study is not None))


@ROUTES.get("/p/{name}")
async def puzzle(request: web.Request) -> web.StreamResponse:
    site, name = request.app[SITE], request.match_info["name"]
    row = await site.library.row(name)
    puzzle = load(name)
    language = request.query.get("language", "en")
    if language not in row["languages"]:
        raise Refused(404, str(unknown_language(language, row["languages"], of=name)))
    usual = usual_level(puzzle)
    game = drawing.game(str(site.library.shown(name, usual)), language=language)
    others = [each for each in player_names(game) if each not in ("house", "human")]
    opponents = ["house", *others, *site.opponents.offered]
    rules = game.rules(language)
    return _page(pages.puzzle_page(row, rules, list(puzzle.levels), opponents, usual, language))


@ROUTES.get("/pictures/{name}.svg")
async def picture(request: web.Request) -> web.StreamResponse:
    site, query = request.app[SITE], request.query
    text = await site.library.picture(
        request.match_info["name"], query.get("level", ""), query.get("daily", "")
    )
    found = web.Response(text=text, content_type="image/svg+xml")
    found.headers["Cache-Control"] = f"max-age={DAY}"
    found.enable_compression()
    return found


@ROUTES.get("/daily")
async def daily(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    row, spec = await site.library.daily()
    [(played,)] = site.database.rows(
        "select count(*) from matches where spec = ? and ended is not null", str(spec)
    )
    today = site.library.today.isoformat()
    return _page(pages.daily_page(row["name"], spec.level, today, str(spec), played))


def _page(text: str) -> web.Response:
    found = web.Response(text=text, content_type="text/html")
    found.enable_compression()
    return found
