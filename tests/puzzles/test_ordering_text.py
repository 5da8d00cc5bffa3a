"""Ordering text."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words._shared.english_words import common
from quandary.puzzles.questions.words.ordering_text import OrderingText
from quandary.puzzles.questions.words.ordering_text.solver import Scoring

FRUIT = OrderingText(
    (Scoring(10, "consecutive", "cc"), Scoring(-5, "infix", part="e")),
    ("kiwi", "apple", "fig", "plum"),
)
TWINS = OrderingText((Scoring(5, "consecutive", "v"),), ("tree", "sky", "tree", "idea"))
SIZES: dict[str, Any] = {
    "easy": ({2}, {3}, set(range(3, 9))),
    "medium": ({2, 3, 4}, {4, 5, 6}, set(range(3, 9))),
    "hard": (set(range(4, 9)), set(range(5, 11)), set(range(3, 16))),
}
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]


def test_published_example_is_accepted() -> None:
    """TextGames' worked example: ten points for a u, and equal ones by the alphabet."""
    question = OrderingText((Scoring(10, "infix", part="u"),), ("hudi", "genta", "aji", "ruochen"))

    assert question.ordered() == ("hudi", "ruochen", "aji", "genta")
    assert Verdict(1.0) == question.check("hudi\nruochen\naji\ngenta")


def test_example_in_the_rules_is_true() -> None:
    """The example is worded as the text words its rules, and its answer would be accepted."""
    rules = FRUIT.rules()

    assert FRUIT.text(0).partition("\n")[2].partition("\nWords")[0] in rules
    assert Verdict(1.0) == FRUIT.check(rules.partition("you would answer: ")[2])


def test_example_in_the_chinese_rules_is_true() -> None:
    """The Chinese rules have the same example, worded as the Chinese text words its rules."""
    rules = FRUIT.rules("zh")

    assert FRUIT.text(0, "zh").partition("\n")[2].partition("\n要排序的单词")[0] in rules
    assert Verdict(1.0) == FRUIT.check(rules.partition("应回答：")[2])


def test_claims_of_the_rules_are_true() -> None:
    """What the rules say of overlaps, with and without, is what happens."""
    assert "four consonants in a row contain three pairs" in FRUIT.rules()
    assert Scoring(10, "consecutive", "cc").earned("abcdfa") == 30
    assert "anana contains ana exactly once" in FRUIT.rules()
    assert Scoring(10, "infix", part="ana", times=1).earned("anana") == 10


@pytest.mark.parametrize(
    ("rule", "word", "times"),
    [
        (Scoring(5, "consecutive", "c"), "rhythm", 6),
        (Scoring(5, "consecutive", "c"), "yay", 2),
        (Scoring(5, "consecutive", "v"), "queue", 4),
        (Scoring(5, "consecutive", "v"), "sky", 0),
        (Scoring(5, "consecutive", "cc"), "strength", 5),
        (Scoring(5, "consecutive", "cc"), "banana", 0),
        (Scoring(5, "consecutive", "cc"), "post-war", 1),  # a hyphen parts t and w
        (Scoring(5, "consecutive", "cc"), "o’clock", 2),
        (Scoring(5, "consecutive", "vv"), "queue", 3),
        (Scoring(5, "consecutive", "vv"), "year", 1),
        (Scoring(5, "consecutive", "vc"), "banana", 2),
        (Scoring(5, "consecutive", "vc"), "o’clock", 1),
        (Scoring(5, "consecutive", "cv"), "banana", 3),
        (Scoring(5, "consecutive", "cv"), "idea", 1),
        (Scoring(5, "consecutive", "ccc"), "strength", 3),
        (Scoring(5, "consecutive", "ccc"), "t-shirt", 0),
        (Scoring(5, "consecutive", "vvv"), "queueing", 3),
        (Scoring(5, "length", longer=5), "lemon", 0),
        (Scoring(5, "length", longer=5), "lemons", 1),
        (Scoring(5, "length", longer=5), "set-up", 1),
        (Scoring(5, "length", shorter=5), "lemon", 0),
        (Scoring(5, "length", shorter=5), "lime", 1),
        (Scoring(5, "length", equal=5), "lemon", 1),
        (Scoring(5, "length", equal=5), "lime", 0),
        (Scoring(5, "length", different=5), "lemon", 0),
        (Scoring(5, "length", different=5), "lime", 1),
        (Scoring(5, "length", longer=3, shorter=6), "lemon", 1),
        (Scoring(5, "length", longer=3, shorter=6), "lemons", 0),
        (Scoring(5, "length", longer=3, shorter=6), "fig", 0),
        (Scoring(5, "length", longer=3, shorter=7, different=5), "lemon", 0),
        (Scoring(5, "length", longer=3, shorter=7, different=5), "lemons", 1),
        (Scoring(5, "affix", prefix="le"), "lemon", 1),
        (Scoring(5, "affix", prefix="le"), "apple", 0),
        (Scoring(5, "affix", suffix="le"), "apple", 1),
        (Scoring(5, "affix", suffix="le"), "lemon", 0),
        (Scoring(5, "affix", prefix="le", suffix="on"), "lemon", 1),
        (Scoring(5, "affix", prefix="le", suffix="on"), "lemonade", 0),
        (Scoring(5, "affix", prefix="le", suffix="on"), "melon", 0),
        (Scoring(5, "affix", prefix="ana", suffix="ana"), "anana", 1),  # sharing a letter
        (Scoring(5, "infix", part="an"), "banana", 1),
        (Scoring(5, "infix", part="an"), "lemon", 0),
        (Scoring(5, "infix", part="an", times=1), "banana", 0),
        (Scoring(5, "infix", part="an", times=2), "banana", 1),
        (Scoring(5, "infix", part="ana", times=1), "banana", 1),
        (Scoring(5, "infix", part="ana", times=2), "banana", 0),
        (Scoring(5, "infix", part="ee", times=1), "eee", 1),
        (Scoring(5, "infix", part="x", times=1), "lemon", 0),
    ],
)
def test_each_kind_of_rule(rule: Scoring, word: str, times: int) -> None:
    """Runs overlap and end at hyphens; bounds are strict; parts count without overlaps."""
    assert 5 * times == rule.earned(word)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Scoring(45, "consecutive", "v"), "+45 for each vowel"),
        (Scoring(-45, "consecutive", "ccc"), "-45 for each run of three consonants"),
        (Scoring(5, "length", equal=7), "+5 if its length is exactly 7"),
        (Scoring(5, "length", different=7), "+5 if its length is not 7"),
        (
            Scoring(5, "length", longer=3, shorter=9),
            "+5 if its length is more than 3 and less than 9",
        ),
        (
            Scoring(5, "length", longer=3, shorter=9, different=7),
            "+5 if its length is more than 3, less than 9 and not 7",
        ),
        (Scoring(5, "affix", prefix="ros"), '+5 if it starts with "ros"'),
        (Scoring(5, "affix", suffix="al"), '+5 if it ends with "al"'),
        (
            Scoring(5, "affix", prefix="ros", suffix="al"),
            '+5 if it starts with "ros" and ends with "al"',
        ),
        (Scoring(-100, "infix", part="g"), '-100 if it contains "g"'),
        (Scoring(5, "infix", part="il", times=1), '+5 if it contains "il" exactly once'),
        (Scoring(5, "infix", part="il", times=2), '+5 if it contains "il" exactly 2 times'),
    ],
)
def test_rules_in_words(rule: Scoring, words: str) -> None:
    """Every part of a rule is said, with its points."""
    assert OrderingText((rule,), ("one", "two")).text(0).splitlines() == [
        "Points for a word:",
        words,
        "Words to put in order:",
        "one",
        "two",
    ]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Scoring(-45, "consecutive", "vc"), "每有一个紧跟在元音字母之后的辅音字母：-45 分"),
        (Scoring(5, "length", equal=7), "若长度恰好为 7：+5 分"),
        (Scoring(5, "length", longer=3, shorter=9), "若长度大于 3 且小于 9：+5 分"),
        (
            Scoring(5, "length", longer=3, shorter=9, different=7),
            "若长度大于 3、小于 9 且不等于 7：+5 分",
        ),
        (
            Scoring(5, "affix", prefix="ros", suffix="al"),
            "若以“ros”开头且以“al”结尾：+5 分",
        ),
        (Scoring(5, "infix", part="il", times=2), "若“il”恰好出现 2 次：+5 分"),
    ],
)
def test_rules_in_chinese_words(rule: Scoring, words: str) -> None:
    """Conditions come first and points last; those that count begin as the rules say."""
    assert words == OrderingText((rule,), ("one", "two")).text(0, "zh").splitlines()[1]


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (FRUIT, "", "too_few"),
        (FRUIT, ",,,", "too_few"),
        (FRUIT, "apple plum fig", "too_few"),
        (FRUIT, "melon pear fig", "too_few"),
        (FRUIT, "appleplumfigkiwi", "too_few"),
        (FRUIT, "apple;plum;fig;kiwi", "too_few"),
        (FRUIT, "apple plum fig kiwi kiwi", "too_many"),
        (FRUIT, "apple plum fig kiwi and that is it", "too_many"),
        (FRUIT, "Answer: apple plum fig kiwi", "too_many"),
        (FRUIT, "apple\nplum\nfig\nkiwis", "unknown_word"),
        (FRUIT, "apple\nplum\nplum\nkiwis", "unknown_word"),
        (FRUIT, "apple, plum, fig, kiwi.", "unknown_word"),
        (
            FRUIT,
            "apple plum fig \u212aiwi",
            "unknown_word",
        ),  # the Kelvin sign is a k in small letters
        (FRUIT, "apple plum plum kiwi", "repeated_word"),
        (FRUIT, "plum apple apple kiwi", "repeated_word"),
        (FRUIT, "plum apple fig kiwi", "order"),
        (FRUIT, "apple plum kiwi fig", "order"),  # equal points, not by the alphabet
        (FRUIT, "- apple\n- plum\n- fig\n- kiwi", "mark"),
        (FRUIT, "* apple\n* plum\n* fig\n* kiwi", "mark"),
        (FRUIT, "•apple\n•plum\n•fig\n•kiwi", "mark"),
        (FRUIT, "1. apple\n2. plum\n3. fig\n4. kiwi", "mark"),
        (FRUIT, "1.apple 2.plum 3.fig 4.kiwi", "mark"),
        (FRUIT, "apple 15\nplum 10\nfig 0\nkiwi 0", "mark"),
        (FRUIT, "apple > plum > fig > kiwi", "mark"),
        (FRUIT, '"apple" "plum" "fig" "kiwi"', "mark"),
        (FRUIT, "```\napple plum fig kiwi\n```", "mark"),
        (FRUIT, "['apple', 'plum', 'fig', 'kiwi']", "mark"),
        (TWINS, "idea tree sky sky", "repeated_word"),
        (TWINS, "idea tree tree tree", "repeated_word"),
        (TWINS, "idea tree sky", "too_few"),
        (TWINS, "tree idea tree sky", "order"),
    ],
)
def test_faults_are_told_apart(question: OrderingText, answer: str, kind: str) -> None:
    """Marks come first, then the number of words, unknown and repeated ones, and the order."""
    verdict = question.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("apple plum", "There are 4 words to put in order; your answer has 2."),
        ("apple plum pear kiwi", "'pear' is not a word in the list."),
        ("apple plum plum kiwi", "'plum' occurs 1 time in the list, but 2 times in your answer."),
        ("apple kiwi fig plum", "'kiwi' does not belong in place 2."),
        (
            "1. apple",
            (
                "Write the words alone, without bullets, numbers or other marks; '1.' is not a "
                "word in the list."
            ),
        ),
        ("apple plum fig " + "x" * 1000, f"'{'x' * 40}…' is not a word in the list."),
    ],
)
def test_feedback_says_what_was_found(answer: str, feedback: str) -> None:
    """The sentence names what is wrong and not what would be right."""
    assert feedback == FRUIT.check(answer).feedback


@pytest.mark.parametrize(
    "answer",
    [
        "apple\nplum\nfig\nkiwi",
        "apple plum fig kiwi",
        "apple,plum,fig,kiwi",
        "apple, plum, fig, kiwi\n",
        " \n apple,\r\nplum,\r\n\r\nfig,\tkiwi\n\n",
        "Apple PLUM fig Kiwi",
        "apple，plum，fig，kiwi",
        "apple、plum、fig、kiwi",
        "apple、plum， fig, kiwi\u3000",
    ],
)
def test_harmless_variations_are_read(answer: str) -> None:
    """Blanks, commas and line ends part the words alike, and capitals do not matter."""
    assert Verdict(1.0) == FRUIT.check(answer)


def test_words_shown_twice_are_answered_twice() -> None:
    """A published list may hold a word twice: it must be given as often, side by side."""
    assert TWINS.ordered() == ("idea", "tree", "tree", "sky")
    assert Verdict(1.0) == TWINS.check("idea tree tree sky")


def test_hyphens_and_apostrophes() -> None:
    """Words with marks are read and sort as the rules say, which mention marks only then."""
    question = OrderingText(
        (Scoring(5, "infix", part="x"),), ("o’clock", "ozone", "well-being", "wells", "well")
    )

    assert Verdict(1.0) == question.check("ozone, o’clock, well, well-being, wells")
    assert Verdict(1.0) == question.check("OZONE, O’Clock, Well, Well-Being, WELLS")
    assert "a hyphen comes before a and an apostrophe after z" in question.rules()
    assert "hyphen" not in FRUIT.rules()


def test_just_one_order_is_right() -> None:
    """Of all orders exactly one is accepted, with ties and without."""
    for seed in range(40):
        question = OrderingText.new(Random(seed), words=(2, 5))
        accepted = [
            order
            for order in permutations(question.words)
            if question.check(" ".join(order)) == Verdict(1.0)
        ]
        assert [question.ordered()] == accepted


@pytest.mark.parametrize("level", OrderingText.levels)
def test_instances_are_as_published(level: str) -> None:
    """Rules and words are as in the published problems, all sizes come up, nothing is trivial."""
    made = [OrderingText.new(Random(seed), **OrderingText.levels[level]) for seed in range(1500)]
    known = set(common())
    rules, words, lengths = SIZES[level]

    assert rules == {len(question.scoring) for question in made}
    assert words == {len(question.words) for question in made}
    assert lengths == {len(word) for question in made for word in question.words}
    repeated = 0
    for question in made:
        kinds = [rule.kind for rule in question.scoring]
        repeated += len(set(kinds)) < len(kinds)
        scores = [_score(question, word) for word in question.words]
        assert known.issuperset(question.words)
        assert len(question.words) == len(set(question.words))
        assert len(set(scores)) >= len(scores) - len(scores) // 3
        assert sum(score != 0 for score in scores) >= 2
        assert question.words != question.ordered()
        assert len(question.scoring) == len({replace(rule, points=0) for rule in question.scoring})
        assert Verdict(1.0) == question.check(question.solution())
    assert (repeated > 0) == (level == "hard")


def test_all_rules_come_up_in_their_ranges() -> None:
    """Every kind, clause and number of the published rules is drawn, and none beyond."""
    drawn = [
        rule
        for seed in range(4000)
        for rule in OrderingText.new(Random(seed), **OrderingText.levels["hard"]).scoring
    ]
    kinds = {
        kind: [rule for rule in drawn if rule.kind == kind]
        for kind in ("consecutive", "length", "affix", "infix")
    }
    bounds = Counter(
        tuple(
            name
            for name in ("longer", "shorter", "equal", "different")
            if getattr(rule, name) is not None
        )
        for rule in kinds["length"]
    )

    assert {sign * points for points in range(5, 101, 5) for sign in (1, -1)} == {
        rule.points for rule in drawn
    }
    assert all(0.22 < len(rules) / len(drawn) < 0.28 for rules in kinds.values())
    assert {"c", "v", "cc", "vv", "vc", "cv", "ccc", "vvv"} == {
        rule.pattern for rule in kinds["consecutive"]
    }
    assert set(bounds) == {
        ("longer",), ("shorter",), ("equal",), ("different",), ("longer", "shorter"),
        ("longer", "different"), ("shorter", "different"), ("longer", "shorter", "different"),
    }  # fmt: skip
    assert set(range(2, 9)) == {rule.longer for rule in drawn} - {None}
    assert set(range(5, 13)) == {rule.shorter for rule in drawn} - {None}
    assert set(range(3, 12)) == {rule.equal for rule in drawn} - {None}
    assert set(range(2, 12)) == {rule.different for rule in drawn} - {None}
    assert all(rule.longer + 3 <= rule.shorter for rule in drawn if rule.longer and rule.shorter)
    assert all(
        (rule.longer or 1) < rule.different < (rule.shorter or 12)
        for rule in drawn
        if rule.different
    )
    assert {(1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)} < {
        (len(rule.prefix), len(rule.suffix)) for rule in kinds["affix"]
    }
    assert {(size, times) for size in (1, 2, 3) for times in (None, 1, 2)} == {
        (len(rule.part), rule.times) for rule in kinds["infix"]
    }


def test_order_of_rules_and_words_does_not_matter() -> None:
    """The same rules and words in another order are the same puzzle; other points are not."""
    other = OrderingText(FRUIT.scoring[::-1], FRUIT.words[::-1])

    assert FRUIT.canonical() == other.canonical()
    assert (
        FRUIT.canonical()
        != OrderingText(
            (Scoring(5, "consecutive", "cc"), FRUIT.scoring[1]), FRUIT.words
        ).canonical()
    )


@pytest.mark.parametrize(
    "level",
    [
        {"rules": (8, 12), "words": (10, 20), "length": (6, 15), "alike": True},
        {"rules": (50, 50), "words": (200, 200), "alike": True},
        {"rules": (1, 1), "words": (60, 60)},
        {"rules": (1, 1), "words": (2, 4), "length": (3, 3)},
        {"rules": (1, 4), "words": (4, 4), "length": (21, 22)},
        {"rules": (1, 2), "words": (2, 2), "length": (1, 2)},
    ],
)
def test_sizes_beyond_the_levels(level: dict[str, Any]) -> None:
    """More rules and words work, also few rules for many words or for words of one length."""
    for seed in range(6):
        question = OrderingText.new(Random(seed), **level)
        assert (
            level["words"][0]
            <= len(question.words)
            == len(set(question.words))
            <= level["words"][1]
        )
        assert level["rules"][0] <= len(question.scoring) <= level["rules"][1]
        assert len({_score(question, word) for word in question.words}) > 1
        assert question.words != question.ordered()
        assert Verdict(1.0) == question.check(question.solution())


@pytest.mark.parametrize(
    ("level", "refusal"),
    [
        ({"rules": (5, 5)}, "there can be at most 4 rules of different kinds"),
        ({"rules": (0, 2)}, "rules=0..2 is out of bounds; write a range within 1 to 50"),
        (
            {"rules": (51, 51), "alike": True},
            "rules=51 is out of bounds; write a range within 1 to 50",
        ),
        ({"words": (1, 3)}, "words=1..3 is out of bounds; write a range within 2 to 200"),
        ({"words": (5, 201)}, "words=5..201 is out of bounds; write a range within 2 to 200"),
        ({"length": (30, 40)}, "there are fewer than 3 common words of 30 to 40 letters"),
        (
            {"length": (22, 22), "words": (3, 3)},
            "there are fewer than 3 common words of 22 to 22 letters",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(level: dict[str, Any], refusal: str) -> None:
    """A sentence says which sizes there are."""
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}$"):
        OrderingText.new(Random(1), **level)


@pytest.mark.parametrize("level", OrderingText.levels)
def test_checker_agrees_with_a_plain_one(level: str) -> None:
    """On right answers and on mutated ones, the checker says what a plain one says."""
    _compare(level, 60)


@pytest.mark.heavy
@pytest.mark.parametrize("level", OrderingText.levels)
def test_checker_agrees_with_a_plain_one_many_times(level: str) -> None:
    """The same on ten thousand answers a level."""
    _compare(level, 1250)


def _compare(level: str, instances: int) -> None:
    rng, kinds = Random(level), Counter[str]()
    for seed in range(instances):
        question = OrderingText.new(Random(f"plain {seed}"), **OrderingText.levels[level])
        right = sorted(sorted(question.words), key=lambda word: -_score(question, word))
        for number in range(8):
            said = _mutated(right, rng) if number else right
            expected = _plain_kind(question, right, said)
            kinds[expected] += 1
            assert expected == question.check(rng.choice([" ", "\n", ", "]).join(said)).kind
    assert {"", "mark", "too_few", "too_many", "unknown_word", "repeated_word", "order"} == set(
        kinds
    )


def _mutated(right: list[str], rng: Random) -> list[str]:
    said, place = list(right), rng.randrange(len(right) - 1)
    match rng.randrange(8):
        case 0 | 1:
            said[place], said[place + 1] = said[place + 1], said[place]
        case 2:
            rng.shuffle(said)
        case 3:
            said[place] = said[place + 1]
        case 4:
            said[place] += "s"
        case 5:
            said.append(rng.choice(said))
        case 6:
            del said[place]
        case 7:
            said[place] = f"{place + 1}.{said[place]}"
    return said


def _plain_kind(question: OrderingText, right: list[str], said: list[str]) -> str:
    if said == right:
        return ""
    if any(word[0] not in "abcdefghijklmnopqrstuvwxyz" for word in said):
        return "mark"
    if len(said) != len(right):
        return "too_few" if len(said) < len(right) else "too_many"
    if set(said) - set(question.words):
        return "unknown_word"
    return "repeated_word" if len(set(said)) < len(said) else "order"


def _score(question: OrderingText, word: str) -> int:
    """Points counted letter by letter, with none of the puzzle's own code."""
    total = 0
    for rule in question.scoring:
        if rule.kind == "consecutive":
            size = len(rule.pattern)
            sounds = ["v" if letter in "aeiou" else "c" for letter in word]
            hits = sum(
                sounds[start : start + size] == list(rule.pattern)
                for start in range(len(word) - size + 1)
            )
        elif rule.kind == "length":
            lengths = set(range(100)) if rule.equal is None else {rule.equal}
            lengths -= (
                {rule.different}
                | set(range((rule.longer or -1) + 1))
                | set(range(rule.shorter or 100, 100))
            )
            hits = int(len(word) in lengths)
        elif rule.kind == "affix":
            hits = int(
                word[: len(rule.prefix)] == rule.prefix
                and word[len(word) - len(rule.suffix) :] == rule.suffix
            )
        else:
            found = len(word.split(rule.part)) - 1
            hits = int(found > 0 if rule.times is None else found == rule.times)
        total += rule.points * hits
    return total


PUBLISHED = {
    r"every consonant gets": {"pattern": "c"},
    r"every vowel gets": {"pattern": "v"},
    r"every pair of consecutive consonant gets": {"pattern": "cc"},
    r"every pair of consecutive vowel gets": {"pattern": "vv"},
    r"every consonant right after a vowel gets": {"pattern": "vc"},
    r"every vowel right after a consonant gets": {"pattern": "cv"},
    r"every 3 consecutive consonants gets": {"pattern": "ccc"},
    r"every 3 consecutive vowels gets": {"pattern": "vvv"},
}


def _published_rule(line: str) -> Scoring:
    if match := re.fullmatch(
        r"add (-?\d+) points? if there exists (?:exactly (\d+) )?'(.+)' in the word", line
    ):
        return Scoring(
            int(match[1]), "infix", part=match[3], times=int(match[2]) if match[2] else None
        )
    said, _, points = line.removesuffix("s").removesuffix(" point").rpartition(" ")
    if said in PUBLISHED:
        return Scoring(int(points), "consecutive", **PUBLISHED[said])
    if "characters" in said:
        patterns = {
            "longer": r"more than",
            "shorter": r"less than",
            "equal": r"exactly",
            "different": r"not equal to",
        }
        found = {name: re.search(rf"{words} (\d+)", said) for name, words in patterns.items()}
        return Scoring(
            int(points), "length", **{name: int(bound[1]) for name, bound in found.items() if bound}
        )
    affixes = {
        "prefix": re.search(r"starts with (\S+)", said),
        "suffix": re.search(r"ends with (\S+)", said),
    }
    return Scoring(
        int(points), "affix", **{name: affix[1] for name, affix in affixes.items() if affix}
    )


def _published(data: Path, level: int) -> dict[str, OrderingText]:
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Ordering Text_{level}.json")
        assert file is not None
        prompts = json.load(file)
    questions = {}
    for session, prompt in prompts.items():
        scoring, words = (re.findall(r"^- (.+)$", part, re.M) for part in prompt.split("Words:"))
        questions[session] = OrderingText(tuple(map(_published_rule, scoring)), tuple(words))
    return questions


@pytest.mark.parametrize(
    ("level", "tied", "repeats", "scoreless"), [(1, 842, 7, 11), (2, 948, 7, 3), (3, 844, 60, 0)]
)
def test_published_problems_are_solved(
    data: Path, level: int, tied: int, repeats: int, scoreless: int
) -> None:
    """Published problems have accepted solutions and the known ties, repeated words and scores."""
    questions = _published(data, level).values()
    scores = [
        [sum(rule.earned(word) for rule in question.scoring) for word in set(question.words)]
        for question in questions
    ]

    assert len(questions) == 1000
    assert all(Verdict(1.0) == question.check(question.solution()) for question in questions)
    assert tied == sum(len(set(points)) < len(points) for points in scores)
    assert scoreless == sum(not any(points) for points in scores)
    assert repeats == sum(len(set(question.words)) < len(question.words) for question in questions)


@pytest.mark.parametrize("model", ["chatgpt-4o-mini.zs", "llama-3.1-8b-instruct.1s"])
def test_published_verdicts_differ_in_surplus_words_only(data: Path, model: str) -> None:
    """The published checker ignores words after the last; else it agrees, down to the place."""
    questions = {f"Ordering Text_{level}": _published(data, level) for level in (1, 2, 3)}
    kinds = Counter[str]()
    with tarfile.open(data / "textgames" / f"results_{model}.jsonl.tgz") as archive:
        file = archive.extractfile(f"results_{model}.jsonl")
        assert file is not None
        for line in file:
            if b'"Ordering Text_' not in line:
                continue
            reply = json.loads(line)
            verdict = questions[reply["game"]][reply["session"]].check(reply["response"])
            kinds[verdict.kind] += 1
            if reply["solved"]:
                assert verdict.kind in ("", "too_many", "mark")
                words = reply["response"].replace(",", " ").split()
                assert not verdict.kind or len(words) > len(
                    questions[reply["game"]][reply["session"]].words
                )
            else:
                assert verdict.score == 0.0
            if verdict.kind == "order":
                pattern = r"'(\S+)' does not belong in place (\d+)"
                [(word, place)] = re.findall(pattern, verdict.feedback)
                ordinal = ORDINALS[int(place) - 1]
                expected = f"'{word}' is not supposed to be the {ordinal} word in the order."
                assert expected == reply["val_msg"]

    assert sum(kinds.values()) > 5000
    assert kinds[""] > 500 and kinds["order"] > 3000
