"""Explicit marks of an answer: tags, boxes, double brackets, marker lines and JSON objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from quandary.core.json_replies import last_answer
from quandary.core.late_pattern import late_pattern

from .rules import Rule, Ways, pattern_of
from .shapes import Form, fences, joined, typed

OPENING: Ways = (
    Rule("<answer>", "Is it 10?\n<answer>12</answer>", "12"),
    Rule("^answer>", "answer>12</answer>\nIt was easy.", "12"),  # its "<" is lost
    Rule(r"<\|begin_of_box\|>", "So <|begin_of_box|>12<|end_of_box|> it is.", "12"),  # GLM
)
CLOSING: Ways = (
    Rule("</answer>", "Is it 10?\n<answer>12</answer>", "12"),
    Rule(r"<\|end_of_box\|>", "So <|begin_of_box|>12<|end_of_box|> it is.", "12"),
)
TO_TAG = "((?:(?!%(opening)s|%(closing)s).)*+)(%(closing)s)?"
TAGS = pattern_of(f"(?ims)%(opening)s{TO_TAG}", opening=OPENING, closing=CLOSING)
TAGGED = pattern_of(f"(?ims){TO_TAG}", opening=OPENING, closing=CLOSING)

# A box may contain braces, and these may contain braces.
BOX = pattern_of(
    r"(?s)\\boxed\{((?:[^{}\\]|\\.|%(braces)s)*+)(\})?",
    braces=(
        Rule(
            r"\{(?:[^{}\\]|\\.|\{[^{}]*+\})*+\}",
            r"It is \boxed{\frac{1}{2}}, I think.",
            r"\frac{1}{2}",
        ),
    ),
)
BRACKETS = pattern_of(
    r"\[\[((?:[^\[\]]|%(inner)s){1,2000})\]\]",
    inner=(
        Rule(
            r"\]\s{0,9}[,;]\s{0,9}\[",
            "Two of them are sound. Take\n[[A];[C]]\nbecause B and D contradict the second rule.",
            "[[A];[C]]",
        ),
    ),
)
# Other brackets beside them indicate a bracket puzzle, or program code.
LEFT = late_pattern(r"[\w\[)\]}>=]\Z|[)\]}>] \Z")
RIGHT = late_pattern(r" ?[(\[{<]|[\w\]]")
# Double brackets after such words show the form of an answer.
SHOWN = pattern_of(
    r"(?i)%(words)s\W{0,3}\Z",
    words=(
        Rule(
            r"\bform(?:at)?(?: of| is)?",
            "So we get\n[[4,9]]\nThis is in the requested form of [[a,b]].",
            "[[4,9]]",
        ),
    ),
)

STARTS: Ways = (
    Rule("^", "It is even.\nAnswer: 12\nOr not?", "12"),
    Rule(r"(?<=[.!?] )", "It is even. Answer: 12\nThat was all of it.", "12"),
    Rule("(?<=[。！？])", "它是偶数。答案：12\n就是这样。", "12"),
)
DRESS: Ways = (
    Rule(
        r"(?:[^\w\n{}\[\]()<\"'“。！？]|_){1,20}+",
        "It is even.\n> **Answer:** 12\nOr not?",
        "12",
    ),
)
HENCE: Ways = (
    Rule("(?:so|thus|therefore|hence),? ", "It is even.\nSo, answer: 12\nOr not?", "12"),
    Rule("(?:所以|因此|综上)[:：，]?", "它是偶数。\n所以，答案：12\n对吧？", "12"),
    Rule("更正[:：，]?", "答案：8\n更正：答案：12", "12"),
)
HERE: Ways = (Rule("here(?: is|'s) ", "It is even.\nHere is the answer: 12\nOr not?", "12"),)
WHOSE: Ways = (
    Rule("(?:the|my) ", "It is even.\nMy answer: 12\nOr not?", "12"),
    Rule("我的", "它是偶数。\n我的答案：12\n对吧？", "12"),
)
KINDS: Ways = (
    Rule("final ", "Answer: 8\nNo, wait.\nFinal answer: 12", "12"),
    Rule("correct(?:ed)? ", "Answer: 8\nNo, wait.\nCorrected answer: 12", "12"),
    Rule("最[终終]", "答案：8\n再想想。\n最终答案：12", "12"),
    Rule("正确", "答案：8\n再想想。\n正确答案：12", "12"),
)
NOUNS: Ways = (
    Rule("answer", "It is even.\nAnswer: 12\nOr not?", "12"),
    Rule("答案", "它是偶数。\n答案：12\n对吧？", "12"),
    Rule("结论", "它是偶数。\n结论：12\n对吧？", "12"),
    Rule("回?答(?=[:：])", "它是偶数。\n答：12\n对吧？", "12"),
)
VERBS: Ways = (
    Rule("is", "It is even.\nThe answer is: 12, or so it seems\nOr not?", "12, or so it seems"),
    Rule("[是为]", "先看行。\n\n答案是：\n#.\n.#\n\n完成了。", "#.\n.#", form="block"),
)
SIGNS: Ways = (
    Rule("[:：]", "It is even.\nAnswer: 12\nOr not?", "12"),
    Rule("】[:：]?", "【解析】它是偶数。\n【答案】12\n【点评】不难。", "12"),
)
LINE_ENDS: Ways = (
    Rule(r"[ \t]{0,9}$", "## Reasons\nIt is even.\n## Answer\n12\n## Remarks\nNone.", "12"),
)
MARKER = pattern_of(
    "(?im)%(start)s(?P<lead>%(dress)s?%(hence)s?%(here)s?%(whose)s?)%(kind)s?%(noun)s"
    r"(?P<shut>[*_`]{0,3})(?:[ \t]{0,3}%(verb)s?[ \t]{0,3}%(sign)s|%(line_end)s)",
    start=STARTS,
    dress=DRESS,
    hence=HENCE,
    here=HERE,
    whose=WHOSE,
    kind=KINDS,
    noun=NOUNS,
    verb=VERBS,
    sign=SIGNS,
    line_end=LINE_ENDS,
)
# What distinguishes a marker from a mere word at the end of a line.
SURE = pattern_of(
    "%(signs)s",
    signs=(
        Rule("[:：】]", "It is even.\nAnswer: 12\nOr not?", "12"),
        Rule("#", "## Reasons\nIt is even.\n## Answer\n12\n## Remarks\nNone.", "12"),
        Rule(r"(?:A\w+|答案|结论)[*_`]", "It is even.\n**Answer**\n12\nOr not?", "12"),
    ),
)


class Mark(NamedTuple):
    """A mark of an answer."""

    start: int
    content: str  # "" if its end is missing
    is_marker: bool = False  # no second mark ends the content


def last_mark(text: str, form: Form) -> Mark | None:
    """Return the last mark, which counts."""
    if held := last_answer(text):  # the "answer" of an object is as good as tags
        text = "{}<answer>{}</answer>{}".format(*held)
    return max((mark for kind in KINDS_OF_MARKS for mark in kind.way(text, form)), default=None)


def _tagged(text: str, form: Form) -> Iterator[Mark]:
    if _may_have_tags(text):
        yield from (Mark(tag.start(), tag[1] if tag[2] else "") for tag in TAGS.finditer(text))


def _may_have_tags(text: str) -> bool:
    """Return whether it is worth while to look for tags, which takes long."""
    folded = text.casefold()
    return "answer>" in folded or "_of_box" in folded


def _fenced(text: str, form: Form) -> Iterator[Mark]:
    """Yield a fence that ends the reply, as our prompts ask for; a program in it is no line."""
    for start, end, content in fences(text)[-1:]:
        rows = content.strip().split("\n")
        if not text[end:].strip() and (form == "block" or joined(rows) == "\n".join(rows)):
            yield Mark(start, content)


def _boxed(text: str, form: Form) -> Iterator[Mark]:
    start = text.rfind("\\boxed{")
    if start >= 0 and (box := BOX.match(text, start)):
        yield Mark(box.start(), typed(box[1]) if box[2] else "")


def _bracketed(text: str, form: Form) -> Iterator[Mark]:
    """Yield the last double brackets; they are part of a list, and of an answer with its
    own line.
    """
    found = BRACKETS.finditer(text) if "[[" in text else ()
    for brackets in reversed(list(found)):
        if any(reason.way(brackets, text) for reason in NO_BRACKETS):
            continue
        before = text[max(0, brackets.start() - 200) : brackets.start()].rpartition("\n")[2]
        is_own = not before.strip("* ") or before.rstrip("* ").endswith((":", "："))
        is_list = "[" in brackets[1]
        yield Mark(brackets.start(), brackets[0 if is_own or is_list else 1])
        return


def _is_of_a_puzzle(brackets: re.Match[str], text: str) -> bool:
    start, end = brackets.span()
    left, right = text[max(0, start - 2) : start], text[end : end + 2]
    return bool(LEFT.search(left) or RIGHT.match(right))


def _is_shown(brackets: re.Match[str], text: str) -> bool:
    """Return whether they show the form in which to answer, behind the answer."""
    start = brackets.start()
    return "[[" in text[:start] and bool(SHOWN.search(text[max(0, start - 40) : start]))


NO_BRACKETS: tuple[Rule[Callable[[re.Match[str], str], bool]], ...] = (
    Rule(_is_of_a_puzzle, "Answer: 12\nWe close <[[a]] (b)>.", "12"),
    Rule(
        _is_shown,
        "So we get\n[[4,9]]\nThis is in the requested form of [[a,b]].",
        "[[4,9]]",
    ),
)


def _marked(text: str, form: Form) -> Iterator[Mark]:
    """Yield the last marker, in one of the few lines in which it is worth while to look for it."""
    if not _has_marker_word(text.casefold()):
        return
    end = len(text)
    for row in reversed(text.split("\n")):
        start = end - len(row)
        if _may_have_marker(row.casefold()):
            found = [mark for mark in MARKER.finditer(text, start, end) if SURE.search(mark[0])]
            if found:
                yield _marker(found[-1], text)
                return
        end = start - 1


def _may_have_marker(row: str) -> bool:
    has_sign = ":" in row or "：" in row or "】" in row
    ends = ("answer", "答案", "结论")
    return _has_marker_word(row) and (has_sign or row.rstrip("*_` \t").endswith(ends))


def _has_marker_word(text: str) -> bool:
    return "answer" in text or "答" in text or "结论" in text


def _marker(last: re.Match[str], text: str) -> Mark:
    tail = text[last.end() :]
    for change in TAILS:
        tail = change.way(last, tail)
    return Mark(last.start(), tail, is_marker=True)


def _to_closing_tag(last: re.Match[str], tail: str) -> str:
    tagged = TAGGED.match(tail) if _may_have_tags(tail) else None
    return tagged[1] if tagged and tagged[2] else tail


def _without_other_half(last: re.Match[str], tail: str) -> str:
    """Return what follows a marker whose bold ends behind the answer, without that end."""
    line, end, rest = tail.partition("\n")
    if "**" in last["lead"] and not last["shut"]:
        line = line.replace("**", "", line.count("**") % 2)
    return line + end + rest


TAILS: tuple[Rule[Callable[[re.Match[str], str], str]], ...] = (
    Rule(_to_closing_tag, "Answer: 12</answer>\nIt was easy.", "12"),
    Rule(_without_other_half, "**Answer: 12**", "12"),
)
KINDS_OF_MARKS: tuple[Rule[Callable[[str, Form], Iterator[Mark]]], ...] = (
    Rule(_fenced, "Answer: 10\nNo, there is a better one.\n```\n12\n```", "12"),
    Rule(_tagged, "Answer: 10\nNo, <answer>12</answer> is better.", "12"),
    Rule(_boxed, r"Answer: 10\nNo, \boxed{12} is better.".replace(r"\n", "\n"), "12"),
    Rule(_bracketed, "Answer: 10\nNo, [[12]] is better.", "12"),
    Rule(_marked, "It is even.\nAnswer: 12\nOr not?", "12"),
)
