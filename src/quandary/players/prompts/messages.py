"""The messages a model is sent: rules, position, worked examples and how to answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from random import Random

from quandary.core.contract import Form, Game, Language, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.luck import Luck
from quandary.core.mixins.turns import feedback_of
from quandary.core.question import form_of
from quandary.core.scene import meaningful_colours
from quandary.matches.player import Status, Turn
from quandary.models.provider import Message, Part, Picture
from quandary.tasks.published_wording import published_prompt

from .settings import PromptSettings
from .wording import colours_in, words_in

LISTED = 100  # legal moves shown at most


def opening(
    turn: Turn,
    settings: PromptSettings,
    shots: Sequence[Sequence[tuple[Message, Message]]],
    luck: str,
) -> list[Message]:
    """Return all up to the first question: system message, rules, worked examples, position.

    A published prompt is sent as it is, and nothing else.
    """
    if published := published_prompt(turn.position):
        return [Message("user", (published,))]
    words = words_in(settings.language)
    rules = words["rules"].format(rules=turn.position.rules(settings.language))
    system = words["system"] if settings.system is None else settings.system
    messages = [Message("system", (system,))] if system else []
    shots = [shot for shot in shots if shot]
    one = len(shots) == 1
    for number, shot in enumerate(shots):
        for index, (asked, answered) in enumerate(shot):
            heading = (rules,) if number == index == 0 else ()
            example = words["example" if one else "example_of_many"]
            example = example.format(number=number + 1, count=len(shots))
            introduction = (*heading, example) if index == 0 else ()
            messages += [_prefixed(*introduction, message=asked), answered]
    head = (words["now" if one else "now_many"],) if shots else (rules,)
    return [*messages, Message("user", merged([*head, *_asked(turn, settings, luck)]))]


def question(turn: Turn, settings: PromptSettings, luck: str, *, again: bool = False) -> Message:
    """Return the position of a turn, and how to answer.

    With `again` the question itself is already part of the conversation: feedback is enough.
    `luck` names the luck of the seat, by which moves are shuffled.
    """
    feedback = feedback_of(turn.position, settings.language) if again else ""
    return Message("user", merged(_asked(turn, settings, luck, feedback)))


def _asked(turn: Turn, settings: PromptSettings, luck: str, feedback: str = "") -> Iterator[Part]:
    """Yield the position of a turn, or feedback instead of it, and how to answer."""
    words, position = words_in(settings.language), turn.position
    if feedback:
        yield feedback
    else:
        yield from shown(position, turn.seat, settings)
    if settings.list_moves and turn.options is not None:
        yield _legal_moves(list(turn.options), settings, Luck(luck).turn(turn.number))
    programs = "" if settings.allow_code else words["programs"]
    yield words[settings.prompting] + programs + how_to_answer(form_of(position), settings)


def earlier_question(turn: Turn, before: Turn, settings: PromptSettings) -> Message:
    """Return what stands for the question of a turn once a later position is shown in full.

    It lists the lines that were new in it, so what the model was told is still there; whole
    positions would make a conversation grow with the square of its turns.
    """
    words, language = words_in(settings.language), settings.language
    if settings.modality == "image":
        feedback = feedback_of(turn.position, language)
        return Message("user", merged([words["left out"], *([feedback] if feedback else [])]))
    old, new = (one.position.text(one.seat, language).split("\n") for one in (before, turn))
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    lines = [
        line for kind, _, _, start, end in changes if kind != "equal" for line in new[start:end]
    ]
    if not lines:
        return Message("user", (words["left out"],))
    return Message("user", (words["changed"].format(lines="\n".join(lines)),))


def how_to_answer(form: Form, settings: PromptSettings) -> str:
    """Return how an answer of this form is to be written: at the end of a reply, or as all
    of it.
    """
    asked = "json" if form in ("json", "json_fence") else "answer"
    return words_in(settings.language)[asked + " alone" * (settings.prompting == "none")]


def correction(status: Status, refusal: str, form: Form, settings: PromptSettings) -> Message:
    """Return what is said after a reply without a move: what was wrong with it, and how to
    answer.
    """
    known = words_in(settings.language).get(status) if status != "answered" else None
    return Message("user", ((known or refusal) + "\n" + how_to_answer(form, settings),))


def refusal(position: Game, reason: Unreadable, settings: PromptSettings) -> str:
    """Return why an answer could not be read as a move."""
    why, how = refusal_text(position, reason, settings.language), position.how(settings.language)
    # How to write a move does not in itself say that anything was wrong.
    return words_in(settings.language)["no move"].format(how=how) if why == how else why


def vote(asked: Message, candidates: Sequence[Move], settings: PromptSettings) -> Message:
    """Return the question which of several moves is best, after the position."""
    listed = "\n".join(f"{number}. {move}" for number, move in enumerate(candidates, start=1))
    ballot = words_in(settings.language)["vote"].format(listed=listed)
    return Message("user", merged([*asked.parts, ballot]))


def answer_text(move: Move, position: Game, settings: PromptSettings) -> str:
    """Return a reply in the form that is asked for, without thoughts."""
    return f"```\n{position.translated(move, settings.language)}\n```"


def shown(position: Game, seat: Seat, settings: PromptSettings) -> Iterator[Part]:
    """Yield a position as text, as a picture, or both."""
    words = words_in(settings.language)
    if settings.modality != "image":
        yield words["position"].format(text=position.text(seat, settings.language))
    if settings.modality != "text":
        yield words["picture"]
        if colours := colours_text(position, seat, settings.language):
            yield words["colours"].format(colours=colours)
        yield picture_of(position, seat, settings.language)
        feedback = feedback_of(position, settings.language)
        if settings.modality == "image" and feedback:
            yield feedback  # no picture shows what was wrong with the last answer


def colours_text(position: Game, seat: Seat, language: Language = "en") -> str:
    """Return what the colours in the picture of a position mean, one per line."""
    seen, named, line = position.seen_by(seat), colours_in(language), words_in(language)["colour"]
    scene, legend = seen.scene(seat, language), seen.legend(seat, language)
    used = meaningful_colours(scene) if scene else []
    return "\n".join(
        line.format(colour=named[colour], meaning=legend[colour])
        for colour in used
        if colour in legend
    )


def picture_of(position: Game, seat: Seat, language: Language = "en") -> Picture:
    """Return the position drawn as a PNG."""
    from quandary.render.png import (
        language_of_pictures,
        png,
    )  # needs an extra that only pictures need
    from quandary.render.svg import picture

    return Picture(png(picture(position, seat, language_of_pictures(language))))


def _legal_moves(moves: list[Move], settings: PromptSettings, rng: Random) -> str:
    """Return the legal moves, shuffled so that their order gives nothing away."""
    words = words_in(settings.language)
    rng.shuffle(moves)
    listed = words["legal"].format(moves=words["between moves"].join(moves[:LISTED]))
    if len(moves) <= LISTED:
        return listed
    return f"{listed}\n{words['more'].format(shown=LISTED, all=len(moves))}"


def _prefixed(*before: str, message: Message) -> Message:
    return Message(message.role, merged([*before, *message.parts]))


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Join adjacent texts of parts by a blank line."""
    joined: list[Part] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] += "\n\n" + part
        else:
            joined.append(part)
    return tuple(joined)
