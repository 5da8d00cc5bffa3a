"""`quandary models`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec

from quandary.core.errors import UserError
from quandary.report.tables import table

from .output import json_line

OTHERS = (
    (
        "local/FILE.gguf",
        "xllamacpp",
        "any GGUF file, by llama.cpp in this process: pip install 'quandary[local]'",
    ),
    (
        "hf/NAME",
        "transformers",
        "Hugging Face Transformers, by name or folder: pip install 'quandary[hf]'",
    ),
    (
        "inspect/PROVIDER/NAME",
        "inspect_ai",
        "the providers of Inspect AI: pip install 'quandary[inspect]'",
    ),
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=["list", "pull"],
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


def run(options: Namespace) -> int:
    if options.action == "pull":
        return pull(options)
    if options.name:
        raise UserError(
            f"models list takes no name; to get weights, use: quandary models pull {options.name}."
        )
    rows = ways_to_models()
    if options.json:
        for player, ready, what in rows:
            json_line({"player": player, "ready": ready, "what": what})
    else:
        print(
            table(
                ("player", "ready", "what it is"),
                [(player, "yes" if ready else "no", what) for player, ready, what in rows],
            )
        )
        print(
            "\nReady: what it needs is installed, its key is set if it needs one, its weights are "
            "here."
        )
    return 0


def pull(options: Namespace) -> int:
    from quandary.models.providers import weights

    if not options.name:
        raise UserError("say which weights to get, for example: quandary models pull smollm2.")
    path = weights.pull(options.name)
    if options.json:
        json_line({"name": options.name, "path": str(path)})
    else:
        print(
            f"{path}\nTry it: quandary match card_nim/easy#1 --players local/{options.name} random"
        )
    return 0


def ways_to_models() -> list[tuple[str, bool, str]]:
    """Every way to a model: how its players are named, whether it is ready, and what it is."""
    from quandary.models.providers import presets, weights

    rows = list[tuple[str, bool, str]]()
    for name in presets.names():
        preset = presets.preset(name)
        variable = preset.key_variable
        ready = not variable or bool(os.environ.get(variable))
        needs = f"key in {variable}" if variable else "no key"
        rows.append((f"{name}/NAME", ready, f"{preset.base_url}, {needs}"))
    for name, pulled in weights.available().items():
        about = weights.CATALOGUE[name].about
        rows.append((f"local/{name}", pulled and installed("xllamacpp"), about))
    for player, package, what in OTHERS:
        rows.append((player, installed(package), what))
    return rows


def installed(package: str) -> bool:
    return find_spec(package) is not None
