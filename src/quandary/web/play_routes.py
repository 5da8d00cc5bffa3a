"""Starting, watching and playing a match."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from aiohttp import web

from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.core.errors import UserError, choices
from quandary.core.mixins.families import families_of, family_words
from quandary.core.words import Say, say_in
from quandary.core.wrapper import innermost
from quandary.matches.match import NotAsked
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.players.advice import solution
from quandary.players.people import PERSON, is_person, person

from . import pages, tasks, views
from .events import Listener
from .guard import VISITOR, Refused
from .library import load, usual_level
from .site import DELETED_MEANWHILE, SITE, Site
from .tables import Settings, Table
from .workers import Failed, Overloaded, TooSlow

ROUTES = web.RouteTableDef()
ADVICE = 15.0  # seconds that a hint may take
BODY = 15.0  # seconds in which what a request sends must arrive
LONGEST = 20_000  # characters of a reply
LONGEST_NAME = 300  # characters of a player's name
SEATS = tuple("0123456789")


@ROUTES.post("/matches")
async def begin(request: web.Request) -> web.StreamResponse:
    """Return a new match from a form; its page is next."""
    site, form = request.app[SITE], await form_of(request)
    language = form.get("language") or "en"
    spec = site.named(_spec(site, form))
    _check_level(spec)
    seats = getattr(load(spec.name), "seats", 1) if not spec.task else 1
    own = person(form.get("own_name", ""))
    against = form.get("against") or "house"
    if len(against) > LONGEST_NAME or (is_person(against) and against != PERSON):
        raise Refused(400, f"Write {PERSON} for another person, who may then give a name.")
    against = site.opponents.full_name(against)
    seat = form.get("seat", "0")
    if seat != "any" and not (seat in SEATS and int(seat) < seats):
        raise Refused(400, f"{spec.name} has the seats 0 to {seats - 1}.")
    site.check_not_studied(spec)
    place = site.new_seed() % seats if seat == "any" else int(seat)
    players = [own if at == place else against for at in range(seats)]
    takers = [request[VISITOR] if at == place else "" for at in range(seats)]
    settings = Settings(language)
    is_chosen = bool(form.get("seed") or form.get("spec"))
    table = await site.begin(spec, players, settings, takers, is_chosen=is_chosen)
    raise web.HTTPSeeOther(f"/m/{table.id}/{place}")


def _spec(site: Site, form: Mapping[str, str]) -> str:
    if form.get("spec"):
        return form["spec"]
    name = form.get("puzzle", "")
    puzzle = load(name)
    level = form.get("level") or usual_level(puzzle)
    if level not in puzzle.levels:  # arguments of a level could tell what is hidden
        raise Refused(404, f"{name} has no level {level!r}; it has {choices(list(puzzle.levels))}.")
    task = f"{form['task']}:" if form.get("task") else ""
    return f"{task}{name}/{level}#{form.get('seed') or site.new_seed()}"


def _check_level(spec: Spec) -> None:
    """Refused for a changed level: its size could keep the site from answering."""
    changed = [key for key, _ in spec.changes if key != "family"]
    if changed:
        raise Refused(
            400,
            f"Levels are played as they are here; leave {choices(changed)} out, or play {spec} at "
            f"a terminal, with quandary play.",
        )


@ROUTES.get("/m/{id}")
async def watch(request: web.Request) -> web.StreamResponse:
    """Whoever has the link watches, and may take an open seat."""
    site = request.app[SITE]
    table = await site.table(request.match_info["id"])
    own = table.seat_of(request[VISITOR])
    if own is not None:
        raise web.HTTPFound(f"/m/{table.id}/{own}")
    return _page(table, None, site.tables.name_before(table, request[VISITOR]))


@ROUTES.get(r"/m/{id}/{seat:[0-9]}")
async def seat_page(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    table, seat = await _seat(request, site)
    if table.takers[seat] != request[VISITOR]:
        if seat in table.empty_seats:
            raise web.HTTPFound(f"/m/{table.id}")
        raise Refused(403, f"Seat {seat} of this match is another player's.")
    return _page(table, seat)


def _page(table: Table, seat: Seat | None, own_name: str = "") -> web.Response:
    """`own_name` is offered to whoever may take a seat."""
    language = table.settings.language
    start = table.match.start
    rules = start.rules(language)
    if families_of(type(innermost(start))) and not table.is_secret:
        rules = f"{family_words(start, language)}\n\n{rules}"
    title = table.spec.name.replace("_", " ")
    text = pages.match_page(title, table.id, seat, rules, table.open_seats, language, own_name)
    return web.Response(text=text, content_type="text/html")


@ROUTES.get(r"/m/{id}/view")
async def public_view(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    table = await site.table(request.match_info["id"])
    message = views.public_view(table)
    if views.may_be_watched(table):
        message["match"] = await site.whole(table)
    return _json(message)


@ROUTES.get(r"/m/{id}/{seat:[0-9]}/view")
async def view(request: web.Request) -> web.StreamResponse:
    site = request.app[SITE]
    table, seat = await _own_seat(request, site)
    return _json(_view(site, table, seat, request.query))


def _view(site: Site, table: Table, seat: Seat, have: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a seat is told, with the steps that its browser lacks."""
    turn, paused = table.turn(seat), site.why_not_kept(table.settings)
    if turn is not None and not paused:
        site.tables.show(table, turn)
    steps, frames, pieces = (_number(have.get(what)) for what in ("steps", "frames", "pieces"))
    if _number(have.get("epoch")) != table.epoch:
        steps = frames = pieces = 0
    message = views.seat_view(table, seat, site.tables.now())
    if why := site.opponents.why_cut_off(table):
        message["result"] = why
    if paused and not table.is_over:
        message |= {"paused": paused, "turn": None, "input": None, "may": []}
    if table.open_seats:  # whoever gets the link needs the token, too
        message["link"] = f"/m/{table.id}{site.guard.token_query}"
    message["update"] = table.steps(seat).since(steps, frames, pieces)
    return message


@ROUTES.get(r"/m/{id}/whole")
async def whole(request: web.Request) -> web.StreamResponse:
    """Return the whole match, once it is over."""
    site = request.app[SITE]
    table = await site.table(request.match_info["id"])
    if not table.is_over:
        raise Refused(409, "This match is not over yet.")
    return _json(await site.whole(table))


@ROUTES.get(r"/m/{id}/costs")
async def costs(request: web.Request) -> web.StreamResponse:
    """Return what each move cost, once the match is over."""
    site = request.app[SITE]
    table = await site.table(request.match_info["id"])
    if not table.is_over:
        raise Refused(409, "This match is not over yet.")
    try:
        found = await site.costs(table)
    except (TooSlow, Failed, Overloaded, UserError):
        found = []
    return _json(found)


@ROUTES.post(r"/m/{id}/{seat:[0-9]}/reply")
async def reply(request: web.Request) -> web.StreamResponse:
    """Return a reply to the turn with a number; it is stored before it is acknowledged."""
    site = request.app[SITE]
    data = await _data(request)  # first: meanwhile the match may be deleted
    table, seat = await _own_seat(request, site)
    turn, number = table.turn(seat), data.get("turn")
    if number is not None and type(number) is not int:  # false equals 0
        raise Refused(400, "A reply names its turn as a number.")
    if turn is None or number != turn.number:
        message = _view(site, table, seat, data)
        say = _say(table)
        message["error"] = say("This turn is over; the position has changed meanwhile.")
        return _json(message, status=409)
    site.check_taking_part(table)
    say = _say(table)
    text = _reply_text(turn, data, say)
    if len(text) > LONGEST:
        raise Refused(413, f"A reply has at most {LONGEST:,} characters.")
    if not table.settings.is_study:
        if not text.strip():
            raise Refused(422, say("You have not given an answer. An empty list is written []."))
        if why := views.problem(turn, text, table.settings.language):
            raise Refused(422, why)
    try:
        given = Reply(text, seconds=site.tables.seconds(table, turn))
        if table.is_question:
            await site.judging.receive(table, seat, given)
        else:
            site.tables.receive(table, seat, given)
    except NotAsked:
        raise Refused(409, say("No reply from you is expected now.")) from None
    return _json(_view(site, table, seat, data))


def _say(table: Table) -> Say:
    """Return how players of a match are spoken to."""
    return say_in(__name__, table.settings.language)


def _reply_text(turn: Turn, data: Mapping[str, Any], say: Say) -> str:
    """Return the text of a reply that was typed, or put together in a form."""
    values = data.get("values")
    if isinstance(values, dict):
        plain = {str(name): str(value)[:LONGEST] for name, value in values.items()}
        if not any(value.strip() for value in plain.values()):
            return ""
        if views.unfilled(turn.position, plain):
            raise Refused(422, say("Some cells are still empty; fill them in first."))
        try:
            return views.answer_from(turn.position, plain)
        except UserError as reason:
            raise Refused(422, str(reason)) from None
    text = data.get("text", "")
    if not isinstance(text, str):
        raise Refused(400, "A reply is a text.")
    return text


@ROUTES.post(r"/m/{id}/{seat:[0-9]}/take")
async def take(request: web.Request) -> web.StreamResponse:
    """Sit down at an open seat; a link preview does not."""
    site, form = request.app[SITE], await form_of(request)
    table, seat = await _seat(request, site)
    if table.is_over:
        raise Refused(409, "This match is over.")
    if seat not in table.open_seats:
        raise Refused(409, f"Seat {seat} of this match is taken.")
    if table.seat_of(request[VISITOR]) is not None:
        raise Refused(409, "You have a seat in this match; send its link to another person.")
    site.tables.take_seat(table, seat, request[VISITOR], form.get("own_name", ""))
    raise web.HTTPSeeOther(f"/m/{table.id}/{seat}")


def _action(name: str) -> Callable[[Any], Any]:
    return ROUTES.post(rf"/m/{{id}}/{{seat:[0-9]}}/{name}")


@_action("resign")
async def resign(request: web.Request) -> web.StreamResponse:
    async def give_up(site: Site, table: Table, seat: Seat) -> None:
        site.tables.resign(table, seat)

    return await _act(request, give_up)


@_action("undo")
async def undo(request: web.Request) -> web.StreamResponse:
    async def take_back(site: Site, table: Table, seat: Seat) -> None:
        if not table.may_take_back(seat):
            say = _say(table)
            raise Refused(409, say("There is no move of yours that can be taken back."))
        if table.is_question:
            await site.judging.take_back(table, seat)
        else:
            site.tables.take_back(table, seat)

    return await _act(request, take_back)


@_action("claim")
async def claim(request: web.Request) -> web.StreamResponse:
    """Win against another person who has not replied for long."""

    async def end(site: Site, table: Table, seat: Seat) -> None:
        say = _say(table)
        if len(table.people) < 2:
            raise Refused(409, say("Only a match against another person can be claimed."))
        if table.until_claim(seat, site.tables.now()) is None:
            raise Refused(409, say("This is not possible now."))
        if not table.may_claim(seat, site.tables.now()):
            raise Refused(409, say("The other player still has time."))
        for other in list(table.match.turns):
            if other != seat:
                site.tables.fail(table, other, Forfeit("timeout"))

    return await _act(request, end)


async def _act(
    request: web.Request, do: Callable[[Site, Table, Seat], Awaitable[None]]
) -> web.StreamResponse:
    site = request.app[SITE]
    data = await _data(request)
    table, seat = await _own_seat(request, site)
    site.check_taking_part(table)
    if table.is_judging:
        say = _say(table)
        raise Refused(409, say("Your answer is being judged; wait a moment."))
    try:
        await do(site, table, seat)
    except NotAsked:  # its words name the instance
        say = _say(table)
        raise Refused(409, say("This is not possible now.")) from None
    return _json(_view(site, table, seat, data))


@_action("rematch")
async def rematch(request: web.Request) -> web.StreamResponse:
    """Another instance of the level, seats exchanged; another person takes theirs by link."""
    site = request.app[SITE]
    table, seat = await _own_seat(request, site)
    if table.settings.is_study:
        raise Refused(409, "A study has its own order of instances.")
    if not table.is_over:
        raise Refused(409, "This match is not over yet.")
    async with site.beginning(table.id):  # both may ask at the same moment
        if not table.rematch:
            return _json({"to": await _begin_again(site, table, seat)})
    return _json({"to": f"/m/{table.rematch}"})


async def _begin_again(site: Site, table: Table, seat: Seat) -> str:
    """Begin the match after this one; the address of the seat of whoever asked."""
    spec = table.spec.with_seed(site.new_seed())
    count = len(table.players)
    shift = 1 if count > 1 else 0
    places = [(at + shift) % count for at in range(count)]
    players, takers = [""] * count, [""] * count
    for at, place in enumerate(places):
        is_other = at != seat and is_person(table.players[at])
        players[place] = PERSON if is_other else table.players[at]  # they give their name again
        takers[place] = table.takers[at] if at == seat else ""
    made = await site.begin(spec, players, table.settings._replace(repeat=0), takers)
    site.tables.lead_on(table, made.id)
    return f"/m/{made.id}/{places[seat]}"


@_action("hint")
async def hint(request: web.Request) -> web.StreamResponse:
    async def ask(site: Site, table: Table, seat: Seat) -> str:
        turn, say = _turn(table, seat), _say(table)
        found = await site.workers.run(tasks.hint, turn, seconds=ADVICE)
        if found is None:
            return say("No strong player is known for this puzzle.")
        _help(site, table, seat, "hints")
        if turn.options is None:
            return say("The answer begins: {found}", found=found)
        shown = turn.position.translated(found, table.settings.language)
        return say("The strongest player would play: {move}", move=shown)

    return await _advise(request, ask)


@_action("solution")
async def show_solution(request: web.Request) -> web.StreamResponse:
    async def ask(site: Site, table: Table, seat: Seat) -> str:
        turn, say = _turn(table, seat), _say(table)
        found = await site.workers.run(solution, turn, seconds=ADVICE)
        if found is None:
            return say("There is no fixed solution: others move or luck decides.")
        _help(site, table, seat, "solutions")
        language = table.settings.language
        return "\n".join(turn.position.translated(move, language) for move in found)

    return await _advise(request, ask)


@_action("cost")
async def cost(request: web.Request) -> web.StreamResponse:
    async def ask(site: Site, table: Table, seat: Seat) -> str:
        say = _say(table)
        own = [each.move for each in table.match.said if each.seat == seat]
        turns = table.turns[seat]
        if not turns or not own or not own[-1]:
            return say("You have not moved yet.")
        found = await site.workers.run(
            tasks.cost, turns[-1].position, seat, own[-1], seconds=ADVICE
        )
        if found is None:
            return say("What your last move cost is not known here.")
        _help(site, table, seat, "costs")
        if found.worth <= 0.005:
            return say("Your position was already lost.")
        if found.regret <= 0.005:
            return say("Your last move was as good as any.")
        best = turns[-1].position.translated(found.best, table.settings.language)
        return say(
            "Your last move gave away {regret} of {worth} that best play would expect, for "
            "example {best}.",
            regret=f"{found.regret:.2f}",
            worth=f"{found.worth:.2f}",
            best=best,
        )

    return await _advise(request, ask)


async def _advise(
    request: web.Request, ask: Callable[[Site, Table, Seat], Awaitable[str]]
) -> web.StreamResponse:
    """Advice, which a study does not give and which is counted in the player's name."""
    site = request.app[SITE]
    table, seat = await _own_seat(request, site)
    if table.settings.is_study:
        raise Refused(409, "A study gives no advice.")
    say = _say(table)
    try:
        words = await ask(site, table, seat)
    except TooSlow:
        words = say("This takes too long to compute.")
    except (Failed, UserError) as reason:
        raise Refused(503, f"There is no advice now: {reason}", 5) from None
    return _json({"advice": words})


def _help(site: Site, table: Table, seat: Seat, what: str) -> None:
    """Count what helps a person; Refused if the match was deleted or read again meanwhile."""
    if not site.tables.is_current(table):
        say = _say(table)
        raise Refused(409, say("This turn is over; the position has changed meanwhile."))
    site.tables.help(table, seat, what)


def _turn(table: Table, seat: Seat) -> Turn:
    turn = table.turn(seat)
    if turn is None:
        say = _say(table)
        raise Refused(409, say("It is not your turn."))
    return turn


@ROUTES.get("/events")
async def events(request: web.Request) -> web.StreamResponse:
    """Changes of matches and runs; whoever knows the name of a match may hear of it."""
    site = request.app[SITE]
    site.guard.check_known(request)
    topics = list(dict.fromkeys(request.query.getall("on", [])))[:50]
    known = [topic for topic in topics if await _may_follow(site, request[VISITOR], topic)]
    listener = Listener()
    site.guard.open_stream(request[VISITOR], listener.close)
    try:
        return await site.streams.send(
            request, listener, known, lambda topic: _version(site, topic)
        )
    finally:
        site.guard.close_stream(request[VISITOR], listener.close)


async def _may_follow(site: Site, visitor: str, topic: str) -> bool:
    kind, _, rest = topic.partition(".")
    if kind == "r":
        return rest in site.runs.folders()
    id, _, seat = rest.partition(".")
    try:
        table = await site.table(id)
    except (Refused, TooSlow, Overloaded, Failed):
        return False
    is_seat = seat in SEATS and int(seat) < len(table.players)
    return kind == "m" and (not seat or (is_seat and table.takers[int(seat)] == visitor))


def _version(site: Site, topic: str) -> str:
    kind, _, rest = topic.partition(".")
    if kind == "r":
        try:
            return str(site.runs.size(rest))
        except Refused:
            return "gone"
    id, _, seat = rest.partition(".")
    table = site.tables.open.get(id)
    return table.version(int(seat) if seat else None) if table else ""  # then the page looks


async def _seat(request: web.Request, site: Site) -> tuple[Table, Seat]:
    table = await site.table(request.match_info["id"])
    seat = int(request.match_info["seat"])
    if seat >= len(table.players):
        raise Refused(404, f"This match has the seats 0 to {len(table.players) - 1}.")
    return table, seat


async def _own_seat(request: web.Request, site: Site) -> tuple[Table, Seat]:
    table, seat = await _seat(request, site)
    if not table.takers[seat] or table.takers[seat] != request[VISITOR]:
        raise Refused(403, f"Seat {seat} of this match is another player's.")
    return table, seat


async def _arrived(request: web.Request, body: Awaitable[Any]) -> Any:
    """Return what a request sends.

    Whatever it concerns is looked up after that: meanwhile it may have been deleted.
    """
    deletions, visitor = request.app[SITE].deletions, request[VISITOR]
    before = deletions.count(visitor)
    try:
        async with asyncio.timeout(BODY):
            found = await body
    except TimeoutError:
        raise Refused(408, "The request did not arrive in time; try again.") from None
    if deletions.count(visitor) != before:
        raise Refused(410, DELETED_MEANWHILE)
    return found


async def form_of(request: web.Request) -> dict[str, str]:
    """Return the texts of a form; Refused if it cannot be read."""
    try:
        data = await _arrived(request, request.post())
    except (Refused, web.HTTPException):
        raise
    except Exception:  # encodings and parts that are none
        raise Refused(400, "The form cannot be read.") from None
    return {name: value.strip() for name, value in data.items() if isinstance(value, str)}


async def _data(request: web.Request) -> dict[str, Any]:
    """Return the JSON object of a request."""
    try:
        found = json.loads(await _arrived(request, request.text()) or "{}")
    except (Refused, web.HTTPException):
        raise
    except Exception:  # neither JSON nor a text in its encoding
        found = None
    if not isinstance(found, dict):
        raise Refused(400, "The request must hold a JSON object.")
    return found


def _number(text: Any) -> int:
    """Return a count of a browser; 0 if it is none."""
    shown = str(text)
    return int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 10 else 0


def _json(data: Any, status: int = 200) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(data),
        content_type="application/json",
        status=status,
        headers={"Cache-Control": "no-store"},
    )
