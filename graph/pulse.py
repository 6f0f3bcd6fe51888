"""The clock's own turn, once a second: holds that end, questions that run out, work left over."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress

import structlog

from graph.runner import UNDER_WAY_SECONDS, Executive

TICK_SECONDS = 1.0

log = structlog.get_logger()


@asynccontextmanager
async def pulsing(executive: Executive) -> AsyncIterator[None]:
    """Finish what an earlier process left, then tick until the block ends."""
    await executive.settle_answered()
    task = asyncio.create_task(_pulse(executive))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _pulse(executive: Executive) -> None:
    turn: Awaitable[object] = executive.resume_unfinished()
    while True:
        try:
            await turn
        except Exception:  # a bad second must not be the last one
            log.exception("tick_failed")
        await asyncio.sleep(TICK_SECONDS)
        turn = tick(executive)


async def tick(executive: Executive) -> None:
    """Do what is due now; missed ticks are not replayed."""
    await executive.release_due()
    await executive.resume_unfinished(older_seconds=UNDER_WAY_SECONDS)
    await executive.settle_answered()
