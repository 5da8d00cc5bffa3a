"""The published TextGames problems and replies: imported, graded as they were, and graded by our
rules.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import normalize

import pytest

from quandary.arena.store import RECORDS, read
from quandary.arena.suite import averages
from quandary.matches.record import replay
from quandary.papers.imports import problems_of
from quandary.papers.regrading import graded
from quandary.papers.textgames import defects, grading, replies
from quandary.papers.textgames.imported import bring, sessions_of
from quandary.scoring.regrade import ChangedVerdict, Regraded
from quandary.scoring.solve_rates import average_rates

LEVELS = ("easy", "medium", "hard")
LLAMA, GPT = "llama-3.1-8b-instruct.1s", "chatgpt-4o-mini.zs"
THREE_TURNS = {  # tables 10 to 17: percent solved within 1, 2 and 3 turns, easy, medium and hard
    "anagram_scribble": (73.4, 80.0, 82.6, 23.4, 29.0, 32.0, 1.1, 1.7, 2.3),
    "password_game": (29.1, 42.6, 50.5, 9.6, 15.2, 19.0, 2.5, 4.5, 5.5),
    "bracket_game": (27.4, 40.3, 46.9, 3.8, 9.5, 12.2, 0.0, 0.5, 0.7),
    "string_search": (33.5, 46.5, 54.2, 8.1, 11.1, 12.2, 1.4, 1.8, 1.9),
    "crossword_arranger": (2.2, 3.7, 5.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "text_sudoku": (0.1, 0.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "islands": (3.5, 5.9, 6.4, 2.7, 3.3, 3.4, 0.1, 0.1, 0.1),
    "ordering_text": (20.4, 41.0, 71.0, 2.8, 4.8, 11.5, 0.5, 1.2, 2.8),
}
ZERO_SHOT = {  # tables 8 and 9: percent solved in one turn, easy, medium and hard
    "anagram_scribble": (79.9, 26.7, 5.7),
    "password_game": (46.9, 18.9, 6.5),
    "bracket_game": (26.6, 7.2, 0.0),
    "string_search": (39.8, 28.1, 7.6),
    "crossword_arranger": (14.0, 4.6, 0.1),
    "text_sudoku": (1.1, 0.2, 0.0),
    "islands": (31.8, 5.2, 0.8),
    "ordering_text": (22.6, 2.5, 1.0),
}
# table 3: percent solved within 1, 2 and 3 turns, easy, medium and hard, over four games
AVERAGES = {
    ("anagram_scribble", "password_game", "bracket_game", "string_search"): (
        40.8, 52.4, 58.6, 11.2, 16.2, 18.9, 1.2, 2.1, 2.6,
    ),
    ("crossword_arranger", "text_sudoku", "islands", "ordering_text"): (
        6.6, 12.7, 20.7, 1.4, 2.0, 3.7, 0.1, 0.3, 0.7,
    ),
}  # fmt: skip


SAMPLE = 5  # `make test` imports one in so many sessions
REPLIES = {SAMPLE: 25_753, 1: 128_467}  # in these sessions, and in all
sampled = pytest.mark.parametrize(
    "imported", [SAMPLE, pytest.param(1, marks=pytest.mark.heavy)], indirect=True
)
whole = pytest.mark.parametrize(
    "imported", [pytest.param(1, marks=pytest.mark.heavy)], indirect=True
)


@pytest.fixture(scope="module")
def imported(
    request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The published problems, with all sessions or one in so many."""

    def load(source: Path) -> replies.Replies:
        sessions, skipped = replies.load(source)
        return replies.Replies(sessions[:: request.param], skipped)

    folder = tmp_path_factory.mktemp("textgames") / "run"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("quandary.papers.textgames.imported.load_replies", load)
        brought = bring(data / "textgames", folder)

    assert (24_000, REPLIES[request.param], []) == brought
    return folder


@pytest.fixture(scope="module")
def as_published(imported: Path) -> Regraded:
    return graded(imported, "published")[0]


def _percent(found: Regraded, player: str) -> dict[tuple[str, str], list[float]]:
    return {
        (puzzle, level): [100 * rate for rate in rates]
        for who, puzzle, level, _, rates in found.rates()
        if who == player
    }


@sampled
def test_every_published_verdict_is_reproduced(imported: Path, as_published: Regraded) -> None:
    """All 128,467 replies; those of the sample in `make test`."""
    assert as_published.answers == sum(len(session.replies) for session in sessions_of(imported))
    assert [] == as_published.changes


@whole
@pytest.mark.parametrize("puzzle", THREE_TURNS)
def test_tables_6_7_and_10_to_17(as_published: Regraded, puzzle: str) -> None:
    """The one-shot file, to the printed digit."""
    rates = _percent(as_published, LLAMA)

    assert THREE_TURNS[puzzle] == tuple(
        round(rate, 1) for level in LEVELS for rate in rates[puzzle, level]
    )


@whole
@pytest.mark.parametrize("puzzle", ZERO_SHOT)
def test_tables_8_and_9(as_published: Regraded, puzzle: str) -> None:
    """The zero-shot file, to the printed digit."""
    rates = _percent(as_published, GPT)

    assert ZERO_SHOT[puzzle] == tuple(round(rates[puzzle, level][0], 1) for level in LEVELS)


@whole
@pytest.mark.parametrize("games", AVERAGES, ids=["1D", "2D"])
def test_averages_over_four_games(as_published: Regraded, games: tuple[str, ...]) -> None:
    """What the main table prints of the one-shot file, within its rounding."""
    means = {
        (frozenset(mean.puzzles), mean.level): [100 * share for share in mean.solved_within]
        for mean in average_rates(as_published.rates(), averages("textgames"))
        if mean.player == LLAMA
    }
    found = [share for level in LEVELS for share in means[frozenset(games), level]]

    assert list(AVERAGES[games]) == pytest.approx(found, abs=0.0501)


@sampled
def test_every_strict_verdict_that_differs_belongs_to_a_defect(imported: Path) -> None:
    """Nothing is flipped for a reason that is not on the list."""
    found, cause = graded(imported, "strict")
    causes = Counter(cause(change) for change in found.changes)

    assert found.changes
    assert 0 == causes[defects.UNEXPLAINED]


@pytest.mark.parametrize(
    ("imported", "step"),
    [(SAMPLE, 28), pytest.param(1, 7, marks=pytest.mark.heavy)],
    indirect=["imported"],
)
def test_spoilt_answers_differ_for_known_causes_only(imported: Path, step: int) -> None:
    """Odd blanks, capitals, look-alikes, accents and marks in right answers: the graders may
    differ, but not unexplained.
    """
    known, rng, seen = grading.lists(imported), Random(1), Counter[str]()
    for problem in list(problems_of(imported).values())[::step]:
        try:
            right = problem.question.solution()
        except ValueError:
            continue
        for _ in range(8):
            answer = _spoilt(right, rng)
            verdict, was = (
                problem.question.check(answer),
                grading.solved(problem.question, answer, known),
            )
            if (verdict.score >= 1.0) is not was:
                change = ChangedVerdict(
                    "",
                    problem.game,
                    problem.level,
                    problem.name,
                    1,
                    was,
                    not was,
                    verdict.kind,
                    answer,
                )
                seen[problem.game] += 1
                assert defects.UNEXPLAINED != defects.cause(change), change

    assert len(seen) >= 7


def _spoilt(right: str, rng: Random) -> str:
    """A right answer after one or two changes, most of them small."""
    answer, place = right, rng.randrange(len(right) + 1)
    for _ in range(rng.randint(1, 2)):
        sign = rng.choice(
            [
                " ",
                "\t",
                "\n",
                "\u00a0",
                "\u2028",
                "\u0301",
                "\u0307",
                "'",
                "-",
                ",",
                ".",
                "#",
                "o",
                "[]",
                "(",
                ")",
                "1",
            ]
        )
        answer = rng.choice(
            [
                answer.upper(),
                answer.lower(),
                answer.title(),
                answer.replace("k", "\u212a"),
                answer.replace("K", "\u212a"),
                answer.replace("i", "\u0130"),
                answer.replace("s", "\u017f"),
                normalize("NFD", answer),
                answer.replace("\n", sign),
                sign + answer,
                answer + sign,
                answer[:place] + sign + answer[place:],
                answer[:place] + sign + answer[place + 1 :],
                sign.join(answer),
                f"{answer}\n{right}",
                f"`{answer}`",
            ]
        )
    return answer


@sampled
def test_problems_and_records_can_be_used_like_our_own(imported: Path) -> None:
    """Published problems have solutions our checkers accept, and imported matches replay."""
    problems = list(problems_of(imported).values())
    for problem in problems[::97]:
        try:
            solution = problem.question.solution()
        except ValueError:
            assert problem.game in (
                "password_game",
                "anagram_scribble",
            )  # no password, or no word, that is right
            continue
        assert 1.0 == problem.question.check(solution).score
    for number, record in enumerate(read(imported / RECORDS)):
        if number % 499 == 0:
            replay(record)


@pytest.fixture(scope="module")
def paper_tables(as_published: Regraded) -> dict[str, Any]:
    """The tables of the paper's module, from one row per question of the published replies."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report]'")
    from quandary.papers.textgames import scores as textgames

    results, numbers = as_published.results, range(len(as_published.results))
    columns = {
        "player": [result.player for result in results],
        "puzzle": [result.puzzle for result in results],
        "level": [result.level for result in results],
        "instance": [str(number) for number in numbers],
        "match": list(numbers),
        "tries": [3 if result.player == LLAMA else 1 for result in results],
        "solved_on_turn": pa.array([result.solved_on_turn for result in results], pa.int64()),
        "score": [float(result.solved_on_turn is not None) for result in results],
    }
    same = {"run": "here", "task": "", "split": "test", "turns": 1, "seconds": 0.0}
    same |= {"modality": "text", "shots": 0}
    seats = pa.table(columns | {name: [value] * len(results) for name, value in same.items()})
    assert set(seats.column_names) == set(textgames.COLUMNS)
    return {table.key: table for table in textgames.tables(seats)}


@whole
def test_the_module_of_the_paper_prints_its_tables(paper_tables: dict[str, Any]) -> None:
    """Tables 6 to 17 and the averages of tables 3 and 4 from the table of seats, to the digit."""
    rates = {(row[0], row[2], row[3]): row for row in paper_tables["textgames_solve_rates"].rows}
    for puzzle, shares in THREE_TURNS.items():
        found = [cell for level in LEVELS for cell in rates[LLAMA, puzzle, level][5:8]]
        assert tuple(round(100 * cell.value, 1) for cell in found) == shares
    for puzzle, shares in ZERO_SHOT.items():
        firsts = [rates[GPT, puzzle, level][5] for level in LEVELS]
        assert tuple(round(100 * cell.value, 1) for cell in firsts) == shares
    means = {(row[0], row[2], row[3]): row for row in paper_tables["textgames_averages"].rows}
    for games, printed in zip(averages("textgames"), AVERAGES.values(), strict=True):
        found = [cell for level in LEVELS for cell in means[LLAMA, games, level][5:8]]
        assert [100 * cell.value for cell in found] == pytest.approx(list(printed), abs=0.0501)
        assert all(cell.low <= cell.value <= cell.high for cell in found)
