"""PuzzlePlex: the suite, the published seeds, and the scores of both papers."""

from quandary.catalogue.paper import Paper

PAPER = Paper(
    "puzzleplex",
    "PuzzlePlex",
    __name__,
    suites=("puzzleplex",),
    seeds=f"{__name__}.seeds",
    labels="labels.toml",
    scores=(f"{__name__}.scores.first:tables", f"{__name__}.scores.second:tables"),
    summarises_suites=True,
)
