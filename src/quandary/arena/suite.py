"""Suites: benchmarks as data.  A suite file names puzzles, levels, seeds and settings; see `suites/quick.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from quandary.core import registry
from quandary.core.mistake import Mistake, unknown
from quandary.core.spec import SPLITS, TASKS, Spec

SETTINGS = {"title": str, "attempts": int, "tries": int, "language": str, "repeats": int, "puzzles": list}
ENTRY = {"puzzle": str, "levels": list, "seeds": str, "task": str, "split": str, "changes": dict}


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    specs: tuple[Spec, ...]
    attempts: int = 5  # readings of one turn
    tries: int = 1  # answers to one question
    language: str = "en"
    repeats: int = 1


def names() -> list[str]:
    """The suites that come with quandary."""
    return sorted(path.name.removesuffix(".toml") for path in files("quandary.suites").iterdir() if path.name.endswith(".toml"))


@cache
def load(name: str) -> Suite:
    """A suite by its name, or from a file of one's own."""
    if name in names():
        return read(name, files("quandary.suites").joinpath(f"{name}.toml").read_text("utf-8"))
    path = Path(name)
    if not path.suffix and not path.exists():
        raise unknown("suite", name, names())
    try:
        return read(path.stem, path.read_text("utf-8"))
    except (OSError, UnicodeError) as reason:
        raise Mistake(f"the suite {name} cannot be read: {reason}.") from None


def read(name: str, text: str) -> Suite:
    """The suite a text describes."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise Mistake(f"the suite {name} is no TOML: {reason}.") from None
    _fits(name, raw, SETTINGS)
    entries = raw.get("puzzles", [])
    specs = tuple(dict.fromkeys(spec for entry in entries for spec in _specs(name, entry)))
    if not specs:
        raise Mistake(f"the suite {name} names no puzzle; give it one or more [[puzzles]] with puzzle, levels and seeds.")
    settings = {key: raw[key] for key in ("attempts", "tries", "language", "repeats") if key in raw}
    if any(isinstance(value, int) and value < 1 for value in settings.values()):
        raise Mistake(f"the suite {name} sets attempts, tries or repeats below 1.")
    return Suite(name, raw.get("title", name), specs, **settings)


def _fits(name: str, raw: Any, known: Mapping[str, type]) -> None:
    for key, value in raw.items():
        if key not in known:
            raise unknown(f"setting of the suite {name}", key, known)
        if not isinstance(value, known[key]) or isinstance(value, bool):
            raise Mistake(f"the suite {name} sets {key} to {value!r}, which is no {known[key].__name__}.")


def _specs(name: str, entry: Any) -> Iterator[Spec]:
    if not isinstance(entry, dict) or "puzzle" not in entry:
        raise Mistake(f"the suite {name} has an entry without a puzzle.")
    _fits(name, entry, ENTRY)
    puzzle = registry.load(entry["puzzle"])
    task, split = entry.get("task", ""), entry.get("split", "test")
    if task and task not in TASKS:
        raise unknown("task", task, TASKS)
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    changes = tuple(sorted((key, _written(name, value)) for key, value in entry.get("changes", {}).items()))
    for level in entry.get("levels", list(puzzle.levels)):
        for seed in seeds(entry.get("seeds", "1-5")):
            spec = Spec(entry["puzzle"], str(level), seed, task, changes, split)
            if Spec.parse(str(spec)) != spec:
                raise Mistake(f"the suite {name} makes {spec}, which names another instance; mind the signs in its changes.")
            registry.level_of(spec)
            yield registry.named(str(spec))


def _written(name: str, value: Any) -> str:
    """A value of `changes` as it stands in a spec."""
    match value:
        case bool():
            return str(value).lower()
        case [int(low), int(high)] if not isinstance(low, bool) and not isinstance(high, bool):
            return f"{low}..{high}"
        case int() | float() | str():
            return str(value)
    raise Mistake(f"the suite {name} changes an argument to {value!r}; use a number, a word, true, false or a range [a, b].")


def seeds(text: str) -> Iterator[int]:
    """ "1-10" or "1-5, 8" as numbers."""
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
        if not found:
            raise Mistake(f"{text!r} are no seeds; write them as 1-10, or 1-5, 8.")
        yield from range(int(found[1]), int(found[2] or found[1]) + 1)
