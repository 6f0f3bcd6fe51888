"""The live stream: everybody of the tenant hears it, in order, and nobody waits for anybody."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from state.notice import Notice
from state.reader import whole
from tools.response.delivery import BACKLOG, KEPT, NoticeBus, Subscription


async def heard(listening: Subscription, count: int) -> list[Notice]:
    async with asyncio.timeout(5):
        return [await anext(listening) for _number in range(count)]


async def test_everybody_of_the_tenant_hears_everything_in_order() -> None:
    bus = NoticeBus()
    listeners = [bus.listen(whole("t")), bus.listen(whole("t"))]
    for number in range(3):
        bus.tell("output", "t", {"number": number}, ())
    for listening in listeners:
        notices = await heard(listening, 3)
        assert [notice.data["number"] for notice in notices] == [0, 1, 2]
        assert [notice.id - bus.first_id for notice in notices] == [1, 2, 3]
        assert {(notice.kind, notice.tenant_id) for notice in notices} == {("output", "t")}


async def test_another_tenant_hears_nothing_of_it() -> None:
    bus = NoticeBus()
    listening = bus.listen(whole("other"))
    bus.tell("output", "t", {"secret": True}, ())
    bus.tell("decision", "other", {"mine": True}, ())
    (notice,) = await heard(listening, 1)
    assert (notice.kind, notice.data) == ("decision", {"mine": True})


async def test_telling_nobody_is_no_error() -> None:
    NoticeBus().tell("output", "t", {}, ())


async def test_a_slow_listener_misses_the_oldest_and_sees_the_gap() -> None:
    bus = NoticeBus()
    listening = bus.listen(whole("t"))
    for _number in range(BACKLOG + 5):
        bus.tell("output", "t", {}, ())
    first, *_others, last = await heard(listening, BACKLOG)
    assert (first.id - bus.first_id, last.id - bus.first_id) == (6, BACKLOG + 5)
    assert listening.has_lost


async def test_who_comes_back_hears_what_was_told_meanwhile_or_of_a_gap() -> None:
    bus = NoticeBus()
    for number in range(5):
        bus.tell("output", "t", {"number": number}, ())
        bus.tell("output", "other", {}, ())
    back = bus.listen(whole("t"), after=bus.first_id + 3)
    assert [one.data["number"] for one in await heard(back, 2)] == [3, 4]
    assert not back.has_gap
    assert back.queue.empty()
    assert not bus.listen(whole("t"), after=bus.first_id + 5).has_gap
    of_before = NoticeBus(first_id=bus.first_id + 10_000).listen(whole("t"), after=bus.first_id + 5)
    assert of_before.has_gap
    assert bus.listen(whole("t"), after=bus.first_id + 6).has_gap  # never told here
    for _number in range(KEPT):
        bus.tell("output", "loud", {}, ())
    assert bus.listen(whole("t"), after=bus.first_id + 4).has_gap
    assert not bus.listen(whole("t"), after=bus.first_id + 5).has_gap
    assert len(bus._kept) == KEPT


async def test_who_comes_back_to_more_than_is_held_is_told_of_the_gap() -> None:
    bus = NoticeBus()
    for _number in range(BACKLOG + 1):
        bus.tell("output", "t", {}, ())
    assert not bus.listen(whole("t"), after=bus.first_id + 1).has_gap
    back = bus.listen(whole("t"), after=bus.first_id)
    first, *_others, last = await heard(back, BACKLOG)
    assert back.has_gap
    assert (first.id - bus.first_id, last.id - bus.first_id) == (2, BACKLOG + 1)


async def test_who_stops_listening_or_is_let_go_is_forgotten() -> None:
    bus = NoticeBus()
    never_asked, dropped = bus.listen(whole("t")), bus.listen(whole("t"))
    waiting = asyncio.ensure_future(anext(never_asked))
    waiting.cancel()  # before it has begun: no `finally` of ours has been entered
    assert len(bus._listeners) == 2
    with closing(never_asked):
        bus.tell("output", "t", {}, ())
    del never_asked, dropped, waiting
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not bus._listeners


async def test_another_thread_may_tell() -> None:
    bus = NoticeBus()
    listening = bus.listen(whole("t"))
    await asyncio.to_thread(bus.tell, "output", "t", {"from": "a thread"}, ())
    (notice,) = await heard(listening, 1)
    assert notice.data == {"from": "a thread"}


@pytest.fixture
def hurried() -> Iterator[None]:
    """Let threads take turns a thousand times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 1_000)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hurried")
async def test_what_several_threads_tell_comes_in_the_order_of_its_ids() -> None:
    bus = NoticeBus()
    listening = bus.listen(whole("t"))

    def tell() -> None:
        for _number in range(BACKLOG // 4):
            bus.tell("output", "t", {}, ())

    await asyncio.gather(*(asyncio.to_thread(tell) for _thread in range(4)))
    told = [one.id - bus.first_id for one in await heard(listening, BACKLOG)]
    assert told == list(range(1, BACKLOG + 1))


def test_a_listener_whose_loop_has_ended_stops_nobody() -> None:
    bus = NoticeBus()

    async def listen_and_leave() -> None:
        bus.listen(whole("t"))

    asyncio.run(listen_and_leave())
    bus.tell("output", "t", {}, ())
