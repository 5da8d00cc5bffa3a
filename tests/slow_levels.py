"""Levels whose every test takes many seconds, so that all of them run under `make check-all`."""

SLOW_LEVELS = ("optimal_touring/hard", "optimal_touring/normal", "exclusivity_probes/hard")
