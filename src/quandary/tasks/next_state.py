"""State transition, after FineReason: take the next step of a search.

The strict rule applies: from a solvable position, one move to a solvable child that was not shown;
from a dead end, back to its parent.  Every label shown is proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from quandary.core.contract import Form, Game, Language, Seat, Verdict, solved
from quandary.core.errors import Unreadable
from quandary.core.words import Say

from .search_tree import children, refusal, tried_child
from .state_task import StateTask


@dataclass(frozen=True)
class NextState(StateTask):
    """Take one step of the search: on from a solvable position, back from a dead end."""

    start: Game
    before_parent: Game | None
    parent: Game
    position: Game
    tried: Game | None
    status: bool  # whether `position` is solvable; it is shown, so it is not a secret

    task = "next"
    refusal = staticmethod(refusal)

    @classmethod
    def on(cls, path: Sequence[Game], is_solvable: bool) -> NextState:
        before = path[-3] if len(path) > 2 else None
        return cls(path[0], before, path[-2], path[-1], tried_child(path[-1]), is_solvable)

    @property
    def form(self) -> Form:
        return "block"

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        asked = say(
            "The positions below come from a search for a solution. "
            "Take the next step of that search.\n"
            "If the current position is solvable, make exactly one move, to a position that can "
            "still be solved and is not the one tried already.\n"
            "If the current position is unsolvable, go back: answer with the position just before "
            "it.\n"
            "Answer with the resulting position alone, written exactly as the positions are "
            "written here."
        )
        return self.asked_after_rules(asked, language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        shown = [(say("The puzzle:"), self.start)]
        if self.before_parent is not None:
            label = _label(say, self.before_parent)
            shown.append((say("Two steps ago ({label}):", label=label), self.before_parent))
        shown.append((say("One step ago ({label}):", label=_label(say, self.parent)), self.parent))
        shown.append(
            (say("Current position ({label}):", label=_label(say, self.position)), self.position)
        )
        if self.tried is not None:
            shown.append((say("Tried from the current position, found unsolvable:"), self.tried))
        return "\n\n".join(f"{title}\n{position.state()}" for title, position in shown)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say = self.say(language)
        try:
            said = self.position.restate(answer)
        except Unreadable as reason:
            told = self.position.refusal(reason, language)
            return Verdict(0.0, "unreadable", say("No position can be read: {reason}", reason=told))
        kind = self._fault(said)
        return Verdict(0.0, kind, _told(say, kind)) if kind else Verdict(1.0)

    def _fault(self, said: Game) -> str:
        if not self.status:
            if said == self.parent:
                return ""
            is_sibling = said in children(self.parent) and said != self.position
            return "sibling" if is_sibling else "not_parent"
        if said == self.position:
            return "no_move"
        if said == self.tried:
            return "known_dead_end"
        near = children(self.position)
        if said in near:
            return "" if solved(said) or said.solvable() else "dead_end"
        return "several_moves" if any(said in children(child) for child in near) else "invalid_move"

    def solution(self) -> str:
        if not self.status:
            return self.parent.state()
        return next(
            child for child in children(self.position) if solved(child) or child.solvable()
        ).state()

    def sample(self, rng: Random) -> str:
        return rng.choice([self.parent, *children(self.position)]).state()


def _label(say: Say, position: Game) -> str:
    return say("solvable") if position.solvable() else say("unsolvable")


def _told(say: Say, kind: str) -> str:
    """What is wrong with a step, in a sentence."""
    return {
        "no_move": say("That is the current position; a step must change it."),
        "not_parent": say(
            "The current position is a dead end: go back to the position just before it."
        ),
        "sibling": say("That is another move from the position before; going back comes first."),
        "several_moves": say("That is more than one move away."),
        "invalid_move": say("No single move leads there."),
        "known_dead_end": say("That position was tried already and cannot be solved."),
        "dead_end": say("From that position the puzzle can no longer be solved."),
    }[kind]
