"""Reads the published prompts of string deletion."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quandary.papers.logicgame.prompts import NotRead, check_known, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.string_deletion import StringDeletion
from quandary.puzzles.questions.execution.string_deletion.solver import Edit, End

NUMBERS = {"": 1, "two ": 2, "一个": 1, "第一个": 1, "两个": 2}
RULES = (1, 3, 4, 6)  # by level
# A rule starts with its number, in English perhaps behind the end of a sentence.
RULE = re.compile(
    r"(?:^|(?<=[:.]))\s*(?P<number>\d)\. ?(?P<rule>.+?)(?=$|(?<=\.)(?:Here,|\s*$))", re.MULTILINE
)
CONDITION = re.compile(
    r"(?:If the (?:(?P<end>prefix|suffix) of (?:the|a) string|string (?P<short>suffix)) is "
    r"|如果字符串的?(?P<zh>前缀|后缀)是)[\"']?(?P<pattern>[abc]+)[\"']?[,，] ?则?(?P<action>.+?)\.?"
)
ENDS: dict[str, End] = {"prefix": "prefix", "suffix": "suffix", "前缀": "prefix", "后缀": "suffix"}
REPLACE = (
    r"change the (?P<end>prefix|suffix) ?([\"']?)(?P<old>[abc]*)\2 to ([\"']?)(?P<new>[abc]+)\4",
    r"change the (?P<old>[abc]+) (?P<end>prefix|suffix) to (?P<new>[abc]+)",
    r"将(?P<end>前缀|后缀)(?P<old>[abc]*)变为(?P<new>[abc]+)",
)
BOTH = (
    r"delete the last character and change the (?P<end>prefix) to \"?(?P<new>[abc]+)\"?",
    r"删去最后一个字符, 并将(?P<end>前缀)改成(?P<new>[abc]+)",
)
DELETE = (
    r"delete the (?P<side>first|last) (?P<n>two )?characters?",
    r"删去(?:字符串的)?(?P<side>前|最后|(?=第))(?P<n>第?一个|两个)字符",
)
STRING = (
    r"(?:If the string is \"|若字符串为)(?P<string>[abc]+)"
    r"(?:,?\",? what will the string be after the operation\?|，请问操作后的字符串是什么\?)"
)
KNOWN = (  # what stands around the rules
    r"Repeat the following operation until it can no longer be performed:",
    r"Cycle through the following operations (?:in order )?based on the given conditions",
    r" until no more operations can be performed, conducting one operation at a time:",
    r" in order, executing one operation at a time\. After Operation \d, start again from ",
    r"Operation 1\. Continue this cycle until no operation can be executed:",
    r"(?:Here, the|The) prefix (?:here )?refers to (?:a|the) substring ",
    r"from the beginning of the string to a specific point\.?",
    r"(?:The|, and the) suffix refers to (?:a|the) substring ",
    r"from a specific point to the end of the string\.",
    r"If multiple conditions are met, ",
    r"execute them in the (?:given order|order listed above)\.",
    r"perform the operations in the preceding sequence\.",
    r"请根据条件不断循环进行以下操作直至不能进行:|若满足多个条件，则按上述顺序依次执行",
    r"(?:其中前缀|后缀)指的是从(?:字符串的开始到)?某个特定点的子字符串(?:到字符串的结束)?",
)


@reads(RULE, STRING)
def read(prompt: str, level: int) -> StringDeletion:
    """Return the instance of a prompt; NotRead if some of it is not understood."""
    task = task_of(prompt)
    asked, rules = found(STRING, task), list(RULE.finditer(task))
    check_known(re.sub(STRING, "", RULE.sub("", task)), KNOWN)
    edits = tuple(_edit(rule["rule"].strip()) for rule in rules)
    numbers = [int(rule["number"]) for rule in rules]
    if numbers != list(range(1, RULES[level] + 1)):
        raise NotRead(f"rules {numbers} are found, and level {level} has {RULES[level]} of them")
    across = any(rule.new is None and (rule.end == "prefix") == bool(rule.last) for rule in edits)
    is_b = across or edits[0].end == "suffix"
    return StringDeletion("b" if is_b else "a", level, edits, asked["string"])


def _edit(line: str) -> Edit:
    rule = CONDITION.fullmatch(line)
    if rule is None:
        raise not_understood(line)
    end, pattern = ENDS[rule["end"] or rule["short"] or rule["zh"]], rule["pattern"]
    if deleting := _fitting(DELETE, rule["action"]):
        number = NUMBERS[deleting["n"] or ""]
        is_last = deleting["side"] in ("last", "最后")
        return Edit(end, pattern, last=number) if is_last else Edit(end, pattern, first=number)
    both = _fitting(BOTH, rule["action"])
    action = both or _fitting(REPLACE, rule["action"])
    if action is None or ENDS[action["end"]] != end:
        raise not_understood(line)
    if action.groupdict().get("old") not in (None, "", pattern):
        raise not_understood(line)
    return Edit(end, pattern, action["new"], last=int(bool(both)))


def _fitting(patterns: Iterable[str], text: str) -> re.Match[str] | None:
    return next(filter(None, (re.fullmatch(pattern, text) for pattern in patterns)), None)
