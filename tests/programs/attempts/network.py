"""Attempts to talk to others: on this machine only, by loopback, sockets with names, queues."""

from __future__ import annotations

from .attempt import Attempt, Twin

ATTEMPTS = [
    Attempt(
        "TCP",
        "connects to a port of this machine",
        "import socket; socket.create_connection(('127.0.0.1', P['tcp']), 2); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "TCP by IPv6",
        "connects to a port of this machine by IPv6",
        "import socket; socket.create_connection(('::1', P['tcp6']), 2); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "UDP",
        "sends a datagram to this machine",
        """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', P['udp']))
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "HTTP",
        "connects by a module of the standard library",
        """
import http.client
http.client.HTTPConnection('127.0.0.1', P['tcp'], timeout=2).connect()
return 'ESCAPED'
""",
        Twin.WORKS,
    ),
    Attempt(
        "listen",
        "waits for connections on a port of this machine",
        "import socket; socket.create_server(('127.0.0.1', 0)); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "socket with a path",
        "connects to a socket in the file system",
        "import socket; socket.socket(socket.AF_UNIX).connect(P['socket']); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "abstract socket",
        "connects to a socket that has a name but no file",
        "import socket; socket.socket(socket.AF_UNIX).connect(P['abstract']); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "pair of sockets",
        "makes a pair of sockets",
        "import socket; socket.socketpair(); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "socket by its number",
        "makes a socket by the number of the call",
        "return worked(call('socket', 1, 1, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "netlink",
        "talks to the kernel about the network",
        "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "raw socket",
        "makes packets by itself",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "packet socket",
        "listens to the network",
        "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "socket for ciphers",
        "uses the ciphers of the kernel",
        "import socket; socket.socket(38, socket.SOCK_SEQPACKET, 0); return 'ESCAPED'",
        Twin.PERHAPS,
    ),
    Attempt(
        "names of interfaces",
        "lists the networks of this machine",
        "import socket; return 'ESCAPED %s' % socket.if_nameindex()",
        Twin.WORKS,
    ),
    Attempt(
        "address of a name",
        "looks up a name",
        "import socket; return 'ESCAPED' if socket.getaddrinfo('localhost', 80) else 'nothing'",
        Twin.PERHAPS,
    ),
    Attempt(
        "event loop",
        "starts asyncio",
        "import asyncio; asyncio.run(asyncio.sleep(0)); return 'ESCAPED'",
        Twin.WORKS,
    ),
    Attempt(
        "epoll", "makes an epoll", "import select; select.epoll(); return 'ESCAPED'", Twin.WORKS
    ),
    Attempt(
        "io_uring",
        "lets the kernel make calls in its place",
        "return worked(call('io_uring_setup', 2, ctypes.create_string_buffer(256)))",
        Twin.PERHAPS,
    ),
    Attempt(
        "queue of POSIX",
        "makes a message queue with a name",
        """
result = call('mq_open', P['name'].strip('/').encode(), 0o102, 0o600, 0)
libc.mq_unlink(P['name'].encode())
return worked(result)
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "queue of System V",
        "makes a message queue",
        """
result = call('msgget', 0, 0o1600)
libc.msgctl(result, 0, None)
return 'ESCAPED' if result >= 0 else 'refused'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "memory of System V",
        "makes memory that others can map",
        """
result = call('shmget', 0, ctypes.c_size_t(4096), 0o1600)
libc.shmctl(result, 0, None)
return 'ESCAPED' if result >= 0 else 'refused'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "semaphores of System V",
        "makes semaphores that others can use",
        """
result = call('semget', 0, 1, 0o1600)
libc.semctl(result, 0, 0)
return 'ESCAPED' if result >= 0 else 'refused'
""",
        Twin.PERHAPS,
    ),
    Attempt(
        "shared futex",
        "wakes whoever waits at an address of a file that all processes have in common",
        "address = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~3\n"
        "return worked(call('futex', address, 1, 1, 0, 0, 0))",
        Twin.WORKS,
    ),
    Attempt(
        "keyring",
        "keeps data in the kernel",
        "return worked(call('add_key', b'user', b'quandary-test', b'x', 1, -1))",
        Twin.PERHAPS,
    ),
    Attempt("keyctl", "finds its keyring", "return worked(call('keyctl', 0, -3, 1))", Twin.PERHAPS),
    Attempt(
        "name of the machine",
        "asks for the name of the machine",
        "import os; return 'ESCAPED ' + os.uname().nodename",
        Twin.WORKS,
    ),
]
