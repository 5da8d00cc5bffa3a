"""Attempts on the interpreter: to reach what is hidden, to break it, or to confuse what asks it."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt(
        "subclasses",
        "finds a class that starts processes, through the classes of a tuple",
        """
for kind in ().__class__.__base__.__subclasses__():
    if kind.__name__ == '_wrap_close':
        return 'ESCAPED ' + kind.__init__.__globals__['popen']('echo x').read()
return 'nothing'
""",
        Twin.WORKS,
    ),
    Attempt(
        "globals of a frame",
        "finds open in the frames below it",
        """
import sys
frame = sys._getframe()
while frame.f_back: frame = frame.f_back
return 'ESCAPED ' + frame.f_builtins['open'](P['canary']).read()
""",
        Twin.WORKS,
    ),
    Attempt(
        "main module",
        "finds what runs it in the main module",
        """
import sys
import __main__
__main__.main()
return 'ESCAPED'
""",
    ),
    Attempt(
        "module of the sandbox",
        "starts the loop of the sandbox within itself",
        """
import sys
sys._getframe(2).f_globals['main']()
return 'ESCAPED'
""",
        ends=("crash", "timeout"),
    ),
    Attempt(
        "hidden modules",
        "imports what the sandbox imports for itself",
        "from sandbox import libc as found; return 'ESCAPED %s' % found",
    ),
    Attempt(
        "undo the locks",
        "calls the functions again that lock a program in",
        """
import gc
gc.unfreeze()
kept = [thing for thing in gc.get_objects() if getattr(thing, '__name__', '') == 'set_limits']
for function in kept: function(1 << 40)
return 'ESCAPED' if kept else 'nothing'
""",
    ),
    Attempt(
        "patched json",
        "replaces the module that writes replies",
        """
import json
json.dumps = lambda *a, **k: '{"number": 3, "move": "ESCAPED"}'
return 'written as before'
""",
        ends=("answer",),
    ),
    Attempt(
        "patched functions",
        "replaces the functions that read and write",
        """
import sys
names = sys._getframe(2).f_globals
names['_write'] = names['_read'] = lambda *a: sys.exit()
return 'x'
""",
        ends=("crash",),
    ),
    Attempt(
        "emptied builtins",
        "removes all names that Python has",
        "import builtins; vars(builtins).clear(); return 'x'",
        ends=("crash",),
    ),
    Attempt(
        "emptied modules",
        "removes all modules",
        "import sys; sys.modules.clear(); return 'x'",
    ),
    Attempt(
        "trace",
        "watches every line that runs after its own",
        """
import sys
def watch(*a): raise SystemExit
sys.settrace(watch)
sys._getframe(1).f_trace = watch
return 'x'
""",
    ),
    Attempt(
        "profile",
        "is called by every call that runs after its own",
        "import sys; sys.setprofile(lambda *a: sys.exit()); return 'x'",
        ends=("crash",),
    ),
    Attempt(
        "audit hook",
        "hears of everything that runs",
        "import sys; sys.addaudithook(lambda *a: sys.exit()); return open('x')",
        ends=("crash",),
    ),
    Attempt("sys.exit", "ends", "import sys; sys.exit()", ends=("crash",)),
    Attempt("os._exit", "ends at once", "import os; os._exit(0)", ends=("crash",)),
    Attempt(
        "ends with the status of a fault",
        "ends as a process does around which there could be no sandbox",
        "import os; os._exit(70)",
        ends=("crash",),
    ),
    Attempt(
        "KeyboardInterrupt", "raises what Ctrl-C raises", "raise KeyboardInterrupt", ends=("crash",)
    ),
    Attempt("GeneratorExit", "raises what ends generators", "raise GeneratorExit", ends=("crash",)),
    Attempt("MemoryError", "says that its memory ran out", "raise MemoryError", ends=("crash",)),
    Attempt(
        "TimeoutError",
        "says that its time ran out",
        "raise TimeoutError('more than 300 s')",
        ends=("crash",),
    ),
    Attempt(
        "name of an error",
        "raises an error whose name cannot be asked for",
        """
class Kind(type):
    __name__ = property(lambda self: 1 / 0)
class Odd(Exception, metaclass=Kind): pass
raise Odd
""",
        ends=("crash",),
    ),
    Attempt(
        "text of an error",
        "raises an error that cannot be printed, and ends when it is",
        """
import sys
class Odd(Exception):
    def __str__(self): sys.exit()
raise Odd
""",
        ends=("crash",),
    ),
    Attempt(
        "long error",
        "raises an error with much text",
        "raise ValueError('x' * 10**6 + '\\x1b[2J')",
        ends=("crash",),
    ),
    Attempt(
        "value that ends",
        "returns a value that ends the program when it is written",
        """
import sys
class Odd(dict):
    def items(self): sys.exit()
return Odd(a=1)
""",
        ends=("crash",),
    ),
    Attempt(
        "name of a value",
        "returns a value whose class cannot be named",
        """
class Kind(type):
    __name__ = property(lambda self: 1 / 0)
class Odd(metaclass=Kind): pass
return Odd()
""",
    ),
    Attempt(
        "value in itself",
        "returns a list that holds itself",
        "kept = []; kept.append(kept); return kept",
        ends=("answer",),
    ),
    Attempt("recursion", "calls itself for ever", "f = lambda: f()\nreturn f()", ends=("crash",)),
    Attempt(
        "deep recursion",
        "does the same without a limit",
        "import sys; sys.setrecursionlimit(10**9)\nf = lambda n: f(n + 1)\nreturn f(0)",
        ends=("crash", "memory", "timeout"),
    ),
    Attempt(
        "deep recursion in C",
        "fills the stack of the machine",
        """
import sys
sys.setrecursionlimit(10**9)
kept = None
for _ in range(10**6): kept = [kept]
return repr(kept)
""",
        ends=("crash", "memory", "timeout"),
    ),
    Attempt("null pointer", "reads at address 0", "libc and ctypes.string_at(0)", ends=("crash",)),
    Attempt(
        "write over the interpreter",
        "writes over the objects of the interpreter",
        "libc and ctypes.memset(id(int), 255, 4096); return int(7)",
        ends=("crash",),
    ),
    Attempt("abort", "ends as a failed assertion does", "import os; os.abort()", ends=("crash",)),
    Attempt(
        "bytecode",
        "runs bytecode that no compiler makes",
        """
def f(): pass
f.__code__ = f.__code__.replace(co_code=bytes([100, 255] * 40), co_stacksize=1)
return f()
""",
        ends=("crash",),
    ),
    Attempt(
        "foreign system calls",
        "calls by the numbers of x32",
        "libc.syscall(0x40000000 + 39); return 'refused'",
        ends=("answer", "crash"),
    ),
    Attempt(
        "constructor",
        "ends before it plays",
        "pass",
        before="import sys\nsys.exit()",
        ends=("crash",),
    ),
    Attempt(
        "no error to the end",
        "never comes to an end after an error",
        """
class Odd:
    def __del__(self):
        while True: pass
kept = Odd()
raise ValueError
""",
        ends=("timeout",),
    ),
    Attempt(
        "signal that raises",
        "lets a timer raise an error outside its own code",
        """
import signal
def ring(*a): raise SystemExit
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
while True: pass
""",
        ends=("crash",),
    ),
    Attempt(
        "timer without a handler",
        "is ended by its own timer",
        "import signal, time; signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(9)",
        ends=("crash",),
    ),
]
