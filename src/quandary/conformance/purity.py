"""The check that a puzzle uses no clock, files, network or processes."""

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
OF_ONE_PROCESS = frozenset({"hash", "id"})
FORBIDDEN = frozenset({"open", "input", "print", "eval", "exec", "compile", "__import__"})


def nothing_from_outside(case: Case) -> Iterator[str]:
    """The code in the puzzle's own file or folder must not use names from outside; it may import
    them.
    """
    for function in _functions(case.puzzle):
        for name in sorted(_names(function.__code__)):
            found = function.__globals__.get(name, getattr(builtins, name, None))
            if found is getattr(builtins, name, None) and name in FORBIDDEN:
                yield (
                    f"{function.__name__} uses `{name}`: a puzzle may not read files or run code"
                )
            elif found is getattr(builtins, name, None) and name in OF_ONE_PROCESS:
                yield f"{function.__name__} uses `{name}`, which differs from process to process"
            elif (home := _home(found, name)) in OUTSIDE:
                yield (
                    f"{function.__name__} uses `{home}`: a puzzle may not use clocks, files, "
                    f"networks or processes"
                )


def _home(found: Any, name: str) -> str:
    """Return the top-level module of a global, or the name itself if it is imported in a
    function.
    """
    if found is None:
        return name
    whole = found.__name__ if isinstance(found, ModuleType) else getattr(found, "__module__", None)
    return str(whole or "").partition(".")[0].lstrip("_")


def _functions(puzzle: type) -> list[FunctionType]:
    """Return the methods in the puzzle's file or folder, and the functions there which they
    call.
    """
    found: dict[FunctionType, None] = {}
    waiting = [
        _plain(member)
        for cls in puzzle.__mro__
        if _is_own(cls.__module__, puzzle)
        for member in vars(cls).values()
    ]
    while waiting:
        function = waiting.pop()
        if (
            isinstance(function, FunctionType)
            and function.__name__ != "__hash__"  # which every frozen dataclass has
            and _is_own(function.__module__, puzzle)
            and function not in found
        ):
            found[function] = None
            waiting += [
                _plain(function.__globals__.get(name)) for name in sorted(_names(function.__code__))
            ]
    return list(found)


def _is_own(module: str, puzzle: type) -> bool:
    """Return whether a module is the puzzle's own, or one in its folder."""
    return f"{module}.".startswith(f"{puzzle.__module__}.")


def _plain(member: Any) -> Any:
    """Return the function within a classmethod, a property or a cache."""
    for within in ("__func__", "fget", "func", "__wrapped__"):
        member = getattr(member, within, None) or member
    return member


def _names(code: CodeType) -> set[str]:
    """Names of globals and of imports in functions, inner functions included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    used = {
        str(step.argval)
        for step in get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "IMPORT_NAME")
    }
    return used.union(*map(_names, inner))
