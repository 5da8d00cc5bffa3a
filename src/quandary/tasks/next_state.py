"""State transition, after FineReason: take the next step of a search.

The strict rule applies: from a solvable position, one move to a solvable child that was not shown;
from a dead end, back to its parent.  Every label shown is proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import Annotated, Literal, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Form,
    Game,
    HiddenInformation,
    Implied,
    Language,
    Move,
    Seat,
    Secret,
    StateTasks,
    TranslatedAnswers,
    Verdict,
)
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.whole_answers import moves_in
from quandary.core.words import Say

from .delegation import LONGEST, Fits, anything
from .search_tree import Pair, children, refusal
from .state_task import Label, StateTask, titled

FAR = 2_000  # how many positions two moves ahead are compared with an answer


@dataclass(frozen=True)
class NextState(HiddenInformation, TranslatedAnswers, StateTask):
    """Take one step of the search: on from a solvable position, back from a dead end."""

    start: StateTasks
    before_parent: StateTasks | None
    parent: StateTasks
    position: StateTasks
    tried: StateTasks | None
    status: bool  # whether `position` is solvable; it is shown, so it is not a secret
    depth: Secret[int | None] = None  # moves from the start

    version = 2
    task = "next"
    refusal = staticmethod(refusal)

    @classmethod
    def on(cls, pair: Pair, position: StateTasks, tried: StateTasks | None) -> NextState:
        path, status = pair.path, position is pair.solvable
        before = path[-2] if len(path) > 1 else None
        return cls(path[0], before, path[-1], position, tried, status, len(path))

    @classmethod
    def drawn(
        cls,
        rng: Random,
        start: Game,
        fits: Fits = anything,
        is_alike: bool = True,
        *,
        label: Label = "either",
        depth: Annotated[Range, Between(1)] | None = None,
        shown: Literal["none", "child", "either"] = "either",
    ) -> Iterator[Self]:
        """Yield tasks on one instance; a dead child of the position is `shown` if there is one."""
        for task in super().drawn(rng, start, fits, is_alike, label=label, depth=depth):
            if shown == "none":
                yield replace(task, tried=None)
            elif task.tried is not None or shown == "either":
                yield task

    def possible_position(self, rng: Random) -> NextState:
        return self

    @property
    def form(self) -> Form:
        return "block"

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        asked = say(
            "The positions below come from a search for a solution. The words in brackets in their "
            "titles are correct. Take the next step of that search.\n"
            "If the current position is solvable, make exactly one legal move, to a position that "
            "can still be solved.\n"
            "If the current position is unsolvable, go back: answer with the position one move "
            "earlier. Going back is a step of the search, not a move of the game.\n"
            "Positions listed as tried are one move after the current position and are known to be "
            "unsolvable; there may be other moves.\n"
            "Answer with the resulting position alone, written exactly as the current position is "
            "written below, without its title."
        )
        return self.asked_after_rules(asked, language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        shown = [(say("The puzzle at the start:"), self.start.text(seat, language))]
        if self.before_parent is not None:
            label = _label(say, self.before_parent)
            title = say("Two moves earlier ({label}):", label=label)
            shown.append((title, self.before_parent.shown_state(language)))
        title = say("One move earlier ({label}):", label=_label(say, self.parent))
        shown.append((title, self.parent.shown_state(language)))
        title = say("Current position ({label}):", label=_label(say, self.position))
        shown.append((title, self.position.shown_state(language)))
        if self.tried is not None:
            title = say("Tried from the current position, found unsolvable:")
            shown.append((title, self.tried.shown_state(language)))
        return titled(shown)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say = self.say(language)
        if len(answer) > LONGEST:
            return Verdict(0.0, "unreadable", say("The answer is too long to be read."))
        try:
            proposed = self.position.restate(answer)
        except Unreadable as refused:
            why = refusal_text(self.position, refused, language)
            return Verdict(0.0, "unreadable", say("No position can be read: {reason}", reason=why))
        kind = self._fault(proposed)
        if not kind:
            return Verdict(1.0)
        reason = self._why_no_move(answer, proposed, language) if kind == "invalid_move" else ""
        return Verdict(0.0, kind, _feedback(say, kind, reason))

    def _fault(self, proposed: StateTasks) -> str:
        """Return what is wrong with a step; "" if it is right.  Positions are compared as
        written.
        """
        answer = proposed.state()
        if not self.status:
            if answer == self.parent.state():
                return ""
            is_sibling = answer != self.position.state() and self.parent.move_to(proposed)
            return "sibling" if is_sibling else "not_parent"
        if answer == self.position.state():
            return "no_move"
        if self.tried is not None and answer == self.tried.state():
            return "known_dead_end"
        if move := self.position.move_to(proposed):
            return "" if self.position.solvable_after(move) else "dead_end"
        return "several_moves" if self._is_far_ahead(proposed) else "invalid_move"

    def _is_far_ahead(self, proposed: StateTasks) -> bool:
        """Return whether several legal moves lead to a position; two, where the puzzle
        cannot tell.
        """
        leads_there = self.position.leads_to(proposed)
        if leads_there is not None:
            return leads_there
        ahead = chain.from_iterable(map(children, children(self.position)))
        return proposed.state() in (one.state() for one in islice(ahead, FAR))

    def _why_no_move(self, answer: str, proposed: StateTasks, language: Language) -> str:
        """Return why no legal move leads to a position; "" if moves do not follow from it."""
        say = self.say(language)
        if proposed.state() == self.parent.state():
            return say("The current position is solvable, so do not go back.")
        try:
            moves = moves_in(self.position, answer)
        except Unreadable:
            return ""
        position: Game = self.position
        for move in moves if isinstance(moves, Implied) else ():
            legal = position.options().get(0)
            if legal is None:
                return ""
            if move not in legal:
                return position.why_illegal(0, move, language)
            position = position.after(0, move)
        return ""

    def solution(self) -> str:
        if not self.status:
            return self.parent.state()
        moves = self.position.options()[0] or ()
        return self.position.after(0, next(filter(self.position.solvable_after, moves))).state()

    def translated(self, answer: Move, language: Language) -> str:
        try:
            return self.position.restate(answer).shown_state(language)
        except Unreadable:
            return answer

    def sample(self, rng: Random) -> str:
        return rng.choice([self.parent, *children(self.position)]).state()


def _label(say: Say, position: StateTasks) -> str:
    return say("solvable") if position.solvable() else say("unsolvable")


def _feedback(say: Say, kind: str, reason: str) -> str:
    """Return what is wrong with a step, in a sentence, and why, where that is known."""
    if reason:
        return say("No single legal move leads there. {reason}", reason=reason)
    return {
        "no_move": say("That is the current position; make one legal move."),
        "not_parent": say(
            "The current position is unsolvable: go back to the position one move earlier."
        ),
        "sibling": say(
            "That is another move from the position one move earlier; go back to that position "
            "first."
        ),
        "several_moves": say("That is more than one move after the current position."),
        "invalid_move": say("No single legal move leads there."),
        "known_dead_end": say("That position is listed as tried; it is unsolvable."),
        "dead_end": say("That position is unsolvable."),
    }[kind]
