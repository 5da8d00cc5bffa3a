"""The options that say who plays in a run, and who meets whom."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from quandary.arena.schedule import KINDS
from quandary.core.errors import UserError
from quandary.core.translations import LIST_SEPARATORS
from quandary.players.model_names import in_languages, is_model
from quandary.renamed import typed_player


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--player",
        type=typed_player,
        required=True,
        action="append",
        metavar="P",
        help="who plays; repeat it for more players",
    )
    parser.add_argument(
        "--language",
        action="append",
        default=[],
        choices=list(LIST_SEPARATORS),
        help="ask models in this language; repeat it to compare languages on the same instances "
        "(default: that of the suite)",
    )
    parser.add_argument(
        "--schedule",
        choices=KINDS,
        help="who plays whom in two-player games: each player the house, all pairs, or pairs by "
        "the points so far (default: one player plays the house, several play each other)",
    )


def chosen_players(options: Namespace) -> list[str]:
    """Return who plays, each model once in every language that is named."""
    languages = list(dict.fromkeys(options.language))
    if languages and not any(map(is_model, options.player)):
        raise UserError("--language is for models, and no --player is a model; leave it out.")
    return in_languages(options.player, languages)
