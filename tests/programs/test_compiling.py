"""A program may be any text: compiling it ends with a status, in bounded time and memory."""

from __future__ import annotations

import pytest

from programs.asking import load, player, take_seat, turn
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox


def _finally(depth: int) -> str:
    """Each level is compiled twice, so the whole of it very often."""
    lines = []
    for level in range(depth):
        lines += [" " * level + "try: pass", " " * level + "finally:"]
    return "\n".join([*lines, " " * depth + "x = 1", ""])


TEXTS = {
    "nothing": "",
    "signs": "x = " + "-" * 100_000 + "1",
    "brackets": "(" * 50_000,
    "closed brackets": "x = " + "[" * 150 + "]" * 150,
    "sum": "x = " + "1+" * 50_000 + "1",
    "calls": "f" + "()" * 50_000,
    "attributes": "x" + ".a" * 50_000,
    "negations": "x = " + "not " * 50_000 + "1",
    "functions": "x = " + "lambda:" * 50_000 + "1",
    "branches": "if 1: pass\n" + "elif 1: pass\n" * 20_000,
    "cleaning up": _finally(19),
    "more cleaning up": _finally(30),
    "formatted text": "x = f'" + "{x}" * 5_000 + "'",
    "nested formats": "x = " + 'f"{' * 50 + "1" + '}"' * 50,
    "long number": "x = " + "9" * 100_000,
    "long hexadecimal number": "x = 0x" + "f" * 100_000,
    "power": "x = 2**(10**9)",
    "tower": "x = " + "9**" * 100 + "9",
    "much text": "x = 'a' * 10**9",
    "comment": "#" * 500_000,
    "warnings": "x = '\\d'\n" * 5_000,
    "names": "".join(f"a{number} = 1\n" for number in range(10_000)),
    "global names": "def f():\n global " + ",".join(f"a{number}" for number in range(10_000)),
    "NUL": "x = 1\0",
    "half a letter": "x = '\ud800'",
    "byte order mark": "\ufeffx = 1",
    "letters": "x = '" + "\U0001f600" * 300_000 + "'",
    "wide name": "\ufb01" * 100_000 + " = 1",
    "future": "from __future__ import braces",
    "encoding": "# -*- coding: utf-7 -*-\nx = 1",
    "unknown encoding": "# coding: no_such_encoding\nx = 1",
    "tabs": "if 1:\n\tx = 1\n        y = 2\n",
    "context managers": "with " + ",".join(["a"] * 10_000) + ": pass",
    "decorators": "@a\n" * 10_000 + "def f(): pass",
    "character names": "x = '" + "\\N{SPACE}" * 10_000 + "'",
    "unknown character": "x = '\\N{" + "A" * 100_000 + "}'",
    "lines": "x = 1\r" * 10_000 + "x = 1\r\n\f" * 10_000,
}
HUGE = {
    "formatted text": "x = f'" + "{x}" * 300_000 + "'",
    "lines": "a = 1\n" * 250_000,
    "comparisons": "x = 1" + "<1" * 400_000,
    "sum": "x = " + "1+" * 400_000 + "1",
    "cleaning up with a body": _finally(15) + ";".join(["x = 1"] * 300),
}


def _judged(sandbox: Sandbox, text: str) -> str:
    process = sandbox.start()
    process.clock.start(3.0)
    try:
        return load(process, text) and "compiles"
    except ProgramFailed as failure:
        return failure.cause
    finally:
        process.close()


@pytest.mark.parametrize("name", TEXTS)
def test_each_text_has_a_status(sandbox: Sandbox, name: str) -> None:
    fills_memory = "cleaning up" in name
    assert _judged(sandbox, TEXTS[name]) in (["memory"] if fills_memory else ["compiles", "syntax"])


@pytest.mark.heavy
@pytest.mark.parametrize("name", HUGE)
def test_each_huge_text_has_a_status(sandbox: Sandbox, name: str) -> None:
    assert _judged(sandbox, HUGE[name]) in ("compiles", "syntax", "timeout", "memory")


def test_a_text_that_fills_the_memory_is_not_called_wrong(sandbox: Sandbox) -> None:
    """One that is nested too deeply for Python fills little."""
    assert _judged(sandbox, HUGE["lines"]) == "memory"
    assert _judged(sandbox, "x = " + "-" * 100_000 + "1") == "syntax"


def test_a_program_may_be_long_and_have_any_letters(sandbox: Sandbox) -> None:
    program = player("return TEXT[-1]", "TEXT = '" + "\U0001f600" * (1 << 18) + "'")
    process = sandbox.start()
    assert load(process, program).has_player
    take_seat(process)
    assert turn(process).move == "\U0001f600"
    process.close()
