"""Answers that a sentence names, and words that say a sentence names none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from .shapes import COLONS, PAIRS, Reading, found, missing, undressed

SPOKEN = re.compile(
    r"""\b(?P<article>the|my|a|an|one|this|another)\ (?:[a-z0-9-]{1,15}\ ){0,3}?
    (?P<noun>answer|move|operation|solution|guess|word|password|substring|string|text)
    (?:(?:\ (?:that|which|of|with|for|from|formed)\b[^.:;,"\n]{0,80}?)?\ (?:is|would\ be|could\ be|will\ be)\b:?|:)
    |^[^\w\n]{0,9}(?P<title>guess|word|password|substring|string|text)[*_]{0,3}[:：]
    |(?<![\w"'`])(?:final\ )?answer(?:\ is|:)|答案(?:是|为|[:：])""",
    re.I | re.M | re.X,
)
INTRODUCED = re.compile(
    r"[^\w\n]{0,9}(?:(?:so|thus|therefore|hence|clearly|here\ is|here['’]s|i\ (?:think|believe))[,:]?\ )?", re.I
)
PLAYED = re.compile(r"(?:i|we)(?:['’]ll|\ will)?\ (?:choose|play|take|pick|say|guess|go\ with)", re.I)
AFTER_SPOKEN = re.compile(r"\s{0,9}(?:$|[.,;:!)。，]|(?:because|since|which|as|with|for)\b)", re.I)
NO_ANSWERS = {
    "correct", "incorrect", "right", "wrong", "valid", "invalid", "unique", "unknown", "legal", "illegal", "possible", "impossible",
    "allowed", "forced", "obvious", "clear",
}  # fmt: skip
QUALIFIED = re.compile(  # with what may come between such a word and what it qualifies
    r"""(?:\b(?:wrong|bad|worse|worst|incorrect|invalid|illegal|impossible|losing|examples?|sample|previous|earlier|prior
    |alternative|opponent['’]?s?|not|never|if|whether|unless|suppose|supposing)|n['’]t)\b[^.,;:!?\n]{0,30}$""",
    re.I | re.X,
)
POSSIBLE = re.compile(r"\b(?:possible|potential)\ $", re.I)
ASIDE_NOUN = re.compile(r"\b(?:about|of|in|on|within|into|regarding) (?:the|my|a|an|this|another) (?:[a-z0-9-]{1,15} ){0,3}$", re.I)
ANY_WILL_DO = {"answer", "solution", "guess", "word", "password", "substring", "string", "text"}  # a possible one is offered
CONCLUDED = re.compile(
    r"\b(?:final|finally|so|thus|therefore|hence|actually|instead|revised|corrected|correct)\b|最终|因此|所以", re.I
)
NEAR = 60  # characters before a mention that may speak of it


class Naming(NamedTuple):
    """A sentence that may name the answer."""

    noun: str  # as what
    answer: str  # "" where it names none
    whole: bool  # even if the text goes on
    concludes: bool


def qualified(lead: str) -> bool:
    """Whether the words before something say that it is not the answer: wrong, an example, somebody else's."""
    return bool(QUALIFIED.search(lead))


def introduced(lead: str) -> bool:
    """Whether these words do nothing but lead to an answer."""
    begun = INTRODUCED.match(lead)
    start = begun.end() if begun else 0
    said = SPOKEN.match(lead, start) or PLAYED.match(lead, start)
    return bool(said and said.end() == len(lead) and not qualified(lead))


def named(line: str) -> Reading | None:
    """What an answer's own line says the answer is, where all before it only leads there."""
    first = SPOKEN.search(line)
    return spoken(line, cut=False) if first and introduced(line[: first.end()]) else None


def disclaims(line: str) -> bool:
    """Whether it names something to say that it is not the answer."""
    return any(_is_disclaimed(mention, _lead(line, mention)) for mention in SPOKEN.finditer(line))


def spoken(text: str, cut: bool) -> Reading | None:
    """What a sentence says the answer is.  Sentences that contradict each other say nothing, unless the last one concludes."""
    last: Naming | None = None
    answers = dict[str, set[str]]()
    for last in _namings(text):
        answers.setdefault(last.noun, set()).add(last.answer)
    if not last or not last.answer:
        return None
    if len(answers[last.noun] - {""}) > 1 and not last.concludes:
        return missing(cut)
    return missing(cut) if cut and not last.whole else found(last.answer)


def _namings(text: str) -> Iterator[Naming]:
    """Every sentence that may name the answer, each up to the next one."""
    mentions = list(SPOKEN.finditer(text))
    for mention, after in zip_longest(mentions, mentions[1:]):
        lead = _lead(text, mention)
        if _is_disclaimed(mention, lead) or ASIDE_NOUN.search(lead):
            continue
        stop = after.start() if after else len(text)
        end = text.find("\n", mention.end(), stop)
        answer, dressed = _named(text[mention.end() : end if end >= 0 else stop].strip())
        noun = (mention["noun"] or mention["title"] or "answer").lower()
        yield Naming(noun, answer, dressed or end >= 0 or stop < len(text), bool(CONCLUDED.search(lead + mention[0])))


def _lead(text: str, mention: re.Match[str]) -> str:
    """The words of the line before what is named."""
    end = mention.start("noun") if mention["noun"] else mention.start()
    return text[max(0, mention.start() - NEAR) : end].rpartition("\n")[2]


def _is_disclaimed(mention: re.Match[str], lead: str) -> bool:
    return qualified(lead) or ((mention["noun"] or "").lower() not in ANY_WILL_DO and bool(POSSIBLE.search(lead)))


def _named(line: str) -> tuple[str, bool]:
    """Dressed words or a single one, and whether dressed; nothing where there are more."""
    for left, right in PAIRS:
        close = line.find(right, len(left)) if line.startswith(left) else -1
        if close > 0 and AFTER_SPOKEN.match(line, close + len(right)):
            return undressed(line[: close + len(right)]).strip(), True
    word = undressed(line)
    if len(word.split()) != 1 or word.lower() in NO_ANSWERS or word.endswith(COLONS) or not any(map(str.isalnum, word)):
        return "", False
    return word, False
