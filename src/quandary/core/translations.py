"""Translation files, and the check that they are complete.

The Chinese translations of the phrases in `card_nim.py` are in `card_nim.zh.toml` beside it:

    [[phrase]]
    en = "{count} {count:stone|stones} left"    # exactly as it stands in the code
    zh = "还剩 {count} 颗石子"

    [labels]                                    # optional: names of move fields and words in moves
    row = ["行"]
    compete = ["竞争", "比大小"]                 # the first one is displayed, all of them are read

A package has one file for all of its modules: `logic_grid/logic_grid.zh.toml` translates the
phrases of `logic_grid/__init__.py` and of every other module in that folder.

Braces hold the name of a value, or a name and the two forms of a word: `{count:stone|stones}`.
Nothing else can be written in braces, so a translation cannot compute anything.
A text that contains braces itself is given as a value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LIST_SEPARATORS: Mapping[str, str] = {"en": ", ", "zh": "、"}  # one entry per known language
LANGUAGES = " or ".join(LIST_SEPARATORS)  # for help texts
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)(?::([^{}|]*)\|([^{}|]*))?\}", re.ASCII)
LANGUAGE_CODE = re.compile(r"[a-z]{2}")  # as in the package data of pyproject.toml
ENGLISH_WORD = re.compile(r"[A-Za-z]{2,}")
WORDED_LATER = ("Unreadable", "Ambiguous")  # errors whose phrase is translated when it is shown
INIT = "__init__.py"
MAKERS_OF_SAY = ("say", "say_for", "say_in")


@dataclass(frozen=True)
class Translation:
    """The content of one translation file."""

    phrases: Mapping[str, str] = field(default_factory=dict)  # English -> translation
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def translation_file(module_file: Path, language: str) -> Path:
    """Return where the translation of a module is expected, or that of a package by its
    `__init__.py`.
    """
    return module_file.with_name(f"{_stem(module_file)}.{language}.toml")


def source_files(module_file: Path) -> list[Path]:
    """Return the files that are translated together: one module, or all modules of a package."""
    if module_file.name != INIT:
        return [module_file]
    return [module_file, *sorted(set(module_file.parent.rglob("*.py")) - {module_file})]


def languages_beside(module_file: Path) -> tuple[str, ...]:
    """Return the languages that have a file beside a module, sorted."""
    folder, start, end = module_file.parent, f"{_stem(module_file)}.", ".toml"
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    own = [name for name in names if name.startswith(start) and name.endswith(end)]
    middles = sorted(name[len(start) : -len(end)] for name in own)
    found = [middle for middle in middles if LANGUAGE_CODE.fullmatch(middle)]
    translated = [language for language in LIST_SEPARATORS if language != "en"]
    for language in found:
        if language not in translated:
            file, supported = translation_file(module_file, language).name, ", ".join(translated)
            raise ValueError(f"{file}: cannot translate to {language!r}; supported: {supported}")
    return tuple(found)


def load_translation(path: Path, language: str) -> Translation:
    """Read a translation file; ValueError names the file and everything that is wrong with it."""
    translation, problems = _read(path, language)
    if problems:
        raise ValueError(f"{path.name}: {'; '.join(problems)}")
    return translation


def placeholders(phrase: str) -> frozenset[str]:
    """Return the names of the values in a phrase; ValueError where braces hold anything else."""
    if re.search(r"[{}]", PLACEHOLDER.sub("", phrase)):
        raise ValueError(f"only {{name}} and {{name:one|many}} can stand in braces: {phrase!r}")
    return frozenset(match[1] for match in PLACEHOLDER.finditer(phrase))


def phrases(source: str) -> list[str]:
    """Return every phrase that a source file shows, in order and without repetition.

    ValueError names the line of a call whose phrase cannot be extracted, or that would fail.
    """
    nodes = list(ast.walk(ast.parse(source)))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    families = (text for node in nodes for text in _families_of(node))
    of_calls = (phrase for call in calls for phrase in _phrases_of(call))
    return list(dict.fromkeys((*families, *of_calls)))


def untranslated(module_file: Path, language: str) -> list[str]:
    """Return what is missing, left over or wrong in the translation of a module or package."""
    file, used = translation_file(module_file, language), dict[str, None]()
    for source in source_files(module_file):
        try:
            used.update(dict.fromkeys(phrases(source.read_text("utf-8"))))
        except ValueError as reason:
            return [f"{source.name}: {reason}"]
    translation, problems = _read(file, language) if file.exists() else (Translation(), [])
    if not problems:
        translated = translation.phrases
        needed = [phrase for phrase in used if phrase not in translated and _has_words(phrase)]
        unused = [phrase for phrase in translated if phrase not in used]
        problems = [f"no translation of {phrase!r}" for phrase in needed]
        problems += [f"unused translation of {phrase!r}" for phrase in unused]
    return [f"{file.name}: {problem}" for problem in problems]


def misplaced(module_file: Path) -> list[str]:
    """Return complaints about unread translation files, in a package and beside a module."""
    folder, complaints = module_file.parent, []
    if module_file.name == INIT:
        for file in sorted(folder.rglob("*.toml")):
            stem, language = _stem_and_language(file)
            if language and (file.parent, stem) != (folder, folder.name):
                wanted = translation_file(module_file, language).name
                complaints.append(f"{file.name}: nothing reads it; put its phrases into {wanted}")
        folder = folder.parent
    for file in sorted(folder.glob("*.toml")):
        stem, language = _stem_and_language(file)
        if language and (folder / stem / file.name).is_file():
            complaints.append(f"{file.name}: delete it; the one in the folder {stem} is read")
        elif language and (folder / stem / INIT).is_file():
            complaints.append(f"{file.name}: nothing reads it; move it into the folder {stem}")
        elif language and not (folder / f"{stem}.py").is_file():
            complaints.append(f"{file.name}: nothing reads it; there is no {stem}.py beside it")
    return complaints


def _stem_and_language(file: Path) -> tuple[str, str]:
    """Return `("card_nim", "zh")` for card_nim.zh.toml; no language for any other file."""
    stem, _, language = file.stem.rpartition(".")
    return (stem, language) if stem and LANGUAGE_CODE.fullmatch(language) else (file.stem, "")


def _stem(module_file: Path) -> str:
    return module_file.parent.name if module_file.name == INIT else module_file.stem


def english_in(text: str, allowed: Collection[str]) -> list[str]:
    """Return the English words in a text that are not allowed there, without repetition."""
    found = dict.fromkeys(ENGLISH_WORD.findall(text))
    return [word for word in found if word not in allowed]


def _has_words(phrase: str) -> bool:
    """Return whether there is anything to translate: letters, plural forms included."""
    return any(map(str.isalpha, PLACEHOLDER.sub(r"\2\3", phrase)))


def _families_of(node: ast.AST) -> Iterator[str]:
    """Yield the words about families that a puzzle declares; they are translated when they are
    shown.
    """
    lines = node.body if isinstance(node, ast.ClassDef) else []
    for line in lines:
        if isinstance(line, ast.Assign) and "families" in map(_name, line.targets):
            values = line.value.values if isinstance(line.value, ast.Dict) else ()
            yield from filter(None, map(_text, values))


def _phrases_of(call: ast.Call) -> Iterator[str]:
    function = call.func
    if isinstance(function, ast.Call) and _name(function.func) in MAKERS_OF_SAY:
        raise ValueError(f"line {call.lineno}: assign the result to `say` and call that")
    says = isinstance(function, ast.Name) and function.id == "say"  # not `self.say(language)`
    phrase = _text(call.args[0]) if len(call.args) == 1 else None
    if says and phrase is None:
        raise ValueError(
            f"line {call.lineno}: say() needs one literal string, not an f-string or a variable; "
            f'give values by name, as in say("Stones: {{count}}", count=3)'
        )
    if phrase and (says or _name(function) in WORDED_LATER):
        try:
            _check_values(phrase, call.keywords)
        except ValueError as reason:
            raise ValueError(f"line {call.lineno}: {reason}") from None
        yield phrase


def _check_values(phrase: str, keywords: list[ast.keyword]) -> None:
    missing = placeholders(phrase).difference(keyword.arg or "" for keyword in keywords)
    if missing and all(keyword.arg for keyword in keywords):  # **values have no name here
        raise ValueError(f"no value for {', '.join(sorted(missing))} in {phrase!r}")


def _text(node: ast.expr) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _name(function: ast.expr) -> str:
    """Return the last part of a function's name: "Unreadable" for `errors.Unreadable`."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _read(path: Path, language: str) -> tuple[Translation, list[str]]:
    """Return a translation file and what is wrong with it."""
    import tomllib  # here, because it takes milliseconds and English does not need it

    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except ValueError as reason:  # not TOML, or not UTF-8
        return Translation(), [f"cannot be read: {reason}"]
    problems = [f"unknown key {key!r}" for key in content if key not in ("phrase", "labels")]
    translated = _read_phrases(content.get("phrase", []), language, problems)
    labels = _read_labels(content.get("labels", {}), problems)
    return Translation(translated, labels), problems


def _read_phrases(pairs: object, language: str, problems: list[str]) -> dict[str, str]:
    translated: dict[str, str] = {}
    if not isinstance(pairs, list):
        problems.append("phrases are written as [[phrase]]")
        return translated
    for number, pair in enumerate(pairs, 1):
        texts = pair.values() if isinstance(pair, dict) else ()
        if not texts or set(pair) != {"en", language} or not all(map(_is_filled, texts)):
            problems.append(f"phrase {number} needs the texts `en` and `{language}`, no more")
        elif pair["en"] in translated:
            problems.append(f"duplicate phrase {pair['en']!r}")
        else:
            translated[pair["en"]] = pair[language]
            problems += _placeholder_problems(pair["en"], pair[language])
    return translated


def _placeholder_problems(english: str, translation: str) -> list[str]:
    try:
        expected, found = placeholders(english), placeholders(translation)
    except ValueError as reason:
        return [str(reason)]
    if expected == found:
        return []
    names = [", ".join(sorted(each)) or "none" for each in (expected, found)]
    return [f"placeholders of {english!r} are {names[0]}, but its translation has {names[1]}"]


def _read_labels(table: object, problems: list[str]) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        problems.append("labels are written as a table [labels]")
        return {}
    labels: dict[str, tuple[str, ...]] = {}
    for name, words in table.items():
        if isinstance(words, list) and words and all(map(_is_filled, words)):
            labels[name] = tuple(words)
        else:
            problems.append(f"label {name!r} needs a list of words")
    return labels


def _is_filled(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())
