"""Separates a model's thinking from its answer text: no answer is read from thinking."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from quandary.models.provider import Generation

TAG = r"(?:seed:)?(?:think(?:ing)?|thought|reasoning)"
OPENER = (
    rf"(?:<{TAG}>|\[THINK\]|<\|begin_of_thought\|>|<\|START_THINKING\|>|◁think▷|<\|channel>thought)"
)
TO_THE_USER = r"<\|channel\|>final[^<\n]{0,20}(?:<\|constrain\|>[^<\n]{0,20})?<\|message\|>"
CLOSER = (
    rf"(?:</{TAG}>|\[/THINK\]|<\|end_of_thought\|>|<\|END_THINKING\|>|◁/think▷"
    rf"|<channel\|>|{TO_THE_USER})"
)
OPENING, CLOSING, SPEAKING = (
    re.compile(OPENER, re.I),
    re.compile(CLOSER, re.I),
    re.compile(TO_THE_USER),
)
# elsewhere within a text a tag is only mentioned
OPENING_ALONE = re.compile(rf"^[ \t]*{OPENER}[ \t]*$", re.I | re.M)
CLOSING_APART = re.compile(rf"^[ \t]*{CLOSER}|{CLOSER}[ \t]*$", re.I | re.M)
CHANNELS = re.compile(r"\s*(?:<\|start\|>assistant)?<\|channel\|>")
CHANNEL_TOKENS = re.compile(
    r"<\|(?:start\|>assistant|channel\|>(?:analysis|commentary)|message\|>|end\|>)"
)
OPENING_LAST = re.compile(
    rf"(?<=\s){OPENER}(?!\s{{1,9}}(?:tags?|tokens?|blocks?|sections?)\b)", re.I
)
# what is left of channels where a server drops their tokens
BARE_CHANNELS = ("analysis", "assistantfinal")
FIRST_TOKENS = ("<|begin_of_solution|>", "<|START_RESPONSE|>")
LAST_TOKENS = ("<|return|>", "<|end|>", "<|end_of_solution|>", "<|END_RESPONSE|>", "</s>")
END_OF_TURN = re.compile(  # what follows is not part of the reply
    r"<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|END_OF_TURN_TOKEN)\|>|<end_of_turn>|<｜end▁of▁sentence｜>"
)


class Separated(NamedTuple):
    thinking: str
    said: str
    unclosed: bool = False  # the thinking never ended


def separate(generation: Generation, opened: bool = False) -> Separated:
    """Thinking and answer text; `opened` if the text begins inside the thinking."""
    text = _without_tokens(
        generation.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    )
    if generation.thinking.strip():
        return Separated(generation.thinking.strip(), text)
    before, final, after = text.rpartition(BARE_CHANNELS[1])
    if final and before.startswith(BARE_CHANNELS[0]):
        return Separated(before.removeprefix(BARE_CHANNELS[0]).strip(), after)
    return _from_channels(text) if CHANNELS.match(text) else _from_tags(text, opened)


def _from_channels(text: str) -> Separated:
    start = end = len(text)
    for final in SPEAKING.finditer(text):
        start, end = final.span()
    thinking = CHANNEL_TOKENS.sub("", text[:start]).strip()
    return Separated(thinking, text[end:], unclosed=start == end)


def _from_tags(text: str, inside: bool) -> Separated:
    thoughts, spoken, at = list[str](), list[str](), 0
    while True:
        if inside:
            closing = CLOSING.search(text, at)
            thoughts.append(text[at : closing.start() if closing else len(text)])
            if not closing:
                return Separated(_joined(thoughts), "".join(spoken), unclosed=True)
            at = closing.end()
        opening = _opening(text, at, begun=bool(spoken))
        if not opening:
            break
        if text[at : opening.start()].strip():
            spoken.append(text[at : opening.start()])
        at, inside = opening.end(), True
    left_open = _left_open(text, at)
    if left_open:
        spoken.append(text[at : left_open.start()])
        return Separated(
            _joined([*thoughts, text[left_open.end() :]]), "".join(spoken), unclosed=True
        )
    thought, said = _closed_only(_without_first_token("".join(spoken) + text[at:]), bool(thoughts))
    return Separated(_joined([*thoughts, thought]), said)


def _opening(text: str, at: int, begun: bool) -> re.Match[str] | None:
    """The tag that opens the next thought: right here before anything is said, else alone on a
    line.
    """
    here = at
    while not begun and here < len(text) and text[here].isspace():
        here += 1
    return (None if begun else OPENING.match(text, here)) or OPENING_ALONE.search(text, at)


def _left_open(text: str, at: int) -> re.Match[str] | None:
    """The tag that opens a thought behind other words of its line, if nothing closes it; else it is
    only mentioned.
    """
    last: re.Match[str] | None = None
    for opening in OPENING_LAST.finditer(text, at):
        last = opening
    return last if last and not CLOSING.search(text, last.end()) else None


def _closed_only(said: str, thought_before: bool) -> tuple[str, str]:
    """Thinking that was opened out of sight; tags after the last words close nothing, unless they
    are all there is.
    """
    tags, end, trailing = [found.span() for found in CLOSING_APART.finditer(said)], len(said), False
    while tags and not said[tags[-1][1] : end].strip():
        end, trailing = tags.pop()[0], True
    if tags:
        return said[: tags[-1][0]], said[tags[-1][1] : end]
    return (said[:end], "") if trailing and not thought_before else ("", said[:end])


def _joined(thoughts: Iterable[str]) -> str:
    return "\n\n".join(thought.strip() for thought in thoughts if thought.strip())


def _without_tokens(text: str) -> str:
    """The model's own turn, without what servers leave at its very end; a tag that was opened is no
    token.
    """
    text = next((part for part in END_OF_TURN.split(text) if part.strip()), "")
    tokens = LAST_TOKENS[:-1] if "<s>" in text else LAST_TOKENS
    end = kept = len(text)
    while end:
        if text[end - 1].isspace():
            end -= 1
        elif token := next((token for token in tokens if text.endswith(token, 0, end)), ""):
            end = kept = end - len(token)
        else:
            break
    return text[:kept]


def _without_first_token(said: str) -> str:
    for token in FIRST_TOKENS:
        said = said.lstrip().removeprefix(token) if token in said else said
    return said
