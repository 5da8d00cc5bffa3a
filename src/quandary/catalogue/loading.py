"""Imports puzzles and finds their classes; what an author's file may do wrong becomes a sentence.

Modules of folders are called `quandary.catalogue.loading.FOLDER.NAME`, where FOLDER stands for a
path.  Importing this module makes them importable by that name in any process, which reading a
pickled position needs.
"""

from __future__ import annotations

import inspect
import os
import sys
from contextlib import redirect_stdout
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from quandary.core.contract import Puzzle
from quandary.core.errors import UserError
from quandary.core.hook_names import misspelt
from quandary.core.naming import class_name, name_of
from quandary.core.source import Source, set_source

from .external import VARIABLE, OutsidePuzzle, folders_in, package_name

__path__: list[str] = []  # a module with a path can have modules below it
HASH_DIGITS = 16


def load_built_in(name: str, module: str) -> type[Puzzle]:
    """Return the class of a puzzle of this package."""
    return _class(_module(module, name), class_name(name), name, name)


def load_outside(puzzle: OutsidePuzzle) -> type[Puzzle]:
    """Return the class of a puzzle from outside, which from now on knows where it comes from."""
    what, wanted = str(puzzle), puzzle.entry.partition(":")[2].strip()
    module = _module(puzzle.module, what)
    found = _class(module, wanted or class_name(puzzle.name), puzzle.name, what)
    for sentence in misspelt(found):
        raise UserError(f"{what} cannot be used: {sentence}")
    home = sys.modules[found.__module__]
    set_source(found, Source(puzzle.kind, puzzle.origin, _hash(home, puzzle.name)))
    return found


def _module(name: str, what: str) -> ModuleType:
    try:
        with redirect_stdout(sys.stderr):  # what it prints is not part of a command's output
            return import_module(name)
    except (Exception, SystemExit) as reason:  # an author's file may hold anything
        in_folder = name.startswith(f"{__name__}.")
        if in_folder and isinstance(reason, ModuleNotFoundError) and reason.name == name:
            raise UserError(f"{what} cannot be loaded, because it is not a file.") from reason
        raise UserError(f"{what} cannot be loaded ({type(reason).__name__}: {reason}).") from reason


def _class(module: ModuleType, wanted: str, name: str, what: str) -> type[Puzzle]:
    puzzle = getattr(module, wanted, None)
    if puzzle is None:
        raise UserError(f"{what} has no class {wanted}.")
    if not (isinstance(puzzle, type) and issubclass(puzzle, Puzzle)):
        raise UserError(f"{wanted} of {what} is not a puzzle; derive it from Game or Question.")
    if inspect.isabstract(puzzle):
        missing = ", ".join(sorted(puzzle.__abstractmethods__))
        raise UserError(f"{wanted} of {what} does not define: {missing}.")
    if name_of(puzzle) != name:
        raise UserError(
            f"{wanted} of {what} is offered as {name!r}, but its class stands for "
            f"{name_of(puzzle)!r}; make the names agree."
        )
    return puzzle


def _hash(module: ModuleType, name: str) -> str:
    """Hash the file, or all files of the puzzle's folder with their names, except hidden ones."""
    file = Path(module.__file__ or "")
    files = [file]
    if (file.parent.name, file.name) == (name, "__init__.py"):
        inside = (path for path in file.parent.rglob("*") if path.is_file())
        files = [path for path in sorted(inside) if not _is_hidden(path.relative_to(file.parent))]
    if len(files) == 1:
        return sha256(file.read_bytes()).hexdigest()[:HASH_DIGITS]
    whole = sha256()
    for path in files:
        named = path.relative_to(file.parent).as_posix().encode()
        whole.update(sha256(named).digest() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:HASH_DIGITS]


def _is_hidden(path: Path) -> bool:
    """Return whether it is compiled code or a hidden file, such as an editor leaves."""
    return any(part == "__pycache__" or part.startswith(".") for part in path.parts)


class _FolderFinder:
    """Finds the modules of folders for Python's import."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith(f"{__name__}."):
            return None
        for folder in folders_in(os.environ.get(VARIABLE, "")):
            package = package_name(folder)
            if name == package:
                spec = ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [folder]
                return spec
            if name.startswith(f"{package}."):
                return _spec(name, Path(folder, *name.removeprefix(f"{package}.").split(".")))
        return None


def _spec(name: str, place: Path) -> ModuleSpec | None:
    """Return the module at a place in a folder: a package, or a file."""
    for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
        if file.is_file():
            return spec_from_file_location(name, file, loader=_UncachedLoader(name, str(file)))
    return None


class _UncachedLoader(SourceFileLoader):
    """Keeps no compiled code: what runs is the very file whose hash records carry."""

    def get_code(self, fullname: str) -> CodeType | None:
        return self.source_to_code(self.get_data(self.path), self.path)


sys.meta_path.insert(0, _FolderFinder)  # before Python's own, which keeps compiled code
