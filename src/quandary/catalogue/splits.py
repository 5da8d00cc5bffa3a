"""Splits: instances for training, and instances that are kept for testing.

An instance belongs to a split by a hash of its puzzle's name and its canonical form, so instances
that a player would call the same are always in the same split, at every level and in every
process.  Two kinds of instances always belong to test: published ones, and those of levels with
so few instances that they cannot be divided.  Their hashes stand in a file of this package; see
`tools/renew_test_hashes.py`.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from functools import cache
from hashlib import blake2b
from importlib.resources import files

import msgspec

from quandary.core.contract import InstanceCount, Puzzle
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of, family_of
from quandary.core.naming import name_of
from quandary.core.wrapper import innermost, split_by

from .spec import Spec

TRAIN, DEV, TEST, PUBLISHED = "train", "dev", "test", "published"
# Of 2**64 hashes, one half belongs to test, two fifths to train and one tenth to dev.
FIRST_OF_TRAIN, FIRST_OF_DEV = 2**63, 2**63 + 2**64 * 2 // 5
FEWEST = 200  # instances of a level that is divided; below, all of them belong to test
encode = msgspec.json.Encoder(order="deterministic").encode
HASHES = "test_hashes.bin"  # sorted numbers of 8 bytes, the highest byte first


def split_of(puzzle: Puzzle) -> str:
    """Return the split that an instance or a position belongs to by its canonical form."""
    number = canonical_hash(puzzle)
    if number < FIRST_OF_TRAIN or _is_always_test(number):
        return TEST
    return TRAIN if number < FIRST_OF_DEV else DEV


def belongs(puzzle: Puzzle, split: str, level: str) -> bool:
    """Return whether an instance of a level belongs to a split, with every position that it asks
    about.
    """
    if is_test_only(type(innermost(puzzle)), level, family_of(puzzle)):
        return split in (TEST, PUBLISHED)
    wanted = TEST if split == PUBLISHED else split
    return all(split_of(part) == wanted for part in split_by(puzzle))


@cache
def is_test_only(puzzle: type[Puzzle], level: str, family: str = "") -> bool:
    """Return whether a level, or one family of it, has too few instances to be divided.

    So has a level if each of its families has, however many they have together.
    """
    keys = (level, f"{level},family={family}") if family else (level,)
    if any(
        has_few(puzzle.distinct_instances[key]) for key in keys if key in puzzle.distinct_instances
    ):
        return True
    families = () if family else families_of(puzzle)
    return bool(families) and all(is_test_only(puzzle, level, one) for one in families)


def has_few(few: InstanceCount) -> bool:
    """Return whether too few instances are left to divide beside the published ones."""
    return few.instances - few.published < FEWEST


def check_split(spec: Spec, puzzle: type[Puzzle]) -> None:
    """Refuse train and dev where all instances belong to test."""
    if spec.split in (TEST, PUBLISHED):
        return
    family = dict(spec.changes).get("family", "")
    if not is_test_only(puzzle, spec.level, family):
        return
    keys = [
        key
        for key in (f"{spec.level},family={family}", spec.level)
        if key in puzzle.distinct_instances and has_few(puzzle.distinct_instances[key])
    ]
    if keys:
        few = puzzle.distinct_instances[keys[0]]
        published = f", {few.published} of them published" if few.published else ""
        which, count = f"{spec.name}/{keys[0]}", f" ({few.instances}{published})"
    else:
        which, count = f"each family of {spec.name}/{spec.level}", ""
    raise UserError(
        f"{which} has too few distinct instances to be divided{count}, so all of them belong to "
        f"test; leave @{spec.split} out, or choose another level."
    )


def canonical_hash(puzzle: Puzzle) -> int:
    """Return a number of 64 bits that follows from the puzzle's name and its canonical form alone.

    The name is that of the puzzle in the spec, however it is asked.
    """
    form = encode(puzzle.canonical())
    named = name_of(type(innermost(puzzle))).encode() + b"\n" + form
    return int.from_bytes(blake2b(named, digest_size=8).digest(), "big")


def _is_always_test(number: int) -> bool:
    hashes = _test_hashes()
    place = bisect_left(hashes, number)
    return place < len(hashes) and hashes[place] == number


@cache
def _test_hashes() -> array[int]:
    hashes = array("Q", files("quandary.catalogue").joinpath(HASHES).read_bytes())
    if sys.byteorder == "little":
        hashes.byteswap()
    return hashes
