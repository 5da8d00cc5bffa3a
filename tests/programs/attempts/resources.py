"""Attempts to use up memory, processor time or patience.  They run in the sandbox only."""

from __future__ import annotations

from .attempt import Attempt

MEMORY = ("memory", "crash")  # one request for too much leaves no trace that could be measured
TIME = ("timeout",)

ATTEMPTS = [
    Attempt("4 GB", "asks for 4 GB", "return len(bytearray(4 << 30))", ends=MEMORY),
    Attempt("10**12 letters", "makes a long text", "return len('a' * 10**12)", ends=MEMORY),
    Attempt(
        "endless list",
        "fills a list",
        "kept = []\nwhile True: kept.append([0] * 10000)",
        ends=("memory",),
    ),
    Attempt(
        "endless memory",
        "keeps blocks of memory and writes to all of them",
        "kept = []\nwhile True: kept.append(b'x' * (1 << 20))",
        ends=("memory",),
    ),
    Attempt(
        "endless memory, all caught",
        "goes on after its memory has run out",
        """
kept = []
while True:
    try: kept.append(b'x' * (1 << 20))
    except MemoryError: pass
""",
        ends=TIME,
    ),
    Attempt(
        "doubled numbers",
        "keeps many numbers in a dictionary",
        "kept = {}\nwhile True: kept[len(kept)] = None",
        ends=("memory",),
    ),
    Attempt(
        "mapped memory",
        "maps memory outside the heap of Python",
        "import mmap\nkept = []\nwhile True: kept.append(mmap.mmap(-1, 1 << 20))",
        ends=MEMORY,
    ),
    Attempt(
        "exploding archive",
        "unpacks many zeros",
        """
import zlib
packed = zlib.compress(bytes(1 << 24))
return len(zlib.decompress(packed * 1)) and [zlib.decompress(packed) for _ in range(99)][0][:1]
""",
        ends=MEMORY,
    ),
    Attempt(
        "exact numbers",
        "asks for a precision that needs all memory",
        """
import decimal
decimal.getcontext().prec = decimal.MAX_PREC
decimal.getcontext().Emax = decimal.MAX_EMAX
return str(decimal.Decimal(1) / 3)[:9]
""",
        ends=MEMORY,
    ),
    Attempt(
        "nested source",
        "compiles what is nested too deeply",
        "compile('(' * 10**5, 'x', 'exec')",
        ends=("crash",),
    ),
    Attempt("endless loop", "loops", "while True: pass", ends=TIME),
    Attempt(
        "endless loop, all caught",
        "loops and catches every error",
        """
while True:
    try:
        while True: pass
    except BaseException: pass
""",
        ends=TIME,
    ),
    Attempt(
        "signals ignored",
        "ignores all signals and loops",
        """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
""",
        ends=TIME,
    ),
    Attempt(
        "signals blocked",
        "blocks all signals and sleeps",
        """
import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
time.sleep(10**6)
""",
        ends=TIME,
    ),
    Attempt(
        "big power",
        "computes in one step that no signal breaks off",
        "return len(str(7**10**8))",
        ends=TIME,
    ),
    Attempt(
        "endless step",
        "counts in one step that no signal breaks off",
        "import itertools; return sum(itertools.repeat(0))",
        ends=TIME,
    ),
    Attempt(
        "regular expression",
        "matches a pattern that takes exponential time",
        "import re; return re.match(r'(a+)+$', 'a' * 64 + 'b')",
        ends=TIME,
    ),
    Attempt("sleep", "sleeps", "import time; time.sleep(10**6)", ends=TIME),
    Attempt(
        "pause", "waits for a signal", "import signal; signal.pause()", ends=("timeout", "crash")
    ),
    Attempt(
        "lock",
        "waits for a lock that nobody opens",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        ends=TIME,
    ),
    Attempt(
        "storm of signals",
        "is interrupted by a timer all the time",
        """
import signal
signal.signal(signal.SIGALRM, lambda *a: None)
signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
while True: pass
""",
        ends=TIME,
    ),
    Attempt(
        "yielding",
        "gives up the processor all the time",
        "import os\nwhile True: os.sched_yield()",
        ends=TIME,
    ),
    Attempt(
        "short sleeps",
        "sleeps for short times",
        "import time\nwhile True: time.sleep(0.001)",
        ends=TIME,
    ),
]
