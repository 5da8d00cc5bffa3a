"""Checks of texts and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite
from random import Random

from quandary.core.contract import CHANCE, Game, Language, Options, Puzzle, Question, Seat
from quandary.core.mixins.families import family_of
from quandary.core.scene import COLOURS, Box, Disc, Label, Line, Scene, meaningful_colours
from quandary.core.wrapper import inner_of, task_of

from .case import Case, as_game, pick, twice
from .languages import drawn_texts, written_texts
from .secrecy import hides

NARROW = 0.48  # lower estimate of a letter's mean width, relative to its size
OUTSIDE = 0.6  # how far a shape may extend beyond the edge: half a label
PLAYED_ON = 40  # plies for which positions with equal texts are played alike
SIBLINGS = 3  # instances whose rules are compared with those of each start
NONE = re.compile(r"(?<![\w\"'`“‘「])None(?![\w\"'`”’」])")
COMPARED = 5_000  # options; of longer lists only the lengths are compared


def drawn_rules_are_declared(case: Case) -> Iterator[str]:
    """Programs are told the rules of a level once, for all of its instances."""
    if task_of(case.puzzle) or case.puzzle.drawn_rules:
        return
    rules = dict[str, str]()
    for puzzle in case.neighbours:
        if rules.setdefault(family_of(puzzle), puzzle.rules()) != puzzle.rules():
            yield (
                "the rules differ between two instances: what differs belongs in `text`, or if the "
                "rules are drawn with the instance, say `drawn_rules = True`"
            )
            return


def rules_hold_for_siblings(case: Case) -> Iterator[str]:
    """Siblings must have the same rules, because they are shown as worked examples."""
    for start, positions in zip(case.starts, case.matches, strict=True):
        others = list[Puzzle]()
        for seed in range(SIBLINGS):
            with suppress(ValueError):  # the task cannot be made from this instance
                others.append(start.sibling(Random(seed), **case.arguments))
        for language in start.languages:
            rules = start.rules(language)
            if not rules.strip():
                yield "`rules` are empty"
            if any(other.rules(language) != rules for other in others):
                yield (
                    "`rules` differ between an instance and its siblings: what belongs to an "
                    "instance belongs in `text` (the default `how` names the bounds of `notation`; "
                    "word your own if they depend on the instance)"
                )
            if any(position.rules(language) != rules for position in positions):
                yield "`rules` change during a match: what belongs to a position belongs in `text`"
    if len({case.starts[0].rules(language) for language in case.starts[0].languages}) < len(
        case.starts[0].languages
    ):
        yield "two languages have the same rules"


def positions_have_words(case: Case) -> Iterator[str]:
    for position in case.positions():
        for seat in range(position.seats):
            seen = position.seen_by(seat)
            for language in case.starts[0].languages:
                if not seen.text(seat, language).strip():
                    yield f"`text` of seat {seat} is empty"


def words_leave_nothing_out(case: Case) -> Iterator[str]:
    """Positions with equal texts must have equal options, or equal solutions."""
    first: dict[tuple[Seat, str], Game] = {}
    rng = Random(case.name)  # one for all pairs, so that each is played on in another way
    for position in [*map(as_game, case.neighbours), *case.positions()]:
        for seat in position.options().keys() - {CHANCE}:
            seen = position.seen_by(seat)
            other = first.setdefault((seat, seen.rules() + seen.text(seat)), position)
            if other.seen_by(seat) != seen and (difference := _difference(other, position, rng)):
                yield (
                    f"`text` of seat {seat} leaves out what matters: two positions with the same "
                    f"text have different {difference}"
                )


def no_value_is_missing(case: Case) -> Iterator[str]:
    """`None` in a text is the sign of a missing value; a puzzle that means the word quotes it."""
    written = (
        shown
        for position in case.positions()
        for seat in range(position.seats)
        for language in position.languages
        for shown in written_texts(position.seen_by(seat), seat, language)
    )
    drawn = (shown for *_, scene in case.drawings for shown in drawn_texts(scene))
    for what, text in (*written, *drawn):
        if found := NONE.search(text):
            near = text[max(0, found.start() - 30) : found.end() + 30]
            yield f"{what} says None where a value is missing: {near!r}"


def _difference(one: Game, other: Game, rng: Random) -> str:
    """Return how two positions differ for the seats that act, now or some moves later; ""
    if equal.
    """
    if isinstance(asked := inner_of(one), Question) and isinstance(
        again := inner_of(other), Question
    ):
        solution = asked.seen_by(0).solution()
        here, there = asked.check(solution), again.check(solution)
        return "" if (here.score, here.value) == (there.score, there.value) else "solutions"
    for _ in range(1 if hides(one) else PLAYED_ON):
        options = one.options()
        if _listed(options) != _listed(other.options()):
            return "options"
        if not options:
            return "" if one.scores() == other.scores() else "scores"
        seat = min(options)
        if seat == CHANCE:
            return ""
        move = pick(one, seat, rng)
        one, other = one.after(seat, move), other.after(seat, move)
    return ""


def _listed(options: Options) -> Mapping[Seat, object]:
    return {
        seat: moves if moves is None else set(moves) if len(moves) <= COMPARED else len(moves)
        for seat, moves in options.items()
    }


def pictures_are_sound(case: Case) -> Iterator[str]:
    for _, seat, _, scene in case.drawings:
        if complaint := _unsound(scene):
            yield f"the scene of seat {seat} has {complaint}"


def legends_explain_the_colours(case: Case) -> Iterator[str]:
    """A player who sees the picture alone must be told what its colours mean."""
    for seen, seat, language, scene in case.drawings:
        legend = seen.legend(seat, language)
        for colour in meaningful_colours(scene):
            if not legend.get(colour, "").strip():
                yield (
                    f"the scene of seat {seat} uses {colour!r}, but `legend` does not say "
                    f"what it means"
                )
        if unknown := legend.keys() - set(COLOURS):
            yield f"`legend` explains the unknown colour {min(unknown)!r}"


def positions_alone_decide_what_is_shown(case: Case) -> Iterator[str]:
    languages = case.starts[0].languages
    for position in case.positions()[::4][:6]:
        for seat in range(position.seats):
            once, again, moved = twice(partial(_shown, position.seen_by(seat), seat, languages))
            for what, shown in once.items():
                if shown != again[what]:
                    yield f"`{what}` of one position differs when asked twice"
            if moved:
                yield (
                    "`rules`, `text`, `scene` or `legend` uses the global random: what is shown "
                    "may not depend on luck"
                )


def _shown(seen: Game, seat: Seat, languages: Sequence[Language]) -> Mapping[str, object]:
    return {
        "rules": [seen.rules(language) for language in languages],
        "text": [seen.text(seat, language) for language in languages],
        "scene": [seen.scene(seat, language) for language in languages],
        "legend": [seen.legend(seat, language) for language in languages],
    }


def _unsound(scene: Scene) -> str:
    if not (scene.width > 0 and scene.height > 0 and isfinite(scene.width + scene.height)):
        return "no size"
    for shape in scene.shapes:
        for colour in (shape.colour, getattr(shape, "fill", shape.colour)):
            if colour not in COLOURS:
                return f"the unknown colour {colour!r}; choose one of {', '.join(COLOURS)}"
        for x, y in _corners(shape):
            inside = (
                -OUTSIDE <= x <= scene.width + OUTSIDE and -OUTSIDE <= y <= scene.height + OUTSIDE
            )
            if not inside:
                return f"a shape outside its edges: {shape}"
    return ""


def _corners(shape: Box | Disc | Line | Label) -> list[tuple[float, float]]:
    match shape:
        case Box(x, y, width, height):
            return [(x, y), (x + width, y + height)]
        case Disc(x, y, radius):
            return [(x - radius, y - radius), (x + radius, y + radius)]
        case Line(points):
            return list(points)
        case Label(x, y, text, size):
            wide = NARROW * size * len(text)
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[shape.anchor]
            return [(left, y), (left + wide, y)]
