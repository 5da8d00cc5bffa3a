"""How soon a server has as many calls as it takes, on a clock that is not waited for."""

from __future__ import annotations

from itertools import count
from typing import Any, Literal

import pytest

from quandary.models.concurrency import Concurrency
from quandary.models.rounds import Round, Sent
from simulated_server import Simulated
from virtual_time import Clock

IDEAL = 1_000 / 256  # latencies of 1,000 calls, 256 at once


@pytest.mark.parametrize("seconds", [1.0, 5.0, 30.0])
def test_a_server_without_limits_soon_has_as_many_calls_as_allowed(seconds: float) -> None:
    """From four to 8, 64 and 256 calls in flight in a latency each, and what it takes to send them;
    1,000 calls within twice the ideal time.
    """
    played = Simulated(1_000, latency=lambda rng: seconds)
    reached = played.server.reached

    assert reached[8] == (pytest.approx(seconds, rel=0.01), 4)
    assert reached[64][0] <= 2.15 * seconds
    assert reached[256][0] <= 3.25 * seconds
    assert reached[256][1] <= 4 + 8 + 64
    assert played.seconds <= 2 * IDEAL * seconds


def test_our_own_lag_is_not_taken_for_the_servers() -> None:
    """A millisecond of work before a call and after its reply: half a second for a round of 256."""
    played = Simulated(2_000, lag=0.001)

    assert played.server.reached[256][1] <= 4 + 8 + 64
    assert 256 == played.limiter.concurrency.limit
    assert played.seconds <= 2 * 2_000 / 256


@pytest.mark.parametrize("seed", range(6))
def test_it_rises_where_latencies_differ(seed: int) -> None:
    """By a factor of three, by chance: not as fast, because quick replies prove nothing."""
    played = Simulated(1_000, latency=lambda rng: rng.uniform(0.5, 1.5), seed=seed)

    assert played.server.reached[256][0] <= 15.0  # where equal latencies took as long
    assert played.seconds <= 4.8 * IDEAL


@pytest.mark.parametrize("start", [4, 16])
@pytest.mark.parametrize("slots", [4, 8, 16])
def test_a_server_that_queues_is_kept_busy_and_no_more(slots: int, start: int) -> None:
    """Calls wait for each other for a while, but never until they are given up."""
    played = Simulated(300, start=start, timeout=5.0, slots=slots, latency=lambda rng: 0.25)
    most = max(played.server.reached)

    assert played.seconds <= 1.15 * 300 / slots * 0.25
    assert 0 == played.given_up
    assert most <= max(3 * start, 8 * slots)
    assert played.limiter.concurrency.limit <= max(1.5 * start, 2.5 * slots)


@pytest.mark.parametrize("first", [1, 3, 4])
def test_calls_that_go_ahead_are_not_all_that_a_server_takes(first: int) -> None:
    """The others are held back until one is answered."""
    queueing = Simulated(300, first=first, slots=4, latency=lambda rng: 0.25)
    unlimited = Simulated(1_000, first=first)

    assert queueing.seconds <= 1.15 * 300 / 4 * 0.25
    assert max(queueing.server.reached) <= 8
    assert unlimited.seconds <= 2 * IDEAL + 1


@pytest.mark.parametrize("seed", range(4))
def test_a_server_with_four_slots_is_not_flooded(seed: int) -> None:
    """Whether or not its calls take equally long."""
    equal = Simulated(300, slots=4)
    varying = Simulated(300, slots=4, latency=lambda rng: rng.uniform(0.5, 1.5), seed=seed)

    assert max(equal.server.reached) <= 8
    assert max(varying.server.reached) <= 24
    assert equal.seconds <= 1.15 * 300 / 4
    assert varying.seconds <= 1.15 * 300 / 4


@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize("start", [4, 16])
@pytest.mark.parametrize("takes", [1, 2, 4, 8, 16, 17, 20, 40, 65, 100])
def test_a_server_that_takes_so_many_calls_at_once_refuses_few(
    takes: int, start: int, retry_after: float | None
) -> None:
    """At most 30 for 300 answers; it has nearly as many calls as it takes."""
    played = Simulated(300, start=start, takes=takes, retry_after=retry_after)

    assert 0 < played.server.refusals <= 30
    assert played.seconds <= 1.1 * 300 / takes + 5


@pytest.mark.parametrize("takes", [1, 3])
def test_long_calls_are_not_taken_for_a_limit_by_time(takes: int) -> None:
    """A server that takes one call of 20 seconds, and says to come back after one, was asked every
    second: it refused 23,000 calls.
    """
    played = Simulated(300, takes=takes, retry_after=1.0, latency=lambda rng: 20.0)

    assert played.server.refusals <= 30
    assert played.seconds <= 1.1 * 300 / takes * 20


def test_a_limit_that_was_refused_is_tried_again_later() -> None:
    """After more answers each time; a server may take more after a while."""
    played = Simulated(2_000, takes=8)

    assert 8 == played.limiter.concurrency.ceiling
    assert 1 < played.server.refusals < 20

    concurrency = played.limiter.concurrency
    for number in range(10_000, 15_000):
        played.clock.seconds += 1 / concurrency.limit
        sent = Sent(played.clock() - 1, number)
        concurrency.succeeded(sent, concurrency.limit)
    assert concurrency.limit > 12


RATES: list[dict[str, Any]] = [
    {"per_second": 2, "burst": 2},
    {"per_second": 5, "burst": 5},
    {"per_second": 10, "burst": 10},
    {"per_second": 20, "burst": 20},
    {"per_window": 5},
    {"per_window": 10},
    {"per_window": 20},
    {"per_window": 50},
]


@pytest.mark.parametrize("seconds", [0.05, 1.0])
@pytest.mark.parametrize("server", RATES, ids=str)
def test_a_server_that_takes_so_many_calls_in_a_time_refuses_few(
    server: dict[str, Any], seconds: float
) -> None:
    """At most 30 for 300 answers, though it does not say when to come back."""
    played = Simulated(300, latency=lambda rng: seconds, **server)
    per_second = server.get("per_second") or server["per_window"]
    ideal = (300 - server.get("burst", 0)) / per_second

    assert 0 < played.server.refusals <= 30
    assert played.seconds <= 1.5 * ideal + 5


NAMED_WAITS: list[dict[str, Any]] = [
    *RATES,
    {"per_window": 5, "slides": True},
    {"per_window": 20, "slides": True},
    {"per_window": 50, "slides": True},
    {"per_window": 60, "window": 60.0},
    {"per_window": 60, "window": 60.0, "slides": True},
    {"per_second": 5, "burst": 1},
    {"per_second": 1, "burst": 60},
]


@pytest.mark.parametrize("start", [4, 16])
@pytest.mark.parametrize("retry_after", ["exact", 5.0])
@pytest.mark.parametrize("server", NAMED_WAITS, ids=str)
def test_a_server_that_says_when_to_come_back_refuses_few(
    server: dict[str, Any], retry_after: float | Literal["exact"], start: int
) -> None:
    """At most 30 for 300 answers; 40 if it has to be asked again for most of a minute."""
    for seconds in (0.05, 1.0):
        played = Simulated(
            300, start=start, retry_after=retry_after, latency=lambda rng, s=seconds: s, **server
        )
        asked_again = retry_after != "exact" and server.get("window") == 60.0
        assert 0 < played.server.refusals <= (40 if asked_again else 30)


@pytest.mark.parametrize("server", NAMED_WAITS, ids=str)
def test_a_short_wait_that_a_server_names_costs_few_refusals(server: dict[str, Any]) -> None:
    """Half a second, although it takes no call for up to a minute; 5 calls per second were refused
    172 times.
    """
    for seconds in (0.05, 1.0):
        played = Simulated(300, retry_after=0.5, latency=lambda rng, s=seconds: s, **server)

        assert 0 < played.server.refusals <= 40


def test_calls_of_unequal_length_are_not_refused_one_by_one() -> None:
    """Each answer lets a call through; at a server that takes 200 per minute, all of these were
    refused until none was in flight.
    """
    for slides in (False, True):
        played = Simulated(
            300, per_window=200, window=60.0, slides=slides, latency=lambda rng: rng.uniform(0.5, 1)
        )
        assert played.server.refusals <= 30


@pytest.mark.parametrize("seconds", [0.05, 1.0])
@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize(
    "server", [{"per_window": 60, "window": 60.0}, {"per_second": 1, "burst": 60}], ids=str
)
def test_a_server_that_takes_so_many_calls_in_a_minute(
    server: dict[str, Any], retry_after: float | None, seconds: float
) -> None:
    """It takes a minute's calls at once, and is then asked now and then whether it takes more.

    300 answers take four to five minutes.
    """
    played = Simulated(300, latency=lambda rng: seconds, retry_after=retry_after, **server)

    assert played.server.refusals <= 40
    assert played.seconds <= 330


@pytest.mark.parametrize("retry_after", [None, 0.05])
@pytest.mark.parametrize("seed", range(3))
def test_a_server_that_refuses_calls_by_chance_is_not_waited_for(
    seed: int, retry_after: float | None
) -> None:
    """However few are in flight, it refuses a fifth of them.  If refusals lowered the limit, this
    took 200 seconds.
    """
    played = Simulated(500, chance=0.2, seed=seed, retry_after=retry_after)

    assert max(played.server.reached) > 16
    assert played.seconds <= 120


@pytest.mark.parametrize("seed", range(8))
def test_a_server_that_names_a_wait_by_chance_is_not_waited_for(seed: int) -> None:
    """It refuses one call of twenty.  If two refusals in a row held back all calls, this took 32
    seconds on average, and 84 at worst.
    """
    played = Simulated(300, chance=0.05, seed=seed, retry_after=1.0, latency=lambda rng: 0.1)

    assert played.seconds <= 8


@pytest.mark.parametrize("seed", range(3))
def test_a_server_that_refuses_many_calls_by_chance_is_soon_known(seed: int) -> None:
    """Three calls of ten: slower calls are refused as often, and are not tried again and again."""
    played = Simulated(3_000, chance=0.3, seed=seed, retry_after=1.0, latency=lambda rng: 0.5)

    assert played.seconds <= 120


def test_a_call_that_is_refused_alone_tells_nothing_of_the_number() -> None:
    """So the limit may rise again."""
    concurrency = Concurrency(4, 64)
    last = Sent(0.0, 4)
    for number, others in ((4, 3), (3, 2)):
        assert concurrency.refused(Sent(0.0, number), last, others)
    ceiling = concurrency.ceiling

    assert not concurrency.refused(Sent(1.0, 5), Sent(1.0, 5), 0)
    assert (2, 2) == (ceiling, concurrency.limit)
    assert concurrency.ceiling > 64


def test_slow_calls_are_not_driven_into_the_timeout() -> None:
    """Should the server queue, calls would take too long at twice the limit."""
    clock = Clock()
    concurrency = Concurrency(16, 256, timeout=5.0, now=clock)
    for number in range(1_000):
        clock.seconds += 4.5 / 16
        concurrency.succeeded(Sent(clock.seconds - 4.5, number), 16)

    assert 16 == concurrency.limit


def test_it_rises_while_more_are_answered() -> None:
    """Counted by hand: replies one by one, at a rate that follows the limit."""
    clock = Clock()
    concurrency = Concurrency(4, 64, now=clock)
    begun, replies = clock(), 0
    while concurrency.limit < 64:
        clock.seconds += 1 / concurrency.limit  # a call takes a second
        concurrency.succeeded(Sent(clock() - 1, replies), concurrency.limit)
        replies += 1

    assert clock() - begun < 4  # rounds
    assert replies <= 4 + 8 + 64


def test_as_many_replies_are_counted_as_tell() -> None:
    """A whole round where all take equally long, and more where they differ."""

    def replies(latencies: list[float]) -> int:
        counted = Round(4, 0.0)
        for number in count(1):
            counted.count(Sent(0.0, number), latencies[number % len(latencies)])
            if counted.is_over(now=10.0):
                return number
        raise AssertionError

    assert 4 == replies([1.0])
    assert 4 == replies([1.0, 1.2])
    assert replies([1.0, 1.0, 9.0]) >= 24


def test_a_short_round_is_not_over() -> None:
    """In milliseconds, it would measure our own event loop."""
    counted = Round(4, 0.0)
    for number in range(1, 9):
        counted.count(Sent(0.0, number), 0.001)

    assert not counted.is_over(now=0.002)
    assert counted.is_over(now=0.2)
