"""Groups of hooks that a puzzle opts into; authors import them from `quandary.core.contract`."""
