"""The pages of a study: agreeing, going on, stopping and deleting."""

from __future__ import annotations

from aiohttp import web

from quandary.arena.schedule import seats_of

from . import study_pages
from .guard import VISITOR, YEAR, Refused
from .site import SITE, Site
from .study import QUESTIONS, Item, Person, Study

ROUTES = web.RouteTableDef()


def _study(site: Site) -> Study:
    if site.study is None:
        raise Refused(404, "There is no study on this site.")
    return site.study


def _person(site: Site, request: web.Request) -> Person:
    person = _study(site).person(request[VISITOR])
    if person is None:
        raise Refused(403, "You do not take part in this study; its page says how you can.")
    return person


@ROUTES.get("/study")
async def study(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    found = _study(site)
    person = found.person(request[VISITOR])
    if person is None:
        text = study_pages.consent_page(found)
    else:
        link = f"{request.scheme}://{request.host}/study/back/{person.visitor}"
        text = study_pages.progress_page(found, person, link)
    return web.Response(text=text, content_type="text/html")


@ROUTES.post("/study/agree")
async def agree(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    form = await request.post()
    if form.get("version") != _study(site).consent_version():
        raise Refused(409, "The text has changed; read it again, and agree then.")
    _study(site).agree(request[VISITOR])
    raise web.HTTPSeeOther("/study")


@ROUTES.get(r"/study/back/{visitor:[\w-]{16,64}}")
async def back(request: web.Request) -> web.StreamResponse:
    """Whoever has the link of a person goes on as this person, on any device."""
    site, visitor = request.app[SITE], request.match_info["visitor"]
    if _study(site).person(visitor) is None:
        raise Refused(404, "Nobody of this study has this link.")
    found = web.Response(status=303, headers={"Location": "/study"})
    found.set_cookie(
        site.guard.cookie, visitor, max_age=YEAR, httponly=True, samesite="Lax", path="/"
    )
    request[VISITOR] = visitor
    return found


@ROUTES.post("/study/next")
async def go_on(request: web.Request) -> web.StreamResponse:
    """To the match under way, or to the next one."""
    site = request.app[SITE]
    found, person = _study(site), _person(site, request)
    if person.has_stopped:
        found.stop(person, again=True)
    item = found.next(person)
    if isinstance(item, Item):
        count = seats_of(item.spec)
        own = (person.number + item.place) % count  # from both seats, against the house
        players = [person.player if seat == own else "house" for seat in range(count)]
        takers = [person.visitor if seat == own else "" for seat in range(count)]
        table = await site.begin(item.spec, players, found.match_settings(person), takers)
    elif item:
        table = site.table(item)
    else:
        raise web.HTTPSeeOther("/study")
    raise web.HTTPSeeOther(f"/m/{table.id}/{table.seat_of(person.visitor)}")


@ROUTES.post("/study/answers")
async def answers(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    person, form = _person(site, request), await request.post()
    _study(site).answer(person, {name: str(form.get(name, "")).strip() for name in QUESTIONS})
    raise web.HTTPSeeOther("/study")


@ROUTES.post("/study/stop")
async def stop(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    _study(site).stop(_person(site, request))
    raise web.HTTPSeeOther("/study")


@ROUTES.post("/study/delete")
async def delete(request: web.Request) -> web.StreamResponse:
    """Delete everything that is kept of a person."""
    site = request.app[SITE]
    person, form = _person(site, request), await request.post()
    if form.get("sure") != "yes":
        raise Refused(400, "Confirm that you want to delete everything.")
    site.forget(person)
    raise web.HTTPSeeOther("/study")
