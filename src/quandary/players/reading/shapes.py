"""The forms an answer can have, and the markup models put around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from textwrap import dedent

from quandary.core.contract import Form as Form
from quandary.core.late_pattern import late_pattern
from quandary.matches.player import Reading

from .rules import Rule, Ways, pattern_of

FENCE = pattern_of(
    "(?i)`{3,}%(language)s?",
    language=(
        Rule(r"[ \t]{0,9}[a-z][\w+.#-]{0,20}[ \t]{0,9}(?=\n)", "So:\n```text\n12\n```", "12"),
    ),
)
OPEN_FENCE = pattern_of(
    "(?m)%(line)s", line=(Rule(r"^[ \t]*`{3,}[^\n]*$", "```\n#.\n.#", "#.\n.#", form="block"),)
)
# They begin the text below a board or list; without a colon, such a word may be in the list.
NOTES = pattern_of(
    r"(?i)\n[*(（ \t]*+%(words)s\**+[:：]",
    words=(
        Rule("explanations?", "#.\n.#\nExplanation: by the rows", "#.\n.#", form="block"),
        Rule("notes?", "#.\n.#\n(Note: by the rows)", "#.\n.#", form="block"),
        Rule("说明|解释|理由", "#.\n.#\n说明：看行。", "#.\n.#", form="block"),
    ),
)
BLANK_LINES = late_pattern(r"(?:\A|\n)(?:[ \t]*\n)+")
BULLET = pattern_of(
    r"\s{0,20}%(bullet)s",
    bullet=(
        # a dash before a single sign may be a cell
        Rule(r"[-*+•]\s{1,9}(?=\S\S)", "- pear\n- plum", "pear\nplum", form="block"),
        Rule(
            r"[（]?(?P<number>\d{1,3})(?:[.)]\s{1,9}|[、．]\s{0,9}|）\s{0,9}(?=[^\W\d]))(?=\S)",
            "1. pear\n2. plum",
            "pear\nplum",
            form="block",
        ),
        Rule(
            r"第[\d一二三四五六七八九十]{1,3}行[:：]\s{0,9}(?=\S)",
            "第一行：#.\n第二行：.#",
            "#.\n.#",
            form="block",
        ),
        Rule(
            r"[（]?[①-⑳一二三四五六七八九十](?:[、．]|）(?=[^\W\d])|(?<=[①-⑳]))\s{0,9}(?=\S)",
            "①pear\n②plum",
            "pear\nplum",
            form="block",
        ),
    ),
)
PAIRS: Ways = (
    Rule("** **", "```\n**pear**\n```", "pear"),
    Rule("` `", "```\n`pear`\n```", "pear"),
    Rule('" "', '```\n"pear"\n```', "pear"),
    Rule("$ $", "```\n$12$\n```", "12"),
    Rule(r"\[ \]", "```\n\\[12\\]\n```", "12"),
    Rule("“ ”", "```\n“pear”\n```", "pear"),
    Rule("「 」", "```\n「pear」\n```", "pear"),
    Rule("『 』", "```\n『pear』\n```", "pear"),
    Rule("《 》", "```\n《pear》\n```", "pear"),
)
FIRST_SIGNS = frozenset(pair.way[0] for pair in PAIRS)
# The end of a sentence; in 11111aaa. the stop may be part of a password.
STOP = pattern_of(
    "%(stop)s",
    stop=(
        Rule(r"(?:\A|\s)[^\W\d_]{2,}\.\Z", "Answer: pear.", "pear"),
        Rule(r"""[)\]}>*`"'$]\.\Z""", "Answer: (1, 2).", "(1, 2)"),
    ),
)
CHINESE_STOP = pattern_of(
    r"%(stop)s\s*\Z", stop=(Rule("。", "答案：\npear，plum。", "pear，plum", form="block"),)
)
TIMES = pattern_of(
    "%(sign)s", sign=(Rule(r"\\(?:times|cdot)(?![a-z])", r"\boxed{3 \times 4}", "3 * 4"),)
)
LATEX = pattern_of(
    "%(sign)s",
    sign=(
        Rule(r"\\text\w{0,2}\{(?P<text>[^{}]*)\}", r"\boxed{\text{pear}}", "pear"),
        Rule(r"\\(?P<sign>[{}_#$%& ])", r"\boxed{12\%}", "12%"),
    ),
)


def found(answer: str) -> Reading:
    return Reading("answered", answer) if answer.strip() else Reading("unreadable")


def whole(content: str, form: Form) -> str:
    """Return an answer without the markup of all of it and, in a block, of all its rows."""
    content = next((inner for *_, inner in fences(content)), content)
    content = CHINESE_STOP.sub("", content)
    rows = [row for row in content.split("\n") if row.strip()]
    if rows and rows[0][0] in " \t":
        rows = [row for row in dedent(content).split("\n") if row.strip()]
    if form == "line":
        return undressed("\n".join(rows))  # lists have many lines
    for bare in BARES:
        rows = _all_bare(rows, bare.way)
    return "\n".join(rows)


def _all_bare(rows: list[str], bare: Callable[[str, int], str]) -> list[str]:
    """Return the rows without what they are dressed in, if all of them are; `bare` gives ""
    if not.
    """
    found: list[str] = []
    for at, row in enumerate(rows, start=1):
        if not (inner := bare(row, at)):
            return rows
        found.append(inner)
    return found


def _without_bullet(row: str, at: int) -> str:
    mark = BULLET.match(row)
    return row[mark.end() :] if mark and int(mark.groupdict().get("number") or at) == at else ""


def _without_pair(row: str, at: int) -> str:
    inner = _unwrapped(row.strip())
    return inner if len(inner) < len(row.strip()) else ""


BARES: tuple[Rule[Callable[[str, int], str]], ...] = (
    Rule(_without_bullet, "1. pear\n2. plum", "pear\nplum", form="block"),
    Rule(_without_pair, "**pear**\n**plum**", "pear\nplum", form="block"),
)


@lru_cache(maxsize=2)  # several rules need those of one reply
def fences(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return where fenced blocks begin and end, and what they hold without the name of a
    language.
    """
    first = text.find("```")
    if first < 0:
        return ()
    signs = [sign.span() for sign in FENCE.finditer(text, first)]
    if len(signs) % 2:  # one of them may be mentioned within a sentence
        signs = [(at, to) for at, to in signs if text[at - 1 : at] in ("", "\n")]
    pairs = zip(signs[::2], signs[1::2], strict=False)
    return tuple([(start, end, text[at:to]) for (start, at), (to, end) in pairs])


def joined(rows: list[str]) -> str:
    """Return the first row, with those that belong to it."""
    kept, depth = 1, _opened(rows[0])
    for row in rows[1:]:
        if not any(reason.way(rows[0], depth, row) for reason in BELONGS):
            break
        kept, depth = kept + 1, depth + _opened(row)
    return "\n".join(rows[:kept])


def _opened(row: str) -> int:
    return row.count("[") - row.count("]")


def shape(row: str) -> str:
    """Return a row in which all numbers and all words are alike."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", row.strip()))


def _goes_on(first: str, depth: int, row: str) -> bool:
    """Return whether a list that was begun is still open."""
    return depth > 0


def _is_alike(first: str, depth: int, row: str) -> bool:
    return shape(row) == shape(first)


def _is_flag(first: str, depth: int, row: str) -> bool:
    """Return whether a row is one word of a move, such as "reset"."""
    return shape(row) == "a" and row.strip().islower()


BELONGS: tuple[Rule[Callable[[str, int, str], bool]], ...] = (
    Rule(_goes_on, "Answer: [1,\n2]\nIt fits.", "[1,\n2]"),
    Rule(_is_alike, "Answer: Row: 1\nColumn: 2\nIt fits.", "Row: 1\nColumn: 2"),
    Rule(_is_flag, "Answer: 3 4\nreset\nIt fits.", "3 4\nreset"),
)


def paragraphs(text: str) -> list[str]:
    """Paragraphs before an explanation, without open fences."""
    text = OPEN_FENCE.sub("", NOTES.split(text, 1)[0])
    return [part.rstrip() for part in BLANK_LINES.split(text) if part.strip()]


def undressed(answer: str) -> str:
    """Return an answer without what only dresses it: pairs of marks around it, a sentence's
    stop.
    """
    for _ in range(5):  # layers of markup
        bare = _unwrapped(answer.strip())
        answer = bare[:-1] if bare.endswith(".") and STOP.search(bare) else bare
    return answer


def _unwrapped(text: str) -> str:
    for pair in PAIRS if text[:1] in FIRST_SIGNS else ():
        left, right = pair.way.split()
        inner = text[len(left) : len(text) - len(right)]
        is_dressed = text.startswith(left) and text.endswith(right) and inner.strip()
        if is_dressed and left not in inner and right not in inner:
            is_password = left == "$" and re.fullmatch(r"[^\\]*[^\W\d_]{2}[^\\]*", inner)
            return text if is_password else typed(inner) if left[0] in "$\\" else inner
    return text


def typed(formula: str) -> str:
    """Return the content of a formula as it would be typed."""
    return LATEX.sub(_typed, TIMES.sub("*", formula))


def _typed(sign: re.Match[str]) -> str:
    return "".join(filter(None, sign.groups()))


def is_prose(text: str) -> bool:
    """Return whether every line is made of words, as sentences are."""
    for line in text.split("\n"):
        words = [word.strip(".!?:\"'*") for word in line[:400].split()]
        count = sum(len(word) > 1 and word.isalpha() for word in words)
        if count < 3 or len(words) < 4 or 2 * count <= len(words):
            return False
    return True
