"""Where the starts of a level are a short list."""

from __future__ import annotations

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import has_few


def listed_starts(spec: Spec) -> int | None:
    """Return how many starts the level of an instance has, if that is a short list."""
    if spec.task not in ("", "whole"):  # the others ask about positions, of which there are more
        return None
    few = registry.load(spec.name).distinct_instances.get(drawing.level_name(spec))
    return few.instances if few and has_few(few) else None
