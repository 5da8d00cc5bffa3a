"""Where every number comes from: runs, versions, seeds, digests, and the command of the report."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from quandary.arena.journal import JOURNAL
from quandary.arena.store import MANIFEST, RECORDS, left_out_of, manifest_of
from quandary.players.model_names import is_model
from quandary.players.prompts.settings import PromptSettings
from quandary.report.html import Markup, element, markup
from quandary.version import VERSION

from .layout import Section

PACKAGES = ("numpy", "scipy", "pyarrow", "matplotlib")
SHOWN = 12  # entries of a list in the page; the copied manifest has all
FOLDER = "provenance"


def provenance(
    runs: Mapping[str, Path], labels: Mapping[str, Path], command: str, out: Path
) -> Section:
    """Copies the manifests into the report, and says what the report was made of."""
    from quandary.labelling.labels import KEY, LABELS
    from quandary.scoring.level_groups import SEED

    (out / FOLDER).mkdir()
    general = {
        "command": element("code", command),
        "quandary": VERSION,
        "Python": platform.python_version(),
        "packages": ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
        "random numbers": f"bootstraps and permutations start from seed {SEED} (numpy PCG64)",
        **{f"labels of {name}": _digests(folder, KEY, LABELS) for name, folder in labels.items()},
        "all tables": element("a", "report.json", href="report.json"),
    }
    parts = [_definitions(general)]
    for number, (name, folder) in enumerate(runs.items(), start=1):
        parts += _run(number, name, folder, out)
    lead = "The same runs, command and versions give the same files, byte for byte."
    return Section(
        "provenance",
        "Where the numbers come from",
        lead,
        more=Markup("".join(parts)),
        link="Sources",
    )


def _run(number: int, name: str, folder: Path, out: Path) -> list[Markup]:
    manifest = manifest_of(folder) or {}
    copy = out / FOLDER / f"{number}-{MANIFEST}"
    copy.write_bytes((folder / MANIFEST).read_bytes())
    seeds = _seeds(manifest.get("specs", ()))
    players = list(map(str, manifest.get("players", ())))
    differing = settings_that_differ(players, _usual(manifest.get("suite", {})))
    facts = {
        "played with": f"quandary {manifest.get('quandary', '(unknown)')}",
        "players": ", ".join(players),
        **({"settings that differ": differing} if differing else {}),
        "instances": f"{len(manifest.get('specs', ())):,}",
        **({"seeds": seeds} if seeds else {}),
        "left out": left_out_of(folder / RECORDS),
        "SHA-256": _digests(folder, MANIFEST, RECORDS, JOURNAL),
        "manifest": element("a", copy.name, href=f"{FOLDER}/{copy.name}"),
    }
    shown = json.dumps(_shortened(manifest), indent=1, ensure_ascii=False)
    details = element(
        "details",
        element("summary", "Manifest (long lists shortened)"),
        element("pre", shown, class_="box", tabindex="0"),
    )
    return [element("h3", "Run ", element("code", name)), _definitions(facts), details]


def _usual(suite: Mapping[str, Any]) -> dict[str, str]:
    """Return what settings are where the name of a model does not say so: as the suite has them."""
    settings = vars(PromptSettings()) | dict(suite) | dict(suite.get("decoding") or {})
    return {
        key: ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for key, value in settings.items()
        if isinstance(value, bool | int | float | str)
    }


def settings_that_differ(players: Sequence[str], usual: Mapping[str, str]) -> str:
    """Return the settings in the names of models that are not the same in all of them; `usual` are
    the values of those that a name leaves out.
    """
    named = [name.split(",")[1:] for name in players if is_model(name)]
    found = [dict(part.partition("=")[::2] for part in parts) for parts in named]
    keys = dict.fromkeys(key for each in found for key in each)
    values = {
        key: dict.fromkeys(each.get(key, usual.get(key, "unset")) for each in found) for key in keys
    }
    return "; ".join(
        f"{key}: {', '.join(value + ' (usual)' * (usual.get(key) == value) for value in each)}"
        for key, each in values.items()
        if len(each) > 1
    )


def _definitions(facts: Mapping[str, str | Markup]) -> Markup:
    pairs = [
        (element("dt", what), element("dd", fact)) for what, fact in facts.items() if str(fact)
    ]
    return element("dl", *(part for pair in pairs for part in pair), class_="provenance")


def _seeds(specs: Sequence[str]) -> str:
    """Return which seeds were played, over all levels."""
    seeds = sorted({int(seed) for spec in specs if (seed := spec.rpartition("#")[2]).isdecimal()})
    if not seeds:
        return ""
    if len(seeds) == seeds[-1] - seeds[0] + 1:
        return f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    return f"{len(seeds):,} from {seeds[0]} to {seeds[-1]}"


def _shortened(value: Any) -> Any:
    """Return a manifest without the middle of its long lists."""
    match value:
        case dict():
            return {key: _shortened(each) for key, each in value.items()}
        case list() if len(value) > SHOWN:
            half = SHOWN // 2
            left_out = f"... {len(value) - 2 * half:,} more ..."
            return [*map(_shortened, value[:half]), left_out, *map(_shortened, value[-half:])]
        case list():
            return list(map(_shortened, value))
    return value


def _digests(folder: Path, *names: str) -> Markup:
    """Of each file that is there."""
    lines = list[Markup]()
    for name in names:
        if (folder / name).exists():
            with (folder / name).open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
            lines.append(element("div", f"{name} ", element("code", digest)))
    return markup(lines)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
