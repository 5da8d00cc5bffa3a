"""Published items of cryptanalysis (密码破译).

Families a and b have the same locks of two and three digits; these are read as family a, unless
their place among the items tells that they are of family b (`families.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from operator import contains

from quandary.algorithms.entailment import is_one
from quandary.papers.logicgame.prompts import HOW_TO_ANSWER, NotRead, not_understood
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.cryptanalysis import KINDS, LOCK, Cryptanalysis
from quandary.puzzles.questions.planning.cryptanalysis.solver.codes import (
    Clue,
    Code,
    Kind,
    Said,
    codes_of,
    fitting,
    symbols,
)
from quandary.puzzles.questions.planning.cryptanalysis.words import NAMES

START = re.compile(r"(?<!\d)\d\. *(?=Guess|猜测|\d{3} ->)")  # of a clue
CLUE = re.compile(rf"{START.pattern}((?:(?!{START.pattern}).)*)", re.S)
GUESS = re.compile(
    r"(?:Guess(?:ed|ing)?(?: that)?|猜测)[:：为]? ?(?:(?:X|\*|⭐) ?(?:is|as|为) ?)?(.*?)"
    r"[,.，。;]? ?(?:(?:the )?feedback(?: is| indicates that)?|结果反馈|反馈)[:：]? ?(.*)",
    re.IGNORECASE,
)
PLAIN_GUESS = re.compile(r"(?:Guessed ⭐ as |猜测⭐为)?(\w{2,3})(?: ->|[,，]) ?(.*)")
BETWEEN = "the letter is between the results of the two guesses|字母在两次猜测结果之间"
TRUE = re.compile(r"(?:the guess was )?correct|正确|猜对了", re.IGNORECASE)
FALSE = re.compile(r"(?:the guess was )?incorrect|wrong|猜错了", re.IGNORECASE)
KIND_LINES = {  # what tells which codes there are -> family and level
    r"X is a number between \[0,10\]|X为\[0,10\]": ("a", 0),
    r"\* is one of the 26 letters|\*为26个字母": ("b", 0),
    r"\[A, ?a, ?B, ?b, ?C, ?c, ?D, ?d, ?E, ?e\.\.\.Z, ?z\]": ("c", 0),
    r"L is a number in \[1,9\]|L是\[1,9\]": ("d", 0),
    r"consists of two digits|由两个数字构成": ("a", 1),
    r"consists of three digits|由三个数字构成": ("a", 2),
    r"two numbers and one letter|由两个数字和一个字母构成": ("a", 3),
    r"two numbers and two letters|由两个数字和两个字母构成": ("b", 3),
    r"a hexadecimal number between \[0A, 9F\]|⭐为\[0A,9F\]之间的十六进制数": ("c", 1),
    r"a hexadecimal number in the range|由一个范围在": ("c", 2),
    r"two hexadecimal numbers|由两个范围在": ("c", 3),
    r"L\. R is a number in \[1,9\]|L、R分别是\[1,9\]": ("d", 1),
    r"L, M, and R are each a number from \[0, 10\]|L、M、R分别是\[0,10\]": ("d", 2),
    r"l, L, r, and R are each a number between 0 and 10|l, L, r, R分别是\[0,10\]": ("d", 3),
}
LOCK_WORDS = {  # about, value, right, placed
    r"(only )?one digit is correct,? (and )?(it is )?in the correct position": ("digits", "", 1, 1),
    r"(only )?one digit is correct,? but (it is )?in the wrong position": ("digits", "", 1, 0),
    r"two digits are correct,? but both are in the wrong positions": ("digits", "", 2, 0),
    r"both digits are incorrect|none of the digits are correct": ("digits", "", 0, None),
    r"one digit is correct, (and )?the other digit is too large": ("digits", "<", 1, None),
    r"one digit is correct, (and )?the other digit is too small": ("digits", ">", 1, None),
    r"only one number is correct but in the wrong position": ("digits", "", 1, 0),
    r"only one number is correct and in the correct position": ("digits", "", 1, 1),
    r"both numbers are incorrect": ("digits", "", 0, None),
    r"both numbers are incorrect and too small": ("digits", ">", 0, None),
    r"the letter is incorrect": ("letters", "", 0, None),
    r"the letter is too early in the alphabet": ("letters", ">", 0, None),
    r"both letters are incorrect and too early in the alphabet": ("letters", ">", 0, None),
    r"only one letter is correct but in the wrong position": ("letters", "", 1, 0),
    r"both letters are correct but in the wrong positions": ("letters", "", 2, 0),
    r"both letters are correct but one is in the wrong position": ("letters", "", 2, 1),
    r"both letters are correct": ("letters", "", 2, None),
    r"(只有)?一个(号码|数字)正确，(而)?且位置也?正确": ("digits", "", 1, 1),
    r"(只有)?一个(号码|数字)正确，但是?位置(不正确|错误)": ("digits", "", 1, 0),
    r"两个号码正确，但是?位置都不正确": ("digits", "", 2, 0),
    r"两个(号码|数字)均(不正确|错误)|没有一个号码正确": ("digits", "", 0, None),
    r"一个号码正确，另一个号码太大了": ("digits", "<", 1, None),
    r"一个号码正确，另一个号码太小了": ("digits", ">", 1, None),
    r"数字均错误，太小了": ("digits", ">", 0, None),
    r"字母错误": ("letters", "", 0, None),
    r"字母太靠前了": ("letters", ">", 0, None),
    r"字母均错误，太靠前了": ("letters", ">", 0, None),
    r"只有一个字母正确，但位置错误": ("letters", "", 1, 0),
    r"两个字母均正确，但两个位置均错误": ("letters", "", 2, 0),
    r"两个字母均正确，但有一个位置错误": ("letters", "", 2, 1),
    r"两个字母均正确": ("letters", "", 2, None),
}
SMALL = r"(?:is |are )?(?:too )?(?:small|low)|过?小了?|偏小"
LARGE = r"(?:is |are )?(?:too )?(?:large|high)|过?大了?|偏大"
RIGHT = r"(?:is |are )?correct|正确|对了"


@reads(CLUE)
def read(prompt: str, level: int) -> Cryptanalysis:
    head, *lines = START.split(HOW_TO_ANSWER.split(prompt)[0])
    keys = [key for pattern, key in KIND_LINES.items() if re.search(pattern, head)]
    if len(keys) != 1 or keys[0][1] != level:
        raise not_understood(head.strip().splitlines()[-1])
    family = keys[0][0]
    kind = LOCK._replace(places="99ZZ") if keys == [("b", 3)] else KINDS[family][level]
    clues = list[Clue]()
    for line in lines:
        clues.append(_clue(" ".join(line.split()).rstrip("。.;； "), family, kind, clues))
    left = codes_of(kind).left_after(fitting(kind, clue) for clue in clues)[-1]
    if not is_one(left):
        raise NotRead(f"{left.bit_count()} codes fit all clues")
    return Cryptanalysis(family, level, kind, tuple(clues))


def _clue(line: str, family: str, kind: Kind, earlier: list[Clue]) -> Clue:
    match = GUESS.fullmatch(line) or PLAIN_GUESS.fullmatch(line)
    if match is None:
        raise not_understood(line)
    guess, feedback = match.groups()
    try:
        if family == "d":
            return _named(guess, feedback, kind)
        if len(kind.places) == 1:
            return Clue(_code([guess], kind), (_one_symbol(feedback, guess),))
        code = _code(guess, kind)
        if kind.mixed:
            return Clue(code, _lock(feedback, code, earlier))
        return Clue(code, _numbers(feedback, kind))
    except (LookupError, ValueError):
        raise not_understood(line) from None


def _code(guess: Sequence[str], kind: Kind) -> Code:
    """Return the symbols of a guess, if they can be a code, perhaps with repeated symbols."""
    orders = permutations(kind.places) if kind.mixed else [tuple(kind.places)]
    for order in orders:
        held = [symbols(last, kind.bounds) for last in order]
        if len(guess) == len(held) and all(map(contains, held, guess)):
            return tuple(guess)
    raise LookupError(guess)


def _one_symbol(feedback: str, guess: str) -> Said:
    if re.fullmatch(rf"{LARGE}|[*⭐] is before {guess}|[*⭐]比{guess}靠前", feedback):
        return Said("part", (0,), "<")
    if re.fullmatch(rf"{SMALL}|[*⭐] is after {guess}|[*⭐]比{guess}靠后", feedback):
        return Said("part", (0,), ">")
    raise LookupError(feedback)


def _lock(feedback: str, guess: Code, earlier: list[Clue]) -> tuple[Said, ...]:
    found = list[Said]()
    for piece in re.split("[;；] ?", feedback.lower()):
        if re.fullmatch("one number is incorrect|一个数字错误", piece):
            if found[-1].right != 1:
                raise LookupError(piece)  # the count has told something else
        elif re.fullmatch(r"one number is too (small|large)|一个数字太[小大]了", piece):
            sign = ">" if re.search("small|小", piece) else "<"
            found[-1] = found[-1]._replace(value=sign)
        elif re.fullmatch(BETWEEN, piece):
            both = (*earlier[-1].guess, *guess)
            found.append(Said("between", value="".join(x for x in both if x.isalpha())))
        else:
            fits = [key for words, key in LOCK_WORDS.items() if re.fullmatch(words, piece)]
            about, value, right, placed = fits[0]
            found.append(Said(about, (), value, right, placed))
    return tuple(found)


def _sign(words: str) -> str:
    for sign, pattern in (("<", LARGE), (">", SMALL), ("=", RIGHT)):
        if re.fullmatch(pattern, words.strip()):
            return sign
    raise LookupError(words)


def _numbers(feedback: str, kind: Kind) -> tuple[Said, ...]:
    """Whole numbers, and parts of the number that was named last."""
    found, number = list[Said](), tuple(range(2))
    second = tuple(range(2, len(kind.places)))
    for piece in re.split(r", and |, | but |，|但", feedback.lower().replace("the ", "")):
        if match := re.fullmatch(r"(first number|第一个数|second number|第二个数) ?(.*)", piece):
            number = second if re.match("second|第二", piece) else (0, 1)
            found.append(Said("part", number, _sign(match[2])))
        elif match := re.fullmatch(r"(numeric part|digit part|数字部分) ?(.*)", piece):
            found.append(Said("part", number[:1], _sign(match[2])))
        elif match := re.fullmatch(r"(letter part|字母部分) ?(.*)", piece):
            found.append(Said("part", number[1:], _sign(match[2])))
        elif match := re.fullmatch(r"(both digit and letter|数字和字母均) ?(.*)", piece):
            found += [Said("part", (place,), _sign(match[2])) for place in number]
        else:
            raise LookupError(piece)
    return tuple(found)


def _named(guess: str, feedback: str, kind: Kind) -> Clue:
    """About unknown numbers: a statement that is right or wrong, or a value for each."""
    names = NAMES[len(kind.places)]
    if match := re.fullmatch(r"([lLMrR, ]+)= *([\d, ]+)", guess):
        values = _code(re.findall(r"\d+", match[2]), kind)
        if re.findall(r"\w", match[1]) != list(names):
            raise LookupError(guess)
        return Clue(values, _about_values(feedback, values, names))
    right = int(TRUE.fullmatch(feedback) is not None)
    if not right and not FALSE.fullmatch(feedback):
        raise LookupError(feedback)
    if match := re.fullmatch(r"([lLMrR])( < [lLMrR])+", guess):
        places = tuple(names.index(name) for name in guess.split(" < "))
        return Clue((), (Said("rising", places, "", right),))
    if re.fullmatch(r"L, M, and R are all different|L、M、R互不相等", guess):
        return Clue((), (Said("different", tuple(range(len(names))), "", right),))
    found = list[Said]()
    for piece in re.split(r"(?<=s), |，", guess):
        found.append(_fact(piece, names, right))
    return Clue((), tuple(found))


def _fact(piece: str, names: str, right: int) -> Said:
    """Something of one or two of the numbers."""
    facts = {
        r"(?:is|are) (?:an )?even(?: numbers?)?|为偶数": "is_even",
        r"(?:is|are) (?:an )?odd(?: numbers?)?|为奇数": "is_odd",
        r"(?:is greater than |大于)(\d+)": "above",
        r"(?:is |为)(\d+)": "equal",
    }
    for pattern, about in facts.items():
        if match := re.fullmatch(rf"([lLMrR](?:(?: and |, )[lLMrR])*) ?(?:{pattern})", piece):
            places = tuple(names.index(name) for name in re.findall(r"[lLMrR]\b", match[1]))
            return Said(about, places, next(filter(None, match.groups()[1:]), ""), right)
    raise LookupError(piece)


def _about_values(feedback: str, values: Code, names: str) -> tuple[Said, ...]:
    if re.fullmatch(r"Only one odd number is correct|只有一个奇数数字正确", feedback):
        return (Said("odd", right=1), Said("even"))
    if re.fullmatch(
        r"One odd number is correct, and one even number is correct"
        r"|有一个奇数数字正确，还有一个偶数数字正确",
        feedback,
    ):
        return (Said("odd", right=1), Said("even", right=1))
    if re.fullmatch(r"One even number is incorrect|有一个偶数数字错误", feedback):
        return (Said("even", right=sum(int(value) % 2 == 0 for value in values) - 1),)
    found = list[Said]()
    for piece in re.split(r", (?=[LMR] is)|(?<=correct) and |，", feedback):
        match = re.fullmatch(r"([LMR])(?:(?: and |和)([LMR]))?(.*)", piece)
        if match is None:
            raise LookupError(piece)
        sign = _sign(match[3])
        found += [Said("part", (names.index(name),), sign) for name in match.groups()[:2] if name]
    return tuple(found)
