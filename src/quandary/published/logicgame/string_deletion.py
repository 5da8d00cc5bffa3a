"""Published items of string deletion, read into instances of ours."""

from __future__ import annotations

import re

from quandary.puzzles.questions.execution.string_deletion import StringDeletion
from quandary.solvers.string_edits import Edit, End

from .prompts import NotRead, not_understood

NUMBERS = {"": 1, "two ": 2, "一个": 1, "第一个": 1, "两个": 2}
LEVELS = {1: 0, 3: 1, 4: 2, 6: 3}  # by the number of rules
# A rule starts with its number, in English perhaps behind the end of a sentence.
RULE = re.compile(
    r"(?:^|(?<=[:.]))\s*(?P<number>\d)\. ?(?P<rule>.+?)(?=$|(?<=\.)(?:Here,|\s*$))", re.MULTILINE
)
CONDITION = {
    "en": re.compile(
        r"If the (?:(?P<end>prefix|suffix) of (?:the|a) string|string (?P<short>suffix)) is "
        r"[\"']?(?P<pattern>[abc]+)[\"']?, (?P<action>.+?)\.?\s*"
    ),
    "zh": re.compile(
        r"如果字符串的?(?P<end>前缀|后缀)是(?P<pattern>[abc]+)[,，] ?则(?P<action>.+?)\s*"
    ),
}
ENDS: dict[str, End] = {"prefix": "prefix", "suffix": "suffix", "前缀": "prefix", "后缀": "suffix"}
ACTIONS = {
    "en": {
        "replace": re.compile(
            r"change the (?:[abc]+ )?(?P<end>prefix|suffix) ?[\"']?(?P<old>[abc]*)[\"']? "
            r"to [\"']?(?P<new>[abc]+)[\"']?"
        ),
        "both": re.compile(
            r"delete the last character and change the (?P<end>prefix) to \"?(?P<new>[abc]+)\"?"
        ),
        "delete": re.compile(r"delete the (?P<side>first|last) (?P<n>two )?characters?"),
    },
    "zh": {
        "replace": re.compile(r"将(?P<end>前缀|后缀)(?P<old>[abc]*)变为(?P<new>[abc]+)"),
        "both": re.compile(r"删去最后一个字符, 并将(?P<end>前缀)改成(?P<new>[abc]+)"),
        "delete": re.compile(r"删去(?:字符串的)?(?P<side>前|最后|(?=第))(?P<n>第?一个|两个)字符"),
    },
}
STRING = {
    "en": re.compile(r"If the string is \"(?P<string>[abc]+),?\",? what will the string be"),
    "zh": re.compile(r"若字符串为(?P<string>[abc]+)，请问操作后的字符串是什么"),
}


def read(text: str, language: str) -> StringDeletion:
    """The instance of a prompt; NotRead if some of it is not understood."""
    asked = STRING[language].search(text)
    if asked is None:
        raise NotRead("the string is not found")
    rules = list(RULE.finditer(text[: asked.start()]))
    edits = tuple(_edit(found["rule"], language) for found in rules)
    numbers = [int(found["number"]) for found in rules]
    if len(edits) not in LEVELS or numbers != list(range(1, len(edits) + 1)):
        raise NotRead(f"rules {numbers} are found, and published items have 1, 3, 4 or 6 of them")
    across = any(rule.new is None and (rule.end == "prefix") == bool(rule.last) for rule in edits)
    is_b = across or edits[0].end == "suffix"
    return StringDeletion("b" if is_b else "a", LEVELS[len(edits)], edits, asked["string"])


def _edit(line: str, language: str) -> Edit:
    found = CONDITION[language].fullmatch(line)
    if found is None:
        raise not_understood(line)
    named = found.groupdict()
    end, pattern = ENDS[named["end"] or named["short"]], named["pattern"]
    for kind, form in ACTIONS[language].items():
        action = form.fullmatch(named["action"])
        if action is None:
            continue
        if kind == "delete":
            number = NUMBERS[action["n"] or ""]
            is_last = action["side"] in ("last", "最后")
            return Edit(end, pattern, last=number) if is_last else Edit(end, pattern, first=number)
        old = action.groupdict().get("old")
        if ENDS[action["end"]] == end and (not old or old == pattern):
            return Edit(end, pattern, action["new"], last=int(kind == "both"))
    raise not_understood(line)
