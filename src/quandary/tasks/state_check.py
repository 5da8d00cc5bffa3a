"""State checking, after FineReason: can this position still be solved?  Every label is proven."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from quandary.core.contract import Form, Game, Language, Move, Seat, Secret, Verdict

from .delegation import LONGEST
from .search_tree import Pair, refusal
from .state_task import StateTask, titled

LABELS = {"solvable": True, "unsolvable": False}
# Chinese has no blanks between words: the longest of these come first.  Both labels are read in as
# many ways: a reader that knew more for one of them would favour it.
WORD = re.compile(
    r"""[a-z']+|可解性|能不能|可不可|有没有|有无|不一定|不见得|不是|未必|如果
    |(?P<unsolvable>(?:不可以|不可能|不可|不能够?|无法|没办?法)解(?![释析])|(?:没有?|无|不存在)解|解不出)
    |(?P<solvable>(?:可以|可|能够?|有办?法)解(?![释析])|(?:有|存在)解|解得出)
    |无法|[不非没未难错死否若吗]""",
    re.X,
)
DENIALS = {
    "not", "isn't", "wasn't", "un", "non", "neither", "never", "would", "能不能", "可不可",
    "有没有", "有无", "不是", "不一定", "不见得", "未必", "如果", "非", "否", "若", "吗",
}  # fmt: skip
# They deny "solvable" but explain "unsolvable": it cannot be solved, so it is unsolvable.
DOUBTS = {
    "no", "cannot", "can't", "couldn't", "won't", "doesn't", "unable", "hardly", "far", "doubt",
    "false", "wrong", "dead", "无法", "不", "没", "未", "难", "错", "死",
}  # fmt: skip
NOT_SOLVABLE = re.compile(
    r"\W*(?:(?:it|this|(?:the|this)\s+(?:current\s+)?(?:position|puzzle))\s+is\s+)?"
    r"not\s+solvable\W*"
)


@dataclass(frozen=True)
class StateCheck(StateTask):
    """Can this position still be solved?"""

    start: Game
    position: Game
    tried: Game | None  # a child already explored, unsolvable whatever the label
    answer: Secret[bool]
    depth: Secret[int | None] = None  # moves from the start

    version = 2
    task = "check"
    refusal = staticmethod(refusal)
    retry = False

    @classmethod
    def on(cls, pair: Pair, position: Game, tried: Game | None) -> StateCheck:
        return cls(pair.path[0], position, tried, position is pair.solvable, len(pair.path))

    def world(self, rng: Random) -> StateCheck:
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
            return Verdict(
                0.0, "unknown_label", say("Answer with one word: solvable or unsolvable.")
            )
        truth = self.position.solvable()
        if label == truth:
            return Verdict(1.0)
        wrong = say("The position is solvable.") if truth else say("The position is unsolvable.")
        return Verdict(0.0, "wrong_label", wrong)

    def _label(self, answer: str) -> bool | None:
        """What an answer says: the word of any language, or a sentence in those known here."""
        words = {"solvable": True, "unsolvable": False}
        own = {
            self.translated(word, language).casefold(): is_solvable
            for language in self.languages
            for word, is_solvable in words.items()
        }
        plain = answer.strip(" \t\r\n.`*'\"")
        return own[plain] if plain in own else _label(answer)

    def solution(self) -> str:
        return "solvable" if self.position.solvable() else "unsolvable"

    def translated(self, answer: Move, language: Language) -> str:
        say = self.say(language)
        return {"solvable": say("solvable"), "unsolvable": say("unsolvable")}.get(answer, answer)

    def sample(self, rng: Random) -> str:
        return rng.choice(["solvable", "unsolvable"])


def _label(answer: str) -> bool | None:
    """What an answer says, in one word or among words without a negation; None if unclear."""
    if NOT_SOLVABLE.fullmatch(answer):
        return False
    words = {word.lastgroup or word[0] for word in WORD.finditer(answer.replace("’", "'"))}
    said = {LABELS[word] for word in words & LABELS.keys()}
    denials = DENIALS | DOUBTS if True in said else DENIALS
    is_plain = len(said) == 1 and not words & denials and not any(map(str.isdigit, answer))
    return said.pop() if is_plain else None
