"""Facts about the game of 24."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.tasks.next_state import NextState
from quandary.tasks.whole import Whole


def at(*expressions: str, target: int = 24) -> GameOf24:
    return GameOf24((), target).restate(json.dumps(expressions))


def after(a: Fraction, b: Fraction) -> list[Fraction]:
    return [a + b, a * b, a - b, b - a, *([a / b] if b else []), *([b / a] if a else [])]


@cache
def brute(values: tuple[Fraction, ...], target: int = 24) -> bool:
    """Try every pair and every step: no split into hands, no lowest terms by hand."""
    if len(values) == 1:
        return values[0] == target
    for i, j in combinations(range(len(values)), 2):
        rest = [value for k, value in enumerate(values) if k not in (i, j)]
        if any(
            brute(tuple(sorted([*rest, value])), target) for value in after(values[i], values[j])
        ):
            return True
    return False


def fractions(numbers: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(sorted(map(Fraction, numbers)))


def test_known_positions() -> None:
    """Small positions have the labels that can be worked out by hand."""
    assert at("(6 + 2)", "3").solvable()
    assert not at("(6 - 2)", "3").solvable()
    assert not at("1", "1", "1", "1").solvable()
    assert at("3", "3", "8", "8").solvable()
    assert at("24").solvable()
    assert not at("23").solvable()


def test_one_step_solves_the_small_position() -> None:
    """From (6 + 2) and 3 the product is the only good step."""
    good = [move for move, worth in (at("(6 + 2)", "3").judge(0) or {}).items() if worth]

    assert good == ["(6 + 2) * 3"]


def test_3_3_8_8_starts_with_a_fraction() -> None:
    """8 / (3 - 8 / 3) is the one solution, so 8 / 3 is the one good first step."""
    game = at("3", "3", "8", "8")

    assert [move for move, worth in (game.judge(0) or {}).items() if worth] == ["8 / 3"]
    assert Whole(game).check("8 / (3 - 8 / 3)").score == 1.0


@pytest.mark.parametrize(
    ("count", "high", "draws", "target"),
    [(4, 13, 60, 24), (4, 30, 30, 100), (3, 9, 80, 0), (3, 9, 80, -5), (5, 4, 3, 97)],
)
def test_labels_agree_with_brute_force(count: int, high: int, draws: int, target: int) -> None:
    """Whatever the target, `solvable` says what trying everything says."""
    rng = Random(24)
    for _ in range(draws):
        numbers = tuple(rng.randint(1, high) for _ in range(count))

        assert (
            brute(fractions(numbers), target) == at(*map(str, numbers), target=target).solvable()
        ), numbers


@pytest.mark.parametrize("level", GameOf24.levels)
def test_levels_count_good_first_steps(level: str) -> None:
    """Instances have as many good first steps as their level promises, counted by brute force."""
    low, high = GameOf24.levels[level]["openings"]
    for seed in range(12):
        game = GameOf24.new(Random(seed), **GameOf24.levels[level])
        numbers = list(map(int, game.expressions))
        steps = set()
        for i, j in permutations(range(4), 2):
            a, b = numbers[i], numbers[j]
            rest = [numbers[k] for k in range(4) if k not in (i, j)]
            results = {
                f"{max(a, b)}+{min(a, b)}": a + b,
                f"{max(a, b)}*{min(a, b)}": a * b,
                f"{a}-{b}": a - b,
                f"{a}/{b}": Fraction(a, b),
            }
            steps |= {step for step, value in results.items() if brute(fractions((*rest, value)))}  # type: ignore[arg-type]

        assert low <= len(steps) <= high


def test_impossible_wishes_are_refused() -> None:
    """Sizes that cannot be made raise with a sentence."""
    for wish in (
        {"count": 1},
        {"count": 7},
        {"high": 0},
        {"high": 1},
        {"count": 2, "target": 1000},
    ):
        with pytest.raises(ValueError):
            GameOf24.new(Random(0), **wish)


def test_other_sizes_stay_correct() -> None:
    """Five numbers, another target: solvable and solved by the oracle."""
    game = GameOf24.new(Random(5), count=5, target=97, high=25)

    assert len(game.expressions) == 5
    assert Whole(game).check(Whole(game).solution()).score == 1.0


def test_options_of_equal_numbers_are_listed_once() -> None:
    """Two threes make four steps, and two numbers make six."""
    assert list(at("3", "3").options()[0] or ()) == ["3 + 3", "3 - 3", "3 * 3", "3 / 3"]
    assert {"6 + 2", "2 - 6", "6 - 2", "6 * 2", "2 / 6", "6 / 2"} == set(
        at("2", "6").options()[0] or ()
    )
    assert len(at("1", "2", "3", "4").options()[0] or ()) == 36


def test_dividing_by_zero_is_no_option() -> None:
    """(3 - 3) may be divided, but nothing by it."""
    game = at("(3 - 3)", "8")

    assert "(3 - 3) / 8" in (game.options()[0] or ())
    assert game.read(0, "8 / (3 - 3)") not in (game.options()[0] or ())
    with pytest.raises(Unreadable):
        game.restate('["(8 / (3 - 3))"]')


def test_the_game_ends_at_one_expression() -> None:
    """24 is the goal, anything else a dead end; a lost position is played on."""
    won, lost = at("(6 + 2)", "3").play(0, "(6 + 2) * 3"), at("(6 + 2)", "3").play(0, "(6 + 2) + 3")

    assert ({}, (1.0,), Ending("goal")) == (won.options(), won.scores(), won.ending())
    assert ({}, (0.0,), Ending("dead_end")) == (lost.options(), lost.scores(), lost.ending())
    assert at("(6 - 2)", "3").options()


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("6 + 2", "6 + 2"),
        ("2+6", "6 + 2"),
        (" (2 + 6) ", "6 + 2"),
        ("6 + 2 = 8", "6 + 2"),
        ("6 + 2 = 8 (left: 8 3 9)", "6 + 2"),
        ("2 × 6", "6 * 2"),
        ("（２＋６）", "6 + 2"),
        ("6＊2", "6 * 2"),
        ("６／２＝３", "6 / 2"),
        ("2x6", "6 * 2"),
        ("6 ÷ 2 = 3", "6 / 2"),
        ("2 / 6 = 1/3", "2 / 6"),
        ("2 − 6 = -4", "2 - 6"),
        ("3 - 9", "3 - 9"),
        ("7 + 1", "7 + 1"),
    ],
)
def test_steps_are_read(said: str, move: str) -> None:
    """Players' spellings come out in the one notation; 7 + 1 is readable though illegal."""
    assert move == at("2", "3", "6", "9").read(0, said)


@pytest.mark.parametrize(
    ("expressions", "said", "move"),
    [
        (("(6 + 2)", "3"), "8 * 3", "(6 + 2) * 3"),
        (("(6 + 2)", "3"), "3 * (2+6) = 24", "(6 + 2) * 3"),
        (("(6 + 2)", "8"), "8 * 8", "8 * (6 + 2)"),
        (("(8 / 3)", "3", "8"), "3 - 8/3 = 1/3", "3 - (8 / 3)"),
        (("(4 / 6)", "3"), "3 - 2/3", "3 - (4 / 6)"),
        (("(2 - 6)", "28"), "28 + (-4)", "28 + (2 - 6)"),
        (("(2 - 6)", "28"), "-4 + 28", "28 + (2 - 6)"),
        (("4", "2", "6"), "6 + 4/2", "6 + (4 / 2)"),
    ],
)
def test_values_stand_for_expressions(expressions: tuple[str, ...], said: str, move: str) -> None:
    """A number, a fraction or a negative value names the expression that has it."""
    assert move == at(*expressions).read(0, said)


@pytest.mark.parametrize(
    "said",
    ["", "24", "6 +", "6 + 2 = 9", "6 + 2 = 8 = 8", "6 ** 2", "6 // 2", "6 + two", "6 2", "+6 - 2",
     "-(6 - 2)", "6 + 2 = 8.0001", "(6 + 2", "6 + 2)", "٦ + 2", "6 + 2; 3 + 9", "f(2) + 1", "3(4)",
     "9" * 20 + " + 1", "(" * 10_000, "1+" * 1_000],
)  # fmt: skip
def test_other_words_are_unreadable(said: str) -> None:
    """Bad signs, false results, foreign digits and endless brackets are refused with a sentence."""
    game = at("2", "3", "6", "9")
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "6 + 2" in refusal(game, refused.value)
    assert "6 + 2" in refusal(game, refused.value, "zh")


def test_a_false_result_is_named() -> None:
    """The step itself is fine, so the player is told what is wrong with the rest."""
    game = at("2", "3", "6", "9")
    with pytest.raises(Unreadable) as refused:
        game.read(0, "6 + 2 = 9")

    assert "What you wrote after = is not the exact value of 6 + 2." == refusal(game, refused.value)
    assert "等号后面写的不是 6 + 2 的精确值。" == refusal(game, refused.value, "zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_moves_are_free_text(language: str) -> None:
    """There is no notation and nothing to click; the rules end with how to write a step."""
    game = at("(6 + 2)", "3")

    assert game.notation() is None
    assert not [shape for shape in game.scene(0, language).shapes if getattr(shape, "click", None)]
    assert game.rules(language).endswith("\n" + game.how(language))
    assert "(6 + 2) = 8\n3" in game.text(0, language)


@pytest.mark.parametrize(
    "answer",
    [
        "(6 + 2) * 3",
        "3*(2+6)",
        "(6 + 2) × 3 = 24",
        "6 + 2 = 8\n8 * 3 = 24",
        "6 + 2\n\n(6 + 2) * 3",
        "6 + 2 = 8\n3 * 8 = 24\n(6 + 2) * 3 = 24",
    ],
)
def test_whole_solutions_are_read(answer: str) -> None:
    """One expression or one step a line, with expressions or values."""
    assert Whole(at("2", "3", "6")).check(answer).score == 1.0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("6 * 4", "illegal"),
        ("6 * 2 * 2", "illegal"),
        ("6 * 3", "unfinished"),
        ("6 + 2 * 3", "unfinished"),
        ("6 + 2 = 8\n8 * 3 = 24\n24 + 1", "too_long"),
        ("6 + 2 = 9\n9 * 3 = 24", "unreadable"),
        ("24", "unreadable"),
        ("6 / (2 - 2)", "illegal"),
    ],
)
def test_wrong_solutions_are_told_apart(answer: str, kind: str) -> None:
    """Foreign numbers, numbers used twice or not at all, precedence ignored and false sums."""
    assert (0.0, kind) == (
        Whole(at("2", "3", "6")).check(answer).score,
        Whole(at("2", "3", "6")).check(answer).kind,
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fraction_is_written_as_the_rules_say(language: str) -> None:
    """The example of the rules is read as a step: a quarter in brackets."""
    position = at("1 / 4", "6")
    assert "6 / (1/4)" in position.how(language)
    assert position.read(0, "6 / (1/4)") in position.legal()


def test_one_wrong_expression_is_not_called_a_move() -> None:
    question = Whole(at("2", "3", "6"))
    told = [question.check(answer).feedback for answer in ("6 * 2 * 2", "6 + 2 * 3")]
    assert ["What you wrote is not right."] * 2 == told
    assert "Move 2, 9 * 3, is illegal there." == question.check("6 + 2\n9 * 3").feedback
    unsolved = [question.check(answer).feedback for answer in ("6 + 2\n8 + 3", "6 + 2\n6 + 2")]
    assert "All 2 moves are legal, but the puzzle is not solved." == unsolved[0]
    assert "The move is legal, but the puzzle is not solved." == unsolved[1]


@pytest.mark.parametrize("answer", ["-(9 + 2) + 5 * 7", "5 * 7 + -(9 + 2)", "(-(9 + 2)) + 5 * 7"])
def test_a_minus_sign_before_brackets_is_refused_by_name(answer: str) -> None:
    """And the text says so before."""
    question = Whole(at("2", "5", "7", "9"))
    assert "A minus sign may stand only between two expressions" in question.rules()
    assert "减号只能写在两个算式之间" in question.rules("zh")
    assert "A minus sign may stand only between two" in question.check(answer).feedback
    assert "减号只能写在两个算式之间" in question.check(answer, "zh").feedback
    assert 1.0 == question.check("5 * 7 - (9 + 2)").score


def test_a_whole_answer_may_start_from_the_middle() -> None:
    """Expressions that are joined already count as such, also beside their like."""
    game = at("(2 + 1)", "1", "2", "8")

    assert list(game.moves("8 + ((1 + 2) - (2 + 1))")) == [
        "2 + 1",
        "(2 + 1) - (2 + 1)",
        "8 + ((2 + 1) - (2 + 1))",
    ]


def test_positions_are_multisets() -> None:
    """Neither the order of expressions nor that inside sums and products matters."""
    game = at("(6 + 2)", "3")

    assert (
        game
        == game.restate("['3', '(2 + 6)']")
        == game.restate('[3, "2+6"]')
        == game.restate(game.state())
    )
    assert game != game.restate('["(6 - 2)", "3"]')
    assert at("(6 - 2)", "3") != at("(2 - 6)", "3")
    assert game.state() == '["(6 + 2)", "3"]'


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[]",
        "3",
        '["3", ]',
        "[3, [4]]",
        '["3" "4"]',
        "['3\", 4]",
        '["3"] ["4"]',
        "[__import__]",
        "[" * 9_999,
    ],
)
def test_other_lists_are_refused(said: str) -> None:
    """Only a flat list of expressions is a position."""
    with pytest.raises(Unreadable):
        at("3", "4").restate(said)


def test_next_state_is_strict() -> None:
    """The good child is accepted in any order, the tried one in none; a dead end goes back."""
    start, here = at("3", "8", "3", "8"), at("(8 / 3)", "3", "8")
    tried = here.play(0, "8 + 3")
    question = NextState(start, None, start, here, tried, True)

    assert question.check('["8", "(3 - (8 / 3))"]').score == 1.0
    assert question.check('["(8 / 3)", "(3 + 8)"]').kind == "known_dead_end"
    assert question.check('["(4 - 1)", "8"]').kind == "invalid_move"
    assert (
        NextState(start, None, here, tried, None, False).check('["8", "3", "(8 / 3)"]').score == 1.0
    )


def test_canonical_is_the_values_that_are_left() -> None:
    """Whatever they were made of; fractions are exact, and another target is another puzzle."""
    assert at("(8 / 3)", "8", "3").canonical() == at("(16 / 6)", "(4 + 4)", "3").canonical()
    assert (24, "-1/3", "3") == at("3", "(1 / (1 - 4))").canonical()
    assert at("3", "8", "3", "8").canonical() != at("(8 / 3)", "8", "3").canonical()
    assert at("3", "4").canonical() != at("3", "4", target=7).canonical()


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((1, 2, 4, 12), "(4 - (2 / 1)) * 12"),
        ((1, 2, 3, 4), "4 / 1 * 3 * 2"),
        ((1, 1, 4, 6), "6 * 4 / 1 / 1"),
    ],
)
def test_dividing_by_one_uses_the_one(numbers: tuple[int, ...], said: str) -> None:
    """A quotient by 1 is not another spelling of its dividend."""
    game = at(*map(str, numbers))

    assert Whole(game).check(said).score == 1.0


def test_whole_expressions_are_judged_as_arithmetic_judges_them() -> None:
    """Random expressions are right exactly when they make the target and use each number once."""
    rng = Random(24)
    for _ in range(1_500):
        numbers = sorted(rng.randint(1, 13) for _ in range(4))
        texts = list(map(str, rng.sample(numbers, 4)))
        values = [Fraction(text) for text in texts]
        while len(texts) > 1:
            i, j = rng.sample(range(len(texts)), 2)
            sign = rng.choice("+-*/") if values[j] else rng.choice("+-*")
            a, b = values[i], values[j]
            made = (
                a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
            )
            text = f"({texts[i]} {sign} {texts[j]})"
            keep = [k for k in range(len(texts)) if k not in (i, j)]
            texts, values = [*(texts[k] for k in keep), text], [*(values[k] for k in keep), made]
        target = int(values[0]) if values[0].denominator == 1 and rng.random() < 0.8 else 24
        game = at(*map(str, numbers), target=target)

        assert (Whole(game).check(texts[0]).score == 1.0) == (values[0] == target), (
            numbers,
            texts[0],
            target,
        )
