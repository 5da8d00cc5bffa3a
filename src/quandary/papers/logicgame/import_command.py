"""`quandary import logicgame`, and how its problems are asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quandary.arena import suite
from quandary.arena.suite import Suite
from quandary.papers.imports import PROBLEMS, ImportResult
from quandary.report.tables import counted, table

from . import imported
from .defects import DIFFERENT
from .imported import Compared, Imported
from .summary import FamilyCounts, family_counts, left_out, totals

KEYS = PROBLEMS  # a submission lists all items in their order

HEAD = (
    *("category", "family", "en items", "en read", "en left out"),
    *("zh items", "zh read", "zh left out"),
)


def settings() -> Suite:
    return suite.load("logicgame")


def bring(source: Path, out: Path, tell: Callable[[int, int], None]) -> ImportResult:
    found = imported.bring(source, out)
    problems = list(found.problems)
    keyed = sum(problem.is_scored for problem in problems)
    return ImportResult(
        [
            f"{file} has {counted(items, 'item')}; the published file has {published}."
            for file, items, published in found.other_counts
        ],
        f"{summary(found)}\n\n{counted(len(problems), 'problem')} are in {out}, {keyed} of them "
        f"with a key; play them with: quandary run --problems {out} --wording published --player "
        f"PLAYER --out DIR",
    )


def summary(found: Imported) -> str:
    """Return what was read and left out, how the languages differ, and the references."""
    counts = family_counts(found.pairs)
    rows = [*counts, *(totals(counts, execution=execution) for execution in (True, False))]
    parts = [
        table(HEAD, [_row(each) for each in rows]),
        *_left_out(found),
        *_pairs(found),
        *_references(found.references),
    ]
    return "\n".join(parts)


def _row(counts: FamilyCounts) -> tuple[str | int, ...]:
    english, chinese = zip(counts.items, counts.read, counts.left_out, strict=True)
    return counts.category, counts.family, *english, *chinese


def _left_out(found: Imported) -> list[str]:
    rows = [
        (each.category, each.family, len(each.items), ", ".join(each.items), each.why)
        for each in left_out(found.pairs)
    ]
    head = ("category", "family", "n", "items", "left out, because")
    return ["", table(head, rows)] if rows else []


def _pairs(found: Imported) -> list[str]:
    read = [pair for pair in found.pairs if pair.en.question and pair.zh.question]
    differing = [pair for pair in read if pair.differs]
    differences = [
        f"en {one.en.item.number} ({DIFFERENT[one.en.item.number]})" for one in differing
    ]
    pairs = f"{counted(len(read), 'pair')} of items read in both languages"
    end = f"; these differ, as is known: {'; '.join(differences)}" if differences else ", all alike"
    return ["", f"{pairs}{end}."]


def _references(references: list[Compared]) -> list[str]:
    read = [one for one in references if one.key is not None]
    differing = [one for one in read if not one.agrees]
    total = counted(len(references), "published reference")
    agree, left = len(read) - len(differing), len(references) - len(read)
    counts = f"{agree} agree with our keys, {len(differing)} differ, {left} are of items left out"
    return [f"{total}: {counts}.", *map(_difference, differing)]


def _difference(one: Compared) -> str:
    known = f" (known: {one.defect})" if one.defect else ""
    return f"{one.item.qid}{known}: published {one.item.reference}, ours {one.key}"
