"""Published items of self-reasoning (单选自推理)."""

from __future__ import annotations

import re

from quandary.puzzles.questions.planning.self_reasoning import SelfReasoning
from quandary.solvers.self_reasoning import LETTERS, NO, NONE, YES, Asked

ORDINALS = {
    word: place
    for place, words in enumerate(
        ("first 一", "second 二", "third 三", "fourth 四", "fifth 五", "sixth 六", "seventh 七")
    )
    for word in words.split()
}
ORDINAL = rf"(?:the )?(?:answers? to the )?第?({'|'.join(ORDINALS)})(?: question|道?题|个问题)?"
# What is asked -> its kind; groups are the letter and the questions, as their names say.
QUESTIONS = {
    r"How many questions have (?:the correct answer as (?P<letter>\w)|(?P<letter2>\w) as the "
    r"correct answer)\?|有多少正确答案为(?P<letter3>\w)的题目": "count",
    r"Is there a question with (?P<letter>\w) as the correct answer\?"
    r"|存在正确答案为(?P<letter2>\w)的题目吗": "count",
    r"How many correct answers are (?P<letter>\w) among the five questions\?"
    r"|五道题里面有多少个正确答案是(?P<letter2>\w)？": "count",
    r"What is the first question whose answer is (?P<letter>\w)\?"
    r"|第一个答案[是为](?P<letter2>\w)的(?:题目|问题)是|哪道题的答案是第一个为(?P<letter3>\w)的": "first",
    r"(?:Which (?:answer is (?P<letter>\w)|question) before question (?P<one>\d)"
    r"(?: has the answer (?P<letter2>\w))?)\?|在问题(?P<one2>\d)前的?哪(?:道题|个问题)的答案是(?P<letter3>\w)": "before",
    r"Which (?:of the )?questions? after question (?P<one>\d) is (?:answered|answer|the answer) "
    r"(?P<letter>\w)\?|在问题(?P<one2>\d)后的哪个问题的答案是(?P<letter2>\w)": "after",
    r"What is the answer to the (?P<one>second|third) question\?"
    r"|第(?P<one2>二|三)(?:个问题|道题)的答案是(?:什么|？)": "answer",
    r"What is the answer to the previous question\?|前一个问题的答案是": "previous",
    r"What's the only one that repeats\?|唯一重复的一个选项是什么": "repeated",
    r"In alphabetical order, how many letters are separated from the letters in question (?P<one>\d)\?"
    r"|本题的答案的字母比问题(?P<one2>\d)的答案的字母，按照字母表的顺序差几个": "apart",
    r"The answer to the (?P<one>second) question is the same as the answers to how many other "
    r"questions\?|第(?P<one2>二)题的答案和其他几道题的答案相同。": "as_many",
    r"How many more is the answer to the (?P<one>\w+) question compared to the answer to the "
    r"(?P<two>\w+) question\?|第(?P<one2>\w)题答案比第(?P<two2>\w)题答案多多少？": "more",
    r"How many less is the answer to the (?P<two>\w+) question compared to the answer to the "
    r"(?P<one>\w+) question\?|第(?P<two2>\w)题答案比第(?P<one2>\w)题答案少多少？": "more",
    r"Is the answer to the (?P<one>second) question (?P<letter>\w)\?"
    r"|第(?P<one2>二)道题的答案是(?P<letter2>\w)吗？": "is",
    r"(?:Is the answer to the (?P<one>\w+) question the same as the answer to the (?P<two>\w+) "
    r"question|Are the answers to the (?P<one2>\w+) question and the (?P<two2>\w+) question the "
    r"same)\?|第(?P<one3>\w)题的答案和第(?P<two3>\w)题的(?:答案相同|一样)吗[。？]?": "alike",
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
LEVELS = {("a", 1): 0, ("a", 3): 1, ("a", 4): 2, ("a", 8): 3, ("b", 2): 0, ("b", 3): 1, ("b", 5): 2}


def read(text: str, language: str) -> SelfReasoning:
    body, constraint = re.split(r"\n\s*\n(?=Please generate|请生成)", text)[:2]
    lines = [line.strip() for line in body.splitlines()[1:] if line.strip()]
    if "options for the first question and the second" in body or "第二题的选项一样" in body:
        raise ValueError("it asks whether the options are the same: those offered or those chosen")
    asked = list[Asked]()
    for line in lines:
        option = re.fullmatch(r"([A-F])\. ?(.+)", line)
        if option is None:
            asked.append(_question(re.sub(r"^\d\. ?", "", line), len(asked)))
        elif not asked or option[1] != LETTERS[len(asked[-1].options)]:
            raise ValueError(f"not understood: {line!r}")
        else:
            own = (*asked[-1].options, _option(option[2].strip()))
            asked[-1] = asked[-1]._replace(options=own)
    family = "b" if "process" not in constraint.split("```")[0].split("\n")[0] else "a"
    if len(asked) == 1:
        family = "a"
    level = 3 if len(asked) > 5 else LEVELS[family, len(asked)]
    if re.search("among the five questions|五道题里面", body) and len(asked) != 5:
        raise ValueError(f"it counts answers among five questions, but has {len(asked)}")
    made = SelfReasoning(family, level, tuple(asked))
    if not made.is_unique():
        raise ValueError("not exactly one choice of letters makes all chosen options true")
    return made


def _question(line: str, place: int) -> Asked:
    for pattern, about in QUESTIONS.items():
        if match := re.fullmatch(pattern, line):
            found = {name.rstrip("23"): text for name, text in match.groupdict().items() if text}
            one, two = (_place(found.get(name)) for name in ("one", "two"))
            if about == "previous":
                about, one = "answer", place - 1
            return Asked(about, (), found.get("letter", ""), one, two)
    raise ValueError(f"not understood: {line!r}")


def _place(name: str | None) -> int:
    if name is None:
        return -1
    return int(name) - 1 if name.isdigit() else ORDINALS[name]


def _option(words: str) -> str:
    for pattern, meaning in OPTIONS.items():
        if match := re.fullmatch(pattern, words):
            number = match.groupdict().get("number") or words
            return meaning or NUMBERS.get(number, number)
    raise ValueError(f"not understood: {words!r}")
