"""Reads the published prompts of string processing.

They count characters by "the a-th character" and in no other way.  A place that is found is counted
in the same way, from 1.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, check_known, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.string_processing import StringProcessing
from quandary.puzzles.questions.execution.string_processing.solver import OPERATIONS, Command

A_TH, A_TH_ZH = r"the (?:a-|a)th character", r"从第a个字符起\(包括第a个字符\)"
DOCUMENT = r"(?: and|,? and then|, and) output the (?:document(?:'s string)?|resulting string)"
REST = r", and output the remaining (?:document string|document's string)"
DOCUMENT_ZH, REST_ZH = "，并输出文档的字符串", "，并输出剩余文档的字符串"
# Operation -> its arguments and what it does, in both languages.
WORDINGS = {
    "append": (
        rf"str: Append the string str to the end of the document{DOCUMENT}"
        rf"|str：后接插入，在文档后面插入字符串str{DOCUMENT_ZH}"
    ),
    "prepend": (
        rf"str: Prepend insertion, insert the string str at the beginning of the document{DOCUMENT}"
        rf"|str：前接插入，在文档前面插入字符串str{DOCUMENT_ZH}"
    ),
    "keep": (
        r"a b: (?:Extract a portion of|Slice) the document, keep(?:ing)? only b characters "
        rf"starting from {A_TH} \(inclusive\)(?: as the document)?{DOCUMENT}"
        rf"|a b：截取文档部分，只保留文档中{A_TH_ZH}b个字符{DOCUMENT_ZH}"
    ),
    "delete": (
        r"a b: (?:Extract a portion of the document|Substring deletion), delete b characters "
        rf"from the document starting from {A_TH} \((?:inclusive|including {A_TH})\){REST}"
        rf"|a b：截取文档部分，删[去除]文档中{A_TH_ZH}b个字符{REST_ZH}"
    ),
    "insert": (
        rf"a str: (?:Insert segment, i|I)nsert the string str before {A_TH} (?:of|in) "
        rf"the document{DOCUMENT}|a str：插入片段，在文档中第a个字符前面插入字符串str{DOCUMENT_ZH}"
    ),
    "find_first": (
        r"str: Find (?:the substring str in the document, output the position of its first "
        r"occurrence|substring, find the first occurrence of the string str in the document and "
        r"output its position); if not found, output -1"
        r"|str：查找子串，查找字符串str在文档中最先的位置并输出；如果找不到输出−1"
    ),
    "find_last": (
        r"str: Find substring, find the last occurrence of the string str in the document and "
        r"output its position; if not found, output -1"
        r"|str：查找子串，查找字符串str在文档中最后的位置并输出；如果找不到输出−1"
    ),
    "reverse": (
        rf"a b: Reverse the order of b characters in the document starting from {A_TH} "
        rf"\(inclusive\){DOCUMENT}|a b：对文档中{A_TH_ZH}b个字符的子串顺序颠倒{DOCUMENT_ZH}"
    ),
    "reverse_before": (
        rf"a b：对文档中从倒数第a个字符起\(包括第a个字符\)前b个字符的子串顺序颠倒{DOCUMENT_ZH}"
    ),
}
UNCLEAR = re.compile(rf"starting from {A_TH} from the end \(inclusive\)")
SHAPES = {"append": "s", "prepend": "s", "insert": "as", "find_first": "s", "find_last": "s"}
GIVEN = (
    r"(?:The current string is|Given the string|现给出字符串) ?['\"]?(?P<document>[a-z]+)['\"]?"
    r"(?: and (?:the )?instruction set(?: is)? |和指令集)\{(?P<commands>[^}]+)\}"
)
KNOWN = (
    r"You need to develop a text processing software\. ",
    (
        r"(?:Intially, input a string as the intial document|The initial document is a string"
        r"|Initially, a string is input as the initial document)\. "
    ),
    r"The software (?:should support|supports|needs to support) the following operations?:",
    r"你需要开发一款文字处理软件。最开始时输入一个字符串作为初始文档。需要支持以下操作：",
    r"\. What is the final string\?|, what will the final string be\?",
    r", output the result after each step, and then output the final answer\.",
    r", what is the output of each step and the final string after all instructions are executed\?",
    r"，请问(?:每步指令输出和所有指令执行完产生的)?最终的字符串为",
)


@reads(GIVEN)
def read(prompt: str, level: int) -> StringProcessing:
    """Return the instance of a prompt; NotRead if some of it is not understood."""
    task = task_of(prompt)
    if UNCLEAR.search(task):
        raise NotRead("characters from the end: it does not say in which direction they are taken")
    given = found(GIVEN, task)
    around, operations = task.replace(given[0], ""), dict[int, str]()
    for operation, wording in WORDINGS.items():
        pattern = rf"(?:(?P<code>\d) )?(?:{wording})[.;；。]?"
        for line in re.finditer(pattern, around):
            operations[int(line["code"] or 1)] = operation
        around = re.sub(pattern, "", around)
    check_known(around, KNOWN)
    family = "b" if "delete" in operations.values() else "a"
    names = tuple(operations[code] for code in sorted(operations))
    if names != OPERATIONS[family].get(len(names)) or sorted(operations)[-1] != len(names):
        raise NotRead(f"its operations are {operations}")
    commands = _commands(given["commands"], names)
    made = StringProcessing(family, level, names, given["document"], commands)
    _check_outputs(made)
    return made


def _commands(text: str, operations: tuple[str, ...]) -> tuple[Command, ...]:
    if len(operations) == 1:  # commands have no code, and one has a comma inside
        text = "1 " + text.replace(",", "")
    return tuple(_command(line.strip(), operations) for line in text.split(","))


def _command(line: str, operations: tuple[str, ...]) -> Command:
    code, *arguments = line.split()
    operation = operations[int(code) - 1] if code in map(str, range(1, len(operations) + 1)) else ""
    shape = SHAPES.get(operation, "ab")
    fits = re.fullmatch(
        " ".join("[a-z]+" if one == "s" else r"\d+" for one in shape), " ".join(arguments)
    )
    if not operation or not fits:
        raise not_understood(line)
    values = dict(zip(shape, arguments, strict=True))
    return Command(operation, int(values.get("a", 0)), int(values.get("b", 0)), values.get("s", ""))


def _check_outputs(made: StringProcessing) -> None:
    """NotRead if a command does not fit its document."""
    before = made.document
    for command, output in zip(made.commands, made.work().process, strict=True):
        if command.operation.startswith("find"):
            continue
        if command.place + max(0, command.number - 1) > len(before):
            raise NotRead(f"{command.operation} {command.arguments} does not fit {before!r}")
        before = output
