"""What a pack's code raises is its own failure; what ends or cancels us goes on."""

import asyncio
import signal
from collections.abc import Iterator

import pytest

from tools.catalog.pack_code import call_contained, run_contained

RAISED = (
    KeyboardInterrupt("a"),
    GeneratorExit("a"),
    SystemExit(3),
    StopIteration("a"),
    asyncio.CancelledError("a"),
    BaseExceptionGroup("a", [KeyboardInterrupt()]),
)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _raise(error: BaseException) -> None:
    raise error


async def _raise_later(error: BaseException) -> None:
    await asyncio.sleep(0)
    raise error


def _press() -> None:
    signal.raise_signal(signal.SIGINT)


async def _cancels_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
async def test_what_is_no_exception_becomes_one(error: BaseException) -> None:
    for awaited in (asyncio.to_thread(call_contained, _raise, error), _in_a_task(error)):
        with pytest.raises(RuntimeError, match=type(error).__name__):
            await asyncio.wait_for(awaited, 5)
    with pytest.raises(RuntimeError, match=type(error).__name__):
        call_contained(_raise, error)


async def _in_a_task(error: BaseException) -> None:
    await run_contained(_raise_later, error)


async def test_an_exception_stays_what_it_is() -> None:
    with pytest.raises(LookupError):
        call_contained(_raise, LookupError("a"))
    with pytest.raises(LookupError):
        await run_contained(_raise_later, LookupError("a"))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        call_contained(_press)


async def test_a_coroutine_that_cancels_itself_has_failed() -> None:
    with pytest.raises(RuntimeError, match="CancelledError"):
        await run_contained(_cancels_itself)


async def test_our_own_cancellation_reaches_the_coroutine_and_goes_on() -> None:
    ended = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(run_contained(wait))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await run_contained(wait)
