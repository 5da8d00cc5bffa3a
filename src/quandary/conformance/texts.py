"""Texts that players might send: odd, empty, huge, almost right."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase, ascii_uppercase

ODD_TEXTS = (
    "", " ", "\n\n", "?", "None", "null", "0", "-1", "-1 -1", "0 0", "1", "1 1", "1 1 1", "1.5", "1e999", "NaN",
    "9" * 400, "1 " * 400, "٣ ٤", "²", "１２", "Ⅷ", "[", "]", "[[", "[[]]", "[1, 2", "[(0, 0), 1]", "(1, 2)", "{}",
    '{"answer": []}', "move = ['K', 'give up']", "operation = [1, 1, 1]", "I resign", "yes", "a b c", "A" * 3000,
    "\x00\x07\x1b[31m", "\u202eabc", "🧩", "中文回答", "```\n1\n```", "**1**", "<b>1</b>", "'; drop table",
    "\\boxed{7}", "a\tb\rc", "(" * 3000, "1+1", "((1+2)*8)", "....\n....",
)  # fmt: skip


def mutations(text: str, rng: Random, count: int) -> Iterator[str]:
    """Near misses of a text: one to three characters dropped, doubled, swapped or replaced."""
    letters = "0123456789 -.,()[]{}\"'#*oXabcKQA\n"
    for _ in range(count):
        changed = list(text)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(changed) + 1)
            match rng.randrange(4):
                case 0 if at < len(changed):
                    del changed[at]
                case 1:
                    changed.insert(at, rng.choice(letters))
                case 2 if at < len(changed):
                    changed[at] = rng.choice(letters)
                case _ if at + 1 < len(changed):
                    changed[at], changed[at + 1] = changed[at + 1], changed[at]
        yield "".join(changed)


def lookalikes(text: str, rng: Random, count: int) -> Iterator[str]:
    """Texts of the same form with one to three digits or letters replaced by others."""
    places = [at for at, letter in enumerate(text) if letter.isascii() and letter.isalnum()]
    for _ in range(count if places else 0):
        changed = list(text)
        for at in rng.choices(places, k=rng.randint(1, 3)):
            changed[at] = rng.choice(_kind(changed[at]).replace(changed[at], ""))
        yield "".join(changed)


def _kind(letter: str) -> str:
    if letter.isdigit():
        return "123456789"
    return ascii_uppercase if letter.isupper() else ascii_lowercase
