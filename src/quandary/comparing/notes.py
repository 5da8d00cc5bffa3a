"""What a comparison of two runs has to say beside its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from quandary.arena.manifest import schedule_of
from quandary.arena.store import manifest_of

from .shared_results import Shared, Side

MOST_NAMED = 5
IDENTITY = ("name", "title", "repeats")  # of a suite: they change the meaning of no result


def notes(a: Side, b: Side, shared: Shared) -> tuple[str, ...]:
    """Return what is unplayed, left out, not shared or missing, and in which settings the runs
    differ.
    """
    return (
        *_partial(shared),
        *shared.left_out,
        *_not_shared("A", shared.only[0]),
        *_not_shared("B", shared.only[1]),
        *_missing(shared),
        *_settings(a, b),
    )


def _partial(shared: Shared) -> Iterator[str]:
    unplayed = {label: count for label, count in zip("AB", shared.unplayed, strict=True) if count}
    if unplayed:
        of = " and ".join(f"{count:,} of {label}" for label, count in unplayed.items())
        yield (
            f"PARTIAL RESULTS: of the {len(shared.first):,} shared matches, {of} are not played "
            f"yet. Short matches end first, so what was played may favour one of the two."
        )


def _not_shared(label: str, only: Counter[tuple[str, str]]) -> Iterator[str]:
    if not only:
        return
    total, named = only.total(), only.most_common(MOST_NAMED)
    listed = ", ".join(f"{puzzle}/{level} {count:,}" for (puzzle, level), count in named)
    more = f" and {len(only) - len(named)} more levels" if len(only) > len(named) else ""
    results = "result is" if total == 1 else "results are"
    yield f"Not shared: {total:,} {results} only in {label} ({listed}{more})."


def _missing(shared: Shared) -> Iterator[str]:
    if not shared.missing:
        return
    lacking = "shared match lacks" if shared.missing == 1 else "shared matches lack"
    yield (
        f"{shared.missing:,} {lacking} a result of A or B, cut off or not played yet: the tables "
        f"leave them out, and the verdict counts them once as the worst for A and once as the best."
    )


def _settings(a: Side, b: Side) -> Iterator[str]:
    """In which settings the runs differ, one sentence each."""
    here, there = _manifest(a), _manifest(b)
    for key in dict.fromkeys([*here, *there]):
        if here.get(key) != there.get(key):
            yield f"The runs differ in {key}: {here.get(key)} in A, {there.get(key)} in B."


def _manifest(side: Side) -> dict[str, Any]:
    """Return the settings of a run that may change the meaning of its results."""
    manifest: Mapping[str, Any] = manifest_of(next(iter(side.folders.values()))) or {}
    suite = {key: value for key, value in manifest["suite"].items() if key not in IDENTITY}
    return {"quandary": manifest.get("quandary"), "schedule": schedule_of(manifest), **suite}
