"""The name of an instance: `[task:]name/level[,key=value...][@split]#seed`.

The whole name, in its one canonical spelling, seeds the generator: neighbouring seeds share
nothing, and a name always stands for the same instance.

A problem of an import is named `paper name/level session`; it is not generated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from quandary.core.errors import UserError, unknown

TASKS = {"check": "state check", "next": "state transition", "whole": "all moves in one answer"}
SPLITS = ("train", "dev", "test", "published")  # published: the papers' own seeds, part of test
FORM = re.compile(
    r"(?:(?P<task>[^:/#@,]+):)?(?P<name>[^:/#@,]+)/(?P<level>[^:/#@,]+)(?P<changes>(?:,[^,=@#]+=[^,@#]+)*)"
    r"(?:@(?P<split>[^#@]+))?#(?P<seed>.+)"
)
SEED = re.compile(r"[0-9]{1,18}")
PROBLEM = re.compile(
    r"(?P<paper>[a-z0-9_]+) (?P<name>[a-z0-9_]+)/(?P<level>[^:/#@, ]+) (?P<session>[^:/#@,]+)"
)


@dataclass(frozen=True, slots=True)  # a run may have very many of them
class Spec:
    name: str
    level: str
    seed: int
    task: str = ""  # "", or one of TASKS
    # arguments of `new` that differ from the level's, by key
    changes: tuple[tuple[str, str], ...] = ()
    split: str = "test"
    problem: str = ""  # the name of a problem of an import; the other fields follow from it
    # Kept, because a match is named after its instance in several places.
    _text: str = field(default="", init=False, repr=False, compare=False)

    def __str__(self) -> str:
        if not self._text:
            text = self.problem or f"{self.place}#{self.seed}"
            object.__setattr__(self, "_text", text)
        return self._text

    @property
    def place(self) -> str:
        """The text of the spec without its seed: task, puzzle and level."""
        task = f"{self.task}:" if self.task else ""
        changes = "".join([f",{key}={value}" for key, value in self.changes])
        split = "" if self.split == "test" else f"@{self.split}"
        return f"{task}{self.name}/{self.level}{changes}{split}"

    def with_seed(self, seed: int) -> Spec:
        """Return another instance of the same level."""
        # Not by `replace`, which takes five times as long: suites have many seeds.
        return Spec(self.name, self.level, seed, self.task, self.changes, self.split, self.problem)

    @property
    def base(self) -> Spec:
        """The instance that `whole:` asks about; `check:` and `next:` look for a pair of positions
        in it first, and in further instances of the level if it has none.
        """
        return replace(self, task="") if self.task else self

    @classmethod
    def parse(cls, text: str) -> Spec:
        # An instance has a "#" and a problem has none, so the order does not matter.
        found = FORM.fullmatch(text.strip())
        if not found:
            if problem := PROBLEM.fullmatch(text.strip()):
                return cls._of_problem(problem)
            raise UserError(
                f"{text!r} is not an instance; write name/level#seed, for example sudokill/easy#7."
            )
        task, name, level, changes, split, seed = found.groups("")
        if task and task not in TASKS:
            raise unknown("task", task, TASKS)
        if split and split not in SPLITS:
            raise unknown("split", split, SPLITS)
        if not SEED.fullmatch(seed):
            raise UserError(
                f"invalid seed {seed!r}; write a whole number of at most 18 digits, for example "
                f"{name}/{level}#1."
            )
        return cls(name, level, int(seed), task, _parsed_changes(text, changes), split or "test")

    @classmethod
    def _of_problem(cls, found: re.Match[str]) -> Spec:
        """Return the spec of a problem: its session tells the task, and its number is the seed."""
        task, _, _ = found["session"].partition("-")
        digits = re.search(r"[0-9]{0,18}$", found["session"])
        return cls(
            found["name"],
            found["level"],
            int(digits[0]) if digits and digits[0] else 0,
            task if task in TASKS else "",
            # A level of ours has generated instances too, which the split sets apart.
            split="test" if found["level"] == "published" else "published",
            problem=found[0],
        )


def _parsed_changes(text: str, changes: str) -> tuple[tuple[str, str], ...]:
    """Return the arguments that a spec changes, by key; `changes` is their part of its text."""
    if not changes:
        return ()
    parts = (change.partition("=") for change in changes.split(",") if change)
    parsed = tuple(sorted((key, value) for key, _, value in parts))
    if len(dict(parsed)) < len(parsed):
        raise UserError(f"{text!r} gives one argument twice; keep one of them.")
    return parsed
