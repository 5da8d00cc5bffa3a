"""How wide a text is in a picture: the widths of the letters of its font, as a table.

Measuring the font itself would take a library, and scenes know none.
"""

from __future__ import annotations

from functools import lru_cache

EM = 2048  # the units of the font per its size
WIDTHS = {  # letter widths in DejaVu Sans, with which pictures are drawn
    letter: width / EM
    for width, letters in {
        563: "'", 569: "ijl", 604: "IJ", 651: " ,.‘’·", 690: "/:;\\|", 721: "f", 739: "-",
        799: "()[]", 803: "t", 821: "!", 842: "r", 942: '"', 1024: "*_`–", 1061: "“”", 1067: "s",
        1075: "z", 1087: "?", 1126: "c", 1141: "L", 1178: "F", 1186: "k", 1212: "vxy", 1235: "P",
        1251: "TY", 1253: "o", 1255: "a", 1260: "e", 1294: "E", 1298: "hnu", 1300: "Sbdgpq",
        1303: "$0123456789{}", 1343: "K", 1401: "AV", 1403: "XZ", 1405: "B", 1423: "R", 1430: "C",
        1499: "U", 1532: "N", 1540: "H", 1577: "D", 1587: "G", 1597: "&", 1612: "OQ", 1675: "w",
        1716: "#+<=>^~×÷−", 1767: "M", 1946: "%", 1995: "m", 2025: "W", 2048: "@…—",
    }.items()
    for letter in letters
}  # fmt: skip
OTHER = 1.0  # the width of Chinese letters; an upper estimate for nearly all others
# Chinese text takes its punctuation from its own font.
CHINESE_WIDTHS = WIDTHS | dict.fromkeys("“”‘’…—·", OTHER)
CHINESE = "\u3000"  # and all that follows


@lru_cache(maxsize=1 << 14)  # the positions of a match share most of their texts
def text_width(text: str, size: float) -> float:
    """Return the width of a text in letters of a size."""
    widths = CHINESE_WIDTHS if max(text, default="") >= CHINESE else WIDTHS
    return size * sum(widths.get(letter, OTHER) for letter in text)
