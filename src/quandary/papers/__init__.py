"""Papers, each in a folder of its own: what it published, and how that is graded and scored.

A folder with a `PAPER` in its `__init__.py` is a paper, and there is no list to keep.  The modules
beside the folders serve all papers.
"""

from __future__ import annotations

TYPE_CHECKING = False  # see quandary/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterator

    from quandary.catalogue.paper import Paper


def find() -> Iterator[Paper]:
    """Yield all papers; their parts are imported later."""
    from importlib import import_module
    from pkgutil import iter_modules

    for module in iter_modules(__path__):
        if module.ispkg and not module.name.startswith("_"):
            yield import_module(f"{__name__}.{module.name}").PAPER
