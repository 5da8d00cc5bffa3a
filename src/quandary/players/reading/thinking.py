"""Separates a model's thinking from what it says: no answer is read from thinking."""

from __future__ import annotations

import re

from quandary.models.provider import Generation

# Tags of thinking (4481470330da), channels of gpt-oss, whole or without tokens (documentation).
TAG = r"(?:seed:)?(?:think(?:ing)?|thought|reasoning)"
TAGS = re.compile(
    rf"""(?ix)<{TAG}>|\[THINK\]|◁think▷|<\|START_THINKING\|>|<\|begin_of_thought\|>
    |<\|channel\|?>(?:analysis|commentary|thought)[^<\n]{{0,40}}(?:<\|message\|>)?
    |(?P<closing></{TAG}>|\[/THINK\]|◁/think▷|<\|END_THINKING\|>|<\|end_of_thought\|>|<channel\|>
    |<\|channel\|>final[^<\n]{{0,20}}(?:<\|constrain\|>[^<\n]{{0,20}})?<\|message\|>
    |assistantfinal)"""
)
# What follows the end of a turn is not part of the reply (documentation of chat templates).
END_OF_TURN = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|return|END_OF_TURN_TOKEN)\|>|</s>\s*\Z"
    r"|<end_of_turn>|<｜end▁of▁sentence｜>"
)
TOKENS = re.compile(r"(?i)<\|(?:start\|>assistant|(?:end|[a-z]{3,5}_(?:of_solution|response))\|>)")


def separate(generation: Generation, opened: bool = False) -> tuple[str, str, bool]:
    """Return thinking, the rest, and whether thinking never ended; `opened` if it had begun."""
    text = generation.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if "<" in text or not text.strip():  # all of these begin with it
        text = TOKENS.sub("", next((part for part in END_OF_TURN.split(text) if part.strip()), ""))
    if generation.thinking.strip():
        return generation.thinking.strip(), text, False
    has_sign = "<" in text or "[" in text or "◁" in text  # all tags but the last begin with one
    if not has_sign and "stantf" not in text.casefold():
        return (text.strip(), "", True) if opened else ("", text, False)  # nothing to look for
    thoughts, said, inside, at = list[str](), list[str](), opened, 0
    for tag in TAGS.finditer(text):
        (thoughts if inside else said).append(text[at : tag.start()])
        if tag["closing"] and not inside and not thoughts:
            thoughts, said = said, []  # it was opened out of sight
        inside, at = not tag["closing"], tag.end()
    (thoughts if inside else said).append(text[at:])
    return "\n\n".join(filter(None, map(str.strip, thoughts))), "".join(said), inside
