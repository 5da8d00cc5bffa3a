"""FineReason: the suite, the published puzzles and states of their search trees, how answers were
graded, and the scores.
"""

from quandary.catalogue.paper import Import, Paper

PAPER = Paper(
    "finereason",
    "FineReason",
    __name__,
    suites=("finereason",),
    labels="labels.toml",
    scores=(f"{__name__}.scores:tables",),
    summaries=("label",),
    imports=Import(f"{__name__}.import_command", "the published puzzles and states", place=2),
    grading=f"{__name__}.regrading",
    advice=dict.fromkeys(
        ("sudoku", "graph_coloring", "game_of_24", "logic_grid"),
        "the published questions of FineReason are played with quandary import finereason and "
        "then quandary run --problems",
    ),
)
