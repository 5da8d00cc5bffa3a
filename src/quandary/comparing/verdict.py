"""Who of two players is better, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import ndtri

from quandary.statistics.estimates import student
from quandary.statistics.multiplicity import holm
from quandary.statistics.power import POWER

from .parts import Bounds, Part
from .shared_results import Shared

SURE = 0.05


def verdict(overall: Part, puzzles: Sequence[Part]) -> str:
    """Return the verdict if every shared match has a result."""
    found = overall.difference
    is_rare, is_outside = overall.p < SURE, not found.low <= 0.0 <= found.high
    better, worse = ("A", "B") if found.mean > 0 else ("B", "A")
    sign = 1 if found.mean > 0 else -1
    low, high = sorted((sign * found.low, sign * found.high))
    if is_rare and is_outside:
        sentence = f"{better} is better by {_range(abs(found.mean), low, high)}"
        more = _where_higher(worse, -sign, puzzles) if len(puzzles) > 1 else ""
        return f"{sentence}{more}."
    sentence = f"A and B cannot be told apart: A minus B is {_of_starts(overall)}"
    if is_rare != is_outside:
        which = "p" if is_rare else "the interval"
        sentence += f" (only {which} shows a difference, and both must)"
    if found.error > 0:
        wide = (student(found.freedom, found.confidence) + float(ndtri(POWER))) * found.error
        sentence += f", which would show a difference of {wide:.2f} four times in five"
    return sentence + "."


def _where_higher(player: str, sign: int, puzzles: Sequence[Part]) -> str:
    """Return on how many puzzles the player that is worse overall scores more, and on how many of
    these significantly, with all puzzles tested together.
    """
    adjusted = zip(puzzles, holm([part.p for part in puzzles]), strict=True)
    p_values = [p for part, p in adjusted if sign * part.difference.mean > 0]
    sure = sum(p < SURE for p in p_values)
    if not p_values:
        return f"; {player} scores higher on none of {len(puzzles)} puzzles"
    if len(p_values) == 1:
        significance = "significantly" if sure else "but not significantly"
    else:
        significance = f"{sure or 'none'} of them significantly"
    return f"; {player} scores higher on {len(p_values)} of {len(puzzles)} puzzles, {significance}"


def verdict_whatever_is_missing(overall: Part, bounds: Bounds, shared: Shared) -> str:
    """Return the verdict if results are missing: it must hold whatever they are."""
    least, most = bounds.worst.difference, bounds.best.difference
    missing, many = shared.missing, len(shared.first)
    if all(map(_is_sure, bounds)) and (least.mean > 0) == (most.mean > 0):
        better, sign = ("A", 1) if least.mean > 0 else ("B", -1)
        by, within = (sorted(sign * end for end in ends) for ends in _ends(bounds))
        matches = f"{missing:,} shared {'match' if missing == 1 else 'matches'}"
        return (
            f"{better} is better by {_number(by[0])} to {_number(by[1])}, 95 % interval "
            f"{_number(within[0])} to {_number(within[1])}, whatever the missing results of "
            f"{matches} are."
        )
    (low, high), reach = _ends(bounds)
    none = "has no result" if missing == 1 else "have no result"
    return (
        f"A and B cannot be told apart: {missing:,} of {many:,} shared matches {none}, and "
        f"whatever the missing results are, A minus B is between {_number(low)} and "
        f"{_number(high)}, 95 % interval {_number(reach[0])} to {_number(reach[1])}. On results "
        f"that both have, it is {_of_starts(overall)}."
    )


def _is_sure(part: Part) -> bool:
    found = part.difference
    return part.p < SURE and not found.low <= 0.0 <= found.high


def _ends(bounds: Bounds) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the least and the largest difference, and the outer ends of their intervals."""
    least, most = bounds.worst.difference, bounds.best.difference
    return (least.mean, most.mean), (least.low, most.high)


def _of_starts(part: Part) -> str:
    found = part.difference
    return (
        f"{_range(found.mean, found.low, found.high)}, p {part.p:.2g}, on {found.clusters:,} "
        f"shared starts"
    )


def _range(mean: float, low: float, high: float) -> str:
    """Return a number and its interval, with as many digits as the interval's length asks for."""
    digits = 2 if high - low >= 0.04 else 3 if high - low >= 0.004 else 4
    mean_text, low_text, high_text = (_number(one, digits) for one in (mean, low, high))
    return f"{mean_text}, 95 % interval {low_text} to {high_text}"


def _number(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text
