"""Islands."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words.islands import Islands

CAPS = {
    5: (15, 7, 4, 3, 3, 2),
    6: (21, 10, 7, 5, 4, 3),
    7: (29, 14, 9, 7, 5, 4),
    8: (38, 19, 12, 9, 7, 6),
}  # for 1 to 6 islands
PLAIN = Islands(3, islands=2, smallest=1, largest=2)
EQUAL = Islands(3, islands=1, smallest=1, largest=1)
WOODED = Islands(3, islands=2, smallest=1, largest=2, wooded=1, trees=2)
BEYOND = {
    "small": {"size": (2, 4), "islands": (1, 2), "trees": True},
    "large": {"size": (9, 14), "islands": (1, 2)},
    "crowded": {"size": (9, 14), "islands": (7, 20), "trees": True},
}
SETTINGS = {**Islands.levels, **BEYOND}


def test_published_example_is_accepted() -> None:
    """TextGames' worked example: one island of one or two tiles on five rows."""
    assert Verdict(1.0) == Islands(5, 1, 1, 2).check("...##\n.....\n.....\n.....\n.....")


@pytest.mark.parametrize("trees", [0, 1])
def test_examples_in_the_rules_are_true(trees: int) -> None:
    """The example that the rules print would be accepted."""
    question = Islands(4, 2, 3, 3, trees, trees)

    assert Verdict(1.0) == question.check(question.rules().partition(":\n")[2])
    assert Verdict(1.0) == question.check(question.rules("zh").partition("：\n")[2])


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (PLAIN, "", "shape"),
        (PLAIN, "#..\n...", "shape"),
        (PLAIN, "#..\n...\n..#\n...", "shape"),
        (PLAIN, "#..\n\n...\n..#", "shape"),
        (PLAIN, "#...\n....\n..#.", "shape"),
        (PLAIN, "#..\n...\n..#.", "shape"),
        (PLAIN, "#..\n..\n..#", "shape"),
        (PLAIN, "Here is the map:\n#..\n...\n..#", "shape"),
        (PLAIN, "#.x\n...\n..#", "tile"),
        (PLAIN, "#..\n.~.\n###", "tile"),
        (PLAIN, "#..\n...\n..0", "tile"),
        (PLAIN, "...\n...\n...", "island_count"),
        (PLAIN, "###\n###\n###", "island_count"),
        (PLAIN, "#.#\n...\n..#", "island_count"),
        (PLAIN, "##.\n#..\n..#", "island_size"),
        (PLAIN, "o..\n...\n..#", "tile"),  # where no trees are asked for, the rules know none
        (PLAIN, "#..\n...\n..O", "tile"),
        (WOODED, "#..\n...\n..#", "tree_islands"),
        (WOODED, "o..\n...\n..o", "tree_islands"),
        (WOODED, "o#.\n...\n..#", "tree_count"),
        (Islands(3, 2, 1, 2, 1, 1), "oo.\n...\n..#", "tree_count"),
    ],
)
def test_faults_are_told_apart(question: Islands, answer: str, kind: str) -> None:
    """The first fault counts: shape, tile, islands, then trees; a sentence says what is wrong."""
    verdict = question.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    ("question", "answer", "feedback"),
    [
        (PLAIN, "#..\n...\n..#.", "The map must have 3 rows of 3 tiles; your row 3 has 4 tiles."),
        (PLAIN, "#..\n.\n..#", "The map must have 3 rows of 3 tiles; your row 2 has 1 tile."),
        (PLAIN, "##.\n#..\n..#", "Each island must have 1 to 2 tiles; one of yours has 3."),
        (EQUAL, "##.\n...\n...", "Each island must have exactly 1 tile; one of yours has 2."),
        (EQUAL, "#.#\n...\n...", "There must be exactly 1 island; your map has 2."),
        (WOODED, "o..\n...\n..o", "Exactly 1 island must have trees; in your map 2 do."),
        (WOODED, "o..\n...\n..#", "There must be exactly 2 trees in total; your map has 1."),
    ],
)
def test_feedback_says_what_was_found(question: Islands, answer: str, feedback: str) -> None:
    """The sentence names what is asked for and what the map has."""
    assert feedback == question.check(answer).feedback


@pytest.mark.parametrize(
    ("question", "answer", "feedback"),
    [
        (PLAIN, "#..\n.\n..#", "地图必须有 3 行，每行 3 格；你的第 2 行有 1 格。"),
        (PLAIN, "#..\n.x.\n..#", "第 2 行中有“x”，但格子只能是 . 或 #。"),
        (EQUAL, "##.\n...\n...", "每个岛必须恰好有 1 格；你的地图中有一个岛是 2 格。"),
        (WOODED, "o..\n...\n..o", "必须恰好有 1 个岛有树；你的地图中有树的岛有 2 个。"),
    ],
)
def test_feedback_in_chinese(question: Islands, answer: str, feedback: str) -> None:
    """It names what is asked for and what was found."""
    assert feedback == question.check(answer, "zh").feedback


@pytest.mark.parametrize(
    "answer",
    [
        "oo.\n...\n..#",
        "\n \noo.\n...\n..#\n\n",
        "o o .\n. . .\n. . #",
        "oo.\r\n...\r\n..#\r\n",
        "OO.\n...\n..#",
        "  oo.\n  ...\n  ..#",
        "ｏｏ．\n．．．\n．．＃",
        "oo。\n。。。\n。。＃",
        "Ｏ　Ｏ　．\n．　．　．\n．　．　＃",
    ],
)
def test_harmless_variations_are_read(answer: str) -> None:
    """Spaces between tiles, around the map and at ends of lines do not matter, nor do capitals.

    Nor do the signs of a Chinese keyboard.
    """
    assert Verdict(1.0) == WOODED.check(answer)


def test_corners_do_not_join() -> None:
    """Tiles that touch only at a corner are two islands, and a row does not run into the next."""
    assert Verdict(1.0) == Islands(3, 5, 1, 1).check("#.#\n.#.\n#.#")
    assert Verdict(1.0) == Islands(3, 2, 1, 1).check("..#\n#..\n...")
    assert Verdict(1.0) == Islands(3, 1, 8, 8).check("###\n#.#\n###")


@pytest.mark.parametrize("size", CAPS)
def test_every_demand_of_the_levels_can_be_met(size: int) -> None:
    """Up to the published bound, islands of every size can be drawn, with as few or many trees."""
    for islands, cap in enumerate(CAPS[size], start=1):
        for tiles in range(1, cap + 1):
            for wooded in range(islands + 1):
                for trees in {wooded, min(6, wooded * tiles)}:
                    question = Islands(size, islands, tiles, tiles, wooded, trees)
                    assert Verdict(1.0) == question.check(question.solution())


def test_largest_islands_are_the_published_ones() -> None:
    """The bound on sizes is reached and never passed."""
    for islands in range(1, 7):
        made = [
            Islands.new(Random(seed), size=(5, 8), islands=(islands, islands))
            for seed in range(800)
        ]
        largest = {
            size: max(question.largest for question in made if question.size == size)
            for size in CAPS
        }
        assert {size: caps[islands - 1] for size, caps in CAPS.items()} == largest


@pytest.mark.parametrize(
    ("level", "islands"), [("easy", {1}), ("medium", {1, 2, 3}), ("hard", {3, 4, 5, 6})]
)
def test_instances_are_as_published(level: str, islands: set[int]) -> None:
    """Numbers fill exactly the ranges that the paper draws from, and the solution is accepted."""
    made = [Islands.new(Random(seed), **Islands.levels[level]) for seed in range(1000)]

    assert set(CAPS) == {question.size for question in made}
    assert islands == {question.islands for question in made}
    for question in set(made):
        assert (
            1 <= question.smallest <= question.largest <= CAPS[question.size][question.islands - 1]
        )
        if level == "easy":
            assert (0, 0) == (question.wooded, question.trees)
        else:
            assert 1 <= question.wooded <= question.islands
            assert question.wooded <= question.trees <= min(6, question.wooded * question.smallest)
        assert Verdict(1.0) == question.check(question.solution())
    if level == "hard":
        assert set(range(1, 7)) == {question.trees for question in made}


def test_numbers_of_puzzles_are_true() -> None:
    """The levels that say they are small have as many puzzles as they say."""
    easy = {
        (size, low, high)
        for size, caps in CAPS.items()
        for low in range(1, caps[0] + 1)
        for high in range(low, caps[0] + 1)
    }
    medium, hard = (
        {
            (size, islands, low, high, wooded, min(6, trees))
            for size, caps in CAPS.items()
            for islands in numbers
            for low in range(1, caps[islands - 1] + 1)
            for high in range(low, caps[islands - 1] + 1)
            for wooded in range(1, islands + 1)
            for trees in range(wooded, wooded * low + 1)
        }
        for numbers in (range(1, 4), range(3, 7))
    )
    counted = {level: few.instances for level, few in Islands.distinct_instances.items()}

    assert {"easy": len(easy), "medium": len(medium), "hard": len(hard)} == counted


def test_sizes_beyond_the_levels() -> None:
    """Larger maps, crowded maps and many trees work; what has no room is refused."""
    for seed in range(150):
        question = Islands.new(Random(seed), size=(2, 12), islands=(1, 2), trees=True)
        assert Verdict(1.0) == question.check(question.solution())
        question = Islands.new(Random(seed), size=(9, 12), islands=(7, 20), trees=True)
        assert Verdict(1.0) == question.check(question.solution())

    for wrong in (
        {"size": (1, 1)},
        {"size": (5, 5), "islands": (14, 14)},
        {"islands": (0, 0)},
        {"size": (0, 0)},
    ):
        with pytest.raises(ValueError):
            Islands.new(Random(1), **wrong)


def test_trees_may_need_larger_islands() -> None:
    """Islands are drawn larger where trees need more room; the impossible is refused."""
    question = Islands(5, 2, 1, 4, 1, 3)
    assert Verdict(1.0) == question.check(question.solution())

    for impossible in (Islands(5, 2, 1, 4, 1, 5), Islands(5, 2, 1, 4, 2, 1), Islands(5, 1, 26, 30)):
        with pytest.raises(ValueError, match="no map is known"):
            impossible.solution()


def test_checker_agrees_with_a_plain_flood_fill() -> None:
    """On thousands of random maps the checker finds what a flood fill by hand finds."""
    rng, kinds = Random("maps"), set()
    for _ in range(6000):
        size = rng.randint(1, 9)
        tiles = rng.choice(["..#", ".#", ".##", "..#o", ".#o", ".##o"])
        rows = ["".join(rng.choices(tiles, k=size)) for _ in range(size)]
        found = list(_flood(rows))
        sizes, planted = [land for land, _ in found] or [1], [trees for _, trees in found if trees]
        truth = [size, len(found), min(sizes), max(sizes), len(planted), sum(planted)]
        if rng.random() < 0.7:
            truth[rng.randint(1, 5)] += rng.choice([-1, 1])
        question = Islands(*truth)
        expected = _fault(question, found)
        kinds.add(expected)
        assert expected == question.check("\n".join(rows)).kind

    assert {"", "island_count", "island_size", "tree_islands", "tree_count"} == kinds


def _flood(rows: list[str]) -> Iterator[tuple[int, int]]:
    land = {(y, x): tile for y, row in enumerate(rows) for x, tile in enumerate(row) if tile != "."}
    while land:
        start = next(iter(land))
        waiting, tiles = [start], [land.pop(start)]
        while waiting:
            y, x = waiting.pop()
            for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if place in land:
                    waiting.append(place)
                    tiles.append(land.pop(place))
        yield len(tiles), tiles.count("o")


def _fault(question: Islands, found: list[tuple[int, int]]) -> str:
    if len(found) != question.islands:
        return "island_count"
    if any(land < question.smallest or land > question.largest for land, _ in found):
        return "island_size"
    if sum(trees > 0 for _, trees in found) != question.wooded:
        return "tree_islands"
    return "tree_count" if sum(trees for _, trees in found) != question.trees else ""


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        (PLAIN, "", "your answer is empty"),
        (PLAIN, " \n\n ", "your answer is empty"),
        (PLAIN, "#", "yours has 1 row."),
        (PLAIN, "#..\n.X.\n..#", "Row 2 contains 'X', but tiles are . and #."),
        (PLAIN, "#..\n...\n..O", "Row 3 contains 'O', but tiles are . and #."),
        (WOODED, "o..\nÖ..\n..#", "Row 2 contains 'Ö', but tiles are ., # and o."),
    ],
)
def test_feedback_says_what_was_written(question: Islands, answer: str, said: str) -> None:
    """No row is counted in an empty answer, and a wrong tile is quoted as the player wrote it."""
    assert said in question.check(answer).feedback


@pytest.mark.parametrize("setting", SETTINGS)
def test_near_misses_get_their_kind(setting: str) -> None:
    """A right map with one tile spoilt, or one demand off by one, gets the kind of that fault."""
    for seed in range(60):
        question = Islands.new(Random(seed), **SETTINGS[setting])
        answer = question.solution()
        sizes = [land for land, _ in _flood(answer.split("\n"))]
        fewer, more = min(sizes) + 1, max(sizes) - 1
        for kind, asked, said in (
            ("shape", question, answer[1:]),
            ("shape", question, answer + "."),
            ("shape", question, answer + "\n" + "." * question.size),
            ("shape", replace(question, size=question.size + 1), answer),
            ("tile", question, "~" + answer[1:]),
            ("tile", question, answer[:-1] + "0"),
            ("island_count", replace(question, islands=question.islands + 1), answer),
            ("island_count", replace(question, islands=question.islands - 1), answer),
            (
                "island_size",
                replace(question, smallest=fewer, largest=max(fewer, question.largest)),
                answer,
            ),
            (
                "island_size",
                replace(question, smallest=min(more, question.smallest), largest=more),
                answer,
            ),
            ("tree_islands", replace(question, wooded=question.wooded + 1), answer),
            ("tree_islands", replace(question, wooded=question.wooded - 1), answer),
            ("tree_count", replace(question, trees=question.trees + 1), answer),
            ("tree_count", replace(question, trees=question.trees - 1), answer),
        ):
            assert (0.0, kind) == (asked.check(said).score, asked.check(said).kind)


@pytest.mark.parametrize("setting", SETTINGS)
def test_checker_agrees_with_joined_tiles(setting: str) -> None:
    """A reader of the puzzle's text who joins tiles pair by pair gives every map our verdict."""
    _compare(setting, 600)


@pytest.mark.heavy
@pytest.mark.parametrize("setting", SETTINGS)
def test_checker_agrees_with_joined_tiles_on_many_answers(setting: str) -> None:
    """The same on ten thousand answers a level."""
    _compare(setting, 10_000)


def _compare(setting: str, answers: int) -> None:
    rng, kinds, other = Random(setting), Counter[str](), "."
    for seed in range(answers // 10):
        question = Islands.new(Random(f"plain {seed}"), **SETTINGS[setting])
        right = question.solution()
        for answer in (right, *(_mutated(question, right, other, rng) for _ in range(9))):
            expected, verdict = _plain_kind(question.text(0), answer), question.check(answer)
            assert (float(not expected), expected) == (verdict.score, verdict.kind)
            kinds[expected] += 1
        other = right

    wooded = {"tree_islands", "tree_count"} if SETTINGS[setting].get("trees") else set()
    often = {kind for kind, count in kinds.items() if count > answers / 100}
    assert {"", "shape", "tile", "island_count", "island_size"} | wooded == often


def _mutated(question: Islands, right: str, other: str, rng: Random) -> str:
    """A right map, turned over perhaps, or another one after one change, which may be harmless."""
    rows = right.split("\n")
    if rng.random() < 0.5:
        rows = ["".join(column) for column in zip(*rows, strict=True)][:: rng.choice([1, -1])]
    drawn = "\n".join(rows)
    land = [place for place, tile in enumerate(drawn) if tile in "#o"]
    changes = (
        lambda: drawn,
        lambda: other,
        lambda: question.sample(rng),
        lambda: _swapped(drawn, rng.sample(range(len(drawn)), 2)),
        lambda: _swapped(drawn, [rng.choice(land), rng.randrange(len(drawn))]),
        lambda: _put(drawn, rng.choice("..##oOx0~,\n"), rng.randrange(len(drawn)), instead=True),
        lambda: _put(drawn, rng.choice(".#o"), rng.choice(land), instead=True),
        # One tree more or less.
        lambda: drawn.replace(*rng.choice([("#o", "oo"), ("o#", "oo"), ("oo", "o#")]), 1),
        lambda: _put(drawn, "", rng.randrange(len(drawn)), instead=True),
        lambda: _put(drawn, rng.choice(".#ox\n"), rng.randrange(len(drawn)), instead=False),
        lambda: _put(
            drawn,
            rng.choice([" ", "\t", "\r", "\u00a0", "\u200b"]),
            rng.randrange(len(drawn)),
            instead=False,
        ),
        lambda: "\n".join(rng.sample(rows, len(rows))),
        lambda: "\n".join(
            [*rows, rng.choice(["." * question.size, "", " ", "done", rows[0]])][
                :: rng.choice([1, -1])
            ]
        ),
        lambda: drawn.translate(
            rng.choice([{ord("o"): "O"}, {ord("o"): "#"}, {ord("#"): "o"}, {ord("#"): "X"}])
        ),
        lambda: (
            rng.choice(["", "\n", " \n\t", "\r\n"])
            + drawn.replace("\n", rng.choice([" \n ", "\r\n", "\n\n"]))
            + "\n "
        ),
        lambda: rng.choice(
            [
                "",
                "None",
                f"```{drawn}```",
                f"{drawn}\n{drawn}",
                " ".join(drawn),
                drawn.replace("\n", " "),
            ]
        ),
    )
    return rng.choice(changes)()


def _swapped(drawn: str, places: list[int]) -> str:
    signs = list(drawn)
    signs[places[0]], signs[places[1]] = signs[places[1]], signs[places[0]]
    return "".join(signs)


def _put(drawn: str, sign: str, place: int, *, instead: bool) -> str:
    return drawn[:place] + sign + drawn[place + instead :]


def _plain_kind(text: str, answer: str) -> str:
    """The kind of the first fault, by the demands that the puzzle's text prints."""
    demands = {
        name: [int(number) for number in re.findall(r"\d+", said)]
        for name, said in re.findall("(.+): (.+)", text)
    }
    high, wide = demands["Map"]
    trimmed = re.sub(r"^\s+|\s+$", "", answer)
    rows = [re.sub(r"\s", "", row) for row in re.split("\n", trimmed)]
    if [wide] * high != [len(row) for row in rows]:
        return "shape"
    if not re.fullmatch("[.#oO]*" if "Trees in total" in demands else "[.#]*", "".join(rows)):
        return "tile"
    islands = _joined(rows)
    if demands["Islands"] != [len(islands)]:
        return "island_count"
    bounds = demands["Tiles per island"]  # one number where they are equal
    if any(len(island) not in range(bounds[0], bounds[-1] + 1) for island in islands):
        return "island_size"
    planted = [trees for island in islands if (trees := sum(rows[y][x] in "oO" for y, x in island))]
    if demands.get("Islands with trees", [0]) != [len(planted)]:
        return "tree_islands"
    return "" if demands.get("Trees in total", [0]) == [sum(planted)] else "tree_count"


def _joined(rows: list[str]) -> list[set[tuple[int, int]]]:
    """The islands: each land tile is one at first, and those of two neighbours become one."""
    island = {
        (y, x): {(y, x)} for y, row in enumerate(rows) for x, tile in enumerate(row) if tile != "."
    }
    for y, x in list(island):
        for beside in ((y, x + 1), (y + 1, x)):
            if beside in island and island[beside] is not island[y, x]:
                island[y, x] |= island[beside]
                island.update(dict.fromkeys(island[beside], island[y, x]))
    return list({id(tiles): tiles for tiles in island.values()}.values())


def _published(data: Path, level: int) -> dict[str, Islands]:
    def number(pattern: str, prompt: str) -> int:
        match = re.search(pattern, prompt)
        return int(match[1]) if match else 0

    patterns = (
        r"2D (\d+) x \d+ grid",
        r"exactly (\d+) islands\.",
        r"from (\d+) to \d+ tiles",
        r"from \d+ to (\d+) tiles",
        r"exactly (\d+) islands that have coconut trees",
        r"exactly (\d+) total coconut trees",
    )
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Islands_{level}.json")
        assert file is not None
        return {
            session: Islands(*(number(pattern, prompt) for pattern in patterns))
            for session, prompt in json.load(file).items()
        }


@pytest.mark.parametrize("level", [1, 2, 3])
def test_published_problems_are_solved(data: Path, level: int) -> None:
    """Every published problem has a solution that is accepted."""
    questions = _published(data, level)

    assert len(questions) == 1000
    assert all(
        Verdict(1.0) == question.check(question.solution()) for question in questions.values()
    )


def test_published_verdicts_differ_in_long_rows_only(data: Path) -> None:
    """The published checker overlooks tiles beyond the last column; all other verdicts are ours."""
    questions = {f"Islands_{level}": _published(data, level) for level in (1, 2, 3)}
    name, judged, long_rows = "results_chatgpt-4o-mini.zs.jsonl", 0, 0
    with tarfile.open(data / "textgames" / f"{name}.tgz") as archive:
        file = archive.extractfile(name)
        assert file is not None
        for line in file:
            if b'"Islands_' not in line:
                continue
            reply = json.loads(line)
            question = questions[reply["game"]][reply["session"]]
            verdict = question.check(reply["response"])
            judged += 1
            if reply["solved"] != (verdict.score == 1.0):
                rows = [row.replace(" ", "") for row in reply["response"].strip().split("\n")]
                long_rows += 1
                assert (True, "shape") == (reply["solved"], verdict.kind)
                assert all(len(row) >= question.size for row in rows)

    assert judged > 8000
    assert long_rows > 0
