"""Attempts to read, change or find files, those of /proc among them."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt("open", "reads a file", "return 'ESCAPED ' + open(P['canary']).read()", Twin.WORKS),
    Attempt(
        "os.open",
        "reads a file without a file object",
        "import os; return 'ESCAPED %r' % os.read(os.open(P['canary'], os.O_RDONLY), 9)",
        Twin.WORKS,
    ),
    Attempt(
        "FileIO",
        "reads a file by a class of io",
        "import io; return 'ESCAPED %r' % io.FileIO(P['canary']).read()",
        Twin.WORKS,
    ),
    Attempt(
        "pathlib",
        "reads a file by pathlib",
        "import pathlib; return 'ESCAPED ' + pathlib.Path(P['canary']).read_text()",
        Twin.WORKS,
    ),
    Attempt(
        "linecache",
        "lets a module of the standard library read a file",
        "import linecache; return 'ESCAPED' if linecache.getlines(P['canary']) else 'nothing'",
        Twin.WORKS,
    ),
    Attempt(
        "log file",
        "lets logging write a file",
        "import logging; logging.FileHandler(P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "pickled open",
        "unpickles a call of open",
        """
import pickle
class Reader:
    def __reduce__(self): return open, (P['canary'],)
return 'ESCAPED ' + pickle.loads(pickle.dumps(Reader())).read()
""",
        Twin.WORKS,
    ),
    Attempt(
        "path through the root of a process",
        "reads a file by a link in /proc",
        "return 'ESCAPED ' + open('/proc/self/root' + P['canary']).read()",
        Twin.WORKS,
    ),
    Attempt(
        "path with dots",
        "reads a file by a way up",
        "return 'ESCAPED ' + open(P['folder'] + '/inner/../canary').read()",
        Twin.WORKS,
    ),
    Attempt(
        "openat2",
        "opens a file by a newer call",
        """
how = (ctypes.c_uint64 * 3)()
return worked(call('openat2', -100, P['canary'].encode(), how, 24))
""",
        Twin.WORKS,
    ),
    Attempt(
        "open by the C library",
        "opens a file by fopen",
        """
libc.fopen.restype = ctypes.c_void_p
return 'ESCAPED' if libc.fopen(P['canary'].encode(), b'r') else 'refused'
""",
        Twin.WORKS,
    ),
    Attempt(
        "handle of a file",
        "asks for a handle by which a file can be opened without a path",
        """
handle = ctypes.create_string_buffer(256)
handle[0] = 128
number = ctypes.c_int()
path, found = P['canary'].encode(), ctypes.byref(number)
return worked(call('name_to_handle_at', -100, path, handle, found, 0))
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "load a library",
        "lets the loader open a file",
        "libc and ctypes.CDLL(P['library']); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "listdir",
        "lists a folder",
        "import os; return 'ESCAPED %s' % os.listdir(P['folder'])",
        Twin.WORKS,
    ),
    Attempt(
        "scandir",
        "lists the root folder",
        "import os; return 'ESCAPED %d' % len(list(os.scandir('/')))",
        Twin.WORKS,
    ),
    Attempt(
        "glob",
        "finds files by a pattern",
        "import glob; return 'ESCAPED' if glob.glob(P['folder'] + '/can*') else 'nothing'",
        Twin.WORKS,
    ),
    Attempt(
        "stat",
        "looks at a file",
        "import os; return 'ESCAPED %d' % os.stat(P['canary']).st_size",
        Twin.WORKS,
    ),
    Attempt(
        "statx",
        "looks at a file by a newer call",
        """
found = ctypes.create_string_buffer(256)
return worked(call('statx', -100, P['canary'].encode(), 0, 0xfff, found))
""",
        Twin.WORKS,
    ),
    Attempt(
        "exists",
        "asks whether a file exists",
        "import os; return 'ESCAPED' if os.path.exists(P['canary']) else 'nothing'",
        Twin.WORKS,
    ),
    Attempt(
        "access",
        "asks for the rights to a file",
        "import os; return 'ESCAPED' if os.access(P['canary'], os.R_OK) else 'nothing'",
        Twin.WORKS,
    ),
    Attempt(
        "statvfs",
        "looks at the disk",
        "import os; return 'ESCAPED %d' % os.statvfs('/').f_bfree",
        Twin.WORKS,
    ),
    Attempt(
        "getcwd", "asks for its folder", "import os; return 'ESCAPED ' + os.getcwd()", Twin.WORKS
    ),
    Attempt(
        "chdir",
        "goes to a folder",
        "import os; os.chdir(P['folder']); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt("chroot", "changes its root", "import os; os.chroot('/'); return 'ESCAPED'", Twin.ROOT),
    Attempt(
        "write",
        "makes a file",
        "open(P['folder'] + '/new', 'w').write('x'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "append",
        "writes to a file",
        "open(P['spare'], 'a').write('x'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "truncate",
        "shortens a file",
        "import os; os.truncate(P['spare'], 1); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "unlink",
        "removes a file",
        "import os; os.unlink(P['spare']); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "rename",
        "renames a file",
        "import os; os.rename(P['spare'], P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "chmod",
        "changes the rights to a file",
        "import os; os.chmod(P['spare'], 0o600); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "chown",
        "changes the owner of a file",
        "import os; os.chown(P['spare'], -1, os.getgid()); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "utime",
        "changes the times of a file",
        "import os; os.utime(P['spare'], (0, 0)); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "symlink",
        "makes a symbolic link",
        "import os; os.symlink(P['canary'], P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "hard link",
        "makes a second name of a file",
        "import os; os.link(P['spare'], P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "mkdir",
        "makes a folder",
        "import os; os.mkdir(P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "mkfifo",
        "makes a named pipe",
        "import os; os.mkfifo(P['folder'] + '/new'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "mknod",
        "makes a file by its kind",
        "import os, stat; os.mknod(P['folder'] + '/new', 0o600 | stat.S_IFREG); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "temporary file",
        "makes a temporary file",
        "import tempfile; tempfile.TemporaryFile(dir=P['folder']); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "umask", "changes its umask", "import os; os.umask(0o77); return 'ESCAPED'", Twin.WORKS
    ),
    Attempt("sync", "lets all disks write", "return worked(call('sync'))", Twin.WORKS),
    Attempt(
        "shared memory",
        "makes memory with a name",
        """
import _posixshmem, os
_posixshmem.shm_open(P['name'], os.O_CREAT | os.O_RDWR, 0o600)
_posixshmem.shm_unlink(P['name'])
return 'ESCAPED'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "memory file",
        "makes a file in memory",
        "import os; os.memfd_create('x'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "secret memory file",
        "makes a file in memory that nobody else sees",
        "return worked(call('memfd_secret', 0))",
        Twin.PERHAPS,
    ),
    Attempt(
        "inotify",
        "watches files",
        "return worked(call('inotify_init1', 0))",
        Twin.WORKS,
    ),
    Attempt(
        "fanotify", "watches disks", "return worked(call('fanotify_init', 0, 0))", Twin.PERHAPS
    ),
    Attempt(
        "import from a folder",
        "imports a module that lies in a folder",
        "import sys; sys.path.insert(0, P['folder']); import planted; return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "import quandary",
        "imports the package that holds the strongest players",
        "import sys; sys.path[:] = P['path']; import quandary; return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "loader of a file",
        "loads a module by the loader of the import system",
        """
from importlib.machinery import SourceFileLoader
return 'ESCAPED %r' % SourceFileLoader('planted', P['folder'] + '/planted.py').get_data(P['canary'])
""",
        Twin.WORKS,
    ),
    # /proc, /sys and /dev
    Attempt(
        "own environment in /proc",
        "reads what its process was started with",
        "return 'ESCAPED ' + open('/proc/self/environ').read()[:9]",
        Twin.WORKS,
    ),
    Attempt(
        "own memory in /proc",
        "opens its memory, where protections do not hold",
        "open('/proc/self/mem', 'r+b'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "own maps in /proc",
        "reads where its memory lies",
        "return 'ESCAPED ' + open('/proc/self/maps').read()[:9]",
        Twin.WORKS,
    ),
    Attempt(
        "own descriptors in /proc",
        "lists its open files",
        "import os; return 'ESCAPED %s' % os.listdir('/proc/self/fd')",
        Twin.WORKS,
    ),
    Attempt(
        "own program in /proc",
        "reads the link to its program",
        "import os; return 'ESCAPED ' + os.readlink('/proc/self/exe')",
        Twin.WORKS,
    ),
    Attempt(
        "own name in /proc",
        "renames its process",
        "open('/proc/self/comm', 'w').write('x'); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "all processes in /proc",
        "lists the processes of the machine",
        "import os; return 'ESCAPED %d' % len(os.listdir('/proc'))",
        Twin.WORKS,
    ),
    Attempt(
        "another's command in /proc",
        "reads the command of another process",
        "return 'ESCAPED ' + open('/proc/%d/cmdline' % P['victim']).read()[:9]",
        Twin.WORKS,
    ),
    Attempt(
        "another's memory in /proc",
        "reads the memory of another process",
        """
with open('/proc/%d/mem' % P['victim'], 'rb', 0) as memory:
    memory.seek(P['address'])
    return 'ESCAPED %r' % memory.read(8)
""",
        Twin.ROOT,
    ),
    Attempt(
        "load of the machine",
        "reads how busy the machine is",
        "import os; return 'ESCAPED %s' % (os.getloadavg(),)",
        Twin.WORKS,
    ),
    Attempt(
        "/sys",
        "lists the devices",
        "import os; return 'ESCAPED %s' % os.listdir('/sys')",
        Twin.PERHAPS,
    ),
    Attempt(
        "/dev/urandom",
        "opens a device",
        "return 'ESCAPED %r' % open('/dev/urandom', 'rb').read(4)",
        Twin.WORKS,
    ),
    Attempt(
        "/dev/shm",
        "lists shared memory",
        "import os; os.listdir('/dev/shm'); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
]
