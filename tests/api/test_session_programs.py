"""Programs as opponents in a session: they play as in a match, and leave no process."""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import quandary as q
from programs.asking import children, soon
from quandary.programs.levels import found
from quandary.programs.pool import ProgramPool
from quandary.programs.processes import Exchange, Process
from quandary.programs.replies import ProgramReply
from quandary.programs.sandbox.seccomp import reason_missing

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

# Plays by its luck in all turns so far, and by their number.
KEEPING = """
import random

class Player:
    def __init__(self):
        self.drawn = []

    def play(self, view):
        self.drawn.append(random.random())
        number = int(sum(self.drawn) * 1000) + len(self.drawn)
        return getattr(self, view["puzzle"])(view, number)

    def card_nim(self, view, number):
        hand = [card for card in view["hands"][view["seat"]] if card <= view["stones"]]
        return hand[number % min(3, len(hand))]

    def bid_that(self, view, number):
        return number % (view["funds"][view["seat"]] + 1)

    def beat_or_bomb_sto(self, view, number):
        return f"{view['hands'][number % len(view['hands'])]} give up"
"""
FAILING = """
class Player:
    turns = 0

    def play(self, view):
        self.turns += 1
        return min(view["hands"][view["seat"]]) if self.turns == 1 else view["nothing"]
"""
SPECS = ["card_nim/easy#7", "bid_that/easy#1", "beat_or_bomb_sto/normal#2"]


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("keeping.py").write_text(KEEPING)
    Path("failing.py").write_text(FAILING)
    found()  # which starts processes of its own, once
    gc.collect()
    before = children(os.getpid())
    yield
    assert soon(lambda: children(os.getpid()) <= before)


def _copied(session: q.Session) -> q.Session:
    """The session as another process would have it; this one has ended by then."""
    kept = pickle.dumps(session)
    session.close()
    copy: q.Session = pickle.loads(kept)
    return copy


def _end_of(
    session: q.Session, step: Callable[[q.Session], q.Session] = lambda session: session
) -> q.Record:
    rng = Random(1)
    while not session.done:
        session.reply(f"```\n{rng.choice(list(session.legal()))}\n```")
        session = step(session)
    return session.record()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_session_is_pickled_at_any_time(spec: str, seat: int) -> None:
    """The program has what it kept in its earlier turns, and its luck."""
    sessions = (q.Session(spec, seat=seat, opponents="program/keeping.py") for _ in range(3))
    straight, other, repeated = sessions
    Path("keeping.py").unlink()
    record = _end_of(straight)

    assert len([reply for reply in record.said if reply.seat != seat]) > 2
    assert record == _end_of(other, _copied) == _end_of(repeated)
    assert record.sandbox == found().level
    q.replay(record)


@pytest.mark.parametrize("spec", SPECS)
def test_a_session_is_the_match_of_its_program(spec: str) -> None:
    """What the learner says is what another program says in that match."""
    match = q.match(spec, "program/keeping.py", "program/keeping.py")
    session = q.Session(spec, opponents=["program/keeping.py"])
    for seat, move in match.log:
        if seat == 0:
            session.reply(f"```\n{move}\n```")
    record = session.record()

    assert (record.log, record.scores, record.sandbox) == (match.log, match.scores, match.sandbox)
    assert ("learner", "program/keeping.py") == record.players


def test_a_program_that_fails_loses() -> None:
    session = q.Session("card_nim/easy#7", seat=1, opponents="program/failing.py")
    record = _end_of(session, _copied)

    assert ("crash", 0, (0.0, 1.0)) == (record.cause, record.offender, record.scores)
    assert "KeyError: 'nothing' (line 7)" == record.said[-1].words


def _processes() -> set[int]:
    """The processes of this one, and of those."""
    own = children(os.getpid())
    return own.union(*map(children, own))


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("end", ["its match ends", "it is closed", "nothing refers to it"])
def test_no_process_outlives_a_session(end: str) -> None:
    before, descriptors = _processes(), _descriptors()
    session = q.Session("card_nim/easy#7", seat=1, opponents="program/keeping.py")
    assert len(_processes() - before) == 2  # the fork server, and the program
    if end == "its match ends":
        _end_of(session)
    elif end == "it is closed":
        session.close()
    else:
        del session
        gc.collect()

    assert soon(lambda: _processes() <= before)
    assert _descriptors() == descriptors
    if end == "it is closed":
        whole = q.Session("card_nim/easy#7", seat=1, opponents="program/keeping.py")
        assert _end_of(session) == _end_of(whole)


def test_a_session_goes_on_after_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a program thinks: it is asked again, and the reply is not lost."""
    whole = _end_of(q.Session("card_nim/easy#7", opponents="program/keeping.py"))
    go_on, interrupted = Process._go_on, list[int]()

    def interrupt(process: Process, exchange: Exchange) -> ProgramReply | None:
        if process.number == 4 and not interrupted:  # its program, its seat and a turn came first
            interrupted.append(process.pid)
            raise KeyboardInterrupt
        return go_on(process, exchange)

    monkeypatch.setattr(Process, "_go_on", interrupt)
    session = q.Session("card_nim/easy#7", opponents="program/keeping.py")
    rng = Random(1)
    while not session.done:
        try:
            session.reply(f"```\n{rng.choice(list(session.legal()))}\n```")
        except KeyboardInterrupt:
            assert not session.pending
            session = pickle.loads(pickle.dumps(session))
    assert interrupted
    assert whole == session.record()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("program/nothing.py", r"^there is no program 'nothing.py'\.$"),
        ("program/keeping", r"is not a program; write program/ and the path of a \.py file\.$"),
    ],
)
def test_programs_that_are_not_there_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(q.UserError, match=sentence):
        q.Session("card_nim/easy#7", opponents=name)


def test_a_session_does_not_change_its_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """In that of WebAssembly, another Python may play otherwise; nothing is lost."""
    session = q.Session("card_nim/easy#7", opponents="program/keeping.py")
    session.reply(f"```\n{session.legal()[0]}\n```")
    before = session.record()
    monkeypatch.setattr(ProgramPool, "level", "wasm")
    moved = pickle.loads(pickle.dumps(session))
    with pytest.raises(q.UserError, match="cannot go on in 'wasm'; go on where it began"):
        moved.reply(f"```\n{session.legal()[0]}\n```")

    assert before == moved.record()
