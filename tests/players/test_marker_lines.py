"""What is looked for in few lines only is found as if all of a reply had been searched."""

from __future__ import annotations

from random import Random

from quandary.models.provider import Generation
from quandary.players.reading import marks, thinking
from quandary.players.reading.marks import MARKER, SURE, TAGS

BITS = [
    "\n", "\n", "\n", " ", ". ", "! ", "。", ":", "：", "】", "**", "_", "`", "#", "\t", "\x0c",
    "answer", "Answer", "ANſWER", "final answer", "the answer", "So, ", "therefore ", "here's my ",
    "答案", "结论", "回答", "答", "最终", "我的", "所以，", " is", "是", "为", "12", "x", "row 3",
    "<answer>", "</answer>", "answer>", "<|begin_of_box|>", "<|end_of_box|>", "<|BEGIN_OF_BOX|>",
]  # fmt: skip
SIGNS = [
    "<", "[", "◁", "think", ">", "]", "▷", "/", "<think>", "</think>", "[THINK]", "◁/think▷",
    "12\n", "<|im_end|>", "</s>", "assistantfinal", "aſſistantfınal", "<|start|>assistant", "\r\n",
]  # fmt: skip


def texts(bits: list[str], count: int) -> list[str]:
    rng = Random(11)
    return ["".join(rng.choices(bits, k=rng.randrange(1, 25))) for _ in range(count)]


def test_the_last_marker_is_found_in_its_line() -> None:
    """By its words and signs, in any case and language, and whatever stands around it."""
    found = 0
    for said in texts(BITS, 4_000):
        everywhere = [mark.start() for mark in MARKER.finditer(said) if SURE.search(mark[0])]
        assert everywhere[-1:] == [mark.start for mark in marks._marked(said, "line")], said
        found += bool(everywhere)

    assert 200 < found < 3_500


def test_tags_are_found_everywhere() -> None:
    """Where the quick look says that there are none, there are none."""
    found = 0
    for said in texts(BITS, 2_000):
        everywhere = [tag.start() for tag in TAGS.finditer(said)]
        assert everywhere == [mark.start for mark in marks._tagged(said, "line")], said
        found += bool(everywhere)

    assert 200 < found < 1_800


def test_thinking_is_separated_as_if_all_was_searched() -> None:
    """Where the quick look says that there are no tags, there are none."""
    found = 0
    for text in texts(SIGNS, 3_000):
        for opened in (False, True):
            assert _separated(text, opened) == thinking.separate(Generation(text), opened), text
        found += _separated(text, False)[0] != ""

    assert 300 < found < 2_700


def _separated(text: str, opened: bool) -> tuple[str, str, bool]:
    """All tags and tokens of a text are looked for, in the whole of it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    turns = [turn for turn in thinking.END_OF_TURN.split(text) if turn.strip()]
    text = thinking.TOKENS.sub("", turns[0] if turns else "")
    thoughts, said, inside, at = list[str](), list[str](), opened, 0
    for tag in thinking.TAGS.finditer(text):
        (thoughts if inside else said).append(text[at : tag.start()])
        if tag["closing"] and not inside and not thoughts:
            thoughts, said = said, []
        inside, at = not tag["closing"], tag.end()
    (thoughts if inside else said).append(text[at:])
    return "\n\n".join(filter(None, map(str.strip, thoughts))), "".join(said), inside


def test_long_replies_are_not_searched_line_by_line() -> None:
    """A search of every line for a marker would take milliseconds for a long reply."""
    lines = ["The answer could be 12, or so.", "Row 3: cell (2, 4) must be 7.", "I think <3> fits."]
    worth_while = [line for line in lines if marks._may_have_marker(line.casefold())]

    assert [] == worth_while
    assert marks._may_have_marker("so the answer:") and marks._may_have_marker("## answer")
