"""Attempts to read the clocks of others, or to set them."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt(
        "clock of another",
        "reads how long another process has computed",
        "import time; return 'ESCAPED %f' % time.clock_gettime((~P['victim'] << 3) | 2)",
        Twin.WORKS,
    ),
    Attempt(
        "clock of whoever asks",
        "reads how long the process has computed that asks it",
        "import time; return 'ESCAPED %f' % time.clock_gettime((~P['asker'] << 3) | 2)",
        Twin.WORKS,
    ),
    Attempt(
        "clocks of neighbours",
        "looks for other programs by the clocks of the ids around its own",
        """
import os, time
for pid in [p for p in range(os.getpid() - 50, os.getpid() + 50) if p != os.getpid()]:
    try: return 'ESCAPED %f' % time.clock_gettime((~pid << 3) | 2)
    except OSError: pass
return 'nothing'
""",
    ),
    Attempt(
        "resolution of another's clock",
        "finds out whether a process is there",
        "import time; return 'ESCAPED %f' % time.clock_getres((~P['victim'] << 3) | 2)",
        Twin.WORKS,
    ),
    Attempt(
        "sleep on another's clock",
        "sleeps until another process has computed",
        """
wait = (ctypes.c_long * 2)(0, 1000)
call('clock_nanosleep', (~P['asker'] << 3) | 2, 0, wait, 0)
return reached() if ctypes.get_errno() else 'ESCAPED'
""",
    ),
    Attempt(
        "clock of a descriptor",
        "reads a clock that is a file",
        "import time; return 'ESCAPED %f' % time.clock_gettime((~0 << 3) | 3)",
    ),
    Attempt(
        "upper half of a number",
        "hides the number of a clock in the half that is not compared",
        """
wait = (ctypes.c_long * 2)()
return worked(call('clock_gettime', ((~P['victim'] << 3) | 2) & 0xffffffff, wait))
""",
        Twin.WORKS,
    ),
    Attempt(
        "set the clock",
        "sets the clock of the machine",
        "call('clock_settime', 0, 0)\nreturn reached()",
        Twin.PERHAPS,
    ),
    Attempt(
        "set the clock by an older call",
        "does the same by settimeofday, with nothing to set",
        "return worked(call('settimeofday', 0, 0))",
        Twin.PERHAPS,
    ),
    Attempt(
        "tune the clock",
        "asks how the clock of the machine is tuned",
        "return worked(call('adjtimex', ctypes.create_string_buffer(256)))",
        Twin.PERHAPS,
    ),
    Attempt(
        "state of the machine",
        "asks for the load and the memory of the machine",
        "return worked(call('sysinfo', ctypes.create_string_buffer(256)))",
        Twin.WORKS,
    ),
    Attempt(
        "processor",
        "asks which processor it runs on",
        "return worked(call('getcpu', (ctypes.c_uint * 1)(), 0, 0))",
        Twin.WORKS,
    ),
]
