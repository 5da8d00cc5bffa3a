"""What a run shows, in one or two sentences: who is ahead, by how much, and how sure that is.

It is about one leaderboard, where all rows are comparable.  Where at least two models play, it is
about models alone: strategies are there to compare them with.  Of a model that plays with several
settings, such as languages, the row with those of the best player is compared, or its best row if
it has none; a row with other settings that scores more is named too.  Names stand in backquotes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from quandary.arena.drawn_programs import DrawnProgram
from quandary.players.model_names import (
    LANGUAGES,
    is_model,
    language_setting,
    without_language,
)
from quandary.programs.library import family, is_program
from quandary.statistics.multiplicity import holm

from .boards import Board
from .level_groups import LevelKey, SeatGroup, by_level
from .player_ranks import Difference, difference
from .puzzle_groups import group_of, noun_of, puzzle_count
from .score_table import Ranged, ScoreTable

SURE = 0.05
Row: TypeAlias = Mapping[str, object]  # cells by the heads of their columns
MOST_NAMED = 3  # players or puzzles in a sentence
_Parts: TypeAlias = dict[str, dict[LevelKey, Sequence[SeatGroup]]]
WIDE = 0.04  # an interval at least as long needs no more than two digits


def first_boards(boards: Sequence[Board], asked: Collection[str] = ()) -> tuple[Board, ...]:
    """Return the boards that are shown first: the one for comparing players.

    Where only one player was `asked` for, its largest board comes before that, if it has more
    levels: its opponents are there to play against, and solo puzzles have none.
    """
    comparing = _comparing_board(boards)
    own = [board for board in boards if board.players.issuperset(asked)]
    if len(asked) == 1 and own and len(own[0].levels) > len(comparing.levels):
        return own[0], comparing
    return (comparing,)


def _comparing_board(boards: Sequence[Board]) -> Board:
    """Return the largest board on which models or programs can be compared, else the largest one on
    which anybody can; the largest one if there is none.
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
    """Return one sentence about the whole board, and one about its puzzles if there are several;
    `table` is the leaderboard that is made of it.
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
        n = f", n = {scored[0]['n']:,}"
        return (f"{_name(scored[0])} scores {_score(scored[0])} on {_size(board)}{n}.",)
    every_ranked = [row for row in rows if row["ranks"] is not None]
    ranked = _one_per_model(every_ranked)
    if len(ranked) < 2:
        return ("There are too few results to say who is ahead.",)
    return (*_who_is_ahead(board, ranked, every_ranked), *_of_the_best(ranked, scored))


def without_code(drawn: Iterable[DrawnProgram]) -> tuple[str, ...]:
    """Return of each model how many of the programs it was asked for have no code, if any."""
    asked, empty = Counter[str](), Counter[str]()
    for program in drawn:
        asked[program.author] += 1
        empty[program.author] += not program.code.strip()
    return tuple(
        f"{count} of {asked[model]} programs of {_quoted(model)} contained no code."
        for model, count in sorted(empty.items())
        if count
    )


def _one_per_model(ranked: Sequence[Row]) -> list[Row]:
    """Return the best row of each model, of the others in the same settings as the first if they
    have them, and the best program of each model; all rows if there is one model alone.
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


def _of_the_best(ranked: Sequence[Row], scored: Sequence[Row]) -> tuple[str, ...]:
    """That programs were chosen, by the results that are shown, among several of a model."""
    counts, scores = Counter[str](), defaultdict[str, set[object]](set)
    for row in filter(_is_program, scored):
        counts[_model(row)] += 1
        scores[_model(row)].add(row["score"])
    chosen = list(map(_model, filter(_is_program, ranked)))
    if all(len(scores[model]) < 2 for model in chosen):
        return ()
    most = max(counts[model] for model in chosen)
    note = (
        f"For each model this is the best of up to {most} programs, so it is at least as good as "
        'their average, which is in the table "Programs of models".'
    )
    return (note,)


def _model(row: Row) -> str:
    """Return the model that plays or has written a program, without settings; strategies stay."""
    return family(str(row["player"])).partition(",")[0]


def _is_program(row: Row) -> bool:
    return is_program(str(row["player"]))


def _settings(row: Row) -> str:
    return str(row["player"]).partition(",")[2]


def _who_is_ahead(board: Board, ranked: Sequence[Row], every: Sequence[Row]) -> tuple[str, ...]:
    """Of the chosen rows, and of the nearest one of `every` row that was not chosen."""
    best, *others = ranked
    who = _Names(ranked)
    alike = [row for row in others if set(str(row["group"])) & set(str(best["group"]))]
    levels = by_level(board.groups)
    rival = others[0]
    ahead = difference(levels, str(best["player"]), str(rival["player"]))
    on = f"on {_size(board)}"
    if not alike and ahead.ahead.low > 0:
        overall = f"{who.of(best)} is ahead of {who.of(rival)} by {by(ahead.ahead)} {on}."
    else:
        alike = alike or [rival]
        overall = _not_told_apart(best, alike, ahead, on, who)
        behind = next((row for row in others if row not in alike), None)
        if behind is not None:
            by_more = difference(levels, str(best["player"]), str(behind["player"]))
            overall += f" {who.of(best)} is ahead of {who.of(behind)} by {by(by_more.ahead)}."
    overall = f"{who.lead}{overall}{_nearest(levels, best, rival, every)}"
    return (overall, *_by_part(levels, best, rival, who))


class _Names:
    """What the rows of a headline are called; a language that all have is named once, before."""

    def __init__(self, rows: Sequence[Row]) -> None:
        [language, *others] = {language_setting(str(row["player"])) for row in rows}
        self.shared = "" if others else language
        self.lead = f"In {LANGUAGES.get(self.shared, self.shared)}, " if self.shared else ""

    def of(self, row: Row) -> str:
        return _without_language(row) if self.shared else _name(row)


def _nearest(
    levels: Mapping[LevelKey, Sequence[SeatGroup]], best: Row, rival: Row, every: Sequence[Row]
) -> str:
    """Return the first row of another model that scores more than the one that was chosen of it."""
    between = every[: next(at for at, row in enumerate(every) if row is rival)]
    nearest = next((row for row in between if _model(row) != _model(best)), None)
    if nearest is None:
        return ""
    behind = difference(levels, str(best["player"]), str(nearest["player"])).ahead
    alike = set(str(nearest["group"])) & set(str(best["group"]))
    unsure = ", and the two cannot be told apart" if alike else ""
    return f" With other settings, {_name(nearest)} comes nearest: {by(behind)} behind{unsure}."


def _not_told_apart(
    best: Row,
    alike: Sequence[Row],
    ahead: Difference,
    on: str,
    who: _Names,
) -> str:
    """Of the first players, none of whom is surely better than the next."""
    count = len(alike) + 1
    if count > MOST_NAMED:
        named = f"{'the' if who.lead else 'The'} first {count} players"
    else:
        *first, last = map(who.of, (best, *alike))
        named = f"{', '.join(first)} and {last}"
    sentence = f"{named} cannot be told apart {on}"
    known = ahead.ahead
    if (known.low, known.high) == (-1.0, 1.0):
        return f"{sentence}: there are too few starts to say."
    first_one, other = who.of(best), who.of(alike[0])
    ahead_by = f"{first_one} is ahead of {other} by {by(known)}"
    if f"{known.value:z.2f}" == "0.00":
        ahead_by = f"the scores of {first_one} and {other} differ by {by(known)}"
    if known.low > 0:  # of this pair alone, while ranks test all pairs together
        value, interval = by(known).split(" ", 1)
        ahead_by = (
            f"{first_one} scores {value} {interval} more than {other}, which is not significant "
            f"among so many pairs of players"
        )
    return f"{sentence}: {ahead_by}."


def _by_part(
    levels: Mapping[LevelKey, Sequence[SeatGroup]],
    best: Row,
    rival: Row,
    who: _Names,
) -> tuple[str, ...]:
    """On which puzzles, and on which groups of them, one of two players is surely ahead; all are
    tested together.
    """
    puzzles, groups = _Parts(), _Parts()
    for key, own in levels.items():
        puzzles.setdefault(key.puzzle, {})[key] = own
        groups.setdefault(group_of(key.puzzle), {})[key] = own
    if len(puzzles) < 2:
        return ()
    if len(groups) < 2:
        groups = _Parts()
    for name, inside in list(groups.items()):
        if len({key.puzzle for key in inside}) == 1:  # says the same as its puzzle
            del groups[name]
    pair = str(best["player"]), str(rival["player"])
    found = [difference(part, *pair) for part in (*puzzles.values(), *groups.values())]
    ahead = [
        one.ahead.value if p < SURE else 0.0
        for one, p in zip(found, holm([one.p for one in found]), strict=True)
    ]
    of_puzzles = dict(zip(puzzles, ahead[: len(puzzles)], strict=True))
    of_groups = dict(zip(groups, ahead[len(puzzles) :], strict=True))
    return (
        _ahead_on_puzzles(of_puzzles, best, rival, who),
        *_ahead_on_groups(of_groups, best, rival, who),
    )


def _ahead_on_puzzles(found: Mapping[str, float], best: Row, rival: Row, who: _Names) -> str:
    count, noun = len(found), noun_of(found)
    if not any(found.values()):
        return (
            f"On each of the {count} {noun} alone, there are too few matches to say who is ahead."
        )
    parts = [
        f"{who.of(row)} is ahead on {len(own)} of {count} {noun} ({_few(own)})"
        for row, own in _shared_out(found, best, rival)
    ]
    rest = "." if all(found.values()) else "; on the others, there are too few matches to say."
    return f"Taken by themselves, {' and '.join(parts)}{rest}"


def _ahead_on_groups(
    found: Mapping[str, float], best: Row, rival: Row, who: _Names
) -> tuple[str, ...]:
    """Nothing where no group of puzzles is significant."""
    parts = [
        f"{who.of(row)} is ahead on {'; '.join(own)}"
        for row, own in _shared_out(found, best, rival)
    ]
    return (f"By group of puzzles, {', and '.join(parts)}.",) if parts else ()


def _shared_out(
    found: Mapping[str, float], best: Row, rival: Row
) -> Iterator[tuple[Row, list[str]]]:
    """Yield where each of two players is ahead, if anywhere."""
    for row, sign in ((best, 1), (rival, -1)):
        if own := [name for name, by_how_much in found.items() if sign * by_how_much > 0]:
            yield row, own


def by(found: Ranged) -> str:
    """Return a difference and its interval, with as many digits as its length asks for."""
    digits = 2 if found.high - found.low >= WIDE else 3
    value, low, high = (f"{one:z.{digits}f}" for one in found)
    return f"{value} ({low} to {high})"


def _few(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _name(row: Row) -> str:
    """Return the name of a player, with its language in a word."""
    language = language_setting(str(row["player"]))
    words = f" in {LANGUAGES.get(language, language)}" if language else ""
    return f"{_without_language(row)}{words}"


def _without_language(row: Row) -> str:
    name = str(row["player"])
    return _quoted(without_language(name) if is_model(name) else name)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "'") + "`"


def _score(row: Row) -> str:
    found = row["score"]
    return by(found) if isinstance(found, Ranged) else f"{found:.2f}"


def _size(board: Board) -> str:
    levels = len(board.levels)
    if levels == 1:
        [only] = board.levels
        return f"{only.puzzle}/{only.level}"
    shared = "shared levels" if len(board.players) > 1 else "levels"
    return f"{levels} {shared} of {puzzle_count(key.puzzle for key in board.levels)}"
