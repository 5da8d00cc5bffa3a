"""Attempts to make processes and threads, to signal others, and to change what a process may do."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt(
        "fork",
        "makes a process",
        """
import os
child = os.fork()
if not child: os._exit(0)
os.waitpid(child, 0)
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "20 forks",
        "makes processes as fast as it can",
        """
import os
children = []
for _ in range(20):
    child = os.fork()
    if not child: os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "survivor",
        "leaves a process behind that nobody waits for",
        """
import os
child = os.fork()
if not child:
    os.setsid()
    if not os.fork():
        open(P['folder'] + '/new', 'w').close()
    os._exit(0)
os.waitpid(child, 0)
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "clone",
        "makes a process by the number of the call",
        """
child = call('clone', 17, 0, 0, 0, 0)
if child == 0: libc._exit(0)
if child > 0: libc.waitpid(child, None, 0)
return worked(child)
""",
        Twin.WORKS,
    ),
    Attempt(
        "clone3",
        "makes a process by a newer call",
        """
arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17)
child = call('clone3', arguments, 64)
if child == 0: libc._exit(0)
if child > 0: libc.waitpid(child, None, 0)
return worked(child)
""",
        Twin.WORKS,
    ),
    Attempt(
        "vfork",
        "makes a process that borrows its memory",
        """
if libc.vfork() == 0: libc._exit(0)
return reached() if ctypes.get_errno() else 'ESCAPED'
""",
    ),
    Attempt("exec", "becomes another program", "import os; os.execv('/bin/true', ['true'])"),
    Attempt(
        "exec by a descriptor",
        "becomes another program that it has opened",
        "return worked(call('execveat', -100, b'/bin/true', 0, 0, 0))",
    ),
    Attempt(
        "posix_spawn",
        "starts a program",
        """
import os
child = os.posix_spawn('/bin/sh', ['sh', '-c', ':'], {})
return 'ESCAPED' if os.waitpid(child, 0)[1] == 0 else 'refused'
""",
        Twin.WORKS,
    ),
    Attempt(
        "subprocess",
        "starts a program by subprocess",
        """
import subprocess
return 'ESCAPED %r' % subprocess.run(['/bin/sh', '-c', 'echo x'], capture_output=True).stdout
""",
        Twin.WORKS,
    ),
    Attempt(
        "shell",
        "starts a shell",
        "import os; return 'ESCAPED' if os.system('exit 0') == 0 else 'refused'",
        Twin.WORKS,
    ),
    Attempt(
        "popen",
        "reads what a shell prints",
        "import os; return 'ESCAPED' if os.popen('echo x').read() else 'refused'",
        Twin.WORKS,
    ),
    Attempt(
        "thread",
        "makes a thread",
        """
import threading
thread = threading.Thread(target=int)
thread.start()
thread.join()
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "timer thread",
        "makes a thread that waits",
        "import threading; threading.Timer(0, int).start(); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "low thread",
        "makes a thread without threading",
        "import _thread; _thread.start_new_thread(int, ()); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "thread pool",
        "makes a pool of threads",
        """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool:
    return 'ESCAPED %s' % list(pool.map(int, '12'))
""",
        Twin.WORKS,
    ),
    Attempt(
        "process pool",
        "makes a pool of processes",
        """
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(1) as pool:
    return 'ESCAPED %s' % list(pool.map(int, '12'))
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "multiprocessing",
        "makes a process by multiprocessing",
        """
import multiprocessing
process = multiprocessing.get_context('fork').Process(target=int)
process.start()
process.join()
return 'ESCAPED'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "terminal",
        "makes a process with a terminal",
        """
import os
child, _ = os.forkpty()
if not child: os._exit(0)
os.waitpid(child, 0)
return 'ESCAPED'
""",
        Twin.PERHAPS,
    ),
    # signals
    Attempt(
        "signal another",
        "signals a process that it has not made",
        "import os, signal; os.kill(P['victim'], signal.SIGUSR1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "signal whoever plays",
        "tries whether it could signal the process that asks it",
        "import os; os.kill(P['asker'], 0); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "signal a group",
        "signals a group of processes",
        "import os, signal; os.killpg(P['victim'], signal.SIGUSR1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "signal everyone",
        "tries whether it could signal all processes",
        "import os; os.kill(-1, 0); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "tgkill",
        "signals a thread of another process",
        "return worked(call('tgkill', P['victim'], P['victim'], 10))",
        Twin.WORKS,
    ),
    Attempt(
        "tkill",
        "signals a thread by an older call",
        "return worked(call('tkill', P['victim'], 10))",
        Twin.WORKS,
    ),
    Attempt(
        "queue a signal",
        "signals another process with data",
        """
data = (ctypes.c_int * 32)(10, 0, -1)
return worked(call('rt_sigqueueinfo', P['victim'], 10, data))
""",
        Twin.WORKS,
    ),
    Attempt(
        "open a process",
        "opens another process",
        "return worked(call('pidfd_open', P['victim'], 0))",
        Twin.WORKS,
    ),
    Attempt(
        "signal by a descriptor",
        "signals the process of a descriptor that was there before the locks",
        """
for descriptor in range(2, 64):
    if call('pidfd_send_signal', descriptor, 0, 0, 0) == 0:
        return 'ESCAPED'
return 'refused'
""",
    ),
    Attempt(
        "descriptor of another",
        "takes an open file from another process",
        """
process = call('pidfd_open', P['victim'], 0)
return worked(call('pidfd_getfd', process, 0, 0))
""",
        Twin.ROOT,
    ),
    Attempt(
        "kill itself",
        "ends by SIGKILL, as if the machine had run out of memory",
        "import os; os.kill(os.getpid(), 9)",
        ends=("crash",),
    ),
    Attempt(
        "end itself by another signal",
        "ends by SIGTERM, as if someone had ended it",
        "import signal; signal.raise_signal(15); return 'refused'",
        ends=("answer", "crash"),
    ),
    Attempt(
        "stop itself",
        "stops, so that no clock runs",
        "import signal; signal.raise_signal(19); return 'refused'",
        ends=("answer", "crash"),
    ),
    Attempt(
        "descriptor for signals",
        "makes a descriptor that brings signals",
        "return worked(call('signalfd4', -1, (ctypes.c_uint64 * 1)(), 8, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "timer",
        "makes a timer that can signal a thread of its choice",
        "return worked(call('timer_create', 1, 0, (ctypes.c_int * 4)()))",
        Twin.WORKS,
    ),
    Attempt(
        "timer with a descriptor",
        "makes a timer that is a file",
        "return worked(call('timerfd_create', 1, 0))",
        Twin.WORKS,
    ),
    # what a process is and may do
    Attempt(
        "id of the parent",
        "asks who has started it",
        "import os; return 'ESCAPED' if os.getppid() > 0 else 'refused'",
        Twin.WORKS,
    ),
    Attempt(
        "session", "leaves its session", "import os; os.setsid(); return 'ESCAPED'", Twin.WORKS
    ),
    Attempt(
        "priority",
        "changes its priority",
        "import os; os.nice(1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "priority of another",
        "changes the priority of another process",
        "import os; os.setpriority(os.PRIO_PROCESS, P['victim'], 1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "processors",
        "chooses its processors",
        "import os; os.sched_setaffinity(0, os.sched_getaffinity(0)); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "processors of another",
        "asks for the processors of another process",
        """
found = ctypes.create_string_buffer(128)
return worked(call('sched_getaffinity', P['victim'], 128, found))
""",
        Twin.WORKS,
    ),
    Attempt(
        "scheduling",
        "changes how it is scheduled",
        "import os; os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "limits",
        "raises a limit",
        """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(64, most), most))
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "limits of another",
        "reads a limit of another process",
        "import resource; resource.prlimit(P['victim'], resource.RLIMIT_CORE); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "name of the process",
        "renames itself by prctl",
        "return worked(call('prctl', 15, b'x', 0, 0, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "dumpable",
        "makes itself readable for others again",
        "return worked(call('prctl', 4, 1, 0, 0, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "death of the parent",
        "asks not to end with its parent",
        "return worked(call('prctl', 1, 0, 0, 0, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "another filter",
        "sets a filter of system calls",
        """
lines = (ctypes.c_uint32 * 2)(0x06, 0x7fff0000)
program = (ctypes.c_uint64 * 2)(1, ctypes.addressof(lines))
libc.prctl(38, 1, 0, 0, 0)
return worked(call('seccomp', 1, 0, program))
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "other rules",
        "asks for rules of Landlock",
        "return worked(call('landlock_create_ruleset', 0, 0, 1))",
        Twin.PERHAPS,
    ),
    Attempt(
        "personality",
        "lets memory that can be read be executed",
        "return worked(call('personality', 0x0400000))",
        Twin.PERHAPS,
    ),
    Attempt(
        "setuid",
        "becomes the user that it is",
        "import os; os.setuid(os.getuid()); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "setgroups", "leaves its groups", "import os; os.setgroups([]); return 'ESCAPED'", Twin.ROOT
    ),
    Attempt(
        "unshare",
        "takes its own umask and folder",
        "return worked(call('unshare', 0x200))",
        Twin.WORKS,
    ),
    Attempt(
        "user namespace",
        "becomes root in a namespace",
        "return worked(call('unshare', 0x10000000))",
        Twin.PERHAPS,
    ),
    Attempt(
        "enter a namespace",
        "enters the namespaces of another process",
        "call('setns', 0, 0)\nreturn reached()",
        Twin.WORKS,
    ),
    # Calls of root, with arguments that the kernel would reject.
    Attempt(
        "mount", "mounts a disk", "call('mount', 0, 0, 0, 0, 0)\nreturn reached()", Twin.PERHAPS
    ),
    Attempt("swap", "ends swapping", "call('swapoff', 0)\nreturn reached()"),
    Attempt("reboot", "ends the machine", "call('reboot', 0, 0, 0, 0)\nreturn reached()"),
    Attempt(
        "module", "loads a module into the kernel", "call('init_module', 0, 0, 0)\nreturn reached()"
    ),
    Attempt(
        "kernel", "loads another kernel", "call('kexec_load', 0, 17, 0, 1 << 63)\nreturn reached()"
    ),
    Attempt(
        "host name",
        "renames the machine",
        "call('sethostname', 0, -1)\nreturn reached()",
        Twin.PERHAPS,
    ),
    Attempt(
        "log of the kernel",
        "reads the log of the kernel",
        "return worked(call('syslog', 10, 0, 0))",
        Twin.PERHAPS,
    ),
]
