"""Attempts on what is written between a program and the process that asks it: this is request 3."""

from __future__ import annotations

from .attempt import Attempt

FORGED = "import os; os.write(1, b'%s\\n'); return 'x'"

ATTEMPTS = [
    Attempt(
        "print flood",
        "prints without end of sense",
        "for _ in range(20000): print('x' * 1000)\nreturn 'kept silent'",
        ends=("answer",),
    ),
    Attempt(
        "byte flood",
        "writes without a line's end",
        "import os\nwhile True: os.write(1, b'x' * 65536)",
        ends=("flood",),
    ),
    Attempt(
        "line flood",
        "writes lines without end",
        "import os\nwhile True: os.write(1, b'{}\\n' * 9999)",
        ends=("crash", "flood"),
    ),
    Attempt("huge move", "returns much text", "return 'x' * 10**7", ends=("flood",)),
    Attempt(
        "drop by drop",
        "writes a reply so slowly that it never ends",
        "import os, time\nwhile True: os.write(1, b' '); time.sleep(0.03)",
        ends=("timeout",),
    ),
    Attempt(
        "computing drop by drop",
        "writes a byte of a reply now and then, and computes",
        """
import os, time
while True:
    os.write(1, b' ')
    end = time.monotonic() + 0.03
    while time.monotonic() < end: pass
""",
        ends=("timeout",),
    ),
    Attempt(
        "forged reply",
        "writes the reply to this turn itself",
        """import os; os.write(1, b'{"number": 3, "move": "forged"}\\n'); os._exit(0)""",
        ends=("answer",),
    ),
    Attempt(
        "forged later reply",
        "writes a reply to the next turn",
        FORGED % '{"number": 4, "move": "ESCAPED"}',
        ends=("crash",),
    ),
    Attempt(
        "two replies",
        "writes the replies to this turn and to the next one",
        FORGED % '{"number": 3, "move": "x"}\\n{"number": 4, "move": "ESCAPED"}',
        ends=("crash",),
    ),
    Attempt(
        "forged fault",
        "writes that the sandbox has failed",
        FORGED % '{"fault": "it has failed"}',
        ends=("crash",),
    ),
    Attempt(
        "forged fault with a number",
        "writes that the sandbox has failed, as a reply",
        FORGED % '{"number": 3, "fault": "it has failed"}',
        ends=("answer", "crash"),
    ),
    Attempt(
        "forged status",
        "writes a status",
        FORGED % '{"number": 3, "status": "infrastructure", "cause": "timeout"}',
        ends=("crash",),
    ),
    Attempt(
        "forged memory",
        "writes that its memory ran out",
        FORGED % '{"number": 3, "crash": "MemoryError: none"}',
        ends=("crash",),
    ),
    Attempt(
        "forged syntax",
        "writes that it does not compile",
        FORGED % '{"number": 3, "syntax": "SyntaxError: none"}',
        ends=("answer", "crash"),
    ),
    Attempt(
        "forged crash",
        "writes an error that is no line",
        FORGED % ('{"number": 3, "crash": "%s\\\\u001b[2J"}' % ("x" * 1000)),
        ends=("crash",),
    ),
    Attempt("no object", "writes a list", FORGED % "[3]", ends=("crash",)),
    Attempt(
        "no number", "writes a reply without a number", FORGED % '{"move": 1}', ends=("crash",)
    ),
    Attempt(
        "other number",
        "writes a number as text",
        FORGED % '{"number": "3", "move": 1}',
        ends=("crash",),
    ),
    Attempt(
        "large number",
        "writes a number that no machine number can hold",
        FORGED % ('{"number": 3, "move": %s}' % ("9" * 5000)),
        ends=("crash",),
    ),
    Attempt("empty line", "writes an empty line before its reply", FORGED % "", ends=("crash",)),
    Attempt(
        "deep JSON",
        "writes what is nested very deeply",
        "import os; os.write(1, b'{\"number\": 3, \"move\": ' + b'[' * 50000 + b'\\n'); return 1",
        ends=("crash",),
    ),
    Attempt(
        "odd bytes",
        "writes what is no text",
        "import os; os.write(1, b'\\xff\\x00\\x1b[2J\\n'); return 1",
        ends=("crash",),
    ),
    Attempt("half a letter", "returns half a letter", "return '\\ud800'", ends=("answer",)),
    Attempt("set", "returns what JSON does not have", "return {1, 2}", ends=("answer",)),
    Attempt("NaN", "returns no number", "return float('nan')", ends=("answer",)),
    Attempt("generator", "returns a generator", "return (x for x in [1])", ends=("answer",)),
    Attempt(
        "long name of a kind",
        "returns a value whose class has a long name",
        "return type('\\x1b' + 'x' * 10**5, (), {})()",
        ends=("answer",),
    ),
    Attempt(
        "close the reply pipe",
        "closes the pipe of its replies, and goes on",
        "import os, time\ntry: os.close(1)\nexcept OSError: pass\ntime.sleep(10**6)",
        ends=("timeout",),
    ),
    Attempt(
        "close all",
        "closes everything",
        "import os; os.closerange(0, 3); return 'as before'",
        ends=("answer",),
    ),
    Attempt(
        "close by a file",
        "closes the pipe of its replies by a file object",
        "import io\nwith io.FileIO(1, 'w'): pass\nreturn 'x'",
        ends=("crash",),
    ),
    Attempt(
        "read ahead",
        "reads the next turn itself",
        "import os; return 'ESCAPED %r' % os.read(0, 10)",
        ends=("timeout",),
    ),
    Attempt(
        "standard streams",
        "writes to the streams of the interpreter",
        "import sys; print('{}', file=sys.__stdout__, flush=True); return 'x'",
    ),
]
