"""Reading words and lists of whole numbers."""

from __future__ import annotations

import re

from quandary.core.moves import half_width

# what may lead to an answer in Chinese, in half width: 答案:, 答案是, 最终答案为:
CHINESE_LEAD = r"(?:(?:最终)?答案\s{0,9}(?:[是为]\s{0,9}[:=]?|[:=])\s{0,9})?"
# what may lead to a list, in lower case: operation: [3, 1, 5], list[int] = [3, 1, 5]
LIST_NAME = re.compile(rf"{CHINESE_LEAD}(?:operation ?[:=] ?)?(?:list\[int\] ?[:=]? ?)?")
BETWEEN_NUMBERS = re.compile(r" ?(?:,|、|->|→) ?| ")


def plain_text(text: str, ignored: str = "") -> str:
    """Return the text in half width, lower case and one line, without marks around it, nor others
    to be ignored.
    """
    return " ".join(half_width(text).casefold().split()).strip(" `*'\"." + ignored)


def read_numbers(text: str) -> list[int] | None:
    """Return the numbers of a list or of a row such as 3, 1, 5 or 3 -> 1 -> 5; None for anything
    else.
    """
    plain = plain_text(text.replace("【", "[").replace("】", "]"), "。“”")
    named = LIST_NAME.match(plain)
    body = plain[named.end() if named else 0 :]
    if body.startswith("[") and body.endswith("]"):
        body = body[1:-1].strip()
        if not body:
            return []
    words = BETWEEN_NUMBERS.split(body)
    # Long answers repeat few words.
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in set(words)):
        return None
    return list(map(int, words))


def lowered(text: str) -> str:
    """Return the text with only its English letters in lower case: the Kelvin sign is not a k."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def uppered(text: str) -> str:
    """Return the text with only its English letters in upper case: ß stays one letter."""
    if text.isascii():
        return text.upper()
    return text.encode("utf-8", "surrogatepass").upper().decode("utf-8", "surrogatepass")
