"""What a run shows, in one or two sentences: who is ahead, by how much, and how sure that is.

It is about one leaderboard, where all rows are comparable.  Where at least two models play, it is
about models alone: strategies are there to compare them with.  A model that plays with several
settings, such as languages, is compared where the first one does best, in the same settings where
the other has them.  Names stand in backquotes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from quandary.players.model_names import is_model
from quandary.programs.library import family, is_program
from quandary.statistics.multiplicity import holm

from .boards import Board
from .level_groups import LevelKey, SeatGroup, by_level
from .player_ranks import Difference, difference
from .score_table import Ranged, ScoreTable

SURE = 0.05
Row: TypeAlias = Mapping[str, object]  # cells by the heads of their columns
MOST_NAMED = 3  # players or puzzles in a sentence
WIDE = 0.04  # an interval at least as long needs no more than two digits


def main_board(boards: Sequence[Board]) -> Board:
    """The largest board on which models or programs can be compared, else the largest one on which
    anybody can; the largest one if there is none.
    """
    comparing = [board for board in boards if _compares(board)] or list(boards[:1])
    return next((board for board in comparing if _has_several_models(board)), comparing[0])


def _has_several_models(board: Board) -> bool:
    models = {name.partition(",")[0] for name in board.players if is_model(name)}
    return len(models | set(filter(is_program, board.players))) > 1


def _compares(board: Board) -> bool:
    levels, seen = len(board.levels), Counter[str]()
    for group in board.groups:
        seen[group.player] += bool(group.matches and not group.unplayed)
    return sum(count == levels for count in seen.values()) > 1


def headline(board: Board, table: ScoreTable) -> tuple[str, ...]:
    """One sentence about the whole board, and one about its puzzles if there are several; `table`
    is the leaderboard that is made of it.
    """
    every = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    named = [row for row in every if is_model(str(row["player"])) or is_program(str(row["player"]))]
    # Programs of one model are compared with strategies, not with each other.
    alone = len({_model(row) for row in named}) < 2 and any(map(_is_program, named))
    rows = every if alone or len(named) < 2 else named
    scored = [row for row in rows if row["score"] is not None]
    if not scored:
        return ("No match has a result yet.",)
    if len(scored) == 1:
        return (f"{_name(scored[0])} scores {_score(scored[0])} on {_size(board)}.",)
    ranked = _one_per_model([row for row in rows if row["ranks"] is not None])
    if len(ranked) < 2:
        return ("There are too few results to say who is ahead.",)
    return (*_told(board, ranked), *_of_the_best(ranked, scored))


def _one_per_model(ranked: Sequence[Row]) -> list[Row]:
    """The best row of each model, of the others in the same settings as the first if they have
    them, and the best program of each model; all rows if there is one model alone.
    """
    models = dict[str, list[Row]]()
    for row in ranked:
        models.setdefault(_model(row), []).append(row)
    if len(models) < 2:
        return list(ranked)
    wanted = _settings(ranked[0])
    chosen = [
        next((row for row in rows if _settings(row) == wanted), rows[0]) for rows in models.values()
    ]
    return [row for row in ranked if row in chosen]


def _of_the_best(told: Sequence[Row], scored: Sequence[Row]) -> tuple[str, ...]:
    """That programs were chosen, by the results that are told, among several of a model."""
    counts = Counter(_model(row) for row in scored if _is_program(row))
    chosen = [model for model in map(_model, filter(_is_program, told)) if counts[model] > 1]
    if not chosen:
        return ()
    most = max(counts[model] for model in chosen)
    told_of = (
        f"Of each model this is the best of up to {most} programs, and so better than their "
        'average, which stands in the table "Programs of models".'
    )
    return (told_of,)


def _model(row: Row) -> str:
    """The model that plays or has written a program, without settings; strategies stay."""
    return family(str(row["player"])).partition(",")[0]


def _is_program(row: Row) -> bool:
    return is_program(str(row["player"]))


def _settings(row: Row) -> str:
    return str(row["player"]).partition(",")[2]


def _told(board: Board, ranked: Sequence[Row]) -> tuple[str, ...]:
    best, *others = ranked
    alike = [row for row in others if set(str(row["group"])) & set(str(best["group"]))]
    levels = by_level(board.groups)
    rival = others[0]
    ahead = difference(levels, str(best["player"]), str(rival["player"]))
    on = f"on {_size(board)}"
    if not alike and ahead.ahead.low > 0:
        overall = f"{_name(best)} is ahead of {_name(rival)} by {by(ahead.ahead)} {on}."
    else:
        alike = alike or [rival]
        overall = _not_told_apart(best, alike, ahead, on)
        behind = next((row for row in others if row not in alike), None)
        if behind is not None:
            by_more = difference(levels, str(best["player"]), str(behind["player"]))
            overall += f" {_name(best)} is ahead of {_name(behind)} by {by(by_more.ahead)}."
    return (overall, *_by_puzzle(levels, best, rival))


def _not_told_apart(
    best: Row,
    alike: Sequence[Row],
    ahead: Difference,
    on: str,
) -> str:
    """Of the first players, none of whom is surely better than the next."""
    count = len(alike) + 1
    if count > MOST_NAMED:
        who = f"The first {count} players"
    else:
        *first, last = map(_name, (best, *alike))
        who = f"{', '.join(first)} and {last}"
    told = f"{who} cannot be told apart {on}"
    known = ahead.ahead
    if (known.low, known.high) == (-1.0, 1.0):
        return f"{told}: there are too few starts to say."
    other = _name(alike[0])
    ahead_by = f"{_name(best)} is ahead of {other} by {by(known)}"
    if f"{known.value:z.2f}" == "0.00":
        ahead_by = f"the scores of {_name(best)} and {other} differ by {by(known)}"
    if known.low > 0:  # of this pair alone, while ranks test all pairs together
        ahead_by += ", which may be luck among so many pairs of players"
    return f"{told}: {ahead_by}."


def _by_puzzle(
    levels: Mapping[LevelKey, Sequence[SeatGroup]],
    best: Row,
    rival: Row,
) -> tuple[str, ...]:
    """On which puzzles one of two players is surely ahead; all puzzles are tested together."""
    puzzles = dict[str, dict[LevelKey, Sequence[SeatGroup]]]()
    for key, groups in levels.items():
        puzzles.setdefault(key.puzzle, {})[key] = groups
    if len(puzzles) < 2:
        return ()
    pair = str(best["player"]), str(rival["player"])
    found = {puzzle: difference(own, *pair) for puzzle, own in puzzles.items()}
    sure = {
        puzzle: each.ahead.value
        for (puzzle, each), p in zip(
            found.items(), holm([one.p for one in found.values()]), strict=True
        )
        if p < SURE
    }
    for_best = [puzzle for puzzle, by_how_much in sure.items() if by_how_much > 0]
    for_rival = [puzzle for puzzle, by_how_much in sure.items() if by_how_much < 0]
    count = len(puzzles)
    if not sure:
        return (f"On each of the {count} puzzles alone, too few matches to say who is ahead.",)
    parts = [
        f"{_name(row)} is ahead on {len(own)} of {count} puzzles ({_few(own)})"
        for row, own in ((best, for_best), (rival, for_rival))
        if own
    ]
    rest = "; on the others, too few matches to say." if len(sure) < count else "."
    return (f"Taken by themselves, {' and '.join(parts)}{rest}",)


def by(found: Ranged) -> str:
    """A difference and its interval, with as many digits as its length asks for."""
    digits = 2 if found.high - found.low >= WIDE else 3
    value, low, high = (f"{one:z.{digits}f}" for one in found)
    return f"{value} ({low} to {high})"


def _few(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _name(row: Row) -> str:
    return "`" + str(row["player"]).replace("`", "'") + "`"


def _score(row: Row) -> str:
    found = row["score"]
    return by(found) if isinstance(found, Ranged) else f"{found:.2f}"


def _size(board: Board) -> str:
    levels = len(board.levels)
    puzzles = len({key.puzzle for key in board.levels})
    if levels == 1:
        [only] = board.levels
        return f"{only.puzzle}/{only.level}"
    shared = "shared levels" if len(board.players) > 1 else "levels"
    return f"{levels} {shared} of {puzzles} puzzle{'' if puzzles == 1 else 's'}"
