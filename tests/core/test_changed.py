"""Changed copies of positions."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import msgspec
import pytest

from quandary.catalogue import drawing
from quandary.core.changed import changed


@dataclass(frozen=True)
class Heap:
    stones: int
    owner: str = "nobody"

    @cached_property
    def doubled(self) -> int:
        return 2 * self.stones


@pytest.mark.parametrize(
    "spec", ["exclusivity_probes/easy#1", "superply/easy#1", "card_nim/hard#1"]
)
def test_a_changed_copy_is_what_replace_makes(spec: str) -> None:
    """Whichever field changes: equal, with the same hash and JSON, and just as frozen; the position
    itself stays as it was."""
    position, other = drawing.game(spec), drawing.game(spec)
    for field in fields(position):  # type: ignore[arg-type]
        change = {field.name: "anything"}
        copy, wanted = changed(position, **change), replace(position, **change)  # type: ignore[type-var]

        assert (copy, hash(copy), repr(copy)) == (wanted, hash(wanted), repr(wanted))
        assert msgspec.json.encode(copy) == msgspec.json.encode(wanted)
        assert list(vars(copy)) == list(vars(wanted))
        with pytest.raises(AttributeError):
            setattr(copy, field.name, "something else")
    assert position == other


def test_cached_properties_are_computed_anew() -> None:
    """A copy must not keep what followed from the old fields."""
    heap = Heap(3)
    assert heap.doubled == 6

    copy = changed(heap, stones=5)
    assert vars(copy) == {"stones": 5, "owner": "nobody"}
    assert copy.doubled == 10


def test_unknown_fields_are_refused() -> None:
    """As `replace` refuses them."""
    heap = Heap(3)
    assert heap.doubled == 6
    with pytest.raises(TypeError, match="Heap has no field 'sotnes'"):
        changed(heap, sotnes=5)
