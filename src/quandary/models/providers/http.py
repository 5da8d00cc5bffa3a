"""The door to servers that speak OpenAI's chat completions over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from ipaddress import ip_address
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from quandary.core.errors import Mistake
from quandary.models.provider import Completion, Request, Trouble

from .http_errors import Asked, judge, patience, said_in, said_of
from .http_json import UNREADABLE, body_of, completion_of, decode

CONNECTING = 30.0  # seconds to reach a server at all
CONNECTIONS = 1_000  # a mere stop: how many calls are made at once is decided elsewhere
LARGEST = 64 * 2**20  # bytes of a body
LARGEST_ERROR = LARGEST_HEADER = 64 * 2**10
AT_ONCE = 2**20  # bytes aiohttp sends in one piece without complaint
BROKEN_LINE = (aiohttp.ClientError, TimeoutError, OSError)


class HttpDoor:
    """The way to one model of one server; its connections are kept open until `close`."""

    def __init__(
        self,
        model: str,
        address: str,
        key: str = "",
        *,
        key_variable: str = "",  # where the key came from, for those who must mend it
        tokens: str = "max_tokens",  # what this server calls the largest number of tokens
        seed: str = "seed",
        many: bool = True,  # whether it gives several replies to one call
        extra: Mapping[str, object] | None = None,  # what else every call says
        timeout: float,  # seconds for a whole call
    ) -> None:
        self._url = endpoint(address)
        self._asked = Asked(f"{self._url.host}:{self._url.port}", address, model, key_variable)
        self._names = {"tokens": tokens, "seed": seed}
        self._many, self._extra, self._timeout = many, extra or {}, timeout
        self._key = _sendable(key, key_variable)
        self._session: aiohttp.ClientSession | None = None

    async def ask(self, request: Request) -> Completion:
        body = body_of(request, self._asked.model, many=self._many, extra=self._extra, **self._names)
        try:
            return self._heard(*await self._call(body))
        except BROKEN_LINE as fault:
            trouble = self._trouble(fault)
        raise trouble  # out here, so that it drags along nothing of aiohttp's, which may hold the headers that were sent

    async def close(self) -> None:
        session, self._session = self._session, None
        if session:
            await session.close()

    def _open(self) -> aiohttp.ClientSession:
        """The session, made when first needed, because it belongs to the loop that runs then."""
        if self._session is None:
            headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "quandary"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=CONNECTIONS),
                headers=headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                # a server is silent until its reply is whole, so silence alone is no sign of trouble
                timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=min(CONNECTING, self._timeout)),
                proxy=_proxy(self._url),
                max_line_size=LARGEST_HEADER,
                max_field_size=LARGEST_HEADER,
            )
        return self._session

    async def _call(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        data = body if len(body) < AT_ONCE else BytesIO(body)
        async with self._open().post(self._url, data=data, allow_redirects=False) as response:
            said = b""
            if response.status < 300:
                said = await _read(response, LARGEST)
            else:
                with suppress(*BROKEN_LINE):  # an error's status counts even where its words never come
                    said = await _read(response, LARGEST_ERROR)
            return response.status, response.headers, said

    def _heard(self, status: int, headers: Mapping[str, str], body: bytes) -> Completion:
        """What an answer holds."""
        if status >= 400:
            return judge(status, patience(headers), said_in(body, self._key), self._asked)
        server = self._asked.server
        if status >= 300:  # never followed: the key is for this server alone
            raise Mistake(f"{server} answered {status}: it has moved; set the address to where it is now.")
        if len(body) > LARGEST:
            raise Trouble(f"{server} sends a reply without end")
        if self._key:
            body = body.replace(self._key.encode(), b"***")  # some echo what they were sent
        try:
            heard = decode(body, headers.get("Content-Type", ""))
            completion = completion_of(heard)
        except UNREADABLE:
            known = "json" in headers.get("Content-Type", "json").casefold()
            what = "JSON that cannot be read" if known else "something other than JSON"
            raise Trouble(f"{server} answered with {what}") from None
        if completion:
            return completion
        if heard.error:  # some servers tell of trouble with a status of all's well
            said = said_of(heard.error, self._key)
            return judge(said.status or 500, patience(headers), said, self._asked)
        raise Trouble(f"{server} answered without a reply")

    def _trouble(self, fault: Exception) -> Trouble:
        """A broken line in words of our own: what aiohttp says may hold the headers that were sent."""
        server = self._asked.server
        match fault:
            case TimeoutError():
                return Trouble(f"{server} gave no whole answer within {self._timeout:g} seconds")
            case aiohttp.ClientConnectorDNSError():
                return Trouble(f"{server} cannot be found")
            case aiohttp.ClientConnectorCertificateError():
                return Trouble(f"{server} has a certificate that is not trusted", again=False)
            case aiohttp.ClientConnectorError():
                return Trouble(f"{server} cannot be reached ({fault.os_error.strerror or 'no reason given'})")
            case aiohttp.ClientPayloadError():
                return Trouble(f"{server} cut its answer short")
        return Trouble(f"the line to {server} broke ({type(fault).__name__})")


async def _read(response: aiohttp.ClientResponse, most: int) -> bytes:
    """A body, or somewhat more of it than it may have."""
    pieces, size = list[bytes](), 0
    async for piece in response.content.iter_any():
        pieces.append(piece)
        size += len(piece)
        if size > most:
            break
    return b"".join(pieces)


def endpoint(address: str) -> URL:
    """Where calls go to under an address."""
    try:
        url = URL(address.strip().rstrip("/") + "/chat/completions")
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host or url.user or url.password or url.query_string or url.fragment:
        shown = "that" if set("@?#") & set(address) else repr(address)  # it may hold a password
        raise Mistake(f"{shown} is no address of a model server; write it as https://HOST/v1, and keep keys out of it.")
    return url


def near(address: str) -> bool:
    """Whether an address is on this very machine."""
    return _loopback(endpoint(address).host or "")


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _proxy(url: URL) -> str | None:
    """The proxy the environment names, looked up once: aiohttp's own way asks for it at every call."""
    host = url.host or ""
    proxy = getproxies().get(url.scheme, "")
    if _loopback(host) or proxy_bypass(f"{host}:{url.port}") or not proxy.startswith("http"):
        return None
    return proxy


def _sendable(key: str, variable: str) -> str:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise Mistake(f"the key in {variable or 'the environment'} holds signs no key has; set it again, without spaces or lines.")
    return key
