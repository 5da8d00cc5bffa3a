"""String search."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words.string_search import StringSearch
from quandary.puzzles.questions.words.string_search.solver import CLAUSES

EXAMPLE = StringSearch("hudigentaajiruochen", 3, "t", "ia")
LEVEL_WORDS = re.compile(  # the published prompts
    r"string:\n(\w+)\n\nFind a substring of exactly (\d+) characters long that:\n"
    r" - Contains ([a-z, ]+)\n - Does not contain ([a-z, ]+)\n"
)
PUBLISHED_CLAUSES = {
    " - has 2 consecutive consonants\n": "consonants_together",
    " - does not have 2 consecutive consonants\n": "no_consonants_together",
    " - has 2 consecutive vowels\n": "vowels_together",
    " - does not have 2 consecutive vowels\n": "no_vowels_together",
    " - has more vowels than consonants\n": "more_vowels",
    " - has less vowels than consonants\n": "fewer_vowels",
    " - has the same amount of vowels and consonants\n": "as_many_vowels",
}


def test_published_example_is_accepted() -> None:
    """TextGames' worked example."""
    assert Verdict(1.0) == EXAMPLE.check("ent")


def test_example_in_the_rules_is_true() -> None:
    """The example that the rules print would be accepted."""
    pattern = (
        r"text were (\w+) and you had to find (\d) letters "
        r"that contain (\w) and (\w) but not (\w), you could answer: (\w+)"
    )
    [(text, length, one, two, forbidden, answer)] = re.findall(pattern, EXAMPLE.rules())

    assert Verdict(1.0) == StringSearch(text, int(length), one + two, forbidden).check(answer)
    assert EXAMPLE.rules("zh").endswith(
        f"文本为 {text}，要找出 {length} 个字母，包含 {one} 和 {two} 而不包含 {forbidden}，"
        f"可以回答：{answer}"
    )


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "length"),
        ("en", "length"),
        ("gent", "length"),
        ('"ent"', "length"),
        ("e n t", "length"),
        ("tne", "not_in_text"),
        ("nth", "not_in_text"),
        ("e.t", "not_in_text"),
        ("\u0131ge", "not_in_text"),
        ("gen", "required"),
        ("uoc", "required"),
        ("jir", "required"),
        ("nta", "forbidden"),
        ("taa", "forbidden"),
    ],
)
def test_faults_are_told_apart(answer: str, kind: str) -> None:
    """Length, place in the text, required and forbidden letters; a sentence says what is wrong."""
    verdict = EXAMPLE.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("en", "The substring must have exactly 3 letters; your answer has 2 characters."),
        ("E.t", "'E.t' does not occur in the text."),
        ("gen", "'gen' does not meet this condition: It must contain the letter t."),
        ("nta", "'nta' does not meet this condition: It must not contain the letter a."),
    ],
)
def test_feedback_says_what_is_wrong(answer: str, feedback: str) -> None:
    """The sentence shows what was written, and the one letter that is at fault."""
    assert feedback == EXAMPLE.check(answer).feedback


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("en", "子串必须恰好有 3 个字母，而你的回答有 2 个字符。"),
        ("gen", "“gen”不满足这个条件：必须包含字母 t。"),
        ("nta", "“nta”不满足这个条件：不能包含字母 a。"),
    ],
)
def test_feedback_in_chinese(answer: str, feedback: str) -> None:
    """Whole sentences, with the one letter that is at fault."""
    assert feedback == EXAMPLE.check(answer, "zh").feedback


def test_conditions_are_listed() -> None:
    """Letters come first, then reading the same backwards, then clauses; one letter is no list."""
    question = replace(EXAMPLE, required="tn", palindrome=True, clauses=("more_vowels",))

    assert question.text(0).splitlines() == [
        "Text: hudigentaajiruochen",
        "Find a substring of exactly 3 letters that meets these conditions:",
        "- It must contain all of the letters t, n",
        "- It must not contain any of the letters i, a",
        "- It must be a palindrome (read the same backwards)",
        "- It must have more vowels than consonants",
    ]
    assert "- It must contain the letter t\n" in EXAMPLE.text(0)


@pytest.mark.parametrize(
    ("clause", "right", "wrong"),
    [
        ("consonants_together", ["rye", "ayb", "ebb"], ["eye", "aba", "aei", "ebu"]),
        ("no_consonants_together", ["eye", "aba", "aei", "ebu"], ["rye", "ayb", "ebb"]),
        ("vowels_together", ["aei", "ooz", "tau"], ["eye", "aba", "ayb"]),
        ("no_vowels_together", ["eye", "aba", "ayb"], ["aei", "ooz", "tau"]),
        ("more_vowels", ["aei", "eye", "aab"], ["rye", "xyz", "abab"]),
        ("fewer_vowels", ["rye", "xyz", "abb"], ["aei", "eye", "abab"]),
        ("as_many_vowels", ["abab", "oyyo", "uuzz"], ["abba"[:3], "yyyo", "aei", "uuuz"]),
    ],
)
def test_clauses_mean_what_they_say(clause: str, right: list[str], wrong: list[str]) -> None:
    """Each clause judges pieces as it says, y being a consonant, and has a kind of its own."""
    for piece in right:
        assert Verdict(1.0) == StringSearch(
            f"q{piece}q", len(piece), "", "", clauses=(clause,)
        ).check(piece)
    for piece in wrong:
        verdict = StringSearch(f"q{piece}q", len(piece), "", "", clauses=(clause,)).check(piece)
        assert (0.0, clause) == (verdict.score, verdict.kind)
        assert verdict.feedback.endswith(".")


def test_conditions_are_checked_in_the_order_shown() -> None:
    """The first condition that a piece breaks is named: letters, palindrome, then clauses."""
    question = StringSearch("abbacabcab", 4, "b", "z", palindrome=True, clauses=("as_many_vowels",))

    assert Verdict(1.0) == question.check("abba")
    assert [question.check(piece).kind for piece in ("caba", "cabc", "bbac")] == [
        "not_in_text",
        "palindrome",
        "palindrome",
    ]
    assert (
        StringSearch("abbbac", 3, "b", "c", True, ("as_many_vowels",)).check("bbb").kind
        == "as_many_vowels"
    )
    assert (
        StringSearch("abbbac", 3, "b", "a", True, ("as_many_vowels",)).check("bba").kind
        == "forbidden"
    )
    assert (
        StringSearch("abbbac", 3, "c", "a", True, ("as_many_vowels",)).check("bba").kind
        == "required"
    )
    assert StringSearch("abbacabcab", 4, "b", "z", True).check("cabc").kind == "palindrome"
    assert StringSearch("abbacabcab", 4, "b", "c", True).check("cabc").kind == "forbidden"


def test_kelvin_sign_is_no_k() -> None:
    """A sign that becomes a letter in lower case is not that letter."""
    assert StringSearch("folks", 3, "k", "s").check("ol\u212a").kind == "not_in_text"


@pytest.mark.parametrize("answer", ["ent", " ent\n", "ENT", "\tEnt "])
def test_outer_blanks_and_capitals_are_forgiven(answer: str) -> None:
    """Only the letters count."""
    assert Verdict(1.0) == EXAMPLE.check(answer)


@pytest.mark.parametrize(
    ("level", "size", "lengths", "required", "forbidden"),
    [
        ("easy", 15, {3}, {1}, {1, 2}),
        ("medium", 30, {4, 5}, {1, 2}, {1, 2, 3}),
        ("hard", 60, {5, 6, 7}, {1, 2, 3}, {1, 2, 3, 4}),
    ],
)
def test_instances_are_as_published(
    level: str, size: int, lengths: set[int], required: set[int], forbidden: set[int]
) -> None:
    """Numbers are those of the paper's code, all come up, and forbidden letters are in the text."""
    made = [StringSearch.new(Random(seed), **StringSearch.levels[level]) for seed in range(300)]

    assert {size} == {len(question.letters) for question in made}
    assert lengths == {question.length for question in made}
    assert required == {len(set(question.required)) for question in made}
    assert forbidden == {len(set(question.forbidden)) for question in made}
    for question in made:
        assert set(question.forbidden) <= set(question.letters)
        assert not set(question.forbidden) & set(question.required)
        assert Verdict(1.0) == question.check(question.solution())
    clauses = {len(question.clauses) for question in made if not question.palindrome}
    mirrored = [len(question.clauses) for question in made if question.palindrome]
    if level == "hard":
        assert ({1}, {1, 2}) == (clauses, set(mirrored))
        assert 0.4 < len(mirrored) / len(made) < 0.6
        assert set(CLAUSES) == {clause for question in made for clause in question.clauses}
    else:
        assert ({0}, []) == (clauses, mirrored)


@pytest.mark.parametrize("level", StringSearch.levels)
def test_near_misses_are_in_the_text(level: str) -> None:
    """Some piece fails only by a forbidden letter, unless a palindrome has no room for one more."""
    for seed in range(150):
        question = StringSearch.new(Random(seed), **StringSearch.levels[level])
        tempting = StringSearch(
            question.letters, question.length, question.required, "", question.palindrome
        )
        full = question.palindrome and len(question.required) == (question.length + 1) // 2

        assert full or len(_answers(tempting)) > len(_answers(question))


def test_hard_instances_have_one_answer() -> None:
    """Of all pieces, the last one and those that overlap the answer included, one is right."""
    for seed in range(150):
        question = StringSearch.new(Random(f"one{seed}"), **StringSearch.levels["hard"])
        assert {question.solution()} == _answers(question)
        assert 1 == question.count_solutions()


def test_solutions_are_counted_exactly() -> None:
    """Equal pieces at two places count once."""
    assert StringSearch("abcabcab", 2, "a", "z").count_solutions() == 2
    assert StringSearch("abcabcab", 3, "a", "b").count_solutions() == 0
    with pytest.raises(ValueError, match="no substring"):
        StringSearch("abcabcab", 3, "a", "b").solution()


def test_order_of_conditions_does_not_matter() -> None:
    """The same conditions in another order are the same puzzle; exchanged ones are not."""
    assert EXAMPLE.canonical() == StringSearch(EXAMPLE.letters, 3, "t", "ai").canonical()
    assert EXAMPLE.canonical() != StringSearch(EXAMPLE.letters, 3, "a", "ti").canonical()
    assert (
        EXAMPLE.canonical()
        != StringSearch(EXAMPLE.letters, 3, "t", "ai", palindrome=True).canonical()
    )


def test_sizes_beyond_the_levels() -> None:
    """Long texts, short ones and many letters work, with one answer where that is promised."""
    sizes: list[dict[str, object]] = [
        {
            "size": 300,
            "length": (2, 12),
            "required": (1, 5),
            "forbidden": (1, 8),
            "decoys": 30,
            "palindromes": 0.5,
            "clauses": (0, 3),
        },
        {"size": 8, "length": (1, 7), "decoys": 9, "palindromes": 0.3},
        {
            "size": 40,
            "length": (9, 9),
            "required": (3, 6),
            "forbidden": (4, 9),
            "decoys": 3,
            "clauses": (3, 3),
        },
    ]
    for level in sizes:
        for seed in range(15):
            question = StringSearch.new(Random(seed), single=True, **level)  # type: ignore[arg-type]
            assert 1 == len(_answers(question))


@pytest.mark.parametrize(
    ("level", "refusal"),
    [
        ({"size": 3}, "must be shorter than the text"),
        ({"length": (0, 2)}, "length=0..2 is out of bounds"),
        ({"required": (0, 1)}, "required=0..1 is out of bounds"),
        ({"forbidden": (0, 0)}, "forbidden=0 is out of bounds"),
        ({"clauses": (1, 4)}, "clauses=1..4 is out of bounds"),
        ({"size": 1_000_000}, "size=1000000 is out of bounds"),
        ({"decoys": -1}, "decoys=-1 is out of bounds"),
        ({"forbidden": (20, 20)}, "no text of 15 letters"),
        ({"required": (4, 4)}, "no text of 15 letters"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], refusal: str) -> None:
    """A sentence says which argument cannot be."""
    with pytest.raises(ValueError, match=re.escape(refusal)):
        StringSearch.new(Random(1), **level)


@pytest.mark.parametrize("level", StringSearch.levels)
def test_checker_agrees_with_plain_counting(level: str) -> None:
    """Right answers, pieces of the text and spoilt ones get the verdict of a few plain loops."""
    _compare(level, 400)


@pytest.mark.heavy
@pytest.mark.parametrize("level", StringSearch.levels)
def test_checker_agrees_with_plain_counting_on_many_answers(level: str) -> None:
    """The same on ten thousand answers a level."""
    _compare(level, 10_000)


def _compare(level: str, answers: int) -> None:
    rng, kinds = Random(level), set()
    for seed in range(answers // 4):
        question = StringSearch.new(Random(seed), **StringSearch.levels[level])
        right, guess, other = question.solution(), question.sample(rng), question.sample(rng)
        spoilt = list(right)
        spoilt[rng.randrange(len(right))] = rng.choice([*question.letters, "", "-", "xy"])
        for answer in (right, guess, other, "".join(spoilt)):
            for asked in (question, replace(question, required="", forbidden="", palindrome=False)):
                expected = _plain_verdict(asked, answer)
                assert expected == asked.check(answer).kind
                kinds.add(expected)

    assert {"", "length", "not_in_text", "required", "forbidden"} <= kinds
    assert level != "hard" or {"palindrome", *CLAUSES} - kinds <= {"as_many_vowels"}


def _answers(question: StringSearch) -> set[str]:
    text, length = question.letters, question.length
    return {
        piece
        for piece in map("".join, zip(*(text[skip:] for skip in range(length)), strict=False))
        if not _plain_verdict(question, piece)
    }


def _plain_verdict(question: StringSearch, piece: str) -> str:
    if len(piece) != question.length:
        return "length"
    if not any(
        question.letters[start:].startswith(piece) for start in range(len(question.letters))
    ):
        return "not_in_text"
    kinds = ["v" if letter in "aeiou" else "c" for letter in piece]
    beside = list(pairwise(kinds))
    balance = kinds.count("v") - kinds.count("c")
    true = {
        "consonants_together": ("c", "c") in beside,
        "no_consonants_together": ("c", "c") not in beside,
        "vowels_together": ("v", "v") in beside,
        "no_vowels_together": ("v", "v") not in beside,
        "more_vowels": balance > 0,
        "fewer_vowels": balance < 0,
        "as_many_vowels": balance == 0,
    }
    if set(question.required) - set(piece):
        return "required"
    if set(question.forbidden) & set(piece):
        return "forbidden"
    mirrored = all(piece[place] == piece[-1 - place] for place in range(len(piece)))
    if question.palindrome and not mirrored:
        return "palindrome"
    return next((clause for clause in question.clauses if not true[clause]), "")


def _published(data: Path, level: int) -> dict[str, StringSearch]:
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/String Search_{level}.json")
        assert file is not None
        prompts = json.load(file)
    questions = {}
    for session, prompt in prompts.items():
        match = LEVEL_WORDS.search(prompt)
        assert match
        required, forbidden = (re.sub(",| and |\\s", "", listed) for listed in match.group(3, 4))
        clauses = tuple(clause for words, clause in PUBLISHED_CLAUSES.items() if words in prompt)
        questions[session] = StringSearch(
            match[1], int(match[2]), required, forbidden, "forms a palindrome" in prompt, clauses
        )
    return questions


@pytest.mark.parametrize(("level", "most"), [(1, 13), (2, 13), (3, 7)])
def test_published_problems_are_solved(data: Path, level: int, most: int) -> None:
    """Every published problem has an accepted solution; 288 of the hard ones have several."""
    questions = _published(data, level).values()
    counts = Counter(question.count_solutions() for question in questions)

    assert (1000, 1) == (len(questions), min(counts))
    assert max(counts) <= most
    assert all(Verdict(1.0) == question.check(question.solution()) for question in questions)
    if level == 3:
        assert (712, 288) == (counts[1], counts.total() - counts[1])


def test_published_verdicts_are_ours(data: Path) -> None:
    """Of every published reply we say what the published checker says."""
    questions = {f"String Search_{level}": _published(data, level) for level in (1, 2, 3)}
    name, judged = "results_chatgpt-4o-mini.zs.jsonl", 0
    with tarfile.open(data / "textgames" / f"{name}.tgz") as archive:
        file = archive.extractfile(name)
        assert file is not None
        for line in file:
            if b'"String Search_' in line:
                reply = json.loads(line)
                verdict = questions[reply["game"]][reply["session"]].check(reply["response"])
                assert reply["solved"] == (verdict.score == 1.0)
                judged += 1

    assert judged > 3000
