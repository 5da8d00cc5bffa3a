"""Self-reasoning: single-choice questions about their own answers.

From LogicGame, with its sizes.  An option that names a question with some answer is true if that
question has it, whether or not others have it too: the published items need this reading.  Exactly
one choice of letters makes all chosen options true, and no question can be spared.  Family b
asks for no process, as in the paper; family a asks for the answer again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Self

from quandary.algorithms.entailment import Candidates, is_one
from quandary.core.boards import TEXT_WIDTH, captions, cards, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import (
    LETTERS,
    NO,
    NONE,
    YES,
    Asked,
    Sheet,
    answers_of,
    drawn_questions,
    offered,
    true_choices,
)

KINDS = {
    "a": ("count", "first", "before", "after", "answer", "repeated", "apart"),
    "b": ("count", "as_many", "answer"),
}
YES_OR_NO = ("is", "alike")
# The kinds that take more than one question to be asked, and how many.
LEAST = {"answer": 2, "apart": 2, "as_many": 2, "before": 3, "after": 3, "repeated": 3}
DIFFERING = 5  # questions from which on one may ask for the difference of two numbers
MOST = 3  # questions of a kind
LARGEST = 100_000  # ways to answer the questions of a drawn instance


@dataclass(frozen=True)
class SelfReasoning(Worked):
    questions: Annotated[tuple[Asked, ...], Doc("the questions, each with its options")]

    families = {
        "a": "questions about counts, places and letters of answers",
        "b": "questions about answers that are equal, and about differences",
    }
    sizes = {
        "a": grown(questions=(1, 3, 4, 8), options=(2, 4, 5, 4)),
        "b": grown(questions=(2, 3, 5, 7), options=(2, 4, 5, 4)),
    }
    without_process = {"a": (0,), "b": range(4)}
    distinct_instances = {
        "0": InstanceCount(90, "one or two questions with two options each", "at least"),
        "0,family=a": InstanceCount(4, "one question with two options", published=1),
        "0,family=b": InstanceCount(80, "two questions with two options each", "at least"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        questions: Annotated[int, Between(1, 8)],
        options: Annotated[int, Between(2, 6)],
    ) -> Self | None:
        if options**questions > LARGEST:
            raise ValueError(
                f"{questions} questions with {options} options each have too many answers; at most "
                f"{LARGEST:,} are possible"
            )
        kinds = _drawn_kinds(rng, family, questions, options)
        counts = [2 if kind in YES_OR_NO else options for kind in kinds]
        asked = drawn_questions(rng, kinds, counts)
        if asked is None or len(set(asked)) < questions:
            return None
        return cls(family, level, asked)

    def is_unique(self) -> bool:
        """Return whether one choice of letters makes all chosen options true."""
        return is_one(self._left())

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.questions))

    def work(self, without: Hashable = None) -> Work:
        return Work.repeated(list(self._answers.agreed(self._left(without))))

    def _left(self, without: Hashable = None) -> int:
        """Return the answers that make all chosen options true."""
        sets = [one for place, one in enumerate(self._true) if place != without]
        return self._answers.left_after([offered(self._counts), *sets])[-1]

    @cached_property
    def _true(self) -> list[int]:
        return [true_choices(self.questions, place) for place in range(len(self.questions))]

    @property
    def _counts(self) -> tuple[int, ...]:
        return tuple(len(one.options) for one in self.questions)

    @property
    def _answers(self) -> Candidates[str]:
        return answers_of(Sheet.of(self._counts))

    def explain(self, say: Say) -> str:
        common = say(
            "These are single-choice questions about their own answers. The answer to a question "
            "is the letter of one of its options. Find the answers to all questions such that "
            "every chosen option is true; exactly one choice of letters does that. Questions are "
            "numbered from 1, in the order in which they stand. Where questions are counted, the "
            "one that asks counts too."
        )
        if self.family == "a":
            return say.lines(
                common,
                say(
                    "Some questions ask which question before or after another one has a certain "
                    "answer. An option with a number is true if the question with that number is "
                    "there and has that answer, even if other questions there have it too. The "
                    "option none is true if no question there has it. For the first question with "
                    "a certain answer, none is true if no question has it. Distances between "
                    "letters are counted in the alphabet: A and B are 1 place apart, equal letters "
                    "0. A letter is repeated if it is the answer to more than one question."
                ),
            )
        return say.lines(
            common,
            say(
                "Two answers are the same if they are the same letter, whatever the options say. "
                "The number that answers a question is the number in its chosen option. How much "
                "one number is greater than another is the first minus the second; if that is "
                "negative, no option is true."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say("the list of the answers to all questions, in order, as capital letters."),
            say('the same list as in "answer".'),
            Work.repeated(["B", "A", "D"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        lines = list[str]()
        for number, asked in enumerate(self.questions, start=1):
            lines.append(f"{number}. {_question(say, asked)}")
            for letter, option in zip(LETTERS, asked.options, strict=False):
                lines.append(f"{letter}. {_option(say, option)}")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return each question, with its options in cells below it."""
        say = self.say(language)
        return stack(
            *(
                stack(
                    captions(f"{number}. {_question(say, asked)}", width=TEXT_WIDTH, indent="   "),
                    cards(
                        [
                            f"{letter}. {_option(say, option)}"
                            for letter, option in zip(LETTERS, asked.options, strict=False)
                        ],
                        columns=4,
                        size=(TEXT_WIDTH / 4, 1.0),
                    ),
                    gap=0.2,
                )
                for number, asked in enumerate(self.questions, start=1)
            )
        )

    def canonical(self) -> Hashable:
        return self.family, self.asks_process, self.questions


def _drawn_kinds(rng: Random, family: str, questions: int, options: int) -> list[str]:
    pool = [kind for kind in KINDS[family] if LEAST.get(kind, 1) <= questions]
    if family == "a":
        if questions > options:
            pool.remove("repeated")  # several letters would be
        return rng.sample(pool * MOST, k=questions)
    kinds = rng.choices(YES_OR_NO, k=questions // 2)
    if questions >= DIFFERING and rng.random() < 0.5:
        kinds += ["more", *rng.choices(("count", "as_many"), k=2)]  # two numbers to compare
    kinds += rng.sample(pool * MOST, k=questions - len(kinds))
    return rng.sample(kinds, k=questions)


def _question(say: Say, asked: Asked) -> str:
    named = {"one": asked.one + 1, "two": asked.two + 1, "letter": asked.letter}
    return {
        "count": say("How many questions have the answer {letter}?", **named),
        "first": say("Which is the first question with the answer {letter}?", **named),
        "before": say("Which question before question {one} has the answer {letter}?", **named),
        "after": say("Which question after question {one} has the answer {letter}?", **named),
        "answer": say("What is the answer to question {one}?", **named),
        "repeated": say("Which is the only letter that is repeated among the answers?"),
        "apart": say(
            "How many places are the answer to this question and the answer to question {one} "
            "apart?",
            **named,
        ),
        "as_many": say(
            "How many questions other than question {one} have the same answer as question {one}?",
            **named,
        ),
        "more": say(
            "By how much is the number that answers question {one} greater than the number that "
            "answers question {two}?",
            **named,
        ),
        "is": say("Is {letter} the answer to question {one}?", **named),
        "alike": say("Do questions {one} and {two} have the same answer?", **named),
    }[asked.about]


def _option(say: Say, option: str) -> str:
    if option == NONE:
        return say("none")
    if option in (YES, NO):
        return say("yes") if option == YES else say("no")
    return option
