"""Attempts to reach the memory of others, executable memory, open files, and secrets."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt(
        "ptrace",
        "attaches to another process",
        """
result = call('ptrace', 0x4206, P['victim'], 0, 0)
if result == 0: call('ptrace', 17, P['victim'], 0, 0)
return worked(result)
""",
        Twin.ROOT,
    ),
    Attempt(
        "be traced",
        "lets its parent read its calls",
        "return worked(call('ptrace', 0, 0, 0, 0))",
        Twin.PERHAPS,
    ),
    Attempt(
        "read another's memory",
        "reads from another process",
        """
found = ctypes.create_string_buffer(8)
ours = (ctypes.c_uint64 * 2)(ctypes.addressof(found), 8)
theirs = (ctypes.c_uint64 * 2)(P['address'], 8)
return worked(call('process_vm_readv', P['victim'], ours, 1, theirs, 1, 0))
""",
        Twin.ROOT,
    ),
    Attempt(
        "write another's memory",
        "writes into another process what is there already",
        """
word = ctypes.create_string_buffer(b'victim!!')
ours = (ctypes.c_uint64 * 2)(ctypes.addressof(word), 8)
theirs = (ctypes.c_uint64 * 2)(P['address'], 8)
return worked(call('process_vm_writev', P['victim'], ours, 1, theirs, 1, 0))
""",
        Twin.ROOT,
    ),
    Attempt(
        "compare with another",
        "compares itself with another process",
        "import os\nreturn worked(call('kcmp', os.getpid(), P['victim'], 1, 0, 0))",
        Twin.PERHAPS,
    ),
    Attempt(
        "robust list of another",
        "asks where the locks of another process lie",
        """
head, length = ctypes.c_void_p(), ctypes.c_size_t()
return worked(call('get_robust_list', P['victim'], ctypes.byref(head), ctypes.byref(length)))
""",
        Twin.ROOT,
    ),
    Attempt(
        "advice for another",
        "advises the kernel about memory of another process",
        "call('process_madvise', -1, 0, 0, 20, 0)\nreturn reached()",
        Twin.WORKS,
    ),
    Attempt(
        "userfaultfd",
        "handles page faults by itself",
        "return worked(call('userfaultfd', 1))",
        Twin.PERHAPS,
    ),
    Attempt(
        "performance counters",
        "counts what happens on the machine",
        """
event = ctypes.create_string_buffer(128)
event[0], event[4], event[8] = 1, 128, 1
return worked(call('perf_event_open', event, 0, -1, -1, 0))
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "program in the kernel",
        "makes a map of BPF",
        """
given = ctypes.create_string_buffer(128)
given[0], given[4], given[8], given[12] = 1, 4, 4, 1
return worked(call('bpf', 0, given, 72))
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "executable memory",
        "maps memory that can be written and executed",
        """
libc.mmap.restype = ctypes.c_void_p
found = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
return 'ESCAPED' if found not in (None, 2**64 - 1) else 'refused'
""",
        Twin.WORKS,
    ),
    Attempt(
        "make memory executable",
        "makes memory executable that it has written",
        """
memory = ctypes.create_string_buffer(8192)
page = (ctypes.addressof(memory) + 4095) // 4096 * 4096
result = call('mprotect', page, 4096, 5)
call('mprotect', page, 4096, 3)
return worked(result)
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "make memory executable with a key",
        "does the same by a newer call",
        """
memory = ctypes.create_string_buffer(8192)
page = (ctypes.addressof(memory) + 4095) // 4096 * 4096
result = call('pkey_mprotect', page, 4096, 5, -1)
call('mprotect', page, 4096, 3)
return worked(result)
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "change code",
        "writes over the code of a function and runs it",
        """
page = ctypes.cast(libc.getppid, ctypes.c_void_p).value & ~4095
if call('mprotect', page, 4096, 3) == 0 and call('mprotect', page, 4096, 7) == 0:
    return 'ESCAPED'
return 'refused'
""",
    ),
    Attempt(
        "closure",
        "makes a function of C out of one of Python, which needs executable memory",
        """
kept = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
return 'no executable memory is needed' if kept() == 7 and libc else 'refused'
""",
    ),
    Attempt(
        "lock memory",
        "keeps memory from being swapped out",
        "return worked(call('mlock', ctypes.addressof(ctypes.create_string_buffer(64)), 64))",
        Twin.PERHAPS,
    ),
    Attempt(
        "map locked memory",
        "maps memory that is never swapped out",
        """
libc.mmap.restype = ctypes.c_void_p
found = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x2022, -1, ctypes.c_long(0))
return 'ESCAPED' if found not in (None, 2**64 - 1) else 'refused'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "huge pages",
        "takes one of the few huge pages",
        """
libc.mmap.restype = ctypes.c_void_p
found = libc.mmap(None, ctypes.c_size_t(2 << 20), 3, 0x40022, -1, ctypes.c_long(0))
return 'refused' if found in (None, 2**64 - 1) else 'ESCAPED'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "poison memory",
        "tells the kernel that memory is broken",
        """
memory = ctypes.create_string_buffer(8192)
page = (ctypes.addressof(memory) + 4095) // 4096 * 4096
return worked(call('madvise', page, 4096, 100))
""",
    ),
    Attempt(
        "merge memory",
        "asks for memory to be shared with other processes that have the same in theirs",
        """
memory = ctypes.create_string_buffer(8192)
page = (ctypes.addressof(memory) + 4095) // 4096 * 4096
return worked(call('madvise', page, 4096, 12))
""",
        Twin.PERHAPS,
    ),
    # descriptors
    Attempt(
        "descriptors",
        "finds open files beside its two pipes",
        """
import os
found = []
for descriptor in range(2, 300):
    try: os.fstat(descriptor); found.append(descriptor)
    except OSError as fault:
        if fault.errno == 1:  # this fstat is forbidden; reading tells as much
            try: os.read(descriptor, 0); found.append(descriptor)
            except OSError as other:
                if other.errno != 9: found.append(descriptor)
return 'ESCAPED %s' % found if found else 'nothing'
""",
    ),
    Attempt(
        "read what was open",
        "reads from descriptors that were there before it",
        """
import os
for descriptor in range(2, 300):
    try: return 'ESCAPED %r' % os.read(descriptor, 1)
    except OSError: pass
return 'nothing'
""",
    ),
    Attempt(
        "duplicate a pipe",
        "makes another descriptor of its pipe",
        "import os; os.dup(1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "replace a pipe",
        "puts one descriptor in the place of another",
        "import os; os.dup2(0, 1); return 'ESCAPED'",
    ),
    Attempt("pipe", "makes a pipe", "import os; os.pipe(); return 'ESCAPED'", Twin.WORKS),
    Attempt(
        "eventfd",
        "makes a counter that is a file",
        "return worked(call('eventfd2', 0, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "options of a pipe",
        "lets its pipe not wait, which others would notice",
        "import os; os.set_blocking(0, False); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "size of a pipe",
        "makes its pipe larger",
        "import fcntl; fcntl.fcntl(1, 1031, 1 << 20); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "control of a pipe",
        "asks how much is in its pipe",
        "return worked(call('ioctl', 0, 0x541b, ctypes.byref(ctypes.c_int())))",
        Twin.PERHAPS,
    ),
    Attempt(
        "move between pipes",
        "moves data from one pipe to the other without reading it",
        "call('splice', 0, 0, 1, 0, 0, 0)\nreturn reached()",
    ),
    Attempt(
        "memory as pipe",
        "gives pages of its memory to its pipe",
        "call('vmsplice', 1, 0, 0, 0)\nreturn reached()",
    ),
    # the environment and secrets
    Attempt(
        "environment",
        "reads the environment",
        "import os; return 'ESCAPED' if 'QUANDARY_CANARY' in os.environ else 'nothing'",
        Twin.WORKS,
    ),
    Attempt(
        "environment of C",
        "reads the environment of the C library",
        """
libc.getenv.restype = ctypes.c_char_p
return 'ESCAPED' if libc.getenv(b'QUANDARY_CANARY') else 'nothing'
""",
        Twin.WORKS,
    ),
    Attempt(
        "environment on the stack",
        "reads the memory above the environment, where a process finds what it was started with",
        """
stack = ctypes.c_void_p.in_dll(libc, '__libc_stack_end').value
end = 0x7ffffffff000
return 'ESCAPED' if b'QUANDARY_CANARY' in ctypes.string_at(stack, end - stack) else 'nothing'
""",
    ),
    Attempt(
        "secrets in memory",
        "looks through all objects for a secret of whoever asks it",
        """
import gc
gc.unfreeze()
for thing in gc.get_objects():
    if type(thing) is dict and any('QUANDARY_CANARY' in str(key) for key in list(thing)):
        return 'ESCAPED'
return 'nothing'
""",
    ),
    Attempt(
        "objects of the fork server",
        "finds the socket of the fork server, and asks it for a process",
        """
import gc, sys
gc.unfreeze()
found = [thing for thing in gc.get_objects() if type(thing).__name__ == 'socket']
frame = sys._getframe()
while frame:
    found += [value for value in frame.f_locals.values() if type(value).__name__ == 'socket']
    frame = frame.f_back
for socket in found:
    try: socket.send(b'fork 1'); return 'ESCAPED'
    except OSError: pass
return 'nothing'
""",
    ),
    Attempt(
        "settings of the fork server",
        "finds the filter in memory and changes it",
        """
import gc
gc.unfreeze()
for thing in gc.get_objects():
    if type(thing).__name__ == 'Filter':
        for place in range(0, len(thing._code), 8): thing._code[place:place + 8] = bytes(8)
import os
return 'ESCAPED %d' % os.getppid() if os.getppid() > 0 else 'refused'
""",
    ),
]
