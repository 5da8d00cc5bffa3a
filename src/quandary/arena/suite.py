"""Suites: benchmarks as data.

A suite file names puzzles, levels, seeds and settings; see `suites/quick.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

from quandary.catalogue import drawing, registry
from quandary.catalogue.papers import papers
from quandary.catalogue.spec import SPLITS, TASKS, Spec
from quandary.core.errors import UserError, unknown
from quandary.models.provider import Decoding
from quandary.models.settings_check import check_values
from quandary.players.prompts.settings import Modality, Prompting, PromptSettings
from quandary.renamed import ENTRY_SETTINGS, SUITE_SETTINGS, typed_keys

from .seed_ranges import seeds

HOME = "quandary.suites"  # the suites of no paper
PLAY = ("instruction", "code")  # a player names each move, or writes a program that plays
MODALITIES: tuple[Modality, ...] = ("text", "image")  # how a position is shown to a model
SETTINGS = {
    "title": str, "attempts": int, "tries": int, "language": str, "repeats": int,
    "shots": int, "prompting": str, "system": str, "count_unreadable": bool, "clock": int,
    "small": str, "decoding": dict, "averages": dict, "puzzles": list,
}  # fmt: skip
ENTRY = {
    "puzzle": str, "levels": list, "seeds": str, "task": str, "split": str, "changes": dict,
    "settings": list, "modalities": list,
}  # fmt: skip
DECODING = {  # what requests to models say beside their messages
    "temperature": (int, float),
    "top_p": (int, float),
    "max_tokens": int,
    "seed": int,
    "stop": list,
    "reasoning_effort": str,
    "thinking_budget": int,
    "chat_template_kwargs": dict,
    "body": dict,
    "headers": dict,
}
Known = TypeVar("Known", bound=str)


class Entry(NamedTuple):
    """An instance of a suite, and how it may be played."""

    spec: Spec
    settings: tuple[str, ...] = PLAY
    modalities: tuple[Modality, ...] = MODALITIES[:1]


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    entries: tuple[Entry, ...]
    attempts: int = 5  # replies per turn that may be unreadable
    tries: int = 1  # answers per question
    count_unreadable: bool = False  # whether an unreadable reply to a question uses up a try
    language: str = "en"
    repeats: int = 1
    shots: int = 0  # worked examples a model is shown before the question
    prompting: Prompting = "steps"  # whether a model is asked to think before it answers
    system: str | None = None  # the system message of models; "" for none
    # Seconds per match for programs and strategies; models and people have no clock.
    clock: int | None = None
    small: tuple[int, ...] = ()  # the seeds of its small version
    # Decoding of models; missing parameters keep their defaults.
    decoding: tuple[tuple[str, Any], ...] = ()
    # Sets of puzzles over which solve rates are averaged, by what they are called together.
    averages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # Problems of an import by name, as JSON, and what tells that import from others.
    problems: Mapping[str, str] = field(default_factory=dict, hash=False)
    imported: str = ""
    # The language of a problem by its name, where it is not that of the suite.
    languages: Mapping[str, str] = field(default_factory=dict, hash=False)
    setting: str = ""  # the chosen setting; "" for all
    modality: Modality | None = None

    @cached_property
    def specs(self) -> tuple[Spec, ...]:
        return tuple(dict.fromkeys(entry.spec for entry in self.entries))

    @property
    def prompt_settings(self) -> PromptSettings:
        """How models are prompted, except for what their names set."""
        return PromptSettings(
            shots=self.shots,
            prompting=self.prompting,
            system=self.system,
            language=self.language,
        )

    def modality_of(self, spec: Spec) -> Modality:
        """Return how an instance is shown to a model: as chosen, or the first way its entry
        lists.
        """
        if self.modality or not self._first_modality:
            return self.modality or MODALITIES[0]
        return self._first_modality.get(spec, MODALITIES[0])

    def language_in(self, spec: Spec) -> str:
        """Return the language in which an instance is asked."""
        return self.languages.get(str(spec), self.language) if self.languages else self.language

    @cached_property
    def _first_modality(self) -> dict[Spec, Modality]:
        """The first way that each instance is shown, where it is not as text."""
        first = {entry.spec: entry.modalities[0] for entry in reversed(self.entries)}
        return {spec: modality for spec, modality in first.items() if modality != MODALITIES[0]}

    def only(
        self, *, setting: str = "", modality: Modality | None = None, small: bool = False
    ) -> Suite:
        """Return the part of a suite with this setting or way of showing, or its small version.

        Without a setting, instances that only programs may play are left out.
        """
        seeds_left = set(self.small)
        if small and not seeds_left:
            raise UserError(
                f'the suite {self.name} has no small version; give it one with small = "1-2".'
            )
        entries = tuple(
            entry
            for entry in self.entries
            if (setting or PLAY[0]) in entry.settings
            and (not modality or modality in entry.modalities)
            and (not small or entry.spec.seed in seeds_left)
        )
        if not entries:
            raise UserError(
                f"the suite {self.name} has nothing to play that way; try without --setting, "
                f"--modality or --small."
            )
        return replace(self, entries=entries, setting=setting, modality=modality)


def names() -> list[str]:
    """Return the built-in suites."""
    return sorted(_files())


def members(name: str) -> set[str]:
    """Return the puzzles of a built-in suite, without making its specs."""
    return {entry["puzzle"] for entry in tomllib.loads(_own(name))["puzzles"]}


def averages(name: str) -> dict[str, list[str]]:
    """Return the sets of puzzles over which a built-in suite averages, without making its specs."""
    return dict(tomllib.loads(_own(name)).get("averages", {}))


def _own(name: str) -> str:
    return _files()[name].read_text("utf-8")


@cache
def _files() -> dict[str, Traversable]:
    """Return the files of the built-in suites, by name: those of papers, and those of no paper."""
    of_papers = {
        name: files(paper.package).joinpath(f"{name}.toml")
        for paper in papers()
        for name in paper.suites
    }
    others = [path for path in files(HOME).iterdir() if path.name.endswith(".toml")]
    return of_papers | {path.name.removesuffix(".toml"): path for path in others}


def load(name: str) -> Suite:
    """Return a built-in suite by its name, or a suite from a file, which may have changed
    meanwhile.
    """
    if name in names():
        return _built_in(name)
    path = Path(name)
    if not path.suffix and not path.exists():
        raise unknown("suite", name, names())
    try:
        return read(path.stem, path.read_text("utf-8"))
    except (OSError, UnicodeError) as reason:
        raise UserError(f"the suite {name} cannot be read: {reason}.") from None


@cache
def _built_in(name: str) -> Suite:
    return read(name, _own(name))


def read(name: str, text: str) -> Suite:
    """Parse a suite."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise UserError(f"the suite {name} is not valid TOML: {reason}.") from None
    return made_of(name, raw)


def made_of(name: str, raw: dict[str, Any]) -> Suite:
    """Return a suite of settings and puzzles, as its file lists them."""
    raw = typed_keys(raw, SUITE_SETTINGS, f"the suite {name}")
    _check_types(name, raw, SETTINGS)
    entries = tuple(
        dict.fromkeys(made for entry in raw.get("puzzles", []) for made in _entries(name, entry))
    )
    if not entries:
        raise UserError(
            f"the suite {name} has no puzzle; give it one or more [[puzzles]] with puzzle, levels "
            f"and seeds."
        )
    counts = {key: raw[key] for key in ("attempts", "tries", "repeats", "clock") if key in raw}
    if any(value < 1 for value in counts.values()) or raw.get("shots", 0) < 0:
        raise UserError(
            f"the suite {name} sets attempts, tries, repeats or clock below 1, or shots below 0."
        )
    prompting = raw.get("prompting", "steps")
    if prompting not in get_args(Prompting):
        raise unknown("prompting", prompting, get_args(Prompting), of=f"the suite {name}")
    small = tuple(seeds(raw["small"])) if "small" in raw else ()
    plain = ("language", "shots", "prompting", "system", "count_unreadable")
    settings: dict[str, Any] = counts | {key: raw[key] for key in plain if key in raw}
    settings |= {"small": small, "decoding": _decoding(name, raw.get("decoding", {}))}
    settings["averages"] = tuple(_averages(name, raw.get("averages", {}), entries))
    return Suite(name, raw.get("title", name), entries, **settings)


def _decoding(name: str, raw: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the settings in the table `[decoding]` of a suite, checked."""
    _check_types(name, raw, DECODING)
    stop, headers = raw.get("stop", []), raw.get("headers", {})
    if not all(isinstance(text, str) for text in (*stop, *headers.values())):
        raise UserError(f"the suite {name} sets a stop sequence or a header that is not a text.")
    found: dict[str, Any] = {
        key: tuple(value) if key == "stop" else value for key, value in raw.items()
    }
    check_values(f"the suite {name}", Decoding(**found))
    return tuple(found.items())


def _averages(
    name: str, raw: Mapping[str, Any], entries: Sequence[Entry]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    known = dict.fromkeys(str(entry.spec).partition("/")[0] for entry in entries)
    for games, puzzles in raw.items():
        if not isinstance(puzzles, list) or not puzzles:
            raise UserError(f"the suite {name} averages over {games!r}, which must list puzzles.")
        for puzzle in puzzles:
            if puzzle not in known:
                raise unknown("puzzle", puzzle, known, of=f"the suite {name}")
        yield games, tuple(puzzles)


def _entries(name: str, entry: Any) -> Iterator[Entry]:
    if not isinstance(entry, dict) or "puzzle" not in entry:
        raise UserError(f"the suite {name} has an entry without a puzzle.")
    entry = typed_keys(entry, ENTRY_SETTINGS, f"the suite {name}")
    _check_types(name, entry, ENTRY)
    puzzle = registry.load(entry["puzzle"])
    task, split = entry.get("task", ""), entry.get("split", "test")
    if task and task not in TASKS:
        raise unknown("task", task, TASKS)
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    settings = _choice(name, "settings", entry.get("settings", PLAY), PLAY)
    modalities = _choice(name, "modalities", entry.get("modalities", MODALITIES[:1]), MODALITIES)
    changes = tuple(
        sorted((key, _written(name, value)) for key, value in entry.get("changes", {}).items())
    )
    levels = entry.get("levels", list(puzzle.levels))
    if not levels:
        raise UserError(
            f"the suite {name} gives {entry['puzzle']} no level; name one or more, or leave "
            f"levels out to have them all."
        )
    for level in levels:
        any_seed = _named(name, Spec(entry["puzzle"], str(level), 0, task, changes, split))
        for seed in seeds(entry.get("seeds", "1-5")):
            yield Entry(any_seed.with_seed(seed), settings, modalities)


def _named(name: str, spec: Spec) -> Spec:
    """Return the spec in its canonical spelling."""
    if Spec.parse(str(spec)) != spec:
        raise UserError(
            f"the suite {name} makes {spec}, which names another instance; check the characters "
            f"in its changes."
        )
    drawing.level_of(spec)
    return drawing.named(str(spec))


def _choice(name: str, key: str, given: Sequence[Any], known: Sequence[Known]) -> tuple[Known, ...]:
    if not given:
        raise UserError(
            f"the suite {name} leaves {key} empty; leave it out, or choose from {', '.join(known)}."
        )
    for value in given:
        if value not in known:
            raise unknown(key, value, known, of=f"the suite {name}")
    return tuple(given)


def _written(name: str, value: Any) -> str:
    """Return a value of `changes` as it is written in a spec."""
    match value:
        case bool():
            return str(value).lower()
        case [int(low), int(high)] if not isinstance(low, bool) and not isinstance(high, bool):
            return f"{low}..{high}"
        case int() | float() | str():
            return str(value)
    raise UserError(
        f"the suite {name} changes an argument to {value!r}; use a number, a word, true, false or "
        f"a range [a, b]."
    )


def _check_types(name: str, raw: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise UserError for a setting of a suite that is unknown or of a wrong type."""
    for key, value in raw.items():
        if key not in known:
            raise unknown("setting", key, known, of=f"the suite {name}")
        if not isinstance(value, known[key]) or isinstance(value, bool) != (known[key] is bool):
            kind = getattr(known[key], "__name__", "number")
            raise UserError(
                f"the suite {name} sets {key} to {value!r}, which is not of type {kind}."
            )
