"""Model servers by name: where they are, where their keys are kept, and how they differ.  See `presets.toml`."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from quandary.core.errors import Mistake, unknown

if TYPE_CHECKING:
    from .http import HttpDoor

TIMEOUT = 600.0  # seconds for a whole call: models may think for minutes


@dataclass(frozen=True)
class Provider:
    name: str
    address: str
    key: str = ""  # the environment variable that holds it; "" where none is needed
    tokens: str = "max_tokens"
    seed: str = "seed"
    connections: int = 8
    many: bool = False
    extra: dict[str, object] = field(default_factory=dict)  # what else a call must say

    @property
    def address_variable(self) -> str:
        return f"{self.name.upper()}_BASE_URL"


@cache
def _presets() -> dict[str, Provider]:
    text = files(__package__).joinpath("presets.toml").read_text("utf-8")
    return {name: Provider(name, **fields) for name, fields in tomllib.loads(text).items()}


def names() -> list[str]:
    """The providers that are known."""
    return list(_presets())


def preset(name: str) -> Provider:
    """The provider of that name."""
    if name not in _presets():
        raise unknown("provider", name, names())
    return _presets()[name]


def elsewhere(provider: str, address: str = "") -> str:
    """Where a provider's models are asked, if not at its own address."""
    known = preset(provider)
    address = address or os.environ.get(known.address_variable, "")
    return "" if address == known.address else address


def open_door(provider: str, model: str, address: str = "", key_variable: str = "", timeout: float = TIMEOUT) -> HttpDoor:
    """The door to a provider's model; what is not given comes from the environment, then from the preset."""
    try:
        from .http import HttpDoor, near
    except ImportError:
        raise Mistake("models behind HTTP servers need aiohttp; run: pip install 'quandary[models]'.") from None
    known = preset(provider)
    address = elsewhere(provider, address) or known.address
    variable = key_variable or known.key
    key = os.environ.get(variable, "").strip() if variable else ""
    here = near(address)
    if key_variable and not key:  # its name is not repeated: it may be the key itself, given by mistake
        raise Mistake("the environment variable that --key-env names is not set; give the name of the one that holds the key.")
    if variable and not key and not here:
        raise Mistake(f"{provider} needs a key; set the environment variable {variable} to yours.")
    tokens = "max_tokens" if here else known.tokens  # not all servers people run themselves know the newer name
    return HttpDoor(
        model,
        address,
        key,
        key_variable=variable,
        tokens=tokens,
        seed=known.seed,
        many=known.many,
        extra=known.extra,
        timeout=timeout,
    )
