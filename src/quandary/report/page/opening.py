"""The first screen: what was played, who is ahead and how sure that is, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.report.formats import shown
from quandary.report.html import Markup, element, markup
from quandary.report.played import Played
from quandary.report.scores import Scores
from quandary.report.short_names import short_names
from quandary.report.tables import counted
from quandary.scoring.score_table import Cell, Ranged, ScoreTable
from quandary.scoring.table_notes import N
from quandary.version import VERSION

from .scroll_box import scroll_box
from .text import breakable, with_code

MOST_ROWS = 14  # of the leaderboard; its table has all
MOST_NAMED = 8  # players
MOST_WARNINGS = 3  # about replies that were cut off
SCALE = (0.0, 0.25, 0.5, 0.75, 1.0)
NOTE = (
    "score: mean over puzzles of the means over their levels, from 0 to 1; the line is its 95 % "
    f"interval. Players who share a letter in the column group cannot be told apart. {N}"
)


def opening(what: Played, scores: Scores, names: Mapping[str, str], *, has_moments: bool) -> Markup:
    """Title, headline, leaderboard, and what is missing; `names` are short ones of players."""
    return markup(
        [
            element("h1", what.title),
            element("p", *_about(what), class_="lead about"),
            element(
                "div",
                *(element("p", *with_code(line, names)) for line in scores.headline),
                class_="headline",
            ),
            leaderboard(scores.main, len(scores.leaderboards), names, has_moments=has_moments),
            *warnings_box(scores.warnings),
            *(
                [element("p", *with_code(what.unread, short_names(what.players)), class_="note")]
                if what.unread
                else []
            ),
            element("p", scores.missing, class_="warning")
            if scores.missing
            else element("p", "No result is missing.", class_="note"),
        ]
    )


def warnings_box(warnings: Sequence[str]) -> list[Markup]:
    """Return what lowers scores and is no skill of a player: replies that were cut off."""
    shown = [element("p", each, class_="warning") for each in warnings[:MOST_WARNINGS]]
    left = len(warnings) - len(shown)
    if shown:
        more = f"The same is true of {counted(left, 'more player')}. " if left > 0 else ""
        table = element("a", "All replies by status", href="#table-replies")
        shown.append(element("p", more, table, class_="note"))
    return shown


def _about(what: Played) -> list[str | Markup]:
    """By whom it was played, when, and how much."""
    short = short_names(what.players)
    names = [short[name] for name in what.players[:MOST_NAMED]]
    more = len(what.players) - len(names)
    parts = list[str | Markup](["Played by "])
    for at, name in enumerate(names):
        parts += [", " if at else "", element("code", *breakable(name))]
    parts += [f" and {more} more" if more else ""]
    if len(what.languages) > 1:
        parts.append(f"; models were asked in {' and '.join(what.languages)}")
    if what.when:
        parts.append(f"; models were called {what.when}")
    counts = ", ".join(f"{number} {noun}" for noun, number in what.facts.items())
    return [*parts, f". {counts}. Made by quandary {VERSION}."]


def leaderboard(
    table: ScoreTable,
    boards: int,
    names: Mapping[str, str] | None = None,
    *,
    has_moments: bool,
) -> Markup:
    """Return the leaderboard as one figure with its numbers beside it; `names` are short ones."""
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    left = len(rows) - MOST_ROWS
    notes = [table.lead] if table.lead else []
    if left > 0:
        notes.append(f"The first {MOST_ROWS} of {len(rows):,} players; the table has all.")
    if boards > 1:
        notes.append(
            f"One of {boards} leaderboards, since not all players played the same levels: the "
            f"largest on which models can be compared."
        )
    notes += [note for note in table.notes if note.startswith("Without a rank")]
    notes += table.caveats
    columns = ("player", "score", "", "n", "ranks", "group")
    has_gaps = "missing" in table.head
    head = [
        element("th", name or _axis(), scope="col", class_=kind)
        for name, kind in zip(
            columns, ("who", "number", "bars", "number", "number", "words"), strict=True
        )
    ]
    if has_gaps:
        head.append(element("th", "missing", scope="col", class_="number"))
    body = [_row(row, names or {}, has_gaps) for row in rows[:MOST_ROWS]]
    board = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="board",
    )
    return element(
        "figure",
        element("figcaption", "Who is ahead"),
        scroll_box("Who is ahead", board, "fill"),
        element("p", " ".join([*notes, NOTE]), class_="note"),
        element(
            "p",
            element("a", "All columns and files", href=f"#table-{table.key}"),
            *(
                [" · ", element("a", "Moments worth seeing", href="#moments")]
                if has_moments
                else []
            ),
            " · ",
            element("a", "All matches", href="#matches"),
        ),
        class_="opening",
    )


def _row(row: Mapping[str, Cell], names: Mapping[str, str], has_gaps: bool) -> Markup:
    player, score = str(row["player"]), row["score"]
    name = names.get(player, player)
    value = score.value if isinstance(score, Ranged) else score
    words = shown(value)
    interval = f"{score.low:z.2f} to {score.high:.2f}" if isinstance(score, Ranged) else ""
    cells = [
        element("th", *breakable(name), scope="row", class_="who", title=player),
        element(
            "td",
            element("span", words, class_="value"),
            element("span", f" ({interval})", class_="range") if interval else "",
            class_="number score",
        ),
        element("td", bar(score), class_="bars"),
        element("td", shown(row["n"]), class_="number n"),
        element("td", str(row["ranks"] or "–"), class_="number ranks"),
        element("td", str(row["group"] or "–"), class_="words group"),
    ]
    if has_gaps:
        cells.append(element("td", shown(row["missing"]), class_="number missing"))
    return element("tr", *cells)


def _axis() -> Markup:
    ticks = [
        element("text", f"{tick:g}", x=f"{100 * tick:g}%", y="75%", text_anchor="middle")
        for tick in SCALE
    ]
    return element("svg", *ticks, class_="axis", role="img", aria_label="score from 0 to 1")


def bar(score: Cell) -> Markup:
    """Return a score from 0 to 1 as a dot on its interval; the numbers stand beside it."""
    parts = list[Markup]()
    if isinstance(score, Ranged):
        low, high = max(score.low, 0.0), min(score.high, 1.0)
        ends = {"x1": f"{100 * low:.2f}%", "x2": f"{100 * high:.2f}%"}
        parts.append(element("line", **ends, y1="50%", y2="50%", class_="reach"))
    if isinstance(score, Ranged | float):
        value = score.value if isinstance(score, Ranged) else score
        parts.append(element("circle", cx=f"{100 * value:.2f}%", cy="50%", r="6", class_="dot"))
    return element("svg", *parts, class_="interval", aria_hidden="true")
