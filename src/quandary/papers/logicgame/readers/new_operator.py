"""Reads the published prompts of new operators.

Natural numbers that follow from known results are read as those from 1 to 9; a test proves that no
others fit, however large.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, not_understood, parts
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.new_operator import NewOperator
from quandary.puzzles.questions.execution.new_operator.solver.formulas import NotExact

DEFINED = re.compile(r"[ax] ?([^\w\s()]) ?[by] ?= ?")
END = re.compile(r"[,，。.\n]")
IN_WORDS = r"define a(.)b as a power b of a\b|规定a(.)b表示a的b次幂"
ASKED = (
    r"(?:calculat(?:e|ing)|determine|find the value of|试计算|求) ?([^\n]+?)(?:的值)?[. ]*(?:\n|$)"
)
FORMULA = r"(?:Assum(?:e|ing)|假设) ?(a ?[^\w\s()] ?b ?= ?[-+×÷^(){}_ \dablog]+)"
EXPRESSION = (
    r"(?:[Cc]alculat(?:e|ing)|determine|试计算|求) ?([-+×÷*△★@~～◎&※#()（） \d]+?)(?=的值$|[. ]*$)"
)
FACTS = r"(?:Given that|已知) ?(.+?),? ?(?:find|求)"
PLAIN = str.maketrans({"（": "(", "）": ")", "～": "~", "/": "÷", "a": "x", "b": "y"})
LENGTH = re.compile(r"length (?:of |is )?(\d)|长度为(\d)")
# What a formula of family a looks like at each level, beside those of family b.
FAMILY_A = (r"\d.*\d", "÷", "^[^÷]*$", "[mnk]")


@reads(FORMULA, EXPRESSION)
def read(prompt: str, level: int) -> NewOperator:
    question, asked = parts(prompt)
    operators = tuple(_operators(question))
    unknowns = "".join(dict.fromkeys(re.findall("[mnk]", "".join(text for _, text in operators))))
    facts = _facts(question) if unknowns else ()
    expression = _spaced(found(ASKED, question)[1])
    family = _family(level, [text for _, text in operators])
    made = NewOperator(family, level, operators, expression, unknowns, facts)
    try:
        work = made.work()
    except NotExact as reason:
        raise NotRead(f"no exact number: {reason}") from None
    except (ValueError, KeyError) as reason:  # no formula, or one about something else
        raise NotRead(f"not understood: {reason}") from None
    if "?" in work.process:
        raise NotRead("its known results do not leave one value of each coefficient")
    if unknowns and not re.search(f"{','.join(unknowns)}的值", asked):
        raise NotRead("it asks for results on the way, and its reference has the coefficients")
    if (length := LENGTH.search(asked)) and int(length[1] or length[2]) != len(work.process):
        raise NotRead(f"its process should have {length[1] or length[2]} entries")
    return made


def _operators(question: str) -> list[tuple[str, str]]:
    if words := re.search(IN_WORDS, question):
        return [(words[1] or words[2], "x^y")]
    starts = list(DEFINED.finditer(question))
    ends = [start.start() for start in starts[1:]] + [len(question)]
    if not starts:
        raise not_understood(question.splitlines()[0])
    return [
        (start[1].translate(PLAIN), _formula(question[start.end() : end]))
        for start, end in zip(starts, ends, strict=True)
    ]


def _formula(text: str) -> str:
    """With × wherever it is left out, and our logarithm."""
    text = END.split(text)[0].replace(" ", "")
    text = re.sub(r"log_\{(.)\}\{(.*)\}", r"log_\1(\2)", text)
    text = re.sub(r"(?<!log_)([abxymnk])", r"<\1>", text)
    text = re.sub(r"(?<=[\d>)])(?=[<(])", "×", text).replace("<", "").replace(">", "")
    return re.sub(r"([-+÷])", r" \1 ", text.translate(PLAIN))


def _facts(question: str) -> tuple[tuple[str, str], ...]:
    facts = re.split(r",| and ", found(FACTS, question)[1])
    pairs = [fact.split("=") for fact in facts]
    if odd := [fact for fact, pair in zip(facts, pairs, strict=True) if len(pair) != 2]:
        raise not_understood(odd[0])
    return tuple((_spaced(text), value.strip()) for text, value in pairs)


def _spaced(text: str) -> str:
    plain = text.translate(PLAIN).replace(" ", "")
    return re.sub(r"([^\d()])", r" \1 ", plain)


def _family(level: int, formulas: list[str]) -> str:
    text = "; ".join(formulas)
    if re.search(r"\^y|log", text):
        return "c"
    return "a" if re.search(FAMILY_A[level], text) else "b"
