"""Count maximal cocktails: the papers' examples, what is wrong with an answer, and notations."""

from __future__ import annotations

from random import Random

import pytest

from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails

Sets = list[list[int]]

FOUR = (4, ((1, 2),))  # the example of both papers
FIVE = (5, ((1, 3), (2, 3), (4, 5), (1, 5)))  # the older paper's figure 30
FIVE_MAXIMAL = [[1, 2, 4], [2, 5], [3, 4], [3, 5]]


def _by_force(drugs: int, edges: tuple[tuple[int, int], ...], largest: bool = False) -> Sets:
    """The cocktails that count, by trying every set of drugs."""

    def fits(mixture: list[int]) -> bool:
        return not any(one in mixture and other in mixture for one, other in edges)

    every = range(1, drugs + 1)
    mixtures = [
        [drug for drug in every if number >> drug & 1] for number in range(0, 2 << drugs, 2)
    ]
    found = [
        m
        for m in mixtures
        if fits(m) and not any(fits([*m, drug]) for drug in every if drug not in m)
    ]
    return sorted(m for m in found if not largest or len(m) == max(map(len, found)))


def _kind(puzzle: CountMaximalCocktails, answer: object) -> str:
    verdict = puzzle.check(str(answer))
    assert (verdict.kind == "") == (verdict.score == 1.0)
    return verdict.kind


@pytest.mark.parametrize("counted", ["maximal", "maximum"])
def test_the_papers_example(counted: str) -> None:
    """Four drugs, of which 1 and 2 clash: two cocktails under either meaning."""
    how_many, which = (CountMaximalCocktails(*FOUR, asked, counted) for asked in ("count", "list"))  # type: ignore[arg-type]

    assert ("2", "[[1, 3, 4], [2, 3, 4]]") == (how_many.solution(), which.solution())
    assert ("", "") == (_kind(how_many, 2), _kind(which, [[2, 3, 4], [4, 3, 1]]))


def test_the_figure_has_four_cocktails_and_one_largest() -> None:
    """The model's answer of four is right, though not its list; the released key says one."""
    assert "" == _kind(CountMaximalCocktails(*FIVE), 4)
    assert "wrong_number" == _kind(CountMaximalCocktails(*FIVE), 1)
    assert "" == _kind(CountMaximalCocktails(*FIVE, counted="maximum"), 1)
    assert str(FIVE_MAXIMAL) == CountMaximalCocktails(*FIVE, "list").solution()
    assert "[[1, 2, 4]]" == CountMaximalCocktails(*FIVE, "list", "maximum").solution()
    assert "clash" == _kind(
        CountMaximalCocktails(*FIVE, "list"), [[2, 4, 5], [3, 4, 5], [1, 2, 4], [5, 2, 3]]
    )


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ([[2, 1, 4], [5, 2], [4, 3], [5, 3]], "", ""),
        (
            [[1, 2, 4], [2, 5], [3, 4]],
            "missing_cocktail",
            "Your list is right so far (3 cocktails), but not complete.",
        ),
        ([[1, 2, 4], [2, 5], [3, 4], [4, 3]], "repeated_cocktail", "[3, 4] is in your list twice."),
        ([*FIVE_MAXIMAL, [3, 5]], "repeated_cocktail", "[3, 5] is in your list twice."),
        ([[1, 2], [2, 5], [3, 4], [3, 5]], "not_maximal", "Drug 4 can be added to [1, 2]."),
        ([[]], "not_maximal", "Drug 1 can be added to []."),
        (
            [[1, 2, 3], [2, 5], [3, 4], [3, 5]],
            "clash",
            "[1, 2, 3] is not a cocktail: 1 and 3 clash.",
        ),
        (
            [[3, 5, 3], [2, 5]],
            "repeated_drug",
            "One of your cocktails contains a drug twice: [3, 5, 3].",
        ),
        ([[3, 6]], "unknown_drug", "There is no drug 6; the drugs are numbered from 1 to 5."),
        ([[0, 3]], "unknown_drug", "There is no drug 0; the drugs are numbered from 1 to 5."),
    ],
)
def test_what_is_wrong_with_a_list(answer: Sets, kind: str, words: str) -> None:
    """The first fault is named, with its drugs; a repeated cocktail does not replace another."""
    verdict = CountMaximalCocktails(*FIVE, "list").check(str(answer))

    assert (float(not kind), kind, words) == (verdict.score, verdict.kind, verdict.feedback)


def test_smaller_cocktails_do_not_count_among_the_largest() -> None:
    """They are maximal all the same, and are told apart from those that can be extended."""
    puzzle = CountMaximalCocktails(*FIVE, "list", "maximum")

    assert ("not_largest", "not_maximal") == (_kind(puzzle, [[3, 4]]), _kind(puzzle, [[1, 2]]))


@pytest.mark.parametrize(
    ("said", "words"), [("3", "There are more than 3."), ("5", "There are fewer than 5.")]
)
def test_a_wrong_number_is_too_high_or_too_low(said: str, words: str) -> None:
    """The feedback says which, and no more."""
    verdict = CountMaximalCocktails(*FIVE).check(said)

    assert (0.0, "wrong_number") == (verdict.score, verdict.kind)
    assert words in verdict.feedback
    assert "4" not in verdict.feedback


@pytest.mark.parametrize("counted", ["maximal", "maximum"])
def test_solutions_are_those_of_brute_force(counted: str) -> None:
    """Random graphs of up to ten drugs, as the easy level draws them."""
    for seed in range(60):
        puzzle = CountMaximalCocktails.new(Random(seed), asked="list", counted=counted)  # type: ignore[arg-type]

        assert str(_by_force(puzzle.drugs, puzzle.edges, counted == "maximum")) == puzzle.solution()


@pytest.mark.parametrize(
    "answer",
    [
        "4",
        " 4\n",
        "maximal_cocktails = 4",
        "maximal_cocktails=4",
        "Operation: maximal_cocktails = 4",
        "**4**",
        "`4`",
        "4.",
        "04",
    ],
)
def test_numbers_are_read(answer: str) -> None:
    """Bare, in the papers' form, or dressed up."""
    assert "" == _kind(CountMaximalCocktails(*FIVE), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "four",
        "4 or 5",
        "2+2",
        "4.5",
        "-4",
        "+4",
        "٤",
        "[4]",
        "4" * 5_000,
        "not 4",
        "At least 4",
        "2 + 2 = 4",
        "maximal_cocktails = maximal_cocktails = 4",
    ],
)
def test_what_is_no_number_is_refused(answer: str) -> None:
    """Nothing is guessed, and nothing evaluated."""
    assert "unreadable" == _kind(CountMaximalCocktails(*FIVE), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "There are 4",
        "4 maximal cocktails.",
        "Therefore, there are 4.",
        "The number of maximal cocktails is 4.",
    ],
)
def test_words_may_tell_what_is_counted(answer: str) -> None:
    """One number among them is the answer."""
    assert "" == _kind(CountMaximalCocktails(*FIVE), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "４",
        "4。",
        "4个",
        "４ 种",
        "四个",
        "答案是 4",
        "答案：4 个。",
        "最终答案为：**4**",
        "共4个",
        "一共有 4 个极大配方。",
        "因此，极大配方的个数是4。",
        "极大配方：4",
        "药物最多的配方有 4 个",
        "四",
        "答案是四。",
    ],
)
def test_numbers_are_read_in_chinese(answer: str) -> None:
    """In full width, with a measure word, or in a sentence that says what is counted."""
    assert "" == _kind(CountMaximalCocktails(*FIVE), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "至少4个",
        "至多 4 个",
        "最多４种",
        "最少 4",
        "大约4个",
        "约 4 个",
        "大概4个",
        "4个左右",
        "4 左右",
        "4 种以上",
        "4个以下",
        "4多个",
        "4 余种",
        "将近4个",
        "不是 4",
        "不到4个",
        "不止 4 个",
        "不超过4",
        "超过 4 个",
        "多于4个",
        "少于 4 个",
        "可能是 4",
        "估计 4 个",
        "差不多4个",
        "4 个或 5 个",
        "4万",
        "4个半",
        "十4",
        "负4",
        "第 4 个",
        "四五个",
        "无",
        "药物 4 的配方有 4 个",
    ],
)
def test_vague_numbers_in_chinese_are_refused(answer: str) -> None:
    """At least 4, about 4, not 4, 40,000 and the like are no answer."""
    assert "unreadable" == _kind(CountMaximalCocktails(*FIVE), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "［［１，２，４］，［２，５］，［３，４］，［３，５］］",
        "[[1、2、4]、[2、5]、[3、4]、[3、5]]。",
        "【1，2，4】、【2，5】、【3，4】、【3，5】",
        "｛1，2，4｝；｛2，5｝；｛3，4｝；｛3，5｝。",
        "（1、2、4）（2、5）（3、4）（3、5）",
        "1、2、4\n2、5\n3、4\n3、5",
        "答案是 [[1, 2, 4], [2, 5], [3, 4], [3, 5]]。",
        "极大配方：[1, 2, 4]，[2, 5]，[3, 4]，[3, 5]",
    ],
)
def test_lists_are_read_in_chinese(answer: str) -> None:
    """In full width, with Chinese commas and brackets."""
    assert "" == _kind(CountMaximalCocktails(*FIVE, "list"), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5]] 等",
        "不是 [[1, 2, 4], [2, 5], [3, 4], [3, 5]]",
        "【1，2，4）、【2，5】、【3，4】、【3，5】",
        "[[1、、2、4]、[2、5]、[3、4]、[3、5]]",
    ],
)
def test_what_is_no_list_in_chinese_is_refused(answer: str) -> None:
    """Words around a list may change what is meant."""
    assert "unreadable" == _kind(CountMaximalCocktails(*FIVE, "list"), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5]]",
        " maximal_cocktails = [[1,2,4],[2,5],[3,4],[3,5]] ",
        "Operation: maximal_cocktails = [[1, 2, 4], [2, 5], [3, 4], [3, 5]]",
        "[(1, 2, 4), (2, 5), (3, 4), (3, 5)]",
        "{{1, 2, 4}, {2, 5}, {3, 4}, {3, 5}}",
        "[1, 2, 4], [2, 5], [3, 4], [3, 5]",
        "{1, 2, 4}; {2, 5}; {3, 4}; {3, 5}.",
        "```\n[\n  [1, 2, 4],\n  [2, 5],\n  [3, 4],\n  [3, 5]\n]\n```",
        "1 2 4\n2 5\n3 4\n3 5",
        "1, 2, 4\n\n2, 5\n3, 4\n3, 5\n",
        "[[3 5] [4 3] [5 2] [04 2 1]]",
    ],
)
def test_lists_are_read(answer: str) -> None:
    """Lists of lists in any brackets, lists in a row, and one cocktail a line."""
    assert "" == _kind(CountMaximalCocktails(*FIVE, "list"), answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "none",
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5]",
        "[1, 2, 4], [2, 5], [3, 4], [3, 5]]",
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5)]",
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5])",
        "[[[1, 2, 4], [2, 5], [3, 4], [3, 5]]]",
        "[[1, 2, 4], , [2, 5], [3, 4], [3, 5]]",
        "[[1,, 2, 4], [2, 5], [3, 4], [3, 5]]",
        "[[1, 2, 4], [2, 5], [3, 4], [3, 5]] are all",
        "[[1, 2, 4], [2, 5], 3, [3, 5]]",
        "[[1, 2, -4]]",
        "[[1, 2.0]]",
        "[[1 + 1]]",
        "[[٣]]",
        "[" * 2_000 + "1" + "]" * 2_000,
    ],
)
def test_what_is_no_list_is_refused(answer: str) -> None:
    """Nothing is guessed, and nothing evaluated."""
    assert "unreadable" == _kind(CountMaximalCocktails(*FIVE, "list"), answer)


def test_levels_keep_their_numbers() -> None:
    """Drugs, clashes and cocktails are as many as the level says; only easy asks for a number."""
    for level, asked, drugs, cocktails in (
        ("easy", "count", (3, 10), (1, 1_000)),
        ("normal", "list", (8, 14), (3, 40)),
        ("hard", "list", (14, 18), (20, 60)),
    ):
        for seed in range(40):
            puzzle = CountMaximalCocktails.new(Random(seed), **CountMaximalCocktails.levels[level])
            number = puzzle.solution() if asked == "count" else puzzle.solution().count("[") - 1

            assert (asked, "maximal") == (puzzle.asked, puzzle.counted)
            assert drugs[0] <= puzzle.drugs <= drugs[1]
            assert cocktails[0] <= int(number) <= cocktails[1]
            assert (
                len(set(puzzle.edges))
                == len(puzzle.edges)
                <= puzzle.drugs * (puzzle.drugs - 1) // 4
            )


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"drugs": (0, 3)}, "drugs=0..3 is out of bounds; write a range within 1 to 40"),
        ({"drugs": (3, 101)}, "drugs=3..101 is out of bounds; write a range within 1 to 40"),
        ({"clashing": 1.5}, "clashing=1.5 is out of bounds; write 0 to 1"),
        ({"cocktails": (1_001, 2_000)}, "at most 1000 cocktails"),
        ({"cocktails": (9, 10), "drugs": (3, 3)}, "has 9 to 10 such cocktails"),
    ],
)
def test_sizes_that_cannot_be_made(sizes: dict[str, object], words: str) -> None:
    """They are refused in a sentence, also where no graph can have so many cocktails."""
    with pytest.raises(ValueError, match=words):
        CountMaximalCocktails.new(Random(0), **sizes)  # type: ignore[arg-type]


def test_numbers_of_drugs_are_only_names() -> None:
    """Two paths are the same instance; a path and a star are not."""
    path, same, star = ((1, 2), (2, 3), (3, 4)), ((1, 3), (1, 4), (2, 4)), ((1, 2), (1, 3), (1, 4))

    assert CountMaximalCocktails(4, path).canonical() == CountMaximalCocktails(4, same).canonical()
    assert CountMaximalCocktails(4, path).canonical() != CountMaximalCocktails(4, star).canonical()


@pytest.mark.parametrize(("asked", "data"), [("count", 4), ("list", FIVE_MAXIMAL)])
def test_answers_as_json_data(asked: str, data: object) -> None:
    """The shape of an answer writes data as the text that is checked."""
    puzzle = CountMaximalCocktails(*FIVE, asked)  # type: ignore[arg-type]

    assert "" == _kind(puzzle, puzzle.answer_shape().write(data))
