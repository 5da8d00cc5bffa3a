"""The published files of TextGames in miniature: one problem a set, and one reply."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ANAGRAM = (
    "Construct a valid 4-character English word from the following letters:\n['n', 'o', 'e', "
    "'x'].\n"
    "Each character can be used multiple times. Please write None if there is none."
)
ISLANDS = (
    "You are asked to construct a 2D 2 x 2 grid, consisting of water and land.\n\n"
    "Your 2D grid must follow the following rules:\n- There must be exactly 1 islands.\n"
    "- The size of each island must be from 1 to 2 tiles.\n\nPrint only the answer."
)
PASSWORD = (
    "Please write a text string without any space by following a set of given rules. These are "
    "the criteria:\n"
    "- the text has 4 english character\n- the text has 1 uppercase characters"
)
SUDOKU = (
    "Please solve the 4x4 sudoku with A,B,C,D as the values and fill _ with the possible value "
    "and only print the answer. "
    "Follow the sudoku rule.\n_BCD CDAB BADC DCBA"
)
YEMEN = PASSWORD.partition("\n")[0] + "\n- the text has the continent of Yemen"
PROMPTS = {
    "Anagram Scribble_1": ANAGRAM, "Islands_1": ISLANDS, "Text Sudoku_1": SUDOKU,
    "Password Game_1": PASSWORD, "Password Game_2": YEMEN,
}  # fmt: skip
COUNTRIES = "country\tcapital city\tcontinent\nYemen\tSana'a\tAfrica\n"


def reply(
    game: str = "Anagram Scribble_1",
    response: Any = "oxen",
    turn: int = 1,
    solved: Any = True,
    **more: Any,
) -> dict[str, Any]:
    return {
        "game": game,
        "session": "session_0000",
        "turn": turn,
        "response": response,
        "solved": solved,
    } | more


def lines(*rows: Mapping[str, Any] | str) -> str:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def write_checkout(folder: Path) -> Path:
    """The folders of the published repository, with one archive of replies."""
    lists = folder / "textgames" / "assets" / "kb"
    for part in (folder / "problemsets", folder / "model_outputs", folder / ".git", lists):
        part.mkdir(parents=True)
    for title, prompt in PROMPTS.items():
        (folder / "problemsets" / f"{title}.json").write_text(json.dumps({"session_0000": prompt}))
    (folder / "problemsets" / "log.txt").write_text("1000 problems\n")
    (folder / "problemsets" / "Islands_1.err").write_text("")
    (folder / ".git" / "results_gone.jsonl").write_text(lines(reply()))
    (folder / "README.md").write_text("# textgames\n")
    (lists / "word_list.txt").write_text("none\noxen\n")
    (lists / "country_capital_city.tsv").write_text(COUNTRIES)
    pack(folder / "model_outputs" / "results_llama.1s.jsonl.tgz", lines(reply()))
    return folder


def pack(path: Path, text: str) -> None:
    """An archive of one file."""
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo(path.name.removesuffix(".tgz"))
        member.size = len(text.encode())
        archive.addfile(member, io.BytesIO(text.encode()))
