"""Naming the instances of the papers' own seeds."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from quandary.api.listing import list_puzzles
from quandary.arena import run, suite
from quandary.catalogue import drawing, registry
from quandary.catalogue.published_seeds import published_instance, published_seeds
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import PUBLISHED
from quandary.core.contract import Game, Puzzle
from quandary.core.errors import UserError
from quandary.players.registry import PlayerRegistry
from quandary.puzzles.duels import card_nim

PAGE = Path(__file__).parent.parent.parent / "docs" / "published-seeds.md"
# One player or two, without luck and with: the numbers of seeds in the papers.
SEEDS = {
    **dict.fromkeys(("tidy_tower", "optimal_touring", "count_maximal_cocktails", "sudoku"), 10),
    **dict.fromkeys(("exclusivity_probes", "ruby_risks", "max_target"), 100),
    **dict.fromkeys(
        ("sudokill", "card_nim", "max_maximal_cocktails", "exclusivity_particles", "superply"), 5
    ),
    **dict.fromkeys(("beat_or_bomb_sto", "larger_target"), 50),
}
TWELVE_CARDS = {9, 11, 12, 17, 24, 25, 27, 38, 40, 41, 44, 50}


def _published(text: str) -> Puzzle:
    spec = Spec.parse(text)
    return published_instance(spec, registry.load(spec.name))


def test_a_published_seed_is_named_like_any_other() -> None:
    """Easy seed 3 of card nim has 27 stones and cards up to 18."""
    made = drawing.instance("card_nim/easy@published#3")

    assert card_nim.CardNim(27, (tuple(range(1, 19)),) * 2) == made
    assert made == _published("card_nim/easy@published#3")
    assert "card_nim/easy@published#3" == str(Spec.parse("card_nim/easy@published#3"))


def test_which_puzzles_have_published_seeds() -> None:
    """At easy and normal; the older paper's sudoku at easy only."""
    found = {name: dict(published_seeds(registry.load(name))) for name in registry.names()}

    assert {
        name: {"easy": count} if name == "sudoku" else {"easy": count, "normal": count}
        for name, count in SEEDS.items()
    } == {name: seeds for name, seeds in found.items() if seeds}


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_published_instance_can_be_played(name: str) -> None:
    """All but the deals of twelve cards, for which the released code crashed."""
    puzzle, refused = registry.load(name), set[tuple[str, int]]()
    seeds = dict(published_seeds(puzzle))
    if name == "ruby_risks":
        del seeds["normal"]  # these take minutes
    for level, seed in ((level, 1 + i) for level, count in seeds.items() for i in range(count)):
        try:
            made = published_instance(Spec(name, level, seed, split=PUBLISHED), puzzle)
        except UserError:
            refused.add((level, seed))
            continue

        assert type(made) is puzzle
        assert not isinstance(made, Game) or made.options()

    wanted = {("normal", seed) for seed in TWELVE_CARDS} if name == "beat_or_bomb_sto" else set()
    assert wanted == refused


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("islands/easy@published#1", "islands has no published seeds; .*tidy_tower"),
        ("expanding_nim/easy@published#1", "expanding_nim has no published seeds"),
        ("card_nim/hard@published#1", "card_nim/hard has no .* level easy or normal"),
        ("sudoku/normal@published#1", "sudoku/normal has no .* level easy"),
        ("card_nim/easy@published#0", "seeds 1 to 5, not 0"),
        ("card_nim/easy@published#6", "seeds 1 to 5, not 6"),
        ("ruby_risks/easy@published#101", "seeds 1 to 100, not 101"),
        ("tidy_tower/easy,variant=published@published#1", "leave variant out"),
        ("card_nim/easy,dealt=2,stones=9@published#1", "leave dealt and stones out"),
        ("beat_or_bomb_sto/normal@published#9", "published#9: .* 12 cards per hand"),
    ],
)
def test_what_is_not_published_is_refused(spec: str, why: str) -> None:
    """In one sentence."""
    with pytest.raises(UserError, match=why) as refusal:
        _published(spec)

    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


def test_only_puzzles_with_published_seeds_are_offered() -> None:
    """Other modules of the same package are not puzzles."""
    with pytest.raises(UserError) as refusal:
        _published("logic_grid/easy@published#1")
    offered, _, advice = str(refusal.value).partition("choose one of: ")[2].partition("; ")

    assert offered.split(", ") == sorted(SEEDS)
    assert "quandary import finereason" in advice


def test_a_class_from_elsewhere_has_no_published_seeds() -> None:
    """Even if it is called like a puzzle of this package."""

    class CardNim(card_nim.CardNim):
        @classmethod
        def new(cls, rng: Random, **level: object) -> CardNim:
            return cls(5, ((1, 2), (1, 2)))

    with pytest.raises(UserError, match="no published seeds"):
        published_instance(Spec.parse("card_nim/easy@published#3"), CardNim)


ENTRY = '[[puzzles]]\npuzzle = "{}"\nlevels = ["normal"]\nseeds = "{}"\nsplit = "published"\n'


def test_suites_name_published_seeds() -> None:
    """As any other split."""
    read = suite.read("s", ENTRY.format("card_nim", "1-2, 5"))

    assert [f"card_nim/normal@published#{seed}" for seed in (1, 2, 5)] == list(map(str, read.specs))


@pytest.mark.parametrize(
    ("name", "seeds", "why"),
    [("card_nim", "5-6", "not 6"), ("beat_or_bomb_sto", "8-10", "12 cards")],
)
def test_a_run_refuses_them_before_its_first_match(name: str, seeds: str, why: str) -> None:
    """Not in the middle, when it comes to that seed."""
    read = suite.read("s", ENTRY.format(name, seeds))

    with pytest.raises(UserError, match=why):
        run.validate(read, ["random"], PlayerRegistry())


def test_the_list_tells_published_seeds() -> None:
    """By level; most puzzles have none."""
    rows = {row["name"]: row["published_seeds"] for row in list_puzzles()}

    assert {"easy": 50, "normal": 50} == rows["larger_target"]
    assert {} == rows["islands"]


def test_the_page_lists_them() -> None:
    """Each puzzle with its levels and seeds."""
    rows = re.findall(r"^\| (\w+) \| ([\w, ]+) \| 1-(\d+) \|", PAGE.read_text("utf-8"), re.M)

    assert {name: published_seeds(registry.load(name)) for name in SEEDS} == {
        name: dict.fromkeys(levels.split(", "), int(last)) for name, levels, last in rows
    }
