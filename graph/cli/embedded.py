"""An Executive in this process, for one command on a data folder."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from graph.assembly.data_folder import service_at
from graph.compose import open_executive
from graph.runner import Executive
from graph.settings import Settings
from state.errors import Busy


def _instead(settings: Settings) -> str:
    address = service_at(settings.data_dir)
    if address is None:
        return "or ask the service that runs there, over its API"
    return (
        f"or speak to the service that runs there: export PREFRONTAL_URL={address} "
        "PREFRONTAL_KEY=…, with the key that it showed, or one of: "
        "prefrontal keys create --user ann --role engineer"
    )


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
            raise Busy(f"{busy}; {_instead(settings)}") from busy
        await executive.settle_answered()
        await executive.resume_unfinished()
        yield executive
