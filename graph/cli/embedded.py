"""An Executive in this process, for one command on a data folder."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from graph.compose import open_executive
from graph.runner import Executive
from graph.settings import Settings
from state.errors import Busy


@asynccontextmanager
async def at_work(settings: Settings) -> AsyncIterator[Executive]:
    """Open an Executive, and finish first what an earlier process left.

    Raises:
        Busy: another process has the folder.
        PackFaults: a pack cannot be loaded.
    """
    async with AsyncExitStack() as stack:
        try:
            executive = await stack.enter_async_context(open_executive(settings))
        except Busy as busy:
            raise Busy(f"{busy}; or ask the service that runs there, over its API") from busy
        await executive.settle_answered()
        await executive.resume_unfinished()
        yield executive
