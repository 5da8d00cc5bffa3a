"""Tidy tower: turns and holds, shortest solutions, and the notations of the papers."""

from __future__ import annotations

import re
from itertools import product
from random import Random
from typing import Literal

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.moves import MoveIndex, composable
from quandary.core.scene import Box
from quandary.puzzles.solo.tidy_tower import TidyTower
from quandary.tasks.whole import Whole

PAPER = TidyTower("RGBYRGBYBGBGBG")
EIGHT_TURNS = (
    "1 1",
    "2 1 hold 3",
    "3 2 hold 4",
    "4 3 hold 5",
    "6 1 hold 9",
    "7 1 hold 8",
    "10 1 hold 11",
    "12 1 hold 13",
)
NEXT = {"R": "Y", "Y": "B", "B": "G", "G": "R"}


def _fewest(tower: TidyTower) -> int:
    """The fewest turns in which the puzzle says the tower can be tidied."""
    return next(
        left for left in range(50) if TidyTower(tower.cubes, left, tower.variant).solvable()
    )


def _turned(cubes: str, first: int, end: int, quarters: int) -> str:
    for _ in range(quarters):
        cubes = "".join(NEXT[front] if first <= i < end else front for i, front in enumerate(cubes))
    return cubes


def _distances(height: int, variant: str) -> dict[str, int]:
    """The turns from each tower to a tidy one, by breadth-first search from the tidy ones.

    This works because every turn can be undone.
    """
    if variant == "standard":
        spans = [(first, end) for first in range(height) for end in range(first + 1, height + 1)]
    else:
        spans = [(cube, end) for cube in range(height) for end in (cube + 1, height)]
    found = {colour * height: 0 for colour in NEXT}
    ring = list(found)
    while ring:
        ring = [
            after
            for cubes in ring
            for first, end in spans
            for quarters in (1, 2, 3)
            if (after := _turned(cubes, first, end, quarters)) not in found
            and found.setdefault(after, found[cubes] + 1)
        ]
    return found


def test_a_turn_takes_along_all_cubes_above_or_those_below_the_held_one() -> None:
    """The turns of the paper's tower."""
    assert "RRGBYRGBGRGRGR" == PAPER.play(0, "1 1").cubes
    assert "RRBYRGBYBGBGBG" == PAPER.play(0, "1 1 hold 2").cubes
    assert "RRGYRGBYBGBGBG" == PAPER.play(0, "1 1 hold 3").cubes
    assert "RGBYRGBYBGBGBY" == PAPER.play(0, "13 2").cubes


def test_the_paper_tower_is_tidied_in_eight_turns_and_no_fewer() -> None:
    """PuzzlePlex's solution, with the three quarters its fourth turn needs."""
    position = PAPER
    for turn in EIGHT_TURNS:
        assert turn in (position.options()[0] or ())
        position = position.play(0, turn)

    assert ("R" * 14, 12, (1.0,), Ending("goal"), {}) == (
        position.cubes,
        position.left,
        position.scores(),
        position.ending(),
        position.options(),
    )
    assert 8 == _fewest(PAPER)


@pytest.mark.parametrize(
    ("cubes", "fewest"),
    [
        ("YRBRGR", 3), ("RRRBYR", 2), ("YYBGRY", 3), ("YBRGGR", 3), ("BBRGYR", 3),
        ("RGBRRY", 3), ("BYGRRY", 3), ("YBGYYR", 3), ("GBBYYR", 3), ("RGGRYR", 2),
        ("YRBRGGGGYR", 4), ("RRRBYBBYRY", 4), ("YYBGRRGBYR", 4), ("YBRGGYRRRY", 3),
        ("BBRGYRYRBR", 5), ("RGBRRYGBBR", 4), ("BYGRRRBRYR", 4), ("YBGYYRRYYR", 4),
        ("GBBYYRBGRY", 4), ("RGGRYGGBYR", 4),
    ],
)  # fmt: skip
def test_the_published_towers_take_the_known_number_of_turns(cubes: str, fewest: int) -> None:
    """PuzzlePlex, easy and normal seeds 1 to 10; the oracle needs no more."""
    position = TidyTower(cubes)
    while position.options():
        position = position.play(0, position.oracle(0, Random(0), 1))

    assert fewest == _fewest(TidyTower(cubes))
    assert ((1.0,), 20 - fewest) == (position.scores(), position.left)


@pytest.mark.parametrize("variant", ["standard", "published"])
@pytest.mark.parametrize("height", [2, 3, 5, 6])
def test_shortest_solutions_are_those_of_plain_search(
    height: int, variant: Literal["standard", "published"]
) -> None:
    """Every tower of some heights, under both rules."""
    expected = _distances(height, variant)

    assert 4**height == len(expected)
    assert expected == {cubes: _fewest(TidyTower(cubes, variant=variant)) for cubes in expected}


def test_zero_sum_groups_are_counted_right_in_tall_towers() -> None:
    """Any hold: one turn per step between cubes, less one per group of steps that adds up to 0."""
    smallest_groups = ((1, 0, 1), (0, 2, 0), (2, 1, 0), (0, 1, 2), (4, 0, 0), (0, 0, 4))
    most = {(0, 0, 0): 0}
    for counts in product(range(9), repeat=3):
        rests = (
            tuple(have - need for have, need in zip(counts, group, strict=True))
            for group in smallest_groups
        )
        most[counts] = max((1 + most[rest] for rest in rests if min(rest) >= 0), default=0)  # type: ignore[index]
        cubes, front = "R", "R"
        for step in (1,) * counts[0] + (2,) * counts[1] + (3,) * counts[2]:
            front = _turned(front, 0, 1, step)
            cubes += front

        assert sum(counts) - most[counts] == _fewest(TidyTower(cubes))


def test_a_judged_move_keeps_the_tower_solvable() -> None:
    """With exactly enough turns, the moves worth 1 are those that bring the tower nearer."""
    distances = _distances(5, "standard")
    for cubes, distance in list(distances.items())[4::37]:
        expected = {
            move: float(distances[after.cubes] < distance)
            for move in TidyTower(cubes).options()[0] or ()
            if (after := TidyTower(cubes).play(0, move))
        }

        assert expected == TidyTower(cubes, distance).judge(0)


def test_the_baseline_turns_single_cubes_to_the_nearest_colour() -> None:
    """Here blue takes five quarters altogether, and every other colour nine or more."""
    position = TidyTower("YRBBBR")

    assert "0 1 hold 1" == position.dp(0, Random(0), 1)
    assert "1 2 hold 2" == position.play(0, "0 1 hold 1").dp(0, Random(0), 1)
    assert "5 2" == position.play(0, "0 1 hold 1").play(0, "1 2 hold 2").dp(0, Random(0), 1)


@pytest.mark.parametrize("variant", ["standard", "published"])
def test_the_baseline_tidies_every_tower_of_the_levels(
    variant: Literal["standard", "published"],
) -> None:
    """It sticks to its colour: one turn for each cube that shows another."""
    for level in TidyTower.levels.values():
        for seed in range(50):
            position = TidyTower.new(Random(seed), variant=variant, **level)
            before = position.cubes
            while position.options():
                position = position.play(0, position.dp(0, Random(0), 1))

            assert (1.0,) == position.scores()
            assert len(before) - before.count(position.cubes[0]) == 20 - position.left


def test_turns_run_out() -> None:
    """An untidy tower without turns left is lost."""
    position = TidyTower("RRY", 1).play(0, "0 1")

    assert ({}, (0.0,), Ending("limit"), False) == (
        position.options(),
        position.scores(),
        position.ending(),
        position.solvable(),
    )


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("1 1", "1 1"), (" 01, 2 ", "1 2"), ("1 1 HOLD 3", "1 1 hold 3"),
        ("(1, 1, hold 3)", "1 1 hold 3"), ("2 7 hold 1", "2 7 hold 1"), ("-1 1", "-1 1"),
        ("[1, 1]", "1 1"), ("cube 1, 2 quarter turns, hold 3", "1 2 hold 3"),
        ('{"cube": 1, "quarters": 2, "held": 3}', "1 2 hold 3"),
        ("立方体 1，转动次数 2，按住 3", "1 2 hold 3"), ("方块 1 转动次数 2", "1 2"),
        ("[1, 2, 0]", "1 2"), ("[1,2,1]", "1 2 hold 2"),
        ("operation = [0, 3, 1]", "0 3 hold 1"), ("Operation: [0, 3, 0]", "0 3"),
        ("[5, 1, 0]", "5 1"), ("[5, 1, 1]", "5 1"), ("[7, 1, 1]", "7 1"),
        ("［１，２，１］", "1 2 hold 2"),
    ],
)  # fmt: skip
def test_moves_are_read(said: str, move: str) -> None:
    """The notation, legal or not, and the papers' list with flag 1 for a hold of the next cube."""
    assert move == TidyTower("YRBRGR").read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "1",
        "11",
        "1 1 0",
        "1 1 1",
        "[1, 1, 2]",
        "1 1 hold",
        "1 1 hold 2 3",
        "1.5 1",
        "٣ ١",
        "1 1, do not hold 2",
    ],
)
def test_what_is_no_move_is_refused(said: str) -> None:
    """Three bare numbers too: the third could be a flag or a held cube."""
    game = TidyTower("YRBRGR")
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "0 2 hold 1" in refusal(game, refused.value)
    assert "0 2 按住 1" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("variant", ["standard", "published"])
def test_the_examples_in_the_rules_are_true(
    variant: Literal["standard", "published"], language: str
) -> None:
    """Each quoted move is an option of the tower R G B Y and gives what the rules say."""
    position = TidyTower("RGBY", variant=variant)
    examples = re.findall(r"`([^`]+)` (?:gives|得到) ((?:[RYBG] ?)+)", position.rules(language))

    assert 2 == len(examples)
    for written, after in examples:
        move = position.read(0, written)
        assert move in (position.options()[0] or ())
        assert after.replace(" ", "") == position.play(0, move).cubes


def test_moves_that_change_nothing_or_hold_too_low_are_illegal() -> None:
    """They can be read, but are no options."""
    options = TidyTower("YRBRGR").options()[0] or ()

    assert 3 * (6 + 15) == len(options)
    assert not {"1 0", "1 4", "1 1 hold 1", "2 1 hold 1", "1 1 hold 6", "6 1"} & set(options)


def test_the_published_rule_inverts_the_flag_and_holds_only_the_next_cube() -> None:
    """Flag 0 turns the chosen cube alone, flag 1 all above along, as the released engine did."""
    position = TidyTower("YRBRGR", variant="published")
    options = position.options()[0] or ()

    assert "YBBRGR" == position.play(0, position.read(0, "[1, 2, 0]")).cubes
    assert "YBRBYB" == position.play(0, position.read(0, "[1, 2, 1]")).cubes
    assert ["5 1", "5 1"] == [position.read(0, "[5, 1, 0]"), position.read(0, "[5, 1, 1]")]
    assert 3 * (6 + 5) == len(options)
    assert "1 1 hold 2" in options
    assert "1 1 hold 3" not in options


@pytest.mark.parametrize(
    "answer",
    [
        "\n".join(EIGHT_TURNS),
        "[[1,1,0],[2,1,1],[3,2,1],[4,3,1],[6,1,1],[7,2,1],[8,1,1],[10,1,1],[12,1,1]]",
        "List[int]=[[1,1,0],[2,1,1],[3,2,1],\n [4,3,1],[6,1,1],[7,2,1],[8,1,1],[10,1,1],[12,1,1]]",
        "[1, 1, 0]\n[2, 1, 1]\n3 2 hold 4\n" + "\n".join(EIGHT_TURNS[3:]),
    ],
)
def test_a_whole_solution_is_accepted(answer: str) -> None:
    """One move a line, or the papers' list of lists."""
    assert 1.0 == Whole(PAPER).check(answer).score


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("\n".join(EIGHT_TURNS[:-1]), "unfinished"),
        ("\n".join((*EIGHT_TURNS, "0 1")), "too_long"),
        ("\n".join(["0 1"] * 21), "too_long"),
        ("[[1,0,0],[2,1,1]]", "illegal"),
        ("[[1,1,0],[2,1,1]", "unreadable"),
        ("[[1,1,0] [2,1,1]]", "unreadable"),
        ("[[1,1,0],[2,1,3]]", "unreadable"),
        ("[[" * 50_000, "unreadable"),
        ("[" + "[1,1,0]," * 100_000 + "[1,1,0]]", "too_long"),
    ],
)
def test_a_whole_answer_that_fails_says_why(answer: str, kind: str) -> None:
    """The turn limit holds for whole answers as well, and lists follow a strict grammar."""
    assert (0.0, kind) == (Whole(PAPER).check(answer).score, Whole(PAPER).check(answer).kind)


def test_a_published_answer_is_right_under_one_rule_only() -> None:
    """Single cubes turned by flag 0, as the released baseline writes them."""
    answer = "[[0,1,0],[2,1,0]]"

    assert 1.0 == Whole(TidyTower("YBYB", variant="published")).check(answer).score
    assert "unfinished" == Whole(TidyTower("YBYB")).check(answer).kind


def test_towers_with_few_turns_can_be_tidied_all_the_same() -> None:
    """Where the turns would not do, the tower is made smoother; it never becomes tidy."""
    for variant in ("standard", "published"):
        for turns in (1, 2, 5, 20):
            for height in (2, 3, 17, 100):
                tower = TidyTower.new(
                    Random(f"{turns}/{height}"), height=height, turns=turns, variant=variant
                )

                assert height == len(tower.cubes)
                assert 1 <= _fewest(tower) <= turns


@pytest.mark.parametrize("size", [{"height": 1}, {"height": 101}, {"turns": 0}])
def test_impossible_sizes_are_refused(size: dict[str, int]) -> None:
    """One cube is always tidy, and without turns nothing can be tidied."""
    with pytest.raises(ValueError, match="out of bounds"):
        TidyTower.new(Random(1), **size)


def test_towers_that_differ_by_name_only_are_the_same() -> None:
    """Other colours, the other sense of turning, and the tower upside down."""
    canonical = TidyTower("RYBR").canonical()

    assert {canonical} == {
        TidyTower(cubes).canonical() for cubes in ("YBGY", "RGBR", "RBYR", "GYRG")
    }
    assert canonical != TidyTower("RYYR").canonical()


def test_positions_are_written_and_read_back() -> None:
    """Letters and turns; a tower of another height is refused."""
    position = TidyTower("YRBRGR", 7)

    assert "YRBRGR, 7" == position.state()
    assert TidyTower("RRRRRR", 3) == position.restate("r r r r r r, 3")
    assert position == position.restate("YRBRGR, turns left: 7")  # as it was written before
    assert position == position.restate("YRBRGR，剩余步数：7")
    with pytest.raises(Unreadable, match="the 6 front colours") as refused:
        position.restate("YRBRG, turns left: 7")
    example = str(refused.value).rpartition("for example: ")[2]
    assert TidyTower("RYBGRY", 5) == position.restate(example)


@pytest.mark.parametrize("variant", ["standard", "published"])
def test_clicks_and_notation_compose_every_move(variant: Literal["standard", "published"]) -> None:
    """Buttons for quarter turns and for holds, on every cube; none once the game is over."""
    position = TidyTower("YRBRGR", variant=variant)
    clicks = [
        shape.click for shape in position.scene(0).shapes if isinstance(shape, Box) and shape.click
    ]
    notation = position.notation()
    values = [{name: int(text) for name, text in click.items()} for click in clicks]

    assert composable(notation, position.options()[0] or (), values)
    assert len(position.options()[0] or ()) <= MoveIndex(TidyTower.level_notation(height=6)).size
    assert not [
        shape
        for shape in TidyTower("RRRRRR").scene(0).shapes
        if isinstance(shape, Box) and shape.click
    ]


def test_the_tower_is_aligned_in_both_languages() -> None:
    """Each colour stands below the number of its cube; a Chinese letter is two columns wide."""
    for language in ("en", "zh"):
        _, cubes, fronts, _ = TidyTower("YRBRGR").text(0, language).splitlines()

        assert len(cubes) == len(fronts)
        assert ["0Y", "1R", "2B", "3R", "4G", "5R"] == [
            number + front for number, front in zip(cubes, fronts, strict=True) if number.isdigit()
        ]
