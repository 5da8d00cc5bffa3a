"""The manifest of a run: what identifies it, and what may be added to it.

A run may grow: by players, instances and repeats.  What would change the meaning of records that
exist is a difference, and records of different runs are never mixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

import msgspec

from quandary.catalogue import registry
from quandary.core.errors import UnknownName, UserError
from quandary.core.source import source_of
from quandary.players.model_names import is_model, prompt_choices, without_language
from quandary.players.prompts.settings import PromptSettings
from quandary.programs.library import Program, author_of, is_program
from quandary.renamed import SUITE_SETTINGS, keys_now, player_now
from quandary.version import VERSION

from .schedule import Schedule, usual

PLAYERS, SPECS, SCHEDULE, PICTURES = "players", "specs", "schedule", "pictures"
IMPORTED = "imported"  # which import the problems of a run are from
IN_PUBLISHED_WORDING = " in published wording"  # ends it, if they are asked so
SERVERS = "servers"  # addresses by provider: a run may go on elsewhere
LANGUAGES = "languages"  # of problems that are not asked in the language of the suite
PROGRAMS = "programs"  # by name: hash, author and code
SANDBOX = "sandbox"  # levels at which programs ran
LIBRARIES = "libraries"  # that they could import, with their versions
PER_PAIR = "programs_per_pair"  # pairs of programs that two authors have, if not all
REPAIRS = "repairs"  # replies that a model may give after a trial match of its program failed
BY_NAME = ("versions", "hashes", "files", LANGUAGES, PROGRAMS)  # tables to which names may be added
NONE, WASM = "none", "wasm"  # levels of programs without a sandbox, and in WebAssembly
LONGEST = 60  # characters of a value that is quoted


def manifest(
    schedule: Schedule,
    servers: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
    programs: Mapping[str, Program] | None = None,
    sandbox: str = "",
    libraries: Mapping[str, str] | None = None,
    repairs: int = 0,
) -> dict[str, Any]:
    """Return what identifies a run."""
    suite = schedule.suite
    puzzles = dict.fromkeys(spec.name for spec in suite.specs)
    settings = {
        field.name: getattr(suite, field.name)
        for field in fields(suite)
        if field.name not in ("entries", "small", "averages", "problems", "imported", LANGUAGES)
    }
    settings["decoding"] = msgspec.to_builtins(dict(suite.decoding))
    pictures = (
        []
        if suite.modality
        else [str(spec) for spec in suite.specs if suite.modality_of(spec) != "text"]
    )
    sources = {name: source_of(registry.load(name)) for name in puzzles}
    hashes = {name: source.hash for name, source in sources.items() if source}
    always = {
        "quandary": VERSION,
        "suite": settings,
        SCHEDULE: schedule.kind,
        SPECS: [str(spec) for spec in suite.specs],
        PLAYERS: schedule.players,
        "versions": {name: registry.load(name).version for name in puzzles},
    }
    averages = {games: list(puzzles) for games, puzzles in suite.averages}
    # Hashes are of puzzles from outside.
    optional: dict[str, Any] = {PICTURES: pictures, "hashes": hashes, "averages": averages}
    optional[IMPORTED] = suite.imported
    optional[LANGUAGES] = dict(suite.languages)
    optional["files"] = dict(files or {})  # named by players' settings
    optional[PROGRAMS] = {
        name: {"hash": program.hash, "author": program.author, "code": program.code}
        for name, program in (programs or {}).items()
    }
    optional |= {SANDBOX: [sandbox] if sandbox else [], LIBRARIES: dict(libraries or {})}
    optional |= {PER_PAIR: schedule.programs_per_pair, REPAIRS: repairs}
    optional |= {SERVERS: {provider: [address] for provider, address in (servers or {}).items()}}
    return always | {key: value for key, value in optional.items() if value}


def by_names_now(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest in which players and settings are named as in this version."""
    found = dict(known)
    if isinstance(found.get("suite"), dict):
        found["suite"] = keys_now(found["suite"], SUITE_SETTINGS)
    if isinstance(found.get(PLAYERS), list):
        found[PLAYERS] = [
            player_now(name) if isinstance(name, str) else name for name in found[PLAYERS]
        ]
    if isinstance(found.get(PROGRAMS), dict):
        found[PROGRAMS] = {player_now(name): own for name, own in found[PROGRAMS].items()}
    return found


def schedule_of(known: Mapping[str, Any]) -> Any:
    """Return the schedule in a manifest; earlier versions had the usual ones and did not
    name them.
    """
    return known.get(SCHEDULE) or usual(known.get(PLAYERS, ()))


def as_known(players: Iterable[str], known: Mapping[str, Any], usual: PromptSettings) -> list[str]:
    """Return players by their names in a run; a model without a language has the usual one."""

    def asked(name: str) -> tuple[str, str]:
        return without_language(name), prompt_choices(name, usual).language

    there = known.get(PLAYERS, ())
    names = {asked(name): name for name in there if is_model(name)}
    return [
        names.get(asked(name), name) if is_model(name) and name not in there else name
        for name in players
    ]


def check_puzzles(known: Mapping[str, Any]) -> None:
    """Raise UserError if a puzzle from outside that a run has is missing here."""
    for name in known.get("hashes", ()):
        try:
            registry.load(name)
        except UnknownName:
            raise UserError(
                f"the puzzle {name!r} is missing; it is not part of quandary, so give the folder "
                f"of its file with --puzzles DIR, or install the distribution that contains it."
            ) from None


def grown(known: Mapping[str, Any], new: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the manifest of a run after a command continues it; UserError if they do not match."""
    if changed := list(changed_programs(known, new)):
        raise UserError(
            f"the program {changed[0]} has changed since {where} was begun with it; put back its "
            f"text, which is in {where}/manifest.json, or choose another --out."
        )
    if differing := list(differences(known, new, (where, "this command"))):
        raise UserError(
            f"{where} contains another run (they differ in {'; '.join(differing)}); choose another "
            f"--out."
        )
    if lacking := next(left_out(known, new), None):
        raise UserError(
            f"{where} contains another run, with {lacking}, which this command lacks; name "
            f"everything that run has and what you add, or choose another --out."
        )
    if known.get(SCHEDULE) == "swiss" and next(left_out(new, known), None):
        raise UserError(
            f"{where} contains a Swiss run, to which nothing can be added, because its pairs "
            f"follow from its results; choose another --out."
        )
    levels = dict.fromkeys([*known.get(SANDBOX, ()), *new.get(SANDBOX, ())])
    united = {**known, **msgspec.to_builtins(dict(new))}
    return united | ({SANDBOX: list(levels)} if levels else {})


def changed_programs(known: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the programs whose text is another one."""
    before, now = known.get(PROGRAMS, {}), new.get(PROGRAMS, {})
    yield from (name for name in before if name in now and before[name] != now[name])


def differences(
    known: Mapping[str, Any], new: Mapping[str, Any], names: tuple[str, str]
) -> Iterator[str]:
    """Yield what in a manifest changes the meaning of another one's records, in words.

    `names` are what the two are called in these words.
    """
    differs = partial(_differs, names)
    for key in ("quandary", "averages", IMPORTED, PER_PAIR, REPAIRS):
        usual = 0 if key in (PER_PAIR, REPAIRS) else None  # what is not named
        before, now = known.get(key, usual), new.get(key, usual)
        if before != now:
            yield differs(key, before, now)
    one, other = known.get("suite", {}), msgspec.to_builtins(new.get("suite", {}))
    for key in other:
        if key != "repeats" and one.get(key) != other[key]:
            yield differs(f"suite: {key}", one.get(key), other[key])
    if schedule_of(known) != schedule_of(new):
        yield differs(SCHEDULE, schedule_of(known), schedule_of(new))
    yield from (f"the text of {name}" for name in changed_programs(known, new))
    yield from _sandbox_differences(known, new, names)
    if PER_PAIR in known and PER_PAIR in new:
        yield from _other_samples(known, new)
    for key in BY_NAME:
        if key == PROGRAMS:
            continue
        one, other = known.get(key, {}), new.get(key, {})
        for name in one:
            if name in other and one[name] != other[name]:
                yield differs(f"{key} of {name}", one[name], other[name])
    shared = set(known.get(SPECS, ())) & set(new.get(SPECS, ()))
    if shared & set(known.get(PICTURES, ())) != shared & set(new.get(PICTURES, ())):
        yield "which instances are shown as pictures"


def _sandbox_differences(
    known: Mapping[str, Any], new: Mapping[str, Any], names: tuple[str, str]
) -> Iterator[str]:
    """Yield what two runs with programs let these do; `strong` and `safe` let them do the same.

    In the sandbox of WebAssembly, another Python may play some programs otherwise.
    """
    levels = known.get(SANDBOX, ()), new.get(SANDBOX, ())
    if not all(levels):
        return
    one, other = map(_sandbox_named, levels)
    if one != other:
        yield f"how programs run, {one} in {names[0]} and {other} in {names[1]}"
    one, other = (_named(each.get(LIBRARIES, {})) for each in (known, new))
    if one != other:
        yield f"the libraries of programs, {one} in {names[0]} and {other} in {names[1]}"


def _sandbox_named(levels: Iterable[str]) -> str:
    if NONE in levels:
        return "without a sandbox"
    return "in a sandbox of WebAssembly" if WASM in levels else "in a sandbox"


def _named(libraries: Mapping[str, str]) -> str:
    listed = [f"{name} {version}".strip() for name, version in sorted(libraries.items())]
    return " and ".join(listed) or "none"


def _other_samples(known: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield authors with other programs: a choice of pairs depends on all programs."""
    one, other = (_by_author(each.get(PLAYERS, ())) for each in (known, new))
    for author in one:
        if author in other and one[author] != other[author]:
            yield f"the programs of {author} (only some pairs play)"


def _by_author(players: Iterable[str]) -> dict[str, set[str]]:
    found = dict[str, set[str]]()
    for player in filter(is_program, players):
        found.setdefault(author_of(player), set()).add(player)
    return found


def left_out(known: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield what one manifest has and another one lacks, in words."""
    for key, words in ((PLAYERS, "the player"), (SPECS, "the instance")):
        others = set(new.get(key, ()))
        yield from (f"{words} {name}" for name in known.get(key, ()) if name not in others)
    repeats = [each.get("suite", {}).get("repeats", 1) for each in (known, new)]
    if repeats[0] > repeats[1]:
        yield f"{repeats[0]} repeats"


def _differs(names: tuple[str, str], what: str, known: Any, new: Any) -> str:
    return f"{what}, {_quoted(known)} in {names[0]} and {_quoted(new)} in {names[1]}"


def _quoted(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
