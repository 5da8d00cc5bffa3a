"""Changes of a published prompt that must not go unnoticed: none of them leaves what it asks as it
was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quandary.core.worked import Worked
from quandary.papers.logicgame.wordings import BLANK, Reader, blank

# False of every prompt.
SENTENCES = {
    "en": (
        "Except that the first one is never changed.",
        "Important: do everything twice.",
        "Then repeat everything once more.",
        "The process must be in reverse order.",
    ),
    "zh": (
        "但是第一个永远不变。",
        "重要：所有操作都做两遍。",
        "然后把全部步骤再做一遍。",
        "过程必须倒序排列。",
    ),
}
PAIRS = (
    "larger smaller|larger less|largest smallest|maximum minimum|max min"
    "|first last|before after|left right|up down|upper lower|top bottom|row column|odd even"
    "|forward backward|front back|add subtract|increases decreases|prefix suffix|black white"
    "|horizontally vertically|once twice|one two|correct incorrect|small large|low high"
    "|same different|clockwise counter-clockwise"
    "|较大 较小|最大 最小|大 小|顺时针 逆时针|第一 最后|最先 最后|之前 之后|前 后|左 右|上 下|行 列"
    "|奇 偶|加 减|黑 白|一次 两次|正确 错误|对 错"
)
SWAPS = [tuple(pair.split()) for pair in PAIRS.split("|")]


def inserted(prompt: str, sentence: str) -> Iterator[str]:
    """The sentence as a line, at all places."""
    lines = prompt.split("\n")
    for place in range(len(lines) + 1):
        yield "\n".join([*lines[:place], sentence, *lines[place:]])


def appended(prompt: str, sentence: str) -> Iterator[str]:
    """The sentence at the end of a line, of any that has text."""
    lines = prompt.split("\n")
    for place, line in enumerate(lines):
        if line.strip():
            yield "\n".join([*lines[:place], f"{line.rstrip()} {sentence}", *lines[place + 1 :]])


def put_between(prompt: str, sentence: str) -> Iterator[str]:
    """The sentence after any other one."""
    for end in re.finditer(r"[.。](?=\s|[A-Z一-龥])", prompt):
        yield f"{prompt[: end.end()]} {sentence}{prompt[end.end() :]}"


def repeated(prompt: str) -> Iterator[str]:
    """With one of the lines twice, one after the other or once more at the end."""
    lines = prompt.split("\n")
    for place, line in enumerate(lines):
        if line.strip():
            yield "\n".join([*lines[:place], line, *lines[place:]])
            yield f"{prompt}\n{line}"


def shortened(prompt: str) -> Iterator[str]:
    """Without one of the lines that have text."""
    lines = prompt.split("\n")
    for place, line in enumerate(lines):
        if re.search(r"\w", line):
            yield "\n".join([*lines[:place], *lines[place + 1 :]])


def swapped(prompt: str) -> Iterator[str]:
    """With a key word as its opposite, at one place or at all."""
    for pair in SWAPS:
        for old, new in (pair, pair[::-1]):
            edge = r"\b" if old.isascii() else ""
            places = list(re.finditer(f"{edge}{old}{edge}", prompt))
            for place in places:
                yield prompt[: place.start()] + new + prompt[place.end() :]
            if len(places) > 1:
                yield re.sub(f"{edge}{old}{edge}", new, prompt)


def altered(prompt: str, reader: Reader[Worked]) -> Iterator[str]:
    """With the next letter or digit at a place of what an instance has of its own."""
    for place, letter in enumerate(blank(prompt, reader.own)):
        old = prompt[place]
        if letter == BLANK and old.isascii() and old.isalnum():
            new = "0Aa"["9Zz".index(old)] if old in "9Zz" else chr(ord(old) + 1)
            yield prompt[:place] + new + prompt[place + 1 :]
