"""Build the word lists in `english_words` from a release of SCOWL.

    python tools/build_words.py scowl-2020.12.07

The argument is the unpacked source release: its `final` folder holds the lists, and beside it lie
the marks for
taboo words (`misc`), the notices (`Copyright`, `r/ukacd`) and the `VERSION`.
The same release gives the same words, and a file whose words have not changed is left as it is.

Every word falls into exactly one list:
common   what a puzzle may ask for: sizes up to 50, American and British, without what is listed as
taboo or omitted here;
large    what else a good dictionary or word game knows: all spellings and variants up to size 80,
and those added here;
rare     longer words of size 95 that are not names written small.

The omitted words are delicate rather than wrong, so answers may still use them; they are kept as
digests in
`omitted_words.txt`.  To omit another, add the line that `digest` gives for it.
The words that are added to SCOWL's are this project's own choice; `added_words.txt` holds them,
each group under its reason.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

WORDS = Path(__file__).parents[1] / "src" / "quandary" / "puzzles" / "questions" / "words"
DATA = WORDS / "_shared" / "english_words"
OMITTED, ADDED = (Path(__file__).with_name(f"{what}_words.txt") for what in ("omitted", "added"))
COMMON_SIZE, LARGE_SIZE, RARE_SIZE = 50, 80, 95
COMMON_SPELLINGS = ("english", "american", "british")
RARE_LENGTH = 8  # the shorter words of size 95 are mostly initials, codes and misspellings
LETTERS = re.compile(r"[a-z]+")
GZIP = 31  # zlib's number for a gzip frame with the widest window

UNLIKELY = """
    b c d e f g h i j k l m n o p q r s t u v w x y z cs es gs ks ls ms rs ts sh
    brr fer hes hoc hos mes mys nth pis pwn tho wot hims hows mkay pwns shes yest yous piing
"""  # SCOWL counts them as common words, a player would not

NOTICE = """
The word lists in this folder are modified extracts of SCOWL (Spell Checker Oriented Word Lists), version {version},
made by tools/build_words.py, which says what was taken, left out and added:

{counts}

The notices of SCOWL and of its sources follow, verbatim.  The lists include words of the ENABLE word list
and of The UK Advanced Cryptics Dictionary, Copyright (c) J Ross Beresford 1993-2000, All Rights Reserved.
"""
RULE = f"{'-' * 80}\n{{}}\n{'-' * 80}"


def main(release: Path) -> None:
    lists = build(release)
    for name, words in lists.items():
        write(DATA / f"{name}.txt.gz", words)
        print(f"{name}: {len(words):,} words")
    (DATA / "LICENSE").write_text(notice(release, lists), encoding="utf-8")


def build(release: Path) -> dict[str, list[str]]:
    """The three lists, each in alphabetical order."""
    final, omitted = release / "final", set(OMITTED.read_text("ascii").split())
    taboo = {
        word
        for path in sorted((release / "misc").glob("*.[0-9]"))
        for word in path.read_text("latin-1").split()
    }
    common = (
        words_of(final, COMMON_SIZE, COMMON_SPELLINGS.__contains__) - taboo - set(UNLIKELY.split())
    )
    common = {word for word in common if digest(word) not in omitted}
    large = words_of(final, LARGE_SIZE) | added()
    rare = {
        word for word in words_of(final, RARE_SIZE) - names_of(final) if len(word) >= RARE_LENGTH
    }
    return {
        "common": sorted(common),
        "large": sorted(large - common),
        "rare": sorted(rare - large - common),
    }


def added() -> set[str]:
    """The words of our own list."""
    lines = ADDED.read_text("ascii").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def words_of(
    final: Path, largest: int, spelling: Callable[[str], bool] = lambda name: name != "special"
) -> set[str]:
    """Words of a-z in the lists up to a size; accents are dropped."""
    return {word for word in entries(final, "words", largest, spelling) if LETTERS.fullmatch(word)}


def names_of(final: Path) -> set[str]:
    """Names and other capitalised words, written small."""
    kinds = ("upper", "proper-names")
    return {
        word.lower()
        for kind in kinds
        for word in entries(final, kind, RARE_SIZE, lambda name: True)
    }


def entries(final: Path, kind: str, largest: int, spelling: Callable[[str], bool]) -> Iterator[str]:
    for path in sorted(final.iterdir()):
        name, _, size = path.name.rpartition(".")
        dialect, _, listed = name.partition("-")
        if listed == kind and int(size) <= largest and spelling(dialect):
            for entry in path.read_text("latin-1").splitlines():
                letters = unicodedata.normalize("NFD", entry.strip())
                yield "".join(letter for letter in letters if not unicodedata.combining(letter))


def digest(word: str) -> str:
    return sha256(word.encode()).hexdigest()[:10]


def write(path: Path, words: list[str]) -> None:
    text = "\n".join(words).encode("ascii")
    if path.exists() and zlib.decompress(path.read_bytes(), GZIP) == text:
        return  # other versions of zlib pack the same words into other bytes
    packer = zlib.compressobj(9, wbits=GZIP)
    path.write_bytes(packer.compress(text) + packer.flush())


def notice(release: Path, lists: dict[str, list[str]]) -> str:
    version = (release / "VERSION").read_text("utf-8").strip()
    counts = "\n".join(
        f"    {name + '.txt.gz':14} {len(words):>7,} words" for name, words in lists.items()
    )
    ukacd = (release / "r" / "ukacd" / "readme.txt").read_text("latin-1")
    parts = (
        NOTICE.format(version=version, counts=counts),
        RULE.format("Notice of SCOWL"),
        (release / "Copyright").read_text("utf-8"),
        RULE.format("Document of The UK Advanced Cryptics Dictionary"),
        "\n".join(ukacd.splitlines()),
    )
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2 or not all(
        (Path(sys.argv[1]) / part).is_dir() for part in ("final", "misc", "r")
    ):
        sys.exit(
            "usage: python tools/build_words.py FOLDER, where FOLDER is an unpacked SCOWL release"
        )
    main(Path(sys.argv[1]))
