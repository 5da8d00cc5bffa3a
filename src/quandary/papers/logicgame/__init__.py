"""LogicGame: the suites, the published prompts, read into our own questions, which then have a key,
and the scores.
"""

from quandary.catalogue.paper import Import, Paper

PAPER = Paper(
    "logicgame",
    "LogicGame",
    __name__,
    suites=("logicgame", "logicgame-large"),
    labels="labels.toml",
    scores=(f"{__name__}.scores:tables",),
    summaries=("domain",),
    imports=Import(
        f"{__name__}.import_command", "the published prompts, in English and Chinese", place=3
    ),
    submission=f"{__name__}.submission",
)
