"""The forms an answer can have, and the markup models put around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from textwrap import dedent

from quandary.core.contract import Form as Form
from quandary.matches.player import Reading

FENCE = re.compile(r"(?i)`{3,}(?:[ \t]{0,9}[a-z][\w+.#-]{0,20}[ \t]{0,9}(?=\n))?")  # f876113ff904
OPEN_FENCE = re.compile(r"^[ \t]*`{3,}[^\n]*$", re.M)  # 98ec44abfbd7
# Below a board or list (4a9c06efda41, zh-334); without a colon it may be a word of the list.
NOTES = re.compile(r"(?i)\n[*(（ \t]*+(?:explanation|reasoning|note|说明|解释|理由)s?\**+[:：]")
BLANK_LINES = re.compile(r"(?:\A|\n)(?:[ \t]*\n)+")
# TextGames; a dash before a single sign may be a cell; Chinese numbers: zh-250 zh-251 zh-252 zh-262
BULLET = re.compile(
    r"""(?x)\s{0,20}(?:[-*+•]\s{1,9}(?=\S\S)|[（第]?(?:(?P<number>\d{1,3})|[①-⑳一二三四五六七八九十])
    (?:[.)]\s{1,9}|[、．]\s{0,9}|）\s{0,9}(?=[^\W\d])|行[:：]\s{0,9}|(?<=[①-⑳])\s{0,9})(?=\S))"""
)
# b3a6ee6bde74 a4cb82434c20 faa3470bbc79 a57ab2a34b79 de5177283d67 zh-223 zh-221 zh-232
MARKUP = ("** **", "` `", '" "', "$ $", r"\[ \]", "“ ”", "「 」", "『 』", "《 》")
PAIRS = [pair.split() for pair in MARKUP]
FIRST_SIGNS = frozenset(left[0] for left, _ in PAIRS)
# An English word explained in Chinese (zh-222, zh-226, zh-233).
EXPLAINED = re.compile(r"\A([*`“]*+[a-zA-Z]{2,}[*`”]*+)(?:。.*|（[一-鿿][^（）\n\d]{0,200}）)\Z")
# A sentence or announcement in Chinese (zh-247, zh-264, zh-328), but no move.
SENTENCE = re.compile(
    r"(?!.*[填涂].{0,6}[\d零一二三四五六七八九][^\w:：]{0,3}\Z)"
    r"(?:[^一-鿿]*+[一-鿿]){4}.*[:：。！？][）)*_ \t]*+\Z"
)
# The stop of a sentence (TextGames); in 11111aaa. it may be one of a password's signs.
STOP = re.compile(r"""(?:(?:\A|\s)[^\W\d_]{2,}|[)\]}>*`"'$])\.\Z|。\Z""")
CHINESE_STOP = re.compile(r"。\s*+\Z")  # zh-249
TIMES = re.compile(r"\\(?:times|cdot)(?![a-z])")  # 959698042169
LATEX = re.compile(r"\\text\w{0,2}\{([^{}]*)\}|\\([{}_#$%& ])")  # 59778906ebec


def found(answer: str) -> Reading:
    return Reading("answered", answer) if answer.strip() else Reading("unreadable")


def whole(content: str, form: Form) -> str:
    """An answer without the markup of all of it and, in a block, of all its rows (TextGames)."""
    content = next((inner for *_, inner in fences(content)), content)
    content = CHINESE_STOP.sub("", content) if "。" in content else content
    rows = [row for row in content.split("\n") if row.strip()]
    if rows and rows[0][0] in " \t":
        rows = [row for row in dedent(content).split("\n") if row.strip()]
    if form == "line":
        return undressed("\n".join(rows))  # lists have many lines: c5e53e546e5a
    return "\n".join(_all_bare(_all_bare(rows, _without_bullet), _without_pair))


def _all_bare(rows: list[str], bare: Callable[[str, int], str]) -> list[str]:
    """The rows without what they are dressed in, if all of them are; `bare` gives "" if not."""
    found: list[str] = []
    for at, row in enumerate(rows, start=1):
        if not (inner := bare(row, at)):
            return rows
        found.append(inner)
    return found


def _without_bullet(row: str, at: int) -> str:
    mark = BULLET.match(row)
    return row[mark.end() :] if mark and int(mark["number"] or at) == at else ""


def _without_pair(row: str, at: int) -> str:
    inner = _unwrapped(row.strip())
    return inner if len(inner) < len(row.strip()) else ""


@lru_cache(maxsize=2)  # several rules ask for those of one reply
def fences(text: str) -> tuple[tuple[int, int, str], ...]:
    """Where fenced blocks begin and end, and what they hold without the name of a language."""
    first = text.find("```")
    if first < 0:
        return ()
    signs = [sign.span() for sign in FENCE.finditer(text, first)]
    if len(signs) % 2:  # one of them may be mentioned within a sentence
        signs = [(at, to) for at, to in signs if text[at - 1 : at] in ("", "\n")]
    pairs = zip(signs[::2], signs[1::2], strict=False)
    return tuple([(start, end, text[at:to]) for (start, at), (to, end) in pairs])


def joined(rows: list[str]) -> str:
    """The first row, with those that belong to it: the rest of a list, a flag, a second move."""
    shapes = [re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", row.strip())) for row in rows]
    kept, depth = 1, rows[0].count("[") - rows[0].count("]")
    for row, shape in zip(rows[1:], shapes[1:], strict=True):
        if depth <= 0 and shape != shapes[0] and not (shape == "a" and row.strip().islower()):
            break
        kept, depth = kept + 1, depth + row.count("[") - row.count("]")
    return "\n".join(rows[:kept])


def paragraphs(text: str, form: Form) -> list[str]:
    """Return paragraphs before an explanation, without open fences or Chinese text in a block."""
    text = OPEN_FENCE.sub("", NOTES.split(text, 1)[0])
    if form == "block" and not text.isascii():
        text = "\n".join("" if SENTENCE.match(row) else row for row in text.split("\n"))
    return [part.rstrip() for part in BLANK_LINES.split(text) if part.strip()]


def undressed(answer: str) -> str:
    """An answer without what only dresses it: pairs of marks around it, a sentence's stop."""
    answer = EXPLAINED.sub(r"\1", answer.strip())
    for _ in range(5):  # layers of markup
        bare = _unwrapped(answer.strip())
        answer = bare[:-1] if STOP.search(bare) else bare
    return answer


def _unwrapped(text: str) -> str:
    for left, right in PAIRS if text[:1] in FIRST_SIGNS else ():
        inner = text[len(left) : len(text) - len(right)]
        is_dressed = text.startswith(left) and text.endswith(right) and inner.strip()
        if is_dressed and left not in inner and right not in inner:
            is_password = left == "$" and re.fullmatch(r"[^\\]*[^\W\d_]{2}[^\\]*", inner)
            return text if is_password else typed(inner) if left[0] in "$\\" else inner
    return text


def typed(formula: str) -> str:
    """The content of a formula as it would be typed."""
    return LATEX.sub(r"\1\2", TIMES.sub("*", formula))


def is_prose(text: str) -> bool:
    """Whether every line is made of words, as sentences are."""
    for line in text.split("\n"):
        words = [word.strip(".!?:\"'*") for word in line[:400].split()]
        count = sum(len(word) > 1 and word.isalpha() for word in words)
        if count < 3 or len(words) < 4 or 2 * count <= len(words):
            return False
    return True
