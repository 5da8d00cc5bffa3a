"""The filter of system calls, run by an interpreter of BPF that knows nothing of how it was made.

What it should say is written down here a second time, from the manuals of the calls.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from random import Random

import pytest

from programs.system_calls import ALWAYS, MACHINES, SOMETIMES, numbers
from quandary.programs.sandbox import seccomp

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as in linux/audit.h
OTHERS = [
    0x40000003,
    0x40000028,
    0x80000016,
    0xC00000F3,
    0,
    0xFFFFFFFF,
]  # i386, arm, s390x, riscv64
X32 = 0x40000000
ALLOW, KILL, NOT_PERMITTED, NOT_THERE = "allow", "kill", "fail with 1", "fail with 38"
ACTIONS = {0x7FFF0000: ALLOW, 0x80000000: KILL}
HIGHEST = 500
Arguments = tuple[int, ...]


def ruled(code: bytes, number: int, architecture: int, arguments: Arguments = (0,) * 6) -> str:
    """What a filter says to a call."""
    given = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, architecture, 0x7FFF12345678, *arguments)
    lines = list(struct.iter_unpack("=HBBI", code))
    at = loaded = 0
    while True:
        operation, if_true, if_false, value = lines[at]
        at += 1
        match operation:
            case 0x20:  # load a word
                assert value % 4 == 0 and value + 4 <= len(given)
                (loaded,) = struct.unpack_from("=I", given, value)
            case 0x54:  # and
                loaded &= value
            case 0x15:  # jump if equal
                at += if_true if loaded == value else if_false
            case 0x35:  # jump if not less
                at += if_true if loaded >= value else if_false
            case 0x06:  # return
                failure = f"fail with {value & 0xFFFF}" if value >> 16 == 5 else str(value)
                return ACTIONS.get(value, failure)
            case _:
                raise AssertionError(f"an unknown operation: {operation:#x}")


def expected(name: str, arguments: Arguments) -> str:
    """What the filter should say to a call."""
    if name in ALWAYS:
        return ALLOW
    if name == "clone3":  # so that the C library asks for clone instead
        return NOT_THERE
    if name not in SOMETIMES:
        return NOT_PERMITTED
    first, second, third, fourth = (argument % 2**32 for argument in arguments[:4])
    match name:
        case "clock_gettime" | "clock_getres" | "clock_nanosleep":
            fine = (
                first <= 11
            )  # from CLOCK_REALTIME to CLOCK_TAI; others are of processes and files
        case "madvise":
            fine = third in (4, 8, 14, 15)  # DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE
        case "futex":  # WAIT, WAKE, WAIT_BITSET, WAKE_BITSET, private, by either clock
            fine = second & ~256 in (128 + 0, 128 + 1, 128 + 9, 128 + 10)
        case "mmap":  # without PROT_EXEC, MAP_LOCKED and MAP_HUGETLB
            fine = not (third & 4 or fourth & 0x2000 or fourth & 0x40000)
        case "mprotect":
            fine = not third & 4
    return ALLOW if fine else NOT_PERMITTED


def arguments_of(rng: Random) -> Iterator[Arguments]:
    """Small numbers, single bits and clocks of processes, at each place; then some at random."""
    values = [*range(20), *(1 << bit for bit in range(64)), 2**64 - 1, 2**32 - 1]
    values += (
        [128 + n for n in range(20)] + [256 + 128 + n for n in range(12)] + [256 + 1, 512 + 128]
    )
    values += [(~pid << 3 | kind) % 2**64 for pid in (0, 1, 4000) for kind in (2, 3, 6)]
    values += [2**32 + 11, 2**32 + 4, 3 + (5 << 32)]
    for place in range(4):
        for value in values:
            yield *(0,) * place, value, *(0,) * (5 - place)
    for _ in range(200):
        yield tuple(rng.choice(values) for _ in range(6))


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_is_ruled_as_the_manuals_suggest(machine: str) -> None:
    code, architecture = seccomp.assembled(machine), ARCHITECTURES[machine]
    names = {number: name for name, number in numbers(machine).items()}
    rng = Random(machine)
    many, few = [*arguments_of(rng)], [(0,) * 6, (2**64 - 1,) * 6, (1, 2, 3, 4, 5, 6)]
    for number in range(HIGHEST + 1):
        name = names.get(number, "")
        for arguments in many if name in SOMETIMES else few:
            said = ruled(code, number, architecture, arguments)
            assert said == expected(name, arguments), (number, name, arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_all_listed_calls_are_among_those_tried(machine: str) -> None:
    there = numbers(machine)
    assert max(there.values()) <= HIGHEST
    missing = (ALWAYS | SOMETIMES) - there.keys()
    assert missing == (set() if machine == "x86_64" else {"alarm", "pause", "time"})


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_kill(machine: str) -> None:
    code = seccomp.assembled(machine)
    for architecture in {*OTHERS, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}:
        for number in (*range(HIGHEST + 1), X32, X32 + 1, 2**32 - 1):
            assert ruled(code, number, architecture) == KILL


def test_calls_of_x32_kill() -> None:
    code = seccomp.assembled("x86_64")
    for number in (*range(X32, X32 + 600), 2 * X32, 2**31, 2**32 - 1):
        assert ruled(code, number, ARCHITECTURES["x86_64"]) == KILL


def test_large_numbers_fail_where_there_is_no_x32() -> None:
    code = seccomp.assembled("aarch64")
    for number in (*range(HIGHEST, 2000), X32, X32 + 63, 2**31, 2**32 - 1):
        assert ruled(code, number, ARCHITECTURES["aarch64"]) == NOT_PERMITTED


@pytest.mark.parametrize("machine", MACHINES)
def test_no_way_through_the_filter_leaves_it(machine: str) -> None:
    """Each jump leads forward to a line of the filter, and the last line returns."""
    lines = list(struct.iter_unpack("=HBBI", seccomp.assembled(machine)))
    assert len(lines) <= 4096  # as many as the kernel takes
    assert lines[-1][0] == 0x06
    for at, (operation, if_true, if_false, _) in enumerate(lines):
        furthest = max(if_true, if_false) if operation in (0x15, 0x35) else 0
        assert at + 1 + furthest < len(lines) or operation == 0x06


def test_there_is_no_filter_for_other_machines() -> None:
    with pytest.raises(KeyError):
        seccomp.assembled("riscv64")
