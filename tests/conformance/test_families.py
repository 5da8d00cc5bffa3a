"""Promises about families, beyond those that the broken puzzles show to be checked."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from broken_puzzles import OneFamilyIsSmall, SeedIgnored, SoundFamilies
from quandary.conformance import check
from quandary.core.contract import InstanceCount


@dataclass(frozen=True)
class SmallFamilySaysSo(OneFamilyIsSmall):
    """One instance in one family, every second of the level, as `distinct_instances` says."""

    distinct_instances = {
        "only": InstanceCount(23_334, "every second instance is the same"),
        "only,family=treble": InstanceCount(1, "the same number"),
    }


@dataclass(frozen=True)
class OnlyTheFamilySaysSo(OneFamilyIsSmall):
    """The level as a whole has many equal instances too, and does not say so."""

    distinct_instances = {"only,family=treble": InstanceCount(1, "the same number")}


@dataclass(frozen=True)
class OnlyTheLevelSaysSo(OneFamilyIsSmall):
    """The family itself does not say that it is small."""

    distinct_instances = {"only": InstanceCount(23_334, "every second instance is the same")}


@dataclass(frozen=True)
class SmallLevel(SeedIgnored):
    """A puzzle without families whose level says that it is small."""

    distinct_instances = {"only": InstanceCount(1, "always 50 stones")}


def test_each_key_of_small_speaks_for_itself() -> None:
    """A level is small if its own key is there, and a family if its own key is there."""
    level = ["neighbours_differ", "instances_are_distinct"]
    family = ["neighbours_of_a_family_differ", "instances_are_distinct"]
    promises = {
        puzzle: [fault.promise for fault in check(puzzle)]
        for puzzle in (SmallFamilySaysSo, OnlyTheFamilySaysSo, OnlyTheLevelSaysSo, SmallLevel)
    }

    assert promises == {
        SmallFamilySaysSo: [],
        OnlyTheFamilySaysSo: level,
        OnlyTheLevelSaysSo: family,
        SmallLevel: [],
    }


def test_families_are_drawn_with_the_same_chance() -> None:
    """About half of many instances are of either family."""
    drawn = [SoundFamilies.new(Random(seed)).family for seed in range(1_000)]

    assert 450 < drawn.count("double") < 550
    assert set(drawn) == set(SoundFamilies.families)
