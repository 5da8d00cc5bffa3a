"""Stored readings: how a reply was read when it was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quandary.core.contract import Form
from quandary.matches.player import Readings, Status
from quandary.matches.record import NO_REPLY, LoggedReply
from quandary.models.provider import Finish, Generation

from .reply import read

# What the status of a reply says about how its generation ended.
FINISHES: Mapping[Status, Finish] = {"truncated": "length", "refused": "refused"}


def readings_of(
    reply: LoggedReply, form: Form, generations: Iterable[Generation] = ()
) -> Readings | None:
    """Return both readings of a model's reply from its record; None if no reply came.

    Records of earlier versions have none, so their replies are read here.  `generations` are those
    of the calls behind the reply, from the journal: one of them is the reply, and says whether it
    was cut off and what the model thought apart from it.  Without it, the status has to say.
    """
    if reply.readings or reply.status in NO_REPLY:
        return reply.readings
    usual = Generation(reply.words, finish=FINISHES.get(reply.status, "stop"))
    return read(next((given for given in generations if given.text == reply.words), usual), form)
