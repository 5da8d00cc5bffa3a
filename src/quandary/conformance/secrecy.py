"""Checks that seats learn nothing they may not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.contract import CHANCE, Fouls, Game, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.turns import after_each, after_foul, after_round
from quandary.core.secrecy import HiddenInformation, Viewable, hidden_fields, possible_position
from quandary.matches.record import allowed

from .case import Case, pick, some, walk
from .texts import ODD_TEXTS, lookalikes

DEALS = 3  # imagined worlds per view
PLAYED_ON = 40  # plies played in an imagined world
PICTURED = 6  # one in so many positions is drawn as a whole too
MOST_PARTS = 20  # entries of a field that are compared with hidden ones
FOULS = 4  # illegal moves tried per view
ODD_SHARES = 8  # one in so many odd texts is read at a position, and another one at the next


def views_hide(case: Case) -> Iterator[str]:
    for position in case.positions():
        for seat in range(position.seats):
            seen = position.seen_by(seat)
            if seen != seen.seen_by(seat):
                yield "a view of a view differs from the view"
            for name, mark in hidden_fields(type(position)):
                value = getattr(seen, name)
                if mark == "secret" and value is not None:
                    yield f"the view of seat {seat} shows the secret `{name}`"
                if mark == "private" and any(
                    entry is not None for other, entry in enumerate(value) if other != seat
                ):
                    yield f"the view of seat {seat} shows another seat's `{name}`"


def positions_show_no_more_than_views(case: Case) -> Iterator[str]:
    """Whoever holds a whole position may show it: `make` gives one, and `text` takes a seat."""
    for ply, position in enumerate(case.positions()):
        for seat in range(position.seats) if hides(position) else ():
            seen = position.seen_by(seat)
            if _listed(position, seat) != _listed(seen, seat):
                yield f"`legal` of seat {seat} differs between a position and its view"
            for name in ("text", "scene", "legend") if ply % PICTURED == 0 else ("text",):
                for language in seen.languages:
                    shown = [getattr(one, name)(seat, language) for one in (position, seen)]
                    if shown[0] != shown[1]:
                        yield (
                            f"`{name}` of the whole position for seat {seat} differs from that of "
                            f"its view; begin with `self = self.seen_by(seat)`, or show no secrets"
                        )


def _listed(position: Game, seat: Seat) -> tuple[int, list[Move]]:
    legal = position.legal(seat)
    return len(legal), some(legal, Random(0), 200)


def something_is_hidden(case: Case) -> Iterator[str]:
    if issubclass(case.puzzle, HiddenInformation) and not hidden_fields(case.puzzle):
        yield (
            "nothing is hidden: declare fields as `Private[...]` or `Secret[...]`, or leave out "
            "`HiddenInformation`"
        )


def no_field_repeats_a_secret(case: Case) -> Iterator[str]:
    """As far as it shows: a copy of a hidden field, or of what one seat has in it, is equal in
    every instance.
    """
    marks = dict(hidden_fields(case.puzzle))
    public = {
        part: values
        for name in sorted(case.puzzle.__dataclass_fields__.keys() - marks.keys())  # type: ignore[attr-defined]
        for part, values in _drawn_parts(case, name)
    }
    for hidden in [name for name, mark in marks.items() if mark != "nested"]:
        for part, values in _drawn_parts(case, hidden):
            is_shared = part != hidden and marks[hidden] == "secret"  # an entry may be turned up
            for name, drawn in public.items() if len(set(values)) > 1 and not is_shared else ():
                if drawn == values:
                    yield f"the public field `{name}` always equals `{part}`, which is hidden"


def _drawn_parts(case: Case, name: str) -> Iterator[tuple[str, list[Any]]]:
    """A field of many instances and, if it is a tuple, each of its entries that all have."""
    values = [getattr(start, name) for start in case.neighbours]
    yield name, values
    tuples = [value for value in values if isinstance(value, tuple)]
    if len(tuples) == len(values):
        for at in range(min(MOST_PARTS, *map(len, tuples))):
            yield f"{name}[{at}]", [value[at] for value in tuples]


def views_carry_declared_fields_only(case: Case) -> Iterator[str]:
    """Whatever else a view carries may have been computed from a secret."""
    for position in case.positions():
        _compute_cached_properties(position)
        for seat in range(position.seats):
            for name in undeclared(position.seen_by(seat)):
                yield f"the view of seat {seat} carries `{name}`, which is not a declared field"


def _compute_cached_properties(position: Viewable) -> None:
    """Fill every cache of a position, at any depth, as playing on it may do."""
    for part in _parts(position):
        for cls in type(part).__mro__:
            for name, attribute in vars(cls).items():
                if isinstance(attribute, cached_property):
                    with suppress(Exception):  # it may not apply to this position
                        getattr(part, name)


def undeclared(seen: Viewable) -> list[str]:
    """Return the attributes of a view of a position with secrets that are not its fields."""
    return [
        name
        for part in _parts(seen)
        if hidden_fields(type(part))
        for name in vars(part)
        if name not in type(part).__dataclass_fields__  # type: ignore[attr-defined]
    ]


def _parts(position: Viewable) -> Iterator[Viewable]:
    """A position and the positions inside it."""
    yield position
    for name, mark in hidden_fields(type(position)):
        if mark == "nested":
            for value in _flat(getattr(position, name)):
                yield from _parts(value)


def _flat(value: object) -> Iterator[Viewable]:
    if isinstance(value, Viewable):
        yield value
    for item in value if isinstance(value, tuple) else ():
        yield from _flat(item)


def views_survive_json(case: Case) -> Iterator[str]:
    for position in case.positions():
        for seat in range(position.seats):
            text = codec.view_json(position, seat)
            if registry.from_view_json(text) != (position.seen_by(seat), seat):
                yield "a view is not equal to itself after JSON"


def possible_positions_are_complete(case: Case) -> Iterator[str]:
    """What is hidden from the start may be None in some imagined positions, but not in all.

    What is hidden later, such as a choice of this round, may always be imagined as not yet made.
    """
    rng, filled, missing = Random(case.name), set[str](), set[str]()
    for start in case.games if isinstance(case.games[0], HiddenInformation) else ():
        for seat in range(start.seats):
            seen = start.seen_by(seat)
            world = possible_position(seen, rng)
            for name, mark in hidden_fields(type(start)):
                entries = [getattr(one, name) for one in (start, seen, world)]
                for truth, view, guess in (
                    zip(*entries, strict=False) if mark == "private" else [entries]
                ):
                    if view is None and truth is not None:
                        (missing if guess is None else filled).add(name)
    for name in sorted(missing - filled):
        yield (
            f"what `possible_position` returns still hides `{name}`: fill in all that a view hides"
        )


def redealing_changes_nothing_seen(case: Case) -> Iterator[str]:
    """Redealing the secrets must not change what a seat is given, nor break the game."""
    if not hides(case.games[0]):
        return
    rng = Random(case.name)
    for ply, (position, texts) in enumerate(_with_odd_texts(case.positions())):
        for seat in range(position.seats):
            seen = position.seen_by(seat)
            given = _given(position, seat, texts)
            for _ in range(DEALS):
                world = possible_position(seen, rng)
                if world.seen_by(seat) != seen:
                    yield (
                        f"`possible_position` gives one that seat {seat} can tell from the true one"
                    )
                    continue
                for what, value in _given(world, seat, texts).items():
                    if value != given[what]:
                        yield (
                            f"{what} of seat {seat} reveal secrets: they change when secrets are "
                            f"dealt anew"
                        )
        if position.options():  # an imagined world must be playable
            world = possible_position(position.seen_by(0), rng)
            list(islice(walk(world, f"{case.name}/{ply}"), PLAYED_ON))


def _with_odd_texts(positions: Sequence[Game]) -> Iterator[tuple[Game, Sequence[str]]]:
    """Each position with some odd texts, so that all of them occur, however few positions."""
    shares = min(ODD_SHARES, len(positions))
    for ply, position in enumerate(positions):
        yield position, ODD_TEXTS[ply % shares :: shares]


def fouls_tell_no_secrets(case: Case) -> Iterator[str]:
    """What a seat is given after an illegal move must depend only on what it knew before."""
    start = case.games[0]
    if not hides(start) or not isinstance(start, Fouls):
        return
    rng = Random(case.name)
    for match in case.matches:
        legal = [
            move
            for position in match
            for moves in position.options().values()
            for move in some(moves or (), rng, 3)
        ]
        near = [text for move in some(legal, rng) for text in lookalikes(move, rng, 3)]
        for position, texts in _with_odd_texts(match):
            for seat in position.options().keys() - {CHANCE}:
                fouls = [
                    move
                    for move in _moves(position, seat, [*legal, *near, *ODD_TEXTS])
                    if not allowed(position, seat, move)
                ]
                for move in some(fouls, rng, FOULS):
                    world = possible_position(position.seen_by(seat), rng)
                    if not allowed(world, seat, move) and _after_foul(
                        position, seat, move, texts
                    ) != _after_foul(world, seat, move, texts):
                        yield (
                            f"the foul {move[:40]!r} of seat {seat} reveals secrets: what follows "
                            f"depends on them"
                        )


def _moves(position: Game, seat: Seat, texts: Sequence[str]) -> Iterator[Move]:
    """The moves that some of these texts name."""
    seen = position.seen_by(seat)
    for text in dict.fromkeys(texts):
        with suppress(Unreadable):
            yield seen.read(seat, text)


def _after_foul(
    position: Game, seat: Seat, move: Move, texts: Sequence[str]
) -> Mapping[str, Any] | None:
    after = after_foul(position, seat, move)
    return None if after is None else _given(after, seat, texts)


def simultaneous_moves_stay_hidden(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions():
        acting = [seat for seat in position.options() if seat != CHANCE]
        if len(acting) < 2:
            continue
        first, second = acting[:2]
        one, other = pick(position, first, rng), pick(position, second, rng)
        if position.after(first, one).after(second, other) != position.after(second, other).after(
            first, one
        ):
            yield "the result of simultaneous moves depends on their order"
        moves = {first: one, second: other}
        moves |= {seat: pick(position, seat, rng) for seat in acting[2:]}
        if after_round(position, moves) != after_each(position, moves):
            yield "`after_round` leads elsewhere than `after` for one seat after the other"
        for seat, move, watcher in ((first, one, second), (second, other, first)):
            if position.seen_by(watcher) != position.after(seat, move).seen_by(watcher):
                yield f"seat {watcher} can see the simultaneous choice of seat {seat}"


def hides(game: Game) -> bool:
    """Return whether a game hides anything, at any depth."""
    marks = hidden_fields(type(game))
    return any(
        mark != "nested" or hides(getattr(game, name))
        for name, mark in marks
        if getattr(game, name) is not None
    )


def _given(position: Game, seat: Seat, texts: Sequence[str]) -> Mapping[str, Any]:
    """Everything a seat is given at a position, also in reply to some texts."""
    seen, options = position.seen_by(seat), position.options()
    listed = options.get(seat, ())
    sample = None if listed is None else (len(listed), some(listed, Random(0), 200))
    return {
        "the words": [seen.text(seat, language) for language in seen.languages],
        "the pictures": [seen.scene(seat, language) for language in seen.languages],
        "the legends": [seen.legend(seat, language) for language in seen.languages],
        "the JSON": codec.view_json(position, seat),
        "the options": (seat in options, sample),
        "the refusals": [_read(seen, seat, text) for text in texts],
    }


def _read(seen: Game, seat: Seat, text: str) -> str:
    try:
        return "read as " + seen.read(seat, text)
    except Unreadable as refusal:
        return refusal_text(seen, refusal)
