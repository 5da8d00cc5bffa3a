"""The pages of a study: agreeing, going on, stopping and deleting."""

from __future__ import annotations

from aiohttp import web

from quandary.arena.schedule import seats_of

from . import study_pages
from .guard import VISITOR, Refused
from .play_routes import form_of
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


def _agreed(site: Site, request: web.Request) -> Person:
    """Whoever takes part, on the terms as they are now."""
    person = _person(site, request)
    if not _study(site).has_agreed(person):
        raise Refused(409, "The terms of this study have changed; its page asks you again.")
    return person


@ROUTES.get("/study")
async def study(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    found = _study(site)
    person = found.person(request[VISITOR])
    if person is None or not found.has_agreed(person):
        text = study_pages.consent_page(found, person)
    else:
        scheme = "https" if site.guard.is_secure(request) else "http"
        link = f"{scheme}://{request.host}/study/back/{person.visitor}{site.guard.token_query}"
        text = study_pages.progress_page(found, person, link)
    return web.Response(text=text, content_type="text/html")


@ROUTES.post("/study/agree")
async def agree(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    form = await form_of(request)
    if form.get("version") != _study(site).consent_version():
        raise Refused(409, "The text has changed; read it again, and agree then.")
    _study(site).agree(request[VISITOR])
    raise web.HTTPSeeOther("/study")


BACK = r"/study/back/{visitor:[\w.-]{16,128}}"


@ROUTES.get(BACK)
async def ask_back(request: web.Request) -> web.StreamResponse:
    visitor = _known(request)
    return web.Response(text=study_pages.back_page(visitor), content_type="text/html")


@ROUTES.post(BACK)
async def back(request: web.Request) -> web.StreamResponse:
    """Whoever has the link of a person goes on as this person, on any device."""
    site, visitor = request.app[SITE], _known(request)
    found = web.Response(status=303, headers={"Location": "/study"})
    site.guard.remember(request, found, visitor)
    return found


def _known(request: web.Request) -> str:
    visitor = request.match_info["visitor"]
    if _study(request.app[SITE]).person(visitor) is None:
        raise Refused(404, "Nobody in this study has this link.")
    return visitor


@ROUTES.post("/study/next")
async def go_on(request: web.Request) -> web.StreamResponse:
    """To the match under way, or to the next one."""
    site = request.app[SITE]
    async with site.beginning(_agreed(site, request).pseudonym):  # two clicks begin one match
        return await _next(site, _study(site), _agreed(site, request))


async def _next(site: Site, found: Study, person: Person) -> web.StreamResponse:
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
        table = await site.table(item)
    else:
        raise web.HTTPSeeOther("/study")
    raise web.HTTPSeeOther(f"/m/{table.id}/{table.seat_of(person.visitor)}")


@ROUTES.post("/study/answers")
async def answers(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    form = await form_of(request)  # first: meanwhile the person may delete everything
    person = _agreed(site, request)
    _study(site).answer(person, {name: form.get(name, "") for name in QUESTIONS})
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
    form = await form_of(request)
    person = _person(site, request)
    if form.get("sure") != "yes":
        raise Refused(400, "Confirm that you want to delete everything.")
    await site.forget(person)
    # With another key, so that whoever agrees again is another person.
    gone = web.Response(status=303, headers={"Location": "/study"})
    site.guard.remember(request, gone, site.guard.new_visitor())
    return gone
