"""State checking, after FineReason: can this position still be solved?  Every label is proven."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quandary.core.answers import Text
from quandary.core.contract import (
    AskedOnce,
    Form,
    HiddenInformation,
    Language,
    Move,
    Puzzle,
    Seat,
    Secret,
    StateTasks,
    TranslatedAnswers,
    Verdict,
)

from .label_reading import LONGEST, read_label
from .search_tree import Pair, refusal
from .state_task import StateTask, titled

LABELS = ("solvable", "unsolvable")
UNKNOWN_LABEL = "unknown_label"  # the kind of error of an answer that is neither label
LABELS_READ_OTHERWISE = 1  # how often the reading of sentences with a label changed


@dataclass(frozen=True)
class StateCheck(HiddenInformation, AskedOnce, TranslatedAnswers, StateTask):
    """Can this position still be solved?"""

    start: StateTasks
    position: StateTasks
    tried: StateTasks | None  # a child already explored, unsolvable whatever the label
    answer: Secret[bool]
    depth: Secret[int | None] = None  # moves from the start

    version = 2
    task = "check"
    refusal = staticmethod(refusal)

    @classmethod
    def version_increment(cls, inner: type[Puzzle]) -> int:
        return super().version_increment(inner) + LABELS_READ_OTHERWISE

    @classmethod
    def on(cls, pair: Pair, position: StateTasks, tried: StateTasks | None) -> StateCheck:
        return cls(pair.path[0], position, tried, position is pair.solvable, len(pair.path))

    def possible_position(self, rng: Random) -> StateCheck:
        return StateCheck(self.start, self.position, self.tried, self.position.solvable())

    @property
    def form(self) -> Form:
        return "line"

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        asked = say(
            "Judge the current position below: can the puzzle still be solved from there? It is "
            "solvable if some series of legal moves leads from it to a win. Otherwise it is "
            "unsolvable, even if there are still legal moves.\n"
            "Positions listed as tried are one move after the current position and are known to be "
            "unsolvable; there may be other moves.\n"
            "Answer with one word: solvable or unsolvable."
        )
        return self.asked_after_rules(asked, language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        shown = [
            (say("The puzzle at the start:"), self.start.text(seat, language)),
            (say("Current position:"), self.position.shown_state(language)),
        ]
        if self.tried is not None:
            title = say("Tried from the current position, found unsolvable:")
            shown.append((title, self.tried.shown_state(language)))
        return titled(shown)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say = self.say(language)
        label = self._label(answer.casefold()) if len(answer) <= LONGEST else None
        if label is None:
            return Verdict(0.0, UNKNOWN_LABEL, say("Answer with one word: solvable or unsolvable."))
        truth = self.position.solvable()
        if label == truth:
            return Verdict(1.0)
        wrong = say("The position is solvable.") if truth else say("The position is unsolvable.")
        return Verdict(0.0, "wrong_label", wrong)

    def _label(self, answer: str) -> bool | None:
        """Return what an answer says: the word of any language, or a sentence in those
        known here.
        """
        words = {"solvable": True, "unsolvable": False}
        own = {
            self.translated(word, language).casefold(): is_solvable
            for language in self.languages
            for word, is_solvable in words.items()
        }
        plain = answer.strip(" \t\r\n.`*'\"")
        return own[plain] if plain in own else read_label(answer)

    def answer_shape(self) -> Text:
        return Text(choices=LABELS)

    def solution(self) -> str:
        return "solvable" if self.position.solvable() else "unsolvable"

    def translated(self, answer: Move, language: Language) -> str:
        say = self.say(language)
        return {"solvable": say("solvable"), "unsolvable": say("unsolvable")}.get(answer, answer)

    def sample(self, rng: Random) -> str:
        return rng.choice(LABELS)
