"""The pages of a study as HTML."""

from __future__ import annotations

from quandary.report.html import Markup, element

from .pages import page
from .study import QUESTIONS, Item, Person, Study

GOES = (
    "Deleting removes your answers, times, pseudonym and consent from this site and from the "
    "records of the study at once, and the tables that were made of them. It also removes what you "
    "have played with this browser outside the study, and gives up what is under way."
)
STAYS = (
    "What stays: where another person has played with you, the match with the name “deleted” in "
    "your place; that somebody took part, as a number, so that nobody else gets the same order; "
    "backups of the operator, and what has been published."
)


def consent_page(study: Study, person: Person | None) -> str:
    """Return what the study is, and the only way into it; also for somebody who has agreed to other
    terms.
    """
    asked = [
        *(element("p", paragraph) for paragraph in study.consent()),
        _button("/study/agree", "I agree", {"version": study.consent_version()}),
        element("p", element("a", "No, to the library", href="/")),
    ]
    if person is None:
        return page("Study", element("h1", "Take part in a study"), *asked)
    return page(
        "Study",
        element("h1", "The terms of the study have changed"),
        element("p", "Nothing more is kept about you until you agree again.", class_="lead"),
        *asked,
        *_leaving(person),
    )


def progress_page(study: Study, person: Person, link: str) -> str:
    """Return what a person has played, and how to go on, stop and delete."""
    played = study.played(person)
    done = sum(is_over for _, is_over in played)
    total = study.total
    following = study.next(person)
    if following is None:
        words = "You have played everything. Thank you!"
    elif isinstance(following, Item):
        words = (
            f"Session {following.session + 1} of {study.settings.sessions}: puzzle "
            f"{following.place + 1} of {study.length} is next."
        )
    else:
        words = "A puzzle is under way."
    parts = [element("p", words, class_="lead")]
    if person.has_stopped:
        parts.append(element("p", "You have stopped; you can continue whenever you like."))
    if following is not None:
        parts.append(_button("/study/next", "Go on" if played else "Begin"))
    parts += [
        element("p", f"{done} of {total} puzzles are done."),
        element("progress", value=str(done), max=str(total), aria_label="Puzzles that are done"),
        element("h2", "About you"),
        element("p", "You need not answer; each answer helps to understand the results."),
        _questions(person),
        element("h2", "Another device, another day"),
        element(
            "p",
            (f"Your pseudonym is {person.pseudonym}. With this link you can continue anywhere:"),
        ),
        element("p", element("code", link)),
        element("p", "Anyone with the link can play as you, so keep it to yourself."),
        *_leaving(person),
    ]
    return page("Study", element("h1", "Study"), *parts)


def _leaving(person: Person) -> list[Markup]:
    """Return how to stop and to delete, and what was agreed to."""
    parts = [element("h2", "Stop or delete")]
    if not person.has_stopped:
        parts.append(_button("/study/stop", "Stop taking part", is_main=False))
    return [
        *parts,
        element("p", GOES),
        element("p", STAYS),
        element(
            "form",
            element(
                "label",
                element("input", type="checkbox", name="sure", value="yes", required=True),
                " Delete everything that is kept about me",
            ),
            element("button", "Delete", type="submit", class_="plain"),
            method="post",
            action="/study/delete",
            class_="start",
        ),
        element("h2", "What you agreed to"),
        *(element("p", paragraph, class_="note") for paragraph in person.consent),
    ]


def back_page(visitor: str) -> str:
    """Whoever opens the link of a person is asked first: it replaces who one was here."""
    return page(
        "Study",
        element("h1", "Continue the study"),
        element(
            "p",
            "This is the link of somebody who takes part. If that is you, continue here; matches "
            "that you play on this device outside the study stay behind.",
        ),
        _button(f"/study/back/{visitor}", "Yes, that is me"),
        element("p", element("a", "No, to the library", href="/")),
    )


def _questions(person: Person) -> Markup:
    fields = []
    for name, (words, choices) in QUESTIONS.items():
        known = person.answers.get(name, "")
        if choices:
            options = [
                element("option", choice, value=choice, selected=choice == known)
                for choice in choices
            ]
            field = element("select", element("option", "no answer", value=""), *options, name=name)
        else:
            field = element("input", name=name, value=known, maxlength="200")
        fields.append(element("label", words, field))
    return element(
        "form",
        *fields,
        element("button", "Keep my answers", type="submit", class_="plain"),
        method="post",
        action="/study/answers",
        class_="start",
    )


def _button(
    action: str, words: str, hidden: dict[str, str] | None = None, *, is_main: bool = True
) -> Markup:
    fields = [
        element("input", type="hidden", name=name, value=value)
        for name, value in (hidden or {}).items()
    ]
    kind = "main" if is_main else "plain"
    return element(
        "form",
        *fields,
        element("button", words, type="submit", class_=kind),
        method="post",
        action=action,
        class_="start",
    )
