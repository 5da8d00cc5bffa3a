"""What was played, by whom and when: from manifests, tables and journals, never from a clock."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quandary.arena.journal import JOURNAL
from quandary.arena.store import manifest_of
from quandary.players.model_names import LANGUAGES, is_model, without_setting
from quandary.players.people import is_person, own_name, pooled
from quandary.programs.library import is_program

from .tables import counted

if TYPE_CHECKING:
    import pyarrow as pa

    from quandary.scoring.level_groups import SeatGroup

SUITES_NAMED = 3
UNREAD_NAMED = 3  # models
LOOKED_AT = 1 << 17  # bytes at each end of a journal, in which a call is looked for
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


class Played(NamedTuple):
    """The runs of a report in a few words."""

    title: str
    # Models without the language in which they were asked, then others; people are one player.
    players: tuple[str, ...]
    languages: tuple[str, ...]  # in which models were asked
    when: str  # the days on which models were called; "" if none was
    facts: Mapping[str, str]  # what is counted, and how many there are
    unread: str = ""  # how many results of models are losses because nothing could be read


def played(runs: Mapping[str, Path], seats: pa.Table) -> Played:
    """Return what the runs are about; `seats` is their table, with a row per seat and match."""
    import pyarrow.compute as pc

    def texts(name: str) -> list[str]:
        return [each for each in pc.unique(seats[name].cast("string")).to_pylist() if each]

    asked = seats.filter(pc.is_valid(seats["model"]))["language"]
    languages = sorted(filter(None, pc.unique(asked.cast("string")).to_pylist()))
    people = {own_name(name) for name in texts("player") if is_person(name)}
    named = list(
        dict.fromkeys(without_setting(pooled(name), "language") for name in texts("player"))
    )
    models = [name for name in named if is_model(name)]
    programs = [name for name in named if is_program(name)]
    pools = [name for name in named if is_person(name)]
    others = [name for name in named if name not in {*models, *programs, *pools}]
    kinds = (
        *((models, "model"), (programs, "program")),
        (others, "strategy" if len(others) == 1 else "strategies"),
    )
    counts = [
        f"{len(names):,} {noun}" if noun.startswith("strateg") else counted(len(names), noun)
        for names, noun in kinds
        if names
    ]
    if people:
        counts.append("1 person" if len(people) == 1 else f"{len(people):,} people")
    who = _listed(counts)
    return Played(
        f"{_of_suites(_suites(runs), texts('puzzle'))}: {who}{_on_puzzles(runs, seats)}",
        (*models, *programs, *pools, *others),
        tuple(LANGUAGES.get(each, each) for each in languages),
        _when(runs.values()),
        _facts(seats),
        _unread(seats),
    )


def _unread(seats: pa.Table) -> str:
    """Such losses say little of how well a model plays, so they are told first."""
    import pyarrow.compute as pc

    of_models = seats.filter(pc.is_valid(seats["model"]))
    unreadable = pc.equal(of_models["cause"].cast("string"), "unreadable")
    lost = of_models.filter(pc.and_(unreadable, pc.equal(of_models["score"], 0.0)))
    if not len(lost):
        return ""
    sentence = (
        f"{len(lost):,} of {len(of_models):,} results of models are losses because no move or "
        f"answer could be read"
    )
    all_of, lost_by = (
        Counter(without_setting(name, "language") for name in rows["player"].to_pylist())
        for rows in (of_models, lost)
    )
    if len(all_of) == 1:
        return f"{sentence}."
    # One more is named too: "1 more" would take as much room.
    first = lost_by.most_common(UNREAD_NAMED + (len(lost_by) == UNREAD_NAMED + 1))
    whose = [f"{count:,} of {all_of[name]:,} by `{name}`" for name, count in first]
    more = len(lost_by) - len(first)
    return f"{sentence}: {_listed([*whose, *([f'those of {more} more models'] if more else [])])}."


def missing_sentence(groups: Iterable[SeatGroup]) -> str:
    """Return how many results of players are missing; "" if none is."""
    of_all = list(groups)
    missing = sum(group.missing for group in of_all)
    if not missing:
        return ""
    unplayed = sum(group.unplayed for group in of_all)
    of = missing + sum(group.matches + group.repeats for group in of_all)
    return (
        f"Missing: {missing:,} of {of:,} results of players, {unplayed:,} of them not played yet."
    )


def spent(seats: pa.Table) -> str:
    """Return the dollars spent on models, as far as they are known; "" if nothing is known."""
    import pyarrow.compute as pc

    own = seats.filter(pc.is_valid(seats["model"]))
    known = pc.sum(own["cost"]).as_py() or 0.0
    if own["cost"].null_count:
        return f"at least ${known:,.2f}" if known else ""
    return f"${known:,.2f}" if len(own) else ""


def _facts(seats: pa.Table) -> dict[str, str]:
    """Return the runs in a few numbers."""
    import pyarrow.compute as pc

    matches = pc.sum(pc.equal(seats["seat"], 0)).as_py() or 0
    starts = _distinct(seats, "task", "puzzle", "level", "split", "instance")
    counts = {
        ("match", "matches"): matches,
        ("starting position", "different starting positions"): starts,
    }
    return {
        **{names[count != 1]: f"{count:,}" for names, count in counts.items()},
        **({"spent on models": cost} if (cost := spent(seats)) else {}),
    }


def _distinct(seats: pa.Table, *names: str) -> int:
    return len(seats.group_by(names, use_threads=False).aggregate([]))


def _suites(runs: Mapping[str, Path]) -> list[str]:
    names = (
        str((manifest_of(folder) or {}).get("suite", {}).get("name") or run)
        for run, folder in runs.items()
    )
    return list(dict.fromkeys(names))


def _on_puzzles(runs: Mapping[str, Path], seats: pa.Table) -> str:
    """Return how many puzzles were played; "" if there is one that is named already."""
    count = _distinct(seats, "puzzle")
    named = (
        _distinct(seats, "task", "puzzle") == 1
        and _suites(runs) == seats["puzzle"].slice(0, 1).to_pylist()
    )
    return "" if named else f" on {counted(count, 'puzzle')}"


def _of_suites(names: Sequence[str], puzzles: Sequence[str]) -> str:
    """Return what was played: suites, unless runs without a suite have the names of their
    puzzles.
    """
    more = len(names) - SUITES_NAMED
    listed = _listed([*names[:SUITES_NAMED], *([f"{more} more"] if more > 0 else [])])
    if set(names) <= set(puzzles):
        return listed
    return f"{'Suite' if len(names) == 1 else 'Suites'} {listed}"


def _listed(names: list[str]) -> str:
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _when(folders: Iterable[Path]) -> str:
    """Return the first and the last day on which models were called, as journals have them."""
    journals = [folder / JOURNAL for folder in folders if (folder / JOURNAL).exists()]
    days = sorted(day for journal in journals for day in _days(journal))
    if not days:
        return ""
    first, last = _day(days[0]), _day(days[-1])
    return f"on {first}" if first == last else f"from {first} to {last}"


def _days(journal: Path) -> list[str]:
    """Return the days of the first and the last call that stand at the ends of a journal."""
    with journal.open("rb") as file:
        size = file.seek(0, SEEK_END)
        file.seek(0)
        begin = file.read(LOOKED_AT)
        file.seek(max(0, size - LOOKED_AT))
        end = file.read(LOOKED_AT)
    found = list[str]()
    for part in (begin.splitlines(), reversed(end.splitlines())):
        day = next(filter(None, map(_day_in, part)), "")
        found += [day] if day else []
    return found


def _day_in(line: bytes) -> str:
    try:
        data: Any = json.loads(line)
    except ValueError:  # cut off
        return ""
    at = data.get("at") if isinstance(data, dict) else None
    try:
        return datetime.fromisoformat(at).date().isoformat() if isinstance(at, str) else ""
    except ValueError:
        return ""


def _day(text: str) -> str:
    found = date.fromisoformat(text)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"
