"""What the browser of one seat is sent, built from its turns, its own replies and what it sees.

It is never built from the log of the match, which has hidden moves, and it does not depend on what
others replied in a round that is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from quandary.core.answers import Answer
from quandary.core.contract import Game, JudgedMoves, Question, Seat
from quandary.core.errors import Unreadable, UserError
from quandary.core.forms import FormField
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.answers import given_parts as given_parts_of
from quandary.core.moves import Notation, compose
from quandary.core.question import form_of
from quandary.core.words import say_in
from quandary.core.wrapper import inner_of
from quandary.matches.player import Turn
from quandary.players.advice import has_solution
from quandary.players.at_terminal import result
from quandary.players.model_names import is_model
from quandary.players.people import is_person
from quandary.tasks.question_game import asked_question

from .shown import shown_name
from .tables import Table

LISTED = 1_000  # legal moves that are sent
EMPTY = "*"  # a cell of a board that is not filled in


def seat_view(table: Table, seat: Seat, now: float) -> dict[str, Any]:
    """Return all that a seat is told besides its steps."""
    match, language = table.match, table.settings.language
    turn = table.turn(seat)
    position = turn.position if turn else match.position.seen_by(seat)
    data: dict[str, Any] = {
        "version": table.version(seat),
        "epoch": table.epoch,
        "seat": seat,
        "name": table.name,
        "players": shown_players(table),
        "models": [is_model(player) for player in table.players],
        "question": asked_question(match.start) is not None,
        "language": language,
        "study": table.settings.is_study,
        "task": table.spec.task,
        "turn": turn.number if turn else None,
        "open": table.open_seats,
        "over": table.is_over,
        "used": dict(table.used[seat]),
    }
    if turn:
        data["input"] = input_of(turn, language)
        if turn.refused:
            data["refused"] = refusal_text(position, turn.refused, language)
    if feedback := table.steps(seat).feedback:
        data["feedback"] = feedback
    if table.is_judging:
        data["judging"] = True
    elif table.unjudged:
        say = say_in(__name__, language)
        data["refused"] = say(
            "Your answer could not be judged in time, so it does not count; send it again."
        )
    if not table.is_secret:
        data["news"] = _news(table, seat)
    data["may"] = [
        what
        for what, is_possible in {
            "resign": not (table.is_over or table.is_judging or seat in table.failed),
            "undo": table.may_take_back(seat),
            "hint": bool(turn) and not table.settings.is_study and "oracle" in position.strategies,
            "cost": _may_ask_cost(table, seat),
            "solution": bool(turn) and not table.settings.is_study and has_solution(turn),  # type: ignore[arg-type]
            "claim": table.may_claim(seat, now),
        }.items()
        if is_possible
    ]
    if (wait := table.until_claim(seat, now)) is not None:
        data["claim_in"] = max(0.0, wait)
    if table.is_over:
        record = table.record()
        data |= {"result": result(record, seat, language), "scores": record.scores}
        if table.rematch:
            data["rematch"] = f"/m/{table.rematch}"
    return data


def _news(table: Table, seat: Seat) -> list[dict[str, Any]]:
    """Return what others have moved since the last move of a seat, where nothing is hidden."""
    match, language = table.match, table.settings.language
    found = list[dict[str, Any]]()
    for mover, move in takewhile(lambda moved: moved[0] != seat, reversed(match.log)):
        found.append({"seat": mover, "move": match.position.translated(move, language)})
    return found[::-1]


def _may_ask_cost(table: Table, seat: Seat) -> bool:
    """Moves of games are judged, where the puzzle can; answers are checked."""
    start = table.match.start
    is_judged = asked_question(start) is None and isinstance(start, JudgedMoves)
    return bool(table.turns[seat]) and is_judged and not table.settings.is_study


def shown_players(table: Table) -> list[str]:
    """Return who sits where; an empty seat is shown as such."""
    say = say_in(__name__, table.settings.language)
    empty = say("nobody") if table.is_over else say("an open seat")
    return [
        empty if seat in table.empty_seats else shown_name(player)
        for seat, player in enumerate(table.players)
    ]


def shown_otherwise(table: Table) -> dict[str, Any]:
    """Return what is shown of a match under way, or of one that nobody joined, unlike its
    record.
    """
    if table.is_over and not table.empty_seats:
        return {}
    data: dict[str, Any] = {"name": table.name, "players": shown_players(table)}
    if table.is_over:
        say = say_in(__name__, table.settings.language)
        data |= {"result": say("given up before anybody came"), "scores": None}
    return data


def public_view(table: Table) -> dict[str, Any]:
    """Return what whoever watches is told besides the match."""
    return {
        "version": table.version(None),
        "name": table.name,
        "players": shown_players(table),
        "open": table.open_seats,
        "over": table.is_over,
    }


def may_be_watched(table: Table) -> bool:
    """Return whether those who watch may see everything: nothing is hidden from anyone, moves of an
    open round included.
    """
    several_move = len(table.match.position.options()) > 1
    has_secrets = table.is_secret or table.settings.is_study or several_move
    return table.is_over or not has_secrets


# Input.


def input_of(turn: Turn, language: str) -> dict[str, Any]:
    """Return how the seat can reply: the fields of a form, and legal moves where they can be
    listed.
    """
    position = turn.position
    data: dict[str, Any] = {"how": position.how(language)}
    notation = position.notation()
    shape = answer_shape(position)
    if shape is not None:
        data |= {"kind": "answer", "fields": _answer_fields(position, shape, language)}
    elif notation is not None:
        say = position.say(language)
        labels = {name: say.label(name) for name in notation.fields}
        data |= {
            "kind": "move",
            "unordered": notation.unordered,
            "fields": [_field(field, labels, say.label) for field in notation.form()],
        }
    else:
        data |= {"kind": "text", "fields": [], "lines": form_of(position) != "line"}
    if turn.options is not None and len(turn.options) <= LISTED:
        data["legal"] = list(_legal(position, notation, turn.options, language))
    return data


def _legal(
    position: Game, notation: Notation | None, moves: Iterable[str], language: str
) -> Iterable[dict[str, Any]]:
    for move in moves:
        shown: dict[str, Any] = {"move": move, "shown": position.translated(move, language)}
        if notation is not None:
            values = notation.to_json(move)
            shown["fields"] = {name: _text(value) for name, value in values.items()}
        yield shown


def _text(value: object) -> str:
    return (
        {True: "true", False: ""}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )


def answer_shape(position: Game) -> Answer | None:
    question = inner_of(position)
    return question.answer_shape() if isinstance(question, Question) else None


def _answer_fields(position: Game, shape: Answer, language: str) -> list[dict[str, Any]]:
    given = given_parts(position)

    def label(word: str) -> str:
        return position.translated(word, language)

    return [
        _field(field, {}, label) | ({"given": given[field.name]} if field.name in given else {})
        for field in shape.form()
    ]


def given_parts(position: Game) -> Mapping[str, str]:
    """Return the parts of an answer that the question gives, by the fields of its form."""
    return given_parts_of(inner_of(position))


def _field(field: FormField, labels: Mapping[str, str], label: Any) -> dict[str, Any]:
    data = {
        "name": field.name,
        "label": labels.get(field.name, field.name),
        "kind": field.kind,
        "optional": field.optional,
        "low": field.low,
        "high": field.high,
        "longest": field.longest,
        "choices": [[word, label(word)] for word in field.choices],
    }
    # The bound 0 stays, although it equals False.
    return {key: value for key, value in data.items() if value or type(value) is int}


def answer_from(position: Game, values: Mapping[str, str]) -> str:
    """Return the text of a move or an answer that was put together in a form; UserError if it is
    none.
    """
    shape = answer_shape(position)
    if shape is not None:
        return shape.write(shape.from_form(values))
    notation = position.notation()
    if notation is None:
        return values.get("text", "")
    try:
        return compose(notation, [{name: value} for name, value in values.items() if value])
    except ValueError as reason:
        raise UserError(f"{reason}.") from None


def unfilled(position: Game, values: Mapping[str, str]) -> bool:
    """Return whether cells of a grid or of a board are empty: it is asked for them, so that no try
    is lost.
    """
    shape = answer_shape(position)
    fields, given = shape.form() if shape is not None else (), given_parts(position)
    for field in fields:
        cells = values.get(field.name, "").split()
        if field.longest == 1 and not cells:
            return True
        if field.kind == "table" and field.name in given and EMPTY in cells:
            return True
    return False


def problem(turn: Turn, text: str, language: str) -> str:
    """Return why a person must reply again, as at the terminal; "" if the reply can be taken."""
    position = turn.position
    try:
        move = position.read(turn.seat, text)
    except Unreadable as refusal:
        return refusal_text(position, refusal, language)
    if turn.options is None or move in turn.options:
        return ""
    why = position.why_illegal(turn.seat, move, language)
    shown = position.translated(move, language)
    say = say_in(__name__, language)
    return f"{shown}: {why}" if why else say("{move} is not allowed here.", move=shown)


def is_alone(table: Table) -> bool:
    """Return whether no other person plays or may join."""
    return sum(map(is_person, table.players)) == 1
