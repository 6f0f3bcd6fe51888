"""A service on a thread of its own, for clients that wait."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass

from api.app import create_app
from api.cli.service import announce
from graph.executive import Executive
from state.principal import Principal
from tests.serving import START_SECONDS, serving


@dataclass(frozen=True)
class Running:
    """Where it is, and a key of each person."""

    url: str
    keys: tuple[str, ...]


@contextmanager
def running(
    opened: AbstractAsyncContextManager[Executive], *people: Principal, is_announced: bool = False
) -> Iterator[Running]:
    """Serve an Executive until the block ends; announced, commands on its folder find it."""
    started = threading.Event()
    found: list[Running] = []
    end: list[Callable[[], object]] = []

    async def serve() -> None:
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        end.append(lambda: loop.call_soon_threadsafe(over.set))
        async with opened as executive:
            keys = [await executive.keys.make(each) for each in people]
            app = create_app(executive, heartbeat_seconds=0.2)
            async with serving(app) as url:
                if is_announced:
                    app.state.local_access = announce(executive.settings.data_dir, url)
                found.append(Running(url, tuple(keys)))
                started.set()
                await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert started.wait(START_SECONDS), "it did not start"
        yield found[0]
    finally:
        if end:
            end[0]()
        thread.join()
