"""A puzzle is nothing but its fields and the luck it is given: no clock, no file, no network, no
other process.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .case import Case

OUTSIDE = frozenset(
    {
        "asyncio",
        "datetime",
        "glob",
        "http",
        "io",
        "multiprocessing",
        "os",
        "pathlib",
        "platform",
        "posix",
        "secrets",
        "shutil",
    }
    | {
        "signal",
        "socket",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
    }
)
FORBIDDEN = frozenset({"open", "input", "print", "eval", "exec", "compile", "__import__"})


def nothing_from_outside(case: Case) -> Iterator[str]:
    """Names used, in the puzzle's own file: what is imported there and never used does no harm."""
    for function in _functions(case.puzzle):
        for name in sorted(_names(function.__code__)):
            found = function.__globals__.get(name, getattr(builtins, name, None))
            if found is getattr(builtins, name, None) and name in FORBIDDEN:
                yield (
                    f"{function.__name__} uses `{name}`: a puzzle reads no files and runs no texts"
                )
            elif (home := _home(found, name)) in OUTSIDE:
                yield (
                    f"{function.__name__} uses `{home}`: a puzzle knows no clock, no files, no "
                    f"network and no processes"
                )


def _home(found: Any, name: str) -> str:
    """The top module a global comes from; a name that is no global may be a module imported within."""
    if found is None:
        return name
    whole = found.__name__ if isinstance(found, ModuleType) else getattr(found, "__module__", None)
    return str(whole or "").partition(".")[0].lstrip("_")


def _functions(puzzle: type) -> list[FunctionType]:
    """The methods written in the puzzle's file and the functions there that these call, each once."""
    found: dict[FunctionType, None] = {}
    waiting = [
        _plain(member)
        for cls in puzzle.__mro__
        if cls.__module__ == puzzle.__module__
        for member in vars(cls).values()
    ]
    while waiting:
        function = waiting.pop()
        if (
            isinstance(function, FunctionType)
            and function.__module__ == puzzle.__module__
            and function not in found
        ):
            found[function] = None
            waiting += [
                _plain(function.__globals__.get(name)) for name in sorted(_names(function.__code__))
            ]
    return list(found)


def _plain(member: Any) -> Any:
    """The function within a classmethod, a property or a cache."""
    for within in ("__func__", "fget", "func", "__wrapped__"):
        member = getattr(member, within, None) or member
    return member


def _names(code: CodeType) -> set[str]:
    """Names of globals and of what is imported within, those of inner functions too."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    used = {
        str(step.argval)
        for step in get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "IMPORT_NAME")
    }
    return used.union(*map(_names, inner))
