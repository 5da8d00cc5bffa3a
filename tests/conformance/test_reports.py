"""How broken puzzles are reported: each fault once, with where it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from broken_puzzles import Sound, SoundQuestion
from quandary.catalogue import external, registry
from quandary.cli.main import main
from quandary.conformance import Violation, check, distinct, violations
from quandary.core.contract import Language, Seat, Verdict


class Raises(Sound):
    """Fails wherever its text is asked for."""

    levels = {level: {} for level in ("easy", "normal", "hard")}

    def text(self, seat: Seat, language: Language = "en") -> str:
        return _shown(self.stones)


def _shown(stones: int) -> str:
    return {}[stones]  # type: ignore[no-any-return]


def test_one_fault_is_reported_once() -> None:
    """An exception that fails many checks at every level is one violation with many places."""
    found = [each for each in check(Raises) if "KeyError" in each.sentence]

    assert len(found) == 1
    assert found[0].places > 3 * 4
    assert f"; {found[0].places} places in all)" in str(found[0])


def test_an_exception_is_located_in_the_puzzle_s_own_file() -> None:
    """Even if it was raised deep in a library, the line of the puzzle's file is named."""

    class Deep(SoundQuestion):
        def check(self, answer: str, language: Language = "en") -> Verdict:
            return json.loads("{")  # type: ignore[no-any-return]

    line = Deep.check.__code__.co_firstlineno + 1
    sentences = [each.sentence for each in check(Deep)]

    assert any(f"(in check, test_reports.py:{line})" in sentence for sentence in sentences)
    assert not any("decoder.py" in sentence for sentence in sentences)


class FailsLate(Sound):
    """Fails on some instances only."""

    @property
    def fails(self) -> bool:
        return self.stones == _stones(2)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "" if self.fails else super().text(seat, language)


def _stones(seed: int) -> int:
    return Sound.new(Random(f"fails_late/only#{seed}")).stones


def test_the_first_instance_that_fails_is_named() -> None:
    """The spec can be given to `quandary show`."""
    [found] = [each for each in check(FailsLate) if "is empty" in each.sentence]

    assert found.spec == "fails_late/only#2"
    assert str(found).startswith("fails_late/only#2: `text` of seat 0 is empty (positions have")


def test_details_do_not_make_a_fault_distinct() -> None:
    """Numbers and quoted texts differ from place to place; lines and checks tell faults apart."""
    made = [
        Violation("nim", level, "promise", sentence, f"nim/{level}#0")
        for level, sentence in (
            ("easy", "the option '3' of 12 is refused"),
            ("hard", "the option '14' of 7 is refused"),
            ("easy", "it raised KeyError: 3 (in text, nim.py:12)"),
            ("easy", "it raised KeyError: 4 (in text, nim.py:12)"),
            ("easy", "it raised KeyError: 4 (in text, nim.py:13)"),
        )
    ]

    assert [(each.sentence, each.places) for each in distinct(made)] == [
        ("the option '3' of 12 is refused", 2),
        ("it raised KeyError: 3 (in text, nim.py:12)", 2),
        ("it raised KeyError: 4 (in text, nim.py:13)", 1),
    ]


def test_all_violations_can_be_had() -> None:
    """Each level and check that fails."""
    assert len(list(violations(Raises))) == sum(each.places for each in check(Raises))


Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes the puzzle `pebbles` with a change, and makes it known."""

    def write(old: str, new: str) -> str:
        template = files("quandary.cli").joinpath("templates", "duel.py.txt").read_text("utf-8")
        sound = template.format(title="Pebbles", class_name="Pebbles")
        assert old in sound
        (tmp_path / "pebbles.py").write_text(sound.replace(old, new), "utf-8")
        monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "caches"))
        monkeypatch.setenv(external.VARIABLE, str(tmp_path))
        return sound.replace(old, new)

    return write


@pytest.mark.parametrize(
    ("phrase", "refused"),
    [
        ('say(f"{self.stones} stones.")', True),
        ('say("{n} stones.".format(n=self.stones))', True),
        ('say("{n} " + "stones.", n=self.stones)', True),
        ('say("{n} stones.", n=self.stones)', False),
    ],
)
def test_phrases_of_english_puzzles_are_literals_too(
    write: Write, phrase: str, refused: bool
) -> None:
    """A phrase that is put together can never be translated, and is refused from the start."""
    source = write('say("Stones: {count}", count=self.stones)', phrase)
    line = source[: source.index(phrase)].count("\n") + 1
    wrong = f"pebbles.py: line {line}: say() needs one literal string"

    assert [each.sentence.partition(",")[0] for each in check(registry.load("pebbles"))] == (
        [wrong] if refused else []
    )


def test_the_command_reports_each_fault_once(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for one fault, with its first instance and its line in the file."""
    source = write("count=self.stones", "count=self.pile").splitlines()
    wrong = [number for number, line in enumerate(source, start=1) if "self.pile" in line]
    code = main(["check", "pebbles"])
    lines = capsys.readouterr().out.splitlines()
    raised = (
        r"pebbles/easy#0: it raised AttributeError: .*\(in \w+, pebbles.py:(\d+)\) \(.* in all\)"
    )

    assert code == 1
    assert [int(re.sub(raised, r"\1", line)) for line in lines] == wrong  # the text, the picture

    main(["check", "pebbles", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["spec"] for row in rows] == ["pebbles/easy#0"] * 2
    assert all(row["places"] > 1 for row in rows)
