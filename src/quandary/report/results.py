"""The results of a run as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from quandary.arena.tally import Tally
from quandary.models.prices import Prices
from quandary.scoring.normalised import NormalisedRow
from quandary.scoring.readings import Readings
from quandary.scoring.summary import SummaryRow

from .tables import counted, one_line, table

HEAD = ("puzzle", "level", "player", "matches", "instances", "starts", "score", "95 %")
LISTED = (
    "N of M starts: the starts of the level are a fixed list of M, so the interval is for luck "
    "within starts."
)
PARTIAL = (
    "PARTIAL RESULTS: the run is not finished. Short matches end first, so rows with missing "
    "matches favour them and have no interval."
)


def results_table(results: Sequence[SummaryRow]) -> str:
    """One row per puzzle, level and player; raw values and references where there are some."""
    valued = any(result.value is not None for result in results)
    partial = any(result.missing for result in results)
    rows = [
        (
            *(result.puzzle, result.level, result.player, result.matches),
            *([_missing(result)] if partial else []),
            *(result.instances, _starts(result)),
            *_score_and_interval(result),
            *(_value_and_reference(result) if valued else ()),
            ", ".join(f"{cause} {count}" for cause, count in result.causes),
        )
        for result in results
    ]
    missing = ("missing",) if partial else ()
    raw = ("value", "reference") if valued else ()
    head = (*HEAD[:4], *missing, *HEAD[4:], *raw, "ended by")
    marked = [PARTIAL, ""] if partial else []
    return "\n".join([*marked, table(head, rows), *notes(results)])


def notes(results: Sequence[SummaryRow]) -> list[str]:
    """What has to be known to read the numbers of a table."""
    found = list[str]()
    if any(result.listed for result in results):
        found.append(LISTED)
    if repeats := sum(result.repeats for result in results):
        found.append(
            f"repeated matches left out: {repeats} (same start, players and moves as another "
            f"match, so they count once)."
        )
    return ["", *found] if found else []


def _missing(result: SummaryRow) -> str:
    scheduled = result.matches + result.repeats + result.missing
    share = 100 * result.missing / scheduled if scheduled else 0.0
    return f"{result.missing} of {scheduled} ({share:.0f} %)"


def _starts(result: SummaryRow) -> int | str:
    if result.listed is None:
        return result.starts
    return f"{result.starts} of {max(result.starts, result.listed)}"


def _score_and_interval(result: SummaryRow) -> tuple[str, str]:
    if result.score is None:
        return "-", "-"
    if result.low is None:
        return f"{result.score:.2f}", "-"
    if result.low == result.high:
        return f"{result.score:.2f}", f"all {result.starts} starts"
    return f"{result.score:.2f}", f"{result.low:.2f}-{result.high:.2f}"


def _value_and_reference(result: SummaryRow) -> tuple[str, str]:
    value = "-" if result.value is None else f"{result.value:.4g}"
    if result.reference is None:
        return value, "-"
    bounds = f" ({result.bounds} bounds)" if result.bounds else ""
    return value, f"{result.reference:.4g}{bounds}"


NORMALISED = "puzzle", "level", "player", "matches", "starts", "score", "random", "strongest"
NORMALISED_NOTE = (
    "normalised: (score - random) / (strongest - random), on the same instances, luck and "
    "opponents.\nA dash (-): the strongest player and random play score too much alike to compare."
)


def normalised_table(results: Sequence[NormalisedRow]) -> str:
    """One row per puzzle, level and player: where it lies between random and strongest play."""
    if not results:
        return "Nothing to normalise: name a player other than random and oracle."
    rows = [
        (
            *(row.puzzle, row.level, row.player, row.matches, row.starts),
            *(f"{score:.2f}" for score in (row.score, row.random, row.strongest)),
            row.kind or "-",
            *_normalised_and_interval(row),
        )
        for row in results
    ]
    head = (*NORMALISED, "strongest is", "normalised", "95 %")
    return f"{table(head, rows)}\n\n{NORMALISED_NOTE}"


def _normalised_and_interval(row: NormalisedRow) -> tuple[str, str]:
    if row.normalised is None:
        return "-", "-"
    if row.low is None:
        return f"{row.normalised:.2f}", "-"
    return f"{row.normalised:.2f}", f"{row.low:.2f} to {row.high:.2f}"


def standings(results: Sequence[SummaryRow], players: Sequence[str]) -> str:
    """One row per puzzle and level, one column per player, who all played n matches."""
    found = {(result.puzzle, result.level, result.player): result for result in results}
    levels = dict.fromkeys((result.puzzle, result.level) for result in results)
    rows = [
        (
            f"{puzzle}/{level}",
            found[puzzle, level, players[0]].matches,
            *(_cell(found[puzzle, level, player]) for player in players),
        )
        for puzzle, level in levels
    ]
    return table(("puzzle/level", "n", *players), rows)


def _cell(result: SummaryRow) -> str:
    if result.score is None:
        return "-"
    return f"{result.score:.2f} ({result.low:.2f}-{result.high:.2f})"


def readings_sentence(found: Readings) -> str:
    """How the replies of one model player could be read, and the difference in score."""
    loose = "answer was read only leniently", "answers were read only leniently"
    if found.strictly:
        could = "could be read only leniently and"
        loose = f"answer {could} was not taken", f"answers {could} were not taken"
    mean = ""
    if found.scores:
        matches = counted(len(found.scores), "match", "matches")
        mean = f" Mean score of {matches}: {fmean(found.scores):.3f}"
        if found.lenient_only and not found.strictly:
            mean += f"; {fmean(found.strict_scores):.3f} if those count 0"
        mean += "."
    player = one_line(found.player)
    return f"{player}: {_replies(found)}; {counted(found.lenient_only, *loose)}.{mean}"


def _replies(found: Readings) -> str:
    trees = (" of a tree of thoughts", " of trees of thoughts") if found.by_trees else ("", "")
    told = counted(found.replies, f"reply{trees[0]}", f"replies{trees[1]}")
    if found.replies:
        statuses = (f"{status} {count}" for status, count in found.statuses.most_common())
        told += f" ({', '.join(statuses)})"
    if found.no_reply:
        told += f", {counted(found.no_reply, 'turn')} without a reply"
    return told


MOST_TRUNCATED = 0.1  # share of replies


def truncation_warning(found: Readings, max_tokens: int | None) -> str:
    """What to do if more than a tenth of a player's replies were cut off; "" if they were not."""
    cut = found.statuses["truncated"]
    if cut <= MOST_TRUNCATED * found.replies:
        return ""
    limit = "its server's limit" if max_tokens is None else f"max_tokens={max_tokens}"
    return (
        f"{cut} of {found.replies} replies of {one_line(found.player)} "
        f"({cut / found.replies:.0%}) were cut off before their answer was complete, at {limit} "
        f"or at the end of its context, which lowers its scores; raise max_tokens, or let it think "
        f"less (reasoning_effort, thinking_budget)."
    )


def calls_sentence(model: str, tally: Tally, prices: Prices | None) -> str:
    """The totals of the calls to one model, and what they cost."""
    cached = f" ({tally.cached:,} of them cached)" if tally.cached else ""
    tokens = f"{tally.read:,} tokens read{cached} and {tally.written:,} written"
    if tally.uncounted:
        tokens += f", {counted(tally.uncounted, 'reply', 'replies')} without a count"
    dollars = prices.cost(model, tally.usage) if prices else None
    cost = "cost unknown"
    if prices and dollars is not None:
        cost = f"${dollars:.4f} by the prices of {prices.date}"
    return (
        f"{one_line(model)}: {counted(tally.sent, 'call')} sent, "
        f"{counted(tally.got, 'reply', 'replies')}, {tally.failed} failed, {tally.lost} lost in "
        f"flight; {tokens}; {cost}."
    )
