"""How `quandary run` ends on a terminal: at most one screen of 100 columns."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.control_characters import visible
from quandary.players.model_names import LANGUAGES
from quandary.report.played import missing_sentence
from quandary.report.tables import counted, table
from quandary.scoring.table_notes import N

from .output import WIDTH, wrapped

if TYPE_CHECKING:
    from quandary.results.run_columns import PlayedRun
    from quandary.scoring.level_groups import SeatGroups
    from quandary.scoring.score_table import Cell, ScoreTable

MOST_ROWS = 12  # of the leaderboard
MOST_PLAYERS, FEW = 4, 2  # in the line of a paper's score: all of up to 4; of more, 2
COLUMNS = ("player", "score", "missing", "ranks", "group", "n")
NOTE = (
    "score: mean over puzzles of the means over their levels, with its 95 % interval; ranks: best "
    "and worst that the data allow (95 %); players who share a letter in group cannot be told "
    f"apart; {N}"
)
# Of columns whose names are those of a paper.
MEANINGS = {"AP-Acc": "AP-Acc (answer and process both right)"}
CONTINUED = "  "  # before the second line of a name


def summary(runs: Sequence[PlayedRun], groups: SeatGroups, out: Path) -> str:
    """Return who is ahead, the leaderboard, the papers' own scores, what is missing, and what to
    try.
    """
    from quandary.arena.drawn_programs import programs_of
    from quandary.results.run_context import named_players
    from quandary.scoring.board_tables import tables_of
    from quandary.scoring.boards import boards
    from quandary.scoring.headline import first_boards, headline, without_code

    found, folders = boards(groups), [run.folder for run in runs]
    if silent := _without_any_result(groups):
        names = ", ".join(map(visible, silent))
        return wrapped(f"There is no leaderboard, because {names} gave no result.")
    tables = tables_of(found, groups.of_suites)
    first = [
        (board, tables[found.index(board)]) for board in first_boards(found, named_players(folders))
    ]
    sentences = [
        *without_code(programs_of(folders)),
        *(sentence for board, table in first for sentence in headline(board, table)),
    ]
    caveats = dict.fromkeys(caveat for _, table in first for caveat in table.caveats)
    # Of players, in every line.
    order = [str(player) for _, table in first for player in table.column("player")]
    raw = _raw_values(groups) if len(first[0][0].levels) == 1 else {}
    puzzles = {group.key.puzzle for group in groups.of_suites}
    values = [f"Mean value, and the best known: {_first(raw, order)}"] if raw else []
    told = " ".join(sentences)
    leads = ["" if table.lead.removesuffix(".") in told else table.lead for _, table in first]
    parts = [
        "\n".join(map(wrapped, sentences)),
        *(
            part
            for lead, (_, table) in zip(leads, first, strict=True)
            for part in (wrapped(lead), _leaderboard(table))
        ),
        "\n".join(map(wrapped, (*caveats, NOTE))),
        "\n".join(wrapped(line, "  ") for line in (*values, *_lines(runs, order, puzzles))),
        "\n".join([*filter(None, [missing_sentence(groups.of_suites)]), *_more(len(found), out)]),
    ]
    return "\n\n".join(part for part in parts if part)


def _without_any_result(groups: SeatGroups) -> list[str]:
    """Return the models, if none of them has a single result; their servers never answered."""
    from quandary.players.model_names import is_model

    models = {group.player for group in groups.of_suites if is_model(group.player)}
    received = {group.player for group in groups.of_suites if group.matches}
    return [] if models & received else sorted(models)


def _raw_values(groups: SeatGroups) -> dict[str, str]:
    """Return what players reached on one level whose solutions have values."""
    from quandary.report.formats import shown

    return {
        group.player: f"{visible(group.player)} {shown(group.raw.value)}"
        + (f" of {shown(group.raw.reference)}" if group.raw.reference is not None else "")
        for group in groups.of_suites
        if group.raw.value is not None
    }


def _leaderboard(board: ScoreTable) -> str:
    from quandary.report.formats import shown

    kept = [
        at
        for at, name in enumerate(board.head)
        if name in COLUMNS and any(row[at] is not None for row in board.rows)
    ]
    rows = [
        [cell if isinstance(cell := row[at], int) else shown(cell) for at in kept]
        for row in board.short_rows()[:MOST_ROWS]
    ]
    others = sum(2 + max(len(str(row[at])) for row in rows) for at in range(1, len(kept)))
    left = len(board.rows) - len(rows)
    return "\n".join(
        [
            table([board.head[at] for at in kept], list(_folded(rows, WIDTH - others))),
            *([f"and {counted(left, 'player')} more"] if left > 0 else []),
        ]
    )


def _folded(rows: Iterable[Sequence[str | int]], width: int) -> Iterator[Sequence[str | int]]:
    """Rows whose first cell takes several lines where it is too long for one."""
    for name, *cells in rows:
        first, *more = _name_lines(str(name), width)
        yield [first, *cells]
        for line in more:
            yield [f"{CONTINUED}{line}", *([""] * len(cells))]


def _name_lines(name: str, width: int) -> list[str]:
    """Return the name of a player, broken before its settings, or anywhere if there is no other
    way.
    """
    lines = [""]
    for at, part in enumerate(visible(name).split(",")):
        piece = part if at == 0 else f",{part}"
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    room = max(width - len(CONTINUED), 1)
    return [line[at : at + room] for line in lines for at in range(0, len(line), room)] or [""]


def _lines(
    runs: Sequence[PlayedRun], order: Sequence[str], puzzles: Iterable[str]
) -> Iterator[str]:
    """Scores that a leaderboard does not have, one line each."""
    from quandary.results.run_folders import run_names
    from quandary.scoring.played_seats import in_several_languages, played_seats

    from .leaderboard_output import paper_summaries

    folders = [run.folder for run in runs]
    yield from _solved_within(runs, order)
    for found in (*_of_programs(folders), *paper_summaries(runs)):
        yield line_of(found, order)
    if in_several_languages(played_seats(runs)):
        yield from _of_languages(list(run_names(folders).values()), puzzles)


def line_of(found: ScoreTable, order: Sequence[str] = ()) -> str:
    """Return a table in one line: of each player the last row, where tables of papers have their
    totals, in the table's main column.
    """
    from quandary.report.formats import shown

    at, head = found.main_column(), found.head
    last: dict[str, dict[str, tuple[Cell, ...]]] = {}  # by player and language
    for row in found.rows:
        language = str(row[head.index("language")] or "") if "language" in head else ""
        last.setdefault(str(row[head.index("player")]), {})[language] = row
    parts = {
        name: ", ".join(
            (f"{visible(name)}" if place == 0 else "and")
            + (f" in {LANGUAGES.get(language, language)}" if len(rows) > 1 else "")
            + f" {shown(row[at])}"
            + (f", n = {shown(row[head.index('n')])}" if "n" in head else "")
            for place, (language, row) in enumerate(rows.items())
        )
        for name, rows in last.items()
    }
    what = MEANINGS.get(head[at], head[at])
    return f"{visible(found.title)}, {what}: {_first(parts, order)}"


def _first(parts: Mapping[str, str], order: Sequence[str]) -> str:
    """Return the parts of the first players, in an order, and how many more there are."""
    places = {name: place for place, name in enumerate(order)}
    names = sorted(parts, key=lambda name: places.get(name, len(places)))
    shown = [parts[name] for name in names[: FEW if len(names) > MOST_PLAYERS else None]]
    more = len(names) - len(shown)
    return "; ".join([*shown, *([f"{more} more"] if more else [])])


def _solved_within(runs: Sequence[PlayedRun], order: Sequence[str]) -> Iterator[str]:
    """Of questions that may be answered several times."""
    from quandary.scoring.solve_rates import overall_rates, results_in, solve_rates

    found = overall_rates(solve_rates(each for run in runs for each in results_in(run.columns)))
    if not found:
        return
    parts = {
        rate.player: f"{visible(rate.player)} "
        f"{', '.join(f'{100 * share:.1f}' for share in rate.solved_within)}, n = {rate.asked:,}"
        for rate in found
    }
    turns = ", ".join(str(1 + turn) for turn in range(max(len(r.solved_within) for r in found)))
    yield f"Percent solved within {turns} replies, mean over levels: {_first(parts, order)}"


def _of_programs(folders: Sequence[Path]) -> list[ScoreTable]:
    from quandary.report.scores import program_scores

    return program_scores(folders)[:1]


def _of_languages(folders: Sequence[Path], puzzles: Iterable[str]) -> Iterator[str]:
    """Yield what another language changes, as the first table of factors has it, and why that is
    not the difference of two scores.
    """
    from quandary.report.formats import shown
    from quandary.report.scores import language_scores
    from quandary.scoring.rules_only import named, rules_only

    tables, why_not = language_scores(folders)
    if why_not:
        yield why_not
    if not tables:
        return
    words = rules_only(puzzles)
    pairs = " pairs of matches that differ in the language alone"
    if words:
        pairs += f", without {named(words)}, of which only the rules are translated"
    for row in tables[0].rows:
        cells = dict(zip(tables[0].head, row, strict=True))
        if cells["factor"] == "language":
            to, since = (LANGUAGES.get(str(cells[end]), cells[end]) for end in ("to", "from"))
            yield (
                f"{visible(str(cells['player']))}, {to} minus {since}: "
                f"{shown(cells['difference'])}, p {shown(cells['p'])}, n = {cells['pairs']}{pairs}"
            )
            pairs = ""


def _more(boards: int, out: Path) -> Iterator[str]:
    folder = shlex.quote(str(out))
    every = {1: "all columns", 2: "both leaderboards"}.get(boards, f"all {boards} leaderboards")
    commands = {
        f"More: quandary results {folder}": f"{every}; --by level, --papers",
        f"      quandary report {folder} --out reports": "a page with figures and every match",
    }
    width = max(map(len, commands))
    for command, what in commands.items():
        line = f"{command:{width}}    {what}"
        yield line if len(line) <= WIDTH else command
