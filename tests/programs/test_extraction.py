"""Which part of a reply is the program."""

from __future__ import annotations

import json
from textwrap import indent

import pytest

from quandary.programs.extraction import code_in
from quandary.programs.library import LONGEST

CODE = 'import random\n\n\nclass Player:\n    def play(self, view):\n        return "1"\n'
QUOTING = 'class Player:\n    """Plays.\n\n    ```\n    1\n    ```\n    """\n'
OTHER = CODE.replace('"1"', '"2"')


def _fenced(code: str, mark: str = "python") -> str:
    return f"```{mark}\n{code}```"


@pytest.mark.parametrize(
    ("reply", "code"),
    {
        "the object that was asked for": (json.dumps({"reasoning": "x", "code": CODE}), CODE),
        "in a json fence": (_fenced(json.dumps({"code": CODE}, indent=1) + "\n", "json"), CODE),
        "after thoughts with braces": ("{a} or {'b': 1}:\n" + json.dumps({"code": CODE}), CODE),
        "the last of two": (json.dumps({"code": OTHER}) + json.dumps({"code": CODE}), CODE),
        "with raw line breaks": (
            '{"code": "' + CODE.replace('"', r"\"") + '", "reasoning": ""}', CODE,
        ),
        "a fence within the object": (json.dumps({"code": _fenced(CODE)}), CODE),
        "a Python fence": (f"Here:\n{_fenced(CODE)}\nDone.", CODE),
        "a fence without a mark": (_fenced(CODE, ""), CODE),
        "the last fence that defines a player": (
            _fenced(OTHER) + "\nBetter:\n" + _fenced(CODE) + "\nUse:\n" + _fenced("x = 1\n"), CODE,
        ),
        "tildes": (f"~~~py\n{CODE}~~~", CODE),
        "a fence that quotes a fence": (f"````python\n{CODE}# ```\n````", f"{CODE}# ```\n"),
        "a fence in a list": (f"1. This:\n{indent(_fenced(CODE), '    ')}\n2. Done.", CODE),
        "a fence in a docstring": (_fenced(QUOTING), QUOTING),
        "a bare module": (CODE, CODE),
        "a bare module after words": (f"Sure, this plays well.\n\n{CODE}", CODE),
        "code without a player": (_fenced("x = 1\n"), "x = 1\n"),
        "an object and a fence": (
            _fenced(OTHER) + "\n" + json.dumps({"reasoning": "", "code": CODE}), CODE,
        ),
    }.values(),
)  # fmt: skip
def test_it_is_found(reply: str, code: str) -> None:
    assert code == code_in(reply)


@pytest.mark.parametrize(
    ("reply", "code"),
    {
        "a fence that never closes": (f"Here:\n```python\n{CODE}", CODE),
        "one without a mark": (f"```\n{CODE}", CODE),
        "the last of two": (f"{_fenced(OTHER)}\nBetter:\n```python\n{CODE}", CODE),
        "with a fence in a docstring": (f"```python\n{QUOTING}", QUOTING),
        "in a list": (f"1. This:\n{indent(f'```python{chr(10)}{CODE}', '   ')}", CODE),
        "within the object": (json.dumps({"code": f"```python\n{CODE}"}), CODE),
    }.values(),
)
def test_the_last_fence_may_be_open(reply: str, code: str) -> None:
    """Models forget to close it, or stop at the sign that would."""
    assert code == code_in(reply)


OPEN = f"{_fenced(OTHER)}\nBetter:\n```python\n{CODE[: len(CODE) // 2]}"


@pytest.mark.parametrize(
    ("reply", "code"),
    {
        "an open fence": (f"Here:\n```python\n{CODE}", None),
        "a bare module": (CODE, None),
        "an object": ('{"reasoning": "",\n"code": "\n' + CODE, None),
        "a program before the end": (OPEN, OTHER),
        "words after a program": (f"{_fenced(CODE)}\nThis program", CODE),
        "words after an object": (json.dumps({"code": CODE}) + "\nThis program", CODE),
    }.values(),
)
def test_a_reply_that_was_cut_off_has_what_it_completed(reply: str, code: str | None) -> None:
    """The rest may be half a program, even if it compiles."""
    assert code == code_in(reply, is_cut=True)


def test_a_sign_of_a_fence_within_the_code_opens_none() -> None:
    code = f'"""Usage:\n```\nPlayer()\n"""\n{CODE}'
    assert code == code_in(json.dumps({"code": code}))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I cannot write code.",
        '{"reasoning": "x"}',
        '{"code": 3}',
        '{"code": ""}',
        '{"reasoning": "class Player plays", "code": "class Pla',  # cut off
        "A class Player would be needed.",
        "```json\n[1]\n```",
        f"```python\n{CODE}```Done.",  # where it ends is not clear
        f"{CODE}\n```",
        json.dumps({"code": CODE + "# \ud800"}),  # half of a pair, which no file can hold
        json.dumps({"code": CODE + "#" * LONGEST}),
    ],
)
def test_nothing_else_is_a_program(reply: str) -> None:
    assert code_in(reply) is None


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        '{"',
        '{"code": ',
        '{"code": "',
        "```",
        "```\n",
        "~~~x\n",
        "import ",
        "class Player",
        "[{",
    ],
)
def test_the_work_grows_with_the_length_alone(piece: str) -> None:
    """A search from every brace would take hours here."""
    code_in(piece * 100_000)
