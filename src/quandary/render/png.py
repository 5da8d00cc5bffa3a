"""Scenes as PNG.

Letters come from the fonts beside this file, so a picture is the same on every machine.
"""

from __future__ import annotations

from pathlib import Path

from quandary.core.contract import Language
from quandary.core.errors import UserError
from quandary.core.scene import Scene

from .svg import svg

FONTS = Path(__file__).parent / "fonts"
LANGUAGES = ("en",)  # whose letters the fonts contain


def language_of_pictures(language: Language) -> Language:
    """The language in which the words of a PNG are drawn: English where the fonts lack letters."""
    return language if language in LANGUAGES else "en"


def png(scene: Scene, longest: int = 512) -> bytes:
    """The scene as a picture whose longer side measures `longest` pixels."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UserError(
            "pictures as PNG need one more package: pip install 'quandary[image]'."
        ) from None
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    return bytes(
        svg_to_bytes(svg_string=svg(scene, longest), font_files=fonts, skip_system_fonts=True)
    )
