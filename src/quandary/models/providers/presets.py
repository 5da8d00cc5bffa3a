"""Model servers by name: their addresses, key variables and differences.  See `presets.toml`."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from quandary.core.errors import UserError, unknown

if TYPE_CHECKING:
    from .http import HttpProvider

TIMEOUT = 600.0  # seconds per call: models may think for minutes


@dataclass(frozen=True)
class ProviderPreset:
    """The settings for the servers of one provider."""

    name: str
    base_url: str
    key_variable: str = ""  # the environment variable that holds the key; "" if none is needed
    max_tokens_field: str = "max_tokens"
    seed_field: str = "seed"
    connections: int = 8
    supports_n: bool = False
    extra: dict[str, object] = field(default_factory=dict)  # further fields of every request
    # The fields that limit thinking, with "BUDGET" for the number of tokens; none: there are none.
    thinking_budget: dict[str, object] = field(default_factory=dict)

    @property
    def base_url_variable(self) -> str:
        """The environment variable that overrides the address."""
        return f"{self.name.upper()}_BASE_URL"


@cache
def _presets() -> dict[str, ProviderPreset]:
    text = files(__package__).joinpath("presets.toml").read_text("utf-8")
    return {name: ProviderPreset(name, **fields) for name, fields in tomllib.loads(text).items()}


def names() -> list[str]:
    """Return the known providers."""
    return list(_presets())


def preset(name: str) -> ProviderPreset:
    """Return the preset of a provider."""
    if name not in _presets():
        raise unknown("provider", name, names())
    return _presets()[name]


def address(provider: str, base_url: str = "") -> str:
    """Return the address of a provider: as given, else from the environment, else the
    preset's own.
    """
    known = preset(provider)
    return base_url or os.environ.get(known.base_url_variable, "") or known.base_url


def is_self_hosted(provider: str, base_url: str = "") -> bool:
    """Return whether the user runs the server: it is on this machine, or needs no key."""
    from .http import is_local

    known = preset(provider)
    return not known.key_variable or is_local(address(provider, base_url))


def open_provider(
    provider: str,
    model: str,
    base_url: str = "",
    key_variable: str = "",
    timeout: float = TIMEOUT,
) -> HttpProvider:
    """Return a provider's model; what is not given comes from the environment, then from the
    preset.
    """
    try:
        from .http import HttpProvider, is_local
    except ImportError:
        raise UserError(
            "models behind HTTP servers need aiohttp; run: pip install 'quandary[models]'."
        ) from None
    known = preset(provider)
    base_url = address(provider, base_url)
    variable = key_variable or known.key_variable
    key = os.environ.get(variable, "").strip() if variable else ""
    local = is_local(base_url)
    if key_variable and not key:  # its name is not repeated: it may be the key, given by mistake
        raise UserError(
            "the environment variable that --key-env names is not set; give the name of the one "
            "that holds the key."
        )
    if variable and not key and not local:
        raise UserError(
            f"{provider} needs a key; set the environment variable {variable} to yours."
        )
    return HttpProvider(
        model,
        base_url,
        key,
        key_variable=variable,
        # not all servers people run themselves know the newer name
        max_tokens_field="max_tokens" if local else known.max_tokens_field,
        seed_field=known.seed_field,
        supports_n=known.supports_n,
        extra=known.extra,
        thinking_budget=known.thinking_budget,
        timeout=timeout,
    )
