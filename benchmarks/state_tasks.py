"""Game of 24 beside reasoning-gym's puzzle24; making and grading `check:` and `next:` questions.

"made" is of `new`, which draws instances until one has a pair of positions that are alike; "of
train" also draws until both positions belong to that split.  Memory is what making 10,000 questions
takes more than making 100, in MB.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from random import Random

from proofs.resumable import state_levels

from quandary.catalogue import registry
from quandary.core.contract import Game, Question
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.tasks.state_task import StateTask
from quandary.tasks.whole import Whole

from .clock import at, durations, rates

TASKS = ("check", "next")
MADE, GRADED = 1_000, 50  # questions whose making is timed, and those whose answers are graded
OF_TRAIN = 100  # questions of a split whose making is timed
MANY, FEW = 10_000, 100
MEASURED = ("sudoku/easy", "game_of_24/hard")  # levels whose memory is measured
MAXRSS = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


def table() -> list[str]:
    rows = [
        "| task | level | made a second | p50 ms | p99.9 ms | of train | graded a second |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [_row(task, level) for level in state_levels() for task in TASKS]
    rows += ["", "| questions | memory |", "|---|---|"]
    rows += [f"| check:{level} | {_memory(level)} MB |" for level in MEASURED]
    return [*_beside_reasoning_gym(), "", *rows]


def _beside_reasoning_gym() -> list[str]:
    """Both make sets of four numbers that can make 24, and grade one expression."""
    from reasoning_gym.games.puzzle24 import Puzzle24Config, Puzzle24Dataset

    theirs = Puzzle24Dataset(Puzzle24Config(seed=1, size=1_000_000))
    entries = [theirs[place] for place in range(200)]
    answers = [_solved(f"game_of_24/easy#{seed}") for seed in range(2_000)]

    def make(level: str, seed: int) -> int:
        GameOf24.new(Random(f"{level}#{seed}"), **GameOf24.levels[level])
        return 1

    def grade(seed: int) -> int:
        whole, answer = answers[seed % len(answers)]
        assert whole.check(answer).score == 1.0
        return 1

    def gym_make(seed: int) -> int:
        return len([theirs[seed]])

    def gym_grade(seed: int) -> int:
        entry = entries[seed % len(entries)]
        theirs.score_answer(entry["answer"], entry)
        return 1

    making = [partial(make, level) for level in GameOf24.levels]
    *ours, other = rates(*making, gym_make)
    graded, other_graded = rates(grade, gym_grade)
    lines = [
        f"| game_of_24/{level} made | {rate:,.0f} | {other:,.0f} | {rate / other:.0f} x |"
        for level, rate in zip(GameOf24.levels, ours, strict=True)
    ]
    ratio = graded / other_graded
    return [
        "| game of 24 | quandary a second | puzzle24 a second | ratio |",
        "|---|---|---|---|",
        *lines,
        f"| whole: answers graded | {graded:,.0f} | {other_graded:,.0f} | {ratio:.1f} x |",
    ]


def _solved(spec: str) -> tuple[Whole, str]:
    """A question and its answer as one expression."""
    whole = registry.instance(f"whole:{spec}")
    assert isinstance(whole, Whole)
    return whole, whole.solution().splitlines()[-1]


def _row(task: str, level: str) -> str:
    taken = durations(partial(make, task, level), MADE)
    of_train = durations(lambda seed: registry.instance(f"{task}:{level}@train#{seed}"), OF_TRAIN)
    [graded] = rates(_grading(task, level))
    return (
        f"| {task}: | {level} | {len(taken) / sum(taken):,.0f} | {1000 * at(0.5, taken):.3g} "
        f"| {1000 * at(0.999, taken):.3g} | {OF_TRAIN / sum(of_train):,.0f} | {graded:,.0f} |"
    )


def make(task: str, level: str, seed: int) -> StateTask:
    """A question, drawn without regard to splits."""
    rng = Random(f"{task}:{level}#{seed}")
    return next(question for start in _starts(level, rng) for question in _on(task, start, rng))


def _starts(level: str, rng: Random) -> Iterator[Game]:
    name, _, arguments = level.partition("/")
    puzzle = registry.load(name)
    while True:
        yield puzzle.new(rng, **puzzle.levels[arguments])  # type: ignore[misc]


def _on(task: str, start: Game, rng: Random) -> Iterator[StateTask]:
    return islice(_wrapper(task).drawn(rng, start), 1)


@cache
def _wrapper(task: str) -> type[StateTask]:
    return registry.WRAPPERS[task]  # type: ignore[return-value]


def _grading(task: str, level: str) -> Callable[[int], int]:
    """Grades right answers, guesses and nonsense in turns."""
    questions: list[Question] = [make(task, level, seed) for seed in range(GRADED)]
    rng = Random(1)
    said = [(one, text) for one in questions for text in (one.solution(), one.sample(rng), "none")]

    def grade(number: int) -> int:
        question, text = said[number % len(said)]
        question.check(text)
        return 1

    return grade


def _memory(level: str) -> int:
    few, many = (
        int(
            subprocess.run(
                [sys.executable, "-c", f"{MAKING.format(level=level, count=count)}{MAXRSS}"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for count in (FEW, MANY)
    )
    return many - few


MAKING = """
from benchmarks.state_tasks import make
for seed in range({count}):
    make("check", {level!r}, seed)
"""
