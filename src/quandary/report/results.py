"""The results of a run as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quandary.arena.tally import Tally
from quandary.models.prices import Prices
from quandary.results.level_scores import LevelScore
from quandary.scoring.readings import Readings

from .tables import counted, fitted, one_line, table

if TYPE_CHECKING:
    from quandary.scoring.normalisations import NormalisedRow

NORMALISED = "puzzle", "level", "player", "matches", "starts", "score", "random", "strongest"
NOTHING = "Nothing to normalise: name a player other than random and oracle."
NORMALISED_NOTE = (
    "normalised: (score - random) / (strongest - random), each a mean over starts, on matches with "
    "the\nsame instances, luck and opponents. A dash (-): the strongest player and random play "
    "cannot be told\napart there."
)
UNASKED = "not in the form that was asked for"  # an answer that only the lenient reading finds
MOST_SHORT, SHORT_WIDTH = 6, 100  # rows and columns of a short table


def normalised_table(results: Sequence[NormalisedRow]) -> str:
    """Return one row per puzzle, level and player: where it lies between random and
    strongest play.
    """
    if not results:
        return NOTHING
    rows = [
        (
            *(row.puzzle, row.level, row.player, row.matches, row.starts),
            *(f"{score:z.2f}" for score in (row.score, row.random, row.strongest)),
            row.kind or "-",
            *_normalised_and_interval(row),
        )
        for row in results
    ]
    head = (*NORMALISED, "strongest is", "normalised", "95 %")
    return f"{table(head, rows)}\n\n{NORMALISED_NOTE}"


def short_normalised_table(results: Sequence[NormalisedRow], run: str) -> str:
    """Return the first rows and what matters most of them; `run` is the folder, as a shell reads
    it.
    """
    if not results:
        return NOTHING
    rows = results[:MOST_SHORT]
    columns: dict[str, Sequence[object]] = {
        "puzzle/level": [f"{row.puzzle}/{row.level}" for row in rows],
        "n": [row.matches for row in rows],
        "score": [f"{row.score:.2f}" for row in rows],
        "random": [f"{row.random:.2f}" for row in rows],
        "strongest": [f"{row.strongest:.2f}" for row in rows],
        "normalised (95 %)": [
            value if interval == "-" else f"{value} ({interval})"
            for value, interval in map(_normalised_and_interval, rows)
        ],
        "player": [row.player for row in rows],
    }
    shown = fitted(columns, SHORT_WIDTH, drop=("n", "strongest", "random"), readable=25)
    left = len(results) - len(rows)
    more = f"and {counted(left, 'more row')}: " if left else "All columns: "
    return f"{shown}\n{more}quandary results {run} --normalised\n\n{NORMALISED_NOTE}"


def _normalised_and_interval(row: NormalisedRow) -> tuple[str, str]:
    if row.normalised is None:
        return "-", "-"
    if row.low is None:
        return f"{row.normalised:z.2f}", "-"
    return f"{row.normalised:z.2f}", f"{row.low:z.2f} to {row.high:z.2f}"


def standings(results: Sequence[LevelScore], players: Sequence[str]) -> str:
    """Return one row per puzzle and level, one column per player, who all played n matches."""
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


def _cell(row: LevelScore) -> str:
    if row.score is None:
        return "-"
    return f"{row.score:z.2f}" + ("" if row.low is None else f" ({row.low:z.2f}-{row.high:z.2f})")


def readings_line(found: Readings) -> str:
    """Return how the replies of one model player were read, where several have a line."""
    loose = f", {found.lenient_only} of them read though {UNASKED}" if found.lenient_only else ""
    return f"{one_line(found.player)}: {_replies(found)}{loose}."


def readings_sentence(found: Readings) -> str:
    """Return how the replies of one model player could be read, and the difference in score."""
    sentence = f"{_replies(found)}."
    if found.lenient_only and found.strictly:
        were = ("answer was not taken, because it is", "answers were not taken, because they are")
        sentence = f"{_replies(found)}; {counted(found.lenient_only, *were)} {UNASKED}."
    elif found.lenient_only:
        were = ("answer was read though it is", "answers were read though they are")
        sentence = f"{_replies(found)}; {counted(found.lenient_only, *were)} {UNASKED}."
        if found.score is not None:
            sentence += (
                f" Score {found.score:.3f}; {found.strict_score:.3f} if matches with those count 0."
            )
    return f"{one_line(found.player)}: {sentence}"


def _replies(found: Readings) -> str:
    trees = (" of a tree of thoughts", " of trees of thoughts") if found.by_trees else ("", "")
    text = counted(found.replies, f"reply{trees[0]}", f"replies{trees[1]}")
    if found.replies:
        statuses = (f"{status} {count}" for status, count in found.statuses.most_common())
        text += f" ({', '.join(statuses)})"
    if found.no_reply:
        text += f", {counted(found.no_reply, 'turn')} without a reply"
    return text


MOST_TRUNCATED = 0.1  # share of replies


def truncation_warning(found: Readings, max_tokens: int | None) -> str:
    """Return what to do if more than a tenth of a player's replies were cut off; "" if they were
    not.
    """
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


def calls_line(model: str, tally: Tally, prices: Prices | None) -> str:
    """Return the same in fewer words, where several models have a line."""
    lost = f", {counted(tally.lost, 'reply', 'replies')} lost" if tally.lost else ""
    return (
        f"{one_line(model)}: {counted(tally.sent, 'call')}, {tally.failed} failed{lost}; "
        f"{_tokens(tally)}; {_cost(model, tally, prices)}."
    )


def calls_sentence(model: str, tally: Tally, prices: Prices | None) -> str:
    """Return the totals of the calls to one model, and what they cost."""
    lost = f", {counted(tally.lost, 'reply', 'replies')} lost" if tally.lost else ""
    cost = f"; {_tokens(tally)}; {_cost(model, tally, prices)}" if tally.got else ""
    return (
        f"{one_line(model)}: {counted(tally.sent, 'call')} sent, "
        f"{counted(tally.got, 'reply', 'replies')}, {tally.failed} failed{lost}{cost}."
    )


def _tokens(tally: Tally) -> str:
    cached = f" ({tally.cached:,} of them cached)" if tally.cached else ""
    text = f"{tally.read:,} tokens read{cached} and {tally.written:,} written"
    if tally.uncounted:
        text += f", {counted(tally.uncounted, 'reply', 'replies')} without a count"
    return text


def _cost(model: str, tally: Tally, prices: Prices | None) -> str:
    dollars = prices.cost(model, tally.usage) if prices else None
    if prices is None or dollars is None:
        return "cost unknown"
    return f"${dollars:.4f} by the prices of {prices.date}"
