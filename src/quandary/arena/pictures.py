"""The words in the pictures of a run, whose letters need a font."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quandary.core.errors import UserError
from quandary.players.model_names import is_model, prompt_choices
from quandary.players.prompts.settings import Modality

from .suite import Suite


def drawn_in_english(suite: Suite, players: Sequence[str]) -> list[str]:
    """Return the languages whose words are English in pictures, because no font here has their
    letters.

    A run that shows pictures in several languages is refused then: it would compare English ones.
    """
    if not any(map(is_model, players)):
        return []
    from quandary.render.png import INSTALL, language_of_pictures

    has_pictures = any(suite.modality_of(spec) != "text" for spec in suite.specs)
    modality: Modality = "image" if has_pictures else "text"
    usual = replace(suite.prompt_settings, modality=modality)
    prompts = [prompt_choices(name, usual) for name in players if is_model(name)]
    languages = {one.language for one in prompts if one.modality != "text"}
    found = sorted(one for one in languages if language_of_pictures(one) != one)
    if found and len(languages) > 1:
        raise UserError(
            "pictures cannot be compared between languages, because no installed font has the "
            f"letters of {found[0]!r}, so their words would be English; to install one: {INSTALL}."
        )
    return found
