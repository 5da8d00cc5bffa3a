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
        """What a spec says besides its seed: task, puzzle and level."""
        task = f"{self.task}:" if self.task else ""
        changes = "".join([f",{key}={value}" for key, value in self.changes])
        split = "" if self.split == "test" else f"@{self.split}"
        return f"{task}{self.name}/{self.level}{changes}{split}"

    def with_seed(self, seed: int) -> Spec:
        """Another instance of the same level."""
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
        if found := PROBLEM.fullmatch(text.strip()):
            return cls._of_problem(found)
        found = FORM.fullmatch(text.strip())
        if not found:
            raise UserError(
                f"{text!r} is not an instance; write name/level#seed, for example sudokill/easy#7."
            )
        task, split, seed = found["task"] or "", found["split"] or "test", found["seed"]
        if task and task not in TASKS:
            raise unknown("task", task, TASKS)
        if split not in SPLITS:
            raise unknown("split", split, SPLITS)
        if not re.fullmatch(r"[0-9]{1,18}", seed):
            example = f"{found['name']}/{found['level']}#1"
            raise UserError(
                f"invalid seed {seed!r}; write a whole number of at most 18 digits, for example "
                f"{example}."
            )
        changes = sorted(
            tuple(change.split("=", 1)) for change in found["changes"].split(",") if change
        )
        keys = [key for key, _ in changes]
        if len(set(keys)) < len(keys):
            raise UserError(f"{text!r} gives one argument twice; keep one of them.")
        return cls(
            found["name"],
            found["level"],
            int(seed),
            task,
            tuple((key, value) for key, value in changes),
            split,
        )

    @classmethod
    def _of_problem(cls, found: re.Match[str]) -> Spec:
        """The spec of a problem: its session tells the task, and its number is the seed."""
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
