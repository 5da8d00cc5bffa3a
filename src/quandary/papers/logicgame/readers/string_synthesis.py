"""Reads the published prompts of string synthesis."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, check_known, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution._shared.synthesis.solver import Method, method_of
from quandary.puzzles.questions.execution.string_synthesis import BLOCKS, StringSynthesis

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
NUMBERS = {word: number for number, word in enumerate(WORDS, start=1)} | {"a": 1}
NUMBERS |= {digit: number for number, digit in enumerate("一二三四五六七八九", start=1)} | {"两": 2}
BLOCK = r"(?:\[[ABC]\]|\{[ABC]\}|\([ABC]\))"
AMOUNT = rf"(?i:{'|'.join(NUMBERS)})[ 个]?{BLOCK}"
AND = r"(?:, and |, | and |和|，)"
AMOUNTS = rf"{AMOUNT}(?:{AND}{AMOUNT})*"
ALL = rf"{BLOCK}(?:(?:, and|[,、]) ?{BLOCK})*"
KINDS = (
    r"(?:There are|Now there are|现在有)(?: now| currently)? ?(?P<number>\w+?)"
    rf"(?: different (?:blocks|squares) |种不同的方块)(?P<kinds>{ALL})"
    r"(?: that satisfy the following (?:conditions?|methods)| satisfied|满足):"
)
METHOD = re.compile(
    rf"(?P<number>\d)\. ?(?P<takes>{AMOUNTS})"
    r"(?: can (?:be combined (?:to form|into)|be synthesized into|synthesize) |可以合成)"
    rf"(?P<makes>{AMOUNTS})\.?"
)
START = (
    rf"(?:Question: If we now have |问题: 若现在我们有)(?P<start>{AMOUNTS})"
    r"(?:, what will (?:be the number of each type of block after combining(?: them)?"
    r"|the (?:combined|synthesized) block be)[?？]|，合成后(?:每种方块的个数|方块)为\?)"
)
ORDER = rf"(?:in the order of |按照 ?)(?P<kinds>{ALL})(?:\.| ?的顺序)"
NAMED = re.compile(r"(?:method|方法) ?(\d(?:, \d)*)", re.I)  # methods that have their turns
KNOWN = (
    r"Continue the combination process until no more combinations can be made\.",
    r"(?:method \d, )+method 2\.\.\. (?=Cycle)",
    r"Cycle through Method [\d, ]+ in order, executing one method at a time\. ",
    r"After Method \d, start again from Method 1\. ",
    r"Continue this cycle until no method can be executed due to lack of required blocks\.",
    r"(?:Method \d, )+Method 2\.\.\. continue this cycle of methods ",
    r"until no more combinations can be made\.",
    r"(?:方法\d，)+方法2\.\.\.这样(?=不断)",
    r"不断循环方法进行合成直到所有方法都无法进行合成",
)
# By level, what the last method of each family takes; the families differ in little else.
LAST = {
    "a": ("[A][B]", "[C][C]", "[C][C]", "{B}{B}"),
    "b": ("[A][A][B]", "[C][C][C]", "[B][B]", "{B}{C}"),
}


@reads(METHOD, START)
def read(prompt: str, level: int) -> StringSynthesis:
    """Return the instance of a prompt; NotRead if some of it is not understood."""
    task = task_of(prompt)
    intro, asked = found(KINDS, task), found(START, task)
    kinds = re.findall(BLOCK, intro["kinds"])
    if kinds != list(BLOCKS[: NUMBERS.get(intro["number"], 0)]):
        raise NotRead(f"it announces {intro['number']} kinds and names {', '.join(kinds)}")
    lines = list(METHOD.finditer(task))
    around = METHOD.sub("", task).replace(intro[0], "").replace(asked[0], "")
    check_known(around, KNOWN)
    _check_turns(around, len(lines))
    if [int(line["number"]) for line in lines] != list(range(1, len(lines) + 1)) or not lines:
        raise NotRead(f"its methods have the numbers {[line['number'] for line in lines]}")
    order = re.findall(BLOCK, found(ORDER, prompt)["kinds"])
    if order != kinds:
        raise NotRead(f"its answer lists {', '.join(order)}, and its kinds are {', '.join(kinds)}")
    methods = tuple(
        method_of(len(kinds), _amounts(line["takes"], kinds), _amounts(line["makes"], kinds))
        for line in lines
    )
    start = method_of(len(kinds), _amounts(asked["start"], kinds), {}).takes
    return StringSynthesis(_family(methods, level), level, methods, start)


def _check_turns(text: str, methods: int) -> None:
    named = {number for list_ in NAMED.findall(text) for number in list_.split(", ")}
    if methods > 1 and named != {str(number) for number in range(1, methods + 1)}:
        raise NotRead(
            f"turns of methods {', '.join(sorted(named))} are named, of {methods} methods"
        )


def _amounts(text: str, kinds: list[str]) -> dict[int, int]:
    """Return the number of each kind, by its place."""
    amounts = dict[int, int]()
    for one in re.findall(AMOUNT, text):
        block = re.findall(BLOCK, one)[0]
        if block not in kinds:
            raise NotRead(f"{block} is not one of its kinds, {', '.join(kinds)}")
        if kinds.index(block) in amounts:
            raise NotRead(f"{block} comes twice in {text!r}")
        amounts[kinds.index(block)] = NUMBERS[one[: -len(block)].strip(" 个").lower()]
    return amounts


def _family(methods: tuple[Method, ...], level: int) -> str:
    taken = "".join(block * n for block, n in zip(BLOCKS, methods[-1].takes, strict=False))
    for family, last in LAST.items():
        if last[level] == taken:
            return family
    raise NotRead(f"no family has at level {level} a last method that takes {taken}")
