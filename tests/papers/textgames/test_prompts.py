"""Every published prompt becomes a position, and the position says all that the prompt says:
written back, they are the same.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quandary.core.contract import Question
from quandary.core.errors import UserError
from quandary.papers.textgames.archive import files
from quandary.papers.textgames.problems import load
from quandary.papers.textgames.prompts import COUNTED, LENGTHS, READERS, RUNS
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.puzzles.questions.words.bracket_game import BracketGame
from quandary.puzzles.questions.words.crossword_arranger import CrosswordArranger
from quandary.puzzles.questions.words.islands import Islands
from quandary.puzzles.questions.words.ordering_text import OrderingText
from quandary.puzzles.questions.words.ordering_text.solver import Scoring
from quandary.puzzles.questions.words.password_game import PasswordGame
from quandary.puzzles.questions.words.password_game.solver.demands import Demand
from quandary.puzzles.questions.words.string_search import StringSearch
from quandary.puzzles.questions.words.text_sudoku import TextSudoku

CLAUSE_WORDS = {
    "consonants_together": "has 2 consecutive consonants",
    "no_consonants_together": "does not have 2 consecutive consonants",
    "vowels_together": "has 2 consecutive vowels", "no_vowels_together": "does not have 2 "
                                                                         "consecutive vowels",
    "more_vowels": "has more vowels than consonants", "fewer_vowels": "has less vowels than "
                                                                      "consonants",
    "as_many_vowels": "has the same amount of vowels and consonants",
}  # fmt: skip


def constraints(question: Question) -> list[str]:
    """What a position demands, in the words of the published prompts."""
    match question:
        case AnagramScribble():
            once = "be used multiple times" if question.reuse else "only be used once"
            return [
                f"valid {question.length}-character",
                str(list(question.tiles)),
                f"Each character can {once}.",
            ]
        case Islands():
            size, trees = question.size, question.wooded or question.trees
            found = [f"2D {size} x {size} grid", f"exactly {question.islands} islands."]
            found.append(f"from {question.smallest} to {question.largest} tiles.")
            wood = [
                f"exactly {question.wooded} islands that have coconut",
                f"exactly {question.trees} total coconut",
            ]
            return found + (wood if trees else [])
        case BracketGame():
            rules = [f'- "{word}" is inside a {kind} bracket' for word, kind in question.inside]
            return [
                f"a text {question.letters} Your",
                *rules,
                f"depth must be {question.depth} and",
            ]
        case StringSearch():
            found = [f"string:\n{question.letters}\n", f"exactly {question.length} characters"]
            found += [
                f" - Contains {_listed(question.required)}\n",
                f" - Does not contain {_listed(question.forbidden)}\n",
            ]
            found += [f" - {CLAUSE_WORDS[clause]}\n" for clause in question.clauses]
            return found + [" - forms a palindrome\n"] * question.palindrome
        case CrosswordArranger():
            return [f"{question.size}x{question.size}", *(f"- {word}\n" for word in question.words)]
        case TextSudoku():
            side = len(question.symbols)
            rows = [question.cells[start : start + side] for start in range(0, side * side, side)]
            return [
                f"{side}x{side}",
                f"with {','.join(question.symbols)} as",
                "\n" + " ".join(rows),
            ]
        case PasswordGame():
            return [f"- the text has {_demand(demand)}" for demand in question.demands]
        case OrderingText():
            return [
                *(f"- {_scoring(rule)}" for rule in question.scoring),
                *(f"- {word}\n" for word in question.words),
            ]
    raise AssertionError(question)


def _listed(letters: str) -> str:
    return ", ".join(letters[:-1]) + (" and " if len(letters) > 1 else "") + letters[-1]


def _demand(demand: Demand) -> str:
    names = {kind: words for words, kind in COUNTED.items()}
    match demand.kind:
        case "contains":
            return f'"{demand.text}" string'
        case "capital_of":
            return f"the capital city of {demand.text}"
        case "continent_of":
            return f"the continent of {demand.text}"
        case "expression" | "spoken_expression":
            return f"a number that equals to {demand.text}"
        case "letter":
            return f"{demand.number} '{demand.text}' character"
        case "length":
            return f"only {demand.number} characters"
    return f"{demand.number} {names[demand.kind]}"


def _scoring(rule: Scoring) -> str:
    points = f"{rule.points} point{'s' if rule.points > 1 else ''}"
    if rule.kind == "infix":
        exactly = "" if rule.times is None else f"exactly {rule.times} "
        return f"add {points} if there exists {exactly}'{rule.part}' in the word"
    if rule.kind == "consecutive":
        return (
            f"every {next(words for words, run in RUNS.items() if run == rule.pattern)} gets "
            f"{points}"
        )
    if rule.kind == "affix":
        parts = [f"starts with {rule.prefix}"] * bool(rule.prefix) + [
            f"ends with {rule.suffix}"
        ] * bool(rule.suffix)
        return f"word {' and '.join(parts)} gets {points}"
    bounds = {
        name: f"{words} {getattr(rule, name)} characters"
        for words, name in LENGTHS.items()
        if getattr(rule, name) is not None
    }
    if "equal" in bounds:
        return f"word that has {bounds['equal']} gets {points}"
    between = " and ".join(bounds[name] for name in ("longer", "shorter") if name in bounds)
    joined = " but ".join(part for part in (between, bounds.get("different", "")) if part)
    return f"word {joined} gets {points}"


def test_all_prompts_say_what_their_positions_say(data: Path) -> None:
    """24,000 of them: every demand stands in the prompt, in its order, and nothing else with a
    number, a bullet or a quote does.
    """
    prompts = {
        (
            READERS[Path(path).stem.rpartition("_")[0]][0],
            Path(path).stem[-1],
            session,
        ): prompt.rstrip("\n") + "\n"
        for path, text in files(data / "textgames", "problemsets", ".json")
        for session, prompt in json.loads(text).items()
    }
    problems = list(load(data / "textgames"))

    assert 24_000 == len(problems) == len(prompts)
    for problem in problems:
        prompt = prompts[
            problem.game, str(("easy", "medium", "hard").index(problem.level) + 1), problem.session
        ]
        for demand in constraints(problem.question):
            assert prompt.count(demand) >= 1, (demand, prompt)
        bullets = re.findall(r"^ ?- .*$", prompt, re.MULTILINE)
        said = "\n".join(constraints(problem.question))
        if not isinstance(problem.question, Islands):
            assert all(bullet.strip() in said for bullet in bullets), prompt


@pytest.mark.parametrize("title", READERS)
def test_what_is_not_understood_is_refused(tmp_path: Path, data: Path, title: str) -> None:
    """A prompt with one line changed is no problem of ours."""
    (path, text) = next(
        (path, text)
        for path, text in files(data / "textgames", "problemsets", ".json")
        if title in path
    )
    prompt = json.loads(text)["session_0000"]
    folder = tmp_path / "problemsets"
    folder.mkdir()
    for broken in (prompt.replace("the", "thy"), "", prompt + "\nAnd use only prime numbers."):
        (folder / Path(path).name).write_text(json.dumps({"session_0000": broken}))

        with pytest.raises(UserError, match="is not understood"):
            list(load(tmp_path))
