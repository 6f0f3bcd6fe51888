"""Have an Executive of this process do one thing; it is imported when there is one to do."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from graph.settings import Settings

if TYPE_CHECKING:
    from graph.runner import Executive

T = TypeVar("T")


async def done_by(settings: Settings, work: "Callable[[Executive], Awaitable[T]]") -> T:
    """Open an Executive in this process, and have it do that.

    Raises:
        Busy: another process has the folder.
        PackFaults: a pack cannot be loaded.
    """
    from graph.cli.embedded import at_work

    async with at_work(settings) as executive:
        return await work(executive)
