"""The scheduler: once a second release holds, expire questions, resume left-over decisions.

Send webhooks and messages to people.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import structlog

from graph.executive import UNDER_WAY_SECONDS, Executive
from state.webhook import Endpoint

TICK_SECONDS = 1.0

log = structlog.get_logger()


@asynccontextmanager
async def run_scheduler(executive: Executive) -> AsyncIterator[None]:
    """Finish what an earlier process left, then tick until the block ends."""
    await executive.approvals.settle_answered()
    tasks = [
        asyncio.create_task(_pulse(executive)),
        asyncio.create_task(_every_second(_keep, executive, "keeping_failed")),
        asyncio.create_task(_every_second(_export, executive, "export_failed")),
        asyncio.create_task(_every_second(_remember, executive, "journal_failed")),
        asyncio.create_task(_every_second(_index, executive, "index_failed")),
        asyncio.create_task(_every_second(_tell_people, executive, "channels_failed")),
        asyncio.create_task(_every_second(deliver_webhooks, executive, "webhooks_failed")),
    ]
    try:
        yield
    finally:
        for task in tasks:
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


async def _keep(executive: Executive) -> None:
    await executive.maintenance.keep()


async def _export(executive: Executive) -> None:
    await executive.maintenance.export()


async def _index(executive: Executive) -> None:
    if executive.journal.store.indexing is not None:
        await executive.journal.store.indexing.feed()


async def _remember(executive: Executive) -> None:
    await executive.journal.catch_up()
    await executive.utterance_vectors.catch_up()
    await executive.supersession.inform()


async def _tell_people(executive: Executive) -> None:
    await executive.channels.tick()


async def deliver_webhooks(executive: Executive) -> None:
    """Send to each endpoint every second, each apart: one that is slow holds up no other."""
    await asyncio.gather(
        *(
            _every_second(partial(_send_to, endpoint=one), executive, "webhooks_failed")
            for one in executive.webhooks.outbox.endpoints
        )
    )


async def _send_to(executive: Executive, endpoint: Endpoint) -> None:
    await executive.webhooks.to(endpoint)


async def _every_second(
    work: Callable[[Executive], Awaitable[None]], executive: Executive, failed: str
) -> None:
    # Apart from the turns: to audit a long ledger takes seconds, and a hold must not wait for it.
    while True:
        try:
            await work(executive)
        except Exception:  # as above
            log.exception(failed)
        await asyncio.sleep(TICK_SECONDS)


async def tick(executive: Executive) -> None:
    """Do what is due now; missed ticks are not replayed.

    Raises:
        ExceptionGroup: what went wrong; the other turns were taken all the same.
    """
    failed = []
    for turn in _turns(executive):
        try:
            await turn()
        except Exception as error:  # noqa: BLE001  # one session's fault must not stop the ledger
            failed.append(error)
    if failed:
        raise ExceptionGroup("some turns of a tick failed", failed)


def _turns(executive: Executive) -> Iterator[Callable[[], Awaitable[object]]]:
    yield executive.release_due
    yield lambda: executive.resume_unfinished(older_seconds=UNDER_WAY_SECONDS)
    yield executive.proposals.reconcile
    yield executive.approvals.settle_answered
    yield executive.alarm.look
