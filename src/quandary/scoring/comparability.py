"""Notes on what keeps the scores of players from being compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .level_groups import LevelKey, SeatGroup, by_level
from .rules_only import is_rules_only

MOST_NAMED = 3


def comparability_notes(groups: Sequence[SeatGroup]) -> list[str]:
    """Return what to know before scores of these players are compared; nothing if nothing is in the
    way.

    On each level, they should have results on the same instances, have met the same opponents, have
    had the same settings in all matches, and have been asked in languages that say all of it.
    """
    levels = by_level(groups)
    found = []
    if named := _named(levels, _has_other_starts):
        found.append(
            f"On {named}, not all players have results on the same instances, so differences "
            f"between players may come from the instances."
        )
    if note := _on_other_opponents(levels, MOST_NAMED):
        found.append(f"{note}; ratings take that into account.")
    if named := _named(levels, _has_untranslated_words):
        found.append(
            f"On {named}, models were asked in different languages, but only the rules are "
            f"translated; the tables of factors compare languages without them."
        )
    if mixed := sorted({name for group in groups for name in group.mixed}):
        named = _named(levels, lambda own: any(group.mixed for group in own))
        found.append(f"On {named}, matches with different settings ({', '.join(mixed)}) are mixed.")
    return found


def caveats(groups: Sequence[SeatGroup]) -> tuple[str, ...]:
    """Of these notes, what must also stand where there is little room, without names of levels."""
    note = _on_other_opponents(by_level(groups), 0)
    return (f"{note}.",) if note else ()


def _on_other_opponents(levels: dict[LevelKey, list[SeatGroup]], most_named: int) -> str:
    named = _named(levels, _has_other_opponents, most_named)
    clause = "not all players met the same opponents, and scores depend on whom a player met"
    return f"On {named}, {clause}" if named else ""


def _named(
    levels: dict[LevelKey, list[SeatGroup]],
    is_so: Callable[[Sequence[SeatGroup]], bool],
    most_named: int = MOST_NAMED,
) -> str:
    """Return the levels of which something is true, in words; "" if there is none."""
    found = [key for key, own in levels.items() if is_so(own)]
    if not found:
        return ""
    several = len({key.suite for key in levels}) > 1
    names = [
        f"{key.puzzle}/{key.level}{f' of {key.suite}' if several else ''}"
        for key in found[:most_named]
    ]
    if len(levels) == 1:
        return names[0] if names else "the only level"
    if not names:
        return f"{len(found)} of {len(levels)} levels"
    more = [f"{len(found) - most_named} more"] if len(found) > most_named else []
    return f"{len(found)} of {len(levels)} levels ({', '.join(names + more)})"


def _has_other_starts(own: Sequence[SeatGroup]) -> bool:
    return any(not np.array_equal(group.seen, own[0].seen) for group in own)


def _has_other_opponents(own: Sequence[SeatGroup]) -> bool:
    """Two players met the same opponents if they did apart from each other."""
    one = own[0]
    return any(
        one.opponents - {other.player} != other.opponents - {one.player} for other in own[1:]
    )


def _has_untranslated_words(own: Sequence[SeatGroup]) -> bool:
    languages = frozenset().union(*(group.languages for group in own))
    return len(languages) > 1 and is_rules_only(own[0].key.puzzle)
