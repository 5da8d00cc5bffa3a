"""PuzzlePlex: the suite, the published seeds, and the scores of both papers."""

from quandary.catalogue.paper import Paper

PAPER = Paper(
    "puzzleplex",
    "PuzzlePlex",
    __name__,
    suites=("puzzleplex",),
    seeds=f"{__name__}.seeds",
    programs=(
        "tidy_tower",
        "optimal_touring",
        "count_maximal_cocktails",
        "exclusivity_probes",
        "ruby_risks",
        "max_target",
        "sudokill",
        "card_nim",
        "max_maximal_cocktails",
        "exclusivity_particles",
        "superply",
        "beat_or_bomb_sto",
        "larger_target",
    ),
    labels="labels.toml",
    scores=(f"{__name__}.scores.first:tables", f"{__name__}.scores.second:tables"),
    summarises_suites=True,
)
