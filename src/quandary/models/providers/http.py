"""Servers that implement OpenAI's chat completions over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from ipaddress import ip_address
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from quandary.core.errors import UserError
from quandary.models.provider import Completion, ProviderError, Request

from .http_errors import Target, handle_error, message_from_body, message_from_json, retry_after
from .http_json import UNREADABLE, FieldNames, completion_in, request_body, total_slots
from .keys import KeyRemover
from .request_fields import header_values, secrets_in

CONNECT_TIMEOUT = 30.0  # seconds
LARGEST_BODY = 64 * 2**20  # bytes
LARGEST_ERROR = LARGEST_HEADER = 64 * 2**10
LARGEST_CHUNK = 2**20  # bytes aiohttp sends in one piece without a warning
NO_SECRETS: tuple[str, ...] = ()
CONNECTION_ERRORS = (aiohttp.ClientError, TimeoutError, OSError)


class HttpProvider:
    """One model of one server; connections are kept open until `close`."""

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str = "",
        *,
        key_variable: str = "",  # where the key came from, for error messages
        max_tokens_field: str = "max_tokens",  # what this server calls the parameter
        seed_field: str = "seed",
        supports_n: bool = True,  # whether it gives several generations per call
        extra: Mapping[str, object] | None = None,  # further fields of every request
        thinking_budget: Mapping[str, object] | None = None,  # the fields that limit thinking
        timeout: float,  # seconds per call
    ) -> None:
        self._url = endpoint(base_url)
        self._target = Target(f"{self._url.host}:{self._url.port}", base_url, model, key_variable)
        self._names = FieldNames(max_tokens_field, seed_field, extra or {}, thinking_budget or {})
        self._supports_n, self._timeout = supports_n, timeout
        self._key = _valid_key(key, key_variable)
        self._removers = dict[tuple[str, ...], KeyRemover]()  # by further secrets that are sent
        self._session: aiohttp.ClientSession | None = None

    async def ask(self, request: Request) -> Completion:
        if request.n == 1:
            return await self._ask(request)
        if self._supports_n:
            try:
                return await self._ask(request)
            except ProviderError as error:
                if error.retry:
                    raise
        completion = await self._ask(request._replace(n=1))
        self._supports_n = False  # if it was asked for, that was what the server rejected
        return completion

    async def _ask(self, request: Request) -> Completion:
        body = request_body(request, self._target.model, self._names)
        headers, secrets = request.decoding.headers, NO_SECRETS
        if headers:
            headers, secrets = header_values(headers), tuple(secrets_in(headers))
        try:
            response = await self._post(body, headers)
            return self._parse(*response, self._remover(secrets))
        except CONNECTION_ERRORS as error:
            failure = self._provider_error(error)
        # outside the handler: aiohttp's exception may hold the headers that were sent
        raise failure

    def _remover(self, secrets: tuple[str, ...]) -> KeyRemover:
        """Removes the key and further secrets; made once for many calls."""
        if secrets not in self._removers:
            self._removers[secrets] = KeyRemover(self._key, *secrets)
        return self._removers[secrets]

    @property
    def base_url(self) -> str:
        return self._target.base_url

    async def slots(self, timeout: float) -> int | None:
        """Return how many calls the server takes at once, if it says so as llama.cpp does;
        ProviderError if it does not answer.
        """
        limit = aiohttp.ClientTimeout(total=timeout)
        page = self._url.with_path("/props")
        try:
            async with self._open().get(page, allow_redirects=False, timeout=limit) as response:
                return total_slots(await _read(response, LARGEST_CHUNK))
        except TimeoutError:
            why, timed_out = f"the server at {self.base_url} gives no answer", True
        except CONNECTION_ERRORS:
            why, timed_out = f"there is no server at {self.base_url}", False
        raise ProviderError(why, timed_out=timed_out)

    async def listens(self, timeout: float) -> bool:
        """Return whether the server accepts connections."""
        try:
            async with asyncio.timeout(timeout):
                _, writer = await asyncio.open_connection(self._url.host, self._url.port)
        except (TimeoutError, OSError):
            return False
        writer.close()
        return True

    async def close(self) -> None:
        session, self._session = self._session, None
        if session:
            await session.close()

    def _open(self) -> aiohttp.ClientSession:
        """Return the session, made at the first call because it belongs to the running
        event loop.
        """
        if self._session is None:
            json = "application/json"
            headers = {"Content-Type": json, "Accept": json, "User-Agent": "quandary"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # the rate limiter decides
                headers=headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                # no read timeout: a server sends nothing until its whole reply is generated
                timeout=aiohttp.ClientTimeout(
                    total=self._timeout, sock_connect=min(CONNECT_TIMEOUT, self._timeout)
                ),
                proxy=_proxy(self._url),
                max_line_size=LARGEST_HEADER,
                max_field_size=LARGEST_HEADER,
            )
        return self._session

    async def _post(
        self, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Return the status, headers and body of the response to a call."""
        data = body if len(body) < LARGEST_CHUNK else BytesIO(body)
        async with self._open().post(
            self._url, data=data, headers=headers, allow_redirects=False
        ) as response:
            content = b""
            if response.status < 300:
                content = await _read(response, LARGEST_BODY)
            else:
                with suppress(*CONNECTION_ERRORS):  # the status counts even without a body
                    content = await _read(response, LARGEST_ERROR)
            return response.status, response.headers, content

    def _parse(
        self, status: int, headers: Mapping[str, str], body: bytes, remove_keys: KeyRemover
    ) -> Completion:
        """Return the completion in a response, or the error it reports."""
        if status >= 400:
            message = message_from_body(body, remove_keys)
            return handle_error(status, retry_after(headers), message, self._target)
        server = self._target.server
        if status >= 300:  # never followed: the key is for this server alone
            raise UserError(
                f"{server} answered {status}: it has moved; set the address to where it is now."
            )
        if len(body) > LARGEST_BODY:
            raise ProviderError(f"{server} sends a reply without end")
        try:
            completion, error = completion_in(body, headers.get("Content-Type", ""))
        except UNREADABLE:
            is_json = "json" in headers.get("Content-Type", "json").casefold()
            what = "JSON that cannot be read" if is_json else "something other than JSON"
            raise ProviderError(f"{server} answered with {what}") from None
        if completion:
            return remove_keys.from_completion(completion)
        if error:  # some servers report errors with status 200
            message = message_from_json(error, remove_keys)
            return handle_error(message.status or 500, retry_after(headers), message, self._target)
        raise ProviderError(f"{server} answered without a reply")

    def _provider_error(self, error: Exception) -> ProviderError:
        """Return a connection error in our own words: aiohttp's may contain the headers that were
        sent.
        """
        server = self._target.server
        match error:
            case TimeoutError():
                why = f"{server} gave no complete answer within {self._timeout:g} seconds"
                return ProviderError(why, timed_out=True)
            case aiohttp.ClientConnectorDNSError():
                return ProviderError(f"{server} cannot be found", connected=False)
            case aiohttp.ClientConnectorCertificateError():
                return ProviderError(f"{server} has a certificate that is not trusted", retry=False)
            case aiohttp.ClientConnectorError():
                reason = error.os_error.strerror or "no reason given"
                return ProviderError(f"{server} cannot be reached ({reason})", connected=False)
            case aiohttp.ClientPayloadError():
                return ProviderError(f"{server} cut its answer short", connected=False)
        why = f"the connection to {server} broke ({type(error).__name__})"
        return ProviderError(why, connected=False)


async def _read(response: aiohttp.ClientResponse, most: int) -> bytes:
    """Return the body, cut off shortly after it exceeds `most` bytes."""
    pieces: list[bytes] = []
    size = 0
    while size <= most and not response.content.at_eof():
        pieces.append(await response.content.readany())
        size += len(pieces[-1])
    return b"".join(pieces)


def endpoint(base_url: str) -> URL:
    """Return the URL that calls are sent to."""
    try:
        url = URL(base_url.strip().rstrip("/") + "/chat/completions")
    except ValueError:
        url = URL()
    has_secrets = url.user or url.password or url.query_string or url.fragment
    if url.scheme not in ("http", "https") or not url.host or has_secrets:
        shown = "that" if set("@?#") & set(base_url) else repr(base_url)  # it may hold a password
        raise UserError(
            f"{shown} is not the address of a model server; write it as https://HOST/v1, and keep "
            f"keys out of it."
        )
    return url


def is_local(base_url: str) -> bool:
    """Return whether an address is on this machine."""
    return _is_loopback(endpoint(base_url).host or "")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _proxy(url: URL) -> str | None:
    """Return the proxy the environment names, looked up once: aiohttp would look it up for every
    call.
    """
    host = url.host or ""
    proxy = getproxies().get(url.scheme, "")
    if _is_loopback(host) or proxy_bypass(f"{host}:{url.port}") or not proxy.startswith("http"):
        return None
    return proxy


def _valid_key(key: str, variable: str) -> str:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UserError(
            f"the key in {variable or 'the environment'} contains characters no key has; "
            "set it again, without spaces or line breaks."
        )
    return key
