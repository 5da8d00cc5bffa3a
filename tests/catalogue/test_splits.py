"""Splits keep training and test instances apart, by canonical form."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

from broken_puzzles import SoundFamilies
from quandary.catalogue import drawing, registry, splits
from quandary.catalogue.spec import Spec
from quandary.core import codec
from quandary.core.contract import Game, InstanceCount, Puzzle
from quandary.core.errors import UserError
from quandary.core.wrapper import split_by
from quandary.puzzles._shared.sudoku import solver as sudoku
from quandary.puzzles.questions.words.text_sudoku import BLANK, TextSudoku

DIVIDED = ("train", "dev", "test")
# `make prove` looks at 2,000 seeds.  Positions of a split take longer to draw.
FAST_SEEDS, HEAVY_SEEDS = 12, 30
TASK_SEEDS, HEAVY_TASK_SEEDS = 2, 8
LEVELS = [
    (name, level)
    for name in registry.names()
    for level in registry.load(name).levels
    if not splits.is_test_only(registry.load(name), level)
]


@cache
def state_tasks() -> list[str]:
    """The puzzles that have tasks on positions."""
    games = ((name, registry.load(name)) for name in registry.names())
    return [
        name
        for name, puzzle in games
        if issubclass(puzzle, Game)
        and not registry.WRAPPERS["check"].refusal(  # type: ignore[attr-defined]
            drawing.game(f"{name}/{next(iter(puzzle.levels))}#1")
        )
    ]


def forms(prefix: str, name: str, level: str, split: str, seeds: int) -> set[object]:
    found = set[object]()
    for seed in range(seeds):
        made = drawing.instance(f"{prefix}{name}/{level}@{split}#{seed}")
        found.update(part.canonical() for part in split_by(made))
    return found


def check_apart(prefix: str, name: str, level: str, seeds: int) -> None:
    train, dev, test = (forms(prefix, name, level, split, seeds) for split in DIVIDED)
    assert not train & test
    assert not dev & test
    assert not train & dev
    assert train
    assert dev


@pytest.mark.parametrize(("name", "level"), dict(reversed(LEVELS)).items())
def test_splits_share_no_instance(name: str, level: str) -> None:
    """At the first level that is divided; heavy tests cover all."""
    check_apart("", name, level, FAST_SEEDS)


@pytest.mark.parametrize("task", ["check:", "next:"])
@pytest.mark.parametrize("name", state_tasks())
def test_tasks_share_neither_start_nor_position(task: str, name: str) -> None:
    check_apart(task, name, next(iter(registry.load(name).levels)), TASK_SEEDS)


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_splits_share_no_instance_over_many_seeds(name: str, level: str) -> None:
    check_apart("", name, level, HEAVY_SEEDS)


@pytest.mark.heavy
@pytest.mark.parametrize("task", ["check:", "next:"])
@pytest.mark.parametrize(("name", "level"), [pair for pair in LEVELS if pair[0] in state_tasks()])
def test_tasks_share_nothing_over_many_seeds(task: str, name: str, level: str) -> None:
    check_apart(task, name, level, HEAVY_TASK_SEEDS)


ONE_INSTANCE = {"dealt": (9, 9), "stones": (30, 30), "top": (9, 9)}
SPECS = ["game_of_24/hard@train#3", "islands/easy@dev#1", "check:sudoku/easy@train#5"]


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_instances_are_the_same_in_every_process(hash_seed: str) -> None:
    program = (
        "import sys; from quandary.catalogue import drawing; from quandary.core import codec\n"
        "for spec in sys.argv[1:]: print(codec.to_json(drawing.instance(spec)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *SPECS],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.splitlines() == [codec.to_json(drawing.instance(spec)) for spec in SPECS]


def test_shares_are_as_stated() -> None:
    """One half, two fifths and one tenth, within four standard errors."""
    counts = dict.fromkeys(DIVIDED, 0)
    puzzle, rng, total = registry.load("sudokill"), Random(1), 2_000
    for _ in range(total):
        counts[splits.split_of(puzzle.new(rng, **puzzle.levels["easy"]))] += 1
    for split, share in zip(DIVIDED, (0.4, 0.1, 0.5), strict=True):
        error = (share * (1 - share) / total) ** 0.5
        assert abs(counts[split] / total - share) < 4 * error, split


@pytest.mark.parametrize("split", ["train", "dev"])
def test_levels_with_few_instances_are_test_only(split: str) -> None:
    with pytest.raises(UserError, match=r"too few distinct instances to be divided \(11\)"):
        drawing.instance(f"expanding_nim/easy@{split}#1")
    drawing.instance("expanding_nim/easy#1")


def test_a_family_with_few_instances_is_test_only() -> None:
    with pytest.raises(UserError, match="family=a has too few distinct instances"):
        drawing.instance("reversi/0,family=a@train#1")


class SmallFamilies(SoundFamilies):
    distinct_instances = {
        "only": InstanceCount(398, "two families"),
        "only,family=double": InstanceCount(199, "few"),
        "only,family=treble": InstanceCount(199, "few"),
    }


def test_a_level_is_test_only_if_each_of_its_families_is() -> None:
    """However many instances they have together."""
    assert splits.is_test_only(SmallFamilies, "only")
    assert not splits.is_test_only(SoundFamilies, "only")
    with pytest.raises(UserError, match=r"^each family of small/only has too few distinct inst"):
        splits.check_split(Spec.parse("small/only@dev#1"), SmallFamilies)


def published() -> list[Puzzle]:
    data = Path(os.environ.get("QUANDARY_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not (data / "textgames" / "problemsets.tar.gz").exists():
        pytest.skip(f"the published problems are not in {data}; set QUANDARY_DATA")
    from quandary.papers.textgames import problems

    return [problem.question for problem in problems.load(data / "textgames")]


def test_published_instances_belong_to_test() -> None:
    assert {splits.split_of(puzzle) for puzzle in published()} == {"test"}


def test_published_prompts_of_logicgame_belong_to_test() -> None:
    data = Path(os.environ.get("QUANDARY_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not (data / "logicgame" / "en_all_304.jsonl").exists():
        pytest.skip(f"the published prompts are not in {data}; set QUANDARY_DATA")
    from quandary.papers.logicgame import imported

    read = [one.question for pair in imported.load(data / "logicgame").pairs for one in pair[1:]]
    questions = [question for question in read if question]

    assert len(questions) > 250
    assert {splits.split_of(question) for question in questions} == {"test"}


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_published_boards_of_a_level_are_counted(level: str) -> None:
    """Those that the level can draw: with one solution."""
    puzzle, rng = registry.load("text_sudoku"), Random(level)
    blanks, few = puzzle.levels[level]["blanks"], puzzle.distinct_instances[level]
    forms = {
        board.canonical()
        for board in published()
        if isinstance(board, TextSudoku)
        and (board.size, board.cells.count(BLANK)) == (4, blanks)
        and sudoku.count(board._plain(), 2) == 1
    }
    drawn = {puzzle.new(rng, **puzzle.levels[level]).canonical() for _ in range(200)}

    assert few.published == len(forms) and drawn & forms and len(drawn | forms) <= few.instances


def test_a_level_that_is_nearly_all_published_is_test_only() -> None:
    with pytest.raises(UserError, match=r"\(210, 198 of them published\)"):
        drawing.instance("text_sudoku/easy@train#1")


def test_one_instance_belongs_to_one_split() -> None:
    """One pile and one hand are one instance; the other splits refuse these arguments."""
    base = "card_nim/hard,dealt=9..9,stones=30..30,top=9..9"
    home = splits.split_of(registry.load("card_nim").new(Random(1), **ONE_INSTANCE))
    drawing.instance(f"{base}@{home}#1")
    for split in set(DIVIDED) - {home}:
        with pytest.raises(UserError, match=f"none of .* belongs to {split}"):
            drawing.instance(f"{base}@{split}#1")
