"""TextGames: the suite, the published problems and replies, the verdicts of the published graders,
bug for bug, and the scores.
"""

from quandary.catalogue.paper import Import, Paper

PAPER = Paper(
    "textgames",
    "TextGames",
    __name__,
    suites=("textgames",),
    scores=(f"{__name__}.scores:tables",),
    imports=Import(f"{__name__}.import_command", "the published problems and replies", place=1),
    grading=f"{__name__}.regrading",
)
