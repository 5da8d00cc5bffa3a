"""The types of the parts of a manifest; every part may be missing, and others may be there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, convert, field

from quandary.players.prompts.settings import Modality, Prompting

from .schedule import Kind

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class SuiteSettings(Struct):
    """The settings of a run's suite: see `quandary.arena.suite.Suite`."""

    name: str = ""
    title: str = ""
    attempts: Positive = 1
    tries: Positive = 1
    count_unreadable: bool = False
    language: str = ""
    repeats: Positive = 1
    shots: Natural = 0
    prompting: Prompting = "steps"
    system: str | None = None
    clock: float | None = None
    decoding: dict[str, Any] = {}
    setting: str = ""
    modality: Modality | Literal[""] | None = None  # earlier versions wrote "" for None


class ManifestTypes(Struct, rename={"paper": "import"}):
    """The manifest of a run or an import."""

    quandary: str = ""
    suite: SuiteSettings = field(default_factory=SuiteSettings)
    schedule: Kind = "alone"
    specs: list[str] = []
    players: list[str] = []
    versions: dict[str, int] = {}
    pictures: list[str] = []
    hashes: dict[str, str] = {}
    programs: dict[str, dict[str, str]] = {}
    sandbox: list[str] = []
    libraries: dict[str, str] = {}
    programs_per_pair: Natural = 0
    repairs: Natural = 0
    averages: dict[str, list[str]] = {}
    imported: str = ""
    languages: dict[str, str] = {}
    files: dict[str, str] = {}
    servers: dict[str, list[str]] = {}
    paper: str = ""


def check_types(manifest: dict[str, Any]) -> None:
    """Raise msgspec.ValidationError if a part is not of its type."""
    convert(manifest, ManifestTypes)
