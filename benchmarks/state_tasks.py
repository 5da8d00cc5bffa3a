"""Game of 24 beside reasoning-gym's puzzle24; making and grading `check:` and `next:` questions.

"made" times `new`, which draws instances until one has a pair of positions that are alike; "of
train" also draws until both positions belong to that split. n questions are made, 1,000 in
FineReason's families; with fewer, p99.9 is the slowest. "cold" is for the first 500 instances of a
process, without its start.  Memory is what making 10,000 questions takes more than making 100, in
MB.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from random import Random

from proofs.resumable import state_levels

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game, Question
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.tasks.state_task import StateTask
from quandary.tasks.whole import Whole

from .clock import at, durations, long_rate, rates

TASKS = ("check", "next")
FAMILIES = ("sudoku", "game_of_24", "graph_coloring", "logic_grid")  # of FineReason
# Questions whose making is timed, of these families and of others, and those that are graded.
MADE, OF_OTHERS, GRADED = 1_000, 30, 50
OF_TRAIN = 30  # questions of a split whose making is timed
COLD = 500
GRADING = 0.4  # seconds in which answers are graded
MANY, FEW = 10_000, 100
# Levels whose memory is measured: the quickest of each family.
MEASURED = ("sudoku/easy", "game_of_24/hard", "graph_coloring/easy", "logic_grid/easy")
MAXRSS = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


def table() -> list[str]:
    beside = _beside_reasoning_gym()
    gc.collect()
    gc.freeze()  # what reasoning-gym holds must not slow down what follows
    rows = [
        "| task | level | n | made a second | p50 ms | p99.9 ms | of train | graded a second |",
        "|---|---|---|---|---|---|---|---|",
    ]
    rows += [_row(task, level) for level in state_levels() for task in TASKS]
    rows += ["", "| whole answers | graded a second |", "|---|---|"]
    rows += [_whole_row(level) for level in state_levels() if _is_of_family(level)]
    rows += ["", "| questions | memory |", "|---|---|"]
    rows += [f"| check:{level} | {_memory(level)} MB |" for level in MEASURED]
    return [*beside, "", *rows]


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
    cold = [_cold_rate(level) for level in GameOf24.levels]
    graded, other_graded = rates(grade, gym_grade)
    lines = [
        f"| game_of_24/{level} made | {rate:,.0f} | {other:,.0f} | {rate / other:.0f} x |"
        for level, rate in zip(GameOf24.levels, ours, strict=True)
    ]
    lines += [
        f"| game_of_24/{level} made cold | {rate:,.0f} | {other:,.0f} | {rate / other:.0f} x |"
        for level, rate in zip(GameOf24.levels, cold, strict=True)
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
    whole = drawing.instance(f"whole:{spec}")
    assert isinstance(whole, Whole)
    return whole, whole.solution().splitlines()[-1]


def _is_of_family(level: str) -> bool:
    return level.partition("/")[0] in FAMILIES


def _row(task: str, level: str) -> str:
    taken = durations(partial(make, task, level), MADE if _is_of_family(level) else OF_OTHERS)
    of_train = durations(lambda seed: drawing.instance(f"{task}:{level}@train#{seed}"), OF_TRAIN)
    graded = long_rate(_grading(task, level), sys.maxsize, GRADING)
    return (
        f"| {task}: | {level} | {len(taken):,} | {len(taken) / sum(taken):,.0f} "
        f"| {1000 * at(0.5, taken):.3g} | {1000 * at(0.999, taken):.3g} "
        f"| {OF_TRAIN / sum(of_train):,.0f} | {graded:,.0f} |"
    )


def _whole_row(level: str) -> str:
    """Right answers, written as moves."""
    questions = [drawing.instance(f"whole:{level}#{seed}") for seed in range(GRADED)]
    answers = [(one, one.solution()) for one in questions if isinstance(one, Whole)]

    def grade(number: int) -> int:
        whole, text = answers[number % len(answers)]
        assert whole.check(text).score == 1.0
        return 1

    return f"| whole:{level} | {long_rate(grade, sys.maxsize, GRADING):,.0f} |"


def _cold_rate(level: str) -> float:
    return COLD / float(_output_of(COLD_MAKING.format(level=level, count=COLD)))


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
    answers = [
        (one, text) for one in questions for text in (one.solution(), one.sample(rng), "none")
    ]

    def grade(number: int) -> int:
        question, text = answers[number % len(answers)]
        question.check(text)
        return 1

    return grade


def _memory(level: str) -> int:
    few, many = (
        int(_output_of(MAKING.format(level=level, count=count) + MAXRSS)) for count in (FEW, MANY)
    )
    return many - few


def _output_of(program: str) -> str:
    """What a program prints in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


MAKING = """
from benchmarks.state_tasks import make
for seed in range({count}):
    make("check", {level!r}, seed)
"""
COLD_MAKING = """
from random import Random
from time import process_time
from quandary.puzzles.solo.game_of_24 import GameOf24
begun = process_time()
for seed in range({count}):
    GameOf24.new(Random("{level}#" + str(seed)), **GameOf24.levels[{level!r}])
print(process_time() - begun)
"""
