"""The pages of runs: their lists of matches, and single matches move by move."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from aiohttp import web

from quandary.report.page.match_section import match_list

from . import pages
from .guard import Refused
from .site import SITE

ROUTES = web.RouteTableDef()
PLACE = re.compile(r"(?P<run>[^/]+)/(?P<match>[0-9]{1,9})")


@ROUTES.get("/runs/")
async def runs(request: web.Request) -> web.StreamResponse:
    return _page(pages.runs_page(request.app[SITE].runs.rows()))


@ROUTES.get("/runs")
async def runs_without_slash(request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("/runs/")


@ROUTES.get("/runs/{run}/")
async def run(request: web.Request) -> web.StreamResponse:
    """Return the list of a run, with the viewer of the report."""
    site, name = request.app[SITE], request.match_info["run"]
    size = site.runs.size(name)
    words = "Matches that are added appear in the list."
    if site.study:
        words += " Those on instances of the study on this site are not shown."
    return _page(pages.run_page(name, size, match_list(words)))


@ROUTES.get(r"/runs/{run}/matches/list.js")
async def run_list(request: web.Request) -> web.StreamResponse:
    return _script(await request.app[SITE].runs.list(request.match_info["run"]))


@ROUTES.get(r"/runs/{run}/matches/1-{number:[0-9]{1,9}}.js")
async def run_file(request: web.Request) -> web.StreamResponse:
    info = request.match_info
    return _script(await request.app[SITE].runs.file(info["run"], int(info["number"])))


@ROUTES.get(r"/runs/{run}/{match:[0-9]{1,9}}")
async def replay(request: web.Request) -> web.StreamResponse:
    info = request.match_info
    shown = await request.app[SITE].runs.transcript(info["run"], int(info["match"]))
    source = _source(info["run"], info["match"])
    return _page(pages.replay_page(str(shown["name"]), [source]))


@ROUTES.get(r"/runs/{run}/{match:[0-9]{1,9}}.json")
async def transcript(request: web.Request) -> web.StreamResponse:
    info = request.match_info
    return _json(await request.app[SITE].runs.transcript(info["run"], int(info["match"])))


@ROUTES.get(r"/runs/{run}/{match:[0-9]{1,9}}/costs.json")
async def costs(request: web.Request) -> web.StreamResponse:
    info = request.match_info
    return _json(await request.app[SITE].runs.costs(info["run"], int(info["match"])))


@ROUTES.get("/compare")
async def compare(request: web.Request) -> web.StreamResponse:
    """Two matches side by side: /compare?a=RUN/N&b=RUN/N."""
    site, sources = request.app[SITE], list[str]()
    for side in "ab":
        found = PLACE.fullmatch(request.query.get(side, ""))
        if not found:
            raise Refused(400, "Name two matches: /compare?a=RUN/N&b=RUN/N.")
        await site.runs.transcript(found["run"], int(found["match"]))
        sources.append(_source(found["run"], found["match"]))
    return _page(pages.replay_page("Two matches", sources))


def _source(run: str, match: str) -> str:
    """Return the address of a match, below which its data are."""
    return f"/runs/{quote(run, safe='')}/{match}"


def _page(text: str) -> web.Response:
    found = web.Response(text=text, content_type="text/html")
    found.enable_compression()
    return found


def _script(text: str) -> web.Response:
    found = web.Response(text=text, content_type="text/javascript")
    found.headers["Cache-Control"] = "no-store"
    found.enable_compression()
    return found


def _json(data: Any) -> web.Response:
    found = web.Response(
        text=json.dumps(data, separators=(",", ":")), content_type="application/json"
    )
    found.headers["Cache-Control"] = "no-store"
    found.enable_compression()
    return found
