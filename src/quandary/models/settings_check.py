"""Checks settings of requests: their bounds, and what each provider takes."""

from __future__ import annotations

import re
from math import isfinite

from quandary.core.errors import UserError

from .provider import Decoding
from .providers import presets
from .providers.request_fields import header_values

SET_BY_QUANDARY = ("messages", "model", "n", "stream")  # fields of the body
HEADERS_OF_HTTP = frozenset(
    {"accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
VARIABLE = re.compile(r"\$[A-Za-z_][A-Za-z0-9_]{0,100}")
SECRET_NAME = re.compile(r"auth|cookie|credential|key|password|secret|session|token", re.I)
SECRET_VALUE = re.compile(r"\s*(?:bearer|basic)\b|(?:sk|pk|rk)[-_]", re.I)
# Settings that providers other than servers can use; a server can use all but a thinking budget,
# for which it needs a field of its own.
WITHOUT_SERVER = {
    "hf": frozenset({"chat_template_kwargs"}),
    "local": frozenset({"body", "chat_template_kwargs", "thinking_budget"}),
    "inspect": frozenset({"thinking_budget"}),
}


def check_values(of: str, decoding: Decoding) -> None:
    """Raise UserError for a setting that no model can take; `of` names the player or the suite."""
    for name, least in (("temperature", 0), ("top_p", 0), ("max_tokens", 1)):
        value = getattr(decoding, name)
        if value is not None and not (isfinite(value) and value >= least):
            raise UserError(f"invalid {name}={value} of {of}; write a number from {least}.")
    if decoding.thinking_budget is not None and decoding.thinking_budget < 0:
        raise UserError(
            f"invalid thinking_budget={decoding.thinking_budget} of {of}; write 0 or more."
        )
    if "" in decoding.stop:
        raise UserError(f"a stop sequence of {of} is empty; write one or more characters.")
    for name in SET_BY_QUANDARY:
        if name in decoding.body:
            raise UserError(f"the body of {of} sets {name}, which quandary sets; leave it out.")
    for name, value in decoding.headers.items():
        _check_header(of, name, value)


def _check_header(of: str, name: str, value: str) -> None:
    """Check a header; messages do not repeat its value, which may be a secret given by mistake."""
    if not HEADER_NAME.fullmatch(name) or name.lower() in HEADERS_OF_HTTP:
        raise UserError(f"{of} sets the header {name!r}, which cannot be set; leave it out.")
    if VARIABLE.fullmatch(value):
        return
    if value.startswith("$") or SECRET_NAME.search(name) or SECRET_VALUE.match(value):
        raise UserError(
            f"the header {name} of {of} may be a secret, which must not be written here; put its "
            f"value into an environment variable and write $VARIABLE instead."
        )
    if not value or not value.isascii() or not value.isprintable():
        raise UserError(f"the header {name} of {of} is empty or has characters no header can have.")


def check_support(provider: str, decoding: Decoding) -> None:
    """Raise UserError for a setting that the provider's models cannot be sent."""
    for name in ("body", "chat_template_kwargs", "headers", "thinking_budget"):
        is_set = getattr(decoding, name) not in (None, {})
        if is_set and not _is_supported(provider, name):
            instead = "" if provider in WITHOUT_SERVER else ", or use reasoning_effort or body"
            raise UserError(f"models of {provider} take no {name}; leave it out{instead}.")
    header_values(decoding.headers)  # their environment variables must be there


def _is_supported(provider: str, name: str) -> bool:
    if provider in WITHOUT_SERVER:
        return name in WITHOUT_SERVER[provider]
    return name != "thinking_budget" or bool(presets.preset(provider).thinking_budget)
