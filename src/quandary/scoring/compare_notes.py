"""What a comparison of two runs has to say beside its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from quandary.arena.manifest import schedule_of
from quandary.arena.store import manifest_of
from quandary.statistics.estimates import Estimate

from .shared_results import Shared, Side

MOST_NAMED = 5
IDENTITY = ("name", "title", "repeats")  # of a suite: they change the meaning of no result


def notes(
    a: Side, b: Side, shared: Shared, bounds: tuple[Estimate, Estimate] | None
) -> tuple[str, ...]:
    """What is left out, not shared or missing, and in which settings the runs differ."""
    return (
        *shared.left_out,
        *_not_shared("A", shared.only[0]),
        *_not_shared("B", shared.only[1]),
        *_missing(shared, bounds),
        *_settings(a, b),
    )


def _not_shared(label: str, only: Counter[tuple[str, str]]) -> Iterator[str]:
    if not only:
        return
    total, named = only.total(), only.most_common(MOST_NAMED)
    listed = ", ".join(f"{puzzle}/{level} {count:,}" for (puzzle, level), count in named)
    more = f" and {len(only) - len(named)} more levels" if len(only) > len(named) else ""
    results = "result is" if total == 1 else "results are"
    yield f"Not shared: {total:,} {results} only in {label} ({listed}{more})."


def _missing(shared: Shared, bounds: tuple[Estimate, Estimate] | None) -> Iterator[str]:
    if bounds is None:
        return
    lacking = "shared match has no" if shared.missing == 1 else "shared matches have no"
    yield (
        f"{shared.missing:,} {lacking} result and {'is' if shared.missing == 1 else 'are'} left "
        f"out above; whatever the missing results are, the difference is between "
        f"{bounds[0].mean:.2f} and {bounds[1].mean:.2f} (with their intervals, between "
        f"{bounds[0].low:.2f} and {bounds[1].high:.2f})."
    )


def _settings(a: Side, b: Side) -> Iterator[str]:
    """In which settings the runs differ, one sentence each."""
    here, there = _manifest(a), _manifest(b)
    for key in dict.fromkeys([*here, *there]):
        if here.get(key) != there.get(key):
            yield f"The runs differ in {key}: {here.get(key)} in A, {there.get(key)} in B."


def _manifest(side: Side) -> dict[str, Any]:
    """The settings of a run that may change the meaning of its results."""
    manifest: Mapping[str, Any] = manifest_of(next(iter(side.folders.values()))) or {}
    suite = {key: value for key, value in manifest["suite"].items() if key not in IDENTITY}
    return {"quandary": manifest.get("quandary"), "schedule": schedule_of(manifest), **suite}
