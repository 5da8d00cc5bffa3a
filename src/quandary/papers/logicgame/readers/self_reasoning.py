"""Published items of self-reasoning (单选自推理)."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, not_understood, parts
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.self_reasoning import SelfReasoning
from quandary.puzzles.questions.planning.self_reasoning.solver import LETTERS, NO, NONE, YES, Asked

QUIZ = r"\A[^\n]*\n((?:.|\n)*)"  # all but the first line, which are questions and options
ORDINALS = {
    word: place
    for place, words in enumerate(
        ("first 一", "second 二", "third 三", "fourth 四", "fifth 五", "sixth 六", "seventh 七")
    )
    for word in words.split()
}
# What is asked -> its kind; groups are the letter and the questions that are named.
QUESTIONS = {
    r"How many questions have the correct answer as (?P<letter>\w)\?": "count",
    r"How many questions have (?P<letter>\w) as the correct answer\?": "count",
    r"Is there a question with (?P<letter>\w) as the correct answer\?": "count",
    r"How many correct answers are (?P<letter>\w) among the five questions\?": "count",
    r"What is the first question whose answer is (?P<letter>\w)\?": "first",
    r"Which answer is (?P<letter>\w) before question (?P<one>\d)\?": "before",
    r"Which question before question (?P<one>\d) has the answer (?P<letter>\w)\?": "before",
    r"Which of the questions after question (?P<one>\d) is answered (?P<letter>\w)\?": "after",
    r"Which question after question (?P<one>\d) is (the )?answer (?P<letter>\w)\?": "after",
    r"What is the answer to the (?P<one>\w+) question\?": "answer",
    r"What's the only one that repeats\?": "repeated",
    r"In alphabetical order, how many letters are separated from the letters in "
    r"question (?P<one>\d)\?": "apart",
    r"The answer to the (?P<one>\w+) question is the same as the answers to how many other "
    r"questions\?": "as_many",
    r"How many more is the answer to the (?P<one>\w+) question compared to the answer to the "
    r"(?P<two>\w+) question\?": "more",
    r"How many less is the answer to the (?P<two>\w+) question compared to the answer to the "
    r"(?P<one>\w+) question\?": "more",
    r"Is the answer to the (?P<one>\w+) question (?P<letter>\w)\?": "is",
    r"Is the answer to the (?P<one>\w+) question the same as the answer to the (?P<two>\w+) "
    r"question\?": "alike",
    r"Are the answers to the (?P<one>\w+) question and the (?P<two>\w+) question the "
    r"same\?": "alike",
    r"有多少正确答案为(?P<letter>\w)的题目|存在正确答案为(?P<other>\w)的题目吗": "count",
    r"五道题里面有多少个正确答案是(?P<letter>\w)？": "count",
    r"第一个答案[是为](?P<letter>\w)的(题目|问题)是|哪道题的答案是第一个为(?P<other>\w)的": "first",
    r"在问题(?P<one>\d)前的?哪(道题|个问题)的答案是(?P<letter>\w)": "before",
    r"在问题(?P<one>\d)后的哪个问题的答案是(?P<letter>\w)": "after",
    r"第(?P<one>\w)(个问题|道题)的答案是(什么|？)": "answer",
    r"(?P<one>前)一个问题的答案是": "answer",
    r"唯一重复的一个选项是什么": "repeated",
    r"本题的答案的字母比问题(?P<one>\d)的答案的字母，按照字母表的顺序差几个": "apart",
    r"第(?P<one>\w)题的答案和其他几道题的答案相同。": "as_many",
    r"第(?P<one>\w)题答案比第(?P<two>\w)题答案多多少？": "more",
    r"第(?P<two>\w)题答案比第(?P<one>\w)题答案少多少？": "more",
    r"第(?P<one>\w)道题的答案是(?P<letter>\w)吗？": "is",
    r"第(?P<one>\w)题的答案和第(?P<two>\w)题的(答案相同|一样)吗[。？]?": "alike",
}
OPTIONS = {
    r"\d|[A-F]": None,
    r"(?:There (?:is|are) |存在)(?P<number>one|2|three|1|3)(?: of them|个)?\.?": None,
    r"It doesn't exist\.|不存在": "0",
    r"No question has the answer A\.|The answer to no question is [A-F]"
    r"|There is no question whose answer is B|没有(?:答案为[AB]的题目|问题的答案是[A-F])": NONE,
    r"Yes|The same|是|一样|相同": YES,
    r"No|Different|不是|不一样|不相同": NO,
}
NUMBERS = {"one": "1", "three": "3"}


@reads(QUIZ)
def read(prompt: str, level: int) -> SelfReasoning:
    body, constraint = parts(prompt)
    if re.search("options for the first question and the second|第二题的选项一样", body):
        raise NotRead("it asks whether options are the same: those that are offered or chosen")
    asked = list[Asked]()
    for line in filter(None, map(str.strip, body.splitlines()[1:])):
        option = re.fullmatch(r"([A-F])\. ?(.+)", line)
        if option is None:
            asked.append(_question(line, len(asked)))
        elif not asked or option[1] != LETTERS[len(asked[-1].options)]:
            raise not_understood(line)
        else:
            own = (*asked[-1].options, _option(option[2].strip(), asked[-1].letter))
            asked[-1] = asked[-1]._replace(options=own)
    if re.search("among the five questions|五道题里面", body) and len(asked) != 5:
        raise NotRead(f"it counts answers among five questions, but has {len(asked)}")
    family = "a" if len(asked) == 1 or "'process'" in constraint else "b"
    if any(max(one.one, one.two) >= len(asked) for one in asked):
        raise NotRead(f"it names a question after the last of {len(asked)}")
    made = SelfReasoning(family, level, tuple(asked))
    if not made.is_unique():
        raise NotRead("not exactly one choice of letters makes all chosen options true")
    return made


def _question(line: str, place: int) -> Asked:
    words = line.removeprefix(f"{place + 1}.").strip()
    for pattern, about in QUESTIONS.items():
        if match := re.fullmatch(pattern, words):
            named = match.groupdict()
            one, two = (_place(named.get(name), line, place) for name in ("one", "two"))
            return Asked(about, (), named.get("letter") or named.get("other") or "", one, two)
    raise not_understood(line)


def _place(name: str | None, line: str, asking: int) -> int:
    """Return the question that is named, counted from 0; -1 if none is."""
    if name in ("previous", "前"):
        return asking - 1
    if name is None or name.isdigit():
        return int(name or 0) - 1
    if name not in ORDINALS:
        raise not_understood(line)
    return ORDINALS[name]


def _option(words: str, letter: str) -> str:
    for pattern, meaning in OPTIONS.items():
        if match := re.fullmatch(pattern, words):
            number = match.groupdict().get("number") or words
            if meaning == NONE and not re.search(f"{letter}(?![a-z])", words):
                raise not_understood(words)
            return meaning or NUMBERS.get(number, number)
    raise not_understood(words)
