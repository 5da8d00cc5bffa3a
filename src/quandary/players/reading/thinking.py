"""Separates a model's thinking from what it says: no answer is read from thinking."""

from __future__ import annotations

from quandary.models.provider import Generation

from .rules import Rule, Ways, pattern_of

# Servers that keep thinking apart remove these signs.  Others leave the signs of a model's chat
# template in the reply, as its documentation shows them; each has the name of its family beside it.
NAMES: Ways = (
    Rule("think", "It could be 3.</think>5", "5"),  # DeepSeek, Qwen
    Rule("thinking", "<thinking>It could be 3.</thinking>5", "5"),  # Granite
    Rule("seed:think", "<seed:think>It could be 3.</seed:think>5", "5"),  # Seed-OSS
    Rule("thought", "<thought>It could be 3.</thought>5", "5"),  # EXAONE
    Rule("reasoning", "<reasoning>It could be 3.</reasoning>5", "5"),  # models trained with GRPO
)
OPENING: Ways = (
    Rule(r"\[THINK\]", "[THINK]Answer: 3"),  # Magistral
    Rule("◁think▷", "◁think▷Answer: 3"),  # Kimi
    Rule(r"<\|START_THINKING\|>", "<|START_THINKING|>Answer: 3"),  # Command
    Rule(r"<\|begin_of_thought\|>", "<|begin_of_thought|>Answer: 3"),  # OpenThinker
    Rule(  # gpt-oss
        r"<\|channel\|?>(?:analysis|commentary|thought)[^<\n]{0,40}(?:<\|message\|>)?",
        "<|channel|>analysis<|message|>Answer: 3",
    ),
)
CLOSING: Ways = (
    Rule(r"\[/THINK\]", "[THINK]It could be 3.[/THINK]5", "5"),
    Rule("◁/think▷", "◁think▷It could be 3.◁/think▷5", "5"),
    Rule(r"<\|END_THINKING\|>", "<|START_THINKING|>Is it 3?<|END_THINKING|>5", "5"),
    Rule(r"<\|end_of_thought\|>", "<|begin_of_thought|>Is it 3?<|end_of_thought|>5", "5"),
    Rule(r"<channel\|>", "<|channel>thought\nIt could be 3.<channel|>5", "5"),  # Gemma
    Rule(
        r"<\|channel\|>final[^<\n]{0,20}(?:<\|constrain\|>[^<\n]{0,20})?<\|message\|>",
        "<|channel|>analysis<|message|>Is it 3?<|end|><|channel|>final<|message|>5",
        "5",
    ),
    # gpt-oss, where a server leaves its tokens out
    Rule("assistantfinal", "analysisPerhaps it is 3.assistantfinal5", "5"),
)
TAGS = pattern_of(
    r"(?i)<%(names)s>|%(opening)s|(?P<closing></%(names)s>|%(closing)s)",
    names=NAMES,
    opening=OPENING,
    closing=CLOSING,
)
# What follows the end of a turn is not part of the reply.
ENDS: Ways = (
    Rule(r"<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|return)\|>", "5<|im_end|>\nuser", "5"),
    Rule(r"<\|END_OF_TURN_TOKEN\|>", "5<|END_OF_TURN_TOKEN|>", "5"),  # Command
    Rule(r"</s>\s*\Z", "5</s>", "5"),  # Llama 2, Mistral
    Rule("<end_of_turn>", "5<end_of_turn>\n", "5"),  # Gemma
    Rule("<｜end▁of▁sentence｜>", "5<｜end▁of▁sentence｜>", "5"),  # DeepSeek
)
END_OF_TURN = pattern_of("%(ends)s", ends=ENDS)
TOKENS = pattern_of(
    r"(?i)%(tokens)s",
    tokens=(
        Rule(r"<\|start\|>assistant", "<|start|>assistant5", "5"),  # gpt-oss
        Rule(r"<\|end\|>", "<|channel|>final<|message|>5<|end|>", "5"),
        # OpenThinker, Command
        Rule(r"<\|[a-z]{3,5}_(?:of_solution|response)\|>", "<|START_RESPONSE|>5", "5"),
    ),
)


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
    thoughts, rest, inside, at = list[str](), list[str](), opened, 0
    for tag in TAGS.finditer(text):
        (thoughts if inside else rest).append(text[at : tag.start()])
        if tag["closing"] and not inside and not thoughts:
            thoughts, rest = rest, []  # it was opened before the reply began
        inside, at = not tag["closing"], tag.end()
    (thoughts if inside else rest).append(text[at:])
    return "\n\n".join(filter(None, map(str.strip, thoughts))), "".join(rest), inside
