"""`quandary models`."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from quandary.core.control_characters import visible
from quandary.core.errors import UserError, unknown
from quandary.render.screen import terminal_width
from quandary.report.tables import fitted

from .output import json_line

if TYPE_CHECKING:
    from quandary.models.providers.presets import ProviderPreset


class Way(NamedTuple):
    """A way to models: how its players are named, what it needs, and whether that is there."""

    player: str
    ready: bool
    needs: str
    what: str


ACTIONS = ("list", "pull")
HTTP = "aiohttp"  # the package that calls servers
PATIENCE = 1.0  # seconds that a server on this machine has to answer
MOST_READ = 1_000_000  # bytes of its answer
OTHERS = (
    Way(
        "local/FILE.gguf",
        False,
        "quandary[local]",
        ("any GGUF file, run by llama.cpp in this process"),
    ),
    Way("hf/NAME", False, "quandary[hf]", "Hugging Face Transformers, by name or folder"),
    Way("inspect/PROVIDER/NAME", False, "quandary[inspect]", "the providers of Inspect AI"),
)
PACKAGES = {"quandary[local]": "xllamacpp", "quandary[hf]": "transformers"}
PACKAGES |= {"quandary[inspect]": "inspect_ai"}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=ACTIONS,
        type=_action,
        default="list",
        help="list (the default), or pull NAME",
    )
    parser.add_argument(
        "name",
        nargs="?",
        default="",
        metavar="NAME",
        help="the weights to get, for example smollm2",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def _action(text: str) -> str:
    if text not in ACTIONS:
        raise unknown("action", text, ACTIONS, of="quandary models")
    return text


def run(options: Namespace) -> int:
    if options.action == "pull":
        return pull(options)
    if options.name:
        raise UserError(
            f"models list takes no name; to get weights, use: quandary models pull {options.name}."
        )
    rows = ways_to_models()
    if options.json:
        for row in rows:
            json_line(row._asdict())
    else:
        columns = {
            "player": [row.player for row in rows],
            "ready": ["yes" if row.ready else "no" for row in rows],
            "needs": [row.needs for row in rows],
            "what it is": [row.what for row in rows],
        }
        print(fitted(columns, terminal_width()))
        print(
            "\nReady: its key is set, its server on this machine answers, or its package and "
            "weights are on this machine."
        )
        if not installed(HTTP):
            print("Models behind servers also need: pip install 'quandary[models]'")
    return 0


def pull(options: Namespace) -> int:
    from quandary.models.providers import weights

    if not options.name:
        raise UserError("name the weights to get, for example: quandary models pull smollm2.")
    path = weights.pull(options.name)
    if options.json:
        json_line({"name": options.name, "path": str(path)})
    else:
        print(
            f"{path}\nTry it: quandary match card_nim/easy#1 --players local/{options.name} random"
        )
    return 0


def ways_to_models() -> list[Way]:
    """Return every way to a model."""
    from quandary.models.providers import presets, weights

    known = [presets.preset(name) for name in presets.names()]
    with ThreadPoolExecutor(len(known)) as threads:
        rows = list(threads.map(_behind_server, known))
    for name, pulled in weights.available().items():
        player, needs = f"local/{name}", "quandary[local]" if pulled else f"models pull {name}"
        rows.append(Way(player, pulled and _has(needs), needs, weights.CATALOGUE[name].about))
    return rows + [way._replace(ready=_has(way.needs)) for way in OTHERS]


def _behind_server(preset: ProviderPreset) -> Way:
    """Return a provider whose models are called by HTTP."""
    from quandary.models.providers import presets

    address = presets.address(preset.name)
    player, variable = f"{preset.name}/NAME", preset.key_variable
    try:
        is_own = not variable or (installed(HTTP) and presets.is_self_hosted(preset.name))
    except UserError as reason:
        return Way(player, False, preset.base_url_variable, str(reason))
    if not is_own:  # a server far away, which is not asked
        key = bool(os.environ.get(variable, "").strip())
        return Way(player, key and installed(HTTP), variable, address)
    models = served_models(address)
    what = "no answer" if models is None else f"has {', '.join(models)}" if models else "answers"
    return Way(player, models is not None and installed(HTTP), "its server", f"{address}, {what}")


def served_models(base_url: str) -> list[str] | None:
    """Return the models that a server of one's own lists; None if no model server answers."""
    opener = build_opener(ProxyHandler({}))  # a proxy has no part in calls to this machine
    try:
        with opener.open(f"{base_url.rstrip('/')}/models", timeout=PATIENCE) as answer:
            listed = json.loads(answer.read(MOST_READ))["data"]
            return [visible(str(model["id"])) for model in listed or ()]
    except HTTPError as refusal:
        return [] if refusal.code in (401, 403) else None  # it wants a key, so it is there
    except (OSError, HTTPException, ValueError, KeyError, TypeError):  # another kind of server
        return None


def _has(extra: str) -> bool:
    return installed(PACKAGES[extra])


def installed(package: str) -> bool:
    return find_spec(package) is not None
