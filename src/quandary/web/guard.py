"""Who may ask what: hosts, origins, the token, visitors, and how much each of them may ask."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import quote, urlencode, urlsplit

from aiohttp import web

LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" makes forms send `Origin: null`
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",  # lists of matches are scripts
}
YEAR = 365 * 24 * 3600
PER_SECOND, AT_ONCE = 20.0, 60.0  # requests that change something, per visitor
ALL_PER_SECOND, ALL_AT_ONCE = 2_000.0, 4_000.0  # of all visitors together
READS_PER_SECOND, READS_AT_ONCE = 50.0, 500.0  # all other requests, per visitor
ALL_READS_PER_SECOND, ALL_READS_AT_ONCE = 4_000.0, 8_000.0
NEW_PER_SECOND, NEW_AT_ONCE = 5.0, 400.0  # requests without a cookie, per address
ALL_NEW_PER_SECOND, ALL_NEW_AT_ONCE = 20.0, 1_000.0
MATCHES, ALL_MATCHES = 200, 20_000  # under way, per visitor and in all
# From so many in all on, a visitor may have few, so that some are left for others.
MANY_MATCHES, FEW_MATCHES = 5_000, 5
STREAMS, ALL_STREAMS = 12, 2_000  # of events
KNOWN = 20_000  # visitors and addresses whose requests are counted
HOST = re.compile(r"(?P<name>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
VISITOR = web.RequestKey("visitor", str)
IS_NEW = web.RequestKey("is_new", bool)  # whether the visitor came without our cookie

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Refused(Exception):
    """A request that is not answered, with its HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str, retry_after: int = 0, allowed: str = "") -> None:
        """`allowed`: the methods that are possible instead."""
        super().__init__(sentence)
        self.status, self.sentence, self.retry_after = status, sentence, retry_after
        self.allowed = allowed


@dataclass
class Bucket:
    """How many requests are left; it fills again with time."""

    per_second: float
    most: float
    left: float = -1.0
    at: float = 0.0

    def take(self, now: float) -> float:
        """Take one, and return after how many seconds there is one, 0 if there was."""
        if self.left < 0:
            self.left, self.at = self.most, now
        self.left = min(self.most, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / self.per_second
        self.left -= 1
        return 0.0


@dataclass
class Guard:
    """The rules of a site."""

    site: str  # in the names of cookies, which reach all ports of a host
    hosts: Collection[str] = LOOPBACK
    token: str = ""  # whoever has it may enter; "" for everyone on this machine
    secret: str = ""  # by which our cookies are known
    secure_hosts: Collection[str] = ()  # of these names, those that are reached by https alone
    now: Callable[[], float] = time.monotonic
    every: Bucket = field(default_factory=lambda: Bucket(ALL_PER_SECOND, ALL_AT_ONCE))
    every_read: Bucket = field(
        default_factory=lambda: Bucket(ALL_READS_PER_SECOND, ALL_READS_AT_ONCE)
    )
    every_new: Bucket = field(default_factory=lambda: Bucket(ALL_NEW_PER_SECOND, ALL_NEW_AT_ONCE))
    changes: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)  # by visitor
    reads: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)
    new: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)  # by address
    # How each stream of events is closed, by visitor, the oldest first.
    streams: dict[str, list[Callable[[], None]]] = field(default_factory=dict)

    @property
    def cookie(self) -> str:
        return f"quandary_{self.site}"

    @property
    def token_cookie(self) -> str:
        return f"quandary_{self.site}_token"

    def check_host(self, request: web.Request) -> None:
        """A page of another host must not read from this one under a name of its own."""
        if _host(request) not in self.hosts:
            raise Refused(
                403,
                f"This site answers to {' and '.join(self.hosts)}; start it with --allow-host to "
                f"use another name.",
            )

    def is_secure(self, request: web.Request) -> bool:
        """Return whether a request came by https, as the operator has said of this name."""
        return _host(request) in self.secure_hosts

    def check_origin(self, request: web.Request) -> None:
        """Only pages of this site may change something."""
        origin = request.headers.get("Origin", "")
        try:
            scheme, there, *_ = urlsplit(origin)
        except ValueError:
            scheme = there = ""
        is_other = self.is_secure(request) and scheme != "https"
        if not there or there != request.host or is_other:
            raise Refused(403, "Only pages of this site may do that.")

    def check_token(self, request: web.Request) -> web.StreamResponse | None:
        """Return the answer to whoever comes with the token, or nothing; Refused without it."""
        if not self.token:
            return None
        given = request.query.get("token", "")
        if given:
            if not secrets.compare_digest(given.encode(), self.token.encode()):
                raise Refused(403, "This token is wrong; ask for the link again.")
            # The token leaves the address at once, so that it is not shared with it.
            others = [(name, value) for name, value in request.query.items() if name != "token"]
            found = web.Response(status=303, headers={"Location": _address(request.path, others)})
            self._set(request, found, self.token_cookie, self.token)
            return found
        known = request.cookies.get(self.token_cookie, "")
        if not secrets.compare_digest(known.encode(), self.token.encode()):
            raise Refused(403, "This site is open to those who have its link with the token.")
        return None

    @property
    def token_query(self) -> str:
        """What a link for another device needs."""
        return f"?{urlencode({'token': self.token})}" if self.token else ""

    def identify(self, request: web.Request) -> None:
        """Note which visitor asks, and whether it is a new one."""
        known = request.cookies.get(self.cookie, "")
        name, _, mark = known.rpartition(".")
        is_ours = name and secrets.compare_digest(mark.encode(), self._mark(name).encode())
        request[VISITOR] = known if is_ours else self.new_visitor()
        request[IS_NEW] = not is_ours

    def new_visitor(self) -> str:
        """Return a signed key of a visitor, so that nobody can invent visitors."""
        name = secrets.token_urlsafe(16)
        return f"{name}.{self._mark(name)}"

    def _mark(self, name: str) -> str:
        return blake2b(name.encode(), key=self.secret.encode(), digest_size=12).hexdigest()

    def remember(self, request: web.Request, response: web.StreamResponse, visitor: str) -> None:
        self._set(request, response, self.cookie, visitor)

    def _set(
        self, request: web.Request, response: web.StreamResponse, name: str, value: str
    ) -> None:
        response.set_cookie(
            name,
            value,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",  # Strict would lose players who come by a link
            secure=self.is_secure(request),
            path="/",
        )

    def count(self, request: web.Request) -> None:
        """Count a request; Refused if there are too many.

        Visitors without a cookie count together as one, by their address, which is not kept.  All
        that a proxy on this machine passes on has one address.
        """
        now, visitor, is_read = self.now(), request[VISITOR], request.method in ("GET", "HEAD")
        if request[IS_NEW]:
            own = _bucket(self.new, request.remote or "", NEW_PER_SECOND, NEW_AT_ONCE)
            if wait := self.every_new.take(now):
                raise Refused(429, "Too many people are coming now; wait a moment.", int(wait) + 1)
        elif is_read:
            own = _bucket(self.reads, visitor, READS_PER_SECOND, READS_AT_ONCE)
        else:
            own = _bucket(self.changes, visitor, PER_SECOND, AT_ONCE)
        wait = own.take(now) or (self.every_read if is_read else self.every).take(now)
        if wait:
            raise Refused(429, "Too many requests; wait a moment.", retry_after=int(wait) + 1)

    def check_known(self, request: web.Request) -> None:
        """Refused for whoever has no cookie of ours, by which limits are kept."""
        if request[IS_NEW]:
            raise Refused(
                403, "Open a page of this site first, in a browser that accepts its cookie."
            )

    def open_stream(self, visitor: str, close: Callable[[], None]) -> None:
        """Count a stream of events; Refused if there are too many.

        Where there are too many of all visitors, whoever has most of them loses one.
        """
        own = self.streams.get(visitor, [])
        if len(own) >= STREAMS:
            raise Refused(429, "Too many open pages; close some.", retry_after=5)
        if sum(map(len, self.streams.values())) >= ALL_STREAMS:
            most = max(self.streams.values(), key=len)
            if len(most) <= len(own) + 1:
                raise Refused(429, "Too many pages are open here.", retry_after=5)
            most[0]()
        self.streams.setdefault(visitor, []).append(close)

    def close_stream(self, visitor: str, close: Callable[[], None]) -> None:
        self.streams[visitor].remove(close)
        if not self.streams[visitor]:
            del self.streams[visitor]


def _host(request: web.Request) -> str:
    """Return the name by which a request calls this machine; "" if it is none."""
    found = HOST.fullmatch(request.host)
    return found["name"].strip("[]").lower() if found else ""


def _bucket(known: OrderedDict[str, Bucket], who: str, per_second: float, at_once: float) -> Bucket:
    """Return what is left to somebody; those who asked nothing for the longest time are
    forgotten.
    """
    known.setdefault(who, Bucket(per_second, at_once))
    known.move_to_end(who)
    while len(known) > KNOWN:
        known.popitem(last=False)
    return known[who]


def _address(path: str, query: list[tuple[str, str]]) -> str:
    """Return an address on this site, whatever the path is made of."""
    written = "/" + quote(path.lstrip("/\\"))
    return f"{written}?{urlencode(query)}" if query else written
