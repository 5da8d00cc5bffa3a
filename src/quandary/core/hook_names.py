"""Names of hooks that a puzzle defines without effect: earlier, misplaced and misspelt ones.

Nothing would call them, and no error would say so: a puzzle whose declared number of instances is
passed over has others of its instances in a split, and so in a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from inspect import get_annotations
from pathlib import Path

CLOSE = 0.8  # how similar a misspelt name is to the right one, from 0 to 1

# Earlier name -> name.
RENAMED: Mapping[str, str] = {
    "alike": "equivalent",
    "material": "word_language",
    "small": "distinct_instances",
    "state_task_raises": "state_task_version",
    "world": "possible_position",
}
# Earlier name, or name that only tasks define -> what an author writes instead.
REPLACED: Mapping[str, str] = {
    "luck": "derive the class from `ChanceMoves`",
    "raises": "raise `version`",
    "retry": "derive the class from `AskedOnce`",
    "speaks_with": "write it after the base classes, `class Rook(Game, speaks_with=(...))`",
    "version_increment": "raise `version`",
}
# Mixin -> the kind of puzzle that it is for, and the hooks that it adds.
GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "AskedOnce": ("Question", ()),
    "ChanceMoves": ("Game", ("chance",)),
    "EarlierVersions": ("Puzzle", ("upgraded",)),
    "Families": ("Puzzle", ("draw_family", "families")),
    "Fouls": ("Game", ("foul",)),
    "FreeText": ("Game", ("feedback", "no_answer", "sample")),
    "HiddenInformation": ("Puzzle", ("possible_position",)),
    "JudgedMoves": ("Game", ("judge", "judge_budget")),
    "Objective": ("Puzzle", ("better", "reference", "reference_is_bound")),
    "PartlyGiven": ("Question", ("given_parts",)),
    "PublishedAnswers": ("Question", ("check_as_published",)),
    "SimultaneousMoves": ("Game", ("after_round",)),
    "StateTasks": (
        "Game",
        (
            "appearance",
            "branches",
            "gaps",
            "leads_to",
            "move_to",
            "restate",
            "shown_state",
            "solvable",
            "solvable_after",
            "state",
            "state_form",
            "state_task_version",
        ),
    ),
    "TranslatedAnswers": ("Question", ("translated",)),
    "WholeAnswers": ("Game", ("moves", "whole_form")),
    "WordPuzzle": ("Puzzle", ("kept_words", "word_language")),
}


def refuse_names_without_effect(cls: type) -> None:
    """Raise TypeError for an earlier name of a hook, and for one whose mixin is not a base."""
    if _is_core(cls):  # which defines the hooks
        return
    for name in _defined(cls):
        if name in RENAMED:
            raise TypeError(
                f"{cls.__name__} defines `{name}`, which is now called `{RENAMED[name]}`."
            )
        if name in REPLACED:
            raise TypeError(f"{cls.__name__} defines `{name}`; {REPLACED[name]} instead.")
        for mixin, (kind, hooks) in GROUPS.items():
            if name in hooks and kind in _kinds(cls):
                raise TypeError(
                    f"{cls.__name__} defines `{name}`, which belongs to `{mixin}`; derive the "
                    f"class from `{mixin}`, or choose another name."
                )


def misspelt(cls: type) -> Iterator[str]:
    """Yield a sentence for each name that is close to that of a hook, and that its module never
    uses.
    """
    known = [name for name in dir(cls) if not name.startswith("_") and name not in vars(cls)]
    known += [name for kind, hooks in GROUPS.values() if kind in _kinds(cls) for name in hooks]
    used: set[str] | None = None
    for name in _defined(cls):
        near = _plural_hook(cls, name) or get_close_matches(name, [*known, *RENAMED], 1, CLOSE)
        if not near:
            continue
        used = _used(cls) if used is None else used
        if name not in used:
            right = RENAMED.get(near[0], near[0])
            yield f"{cls.__name__} defines `{name}`, which nothing uses; did you mean `{right}`?"


def _plural_hook(cls: type, name: str) -> list[str]:
    """Return the hook that a name is the singular of: `strategy` may stand beside `strategies`."""
    plurals = (f"{name}s", f"{name.removesuffix('y')}ies")
    hooks = {hook for base in cls.__mro__ if _is_core(base) for hook in vars(base)}
    return [plural for plural in plurals if plural in hooks]


def _is_core(cls: type) -> bool:
    return cls.__module__.startswith("quandary.core.")


def _defined(cls: type) -> Iterator[str]:
    """Yield the public names that a class itself adds to those of its bases, but for its fields."""
    inherited = {name for base in cls.__mro__[1:] for name in vars(base)}
    annotations = get_annotations(cls)
    for name in vars(cls):
        is_field = name in annotations and "ClassVar" not in str(annotations[name])
        if not name.startswith("_") and not is_field and name not in inherited:
            yield name


def _kinds(cls: type) -> set[str]:
    return {base.__name__ for base in cls.__mro__ if _is_core(base)}


def _used(cls: type) -> set[str]:
    """Return the names that the file of a class uses, or all files of its folder."""
    import ast  # slow to import, and only puzzles with a name in doubt need it
    import sys

    found = set[str]()
    file = Path(getattr(sys.modules.get(cls.__module__), "__file__", None) or "")
    for path in file.parent.rglob("*.py") if file.name == "__init__.py" else [file]:
        if not path.is_file():
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found
