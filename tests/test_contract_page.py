"""`docs/contract.md` names exactly what the contract has, and its examples keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from contract_signatures import public_names, signature_of
from quandary.catalogue import external, registry
from quandary.conformance import check
from quandary.core import contract
from quandary.core.contract import Game, InstanceCount, Question
from quandary.core.hook_names import GROUPS
from quandary.core.naming import name_of
from quandary.core.scene import COLOURS
from quandary.core.secrecy import hidden_fields
from quandary.core.worked import Worked
from quandary.players.prompts.wording import COLOUR_WORDS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "contract.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"`(\w+)\.py`, [\w ]+:\n\n```python\n(.*?)```", PAGE, re.S))
PAGES = {"A game": Game, "A question": Question, "A question with a worked answer": Worked}
MOST_LINES = 60  # of a page


def section(title: str) -> str:
    """The text below a heading, up to the next one of the same depth."""
    depth, rest = re.split(rf"^(#+) {title}\n", PAGE, flags=re.M)[1:]
    return re.split(rf"^#{{2,{len(depth)}}} ", rest, flags=re.M)[0]


def rows(text: str) -> Iterator[tuple[str, str]]:
    """The signatures in tables, with what is said of each."""
    for signature, words in re.findall(r"^\| `(.*?)` \| (.*) \|$", text, re.M):
        yield signature.replace("\\|", "|"), words


def part(title: str, heading: str) -> str:
    return re.split(r"^### ", section(title).partition(f"### {heading}\n")[2], flags=re.M)[0]


@pytest.mark.parametrize("title", PAGES)
def test_a_page_has_every_name_once(title: str) -> None:
    """With its signature where it has a row, and no other name."""
    cls, text = PAGES[title], section(title)
    signatures = [signature for signature, _ in rows(text)]
    named = [re.split(r"[(:]", one)[0] for one in signatures]
    listed = re.findall(r"`(\w+)`", part(title, "As of any question") + part(title, "Made from"))
    if cls is Worked:
        listed = re.findall(r"`(\w+)`", text.partition("### As of any question")[2])

    assert sorted(named + listed) == public_names(cls)
    assert signatures == [signature_of(cls, name) for name in named]


@pytest.mark.parametrize("title", PAGES)
def test_required_names_are_the_abstract_ones(title: str) -> None:
    """`new` of a worked question is made from `draw`."""
    named = {re.split(r"[(:]", one)[0] for one, _ in rows(part(title, "Required"))}
    made = {"new"} if title == "A question with a worked answer" else set[str]()

    assert PAGES[title].__abstractmethods__ == named | made


@pytest.mark.parametrize("title", PAGES)
def test_a_page_is_a_page(title: str) -> None:
    assert len(section(title).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("mixin", GROUPS)
def test_mixins_are_described_with_their_hooks(mixin: str) -> None:
    cls, kind = getattr(contract, mixin), getattr(contract, GROUPS[mixin][0])
    listed = dict(rows(section(mixin)))
    required = {signature for signature, words in listed.items() if words.endswith(" Required.")}
    abstract = cls.__abstractmethods__ - kind.__abstractmethods__

    assert listed.keys() == {signature_of(cls, name) for name in GROUPS[mixin][1]}
    assert required == {signature_of(cls, name) for name in abstract}


def test_every_other_name_is_explained_among_the_types() -> None:
    """What authors may import and is neither a kind of puzzle nor a mixin."""
    named = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section("Types"), re.M)
    found = [name for names in named for name in re.findall(r"\w+", names)]
    kinds = {"Puzzle", "Game", "Question", *GROUPS, "HiddenInformation"}

    assert sorted({*contract.__all__} - kinds) == sorted(found)
    assert len(section("Types").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", ["Ruled", "FailureCause", "Form", "Strongest"])
def test_the_values_of_a_type_are_listed(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \| (.*) \|$", section("Types"), re.M)

    assert [*get_args(getattr(contract, name))] == re.findall(r'`"(\w+)"`', row)


def test_the_colours_of_pictures_are_listed() -> None:
    """As models are told what they look like."""
    (line,) = re.findall(r"^- Fills, .*: (.*)\.$", section("Types"), re.M)
    listed = {name: words or name for name, words in re.findall(r"`(\w+)`(?: \((.*?)\))?", line)}

    assert COLOUR_WORDS["en"] == listed
    assert tuple(listed) == COLOURS


def test_authors_see_few_names() -> None:
    """What a game and a question have may grow into a mixin, not into the classes."""
    assert 35 >= len(public_names(Game))
    assert 25 >= len(public_names(Question))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_keep_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text(EXAMPLES[name], "utf-8")
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))

    assert [] == check(registry.load(name))


def importable() -> dict[str, set[str]]:
    """Module -> what authors may import from it, as docs/api.md says."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    found = re.findall(r"^\| `(quandary\.core\.\w+)` \| (.*) \|$", page, re.M)
    named = {module: set(re.findall(r"`(\w+)`", names)) for module, names in found}
    return {**named, "quandary.core.contract": {*contract.__all__}}


def test_what_authors_may_import_is_there() -> None:
    for module, names in importable().items():
        assert [] == [name for name in names if not hasattr(import_module(module), name)]


TEMPLATES = ROOT / "src" / "quandary" / "cli" / "templates"
AUTHORS_FILES = [*EXAMPLES.values(), *(path.read_text("utf-8") for path in TEMPLATES.iterdir())]


@pytest.mark.parametrize("text", AUTHORS_FILES)
def test_examples_and_templates_import_public_names_only(text: str) -> None:
    known = importable()
    for module, names in re.findall(r"^from (quandary\S+) import ([^(\n]+|\([^)]*\))", text, re.M):
        assert {*re.findall(r"\w+", names)} <= known[module]


@pytest.mark.parametrize(
    ("earlier", "now"), [("Few", InstanceCount), ("veils_of", hidden_fields), ("name_of", name_of)]
)
def test_earlier_imports_work_and_warn(earlier: str, now: object) -> None:
    with pytest.warns(DeprecationWarning, match=rf"{earlier} goes .*; import {now.__name__} from"):  # type: ignore[attr-defined]
        assert now is getattr(contract, earlier)
    with pytest.raises(AttributeError, match="no_such_name"):
        contract.no_such_name  # type: ignore[attr-defined]  # noqa: B018


def test_there_is_an_example_of_each_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in EXAMPLES.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))

    kinds = [registry.load(name) for name in EXAMPLES]
    assert [Game, Question, Worked] == [kind.__bases__[0] for kind in kinds]
