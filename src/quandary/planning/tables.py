"""A plan as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from quandary.catalogue.papers import papers
from quandary.models.prices import Prices
from quandary.scoring.rules_only import named
from quandary.scoring.score_table import Cell, ScoreTable, score_table
from quandary.statistics.power import FEWEST, detectable

from .plan import Plan, PlayerPlan, Playing, total_of
from .power import CORRELATION, Power, starts_of
from .program_plan import MATCH, PLY, START

FORMULA = (
    "Measured calls and tokens per game (the house plays all seats; see `make costs`), times the "
    "games of the schedule. Calls at most: if every game is as long as the longest measured one, "
    "and every question is asked as often as tries allow."
)
OF_PROGRAMS = (
    "One call per program, which plays all levels of its puzzle; its calls and tokens are divided "
    "among them. Games: seats that a model's programs take, equal programs included. Calls at "
    "most: if every reply without a program is asked for again as often as the suite allows, and "
    "all repairs are used."
)
PROGRAMS = (
    "A model writes {written} per program (--thought-tokens, --program-tokens, --from-run RUN), "
    "and writes it once."
)
GAMES_OF_PROGRAMS = (
    f"A turn takes 1/{1 / PLY:,.0f} s of processor time, a match {1e3 * MATCH:g} ms, and "
    f"{1e3 * START:g} ms more per program in puzzles that hide something or have chance; games are "
    "as long as those of the house. The time in which programs and the house think is not counted. "
    "Equal programs count separately, although they play only once."
)
MOST_NAMED = 3  # models in a sentence
RECORDS = "Records are assumed to have the same size per turn as in random play."
SPREAD = (
    "The difference of two players on a start has a standard deviation of {:.2f}, as for right or "
    "wrong answers, half of them right, with a correlation of {:g} between players (--from-run RUN "
    "uses measured scores)."
)
MEASURED_SPREAD = (
    "The difference of two players on a start has a standard deviation of {:.2f}, from the scores "
    "in {}, with a correlation of {:g} between players."
)
UNKNOWN_SPREAD = "The spread of scores is unknown, because those in {} do not vary between starts."
THOUGHTS = (
    "A model writes {thought} tokens before an answer, where it is asked to think "
    "(--thought-tokens). They are read again in later calls of the game if history is kept. "
    "Thinking that a server returns separately is not read again, so fewer tokens are read then."
)
REPLY = (
    "A model writes {reply:.0f} tokens per reply, answer and thinking together, where it is asked "
    "to think (measured in {like}; --thought-tokens). They are read again in later calls of the "
    "game if history is kept. Thinking that a server returns separately is not read again, so "
    "fewer tokens are read then."
)
RIGHT_AT_ONCE = (
    "Every question is assumed to be answered right at once. Each further try costs at least as "
    'much as the first one; "calls at most" counts all tries.'
)
TOKENS = (
    "A token is 4 characters, or a Chinese character. Pictures, unreadable replies and what "
    "servers read from their caches are not counted."
)
CALL_TIMES = (
    "A call takes {wait:g} s, and 1 s per {tokens_per_second:g} tokens written "
    "(--tokens-per-second); there are {connections} at once (--connections; in this process, one "
    "at a time)."
)
TIMES = (
    "A call takes {wait:g} s, and 1 s per {tokens_per_second:g} tokens written "
    "(--tokens-per-second); there are {connections} at once (--connections; in this process, one "
    "at a time). The time of strategies is not counted."
)
HEAD = ("games", "calls", "calls at most", "tokens read", "tokens written", "dollars")


def plan_tables(found: Plan, power: Power) -> list[ScoreTable]:
    """Return the plan by player, and by puzzle and level."""
    return [_by_player(found), _by_level(found, power)]


def _by_player(found: Plan) -> ScoreTable:
    rows = [[player.player, *_cells(player)] for player in found.players]
    return score_table("plan", "By player", _formula(found), ["player", *HEAD], rows)


def _formula(found: Plan) -> str:
    return FORMULA if found.programs is None else OF_PROGRAMS


LEVELS = "By level, all players"


def _by_level(found: Plan, power: Power) -> ScoreTable:
    rows = []
    for level in found.levels:
        parts = [found.parts[player.player, level.entry] for player in found.players]
        puzzle, _, name = level.entry.partition("/")
        shown = detectable(starts_of(level), power.deviation)
        total = _cells(total_of("", parts))
        rows.append([puzzle, name, level.instances, *total, shown if isfinite(shown) else None])
    head = ["puzzle", "level", "instances", *HEAD, "detectable"]
    if all(row[-1] is None for row in rows):  # as a column it would say nothing
        head, rows = head[:-1], [row[:-1] for row in rows]
        return score_table("plan_levels", LEVELS, _formula(found), head, rows)
    note = (
        "detectable: the smallest difference of two players that this level alone would detect "
        f"four times in five; -: fewer than {FEWEST} starts detect none."
    )
    return score_table("plan_levels", LEVELS, _formula(found), head, rows, [note])


def _cells(plan: PlayerPlan) -> list[Cell]:
    counts = (plan.games, plan.calls, plan.most, plan.read, plan.written)
    return [*map(round, counts), plan.dollars]


def sentences(found: Plan, power: Power, prices: Prices) -> list[str]:
    """Return what the run takes and what it could show."""
    read = round(sum(player.read for player in found.players))
    written = round(sum(player.written for player in found.players))
    calls = round(sum(player.calls for player in found.players))
    lines = [f"{found.matches:,} matches (schedule {found.kind})."]
    if calls:
        most = round(sum(player.most for player in found.players))
        at_most = f" (at most {most:,})" if most > calls else ""
        lines[0] = (
            f"{found.matches:,} matches (schedule {found.kind}), about {calls:,} calls{at_most}, "
            f"{read:,} tokens read and {written:,} written, {_dollars(found.dollars, prices)}, "
            f"and {_time(found)}."
        )
    if found.programs:
        lines.append(_playing(found.programs))
    halves = [_halves(found, power)] if isfinite(power.detectable) else []
    return [*lines, _detects(power), *halves]


def _playing(programs: Playing) -> str:
    """Return what the games of programs take."""
    pairs = programs.programs_per_pair
    of_pairs = f"{pairs:,} pairs of programs per pair of models" if pairs else "all pairs"
    return (
        f"{programs.samples:,} programs per model and puzzle, {of_pairs}: about "
        f"{_hours(programs.hours)} of processor time, divided among the cores that play, and "
        f"{_size(programs.size)} of records.{_of_papers(programs)}"
    )


def _of_papers(programs: Playing) -> str:
    """Return which puzzles models also write programs for in a paper."""
    found = sorted({name for paper in papers() for name in paper.programs} & set(programs.puzzles))
    if not found:
        return ""
    return (
        f" Of these {len(programs.puzzles)} puzzles, {len(found)} are from the paper: "
        f"{', '.join(found)}."
    )


def _hours(hours: float) -> str:
    return f"{hours:,.1f} hours" if hours >= 1 else f"{max(1, round(60 * hours))} min"


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6)):,} MB"


def _dollars(dollars: float | None, prices: Prices) -> str:
    if dollars is None:
        return "at an unknown price (name a table with --prices)"
    return f"${dollars:,.2f} by the prices of {prices.date}"


def _time(found: Plan) -> str:
    minutes = found.minutes
    if minutes is None:
        return (
            f"an unknown time: it depends on the machine that runs {_few(found.untimed)} "
            f"(give --tokens-per-second and --connections for an estimate)"
        )
    return f"{minutes:,.0f} minutes" if minutes >= 2 else "a minute or two"


def _few(names: Sequence[str]) -> str:
    """Return some names, or how many there are."""
    return " and ".join(names) if len(names) <= MOST_NAMED else f"these {len(names)} models"


def _detects(power: Power) -> str:
    starts = f"{power.starts:,} starts"
    if power.left_out:
        starts += f" (without {named(power.left_out)}, because only the rules are translated)"
    if not isfinite(power.detectable):
        is_less = power.effective < power.starts  # levels with few starts weigh as much as others
        weight = f" (as good as {power.effective} of a single level)" if is_less else ""
        return (
            f"With {starts}{weight}, no difference between players can be detected; this needs "
            f"{FEWEST} or more."
        )
    return (
        f"With {starts}, a 95 % interval of the difference of two players is about "
        f"±{power.half:.3f}, and a difference of {power.detectable:.3f} would be detected four "
        f"times in five."
    )


def _halves(found: Plan, power: Power) -> str:
    sentence = "Halving the interval takes four times the starts"
    if found.dollars:
        sentence += f", ${power.halving.cost:,.2f} more"
    return (
        f"{sentence}; repeats on the same starts are cheaper only where luck is most of the spread."
    )


def assumptions(found: Plan, power: Power) -> list[str]:
    """Return what the numbers take for granted, one sentence each."""
    like = found.assumed.like
    if power.is_measured:
        lines = [MEASURED_SPREAD.format(power.deviation, like, CORRELATION)]
    else:
        lines = [UNKNOWN_SPREAD.format(like)] if like else []
        lines.append(SPREAD.format(power.deviation, CORRELATION))
    if found.programs:
        assumed = found.assumed
        written = f"{assumed.thought} tokens before its answer and {assumed.program} of code"
        if assumed.reply is not None:
            written = f"{assumed.reply:.0f} tokens (measured in {like})"
        lines += [PROGRAMS.format(written=written), GAMES_OF_PROGRAMS, RECORDS]
        lines += [] if found.untimed else [CALL_TIMES.format(**vars(assumed))]
    elif any(player.calls for player in found.players):
        thoughts = THOUGHTS if found.assumed.reply is None else REPLY
        retries = [RIGHT_AT_ONCE] if any(level.tries > 1 for level in found.levels) else []
        of_calls = [thoughts, *retries, TOKENS, *([] if found.untimed else [TIMES])]
        lines += [sentence.format(**vars(found.assumed)) for sentence in of_calls]
    return lines
