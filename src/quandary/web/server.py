"""The server of the site: its application, and what is common to all requests."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import AsyncIterator
from http import HTTPStatus
from json import dumps

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from quandary.core.errors import UserError
from quandary.models.journal import NoJournal

from . import library_routes, pages, play_routes, run_routes, study_routes
from .assets import assets
from .database import Unwritable
from .guard import HEADERS, IS_NEW, VISITOR, YEAR, Guard, Refused
from .guard import Handler as Answering
from .site import SITE, Options, Site
from .workers import Failed, Overloaded, TooSlow, asker

ASSETS = "/assets/"
LARGEST = 128 * 1024  # bytes of a request
IDLE = 20.0  # seconds without a complete request, after which a connection is closed
LINGERING = 5.0  # seconds for the rest of a request that is not read
WRONG = "Something went wrong here; the operator can find it in the log."
log = logging.getLogger(__name__)


def application(options: Options) -> web.Application:
    """Return the site as an application of aiohttp; UserError if it cannot be started."""
    app = web.Application(middlewares=[guarded], client_max_size=LARGEST)
    app[SITE] = Site(options)
    app.cleanup_ctx.append(_running)
    for module in (library_routes, play_routes, run_routes, study_routes):
        app.router.add_routes(module.ROUTES)
    app.router.add_get(ASSETS + "{name}", asset)
    return app


async def _running(app: web.Application) -> AsyncIterator[None]:
    site = app[SITE]
    async with site.options.registry.clients.session(NoJournal()):
        await site.start()
        yield
        await site.close()


async def asset(request: web.Request) -> web.StreamResponse:
    """Return a style sheet or a script, which browsers keep until it has another version."""
    found = assets().get(request.match_info["name"])
    if found is None:
        raise Refused(404, "There is no such file.")
    headers = {"Cache-Control": "max-age=300"}
    if request.query.get("v") == found.version:
        headers["Cache-Control"] = f"max-age={YEAR}, immutable"
    body = found.text
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        body, headers["Content-Encoding"] = found.compressed, "gzip"
    return web.Response(body=body, content_type=found.type, charset="utf-8", headers=headers)


@web.middleware
async def guarded(request: web.Request, handler: Answering) -> web.StreamResponse:
    """Checks a request, and answers what cannot be answered with a sentence."""
    guard = request.app[SITE].guard
    guard.identify(request)
    asker.set("" if request[IS_NEW] else request[VISITOR])
    try:
        guard.check_host(request)
        response = await _checked(request, handler, guard)
    except Refused as refusal:
        response = _refusal(request, refusal)
    if not response.prepared:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        is_page = response.content_type == "text/html" or response.status == 303
        is_given = response.status < 400 and guard.cookie not in response.cookies
        if request[IS_NEW] and is_page and is_given:
            guard.remember(request, response, request[VISITOR])
    return response


async def _checked(request: web.Request, handler: Answering, guard: Guard) -> web.StreamResponse:
    """Refused for whoever may not ask this, or asks too much."""
    if request.path.startswith(ASSETS):  # they hold no secret, and cost nothing
        return await _answer(request, handler)
    entry = guard.check_token(request)
    guard.count(request)
    if entry:
        return entry
    if request.method not in ("GET", "HEAD"):
        guard.check_origin(request)
        guard.check_known(request)
    return await _answer(request, handler)


async def _answer(request: web.Request, handler: Answering) -> web.StreamResponse:
    """Refused for whatever a handler does not answer."""
    try:
        return await handler(request)
    except Refused:
        raise
    except web.HTTPRequestEntityTooLarge:
        raise Refused(413, f"A request has at most {LARGEST:,} bytes.") from None
    except web.HTTPException as found:
        if found.status < 400:
            return web.Response(
                status=found.status, headers={"Location": found.headers["Location"]}
            )
        allowed = found.headers.get("Allow", "")
        raise Refused(found.status, _sentence(found), allowed=allowed) from None
    except UserError as reason:
        raise Refused(400, str(reason)) from None
    except Unwritable as reason:
        log.warning("the database cannot be written: %s", reason)
        raise Refused(
            507, "This cannot be kept now, perhaps because the disk is full; try again.", 10
        ) from None
    except TooSlow:
        raise Refused(503, "This takes too long now; try again.", 5) from None
    except Overloaded:
        raise Refused(429, "This site is overloaded now; try again.", 5) from None
    except Failed as reason:
        log.warning("%s", reason)
        raise Refused(500, WRONG) from None
    except (ConnectionError, TimeoutError):  # the browser is gone
        raise
    except Exception:
        log.exception("a request to %s failed", request.path)
        raise Refused(500, WRONG) from None


def _sentence(found: web.HTTPException) -> str:
    if found.status == 404:
        return "There is no such page here."
    return f"{HTTPStatus(found.status).phrase}."


def _refusal(request: web.Request, refusal: Refused) -> web.Response:
    """As a page for those who look at pages, else as JSON."""
    if "text/html" in request.headers.get("Accept", ""):
        title = HTTPStatus(refusal.status).phrase
        text = pages.message_page(title, refusal.sentence)
        found = web.Response(text=text, content_type="text/html", status=refusal.status)
    else:
        found = web.Response(
            text=dumps({"error": refusal.sentence}),
            content_type="application/json",
            status=refusal.status,
        )
    if refusal.retry_after:
        found.headers["Retry-After"] = str(refusal.retry_after)
    if refusal.allowed:
        found.headers["Allow"] = refusal.allowed
    if refusal.status == 408:  # the rest of the request may still come
        found.force_close()
    return found


def without_address(entry: logging.LogRecord) -> bool:
    """Shorten the log of a request that failed or cannot be read to one line, without the address
    that it came from; return True, because the line stays in the log.
    """
    fault = entry.exc_info[1] if entry.exc_info else None
    if isinstance(fault, (HttpProcessingError, web.RequestPayloadError)):
        words = " ".join(str(fault).split())
        entry.msg, entry.args = "a request cannot be read: %s", (words,)
        entry.exc_info = None
    elif "%s" in str(entry.msg) and entry.args:
        entry.msg, entry.args = "a request failed", ()
    return True


class Handler(web.RequestHandler):
    """A connection, on which also what is no request is answered with our headers."""

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        found = super().handle_error(request, status, exc, message)
        found.headers.update(HEADERS)
        return found


class Server(web.Server):
    """Makes these connections."""

    def __init__(self, made: web.Server) -> None:
        super().__init__(
            made.request_handler,
            request_factory=made.request_factory,
            handler_cancellation=made.handler_cancellation,
            **made._kwargs,
        )

    def __call__(self) -> Handler:
        return Handler(self, loop=asyncio.get_running_loop(), **self._kwargs)


class Runner(web.AppRunner):
    """Runs the site on such a server."""

    __slots__ = ()

    async def _make_server(self) -> Server:
        return Server(await super()._make_server())


async def listen(app: web.Application, host: str, port: int) -> tuple[web.AppRunner, int]:
    """Begin to answer; UserError if the address cannot be used.  Returns the port."""
    # Requests are not logged: no address of a visitor is kept.
    logging.getLogger("aiohttp.server").addFilter(without_address)
    runner = Runner(
        app,
        access_log=None,
        shutdown_timeout=2.0,
        handler_cancellation=True,
        keepalive_timeout=IDLE,  # also until the first request is complete
        lingering_time=LINGERING,
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
    except OSError as reason:
        await runner.cleanup()
        raise UserError(_why_not_there(host, port, reason)) from None
    [address, *_] = runner.addresses
    return runner, int(address[1])


def _why_not_there(host: str, port: int, reason: OSError) -> str:
    """Return why an address cannot be listened at."""
    if reason.errno == errno.EADDRINUSE:
        return f"another program uses port {port} of {host}; choose another --port."
    if reason.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} needs permissions that you do not have; choose another --port."
    return f"{host!r} is not an address of this machine; choose another --host."
