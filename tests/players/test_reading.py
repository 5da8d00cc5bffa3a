"""Answers out of replies: every dress, every shape, every way to think aloud, and texts that were
made to hurt.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Literal, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quandary.models.provider import Finish, Generation
from quandary.players.reading.reply import MARKER, Form, Reading, Readings, read
from quandary.players.reading.sentences import NO_ANSWERS
from quandary.players.reading.shapes import undressed

GRID = "#.#\n.#.\n##."
FENCED = f"```\n{GRID}\n```"
OBJECT = '{"answer": [1, "}"]}'
UNREADABLE, MALFORMED, TRUNCATED, REFUSED, EMPTY = map(
    Reading, ("unreadable", "malformed", "truncated", "refused", "empty")
)  # type: ignore[arg-type]
FORMS: tuple[Form, ...] = get_args(Form)
FINISHES: tuple[Finish, ...] = get_args(Finish)

AS_ASKED = [
    ("line", "Answer: banana", "banana"),
    ("line", "I think.\nSo be it.\n\nanswer:   (1, 2)  \n\n", "(1, 2)"),
    ("line", "ANSWER: #.#.", "#.#."),
    ("line", "答案：五", "五"),
    ("line", "答案: 五", "五"),
    ("line", "\ufeffAnswer: a\r\n", "a"),
    *[("line", f"Answer: 5{end}Answer: 7", "7") for end in "\r\u2028\u2029\x85"],
    *[
        ("line", f"Answer: 5{end}", "5")
        for end in ("<|im_end|>", "<|eot_id|>", "</s>", "<|endoftext|>", "<end_of_turn>")
    ],
    ("line", "Answer: 5<|im_end|>\n<|endoftext|>\n", "5"),
    ("line", "Answer: <s>5</s>", "<s>5</s>"),
    ("json", 'Answer: {"a": 5}\u2028Answer: {"a": "\u2028"}', '{"a": "\u2028"}'),
    ("json", 'Answer: {"a": "\\\\boxed{3}"}', '{"a": "\\\\boxed{3}"}'),
    ("json", 'Answer:\n{"a": 1,\n"fixed": {"b": 2}}', '{"a": 1,\n"fixed": {"b": 2}}'),
    ("line", 'Answer: <({[a]}*b`c`"d"#1!?', '<({[a]}*b`c`"d"#1!?'),
    ("block", f"Thinking.\nAnswer:\n{FENCED}", GRID),
    ("block", f"Answer: \n\n{FENCED}\n", GRID),
    ("block", "答案：\n```text\na b\n c\n```", "a b\n c"),
    ("block", "Answer:\n```\n\n  ab\n   c\n\n```", "ab\n c"),
    ("json", f"Answer: {OBJECT}", OBJECT),
    ("json", f"Answer:\n```json\n{OBJECT}\n```", OBJECT),
    ("json", 'Answer:\n{\n  "answer": 1\n}\n', '{\n  "answer": 1\n}'),
    ("json", 'Answer: {"n": ' + "9" * 10_000 + "}", '{"n": ' + "9" * 10_000 + "}"),
]
DRESSED_LINES = [  # what only the lenient reading takes, and what it takes
    ("**Answer:** banana", "banana"),
    ("**Answer: banana**", "banana"),
    ("**Answer**: banana", "banana"),
    ("**Answer**\n\nbanana", "banana"),
    ("*Answer: banana*", "banana"),
    ("__Answer:__ `banana`", "banana"),
    ("> Answer: banana", "banana"),
    ("- **Answer:** **banana**.", "banana"),
    ("✅ Final Answer: banana", "banana"),
    ("## Final Answer\n\n**banana**\n\nIt is a fruit.", "banana"),
    ("### Answer\nbanana", "banana"),
    ("Final answer is: banana.", "banana"),
    ("So, the final answer is: banana", "banana"),
    ("My answer: banana", "banana"),
    ("My next move: (1, 2)", "(1, 2)"),
    ("Answer (one word): banana", "banana"),
    ("Reasoning: it fits.\nOperation: (1, 2)", "(1, 2)"),
    ("Move: take 3", "take 3"),
    ("operation = (1, 2)", "(1, 2)"),
    ("Answer:\n\nbanana\n", "banana"),
    ("Answer:\n```\nbanana\n```\nThat is it.", "banana"),
    ("Answer: here is my word:\n\nbanana", "banana"),
    ("Answer: banana\n\nIt is a fruit.", "banana"),
    ("Final Answer: The final answer is $\\boxed{42}$. I hope it is correct.", "42"),
    ("**Final Answer**\n\\[\n\\boxed{banana}\n\\]", "banana"),
    ("Final answer: the word is **banana**.", "banana"),
    ("最终答案：五", "五"),
    ("**答案：** 五", "五"),
    ("## 最终答案\n五", "五"),
    ("操作：(1, 2)", "(1, 2)"),
    ("因此，答案是 **五**。", "五"),
    ("答案是五。", "五"),
    ("It is \\boxed{a}, no, \\boxed{\\text{b{}}}", "b{}"),
    ("so $\\boxed{\\{a\\_b\\}}$", "{a_b}"),
    ("So <answer>1</answer> or rather <answer>\n2\n</answer>.", "2"),
    ("The answer is **banana**.", "banana"),
    ('Therefore, the word is "banana" because it fits.', "banana"),
    ("Here is a valid 4-character English word: Herd", "Herd"),
    ("I take the b away. The 5-letter answer: wxflo", "wxflo"),
    ("So the piece of text that meets all demands is `abc`.", "abc"),
    ("A possible password could be `a*b_c!`", "a*b_c!"),
    ("Password: abc!", "abc!"),
    ("```\nbanana\n```", "banana"),
    ("Here it is:\n~~~text\n  banana\n~~~\nIt is a fruit.", "banana"),
    ("```banana```", "banana"),
    ("```\nbanana", "banana"),
    ("Look!\n\n**banana**\n\n**Explanation:**\n* **Length:** it has **6** letters.", "banana"),
    ("Here you go: **banana**", "banana"),
    ("banana", "banana"),
    ("  'banana'\n", "banana"),
    ("`banana`.", "banana"),
    ("- banana", "banana"),
    ("**banana**", "banana"),
    ("$5$", "5"),
    ("vigilant.", "vigilant"),
    ("{<stakes>{linaloe}<reales>}.", "{<stakes>{linaloe}<reales>}"),
    ("banana\n\n### Explanation:\nIt is a fruit.", "banana"),
    ("apple is not 6 letters long, I will try again.\n\nbanana", "banana"),
    ("I will try another word:\n\nbanana", "banana"),
    ("Answer: use <think> and </think> here\nnow", "use <think> and </think> here"),
    ("Answer: banana\n\nMove: 3", "banana"),
    ("Answer: banana\n\nMove: 3\n\nOperation: add 3 to 4", "banana"),
    ("Answer: 3\n\n**Final answer:** banana", "banana"),
    ("Answer:\nMove: banana", "banana"),
    ("## Answer\n\nI move it.\n\n**Move:** banana", "banana"),
    ("Answer: banana\n\nI thought of \\boxed{6} first.", "banana"),
    ("Answer: banana\n\n\\boxed{6} is wrong.", "banana"),
    ("Answer: 3\n\nWait, \\boxed{banana}", "banana"),
    ("Answer: 3\n\n<answer>banana</answer>", "banana"),
    ("**Answer:** 2 + 3 = \\boxed{5}", "5"),
    ("<answer>Answer: banana</answer>", "banana"),
    ("<answer>\n**Answer: banana**\n</answer>", "banana"),
    ("The best move is banana. The worst move is 9.", "banana"),
    ("The move is 5.\nThe move is 6.\nSo the final move is banana.", "banana"),
    ("The move is legal.\n\nTake 5.", "Take 5"),
    ("I can't do this puzzle in my head, but here is my guess:\nbanana", "banana"),
    ("I take 5.\n\nLet me know if you have a question about the text: hello", "5"),
    ("I won't play 4. I play 5", "5"),
    ("I play card 8. After that, the number of stones left is **26**.", "8"),
    ("If the opponent then takes 13, the winning move is 13.\n\nSo now I play 8.", "8"),
    ("I play 8. If they answer with 12, my next move is 1.", "8"),
    ("I can't win by force, so I'll just play 1.", "1"),
    ("After some thought, I'll go with banana.", "banana"),
    ("The string is bananarama.\n\nI choose **banana**.", "banana"),
    ("```python\nmove = 34 % 13\nprint(move)\n```\n\nSo I play 8.", "8"),
    ("Answer: 5\n\nWait, that leaves 29. So my final answer is 8.", "8"),
    ("**Answer: 5**\n\nOn reflection, no.\n**Final answer is 8**", "8"),
    ("Answer: pear\n\nThat has four letters, so the answer should be **banana**.", "banana"),
    ("Answer: pear\n\nOops, four letters! Correction: banana", "banana"),
    ("答案：pear\n\n少了两个字母，所以最终答案是 banana。", "banana"),
    ("Move: 8\n\nFinal result: 26 stones are left", "8"),
    ("My move: 8\n\nNext move: the opponent must take 3", "8"),
    ("## Answer\n\nThe six letters fit the tiles well.\n\n**banana**", "banana"),
    ("**✅ Final Answer: banana**", "banana"),
    ("**Answer: 2 0 2** ✅", "2 0 2"),
    ("**Final Answer: banana** (6 letters, all on the tiles)", "banana"),
    ("**Answer:** banana (made from the tiles)", "banana"),
    ("```\nThe answer: banana```", "banana"),
    ("4. **Answer:** banana", "banana"),
    ("Answer to the puzzle: banana", "banana"),
    ("Final Answer → banana", "banana"),
    ("<b>Answer:</b> banana", "banana"),
    ("<strong>Answer: banana</strong>", "banana"),
    ("<final_answer>banana</final_answer>", "banana"),
    ("<|begin_of_box|>banana<|end_of_box|>", "banana"),
    ("【答案】banana", "banana"),
    ("答：banana", "banana"),
    ("综上所述，答案为：banana", "banana"),
    ("So the move is 2 0 2.", "2 0 2"),
    ("So my move is (2, 0, 2), which fits.", "(2, 0, 2)"),
    ("So my answer is 7 * 3.", "7 * 3"),
    ("The answer is 8. This leaves 26.", "8"),
    ("\\boxed{2 \\text{ reset}}", "2 reset"),
    ("\\boxed{2\\ 0\\ 2}", "2 0 2"),
    ("\\boxed{7 \\times 3}", "7 * 3"),
    ("banena is not correct.\n6 letters are needed.\nbanana", "banana"),
    ("**答案：** ８", "8"),
    ("**答案：** 【20，6，4】", "[20,6,4]"),
    ("**Answer:** I play 1, leaving 14 stones.", "1"),
    ("**Answer:** (3, 1), not (3, 2)", "(3, 1)"),
    ("**Answer:** [8], leaving [26]", "[8]"),
    ("**Answer:** [20, 6, 4] with a total value of 463", "[20, 6, 4]"),
    ("**Answer:** [[1, 2],\n[3, 4]]", "[[1, 2], [3, 4]]"),
    ("**Answer:** unsolvable, because the value is -5", "unsolvable"),
    ("**Answer:** unsolvable. The value is -5.", "unsolvable"),
    ("**Answer:** banana - all letters are among the tiles", "banana"),
    ("Answer: 6\nActually, no. That fails to the reply 8. I should play 9 instead.", "9"),
    ("**Answer:** Unsolvable (the value is -5)", "Unsolvable"),
    ("Answer: 6\nWait, that is wrong. The right move is 9.", "9"),
    ("Answer: 6\nCorrection: I play 9.", "9"),
    ("Answer: 6\nSorry, I meant 9.", "9"),
    ("Answer: 6\nActually, 9 is better.", "9"),
    ("Answer: 6\nNo, scratch that: 9.", "9"),
    ("Answer: banana\n\nWait, let me check: six letters. Actually, this is correct.", "banana"),
    ("Answer: banana\n\nNo letter is left over. The word is valid.", "banana"),
    ("Answer: banana\n\nNo matter what the opponent does, their best move is 7.", "banana"),
    ("Answer: 6\nEdit: 9", "9"),
    ("Answer: 6\nOn second thought, I'll play 9.", "9"),
    ("Answer: 6\nTherefore, the corrected move is **9**.", "9"),
    ("Answer: 6\nHmm, no. Instead, I play 9.", "9"),
    ("Answer: P17!@#\nThree special signs are too few. Corrected password: P17!@#$", "P17!@#$"),
    ("Answer: (a)\nThis has depth 1, so it is wrong. Corrected:\n((a))", "((a))"),
    ("**Answer:** $7 \\times 3$", "7 * 3"),
    ("So there it is.\n#### 8", "8"),
    ("**Answer:** 8<|eot_id|><|start_header_id|>user<|end_header_id|>\nAnswer: 9", "8"),
]
KEPT_LINES = (
    "3 with a reset",
    "3 (with a reset)",
    "3 (using a reset)",
    "3; reset",
    "0 1 (hold 1)",
    "5 (give up)",
    "K - compete",
    "take **3** with a **reset**",
    "a.b.",
    "#.#.",
    "...",
    "****",
    "**a** b **c**",
    '"a" "b"',
    "$abc$",
    "Paris11!?!",
    "[a](b)",
    "*ab*",
    "_a_",
    "a*",
    "-5",
    "-",
    "'",
)
DRESSED_BLOCKS = [
    (f"**Answer:**\n\n{FENCED}\n\nThere.", GRID),
    (f"Answer:\n{GRID}\n\nEach row is right.", GRID),
    (f"Answer: Here is the map:\n\n{FENCED}", GRID),
    (f"```\nAnswer:\n{GRID}\n```", GRID),
    (f"Answer: {GRID}", GRID),
    ("Answer:  #\n##", " #\n##"),
    (f"<answer>\nAnswer:\n{GRID}\n</answer>", GRID),
    (f"Final Answer\n{GRID}\nNote: it is mine.", GRID),
    ("First\n```\nno\n```\nthen\n   ~~~~ text\n   #.#\n   .#.\n   ##.\n   ~~~~\nDone.", GRID),
    (f"```\n{GRID}", GRID),
    (f"```\n{GRID}```", GRID),
    ("```#.#\n.#.\n##.\n```", GRID),
    (f"<answer>\n{FENCED}\n</answer>", GRID),
    (f"<answer>{GRID}</answer>", GRID),
    ("\\boxed{\\begin{array}{cc} 1 & 2 \\\\ 2 & 1 \\end{array}}", "1   2 \n2   1 "),
    (GRID, GRID),
    (f"\n\n{GRID}\n\n### Explanation\nIt is so.", GRID),
    (f"Here is the solved 4x4 Sudoku:\n\n{GRID}", GRID),
    (f"Here is the grid:\n{GRID}\n\nLet me know if you want another one!", GRID),
    ("1. banana: 3\n2. apple: 4\n\nSorted words:\n1. apple\n2. banana", "apple\nbanana"),
    ("- apple\n- banana pie", "apple\nbanana pie"),
    ("**1324**  \n**2413**", "1324\n2413"),
    ("**1324\n2413**", "1324\n2413"),
    ("answer\nmove\noperation", "answer\nmove\noperation"),
    ("note\nanalysis\nsteps", "note\nanalysis\nsteps"),
    ("- x -\n- o x", "- x -\n- o x"),
    ("1. banana\napple", "1. banana\napple"),
    ("2. banana\n4. apple", "2. banana\n4. apple"),
    ("apple, banana, pie", "apple, banana, pie"),
    (f"Answer:\nThe map below has one island.\n{FENCED}", GRID),
    (f"Answer:\nThis keeps all the demands:\n- three rows of three tiles\n{FENCED}", GRID),
    (f"Answer:\n```\n...\n```\n\nThat is too small. Let me fix that:\n{FENCED}", GRID),
    (f"{FENCED}\n\nTo check it:\n```python\nprint(rows)\n```", GRID),
    (f"{FENCED}\n\nThe format was as in the example:\n```\n###\n```", GRID),
    ("Answer:\n\nalign\n\nclock\n\ndrawings\n\nThese are in order.", "align\nclock\ndrawings"),
    ("Answer:\n12\n34\n\n43\n21\n\nDone!", "12\n34\n43\n21"),
    ("Answer:\n| 1 | 2 |\n|---|---|\n| 2 | 1 |", "1 2\n2 1"),
    ("Answer:\n1 2 | 4 3\n----+----\n4 3 | 2 1", "1 2 4 3\n4 3 2 1"),
]
DRESSED_OBJECTS = [
    (f"**Answer:** {OBJECT} there.", OBJECT),
    (f"I say\n```json\n{OBJECT}\n```\nand mean it.", OBJECT),
    (f'First {{"a": 1}}, then {OBJECT}.', OBJECT),
    (f"A set {{x}} and {OBJECT} and {{y}}", OBJECT),
    (f"An open {{ and\n{OBJECT}", OBJECT),
    (f'It is 5" long\n{OBJECT}', OBJECT),
    (f"<answer>{OBJECT}</answer>", OBJECT),
    (f"Answer: using {{row, column}} as names,\n{OBJECT}", OBJECT),
    (
        (
            f'Answer: {{"a": 1}}\n\nWait, that is wrong. The corrected answer '
            f"is:\n```json\n{OBJECT}\n```"
        ),
        OBJECT,
    ),
    (f'答案：{{"a": 1}}\n\n更正如下：{OBJECT}', OBJECT),
]
COMMITTED_IN_VAIN: list[tuple[Form, str, Reading]] = [
    ("line", "Answer: banana\nNo.\nAnswer:", UNREADABLE),
    ("line", "Answer: banana\n\n**Final answer:**\n", UNREADABLE),
    ("line", "Answer: banana\nAnswer:\n```\na\nb\n```", UNREADABLE),
    ("line", "Answer: banana or \\boxed{", UNREADABLE),
    ("line", "take 3 or take 4, I cannot tell.\nMaybe take 5?", UNREADABLE),
    ("line", "apple\n\nor\n\nbanana", UNREADABLE),
    ("line", "apple\n\n(Replaced with a new guess)\nbanana", UNREADABLE),
    ("line", "**apple**\n\nor\n\n**banana**", UNREADABLE),
    ("line", "It is not apple.\nThe answer is not known.", UNREADABLE),
    ("line", 'apple is no part of the string, but "pear" is.\nSo it goes on.', UNREADABLE),
    ("line", "Answer: 5 (because \\boxed{6} is wrong)", UNREADABLE),
    ("line", "Answer: 5 <answer>6</answer>", UNREADABLE),
    ("line", "The wrong one is \\boxed{9}.", UNREADABLE),
    ("line", "A bad move would be 9.", UNREADABLE),
    ("line", "A bad move would be **9**.", UNREADABLE),
    ("line", "One possible move is 9.", UNREADABLE),
    ("line", "Possible answer: 9", UNREADABLE),
    ("line", "The length of the word is 9.\nIt fits.", UNREADABLE),
    ("line", "My previous move: 9", UNREADABLE),
    ("line", "The opponent's answer: 9", UNREADABLE),
    ("line", "If the answer is **9**, I lose.", UNREADABLE),
    ("line", "Not the answer: 9", UNREADABLE),
    ("line", "Wrong answer: 9\nRight is 5", UNREADABLE),
    ("line", "Example answer: 9", UNREADABLE),
    ("line", "The move is 5. The move is 6.", UNREADABLE),
    ("line", "Answer: <your answer>", UNREADABLE),
    ("line", "Answer: <place as its bits, for example 01101>", UNREADABLE),
    (
        "line",
        "I am to end with one line like\nAnswer: 7\nwhere 7 stands for the card. Shall we begin?",
        UNREADABLE,
    ),
    (
        "line",
        "With those tiles you could answer: banana\nI cannot think of a word with these tiles.",
        UNREADABLE,
    ),
    (
        "line",
        (
            "I looked at [1, 2], but the walk from 1 to 2 takes too long, so it does not work out "
            "at all."
        ),
        UNREADABLE,
    ),
    ("line", "So it is $\\boxed{3}$ with a reset", UNREADABLE),
    ("block", f"The board is:\n{FENCED}\nI believe that this has no solution.", UNREADABLE),
    (
        "block",
        f"The position that was tried already:\n{FENCED}\nSo a different move is needed.",
        UNREADABLE,
    ),
    (
        "json",
        f"I will answer in the form that was shown:\n{OBJECT}\nBut first I need to know more.",
        UNREADABLE,
    ),
    ("line", "```python\nprint(8)\n```", UNREADABLE),
    ("line", "Average: **7**\n\nI cannot decide.", UNREADABLE),
    ("line", "I'm sorry, but there is no such word.", UNREADABLE),
    ("line", "Answer: I'm sorry, but I can't help with that.", REFUSED),
    ("line", "Text: bananarama\nLength: 6\n\nWe look for six letters in it.", UNREADABLE),
    ("block", f"{FENCED}\nThis does not work. I was not able to find one.", UNREADABLE),
    ("block", f"Option 1:\n{FENCED}\nOption 2:\n{FENCED}", UNREADABLE),
    ("json", f"The format is {OBJECT}. So the mines are at (1, 1).", UNREADABLE),
    ("json", "Answer:\n{\n  answer: [1],\n  process: []\n}", MALFORMED),
    ("block", f"Answer:\n{FENCED}\nAnswer:\n```\n```", UNREADABLE),
    ("block", f"{GRID}\n\nLet me try that once again.\n\n{GRID}", UNREADABLE),
    ("json", f"{OBJECT}\nAnswer: none", UNREADABLE),
    ("json", "no braces", UNREADABLE),
    ("json", "Answer: {'a': 1}", MALFORMED),
    ("json", 'Answer: {"a": NaN}', MALFORMED),
    ("json", 'Answer: {"a": [-Infinity]}', MALFORMED),
    ("json", f'{OBJECT}\nAnswer: {{"a": 1,}}', MALFORMED),
    ("json", f'Answer: {{"a": {OBJECT}', MALFORMED),
    ("json", f'I say {{"a": {OBJECT}', MALFORMED),
    ("json", 'Answer: {"a":' * 3000 + "1" + "}" * 3000, MALFORMED),
    ("json", 'Answer: {"a":' + "[" * 100_000 + "]" * 100_000 + "}", MALFORMED),
]
THOUGHT = [
    ("<think>Answer: 1</think>Answer: 2", "Answer: 1"),
    ("<think>\nAnswer: 1\n</think>\n\nAnswer: 2", "Answer: 1"),
    ("<thinking>Answer: 1</thinking>\nAnswer: 2", "Answer: 1"),
    ("\n<REASONING>Answer: 1</REASONING>\nAnswer: 2", "Answer: 1"),
    ("[THINK]Answer: 1[/THINK]Answer: 2", "Answer: 1"),
    (("<|begin_of_thought|>\nAnswer: 1\n<|end_of_thought|>\n<|begin_of_solution|>\nAnswer: "
     "2\n<|end_of_solution|>"), "Answer: 1"),
    ("◁think▷Answer: 1◁/think▷Answer: 2", "Answer: 1"),
    ("<|START_THINKING|>Answer: 1<|END_THINKING|><|START_RESPONSE|>Answer: 2<|END_RESPONSE|>", "Answer: 1"),
    ("analysisAnswer: 1assistantfinalAnswer: 2", "Answer: 1"),
    (("<|channel|>analysis<|message|>Answer: "
     "1<|end|><|start|>assistant<|channel|>final<|message|>Answer: 2<|return|>"), "Answer: 1"),
    ("Answer: 1\n</think>\nAnswer: 2", "Answer: 1"),
    ("Answer: 1</think>\nAnswer: 2", "Answer: 1"),
    ("<think>a</think>\n<think>b</think>\nAnswer: 2", "a\n\nb"),
    ("Let me see.\n<think>\nAnswer: 1\n</think>\nAnswer: 2", "Answer: 1"),
    ("<think></think>\nAnswer: 2\n</think>", ""),
    ("Answer: 2", ""),
]  # fmt: skip


def _read(
    text: str,
    form: Form = "line",
    finish: Finish = "stop",
    thinking: str = "",
    *,
    opened: bool = False,
) -> Readings:
    return read(Generation(text, thinking, finish), form, opened=opened)


@pytest.mark.parametrize(("form", "text", "answer"), AS_ASKED)
def test_what_was_asked_for_is_read_as_it_is(form: Form, text: str, answer: str) -> None:
    """The strict reading takes an answer in the shape asked for, letter by letter, and the lenient
    one is never poorer.
    """
    readings = _read(text, form)

    assert Reading("answered", answer) == readings.strict
    assert Reading("answered", undressed(answer) if form == "line" else answer) == readings.lenient


@pytest.mark.parametrize("marker", MARKER.values())
@pytest.mark.parametrize(
    ("form", "answer"), [("line", " 5"), ("block", f"\n{FENCED}"), ("json", f" {OBJECT}")]
)
def test_the_markers_prompts_ask_for_are_strict(marker: str, form: Form, answer: str) -> None:
    """What `MARKER` says is what the strict reading looks for."""
    assert "answered" == _read(f"Well.\n{marker}{answer}", form).strict.status


@pytest.mark.parametrize(("text", "answer"), DRESSED_LINES)
def test_a_line_in_any_common_dress(text: str, answer: str) -> None:
    """The lenient reading takes it, the strict one does not."""
    assert (UNREADABLE, Reading("answered", answer)) == _read(text)[:2]


@pytest.mark.parametrize("answer", KEPT_LINES)
@pytest.mark.parametrize("dress", ["{}", "Answer: {}", "**Answer:** {}\nThere.", "```\n{}\n```"])
def test_nothing_that_may_belong_to_an_answer_is_stripped(answer: str, dress: str) -> None:
    """Only dress in pairs around the whole of it goes."""
    assert Reading("answered", answer) == _read(dress.format(answer)).lenient


@pytest.mark.parametrize(("text", "answer"), DRESSED_BLOCKS)
def test_a_block_in_any_common_dress(text: str, answer: str) -> None:
    """Inner lines stay as they are; bullets and dress go where every line has them."""
    assert (UNREADABLE, Reading("answered", answer)) == _read(text, "block")[:2]


@pytest.mark.parametrize(("text", "answer"), DRESSED_OBJECTS)
def test_an_object_in_any_common_dress(text: str, answer: str) -> None:
    """The last one that stands in no other, word for word."""
    assert (UNREADABLE, Reading("answered", answer)) == _read(text, "json")[:2]


@pytest.mark.parametrize(("form", "text", "reading"), COMMITTED_IN_VAIN)
def test_nothing_takes_the_place_of_an_answer_that_cannot_be_used(
    form: Form, text: str, reading: Reading
) -> None:
    """No earlier marker, no move that only occurs, no choice among several."""
    assert (reading, reading) == _read(text, form)[:2]


def test_words_after_the_answer_are_not_what_was_asked_for() -> None:
    """The answer is asked for as the last line: strict refuses more, lenient does not."""
    assert (UNREADABLE, Reading("answered", "5")) == _read("Answer: 5\nI am sure.")[:2]
    assert (UNREADABLE, Reading("answered", GRID)) == _read(
        f"Answer:\n{FENCED}\nI am sure.", "block"
    )[:2]
    assert (UNREADABLE, Reading("answered", OBJECT)) == _read(
        f"Answer: {OBJECT}\nI am sure.", "json"
    )[:2]
    assert (UNREADABLE, Reading("answered", "6")) == _read("Answer: 5\n**Answer:** 6")[:2]


@pytest.mark.parametrize(("text", "thinking"), THOUGHT)
def test_thinking_is_set_apart_first(text: str, thinking: str) -> None:
    """Whatever the tags are called, and where the prompt held the first of them."""
    assert Readings(Reading("answered", "2"), Reading("answered", "2"), thinking) == _read(text)


@pytest.mark.parametrize(
    "text",
    ["<think>Answer: 1", "[THINK]\nAnswer: 1\n", "<|channel|>analysis<|message|>Answer: 1", "Answer: 1\n<think>\nAnswer: 2\n",
     "<think>a</think><think>Answer: 1", "<think>a</think>Answer: 5 <think>hmm",
     "Answer: 5 <think>hmm\nAnswer: 6", "<think>" * 100 + "Answer: 1"],
)  # fmt: skip
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_nothing_is_read_out_of_thinking_that_does_not_end(
    text: str, finish: Literal["stop", "length"]
) -> None:
    """It is truncated, whatever stands in it."""
    assert (TRUNCATED, TRUNCATED) == _read(text, finish=finish)[:2]


def test_thinking_the_prompt_has_opened() -> None:
    """The text begins inside it."""
    assert Readings(Reading("answered", "2"), Reading("answered", "2"), "Answer: 1.") == _read(
        "Answer: 1.</think>Answer: 2", opened=True
    )
    assert Readings(TRUNCATED, TRUNCATED, "Answer: 1") == _read("Answer: 1", opened=True)


def test_thinking_the_server_keeps_apart() -> None:
    """Then the text is what was said, and tags in it are only words."""
    assert Readings(Reading("answered", "2"), Reading("answered", "2"), "hm") == _read(
        "Answer: 2", thinking="hm"
    )
    assert Reading("answered", "<think>") == _read("<think>", thinking="hm").lenient


def test_silence() -> None:
    """Nothing said is empty, unless the tokens went into thinking."""
    assert Readings(EMPTY, EMPTY) == _read(" \n")
    assert Readings(EMPTY, EMPTY, "hm") == _read("", thinking="hm")
    assert Readings(TRUNCATED, TRUNCATED, "hm") == _read("", finish="length", thinking="hm")
    assert Readings(TRUNCATED, TRUNCATED, "hm") == _read("<think>hm</think>\n", finish="length")
    assert Readings(EMPTY, EMPTY, "Answer: 1") == _read("Answer: 1\n</think>")


@pytest.mark.parametrize(
    ("form", "text", "answer"),
    [("line", "Answer: 5\n", "5"), ("line", "Answer: 5\nThat", "5"), ("line", "5\n", "5"), ("line", "so \\boxed{5}", "5"),
     ("line", "<answer>5</answer>", "5"), ("line", "The answer is **5**", "5"), ("line", "**Answer: 12**", "12"),
     ("line", "<answer>Answer: 5</answer>", "5"),
     ("block", f"Answer:\n{FENCED}", GRID), ("block", f"Answer:\n{GRID}\n\n", GRID), ("block", f"{GRID}\n\n", GRID),
     ("block", FENCED, GRID), ("json", f"Answer: {OBJECT}", OBJECT), ("json", OBJECT, OBJECT)],
)  # fmt: skip
def test_an_answer_that_is_certainly_whole_counts_when_tokens_run_out(
    form: Form, text: str, answer: str
) -> None:
    """A line end, a closed fence, a closing brace: what comes after may be lost."""
    assert Reading("answered", answer) == _read(text, form, "length").lenient


@pytest.mark.parametrize(
    ("form", "text"),
    [("line", "Answer: 5"), ("line", "Answer: 5\nAnswer: 6"), ("line", "Answer: 5\nAnswer:\n\n"), ("line", "5"),
     ("line", "\\boxed{5"), ("line", "<answer>5"), ("line", "the answer is 5"), ("line", "Answer: 5\nNo, \\boxed{6"),
     ("line", "I'm sorry, but I can't"), ("line", ('The word is "chair". Let me check each letter: '
                                                  'c is there, h')),
     ("block", f"Attempt 1:\n{FENCED}\nBut let me look at the rule about"), ("json", f"The draft: {OBJECT}. But is it"),
     ("block", f"Answer:\n```\n{GRID}\n"), ("block", f"Answer:\n{GRID}\n"), ("block", GRID), ("block", f"```\n{GRID}\n"),
     ("json", 'Answer: {"a": {}'), ("json", f'{OBJECT} {{"a"'), ("json", "Answer: ")],
)  # fmt: skip
def test_an_answer_that_may_go_on_is_truncated(form: Form, text: str) -> None:
    """It is not taken, and none before it is either."""
    cut = _read(text, form, "length")

    assert "answered" != cut.strict.status
    assert TRUNCATED == cut.lenient


@pytest.mark.parametrize(
    "text",
    ["I'm sorry, but I can't help with that.", "I cannot assist with this request.", "Sorry, I can’t do that.",
     "I am unable to provide that.", "I'm sorry, I can't.", "I'm sorry, but I cannot.", "I must refuse.", "I can't.",
     "Unfortunately, I cannot assist with that request.", ("As a large language model, I can't "
                                                          "assist with this."),
     "I apologize, but as an AI language model I cannot play.", ("As an AI language model, I do "
                                                                "not play games."),
     "I don't feel comfortable with this.", "I won't be able to play this game.", ("I'm not going "
                                                                                  "to participate "
                                                                                  "in this."),
     "抱歉，我无法回答。", "很抱歉，我不能帮助你。"],
)  # fmt: skip
@pytest.mark.parametrize("form", FORMS)
def test_refusals_are_told_apart(text: str, form: Form) -> None:
    """By their first words, where no answer is committed; and by what the server says."""
    assert (REFUSED, REFUSED) == _read(text, form)[:2]
    assert "answered" == _read(f"{text}\nAnswer:\n```\n{OBJECT}\n```", form).lenient.status
    assert (REFUSED, REFUSED) == _read(f"Answer: {OBJECT}", form, "refused")[:2]


SIGNS = st.characters(exclude_characters="\n\r", exclude_categories=["Zs", "Cc", "Zl", "Zp"])
PLAIN_DRESSES = [
    text for text, answer in DRESSED_LINES if answer == "banana" and "banana." not in text
]
GRID_DRESSES = [  # letters right behind a fence would name a language
    text
    for text, answer in DRESSED_BLOCKS
    if answer == GRID and GRID in text and "```#" not in text
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=4
)


def _encloses(text: str) -> bool:
    """Whether a text holds a mark of its own: a box, a tag, a token, or the beginning of a fence."""
    return "\\boxed{" in text or "<" in text or text.lstrip().startswith(("```", "~~~"))


@given(st.text(), st.text(SIGNS, min_size=1))
def test_strict_takes_any_line_after_the_marker(before: str, line: str) -> None:
    """Whatever the line is, and whatever was said before on other lines."""
    assume(not _encloses(line))

    assert Reading("answered", line) == _read(f"Well.\n{before!a}\nAnswer: {line}").strict


@given(
    st.from_regex(r"[a-z]{2,9}[a-z0-9!?@#%&^+=(){}<>\[\]-]{0,9}", fullmatch=True),
    st.sampled_from(PLAIN_DRESSES),
)
def test_any_line_comes_out_of_any_dress(line: str, dress: str) -> None:
    """As it went in."""
    assume(line not in NO_ANSWERS and not line.startswith(("answer", "operation", "move")))
    assume("boxed" not in dress or not set("{}") & set(line))  # in a formula braces come in pairs

    assert Reading("answered", line) == _read(dress.replace("banana", line)).lenient


@given(
    st.lists(st.from_regex(r"[.#o]{5}", fullmatch=True), min_size=2, max_size=9),
    st.sampled_from(GRID_DRESSES),
)
def test_any_map_comes_out_of_any_dress(rows: list[str], dress: str) -> None:
    """No row of it is ever touched."""
    grid = "\n".join(rows)

    assert Reading("answered", grid) == _read(dress.replace(GRID, grid), "block").lenient


@given(
    st.text(),
    st.sampled_from([("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("__", "__"), ("“", "”")]),
)
def test_undressing_takes_what_stands_around_and_nothing_else(
    line: str, pair: tuple[str, str]
) -> None:
    """What is left is part of the line, and a pair around it comes off again."""
    bare, (left, right) = undressed(line), pair
    assume(bare and undressed(bare) == bare and not set(left + right) & set(bare))

    assert bare in line
    assert bare == undressed(f" {left}{bare}{right}. ")


@given(st.dictionaries(st.text(max_size=9), JSON, max_size=3), st.booleans(), st.text(max_size=20))
def test_any_object_comes_back_word_for_word(
    thing: dict[str, object], plain: bool, before: str
) -> None:
    """Braces, quotes and escapes in its strings included."""
    text = json.dumps(thing, ensure_ascii=plain)
    assume(not _encloses(text))

    assert Reading("answered", text) == _read(f"{before!a}\nAnswer: {text}", "json").lenient
    assert Reading("answered", text) == _read(f"There:\n{text}\n", "json").lenient


@given(st.text(), st.sampled_from(FORMS), st.sampled_from(FINISHES), st.booleans(), st.text())
def test_any_text_is_read(
    text: str, form: Form, finish: Finish, opened: bool, thinking: str
) -> None:
    """A reading is always whole: an answer if and only if it is answered, and strict is never
    richer than lenient.
    """
    _assert_sound(read(Generation(text, thinking, finish), form, opened=opened))


def _assert_sound(readings: Readings) -> None:
    statuses = {"answered", "unreadable", "malformed", "refused", "truncated", "empty"}
    for reading in readings[:2]:
        assert reading.status in statuses
        assert (reading.status == "answered") == bool(reading.answer.strip())
    assert "answered" == readings.lenient.status or readings.strict == readings.lenient


SEEDS = [text for _, text, _ in (*AS_ASKED[:-1], *COMMITTED_IN_VAIN[:-2])] + [
    text for text, _ in (*DRESSED_LINES, *DRESSED_BLOCKS, *DRESSED_OBJECTS, *THOUGHT)
]
NOISE = [
    "<think>", "</think>", "```", "~~~", "**", "`", "\\boxed{", "}", "{", '"', "\n", "\n\n", "Answer:", "答案：", "<answer>",
    "</answer>", "$", "\x00", "\ud800", "\u202e", "\ufeff", "\r\n", "\u2028", "é", "🧩", " ", "\\", "<|channel|>final<|message|>",
    "1. ", "- ", ":", "\r", "\x85", "<|im_end|>", " <think>", "Move: ", "wrong ", "I can't ",
]  # fmt: skip


def _mutated(rng: Random) -> str:
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:]
            case 2:
                text = text[:at] + rng.choice(NOISE) * rng.choice([1, 1, 1, 2, 9]) + text[at:]
            case 3:
                text = text[at:] + rng.choice(SEEDS)
            case 4:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines)
            case _:
                text = text[:at] + "".join(rng.sample(text[at:to], to - at)) + text[to:]
    return text


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.heavy)])
def test_mutated_replies(count: int) -> None:
    """Cut, doubled, shuffled, joined and with tags and odd signs put in: always read, and always
    soundly.
    """
    rng = Random(count)
    for _ in range(count):
        choice = Generation(_mutated(rng), rng.choice(["", "", "hm"]), rng.choice(FINISHES))
        _assert_sound(read(choice, rng.choice(FORMS), opened=rng.random() < 0.1))


HOSTILE = [
    "{", "}", "{}", '{"a":', '{"a":[', '"\\"', '"{', "`", "```\n", "~~~a\n", "```a``b\n", "<think>", "<think></think>",
    "</think>\n", "<think>\n", "</think> \t x", "*", "**a** ", "**a**\n", "is **", "\\boxed{", "\\text{", "\\", "\\\\ & ", "$",
    "'\"", "Answer:", "Answer:\n", "**Answer: ", "the answer is ", "the a a a word ", "答案是", "\n", " ", "   \n", "a \t",
    "a\n\n", "this is a sentence.\n\n", "<answer>", "<answer></answer>", "#", "_", "-", "- a\n", "answer:\n\n", "a.",
    "Note: a\n", "sorry, ", "<|channel|>final<|message|>", "<|channel|>analysis<|message|>", "\x00", "\ud800", "9",
    "********************\n", "</s>", " <think>x", "a <think> tag ", "Move: 1\n", "Answer: 1\nMove: 1\n", "the move is 1. ",
    "a wrong answer: ",    "\\boxed{1} ", "\r", "\u2028", "I play 1. ", ("so the final answer is "
                                                                        "1. "), "fixed ", "corrected: {",
    "| 1 ", "|\n", "[1,\n", "[", "```\nprint(1)\n```\n", "text: ", "1 (a b) ", "is wrong\n", "<|im_end|>", "the answer is 1 ",
]  # fmt: skip


WORST = ["{}", "`", "<think>", "a\n\n", "**a**\n"]  # for ten million characters


def _hostile(pieces: list[str], size: int) -> Iterator[tuple[str, Form]]:
    for piece in pieces:
        for before in ("", "Answer: "):
            for form in FORMS:
                yield before + (piece * (size // len(piece) + 1))[:size], form


def _seconds(text: str, form: Form) -> float:
    begun = process_time()
    read(Generation(text), form)
    return process_time() - begun


@pytest.mark.parametrize(
    ("pieces", "size"),
    [
        pytest.param(HOSTILE, 10_000, id="short"),
        pytest.param(HOSTILE, 250_000, id="long", marks=pytest.mark.heavy),
        pytest.param(WORST, 2_500_000, id="huge", marks=pytest.mark.heavy),
    ],
)
def test_time_is_linear(pieces: list[str], size: int) -> None:
    """Twice the text takes at most three times the time, measured over two doublings: nine times
    for four times the text.
    """
    grain = 0.01  # seconds; below that a clock says little
    for (short, form), (long, _) in zip(
        _hostile(pieces, size), _hostile(pieces, 4 * size), strict=True
    ):
        bound = 9 * max(grain, _seconds(short, form))

        assert any(_seconds(long, form) <= bound for _ in range(3)), (long[:40], form)


def test_memory_is_linear() -> None:
    """At most 200 bytes for a character of the text, whatever it is."""
    size = 6_000
    for text, form in _hostile(HOSTILE, size):
        tracemalloc.start()
        read(Generation(text), form)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert peak < 200 * size, (text[:40], form)
