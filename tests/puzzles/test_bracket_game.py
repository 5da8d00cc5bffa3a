"""Bracket game."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words._shared.english_words import common
from quandary.puzzles.questions.words.bracket_game import BRACKET, BracketGame

PAIRS = {"block": "[]", "curly": "{}", "round": "()", "angle": "<>"}
GAME = BracketGame(
    "fabuloustextgames", 2, (("fabulous", "block"), ("games", "round"), ("text", "angle"))
)
TWICE = BracketGame("artstart", 1, (("art", "round"),))


@pytest.mark.parametrize("answer", ["[[fabulous]<text>(games)]", "{[fabulous]<text>(games)}"])
def test_published_example_is_accepted(answer: str) -> None:
    """TextGames' worked example, as its code and as its paper print it."""
    assert Verdict(1.0) == GAME.check(answer)


def test_example_in_the_rules_is_true() -> None:
    """The example that the rules print would be accepted."""
    pattern = (
        r"text were (\w+), the depth (\d) and the list (\w+) (\S \S) and (\w+) (\S \S), "
        r"you could answer: (\S+)$"
    )
    [(text, depth, one, pair, two, other, answer)] = re.findall(pattern, GAME.rules())
    kinds = {" ".join(signs): kind for kind, signs in PAIRS.items()}
    game = BracketGame(text, int(depth), ((one, kinds[pair]), (two, kinds[other])))

    assert Verdict(1.0) == game.check(answer)
    assert GAME.rules("zh").endswith(
        f"文本为 {text}，深度为 {depth}，词表为 {one} {pair} 和 {two} {other} 时，"
        f"可以回答：{answer}"
    )


def test_rules_and_text_show_the_brackets() -> None:
    """The rules list all kinds, and the text shows the pair for each word."""
    assert "The kinds of brackets are [ ], { }, ( ), < >." in GAME.rules()
    assert GAME.text(0).endswith(":\nfabulous [ ]\ngames ( )\ntext < >")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "letters"),
        ("[[fabulous]<text>(game)]", "letters"),
        ("[[fabulous]<text>(gamess)]", "letters"),
        ("[(games)<text>[fabulous]]", "letters"),
        ("[[fabulouſ]<text>(games)]", "letters"),
        ("[[ｆabulous]<text>(games)]", "letters"),
        ("Answer: [[fabulous]<text>(games)]", "letters"),
        ("[[fabulous],<text>,(games)]", "foreign_sign"),
        ("[[fabulous]<text>(games)].", "foreign_sign"),
        ('["fabulous"]<[text]>(games)', "foreign_sign"),
        ("[[fabulous]<text>(games)]1", "foreign_sign"),
        ("[[fabulous]<text>（games)]", "foreign_sign"),
        ("[[fabulous]<te\u200bxt>(games)]", "foreign_sign"),
        ("[[fabulous]<text>(games)]]", "unmatched"),
        (")[[fabulous]<text>(games)](", "unmatched"),
        ("[[fabulous<]text>(games)]", "unmatched"),
        ("[[fabulous]<text>(games])", "unmatched"),
        ("[[fabulous)<text>(games)]", "unmatched"),
        ("[[fabulous]<text>(games)", "unclosed"),
        ("[[fabulous]<text>(games", "unclosed"),
        ("[fabulous]<text>(games)", "depth"),
        ("fabuloustextgames", "depth"),
        ("[[[fabulous]<text>(games)]]", "depth"),
        ("[[fabu](l)ous]<text>(games)", "split_word"),
        ("[fabulous]<te[]xt>(games)", "split_word"),
        ("[fabulous[]]<text>{games}", "not_inside"),
        ("[fabulous[]]text<>(games)", "not_inside"),
        ("([fabuloustextgames])", "not_inside"),
    ],
)
def test_faults_are_told_apart(answer: str, kind: str) -> None:
    """The first fault counts: letters, signs, nesting, depth, words; a sentence names it."""
    verdict = GAME.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        (
            "[fabulous]<test>(games)",
            "Keep all letters in order; at letter 11, the text has 'x', but your answer has 's'.",
        ),
        (
            "[fabulous]<text>",
            "Keep all letters in order; at letter 13, the text has 'g', but your answer has ended.",
        ),
        (
            "fabuloustextgamesx",
            "Keep all letters in order; at letter 18, the text has ended, but your answer has 'x'.",
        ),
        (
            "[[fabulous)]<text>(games)",
            "Bracket 3 of your answer is ), but the last open bracket there is [.",
        ),
        (
            "[fabulous]<text>)(games)",
            "Bracket 5 of your answer is ), but no bracket is open there.",
        ),
        (
            "[](){}[fabulous]<text>)(games)",
            "Bracket 11 of your answer is ), but no bracket is open there.",
        ),
        ("[[fabulous]<text>(games)", "Your answer ends while [ is still open."),
        ("[fabulous]<text>(games)", "The depth must be exactly 2; that of your answer is 1."),
        ("[[fabulous]text(games)]", "The word 'text' must be inside < >."),
    ],
)
def test_feedback_says_what_was_found(answer: str, feedback: str) -> None:
    """The sentence names the place or the number that is wrong."""
    assert feedback == GAME.check(answer).feedback


def test_brackets_of_a_chinese_keyboard_are_other_signs() -> None:
    """The kinds of brackets are the ones shown, and the rules and the feedback say so."""
    verdict = GAME.check("[[fabulous]<text>（games）]", "zh")

    assert verdict.kind == "foreign_sign"
    assert "只能写文本中的字母和规则所列的半角括号；“（”两者都不是。" == verdict.feedback
    assert "括号的种类有 [ ]、{ }、( )、< >（都是半角符号）。" in GAME.rules("zh")


def test_pairs_around_nothing_cost_little() -> None:
    """Any number of them is allowed, so millions of them are read as one piece of the answer."""
    question = BracketGame("redhatbox", 2, (("red", "round"), ("box", "curly")))
    pairs = "[](){}<>" * 100_000

    assert ["<", pairs, "red"] == BRACKET.split(f"<{pairs}red")[1:5:2] + BRACKET.split(
        f"<{pairs}red"
    )[4:]
    assert Verdict(1.0) == question.check(f"<(red)hat{{box}}>{pairs}")
    assert question.check(f"<(red)hat{{box}}{pairs.join('[]')}>").kind == "depth"
    assert question.check(f"<(red)hat{{box}}>{pairs}]").feedback.startswith(
        "Bracket 800007 of your answer is ],"
    )


@pytest.mark.parametrize(
    "answer",
    [
        " [[fabulous]<text>(games)]\n",
        "[[FABULOUS]<Text>(games)]",
        "[ [fabulous] <text> (games) ]",
        "[[fabulous]\n<text>\n(games)]",
        "`[[fabulous]<text>(games)]`",
        '"[[fabulous]<text>(games)]"',
        "```\n[[fabulous]<text>(games)]\n```",
        "“[[fabulous]<text>(games)]”",
        "[fabulous]<text>(games)[[]]",
        "[fabulous<text>](games)",
        "[<fabuloustext>](games)",
        "[fabulous]<text>(){}([games])",
    ],
)
def test_every_right_bracketing_is_accepted(answer: str) -> None:
    """Spaces, capitals, outer quotation marks and distance from the words do not matter."""
    assert Verdict(1.0) == BracketGame(
        GAME.letters, 2, (*GAME.inside[::2], ("games", "round"))
    ).check(answer)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("(art)start", ""),
        ("artst(art)", ""),
        ("art(s)tart", "not_inside"),
        ("a(r)tst[a]rt", "split_word"),
    ],
)
def test_any_occurrence_will_do(answer: str, kind: str) -> None:
    """A word that is in the text twice may be bracketed at either place."""
    assert kind == TWICE.check(answer).kind


@pytest.mark.parametrize(
    ("level", "words", "demands", "depth"),
    [("easy", 3, 3, 2), ("medium", 5, 5, 2), ("hard", 10, 7, 3)],
)
def test_instances_are_as_published(level: str, words: int, demands: int, depth: int) -> None:
    """Demands are on different words in alphabetical order, use all kinds and can be met."""
    made = [BracketGame.new(Random(seed), **BracketGame.levels[level]) for seed in range(150)]
    known = set(common())

    assert set(PAIRS) == {kind for game in made for _, kind in game.inside}
    for game in made:
        asked = [word for word, _ in game.inside]
        assert (depth, demands, sorted(set(asked))) == (game.depth, len(asked), asked)
        assert all(word in game.letters for word in asked)
        assert Verdict(1.0) == game.check(game.solution())
        for word in asked:
            halves = ((word[:cut], word[cut:]) for cut in range(len(word)))
            assert word in known or any(known.issuperset(pair) for pair in halves)
        if level != "hard":
            assert sum(map(len, asked)) == len(game.letters)
    compounds = [word not in known for game in made for word, _ in game.inside]
    assert (0.3 < sum(compounds) / len(compounds) < 0.6) if level == "hard" else not any(compounds)


@pytest.mark.parametrize("level", BracketGame.levels)
def test_whole_text_in_brackets_is_never_enough(level: str) -> None:
    """More kinds are asked for than pairs can stand around the whole text."""
    made = [BracketGame.new(Random(seed), **BracketGame.levels[level]) for seed in range(150)]

    assert all(len({kind for _, kind in game.inside}) > game.depth for game in made)


def test_sizes_beyond_the_levels() -> None:
    """Long texts, deep and shallow brackets work; what cannot be made is refused."""
    for seed, sizes in enumerate(
        [(40, 40, 1), (120, 100, 2), (200, 200, 3), (1, 1, 1), (2, 1, 100), (30, 30, 7), (5, 5, 4)]
        * 3
    ):
        game = BracketGame.new(
            Random(seed), **dict(zip(("words", "demands", "depth"), sizes, strict=True))
        )
        assert Verdict(1.0) == game.check(game.solution())

    for wrong in (
        {"words": 2},
        {"words": 0, "demands": 0},
        {"depth": 0},
        {"words": 10_000},
        {"depth": 10_000},
    ):
        with pytest.raises(ValueError):
            BracketGame.new(Random(1), **wrong)


def test_words_that_share_letters_need_depth() -> None:
    """Two kinds around overlapping words take two nested pairs; a smaller depth is refused."""
    words = (("start", "round"), ("tart", "block"))
    assert Verdict(1.0) == (deep := BracketGame("astarts", 2, words)).check(deep.solution())
    assert Verdict(1.0) == (apart := BracketGame("starttart", 1, words)).check(apart.solution())

    with pytest.raises(ValueError, match="no way is known"):
        BracketGame("astarts", 1, words).solution()
    with pytest.raises(ValueError, match="no way is known"):
        BracketGame(
            "astarts", 2, (("tart", "block"), ("tarts", "round"), ("star", "angle"))
        ).solution()


def test_names_of_brackets_do_not_matter() -> None:
    """The order of demands and exchanged kinds make no difference; the depth does."""
    renamed = BracketGame(
        GAME.letters, 2, (("text", "round"), ("fabulous", "curly"), ("games", "block"))
    )
    merged = BracketGame(
        GAME.letters, 2, (("text", "round"), ("fabulous", "curly"), ("games", "curly"))
    )

    assert GAME.canonical() == renamed.canonical()
    assert GAME.canonical() != merged.canonical()
    assert GAME.canonical() != BracketGame(GAME.letters, 3, GAME.inside).canonical()


def test_checker_agrees_with_a_parser_on_all_short_answers() -> None:
    """A parser agrees on every way to put up to four brackets of two kinds into a short text."""
    game = BracketGame("aba", 2, (("ab", "round"), ("a", "block")))
    kinds = set()
    for number in range(5):
        for brackets in product("()[]", repeat=number):
            for places in combinations_with_replacement(range(4), number):
                answer = _inserted("aba", places, brackets)
                assert _plain_verdict(game, answer) == game.check(answer).kind
                kinds.add(game.check(answer).kind)

    assert {"", "unmatched", "unclosed", "depth", "split_word", "not_inside"} == kinds


def test_solution_is_found_exactly_where_there_is_one() -> None:
    """Trying all ways to put up to three pairs into short texts solves the same ones."""
    rng, found = Random("short"), set()
    shapes = [_shape for pairs in range(4) for _shape in _nested(pairs)]
    for _ in range(25):
        text = "".join(rng.choices("ab", k=4))
        cuts = [sorted(rng.sample(range(5), 2)) for _ in range(2)]
        game = BracketGame(
            text,
            rng.randint(1, 2),
            tuple((text[a:b], rng.choice(["round", "block"])) for a, b in cuts),
        )
        possible = any(
            not _plain_verdict(game, _inserted(text, places, shape))
            for shape in shapes
            for places in combinations_with_replacement(range(5), len(shape))
        )
        try:
            assert Verdict(1.0) == game.check(game.solution())
            solved = True
        except ValueError:
            solved = False
        assert possible is solved
        found.add(solved)

    assert {True, False} == found


def _nested(pairs: int) -> Iterator[str]:
    """Every well-formed row of round and block brackets of so many pairs."""
    if not pairs:
        yield ""
        return
    for inner in range(pairs):
        for first, rest in product(_nested(inner), _nested(pairs - 1 - inner)):
            yield from (f"({first}){rest}", f"[{first}]{rest}")


def _inserted(text: str, places: tuple[int, ...], brackets: tuple[str, ...] | str) -> str:
    parts = [
        "".join(sign for place, sign in zip(places, brackets, strict=True) if place == gap)
        for gap in range(len(text) + 1)
    ]
    return "".join(part + letter for part, letter in zip(parts, [*text, ""], strict=True))


@pytest.mark.parametrize("level", BracketGame.levels)
def test_checker_agrees_with_a_parser(level: str) -> None:
    """Right answers and all sorts of spoilt ones get the verdict of a separate parser."""
    _compare(level, 400)


@pytest.mark.heavy
@pytest.mark.parametrize("level", BracketGame.levels)
def test_checker_agrees_with_a_parser_on_many_answers(level: str) -> None:
    """The same on ten thousand answers a level."""
    _compare(level, 10_000)


def _compare(level: str, answers: int) -> None:
    rng, kinds = Random(level), set()
    for seed in range(answers // 4):
        game = BracketGame.new(Random(seed), **BracketGame.levels[level])
        for answer in (
            game.solution(),
            _spoilt(game.solution(), rng),
            _spoilt(game.solution(), rng),
            _spoilt(game.sample(rng), rng),
        ):
            expected = _plain_verdict(game, answer)
            assert expected == game.check(answer).kind
            kinds.add(expected)

    assert {
        "",
        "letters",
        "foreign_sign",
        "unmatched",
        "unclosed",
        "depth",
        "split_word",
        "not_inside",
    } == kinds


def _spoilt(answer: str, rng: Random) -> str:
    """An answer after one small change, which may be harmless."""
    signs = list(answer)
    place = rng.randrange(len(signs))
    brackets = [i for i, sign in enumerate(signs) if not sign.isalpha()]
    change = rng.randrange(9)
    if change == 0:
        signs[place : place + 1] = [rng.choice("abc,.1-_")]
    elif change == 1:
        signs.insert(place, rng.choice("[](){}<>"))
    elif change == 2:
        del signs[rng.choice(brackets)]
    elif change == 3:
        signs[rng.choice(brackets)] = rng.choice("[](){}<>")
    elif change == 4:
        one, two = rng.choices(brackets, k=2)
        signs[one], signs[two] = signs[two], signs[one]
    elif change == 5:
        pair, end = rng.choice(list(PAIRS.values())), rng.randrange(place, len(signs))
        signs = [*signs[:place], pair[0], *signs[place:end], pair[1], *signs[end:]]
    elif change == 6:
        pair, other = rng.sample(list(PAIRS.values()), 2)
        return answer.translate(str.maketrans(pair, other))
    elif change == 7:
        signs.insert(place, rng.choice(" \n,'"))
    else:
        moved = signs.pop(rng.choice(brackets))
        signs.insert(place, moved)
    return "".join(signs)


def _plain_verdict(game: BracketGame, answer: str) -> str:
    """The kind of the first fault, by a parser that lists runs of letters and their brackets."""
    signs = list(re.sub(r"\s", "", answer).strip("\"'`").lower())
    if [sign for sign in signs if sign.isalpha()] != list(game.letters):
        return "letters"
    if any(not sign.isalpha() and sign not in "[](){}<>" for sign in signs):
        return "foreign_sign"
    runs: list[tuple[str, str]] = [("", "")]
    depths = [0]

    def parse(place: int, around: str) -> int:
        depths.append(len(around))
        runs.append(("", around))
        while place < len(signs):
            sign = signs[place]
            if sign.isalpha():
                runs[-1] = (runs[-1][0] + sign, around)
                place += 1
            elif sign in "[({<":
                place = parse(place + 1, around + sign)
                runs.append(("", around))
            elif around and around[-1] + sign in PAIRS.values():
                return place + 1
            else:
                raise ValueError("unmatched")
        if around:
            raise ValueError("unclosed")
        return place

    try:
        parse(0, "")
    except ValueError as fault:
        return str(fault)
    if max(depths) != game.depth:
        return "depth"
    for word, kind in game.inside:
        holding = [around for run, around in runs if word in run]
        if not any(PAIRS[kind][0] in around for around in holding):
            return "not_inside" if holding else "split_word"
    return ""


def _published(data: Path, level: int) -> dict[str, BracketGame]:
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Bracket Game_{level}.json")
        assert file is not None
        prompts = json.load(file)
    games = {}
    for session, prompt in prompts.items():
        text, depth = (
            re.search(r"a text (\w+) Your", prompt),
            re.search(r"depth must be (\d+)", prompt),
        )
        assert text and depth
        games[session] = BracketGame(
            text[1],
            int(depth[1]),
            tuple(re.findall(r'- "(\w+)" is inside a (\w+) bracket', prompt)),
        )
    return games


@pytest.mark.parametrize("level", [1, 2, 3])
def test_published_problems_are_solved(data: Path, level: int) -> None:
    """Every published problem has a solution that is accepted."""
    games = _published(data, level)

    assert len(games) == 1000
    assert all(Verdict(1.0) == game.check(game.solution()) for game in games.values())


def test_published_verdicts_differ_in_form_only(data: Path) -> None:
    """The published checker overlooks odd signs and unmatched brackets; the rest is as ours."""
    games = {f"Bracket Game_{level}": _published(data, level) for level in (1, 2, 3)}
    name, judged, overlooked = "results_chatgpt-4o-mini.zs.jsonl", 0, set()
    with tarfile.open(data / "textgames" / f"{name}.tgz") as archive:
        file = archive.extractfile(name)
        assert file is not None
        for line in file:
            if b'"Bracket Game_' not in line:
                continue
            reply = json.loads(line)
            verdict = games[reply["game"]][reply["session"]].check(reply["response"])
            judged += 1
            if reply["solved"] != (verdict.score == 1.0):
                overlooked.add((reply["solved"], verdict.kind))

    assert judged > 5000
    assert (
        {(True, "unmatched"), (True, "unclosed")}
        <= overlooked
        <= {(True, "unmatched"), (True, "unclosed"), (True, "foreign_sign")}
    )
