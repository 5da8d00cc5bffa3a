"""Scenes as PNG.

Letters come from the fonts beside this file, so a picture is the same on every machine.  Chinese
ones come from Noto Sans SC, which the extra `chinese` installs.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from quandary.core.contract import Language
from quandary.core.errors import UserError
from quandary.core.scene import Scene

from .svg import svg

FONTS = Path(__file__).parent / "fonts"
CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
CHINESE_FONT = "pylopdf_fonts_zh_cn"  # a package that holds the font alone
INSTALL = "pip install 'quandary[chinese]'"


def language_of_pictures(language: Language) -> Language:
    """Return the language in which the words of a PNG are drawn: English where the fonts lack
    letters.
    """
    return language if has_letters(language) else "en"


def has_letters(language: Language) -> bool:
    """Return whether there is a font for a language; the fonts beside this file have all Latin
    letters.
    """
    return language != "zh" or find_spec(CHINESE_FONT) is not None


def png(scene: Scene, longest: int = 512) -> bytes:
    """Return the scene as a picture whose longer side measures `longest` pixels."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UserError(
            "pictures as PNG need one more package: pip install 'quandary[image]'."
        ) from None
    drawing = svg(scene, longest)
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    if CHINESE.search(drawing) and has_letters("zh"):  # it is large, so only where it is needed
        from pylopdf_fonts_zh_cn import sans_path

        fonts.append(str(sans_path()))
    return bytes(svg_to_bytes(svg_string=drawing, font_files=fonts, skip_system_fonts=True))
