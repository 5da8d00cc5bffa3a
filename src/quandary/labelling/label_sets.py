"""Sets of labels for people: the papers' error taxonomies, and one's own."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import msgspec

from quandary.catalogue.papers import papers
from quandary.core.errors import UserError, unknown

NO_ERROR = "none"


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One label."""

    name: str
    meaning: str
    published: float | None = None  # its share of the errors in the paper


class LabelSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Labels of which a transcript gets one; `none` is always among them."""

    title: str
    labels: tuple[Label, ...]
    source: str = ""
    none: str = "no error"

    @property
    def names(self) -> list[str]:
        return [*(label.name for label in self.labels), NO_ERROR]


def built_in() -> dict[str, LabelSet]:
    """Return the papers' sets, by name."""
    found = dict[str, LabelSet]()
    for paper in papers():
        if paper.labels:
            text = files(paper.package).joinpath(paper.labels).read_text("utf-8")
            found |= _read(f"the sets of {paper.title}", text)
    return found


def label_sets(wanted: list[str]) -> dict[str, LabelSet]:
    """Return the named sets; a name may also be a TOML file with sets of one's own."""
    known, found = built_in(), dict[str, LabelSet]()
    for name in wanted:
        if name in known:
            found[name] = known[name]
        elif Path(name).suffix == ".toml":
            found |= _of_file(Path(name))
        else:
            raise unknown("set of labels", name, known)
    return found


def _of_file(path: Path) -> dict[str, LabelSet]:
    try:
        return _read(f"the file {path}", path.read_text("utf-8"))
    except (OSError, UnicodeError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else reason
        raise UserError(f"the sets of labels {path} cannot be read: {why}.") from None


def _read(what: str, text: str) -> dict[str, LabelSet]:
    try:
        found = msgspec.convert(tomllib.loads(text), dict[str, LabelSet])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as reason:
        raise UserError(
            f"{what} cannot be read as sets of labels ({reason}); write [NAME] with a title, and "
            f"[[NAME.labels]] with name and meaning."
        ) from None
    for name, one in found.items():
        if not one.labels or len(set(one.names)) < len(one.names):
            raise UserError(f"the set {name} of {what} needs one or more labels, all different.")
    return found
