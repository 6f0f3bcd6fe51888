"""The event loop that the service runs on, for what is measured beside it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a new loop."""
    with asyncio.Runner(loop_factory=_served_by()) as runner:
        return runner.run(work)


def _served_by() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Give the loop's maker; None: the platform's own."""
    try:
        import uvloop
    except ImportError:  # Windows
        return None
    return uvloop.new_event_loop
