"""String processing on a dictionary of numbered characters, which are numbered anew each time."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    now = dict(enumerate(instance.document, start=1))
    outputs: list[str] = []
    for command in instance.commands:
        name, place, number, text = command
        if name.startswith("find"):
            outputs.append(str(_found(now, text, name == "find_last")))
            continue
        if name in ("append", "prepend", "insert"):
            at = {"append": len(now) + 1, "prepend": 1, "insert": place}[name]
            letters = [now[one] for one in now if one < at] + list(text)
            letters += [now[one] for one in now if one >= at]
        elif name in ("keep", "delete"):
            inside = [one for one in now if 0 <= one - place < number]
            letters = [now[one] for one in now if (one in inside) == (name == "keep")]
        else:
            last = place + number - 1 if name == "reverse" else len(now) - place + 1
            first = last - number + 1
            mirrored = {one: first + last - one for one in range(first, last + 1)}
            letters = [now[mirrored.get(one, one)] for one in now]
        now = dict(enumerate(letters, start=1))
        outputs.append("".join(letters))
    return ["".join(now[one] for one in sorted(now))], outputs


def _found(now: dict[int, str], text: str, is_last: bool) -> int:
    places = [
        one for one in now if all(now.get(one + more) == letter for more, letter in enumerate(text))
    ]
    if not places:
        return -1
    return max(places) if is_last else min(places)
