"""Single-choice questions about their own answers: which answers make all chosen options true, and
questions drawn at random that some answers make true.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import accumulate, product
from operator import and_
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from quandary.algorithms.entailment import Candidates, any_of, exactly, is_one
from quandary.core.descriptions import Doc

Answers: TypeAlias = tuple[str, ...]
LETTERS = "ABCDEF"
NONE, YES, NO = "none", "yes", "no"
LETTERED = ("count", "first", "before", "after", "is")  # kinds that ask about a letter
NAMING = ("before", "after", "answer", "apart", "as_many", "more", "is", "alike")  # or a question
REPLACED = 80  # questions that are replaced before a draw is given up


class Asked(NamedTuple):
    """One question; `one` and `two` count questions from 0, but options number them from 1."""

    about: Annotated[
        str,
        Doc(
            "what is asked. count: how many questions have the answer `letter`; first: which "
            "question is the first with that answer; before, after: which question before, or "
            "after, question `one` has that answer (there may be several); answer: what the "
            "answer to question `one` is; repeated: which letter alone is the answer to "
            "more than one question; apart: by how many places in the alphabet the answers to "
            "this question and to question `one` differ; as_many: how many other "
            "questions have the same answer as question `one`; more: by how much the number in "
            "the chosen option of question `one` is greater than that of question `two`; "
            "is: whether `letter` is the answer to question `one`; alike: whether questions `one` "
            "and `two` have the same answer"
        ),
    ]
    options: Annotated[
        tuple[str, ...],
        Doc(
            "what the options A, B and so on say: a number, for first, before and after that of a "
            "question from 1, or none; for answer and repeated a letter; for is and alike yes or no"
        ),
    ]
    letter: Annotated[str, Doc('the letter that is asked about; "" if there is none')] = ""
    one: Annotated[
        int, Doc("the question that is asked about, counted from 0; -1 if there is none")
    ] = -1
    two: Annotated[
        int, Doc("the other question that is asked about, counted from 0; -1 if there is none")
    ] = -1


class Sheet(NamedTuple):
    """How many questions there are, and how many options the question with most has."""

    questions: int
    options: int

    @classmethod
    def of(cls, counts: Sequence[int]) -> Sheet:
        return cls(len(counts), max(counts))


@lru_cache(maxsize=16)
def answers_of(sheet: Sheet) -> Candidates[str]:
    """Return all ways to answer, as if all questions had equally many options: so the sets of
    answers that options make true are the same ones whichever questions have fewer.
    """
    return Candidates(product(LETTERS[: sheet.options], repeat=sheet.questions))


@lru_cache(maxsize=256)
def offered(counts: tuple[int, ...]) -> int:
    """Return the answers that questions with so many options can have."""
    answers = answers_of(Sheet.of(counts))
    choices = (
        any_of(answers.having(place, letter) for letter in LETTERS[:count])
        for place, count in enumerate(counts)
    )
    return reduce(and_, choices)


def true_choices(asked: Sequence[Asked], question: int) -> int:
    """Return the answers that make the chosen option of a question true."""
    sheet, own = Sheet.of([len(one.options) for one in asked]), asked[question]
    answers = answers_of(sheet)
    if own.about == "more":
        return _differing(answers, asked, question)
    bare = own._replace(options=())
    asking = question if own.about == "apart" else -1  # for others it is all the same who asks
    return any_of(
        answers.having(question, letter) & _true(sheet, bare, asking, option)
        for letter, option in zip(LETTERS, own.options, strict=False)
    )


def _differing(answers: Candidates[str], asked: Sequence[Asked], question: int) -> int:
    """For `more`, which needs the options of two questions."""
    _, options, _, one, two = asked[question]
    values = [list(zip(LETTERS, asked[place].options, strict=False)) for place in (one, two)]
    return any_of(
        answers.having(question, letter) & answers.having(one, a) & answers.having(two, b)
        for letter, option in zip(LETTERS, options, strict=False)
        for (a, more), (b, less) in product(*values)
        if int(more) - int(less) == int(option)
    )


@lru_cache(maxsize=1 << 12)
def _true(sheet: Sheet, asked: Asked, question: int, option: str) -> int:
    """Return the answers of which an option is true, whether or not it is chosen."""
    about, _, letter, one, two = asked
    answers, places = answers_of(sheet), range(sheet.questions)
    everything = answers.everything
    if about in ("first", "before", "after"):
        within = {"before": places[:one], "after": places[one + 1 :]}.get(about, places)
        having = {place: answers.having(place, letter) for place in within}
        if option == NONE:
            return everything & ~any_of(having.values())
        named = int(option) - 1
        earlier = any_of(having[place] for place in within if place < named)
        return having.get(named, 0) & ~(earlier if about == "first" else 0)
    if about in ("is", "alike"):
        same = answers.having(one, letter)
        if about == "alike":
            same = any_of(answers.having(one, x) & answers.having(two, x) for x in LETTERS)
        return same if option == YES else everything & ~same
    if about == "answer":
        return answers.having(one, option)
    if about == "repeated":
        others = [_repeated(answers, places, x) for x in LETTERS if x != option]
        return _repeated(answers, places, option) & ~any_of(others)
    number = int(option)
    if about == "count":
        return exactly(number, [answers.having(place, letter) for place in places], everything)
    if about == "as_many":
        others = [place for place in places if place != one]
        return any_of(
            answers.having(one, x)
            & exactly(number, [answers.having(place, x) for place in others], everything)
            for x in LETTERS
        )
    pairs = ((a, b) for a, b in product(LETTERS, LETTERS) if abs(ord(a) - ord(b)) == number)
    return any_of(answers.having(question, a) & answers.having(one, b) for a, b in pairs)


def _repeated(answers: Candidates[str], places: Sequence[int], letter: str) -> int:
    having = [answers.having(place, letter) for place in places]
    everything = answers.everything
    return everything & ~exactly(0, having, everything) & ~exactly(1, having, everything)


def drawn_questions(
    rng: Random, kinds: Sequence[str], counts: Sequence[int]
) -> tuple[Asked, ...] | None:
    """Questions of these kinds with so many options each, which one choice of letters makes true;
    none of them can be spared.

    The letters are drawn first, and each question is made so that they make one option true, the
    chosen one; then questions are replaced until no other letters do.  None where chance did not
    find any.
    """
    secret = tuple(rng.choice(LETTERS[:count]) for count in counts)
    places = range(len(kinds))
    asked: list[Asked | None] = [None] * len(kinds)
    for place in sorted(places, key=lambda place: kinds[place] == "more"):
        asked[place] = _drawn(rng, kinds[place], place, counts[place], secret, asked)
        if asked[place] is None:
            return None
    found = [one for one in asked if one is not None]
    sets = [true_choices(found, place) for place in places]
    possible = offered(tuple(counts))
    faults = _faults(sets, possible)
    for _ in range(REPLACED):
        if faults == (1, 0):
            break
        place = rng.choice(places)
        if any(place in (one.one, one.two) for one in found if one.about == "more"):
            continue  # its options are named there
        other = _drawn(rng, kinds[place], place, counts[place], secret, found)
        if other is None:
            continue
        fits = true_choices([*found[:place], other, *found[place + 1 :]], place)
        after = _faults([*sets[:place], fits, *sets[place + 1 :]], possible)
        if after <= faults:
            found[place], sets[place], faults = other, fits, after
    return tuple(found) if faults == (1, 0) else None


def _faults(sets: Sequence[int], possible: int) -> tuple[int, int]:
    """Return how many choices of letters fit all questions, and, if one does, how many of the
    questions could be spared.
    """
    before = list(accumulate(sets, and_, initial=possible))
    if not is_one(before[-1]):
        return before[-1].bit_count(), 0
    after = list(accumulate(reversed(sets), and_, initial=possible))[-2::-1]
    return 1, sum(is_one(one & other) for one, other in zip(before, after, strict=False))


def _drawn(
    rng: Random,
    about: str,
    question: int,
    count: int,
    secret: Answers,
    asked: Sequence[Asked | None],
) -> Asked | None:
    places = range(len(secret))
    others = [place for place in places if place != question] or [question]
    letter, one, two = rng.choice(LETTERS[: max(2, count)]), rng.choice(others), -1
    if about == "more":
        numeric = [place for place in others if (own := asked[place]) and own.options[0].isdigit()]
        if len(numeric) < 2:
            return None
        one, two = rng.sample(numeric, 2)
        values = [_chosen(asked[place], secret[place]) for place in (one, two)]
        if values[0] < values[1]:
            one, two = two, one
    elif about == "alike":
        one, two = sorted(rng.sample(places, 2))
    elif about in ("before", "after"):
        one = rng.choice(places[2:] if about == "before" else places[:-2])
    letter, one = letter if about in LETTERED else "", one if about in NAMING else -1
    bare = Asked(about, (), letter, one, two)
    true = _true_options(bare, question, secret, asked)
    if about in ("is", "alike"):
        options = [YES, NO] if (true == {YES}) == (secret[question] == "A") else [NO, YES]
        return bare._replace(options=tuple(options))
    false = [option for option in _domain(about, len(secret), count) if option not in true]
    if not true or len(false) < count - 1:
        return None
    options = rng.sample(false, count - 1)
    options.insert(LETTERS.index(secret[question]), rng.choice(sorted(true)))
    return bare._replace(options=tuple(options))


def _chosen(asked: Asked | None, letter: str) -> int:
    return int(asked.options[LETTERS.index(letter)]) if asked else 0


def _domain(about: str, questions: int, options: int) -> list[str]:
    """Return what options can say."""
    if about in ("answer", "repeated"):
        return list(LETTERS[:options])
    if about in ("first", "before", "after"):
        return [*(str(number) for number in range(1, questions + 1)), NONE]
    return [str(number) for number in range(max(questions + 1, options + 1))]


def _true_options(
    asked: Asked, question: int, secret: Answers, others: Sequence[Asked | None]
) -> set[str]:
    """Return what is true of given answers; of `before` and `after` there may be several."""
    about, _, letter, one, two = asked
    holders = [place for place, own in enumerate(secret) if own == letter]
    if about == "first":
        return {str(holders[0] + 1)} if holders else {NONE}
    if about in ("before", "after"):
        within = [place for place in holders if (place < one if about == "before" else place > one)]
        return {str(place + 1) for place in within} or {NONE}
    if about == "repeated":
        repeated = {own for own in secret if secret.count(own) > 1}
        return repeated if len(repeated) == 1 else set()
    if about == "more":
        return {str(_chosen(others[one], secret[one]) - _chosen(others[two], secret[two]))}
    return {
        {
            "count": lambda: str(len(holders)),
            "answer": lambda: secret[one],
            "apart": lambda: str(abs(ord(secret[question]) - ord(secret[one]))),
            "as_many": lambda: str(secret.count(secret[one]) - 1),
            "is": lambda: YES if secret[one] == letter else NO,
            "alike": lambda: YES if secret[one] == secret[two] else NO,
        }[about]()
    }
