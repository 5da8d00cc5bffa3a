"""Answers that a sentence names, and words that say a sentence names none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from .shapes import COLONS, PAIRS, Reading, found, missing, undressed

SPOKEN = re.compile(
    r"""\b(?P<article>the|my|a|an|one|this|another|corrected|revised
    |updated)\ (?:[a-z0-9-]{1,15}\ ){0,3}?
    (?P<noun>answer|move|operation|solution|guess|choice|bid|tour|word|password|substring
    |string|text)
    (?:(?:\ (?:that|which|of|with|for|from|formed|i)\b[^.:;,"\n]{0,80}?)?\ (?:is|would\ be
    |could\ be|will\ be|should\ be)\b:?|:)
    |^[^\w\n]{0,9}(?P<title>guess|word|password|substring|correction|(?:string
    |text)(?=[^\n]*\s*\Z))[*_]{0,3}[:：]
    |(?<=[.!?]\ )correction:|(?<![\w"'`])(?:final\ )?answer(?:\ is|\ should\ be|:)|答案(?:(?:是
    |为)[:：]?|[:：])""",
    re.I | re.M | re.X,
)
INTRODUCED = re.compile(
    r"[^\w\n]{0,9}(?:(?:so|thus|therefore|hence|clearly|here\ is|here['’]s"
    r"|i\ (?:think|believe))[,:]?\ )?",
    re.I,
)
PLAYED = re.compile(
    r"""\b(?:i|we)(?:['’]ll|\ will|\ would|\ should)?\ (?:now\ |just\ |therefore\ )?
    (?:choose|play|take|pick|say|guess|select|go\ with|ask\ for)(?:\ (?:the\ )?(?:card|number
    |word|move)|\ the(?=\ \d))?(?!\w)""",
    re.I | re.X,
)
AFTER_SPOKEN = re.compile(r"\s{0,9}(?:$|[.,;:!)。，]|(?:because|since|which|as|with|for)\b)", re.I)
NO_ANSWERS = {
    "correct", "incorrect", "right", "wrong", "valid", "invalid", "unique", "unknown",
    "legal", "illegal", "possible", "impossible",
    "allowed", "forced", "obvious", "clear", "simple", "easy", "this", "that", "it", "yes",
    "no", "as", "to",
}  # fmt: skip
NUMERIC = re.compile(r"[(\[]{0,3}-?\d[\d ,;:()\[\]+*/×-]{0,200}")
SENTENCE_END = re.compile(  # never words that may belong to a move: 3 with a reset
    r"\*{0,3}(?:$|[.!。](?:\s|$)|,?\s{0,9}(?:because|since|which|as|so|leaving|not"
    r"|rather|instead|with a total)\b)",
    re.I,
)
WITH_REASON = re.compile(  # one word, and why it is that
    r"(?P<word>[^\s,.]{1,99})(?:\.\s{1,9}(?=[A-Z])|,?\s{1,9}(?:because|since|which|as)\b|,?\s{1,9}[-–—]\s{1,9}(?=\w+\s+\w))"
)
RETRACTS = re.compile(  # the beginning of a sentence that takes back what was said before
    r"(?:^|[.!?]\s{1,9})\W{0,9}(?:wait|actually|sorry|oops|correction|edit|no"
    r"|instead|on second thought|scratch that|hmm)\b",
    re.I | re.M,
)
MEANT = re.compile(r"\b(?:i\ meant|scratch\ that:|edit:|instead,|actually,)\ ", re.I)
BETTER = re.compile(
    r"""(?P<word>["'*`]{1,3}\w[^\s,.]{1,40}"""
    r"""|(?<![^\s"'*`])\d[^\s,.]{0,40}) is (?:better|right|correct)\b""",
    re.I,
)
LED_TO = re.compile(
    r"\b(?:corrected|correction|revised"
    r"|updated)(?:\ \w{1,12})?[:：][*_ \t]{0,9}\n{1,3}(?P<line>[^\n]{1,5000})",
    re.I,
)
# nouns of what a task gives too, so only the last line names an answer by them
TASKS_OWN = {"string", "text"}
QUALIFIED = re.compile(  # with what may come between such a word and what it qualifies
    r"""(?:\b(?:wrong|bad|worse|worst|incorrect|invalid|illegal|impossible|losing|examples?
    |sample|previous|earlier|prior
    |alternative|opponent['’]?s?|not|never|if|whether|unless|suppose|supposing)
    |n['’]t)\b[^.,;:!?\n]{0,30}$""",
    re.I | re.X,
)
POSSIBLE = re.compile(r"\b(?:possible|potential)\ $", re.I)
HYPOTHETICAL = re.compile(r"\b(?:could|might|may|would|can|must|should)\ $", re.I)
# the task's own
GIVEN = re.compile(r"\b(?:given|original|input|provided|starting|whole|entire|full)\ $", re.I)
SUPPOSED = re.compile(  # what comes after a move of somebody else
    r"(?:^|[.!?]\ )\W{0,3}(?:if|when|once|should|suppose|assuming)\ (?:(?:the|my|your|our)\ )?"
    r"(?:opponent|they|he|she|you|it|blue|red|player)\b[^.!?\n]{0,60}$",
    re.I,
)
ASIDE_NOUN = re.compile(
    r"\b(?:about|of|in|on|within|into|regarding) (?:the|my|a|an|this"
    r"|another) (?:[a-z0-9-]{1,15} ){0,3}$",
    re.I,
)
# a possible one is offered
ANY_WILL_DO = {"answer", "solution", "guess", "word", "password", "substring", "string", "text"}
# nouns of what is played, whatever comes after it
COMMITTING = {"answer", "move", "guess", "choice", "correction"}
CONCLUDED = re.compile(
    r"\b(?:final|finally|so|thus|therefore|hence|actually|instead|revised|corrected|correct|correction)\b|最终|因此|所以",
    re.I,
)
CORRECTS = re.compile(r"\b(?:corrected|revised|updated|right)\b", re.I)
NEAR = 60  # characters around a mention that may speak of it
LONGEST_RETRACTION, LONGEST_MOVE = 2_000, 500  # characters


class Naming(NamedTuple):
    """A sentence that may name the answer."""

    noun: str  # as what
    answer: str  # "" where it names none
    concludes: bool
    corrects: bool


def qualified(lead: str) -> bool:
    """Whether the words before something say that it is not the answer: wrong, an example, somebody
    else's.
    """
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
    return spoken(line) if first and introduced(line[: first.end()]) else None


def disclaims(line: str) -> bool:
    """Whether it names something to say that it is not the answer."""
    return any(_is_disclaimed(mention, _lead(line, mention)) for mention in SPOKEN.finditer(line))


def spoken(text: str) -> Reading | None:
    """What a sentence says the answer is.

    Sentences that contradict each other say nothing, unless the last one concludes.
    """
    last: Naming | None = None
    answers = dict[str, set[str]]()
    for last in _namings(text):
        answers.setdefault(last.noun, set()).add(last.answer)
    if not last or not last.answer:
        return None
    if len(answers[last.noun] - {""}) > 1 and not last.concludes:
        return missing(cut=False)
    return found(last.answer)


def concluded(text: str) -> Reading | None:
    """What the last sentence says that takes back an answer given before."""
    last: Naming | None = None
    for naming in _namings(text):
        if (
            naming.answer
            and naming.concludes
            and (naming.noun in ("answer", "correction") or naming.corrects)
        ):
            last = naming
    if last:
        return found(last.answer)
    led = list(LED_TO.finditer(text))
    return found(undressed(led[-1]["line"])) if led else _meant(text)


def _meant(text: str) -> Reading | None:
    """What is meant instead, after words that take an answer back."""
    retractions = [retraction.start() for retraction in RETRACTS.finditer(text)]
    if not retractions:
        return None
    text = text[retractions[-1] :][:LONGEST_RETRACTION]
    for meant in MEANT.finditer(text):
        if answer := _named(text[meant.end() :].partition("\n")[0].strip(), "answer"):
            return found(answer)
    better = BETTER.search(text)
    return spoken(text) or played(text) or (found(undressed(better["word"])) if better else None)


def played(text: str) -> Reading | None:
    """What the speaker says to play, where that is one thing."""
    moves = set[str]()
    for mention in PLAYED.finditer(text):
        lead = text[max(0, mention.start() - NEAR) : mention.start()].rpartition("\n")[2]
        move = _named(
            text[mention.end() : mention.end() + LONGEST_MOVE].partition("\n")[0].strip(), "move"
        )
        if move and not qualified(lead) and not SUPPOSED.search(lead):
            moves.add(move)
    return found(moves.pop()) if len(moves) == 1 else None


def _namings(text: str) -> Iterator[Naming]:
    """Every sentence that may name the answer, each up to the next one."""
    mentions, last_line = list(SPOKEN.finditer(text)), text.rstrip().rfind("\n")
    for mention, after in zip_longest(mentions, mentions[1:]):
        lead = _lead(text, mention)
        if _is_disclaimed(mention, lead) or ASIDE_NOUN.search(lead):
            continue
        stop = after.start() if after else len(text)
        end = text.find("\n", mention.end(), stop)
        noun = (mention["noun"] or mention["title"] or "answer").lower()
        if noun in TASKS_OWN and mention.start() < last_line:
            continue
        answer = _named(text[mention.end() : end if end >= 0 else stop].strip(), noun)
        said = lead + mention[0]
        yield Naming(noun, answer, bool(CONCLUDED.search(said)), bool(CORRECTS.search(said)))


def _lead(text: str, mention: re.Match[str]) -> str:
    """The words of the line before what is named."""
    end = mention.start("noun") if mention["noun"] else mention.start()
    return text[max(0, mention.start() - NEAR) : end].rpartition("\n")[2]


def _is_disclaimed(mention: re.Match[str], lead: str) -> bool:
    noun = (mention["noun"] or "").lower()
    return bool(
        qualified(lead)
        or HYPOTHETICAL.search(lead)
        or GIVEN.search(lead)
        or SUPPOSED.search(lead)
        or (noun not in ANY_WILL_DO and POSSIBLE.search(lead))
    )


def explained(line: str) -> str:
    """The one word or the numbers a line begins with, if only why it is that follows."""
    word = WITH_REASON.match(line)
    return counted(line) or (undressed(word["word"]) if word else "")


def counted(line: str) -> str:
    """The numbers a line begins with, if nothing but their sentence's end or an explanation
    follows.
    """
    numbers = NUMERIC.match(line)
    bare = numbers[0].rstrip(" ,;:-(*") if numbers else ""
    return bare if SENTENCE_END.match(line, len(bare)) else ""


def _named(line: str, noun: str) -> str:
    """Dressed words, numbers or a single word; nothing where there are more."""
    for left, right in PAIRS:
        close = line.find(right, len(left)) if line.startswith(left) else -1
        after = SENTENCE_END if any(map(str.isdigit, line[:close])) else AFTER_SPOKEN
        if close > 0 and after.match(line, close + len(right)):
            return undressed(line[: close + len(right)]).strip()
    if numbers := counted(line):
        return numbers
    word = undressed(line if noun not in COMMITTING else re.split(r"[.!]\s", line, maxsplit=1)[0])
    if (
        len(word.split()) != 1
        or word.lower() in NO_ANSWERS
        or word.endswith(COLONS)
        or not any(map(str.isalnum, word))
    ):
        return ""
    return word
