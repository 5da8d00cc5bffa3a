"""The numbers of system calls on the machines that have a sandbox, from the headers of Linux."""

from __future__ import annotations

import platform

MACHINES = ("x86_64", "aarch64")
# name -> numbers on x86-64 and on aarch64; None where a machine does not have it.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "add_key": (248, 217), "adjtimex": (159, 171), "alarm": (37, None), "bpf": (321, 280),
    "brk": (12, 214), "clock_getres": (229, 114), "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115), "clock_settime": (227, 112), "clone": (56, 220),
    "clone3": (435, 435), "close": (3, 57), "dup": (32, 23), "eventfd2": (290, 19),
    "execveat": (322, 281), "exit": (60, 93), "exit_group": (231, 94),
    "fanotify_init": (300, 262), "fork": (57, None), "fstat": (5, 80), "futex": (202, 98),
    "get_robust_list": (274, 100), "getcpu": (309, 168), "getitimer": (36, 102),
    "getpid": (39, 172), "getppid": (110, 173), "getrandom": (318, 278), "getrusage": (98, 165),
    "gettid": (186, 178), "gettimeofday": (96, 169), "init_module": (175, 105),
    "inotify_init1": (294, 26), "io_uring_setup": (425, 425), "ioctl": (16, 29),
    "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219),
    "landlock_create_ruleset": (444, 444), "lseek": (8, 62), "madvise": (28, 233),
    "membarrier": (324, 283), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "mlock": (149, 228), "mmap": (9, 222), "mount": (165, 40), "mprotect": (10, 226),
    "mq_open": (240, 180), "mremap": (25, 216), "msgget": (68, 186), "munmap": (11, 215),
    "name_to_handle_at": (303, 264), "nanosleep": (35, 101), "open": (2, None),
    "openat": (257, 56), "openat2": (437, 437), "pause": (34, None),
    "perf_event_open": (298, 241), "personality": (135, 92), "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pkey_mprotect": (329, 288),
    "prctl": (157, 167), "prlimit64": (302, 261), "process_madvise": (440, 440),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "read": (0, 63), "reboot": (169, 142), "restart_syscall": (219, 128), "rseq": (334, 293),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigqueueinfo": (129, 138),
    "rt_sigreturn": (15, 139), "sched_getaffinity": (204, 123), "sched_yield": (24, 124),
    "seccomp": (317, 277), "semget": (64, 190), "set_robust_list": (273, 99),
    "sethostname": (170, 161), "setitimer": (38, 103), "setns": (308, 268),
    "settimeofday": (164, 170), "shmget": (29, 194), "sigaltstack": (131, 132),
    "signalfd4": (289, 74), "socket": (41, 198), "splice": (275, 76), "statx": (332, 291),
    "swapoff": (168, 225), "sync": (162, 81), "sysinfo": (99, 179), "syslog": (103, 116),
    "tgkill": (234, 131),
    "time": (201, None), "timer_create": (222, 107), "timerfd_create": (283, 85),
    "times": (100, 153), "tkill": (200, 130), "unshare": (272, 97),
    "userfaultfd": (323, 282), "vfork": (58, None), "vmsplice": (278, 75), "write": (1, 64),
}  # fmt: skip

# What a program may call, by the plan of the sandbox: whatever the arguments, or with some only.
ALWAYS = {
    *("read", "write", "lseek", "fstat", "munmap", "mremap", "brk", "rt_sigaction"),
    *("rt_sigprocmask", "rt_sigreturn", "sigaltstack", "setitimer", "getitimer", "alarm", "pause"),
    *("gettimeofday", "time", "nanosleep", "times", "getrusage", "sched_yield", "getpid", "gettid"),
    *("restart_syscall", "getrandom", "rseq", "set_robust_list", "exit", "exit_group"),
}
SOMETIMES = {
    *("clock_gettime", "clock_getres", "clock_nanosleep"),
    *("madvise", "futex", "mmap", "mprotect"),
}


def numbers(machine: str = platform.machine()) -> dict[str, int]:
    """The calls of a machine."""
    column = MACHINES.index(machine)
    return {name: both[column] for name, both in NUMBERS.items() if both[column] is not None}
